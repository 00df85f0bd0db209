import java.lang.reflect.InvocationTargetException;
import org.junit.runner.Description;
import org.junit.runner.Runner;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunNotifier;

/** Runs many small programs, each as a test class of its own, and prints how each ended. Their packages are numbered. */
public final class Units {
    private Units() {}

    private static final class Program extends Runner {
        private final Class<?> type;
        private final Description test;
        private String outcome = "not run";

        Program(Class<?> type) {
            this.type = type;
            test = Description.createTestDescription(type, "main");
        }

        @Override
        public Description getDescription() {
            Description unit = Description.createSuiteDescription(type);
            unit.addChild(test);
            return unit;
        }

        @Override
        public void run(RunNotifier notifier) {
            notifier.fireTestStarted(test);
            try {
                type.getMethod("main").invoke(null);
                outcome = "ended";
            } catch (InvocationTargetException thrown) {
                String name = thrown.getCause().getClass().getName();
                outcome = "threw " + name.substring(name.lastIndexOf('.') + 1);
                notifier.fireTestFailure(new Failure(test, thrown.getCause()));
            } catch (ReflectiveOperationException | LinkageError wrong) {
                outcome = "could not be started: " + wrong;
            }
            notifier.fireTestFinished(test);
        }
    }

    public static void main(String[] arguments) throws ClassNotFoundException {
        RunNotifier notifier = new RunNotifier();
        for (int number = 0; number < Integer.parseInt(arguments[0]); number++) {
            Program program = new Program(Class.forName("p" + number + ".Test", false, Units.class.getClassLoader()));
            program.run(notifier);
            System.out.println(program.outcome);
        }
    }
}
