import java.io.*;
import java.nio.file.*;
import java.util.*;
import org.jacoco.core.analysis.*;
import org.jacoco.core.data.*;
import org.jacoco.core.internal.data.CRC64;
import org.jacoco.core.internal.flow.*;
import org.jacoco.core.internal.instr.InstrSupport;
import org.jacoco.report.*;
import org.jacoco.report.check.*;
import org.jacoco.report.csv.CSVFormatter;
import org.jacoco.report.xml.XMLFormatter;
import org.objectweb.asm.ClassReader;

/**
 * What JaCoCo says of jars in groups. Arguments are a folder and groups as NAME=JAR, the slashes in a name for groups in groups.
 * The file rules in the folder has a rule a line. Writes into the folder made-up execution data, the grouped report as XML
 * and CSV, and the violations of the rules.
 */
public class Oracle {
    static final ExecutionDataStore STORE = new ExecutionDataStore();
    static final SessionInfo SESSION = new SessionInfo("made & up", 1, 2);

    static int probeCount(byte[] bytes) {
        int[] count = new int[1];
        InstrSupport.classReaderFor(bytes).accept(new ClassProbesAdapter(new ClassProbesVisitor() {
            @Override public MethodProbesVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) { return null; }
            @Override public void visitTotalProbeCount(int total) { count[0] = total; }
        }, false), 0);
        return count[0];
    }

    /** Makes up what was executed of all that JaCoCo takes for a class of a jar. */
    static void execute(String jar) throws IOException {
        new Analyzer(new ExecutionDataStore(), coverage -> {}) {
            @Override public void analyzeClass(InputStream input, String location) throws IOException {
                Oracle.execute(input.readAllBytes());
            }
        }.analyzeAll(new File(jar));
    }

    static void execute(byte[] bytes) {
        long id = CRC64.classId(bytes);
        int count = probeCount(bytes);
        if (count == 0 || STORE.get(id) != null) return;
        Random random = new Random(id);
        int share = random.nextInt(5);
        boolean[] probes = new boolean[count];
        for (int i = 0; i < count; i++) probes[i] = random.nextInt(4) < share;
        if (share > 0) STORE.put(new ExecutionData(id, new ClassReader(bytes).getClassName(), probes));
    }

    static IBundleCoverage bundle(String name, List<String> jars) throws IOException {
        CoverageBuilder builder = new CoverageBuilder();
        Analyzer analyzer = new Analyzer(STORE, builder);
        for (String jar : jars) analyzer.analyzeAll(new File(jar));
        return builder.getBundle(name);
    }

    /** Visits groups one inside the other; those of one name must follow each other. */
    static void visit(IReportGroupVisitor visitor, Map<String, IBundleCoverage> bundles) throws IOException {
        Set<String> visited = new HashSet<>();
        for (String path : bundles.keySet()) {
            int slash = path.indexOf('/');
            if (slash < 0) { visitor.visitBundle(bundles.get(path), null); continue; }
            String group = path.substring(0, slash);
            if (!visited.add(group)) continue;
            Map<String, IBundleCoverage> inner = new LinkedHashMap<>();
            bundles.forEach((other, bundle) -> {
                if (other.startsWith(group + "/")) inner.put(other.substring(slash + 1), bundle);
            });
            visit(visitor.visitGroup(group), inner);
        }
    }

    static Rule rule(String text) {
        Rule rule = new Rule();
        Limit limit = rule.createLimit();
        for (String part : text.split(",")) {
            String[] setting = part.split("=", 2);
            switch (setting[0]) {
                case "element": rule.setElement(ICoverageNode.ElementType.valueOf(setting[1])); break;
                case "includes": rule.setIncludes(setting[1]); break;
                case "excludes": rule.setExcludes(setting[1]); break;
                case "counter": limit.setCounter(setting[1]); break;
                case "value": limit.setValue(setting[1]); break;
                case "minimum": limit.setMinimum(setting[1]); break;
                case "maximum": limit.setMaximum(setting[1]); break;
                default: throw new IllegalArgumentException(part);
            }
        }
        return rule;
    }

    public static void main(String[] arguments) throws IOException {
        Path folder = Paths.get(arguments[0]);
        Map<String, List<String>> groups = new LinkedHashMap<>();
        for (String group : Arrays.asList(arguments).subList(1, arguments.length)) {
            String[] nameAndJar = group.split("=", 2);
            execute(nameAndJar[1]);
            groups.computeIfAbsent(nameAndJar[0], name -> new ArrayList<>()).add(nameAndJar[1]);
        }
        try (OutputStream out = Files.newOutputStream(folder.resolve("made-up.exec"))) {
            ExecutionDataWriter writer = new ExecutionDataWriter(out);
            writer.visitSessionInfo(SESSION);
            STORE.accept(writer);
        }
        Map<String, IBundleCoverage> bundles = new LinkedHashMap<>();
        for (Map.Entry<String, List<String>> group : groups.entrySet()) {
            String path = group.getKey();
            bundles.put(path, bundle(path.substring(path.lastIndexOf('/') + 1), group.getValue()));
        }
        List<Rule> rules = new ArrayList<>();
        for (String line : Files.readAllLines(folder.resolve("rules"))) rules.add(rule(line));
        RulesChecker checker = new RulesChecker();
        checker.setRules(rules);
        try (OutputStream xml = Files.newOutputStream(folder.resolve("theirs.xml"));
                OutputStream csv = Files.newOutputStream(folder.resolve("theirs.csv"));
                PrintStream violations = new PrintStream(Files.newOutputStream(folder.resolve("violations")), false, "UTF-8")) {
            for (IReportVisitor visitor : List.of(
                    new XMLFormatter().createVisitor(xml),
                    new CSVFormatter().createVisitor(csv),
                    checker.createVisitor((node, rule, limit, message) -> violations.println(message)))) {
                visitor.visitInfo(List.of(SESSION), STORE.getContents());
                visit(visitor.visitGroup("all \"of\" <it>"), bundles);
                visitor.visitEnd();
            }
        }
    }
}
