// file: Used.java
/** Each test uses a class of its own. */
public class Used {
    public static class First { public static void go() {} }
    public static class Second { public static void go() {} }
    public static class Made { public static void go() {} }
    public static class Before { public static void go() {} }
    public static class After { public static void go() {} }
    public static class Provided { public static void go() {} }
}
// file: FirstTest.java
import org.testng.annotations.*;
import org.testng.*;
public class FirstTest {
    public FirstTest() { Used.Made.go(); }
    @BeforeClass public void before() { Used.Before.go(); }
    @AfterClass public void after() { Used.After.go(); }
    @DataProvider public Object[][] numbers() { Used.Provided.go(); return new Object[][] {{1}, {2}}; }
    @Test(groups = "first", dependsOnGroups = "early") public void passes() { Used.First.go(); }
    @Test(dataProvider = "numbers") public void provided(int number) {}
    @Test public void fails() { Assert.fail("on purpose"); }
    @Test(dependsOnMethods = "fails") public void skipped() {}
    @Test public void skips() { throw new SkipException("on purpose"); }
}
// file: SecondTest.java
import org.testng.annotations.*;
public class SecondTest {
    @Test(groups = "early") public void early() { Used.Second.go(); }
    @Test(dependsOnGroups = "first") public void late() {}
}
// file: BrokenTest.java
import org.testng.annotations.*;
public class BrokenTest {
    @BeforeClass public void before() { throw new IllegalStateException("on purpose"); }
    @Test public void never() {}
}
