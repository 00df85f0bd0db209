package probity.maven;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.apache.maven.execution.MojoExecutionEvent;
import org.apache.maven.plugin.MojoExecution;
import org.apache.maven.project.MavenProject;

/**
 * The run of Probity that started this Maven: its folder, its settings, and how to ask it.
 *
 * The folder is named by an environment variable, since properties would reach the tests. Prints nothing.
 */
final class Run {
    private static final String VARIABLE = "PROBITY_MAVEN_RUN";
    private static final int CONNECT_MILLIS = 10_000;

    private static Run current;
    private static boolean isKnown;

    private final Path folder;
    private final Map<String, String> settings = new HashMap<>();

    private Run(Path folder) throws IOException {
        this.folder = folder;
        for (String line : Files.readAllLines(folder.resolve("settings"), StandardCharsets.UTF_8)) {
            int equals = line.indexOf('=');
            if (equals > 0) {
                settings.put(line.substring(0, equals), Lines.unescaped(line.substring(equals + 1)));
            }
        }
    }

    /** The run; nothing if this Maven was not started by Probity, or if its folder cannot be used. */
    static synchronized Run current() {
        if (!isKnown) {
            isKnown = true;
            String folder = System.getenv(VARIABLE);
            try {
                current = folder == null || folder.isEmpty() ? null : new Run(Paths.get(folder));
            } catch (IOException | RuntimeException failure) {
                // Without its settings there is nobody to tell: Probity sees that nothing was described.
                current = null;
            }
        }
        return current;
    }

    String setting(String name) {
        return settings.get(name);
    }

    String agent() {
        return settings.get("agent");
    }

    /**
     * The folder of an execution. It is the same whenever the same execution is prepared again: Surefire compares its own
     * parameters to see that it has already run.
     */
    File folderOf(MojoExecutionEvent event) throws IOException {
        MavenProject project = event.getProject();
        MojoExecution execution = event.getExecution();
        String name = String.join("\n", project.getId(), String.valueOf(project.getBasedir()),
                execution.getGroupId(), execution.getArtifactId(), execution.getGoal(), execution.getExecutionId());
        Path path = folder.resolve(String.format("execution-%016x", hash(name)));
        Files.createDirectories(path);
        return path.toFile();
    }

    /** FNV-1a. */
    private static long hash(String text) {
        long sum = 0xcbf29ce484222325L;
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            sum = (sum ^ (b & 0xff)) * 0x100000001b3L;
        }
        return sum;
    }

    /** Shows that Maven has loaded the extension. */
    void loaded() {
        try {
            Files.write(folder.resolve("loaded"), new byte[0]);
        } catch (IOException failure) {
            tell(failure.toString());
        }
    }

    /** Writes down what a person should know. */
    synchronized void tell(String problem) {
        List<String> line = Collections.singletonList(Lines.escaped(problem));
        try {
            Files.write(folder.resolve("problems"), line, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException failure) {
            // There is no other place to tell it; tests run in any case.
        }
    }

    /** Asks Probity about an execution and waits. No answer, or half of one, is an empty list. */
    List<String> ask(String what, File execution) throws IOException {
        if (settings.get("port") == null) {
            return Collections.emptyList();
        }
        try (Socket socket = new Socket(Proxy.NO_PROXY)) {
            InetAddress here = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
            socket.connect(new InetSocketAddress(here, Integer.parseInt(settings.get("port"))), CONNECT_MILLIS);
            Writer out = new BufferedWriter(new OutputStreamWriter(socket.getOutputStream(), StandardCharsets.UTF_8));
            out.write(settings.get("token") + "\n" + what + "\n" + execution.getName() + "\n");
            out.flush();
            return answer(new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8)));
        }
    }

    private static List<String> answer(BufferedReader in) throws IOException {
        List<String> lines = new ArrayList<>();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (line.equals("end")) {
                return lines;
            }
            lines.add(line);
        }
        return Collections.emptyList();
    }
}
