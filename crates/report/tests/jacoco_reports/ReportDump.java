import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import org.jacoco.core.analysis.*;
import org.jacoco.core.data.*;
import org.jacoco.core.internal.data.CRC64;
import org.jacoco.core.internal.flow.*;
import org.jacoco.core.internal.instr.InstrSupport;
import org.jacoco.report.csv.CSVFormatter;
import org.jacoco.report.xml.XMLFormatter;
import org.jacoco.report.IReportVisitor;
import org.objectweb.asm.ClassReader;

/** Reads classes from standard input, makes up which probes were hit, and writes JaCoCo's XML and CSV into a folder. */
public class ReportDump {
    static int probeCount(byte[] bytes) {
        int[] count = new int[1];
        InstrSupport.classReaderFor(bytes).accept(new ClassProbesAdapter(new ClassProbesVisitor() {
            @Override public MethodProbesVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) { return null; }
            @Override public void visitTotalProbeCount(int total) { count[0] = total; }
        }, false), 0);
        return count[0];
    }

    /** The same numbers on both sides. */
    static long mix(long value) {
        value += 0x9e3779b97f4a7c15L;
        value = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
        value = (value ^ (value >>> 27)) * 0x94d049bb133111ebL;
        return value ^ (value >>> 31);
    }

    public static void main(String[] arguments) throws IOException {
        DataInputStream in = new DataInputStream(new BufferedInputStream(System.in, 1 << 20));
        ExecutionDataStore store = new ExecutionDataStore();
        List<byte[]> classes = new ArrayList<>();
        for (;;) {
            int length;
            try { length = in.readInt(); } catch (EOFException e) { break; }
            byte[] bytes = new byte[length];
            in.readFully(bytes);
            classes.add(bytes);
            long id = CRC64.classId(bytes);
            long mode = mix(id) & 7;
            int count = probeCount(bytes);
            if (mode == 0 || count == 0 || store.get(id) != null) continue;
            boolean[] probes = new boolean[count];
            for (int i = 0; i < count; i++) probes[i] = mode == 1 || (mix(id + i) & 3) < (mode & 3);
            store.put(new ExecutionData(id, new ClassReader(bytes).getClassName(), probes));
        }
        CoverageBuilder builder = new CoverageBuilder();
        Analyzer analyzer = new Analyzer(store, builder);
        for (byte[] bytes : classes) analyzer.analyzeClass(bytes, "pack");
        IBundleCoverage bundle = builder.getBundle("all \"of\" <it>");
        List<SessionInfo> sessions = List.of(new SessionInfo("s&1", 1, 2));
        Path folder = Paths.get(arguments[0]);
        try (OutputStream xml = Files.newOutputStream(folder.resolve("report.xml")); OutputStream csv = Files.newOutputStream(folder.resolve("report.csv"))) {
            XMLFormatter xmlFormatter = new XMLFormatter();
            CSVFormatter csvFormatter = new CSVFormatter();
            for (IReportVisitor visitor : List.of(xmlFormatter.createVisitor(xml), csvFormatter.createVisitor(csv))) {
                visitor.visitInfo(sessions, store.getContents());
                visitor.visitBundle(bundle, null);
                visitor.visitEnd();
            }
        }
    }
}
