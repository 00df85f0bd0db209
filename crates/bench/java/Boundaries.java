import java.lang.management.ManagementFactory;
import java.util.Enumeration;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.Test;
import org.junit.runner.JUnitCore;

/** Loads many classes and then runs a test class that does next to nothing, many times: each time is a unit. */
public class Boundaries {
    public static class Nothing {
        @Test
        public void test() {}
    }

    public static void main(String[] args) throws Exception {
        int loaded = load(Integer.parseInt(args[0]));
        int times = Integer.parseInt(args[1]);
        for (int time = 0; time < times; time++) {
            new JUnitCore().run(Nothing.class);
        }
        long wall = System.nanoTime();
        long processor = processorTime();
        for (int time = 0; time < times; time++) {
            new JUnitCore().run(Nothing.class);
        }
        System.out.println(loaded + " " + (processorTime() - processor) / times + " " + (System.nanoTime() - wall) / times);
    }

    private static long processorTime() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static int load(int wanted) throws Exception {
        int loaded = 0;
        for (String entry : System.getProperty("java.class.path").split(java.io.File.pathSeparator)) {
            if (!entry.endsWith(".jar")) {
                continue;
            }
            try (ZipFile jar = new ZipFile(entry)) {
                for (Enumeration<? extends ZipEntry> all = jar.entries(); all.hasMoreElements() && loaded < wanted; ) {
                    String name = all.nextElement().getName();
                    if (!name.endsWith(".class") || name.startsWith("META-INF/") || name.contains("-info")) {
                        continue;
                    }
                    try {
                        Class.forName(name.substring(0, name.length() - 6).replace('/', '.'), false, Boundaries.class.getClassLoader());
                        loaded++;
                    } catch (LinkageError | ReflectiveOperationException missing) {
                        // A class that needs another one that is not here is left out.
                    }
                }
            }
        }
        return loaded;
    }
}
