import java.io.File;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * Loads every class of a jar and initialises it, and writes for each class what came of it. Arguments: the file to
 * write, the file with classes that are only loaded, the jar, and more jars in which its classes may find others.
 */
public class LoadAll {
    static final PrintStream OUT_OF_USE = new PrintStream(PrintStream.nullOutputStream());

    public static void main(String[] args) throws Exception {
        Set<String> notInitialised = new HashSet<>(Files.readAllLines(Path.of(args[1])));
        PrintStream results = new PrintStream(args[0], "UTF-8");
        System.setOut(OUT_OF_USE);
        System.setErr(OUT_OF_USE);
        System.setIn(InputStream.nullInputStream());
        System.setProperty("java.awt.headless", "true");
        Worker worker = new Worker();
        List<URL> places = new ArrayList<>();
        for (String place : List.of(args).subList(2, args.length)) {
            places.add(new File(place).toURI().toURL());
        }
        ClassLoader loader = new URLClassLoader(places.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
        for (String name : classes(new File(args[2]))) {
            results.println(name + "\tbegun");
            String result = worker.load(loader, name, !notInitialised.contains(name));
            if (result == null) {
                result = "hangs";
                worker = new Worker();
            }
            results.println(name + "\t" + result);
        }
        results.close();
        Runtime.getRuntime().halt(0);
    }

    static List<String> classes(File jar) throws Exception {
        List<String> names = new ArrayList<>();
        try (JarFile file = new JarFile(jar)) {
            for (Enumeration<JarEntry> entries = file.entries(); entries.hasMoreElements();) {
                String name = entries.nextElement().getName();
                if (name.endsWith(".class") && !name.startsWith("META-INF/") && !name.endsWith("module-info.class")) {
                    names.add(name.substring(0, name.length() - 6).replace('/', '.'));
                }
            }
        }
        Collections.sort(names);
        return names;
    }

    /** A thread that loads one class after the other, until one of them does not come back. */
    static class Worker {
        final SynchronousQueue<Runnable> work = new SynchronousQueue<>();
        final SynchronousQueue<String> done = new SynchronousQueue<>();

        Worker() {
            Thread thread = new Thread(null, this::run, "worker", 8 << 20);
            thread.setDaemon(true);
            thread.start();
        }

        void run() {
            try {
                while (true) {
                    work.take().run();
                }
            } catch (InterruptedException end) {
                // Nobody interrupts.
            }
        }

        String load(ClassLoader loader, String name, boolean initialise) throws InterruptedException {
            work.put(() -> {
                String result;
                try {
                    Class<?> loaded = Class.forName(name, initialise, loader);
                    if (!initialise) {
                        loaded.getDeclaredMethods();
                    }
                    result = initialise ? "initialised" : "loaded";
                } catch (Throwable error) {
                    result = chain(error);
                }
                try {
                    done.offer(result, 1, TimeUnit.HOURS);
                } catch (InterruptedException end) {
                    // Nobody interrupts.
                }
            });
            return done.poll(20, TimeUnit.SECONDS);
        }

        static String chain(Throwable error) {
            StringBuilder text = new StringBuilder();
            for (int depth = 0; error != null && depth < 4; depth++, error = error.getCause()) {
                text.append(depth == 0 ? "" : " < ").append(error.getClass().getName());
            }
            return text.toString();
        }
    }
}
