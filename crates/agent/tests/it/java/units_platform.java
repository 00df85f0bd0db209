// file: Used.java
/** Each test uses a class of its own. */
public class Used {
    public static class Plain { public static void go() {} }
    public static class Nested { public static void go() {} }
    public static class DeepNested { public static void go() {} }
    public static class BeforeAll { public static void go() {} }
    public static class AfterAll { public static void go() {} }
    public static class Arguments { public static void go() {} }
    public static class Parametered { public static void go() {} }
    public static class Dynamic { public static void go() {} }
    public static class Template { public static void go() {} }
    public static class ExtensionMade { public static void go() {} }
    public static class Extended { public static void go() {} }
    public static class Second { public static void go() {} }
    public static class Vintage { public static void go() {} }
    public static class VintageParameters { public static void go() {} }
    public static class Parallel1 { public static void go() {} }
    public static class Parallel2 { public static void go() {} }
}
// file: PlainTest.java
import org.junit.jupiter.api.*;
import static org.junit.jupiter.api.Assumptions.*;
class PlainTest {
    @BeforeAll static void before() { Used.BeforeAll.go(); }
    @AfterAll static void after() { Used.AfterAll.go(); }
    @Test void passes() { Used.Plain.go(); }
    @Test void fails() { Assertions.fail("on purpose"); }
    @Test void aborts() { assumeTrue(false); }
    @Test @Disabled void skipped() {}
    @Nested class Inner {
        @Test void passes() { Used.Nested.go(); }
        @Nested class Deeper { @Test void passes() { Used.DeepNested.go(); } }
    }
}
// file: ManyTest.java
import java.util.stream.*;
import org.junit.jupiter.api.*;
import org.junit.jupiter.api.extension.*;
import org.junit.jupiter.params.*;
import org.junit.jupiter.params.provider.*;
class ManyTest {
    static Stream<String> words() { Used.Arguments.go(); return Stream.of("a", "b"); }
    @ParameterizedTest @MethodSource("words") void parametered(String word) { Used.Parametered.go(); }
    @RepeatedTest(2) void repeated() {}
    @TestFactory Stream<DynamicNode> dynamic() {
        return Stream.of(DynamicContainer.dynamicContainer("c", Stream.of(
            DynamicTest.dynamicTest("one", Used.Dynamic::go))));
    }
    @TestTemplate @ExtendWith(Twice.class) void template() { Used.Template.go(); }
    static class Twice implements TestTemplateInvocationContextProvider {
        @Override public boolean supportsTestTemplate(ExtensionContext context) { return true; }
        @Override public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext c) {
            return Stream.of(new TestTemplateInvocationContext() {}, new TestTemplateInvocationContext() {});
        }
    }
}
// file: MadeExtension.java
import org.junit.jupiter.api.extension.*;
public class MadeExtension implements BeforeAllCallback {
    static { Used.ExtensionMade.go(); }
    @Override public void beforeAll(ExtensionContext context) { Used.Extended.go(); }
}
// file: ExtensionTest.java
import org.junit.jupiter.api.*;
import org.junit.jupiter.api.extension.*;
@ExtendWith(MadeExtension.class)
class ExtensionTest { @Test void passes() {} }
// file: SecondTest.java
import org.junit.jupiter.api.*;
class SecondTest { @Test void passes() { Used.Second.go(); } }
// file: BrokenTest.java
import org.junit.jupiter.api.*;
class BrokenTest {
    @BeforeAll static void before() { throw new IllegalStateException("on purpose"); }
    @Test void never() {}
}
// file: SomeSuite.java
import org.junit.platform.suite.api.*;
@Suite @SelectClasses({SecondTest.class, PlainTest.class})
public class SomeSuite {}
// file: VintageTest.java
public class VintageTest {
    @org.junit.Test public void passes() { Used.Vintage.go(); }
    @org.junit.Test public void fails() { org.junit.Assert.fail("on purpose"); }
}
// file: VintageParameterTest.java
import java.util.*;
import org.junit.runner.*;
import org.junit.runners.*;
@RunWith(Parameterized.class)
public class VintageParameterTest {
    @Parameterized.Parameters public static List<Object[]> parameters() {
        Used.VintageParameters.go();
        return Arrays.asList(new Object[] {1}, new Object[] {2});
    }
    public VintageParameterTest(int number) {}
    @org.junit.Test public void works() {}
}
// file: Meeting.java
import java.util.concurrent.*;
public class Meeting {
    static final CyclicBarrier BARRIER = new CyclicBarrier(2);
    static void meet() { try { BARRIER.await(60, TimeUnit.SECONDS); } catch (Exception e) { throw new Error(e); } }
}
// file: Parallel1Test.java
class Parallel1Test {
    @org.junit.jupiter.api.Test void meets() { Meeting.meet(); Used.Parallel1.go(); Meeting.meet(); }
}
// file: Parallel2Test.java
class Parallel2Test {
    @org.junit.jupiter.api.Test void meets() { Meeting.meet(); Used.Parallel2.go(); Meeting.meet(); }
}
// file: FeatureEngine.java
import org.junit.platform.engine.*;
import org.junit.platform.engine.support.descriptor.*;
/** An engine that knows no classes. */
public class FeatureEngine implements TestEngine {
    static class Node extends AbstractTestDescriptor {
        final Type type;
        Node(UniqueId id, Type type) { super(id, id.toString()); this.type = type; }
        @Override public Type getType() { return type; }
    }
    @Override public String getId() { return "features"; }
    @Override public TestDescriptor discover(EngineDiscoveryRequest request, UniqueId id) {
        TestDescriptor engine = new EngineDescriptor(id, "features");
        for (String name : new String[] {"one", "two"}) {
            Node feature = new Node(id.append("feature", name), TestDescriptor.Type.CONTAINER);
            feature.addChild(new Node(feature.getUniqueId().append("scenario", "1"), TestDescriptor.Type.TEST));
            engine.addChild(feature);
        }
        return engine;
    }
    @Override public void execute(ExecutionRequest request) {
        run(request.getRootTestDescriptor(), request.getEngineExecutionListener());
    }
    private void run(TestDescriptor node, EngineExecutionListener listener) {
        listener.executionStarted(node);
        if (node.isTest()) Used.Plain.go();
        for (TestDescriptor child : node.getChildren()) run(child, listener);
        listener.executionFinished(node, TestExecutionResult.successful());
    }
}
