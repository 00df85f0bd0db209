import java.io.BufferedReader;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.jacoco.core.data.ExecutionData;
import org.jacoco.core.data.ExecutionDataWriter;
import org.jacoco.core.data.SessionInfo;
import org.jacoco.core.tools.ExecFileLoader;

/**
 * Describes exec files as JaCoCo reads them, and writes some as JaCoCo does.
 *
 * Each line on standard input is a request and is answered by one line: `load FILE...` reads the files into one loader,
 * `subtract FILE FILE` takes the second from the first, `write FILE SEED` writes a file with content of its own making.
 * Answers are descriptions of the content, or `refused`.
 */
public class ExecData {
    public static void main(String[] arguments) throws IOException {
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
        for (String request = requests.readLine(); request != null; request = requests.readLine()) {
            System.out.println(answer(request.split(" ")));
        }
    }

    private static String answer(String[] request) {
        try {
            switch (request[0]) {
            case "load":
                ExecFileLoader all = new ExecFileLoader();
                for (int i = 1; i < request.length; i++) {
                    all.load(new File(request[i]));
                }
                return describe(all);
            case "subtract":
                ExecFileLoader rest = loaded(request[1]);
                rest.getExecutionDataStore().subtract(loaded(request[2]).getExecutionDataStore());
                return describe(rest);
            case "write":
                return write(new File(request[1]), new Random(Long.parseLong(request[2])));
            default:
                throw new AssertionError(request[0]);
            }
        } catch (IOException | RuntimeException | OutOfMemoryError | StackOverflowError refused) {
            return "refused";
        }
    }

    private static ExecFileLoader loaded(String file) throws IOException {
        ExecFileLoader loader = new ExecFileLoader();
        loader.load(new File(file));
        return loader;
    }

    private static String write(File file, Random random) throws IOException {
        ExecFileLoader content = new ExecFileLoader();
        for (int i = random.nextInt(4); i > 0; i--) {
            SessionInfo session = new SessionInfo(text(random), random.nextLong(), random.nextInt(3));
            content.getSessionInfoStore().visitSessionInfo(session);
        }
        for (int i = random.nextInt(20); i > 0; i--) {
            boolean[] probes = new boolean[random.nextInt(random.nextInt(10) == 0 ? 20000 : 40)];
            for (int probe = 0; probe < probes.length; probe++) {
                probes[probe] = random.nextBoolean();
            }
            content.getExecutionDataStore().put(new ExecutionData(random.nextLong(), text(random), probes));
        }
        try (FileOutputStream out = new FileOutputStream(file)) {
            ExecutionDataWriter writer = new ExecutionDataWriter(out);
            content.getSessionInfoStore().accept(writer);
            content.getExecutionDataStore().accept(writer);
        }
        return describe(content);
    }

    /** Text of all sorts of characters, unpaired surrogates among them. */
    private static String text(Random random) {
        char[] units = new char[random.nextInt(12)];
        for (int i = 0; i < units.length; i++) {
            units[i] = (char) random.nextInt(random.nextBoolean() ? 0x80 : 0x10000);
        }
        return new String(units);
    }

    /** Sessions in JaCoCo's order, and classes with hits by their ids. */
    private static String describe(ExecFileLoader loader) {
        StringBuilder description = new StringBuilder();
        for (SessionInfo session : loader.getSessionInfoStore().getInfos()) {
            description.append("session " + units(session.getId()) + " " + session.getStartTimeStamp() + " "
                    + session.getDumpTimeStamp() + ";");
        }
        List<ExecutionData> classes = new ArrayList<>(loader.getExecutionDataStore().getContents());
        Collections.sort(classes, new Comparator<ExecutionData>() {
            public int compare(ExecutionData one, ExecutionData other) {
                return Long.compareUnsigned(one.getId(), other.getId());
            }
        });
        for (ExecutionData data : classes) {
            if (data.hasHits()) {
                description.append(String.format("class %016x ", data.getId()) + units(data.getName()) + " ");
                for (boolean probe : data.getProbes()) {
                    description.append(probe ? '1' : '0');
                }
                description.append(';');
            }
        }
        return description.toString();
    }

    private static String units(String text) {
        StringBuilder hex = new StringBuilder("u");
        for (char unit : text.toCharArray()) {
            hex.append(String.format("%04x", (int) unit));
        }
        return hex.toString();
    }
}
