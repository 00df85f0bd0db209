package org.jacoco.core.test.validation;

import java.lang.reflect.*;
import java.util.*;
import java.util.regex.*;

/**
 * What the targets' tests expect of their base class, with our report as the coverage. A test says which class is run, how,
 * and what the comments mean that only its target has.
 */
public abstract class ValidationTestBase {
    protected static final boolean isJDKCompiler = Compiler.DETECT.isJDK();

    private static final Pattern COMMENT = Pattern.compile("(?<!https?:)//(.*)");
    private static final Pattern CALL = Pattern.compile("\\s*(\\w+)\\(([^)]*)\\)");

    final Class<?> target;
    Source source;
    List<String> events;
    /** Takes what was asserted by comments and how it went. */
    CheckTargets.Results results;

    protected ValidationTestBase(Class<?> target) {
        this.target = target;
    }

    public void setup() throws Exception {}

    protected void run(Class<?> targetClass) throws Exception {
        targetClass.getMethod("main", String[].class).invoke(null, (Object) new String[0]);
    }

    protected Collection<String> additionalClassesForAnalysis() {
        return Collections.emptyList();
    }

    public void execute_assertions_in_comments() throws Exception {
        for (Source.Line line : source.lines) {
            Matcher comment = COMMENT.matcher(line.text);
            if (comment.find()) {
                statements(line, comment.group(1));
            }
        }
    }

    private void statements(Source.Line line, String text) {
        Matcher call = CALL.matcher(text);
        int end = 0;
        while (call.find() && call.start() == end) {
            end = call.end();
            List<Object> arguments = new ArrayList<>(List.of(line));
            for (String argument : call.group(2).split(",")) {
                argument = argument.trim();
                if (argument.startsWith("\"")) {
                    arguments.add(argument.substring(1, argument.length() - 1));
                } else if (!argument.isEmpty()) {
                    arguments.add(Integer.valueOf(argument));
                }
            }
            results.take(line + " " + call.group().trim(), () -> call(call.group(1), arguments));
        }
        if (!text.substring(end).isBlank()) {
            results.skip(line + " " + text.trim(), "not a call");
        }
    }

    private void call(String name, List<Object> arguments) throws Throwable {
        Class<?>[] types = arguments.stream()
            .map(argument -> argument instanceof Integer ? int.class : argument.getClass())
            .toArray(Class<?>[]::new);
        try {
            getClass().getMethod(name, types).invoke(this, arguments.toArray());
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }

    public void first_line_in_coverage_data_should_be_greater_than_one() {
        check("first line", "more than 1", source.firstLine > 1 ? "more than 1" : "" + source.firstLine);
    }

    public void last_line_in_coverage_data_should_be_less_or_equal_to_number_of_lines_in_source_file() {
        check("last line is in the file", true, source.lastLine <= source.lines.size());
    }

    public void all_missed_instructions_should_have_line_number() {
        int missed = source.lines.stream().mapToInt(line -> line.missedInstructions).sum();
        check("missed instructions", source.counter("INSTRUCTION")[0], missed);
    }

    public void all_branches_should_have_line_number() {
        int missed = source.lines.stream().mapToInt(line -> line.missedBranches).sum();
        int covered = source.lines.stream().mapToInt(line -> line.coveredBranches).sum();
        int[] all = source.counter("BRANCH");
        check("branches", all[0] + " missed, " + all[1] + " covered", missed + " missed, " + covered + " covered");
    }

    private static void check(String what, Object expected, Object actual) {
        if (!expected.equals(actual)) {
            throw new AssertionError(what + ": expected " + expected + ", found " + actual);
        }
    }

    private static void coverage(Source.Line line, String status, int missedBranches, int coveredBranches) {
        check("line", status + ", branches " + missedBranches + "/" + coveredBranches,
            line.status() + ", branches " + line.missedBranches + "/" + line.coveredBranches);
    }

    public void assertFullyCovered(Source.Line line, int missedBranches, int coveredBranches) {
        coverage(line, "fully covered", missedBranches, coveredBranches);
    }

    public void assertFullyCovered(Source.Line line) {
        assertFullyCovered(line, 0, 0);
    }

    public void assertPartlyCovered(Source.Line line, int missedBranches, int coveredBranches) {
        coverage(line, "partly covered", missedBranches, coveredBranches);
    }

    public void assertPartlyCovered(Source.Line line) {
        assertPartlyCovered(line, 0, 0);
    }

    public void assertNotCovered(Source.Line line, int missedBranches, int coveredBranches) {
        coverage(line, "not covered", missedBranches, coveredBranches);
    }

    public void assertNotCovered(Source.Line line) {
        assertNotCovered(line, 0, 0);
    }

    public void assertEmpty(Source.Line line) {
        coverage(line, "empty", 0, 0);
    }

    protected void assertLogEvents(String... expected) throws Exception {
        check("events", Arrays.asList(expected), events);
    }

    protected void assertMethodCount(int expected) {
        int[] methods = source.counter("METHOD");
        check("methods", expected, methods[0] + methods[1]);
    }
}
