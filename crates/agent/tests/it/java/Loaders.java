import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;

/** Loads one class in several class loaders that have no parent. */
public class Loaders {
    public static void main(String[] args) throws Exception {
        URL[] place = {Path.of(args[0]).toUri().toURL()};
        int times = Integer.parseInt(args[1]);
        int sum = 0;
        for (int i = 0; i < times; i++) {
            try (URLClassLoader loader = new URLClassLoader("loader" + i, place, null)) {
                Method way = loader.loadClass("Target").getMethod("way", int.class);
                sum += (int) way.invoke(null, 1 + i % 2);
            }
        }
        System.out.println("sum " + sum);
        int holders = 0;
        try {
            while (true) {
                Class.forName("java.lang.ProbityProbes" + holders, false, null);
                holders++;
            }
        } catch (ClassNotFoundException end) {
            System.out.println("holders " + holders);
        }
    }
}
