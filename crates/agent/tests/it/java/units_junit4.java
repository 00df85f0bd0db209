// file: Used.java
/** Each test uses a class of its own. */
public class Used {
    public static class Plain { public static void go() {} }
    public static class Second { public static void go() {} }
    public static class ClassRuled { public static void go() {} }
    public static class Ruled { public static void go() {} }
    public static class Before { public static void go() {} }
    public static class After { public static void go() {} }
    public static class Parameters { public static void go() {} }
    public static class Parametered { public static void go() {} }
    public static class Inner { public static void go() {} }
    public static class Leaf { public static void go() {} }
    public static class InSuite { public static void go() {} }
    public static class Custom { public static void go() {} }
    public static class CustomBuilt { public static void go() {} }
    public static class Old { public static void go() {} }
    public static class Parallel1 { public static void go() {} }
    public static class Parallel2 { public static void go() {} }
}
// file: PlainTest.java
import org.junit.*;
import org.junit.rules.*;
public class PlainTest {
    @ClassRule public static ExternalResource classRule = new ExternalResource() {
        @Override protected void before() { Used.ClassRuled.go(); }
    };
    @Rule public ExternalResource rule = new ExternalResource() {
        @Override protected void before() { Used.Ruled.go(); }
    };
    @BeforeClass public static void before() { Used.Before.go(); }
    @AfterClass public static void after() { Used.After.go(); }
    @Test public void passes() { Used.Plain.go(); }
    @Test public void fails() { Assert.fail("on purpose"); }
    @Test public void throwsError() { throw new IllegalStateException("on purpose"); }
    @Test @Ignore public void ignored() {}
    @Test public void assumes() { Assume.assumeTrue(false); }
}
// file: SecondTest.java
import org.junit.*;
public class SecondTest {
    @Test public void passes() { Used.Second.go(); }
}
// file: ParameterTest.java
import java.util.*;
import org.junit.*;
import org.junit.runner.*;
import org.junit.runners.*;
@RunWith(Parameterized.class)
public class ParameterTest {
    @Parameterized.Parameters public static List<Object[]> parameters() {
        Used.Parameters.go();
        return Arrays.asList(new Object[] {1}, new Object[] {2});
    }
    final int number;
    public ParameterTest(int number) { this.number = number; }
    @Test public void works() { Used.Parametered.go(); }
}
// file: EnclosedTest.java
import org.junit.*;
import org.junit.experimental.runners.Enclosed;
import org.junit.runner.*;
@RunWith(Enclosed.class)
public class EnclosedTest {
    public static class First { @Test public void works() { Used.Inner.go(); } }
    public static class Other { @Test public void works() {} }
}
// file: OuterSuite.java
import org.junit.*;
import org.junit.runner.*;
import org.junit.runners.*;
@RunWith(Suite.class)
@Suite.SuiteClasses({SecondTest.class, InnerSuite.class})
public class OuterSuite {
    @BeforeClass public static void before() { Used.InSuite.go(); }
}
// file: InnerSuite.java
import org.junit.runner.*;
import org.junit.runners.*;
@RunWith(Suite.class)
@Suite.SuiteClasses(LeafTest.class)
public class InnerSuite {}
// file: LeafTest.java
import org.junit.*;
public class LeafTest { @Test public void works() { Used.Leaf.go(); } }
// file: CustomRunner.java
import org.junit.runner.*;
import org.junit.runner.notification.*;
public class CustomRunner extends Runner {
    final Class<?> test;
    public CustomRunner(Class<?> test) { this.test = test; Used.CustomBuilt.go(); }
    @Override public Description getDescription() { return Description.createSuiteDescription(test); }
    @Override public void run(RunNotifier notifier) {
        Description one = Description.createTestDescription(test, "one");
        notifier.fireTestStarted(one);
        Used.Custom.go();
        notifier.fireTestFinished(one);
    }
}
// file: CustomTest.java
import org.junit.runner.*;
@RunWith(CustomRunner.class)
public class CustomTest {}
// file: OldTest.java
import junit.framework.*;
public class OldTest extends TestCase {
    public void testPasses() { Used.Old.go(); }
    public void testFails() { fail("on purpose"); }
}
// file: BrokenTest.java
import org.junit.*;
public class BrokenTest {
    public BrokenTest(int impossible) {}
    @Test public void never() {}
}
// file: BeforeTest.java
import org.junit.*;
public class BeforeTest {
    @BeforeClass public static void before() { throw new IllegalStateException("on purpose"); }
    @Test public void never() {}
}
// file: IgnoredTest.java
import org.junit.*;
@Ignore public class IgnoredTest { @Test public void never() {} }
// file: ThreadTest.java
import org.junit.*;
public class ThreadTest {
    @Test public void leaves() throws Exception {
        java.util.concurrent.CountDownLatch runs = new java.util.concurrent.CountDownLatch(1);
        Thread thread = new Thread(() -> {
            runs.countDown();
            try { Thread.sleep(600_000); } catch (InterruptedException e) { }
        });
        thread.setDaemon(true);
        thread.start();
        runs.await();
    }
    @Test public void joins() throws Exception {
        Thread thread = new Thread(Used.Leaf::go);
        thread.start();
        thread.join();
    }
}
// file: Notified.java
import org.junit.runner.*;
import org.junit.runner.notification.*;
/** Runs classes with a notifier of its own, which tells nobody; or with one that tells twice. */
public class Notified {
    static class Silent extends RunNotifier {
        @Override public void fireTestStarted(Description d) {}
        @Override public void fireTestFinished(Description d) {}
        @Override public void fireTestFailure(Failure f) {}
        @Override public void fireTestIgnored(Description d) {}
        @Override public void fireTestAssumptionFailed(Failure f) {}
    }
    static class Calling extends RunNotifier {
        @Override public void fireTestStarted(Description d) { super.fireTestStarted(d); }
        @Override public void fireTestFinished(Description d) { super.fireTestFinished(d); }
        @Override public void fireTestFailure(Failure f) { super.fireTestFailure(f); }
        @Override public void fireTestIgnored(Description d) { super.fireTestIgnored(d); }
        @Override public void fireTestAssumptionFailed(Failure f) { super.fireTestAssumptionFailed(f); }
    }
    public static void main(String[] names) throws Exception {
        RunNotifier notifier = names[0].equals("silent") ? new Silent() : new Calling();
        for (int i = 1; i < names.length; i++)
            Request.aClass(Class.forName(names[i])).getRunner().run(notifier);
    }
}
// file: Both.java
import org.junit.experimental.*;
import org.junit.runner.*;
/** Runs two classes at the same time. */
public class Both {
    public static void main(String[] names) {
        JUnitCore.runClasses(new ParallelComputer(true, false), Parallel1Test.class, Parallel2Test.class);
        System.exit(0);
    }
}
// file: Meeting.java
import java.util.concurrent.*;
public class Meeting {
    static final CyclicBarrier BARRIER = new CyclicBarrier(2);
    static void meet() { try { BARRIER.await(60, TimeUnit.SECONDS); } catch (Exception e) { throw new Error(e); } }
}
// file: Parallel1Test.java
public class Parallel1Test {
    @org.junit.Test public void meets() { Meeting.meet(); Used.Parallel1.go(); Meeting.meet(); }
}
// file: Parallel2Test.java
public class Parallel2Test {
    @org.junit.Test public void meets() { Meeting.meet(); Used.Parallel2.go(); Meeting.meet(); }
}
// file: Isolated.java
import java.io.File;
import java.net.*;
/** Runs JUnit in a class loader that has no parent. */
public class Isolated {
    public static void main(String[] arguments) throws Exception {
        String[] places = arguments[0].split(File.pathSeparator);
        URL[] urls = new URL[places.length];
        for (int i = 0; i < places.length; i++) urls[i] = new File(places[i]).toURI().toURL();
        try (URLClassLoader loader = new URLClassLoader(urls, null)) {
            Class<?> core = loader.loadClass("org.junit.runner.JUnitCore");
            Class<?>[] tests = {loader.loadClass("PlainTest"), loader.loadClass("SecondTest")};
            core.getMethod("runClasses", Class[].class).invoke(null, (Object) tests);
        }
    }
}
