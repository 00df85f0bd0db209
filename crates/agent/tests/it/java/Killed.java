import org.junit.runner.JUnitCore;

/** Runs many small classes with JUnit 4, again and again, until somebody kills the JVM. */
public class Killed {
    public static void main(String[] arguments) throws Exception {
        for (int i = 0; i < 60; i++) {
            System.out.println("run " + i);
            System.out.flush();
            JUnitCore.runClasses(Class.forName("K" + i));
        }
    }
}
