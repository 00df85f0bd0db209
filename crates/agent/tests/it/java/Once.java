import java.lang.invoke.*;

/** Initialisers inside initialisers, one that throws, one on another thread, and one that only looks at itself. */
public class Once {
    static class Helper { static int go() { return 1; } }
    static class Deep { static { Helper.go(); } static int go() { return 1; } }
    static class Outer { static int value = Deep.go() + Late.go(); static int go() { return value; } }
    static class Late { static int go() { return 2; } }
    static class Throwing {
        static { if (Helper.go() == 1) throw new IllegalStateException("on purpose"); }
        static void go() {}
    }
    static class AfterThrow { static void go() {} }
    static class OnThread { static int value = Threaded.go(); }
    static class Threaded { static int go() { return 3; } }
    static class MainMeanwhile { static void go() {} }
    static class Closed { static int[] numbers = new int[3]; static int go() { return numbers.length; } }
    static class Parent { static int value = ParentUses.go(); }
    static class ParentUses { static int go() { return 1; } }
    static class Child extends Parent { static int own = ChildUses.go(); }
    static class ChildUses { static int go() { return 1; } }
    interface WithDefault { int VALUE = InterfaceUses.go(); default void some() {} }
    static class InterfaceUses { static int go() { return 1; } }
    static class Bootstrap {
        static CallSite link(MethodHandles.Lookup lookup, String name, MethodType type) throws Exception {
            Linked.go();
            return new ConstantCallSite(MethodHandles.constant(int.class, 5));
        }
    }
    static class Linked { static void go() {} }

    public static void main(String[] arguments) throws Throwable {
        Outer.go();
        Outer.go();
        try { Throwing.go(); } catch (ExceptionInInitializerError expected) { }
        AfterThrow.go();
        Thread thread = new Thread(() -> System.out.println(OnThread.value));
        thread.start();
        thread.join();
        MainMeanwhile.go();
        Closed.go();
        System.out.println(Child.own + Child.value + WithDefault.VALUE);
        Bootstrap.link(MethodHandles.lookup(), "x", MethodType.methodType(int.class));
    }
}
