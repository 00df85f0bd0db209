package probity.maven;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;

import org.apache.maven.execution.MojoExecutionEvent;
import org.apache.maven.plugin.MojoExecution;
import org.apache.maven.project.MavenProject;

/**
 * What Probity is told about an execution: a file of lines, each a name and a value.
 *
 * It says what the tests may depend on that neither the recording of a JVM nor its command line tells.
 */
final class Description {
    private static final List<String> MACHINE =
            Arrays.asList("file.encoding", "os.arch", "os.name", "user.country", "user.language", "user.script", "user.variant");

    private final List<String> lines = new ArrayList<>();
    private final TestMojo mojo;
    private final MojoExecutionEvent event;

    Description(TestMojo mojo, MojoExecutionEvent event) {
        this.mojo = mojo;
        this.event = event;
        MavenProject project = event.getProject();
        MojoExecution execution = event.getExecution();
        add("module", project.getGroupId() + ":" + project.getArtifactId());
        add("base", project.getBasedir());
        add("plugin", execution.getArtifactId());
        add("plugin-version", execution.getVersion());
        add("goal", execution.getGoal());
        add("execution", execution.getExecutionId());
    }

    void add(String name, Object value) {
        if (value != null) {
            lines.add(name + "=" + Lines.escaped(value.toString()));
        }
    }

    void addAll(String name, Collection<?> values) {
        values.forEach(value -> add(name, value));
    }

    /** What matters if the tests are recorded. */
    void addRecording(ArgLine argLine) throws ReflectiveOperationException {
        add("given-arguments", argLine.own());
        add("arguments", argLine.text());
        add("exec-file", argLine.execFile());
        add("test-classes", mojo.call("getTestClassesDirectory"));
        add("reports", mojo.tryCall("getReportsDirectory"));
        add("report-suffix", mojo.tryCall("getReportNameSuffix"));
        add("working-directory", mojo.tryCall("getWorkingDirectory"));
        add("java", java());
        addAll("class-path", classPath());
        for (String name : MACHINE) {
            add("machine " + name, System.getProperty(name));
        }
        for (Map.Entry<String, List<String>> parameter : mojo.parameters().entrySet()) {
            addAll("parameter " + parameter.getKey(), parameter.getValue());
        }
        systemProperties().forEach((name, value) -> add("property " + name, value));
        addAll("list " + "includesFile", linesOf(mojo.tryCall("getIncludesFile")));
        addAll("list " + "excludesFile", linesOf(mojo.tryCall("getExcludesFile")));
        Object variables = mojo.tryCall("getEnvironmentVariables");
        if (variables instanceof Map) {
            ((Map<?, ?>) variables).forEach((name, value) -> add("variable " + name, value == null ? "" : value));
        }
    }

    /** The class path of the tests without that of Surefire's own parts. */
    private List<String> classPath() throws ReflectiveOperationException {
        try {
            Object path = mojo.call("generateTestClasspath");
            java.lang.reflect.Method method = path.getClass().getDeclaredMethod("toClasspath");
            method.setAccessible(true);
            Object plain = method.invoke(path);
            List<String> entries = new ArrayList<>();
            ((Collection<?>) plain.getClass().getMethod("getClassPath").invoke(plain)).forEach(entry -> entries.add(String.valueOf(entry)));
            return entries;
        } catch (ReflectiveOperationException | RuntimeException failure) {
            add("class-path-problem", failure);
            return Collections.emptyList();
        }
    }

    /** The JVM that runs the tests. */
    private String java() {
        Object own = mojo.tryCall("getJvm");
        if (own instanceof String && !((String) own).isEmpty()) {
            return (String) own;
        }
        Object toolchain = mojo.tryCall("getToolchain");
        try {
            Object found = toolchain == null ? null : toolchain.getClass().getMethod("findTool", String.class).invoke(toolchain, "java");
            return found == null ? System.getProperty("java.home") + File.separator + "bin" + File.separator + "java" : found.toString();
        } catch (ReflectiveOperationException failure) {
            return null;
        }
    }

    /** The system properties that Surefire sets in a test JVM after its start, in the order in which later ones win. */
    private SortedMap<String, String> systemProperties() {
        SortedMap<String, String> all = new TreeMap<>();
        put(mojo.tryCall("getSystemProperties"), all);
        put(fileProperties(mojo.tryCall("getSystemPropertiesFile")), all);
        put(mojo.tryCall("getSystemPropertyVariables"), all);
        if (!Boolean.FALSE.equals(mojo.field("promoteUserPropertiesToSystemProperties"))) {
            put(event.getSession().getUserProperties(), all);
        }
        all.put("basedir", String.valueOf(mojo.tryCall("getBasedir")));
        return all;
    }

    private static void put(Object properties, SortedMap<String, String> all) {
        if (properties instanceof Map) {
            ((Map<?, ?>) properties).forEach((name, value) -> all.put(String.valueOf(name), value == null ? "" : String.valueOf(value)));
        }
    }

    private static Properties fileProperties(Object file) {
        Properties properties = new Properties();
        if (file instanceof File) {
            try (InputStream in = Files.newInputStream(((File) file).toPath())) {
                properties.load(in);
            } catch (IOException | IllegalArgumentException failure) {
                // Surefire tells it.
            }
        }
        return properties;
    }

    private static List<String> linesOf(Object file) {
        try {
            return file instanceof File ? Files.readAllLines(((File) file).toPath(), StandardCharsets.UTF_8) : Collections.emptyList();
        } catch (IOException failure) {
            return Collections.singletonList(failure.toString());
        }
    }

    /** Writes the file, whole or not at all. */
    void write(File folder) throws IOException {
        Path file = folder.toPath().resolve("description");
        Path beside = folder.toPath().resolve("description.partial");
        Files.write(beside, lines, StandardCharsets.UTF_8);
        Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
