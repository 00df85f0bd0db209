package org.jacoco.core.test.validation;

import java.lang.reflect.*;
import java.nio.file.*;
import java.util.*;
import org.junit.Test;

/** Checks all that tests assert about reports of their targets, and prints a line for each: how it went, what, why. */
public class CheckTargets {
    interface Assertion {
        void check() throws Throwable;
    }

    static class Results {
        void take(String what, Assertion assertion) {
            try {
                assertion.check();
                print("held", what, "");
            } catch (AssertionError e) {
                print("failed", what, e.getMessage());
            } catch (Throwable e) {
                skip(what, e.toString());
            }
        }

        void skip(String what, String why) {
            print("skipped", what, why);
        }

        private void print(String how, String what, String why) {
            System.out.println(how + "\t" + what + "\t" + String.valueOf(why).replaceAll("\\s+", " "));
        }
    }

    /** What every test has by inheritance; a test may have its own version. */
    private static final Set<String> INHERITED = Set.of(
        "first_line_in_coverage_data_should_be_greater_than_one",
        "last_line_in_coverage_data_should_be_less_or_equal_to_number_of_lines_in_source_file",
        "all_missed_instructions_should_have_line_number",
        "all_branches_should_have_line_number");

    /** Arguments: the folder of the sources, the folder of the reports, and tests. */
    public static void main(String[] arguments) throws Exception {
        for (String name : Arrays.asList(arguments).subList(2, arguments.length)) {
            check(name, Path.of(arguments[0]), Path.of(arguments[1]));
        }
    }

    private static void check(String name, Path sources, Path reports) throws Exception {
        Results results = new Results();
        ValidationTestBase test = (ValidationTestBase) Class.forName(name).getDeclaredConstructor().newInstance();
        try {
            test.source = Source.load(test.target.getName(), sources, reports.resolve(name + ".xml"));
            test.events = Files.readAllLines(reports.resolve(name + ".events"));
            test.results = results;
            test.setup();
            test.execute_assertions_in_comments();
        } catch (Throwable e) {
            results.take(name + " as a whole", () -> { throw new AssertionError(e); });
            return;
        }
        for (Method method : test.getClass().getMethods()) {
            boolean wanted = method.isAnnotationPresent(Test.class) || INHERITED.contains(method.getName());
            if (wanted && method.getParameterCount() == 0 && !method.getName().startsWith("execute_")) {
                results.take(test.target.getSimpleName() + " " + method.getName(), () -> invoke(test, method));
            }
        }
    }

    private static void invoke(Object test, Method method) throws Throwable {
        try {
            method.invoke(test);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }
}
