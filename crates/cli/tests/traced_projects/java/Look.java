import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Executable;
import java.lang.reflect.Member;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;

/** Prints everything that a program can see of classes and of its own stack. */
public class Look {
    @Retention(RetentionPolicy.RUNTIME)
    @interface Mark {
        String value() default "";
    }

    @Mark("enum")
    enum Kind { ONE, TWO }

    @Mark("record")
    record Point(int x, @Mark("y") int y) implements Serializable {}

    interface Greeter {
        default void fail() {
            throw new IllegalStateException("greeter");
        }
    }

    public static void main(String[] names) throws Exception {
        for (String name : List.of("Look", "Look$Kind", "Look$Point", "Look$Greeter", "java.lang.Class",
                "java.lang.ClassLoader", "java.lang.System", "java.io.File", "java.lang.Thread")) {
            look(name);
        }
        for (String name : names) {
            look(name);
        }
        stack("missing class", () -> Class.forName("not.There"));
        stack("missing method", () -> Look.class.getMethod("notThere"));
        stack("reflection", () -> Look.class.getDeclaredMethod("deep", int.class).invoke(null, 3));
        stack("default method", () -> {
            new Greeter() {}.fail();
            return null;
        });
        stack("initialiser", () -> Broken.VALUE);
        stack("missing file", () -> new java.io.FileInputStream("not-there"));
        stack("missing bundle", () -> java.util.ResourceBundle.getBundle("not-there"));
        stack("number", () -> Integer.valueOf("x"));
        List<String> stack = StackWalker.getInstance().walk(frames -> frames.map(Object::toString).toList());
        System.out.println(stack);
        System.out.println(Arrays.toString(Thread.currentThread().getStackTrace()));
    }

    static class Broken {
        static final int VALUE = deep(2);
    }

    static int deep(int left) {
        if (left == 0) {
            throw new IllegalArgumentException("deep");
        }
        return deep(left - 1);
    }

    static void stack(String what, Callable<?> action) {
        try {
            System.out.println(what + ": " + action.call());
        } catch (Throwable thrown) {
            for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
                System.out.println(what + ": " + cause.getClass());
                for (StackTraceElement element : cause.getStackTrace()) {
                    // Classes that the JVM makes up have other names in each run.
                    System.out.println("  " + element.toString().replaceAll("0x[0-9a-f]+|Accessor[0-9]+", "#"));
                }
            }
        }
    }

    static void look(String name) {
        List<String> seen = new ArrayList<>();
        try {
            Class<?> type = Class.forName(name, false, Look.class.getClassLoader());
            seen.add(type.toGenericString() + " " + type.getModifiers() + " " + type.isSynthetic());
            seen.add(Arrays.toString(type.getGenericInterfaces()) + " " + type.getGenericSuperclass());
            seen.add(String.valueOf(type.getEnclosingClass()) + Arrays.toString(type.getNestMembers()));
            annotations(seen, type);
            members(seen, type.getDeclaredFields());
            members(seen, type.getDeclaredMethods());
            members(seen, type.getDeclaredConstructors());
            members(seen, type.getMethods());
            if (Serializable.class.isAssignableFrom(type) && !type.isInterface() && !name.startsWith("java")) {
                ObjectStreamClass stream = ObjectStreamClass.lookupAny(type);
                seen.add("serial " + stream.getSerialVersionUID() + Arrays.toString(stream.getFields()));
            }
        } catch (Throwable thrown) {
            seen.add(thrown.toString());
        }
        seen.sort(null);
        System.out.println(name);
        seen.forEach(line -> System.out.println("  " + line));
    }

    static void members(List<String> seen, Member[] members) {
        for (Member member : members) {
            seen.add(member + " " + member.getModifiers() + " " + member.isSynthetic());
            if (member instanceof AnnotatedElement element) {
                annotations(seen, element);
            }
            if (member instanceof Executable executable) {
                seen.add(executable.toGenericString() + Arrays.toString(executable.getParameters()));
            }
        }
    }

    static void annotations(List<String> seen, AnnotatedElement element) {
        String[] texts = Arrays.stream(element.getAnnotations()).map(Object::toString).sorted().toArray(String[]::new);
        seen.add("annotations " + Arrays.toString(texts));
    }
}
