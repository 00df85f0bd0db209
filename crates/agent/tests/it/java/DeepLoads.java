import java.nio.file.Files;
import java.nio.file.Path;

/** Loads classes where hardly any stack is left, at many depths. */
public class DeepLoads {
    static int loaded;

    static class Loader extends ClassLoader {
        final byte[] bytes;

        Loader(byte[] bytes) {
            super(null);
            this.bytes = bytes;
        }

        Class<?> define(java.security.ProtectionDomain domain) {
            return defineClass("Exceptions", bytes, 0, bytes.length, domain);
        }
    }

    public static void main(String[] args) throws Exception {
        byte[] bytes = Files.readAllBytes(Path.of(args[0]));
        for (int i = 0; i < 60; i++) {
            Thread thread = new Thread(null, () -> recurse(bytes, new int[1]), "deep", 256 * 1024);
            thread.start();
            thread.join();
        }
        System.out.println("done " + (loaded > 0));
    }

    /** Goes down until the stack ends, and loads on the first ways back up. */
    static void recurse(byte[] bytes, int[] tries) {
        boolean full = false;
        try {
            recurse(bytes, tries);
        } catch (StackOverflowError error) {
            full = true;
        }
        if (full || tries[0] > 0 && tries[0] < 40) {
            tries[0]++;
            try {
                new Loader(bytes).define(DeepLoads.class.getProtectionDomain());
                loaded++;
            } catch (StackOverflowError error) {
                throw error;
            } catch (Throwable error) {
                // Other errors are as good as none: only the JVM must stay alive.
            }
        }
    }
}
