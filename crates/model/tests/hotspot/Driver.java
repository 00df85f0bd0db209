import java.io.DataInputStream;
import java.io.FileInputStream;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Runs many small programs, each in a class loader of its own, and prints what can be seen of each when it is over. */
public final class Driver {
    private static final jdk.internal.misc.Unsafe UNSAFE = jdk.internal.misc.Unsafe.getUnsafe();

    private static final class Loader extends ClassLoader {
        private final Map<String, byte[]> files;

        Loader(Map<String, byte[]> files) {
            super(ClassLoader.getPlatformClassLoader());
            this.files = files;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            byte[] file = files.get(name);
            if (file == null) {
                return super.loadClass(name, resolve);
            }
            Class<?> known = findLoadedClass(name);
            return known != null ? known : defineClass(name, file, 0, file.length);
        }

        Class<?> loaded(String name) {
            return findLoadedClass(name);
        }
    }

    private final Loader loader;
    private final List<String> names;
    private final StringBuilder text = new StringBuilder();
    private final List<Object> objects = new ArrayList<>();
    private final IdentityHashMap<Object, Integer> numbers = new IdentityHashMap<>();

    private Driver(Loader loader, List<String> names) {
        this.loader = loader;
        this.names = names;
    }

    public static void main(String[] arguments) throws IOException {
        PrintStream out = new PrintStream(System.out, false, "UTF-8");
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(new FileInputStream(arguments[0])))) {
            for (int programs = in.readInt(); programs > 0; programs--) {
                Map<String, byte[]> files = new HashMap<>();
                List<String> names = new ArrayList<>();
                for (int classes = in.readInt(); classes > 0; classes--) {
                    String name = in.readUTF();
                    names.add(name);
                    files.put(name, in.readNBytes(in.readInt()));
                }
                Set<String> failed = new HashSet<>();
                for (int count = in.readInt(); count > 0; count--) {
                    failed.add(in.readUTF());
                }
                Driver driver = new Driver(new Loader(files), names);
                // To look at classes would link them, so whoever asks which are linked gets nothing else.
                out.print(arguments.length > 1 ? driver.outcome() + "\n" : driver.run(failed));
                out.println("--");
                out.flush();
            }
        }
        out.flush();
    }

    private String run(Set<String> failed) {
        text.append(outcome()).append('\n');
        Map<String, String> states = new HashMap<>();
        for (String name : names) {
            if (isDone(loader.loaded(name))) {
                states.put(name, "Done");
            }
        }
        Map<String, String> statics = new HashMap<>();
        for (String name : names) {
            if (states.containsKey(name)) {
                statics.put(name, fields(name, loader.loaded(name), null));
            }
        }
        StringBuilder graph = new StringBuilder();
        for (int number = 0; number < objects.size(); number++) {
            graph.append(describe(number));
        }
        askForFailures(failed, states);
        for (String name : names) {
            if (states.containsKey(name)) {
                text.append(name).append(' ').append(states.get(name)).append('\n');
                text.append(statics.getOrDefault(name, ""));
            }
        }
        return text.append(graph).toString();
    }

    private String outcome() {
        try {
            loader.loadClass("Test").getMethod("main").invoke(null);
            return "ended";
        } catch (InvocationTargetException thrown) {
            Throwable cause = thrown.getCause();
            String name = cause.getClass().getName();
            // What the model does not know is told in full, since it is a mistake.
            boolean isKnown = !(cause instanceof VerifyError || cause instanceof ClassFormatError);
            return "threw " + (isKnown ? name.substring(name.lastIndexOf('.') + 1) : cause.toString());
        } catch (ReflectiveOperationException | LinkageError wrong) {
            return "could not be started: " + wrong;
        }
    }

    private static boolean isDone(Class<?> type) {
        return type != null && !UNSAFE.shouldBeInitialized(type);
    }

    private String fields(String label, Class<?> type, Object object) {
        StringBuilder lines = new StringBuilder();
        Field[] fields = type.getDeclaredFields();
        Arrays.sort(fields, Comparator.comparing(Field::getName));
        for (Field field : fields) {
            if (Modifier.isStatic(field.getModifiers()) == (object == null)) {
                String value;
                try {
                    value = value(field.get(object));
                } catch (IllegalAccessException | LinkageError wrong) {
                    value = wrong.toString();
                }
                lines.append(label).append('.').append(field.getName()).append(" = ").append(value).append('\n');
            }
        }
        return lines.toString();
    }

    private String value(Object value) {
        if (value == null || value instanceof Integer || value instanceof Boolean) {
            return String.valueOf(value);
        }
        Integer number = numbers.get(value);
        if (number == null) {
            number = objects.size();
            numbers.put(value, number);
            objects.add(value);
        }
        return "#" + number;
    }

    private String describe(int number) {
        Object object = objects.get(number);
        StringBuilder lines = new StringBuilder();
        lines.append('#').append(number).append(" is a ").append(object.getClass().getSimpleName()).append('\n');
        List<Class<?>> types = new ArrayList<>();
        boolean isOpen = true;
        for (Class<?> type = object.getClass(); type != null; type = type.getSuperclass()) {
            if (names.contains(type.getName())) {
                isOpen &= isDone(type);
                types.add(type);
            }
        }
        types.sort(Comparator.comparingInt(type -> names.indexOf(type.getName())));
        for (Class<?> type : isOpen ? types : List.<Class<?>>of()) {
            lines.append(fields("#" + number + "." + type.getName(), type, object));
        }
        return lines.toString();
    }

    /**
     * Those that should have failed are asked first: if they have, no code runs. To ask any other class may run code, so each is
     * asked in a run of its own. A class that was not loaded cannot have failed.
     */
    private void askForFailures(Set<String> failed, Map<String, String> states) {
        for (String name : names) {
            if (failed.contains(name)) {
                states.put(name, hasFailed(name) ? "Error" : "has not failed");
            }
        }
        for (String name : names) {
            if (!states.containsKey(name) && loader.loaded(name) != null) {
                Driver again = new Driver(new Loader(loader.files), names);
                again.outcome();
                if (again.hasFailed(name)) {
                    states.put(name, "has failed");
                }
            }
        }
    }

    /** Whether a class had failed before it was asked. */
    private boolean hasFailed(String name) {
        try {
            Class.forName(name, true, loader);
            return false;
        } catch (NoClassDefFoundError error) {
            return ("Could not initialize class " + name).equals(error.getMessage());
        } catch (Throwable thrown) {
            return false;
        }
    }
}
