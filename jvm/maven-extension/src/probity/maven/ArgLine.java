package probity.maven;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The arguments of a test JVM with Probity's agent among them.
 *
 * JaCoCo's agent is replaced: ours takes its options and writes its file, and two agents would each see the classes that the other one
 * changed. Everything else stays as it is, in its order and with its quotes.
 */
final class ArgLine {
    private static final Pattern JACOCO = Pattern.compile("-javaagent:([^=]*(?:org\\.jacoco\\.agent|jacocoagent)[^=]*\\.jar)(?:=(.*))?", Pattern.DOTALL);
    private static final Pattern DESTINATION = Pattern.compile("(?:^|,)destfile=(.*?)(?=,[A-Za-z0-9_-]+=|$)", Pattern.DOTALL);
    private static final String JACOCO_DEFAULT = "jacoco.exec";

    private final String text;
    private final String execFile;

    private final String own;

    private ArgLine(String text, String own, String execFile) {
        this.text = text;
        this.own = own;
        this.execFile = execFile;
    }

    String text() {
        return text;
    }

    /** The arguments without our agent and JaCoCo's, with all that Surefire fills in later. */
    String own() {
        return own;
    }

    /** The file that JaCoCo's agent would have written; nothing if there is none. */
    String execFile() {
        return execFile;
    }

    /**
     * Adds the agent, which writes its recordings into a folder.
     *
     * @param late the properties that Surefire fills in for {@code @{name}} when it starts a JVM
     */
    static ArgLine with(String given, Properties late, String agent, File recordings) {
        String line = withLateAgents(given == null ? "" : given, late);
        String ours = "-agentpath:" + agent + "=traces=" + recordings.getAbsolutePath();
        StringBuilder text = new StringBuilder();
        StringBuilder own = new StringBuilder();
        String execFile = null;
        int end = 0;
        for (int[] word : words(line)) {
            String value = unquoted(line.substring(word[0], word[1]));
            Matcher jacoco = JACOCO.matcher(value);
            if (execFile == null && jacoco.matches()) {
                String options = jacoco.group(2) == null ? "" : jacoco.group(2);
                execFile = destination(options);
                own.append(line, end, word[0]);
                text.append(line, end, word[0]).append(quoted(options.isEmpty() ? ours : ours + "," + options));
                end = word[1];
            }
        }
        own.append(line.substring(end));
        text.append(line.substring(end));
        String plain = filled(own.toString(), late);
        if (execFile != null) {
            return new ArgLine(text.toString(), plain, execFile);
        }
        String alone = quoted(ours + ",output=none");
        return new ArgLine(line.trim().isEmpty() ? alone : alone + " " + line, plain, null);
    }

    /** Fills in what Surefire would fill in later, where JaCoCo's agent is in it. */
    private static String withLateAgents(String line, Properties late) {
        String filled = line;
        for (String name : late.stringPropertyNames()) {
            String place = "@{" + name + "}";
            String value = late.getProperty(name, "");
            if (line.contains(place) && value.contains("-javaagent:")) {
                filled = filled.replace(place, value);
            }
        }
        return filled;
    }

    private static String filled(String line, Properties late) {
        String filled = line;
        for (String name : late.stringPropertyNames()) {
            filled = filled.replace("@{" + name + "}", late.getProperty(name, ""));
        }
        return filled.trim();
    }

    private static String destination(String options) {
        Matcher matcher = DESTINATION.matcher(options);
        return matcher.find() ? matcher.group(1) : JACOCO_DEFAULT;
    }

    /** Where words begin and end, quotes included, as Surefire splits them. */
    private static List<int[]> words(String line) {
        List<int[]> words = new ArrayList<>();
        int start = -1;
        char quote = 0;
        for (int at = 0; at < line.length(); at++) {
            char c = line.charAt(at);
            if (quote == 0 && Character.isWhitespace(c)) {
                if (start >= 0) {
                    words.add(new int[] {start, at});
                }
                start = -1;
                continue;
            }
            if (start < 0) {
                start = at;
            }
            if (quote == 0 && (c == '"' || c == '\'')) {
                quote = c;
            } else if (c == quote) {
                quote = 0;
            }
        }
        if (start >= 0) {
            words.add(new int[] {start, line.length()});
        }
        return words;
    }

    private static String unquoted(String word) {
        return word.replace("\"", "").replace("'", "");
    }

    private static String quoted(String word) {
        if (word.contains("\"")) {
            throw new IllegalArgumentException("a path has a quotation mark in it: " + word);
        }
        return word.matches("[^\\s']*") ? word : '"' + word + '"';
    }
}
