import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipFile;

/** Loads and links classes of the jars on the class path, without initialising them; then tells what the process holds. */
public class LoadClasses {
    public static void main(String[] args) throws Exception {
        int wanted = Integer.parseInt(args[0]);
        ClassLoader loader = LoadClasses.class.getClassLoader();
        List<Class<?>> loaded = new ArrayList<>();
        for (String name : names(System.getProperty("java.class.path"))) {
            if (loaded.size() == wanted) {
                break;
            }
            try {
                Class<?> one = Class.forName(name, false, loader);
                one.getDeclaredMethods();
                loaded.add(one);
            } catch (LinkageError | ReflectiveOperationException missing) {
                // A class that needs another one that is not here is left out, whatever agent runs.
            }
        }
        System.gc();
        System.out.println(loaded.size() + " " + residentKilobytes());
    }

    private static List<String> names(String classPath) throws IOException {
        List<String> names = new ArrayList<>();
        for (String entry : classPath.split(java.io.File.pathSeparator)) {
            if (!entry.endsWith(".jar")) {
                continue;
            }
            try (ZipFile jar = new ZipFile(entry)) {
                jar.stream().map(one -> one.getName())
                        .filter(name -> name.endsWith(".class") && !name.startsWith("META-INF/") && !name.contains("-info"))
                        .map(name -> name.substring(0, name.length() - 6).replace('/', '.'))
                        .forEach(names::add);
            }
        }
        return names;
    }

    private static long residentKilobytes() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", ""));
            }
        }
        return 0;
    }
}
