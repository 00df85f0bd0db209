import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Says whether this JVM links classes, that is: whether it accepts their format and verifies their bodies. No class is
 * ever initialised, so none of their code runs.
 *
 * <p>Requests come on standard input and answers go to standard output, one for each class, as soon as it is known.
 * A request is a byte that says what it is, and then:
 * <ul>
 * <li>{@code T} or {@code B}: a count and as many classes, each a name and its bytes. {@code T} links them with each
 *     other; {@code B} only keeps them, as what a class that is linked alone may refer to, and has no answer.
 * <li>{@code A}: the bytes of a class that is linked alone, in a loader of its own.
 * </ul>
 */
public final class LinkClasses {
    private static final int LONGEST_MESSAGE = 1000;

    private static Map<String, byte[]> base = Map.of();

    public static void main(String[] arguments) throws IOException {
        DataInputStream in =
            new DataInputStream(new BufferedInputStream(new FileInputStream(FileDescriptor.in), 1 << 16));
        DataOutputStream out =
            new DataOutputStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16));
        System.setOut(System.err);
        for (int request = in.read(); request >= 0; request = in.read()) {
            switch (request) {
                case 'T' -> linkTogether(in, out);
                case 'B' -> base = readClasses(in, new ArrayList<>());
                case 'A' -> answer(out, linkAlone(readBytes(in)));
                default -> throw new IOException("not a request: " + request);
            }
        }
    }

    private static void linkTogether(DataInputStream in, DataOutputStream out) throws IOException {
        List<String> names = new ArrayList<>();
        ClassLoader loader = new GivenLoader(readClasses(in, names));
        for (String name : names) {
            Throwable refusal = null;
            try {
                link(Class.forName(name, false, loader));
            } catch (Throwable error) {
                refusal = error;
            }
            answer(out, refusal);
        }
    }

    private static Throwable linkAlone(byte[] bytes) {
        try {
            link(new GivenLoader(base).define(bytes));
            return null;
        } catch (Throwable error) {
            return error;
        }
    }

    /**
     * Each of these calls links the class first and then looks for the classes that members name. Only when all of
     * them miss a class is it the linking that does.
     */
    private static void link(Class<?> loaded) {
        try {
            loaded.getDeclaredMethods();
        } catch (NoClassDefFoundError first) {
            try {
                loaded.getDeclaredFields();
            } catch (NoClassDefFoundError second) {
                if (loaded.isInterface()) {
                    // An interface has no constructors: nobody would ask the JVM for them.
                    throw second;
                }
                loaded.getDeclaredConstructors();
            }
        }
    }

    private static void answer(DataOutputStream out, Throwable refusal) throws IOException {
        out.writeBoolean(refusal != null);
        if (refusal != null) {
            String message = String.valueOf(refusal.getMessage());
            out.writeUTF(refusal.getClass().getName());
            out.writeUTF(message.length() > LONGEST_MESSAGE ? message.substring(0, LONGEST_MESSAGE) : message);
        }
        // At once: the next class may be the end of this JVM, and this answer must not be lost with it.
        out.flush();
    }

    private static Map<String, byte[]> readClasses(DataInputStream in, List<String> names) throws IOException {
        Map<String, byte[]> classes = new HashMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            String name = new String(readBytes(in), "UTF-8");
            names.add(name);
            classes.putIfAbsent(name, readBytes(in));
        }
        return classes;
    }

    private static byte[] readBytes(DataInputStream in) throws IOException {
        int length = in.readInt();
        byte[] bytes = in.readNBytes(length);
        if (bytes.length != length) {
            throw new EOFException();
        }
        return bytes;
    }

    /** Has classes of its own and prefers them to those of the platform. */
    private static final class GivenLoader extends ClassLoader {
        private final Map<String, byte[]> classes;

        GivenLoader(Map<String, byte[]> classes) {
            super(ClassLoader.getPlatformClassLoader());
            this.classes = classes;
        }

        /** Defines a class that is not among those given, or is another one of the same name. */
        Class<?> define(byte[] bytes) {
            return defineClass(null, bytes, 0, bytes.length);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                if (loaded != null) {
                    return loaded;
                }
                byte[] bytes = classes.get(name);
                return bytes == null ? super.loadClass(name, resolve) : defineClass(name, bytes, 0, bytes.length);
            }
        }
    }
}
