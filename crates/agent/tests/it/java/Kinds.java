import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Every kind of class that the language has. */
public class Kinds {
    @Retention(RetentionPolicy.RUNTIME)
    @interface Mark {
        String value() default "mark";
        int[] numbers() default {1, 2};
        Level level() default Level.LOW;
    }

    enum Level {
        LOW, HIGH { @Override int weight() { return 2; } };
        int weight() { return 1; }
    }

    record Point(int x, int y) {
        Point {
            if (x < 0) throw new IllegalArgumentException();
        }
        static Point origin() { return new Point(0, 0); }
    }

    sealed interface Shape permits Round, Flat {}
    record Round(int r) implements Shape {}
    record Flat(int a) implements Shape {}

    interface Greeting {
        String NAME = constant();
        static String constant() { return "name" + System.getProperty("none", "-"); }
        default String greet() { return hidden() + NAME; }
        private String hidden() { return "hello "; }
    }

    interface OnlyConstants {
        Object VALUE = Integer.valueOf(Kinds.class.getName().length());
    }

    static class Nest {
        private int secret = 5;
        class Inner { int read() { return secret++; } }
    }

    static class Kept implements Serializable {
        int number = 3;
        transient String text = "gone";
    }

    @Mark(level = Level.HIGH)
    static class Marked implements Greeting {}

    public static void main(String[] args) throws Exception {
        System.out.println(Level.valueOf("HIGH").weight() + Level.LOW.weight());
        System.out.println(new Point(1, 2).equals(new Point(1, 2)) + " " + Point.origin());
        System.out.println(new Marked().greet() + OnlyConstants.VALUE);
        System.out.println(Marked.class.getAnnotation(Mark.class).level() + " " + Marked.class.getAnnotation(Mark.class).value());
        Nest nest = new Nest();
        System.out.println(nest.new Inner().read() + nest.secret);
        System.out.println(List.of(3, 1, 2).stream().filter(x -> x > 1).map(x -> x * 2).collect(Collectors.toList()));
        Supplier<Function<Integer, Integer>> nested = () -> x -> x > 0 ? x : -x;
        System.out.println(nested.get().apply(-4));
        InvocationHandler handler = (proxy, method, arguments) -> method.getName();
        Supplier<?> proxy = (Supplier<?>) Proxy.newProxyInstance(Kinds.class.getClassLoader(), new Class<?>[] {Supplier.class}, handler);
        System.out.println(proxy.get());
        hidden();
        serial();
        members(Kinds.class, Kept.class, Greeting.class, OnlyConstants.class, Mark.class, Point.class, Level.class);
        class Local { int twice(int x) { return 2 * x; } }
        System.out.println(new Local().twice(4) + new Object() { int one() { return 1; } }.one());
        System.out.println(shape(new Round(2)) + shape(new Flat(3)));
    }

    static int shape(Shape shape) {
        if (shape instanceof Round round) return round.r();
        return shape instanceof Flat flat ? flat.a() : 0;
    }

    static void hidden() throws Exception {
        byte[] bytes = Kinds.class.getResourceAsStream("Kinds$Kept.class").readAllBytes();
        Class<?> hidden = MethodHandles.lookup().defineHiddenClass(bytes, true).lookupClass();
        Object made = hidden.getDeclaredConstructor().newInstance();
        System.out.println(hidden.isHidden() + " " + made.getClass().getDeclaredFields().length);
    }

    static void serial() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new ObjectOutputStream(out).writeObject(new Kept());
        Kept back = (Kept) new ObjectInputStream(new ByteArrayInputStream(out.toByteArray())).readObject();
        System.out.println(back.number + " " + back.text + " " + ObjectStreamClass.lookup(Kept.class).getSerialVersionUID());
    }

    static void members(Class<?>... classes) {
        for (Class<?> one : classes) {
            String[] methods = Arrays.stream(one.getDeclaredMethods()).map(Object::toString).sorted().toArray(String[]::new);
            String[] fields = Arrays.stream(one.getDeclaredFields()).map(Object::toString).sorted().toArray(String[]::new);
            System.out.println(one.getName() + " " + Arrays.toString(methods) + Arrays.toString(fields));
        }
    }
}
