package probity.cases;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;

/**
 * Runs test classes with JUnit 4, one after the other in this JVM.
 *
 * <p>The first argument is a file, the others are the classes. What happens is written to the file as it happens, since
 * standard output belongs to the tests and since a test may end the JVM. A line has parts between tabs, with tabs, ends
 * of lines and backslashes escaped.
 */
public final class RunTests {
    public static void main(String[] arguments) throws IOException {
        try (PrintStream results = new PrintStream(arguments[0], StandardCharsets.UTF_8)) {
            for (int i = 1; i < arguments.length; i++) {
                write(results, "class", arguments[i]);
                run(arguments[i], results);
                results.flush();
            }
        }
        // Threads that tests left behind do not keep the JVM.
        System.exit(0);
    }

    private static void run(String name, PrintStream results) {
        Class<?> test;
        try {
            test = Class.forName(name, false, RunTests.class.getClassLoader());
        } catch (ClassNotFoundException absent) {
            write(results, "absent");
            return;
        }
        JUnitCore core = new JUnitCore();
        core.addListener(new Writer(results));
        core.run(Request.aClass(test));
        write(results, "end");
    }

    private static void write(PrintStream results, String... parts) {
        StringBuilder line = new StringBuilder();
        for (String part : parts) {
            line.append(line.length() == 0 ? "" : "\t").append(escaped(part == null ? "" : part));
        }
        results.print(line.append('\n'));
    }

    private static String escaped(String part) {
        return part.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r");
    }

    private static final class Writer extends RunListener {
        private final PrintStream results;
        private final Set<Description> told = new HashSet<>();

        Writer(PrintStream results) {
            this.results = results;
        }

        @Override
        public void testFailure(Failure failure) {
            told.add(failure.getDescription());
            Throwable exception = failure.getException();
            String method = failure.getDescription().getDisplayName();
            write(results, "failed", method, exception.getClass().getName(), failure.getMessage());
        }

        @Override
        public void testAssumptionFailure(Failure failure) {
            told.add(failure.getDescription());
            write(results, "assumption", failure.getDescription().getDisplayName(), failure.getMessage());
        }

        @Override
        public void testIgnored(Description test) {
            write(results, "ignored", test.getDisplayName());
        }

        @Override
        public void testFinished(Description test) {
            if (!told.contains(test)) {
                write(results, "passed", test.getDisplayName());
            }
        }
    }
}
