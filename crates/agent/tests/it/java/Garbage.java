import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.Arrays;

/** Passes bytes to the JVM that are no class files, and prints what the JVM says. */
public class Garbage extends ClassLoader {
    public static void main(String[] args) throws Exception {
        byte[] good = Files.readAllBytes(Path.of(args[0]));
        report("empty", new byte[0]);
        report("text", "this is not a class file".getBytes());
        report("magic", new byte[] {(byte) 0xCA, (byte) 0xFE, (byte) 0xBA, (byte) 0xBE});
        for (int length = 1; length < good.length; length += 7) {
            report("cut " + length, Arrays.copyOf(good, length));
        }
        for (int at = 4; at < good.length; at += 3) {
            byte[] changed = good.clone();
            changed[at] ^= (byte) 0x55;
            report("changed " + at, changed);
        }
        byte[] longer = Arrays.copyOf(good, good.length + 5);
        report("longer", longer);
    }

    static void report(String what, byte[] bytes) {
        ProtectionDomain domain = Garbage.class.getProtectionDomain();
        String said;
        try {
            Class<?> defined = new Garbage().defineClass(null, bytes, 0, bytes.length, domain);
            Class.forName(defined.getName(), true, defined.getClassLoader());
            said = "defined " + defined.getName();
        } catch (Throwable error) {
            String message = String.valueOf(error.getMessage()).replaceAll("(?s)Exception Details.*", "");
            // The verifier and checks of tables name places in the code, which probes move.
            boolean places = error instanceof VerifyError || message.contains("Table");
            said = error.getClass().getName() + ": " + (places ? message.replaceAll("[0-9]+", "N") : message);
        }
        System.out.println(what + " -> " + said);
    }
}
