import java.io.InputStream;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;

/** An agent that changes a loaded class in several ways. */
public class Redefiner {
    static Instrumentation instrumentation;

    public static void premain(String options, Instrumentation given) {
        instrumentation = given;
        Empty.class.getName();
    }

    /** Has nothing that could be recorded. */
    interface Empty {}

    public static void main(String[] args) throws Exception {
        int sum = Target.way(1);
        switch (args[0]) {
            case "none": break;
            case "original": redefine(original()); break;
            case "retransform": retransform(new Keeping()); break;
            case "captured": {
                Keeping keeping = new Keeping();
                retransform(keeping);
                redefine(keeping.seen);
                break;
            }
            case "changed": redefine(changed()); break;
            case "many":
                for (int i = 0; i < 500; i++) {
                    redefine(original());
                    retransform(new Keeping());
                }
                instrumentation.retransformClasses(Empty.class);
                break;
            default: throw new IllegalArgumentException(args[0]);
        }
        sum += Target.way(2);
        System.out.println("sum " + sum);
    }

    static class Keeping implements ClassFileTransformer {
        byte[] seen;

        @Override
        public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
            if ("Target".equals(name)) {
                seen = bytes.clone();
                return bytes.clone();
            }
            return null;
        }
    }

    static void retransform(ClassFileTransformer transformer) throws Exception {
        instrumentation.addTransformer(transformer, true);
        instrumentation.retransformClasses(Target.class);
        instrumentation.removeTransformer(transformer);
    }

    static void redefine(byte[] bytes) throws Exception {
        instrumentation.redefineClasses(new ClassDefinition(Target.class, bytes));
    }

    static byte[] original() throws Exception {
        try (InputStream in = Target.class.getResourceAsStream("Target.class")) {
            return in.readAllBytes();
        }
    }

    /** The class with another constant: 20 becomes 21. */
    static byte[] changed() throws Exception {
        byte[] bytes = original();
        for (int i = 0; i + 2 < bytes.length; i++) {
            if (bytes[i] == 0x10 && bytes[i + 1] == 20 && bytes[i + 2] == (byte) 0xAC) {
                bytes[i + 1] = 21;
                return bytes;
            }
        }
        throw new IllegalStateException();
    }
}
