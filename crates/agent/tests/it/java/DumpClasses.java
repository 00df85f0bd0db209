import java.io.InputStream;
import java.nio.file.*;

/** Writes classes of the JDK, named by their internal names, into a folder as numbered files; those that are missing are left out. */
public class DumpClasses {
    public static void main(String[] arguments) throws Exception {
        for (int i = 1; i < arguments.length; i++) {
            for (Module module : ModuleLayer.boot().modules()) {
                try (InputStream in = module.getResourceAsStream(arguments[i] + ".class")) {
                    if (in != null) Files.write(Path.of(arguments[0], i + ".class"), in.readAllBytes());
                }
            }
        }
    }
}
