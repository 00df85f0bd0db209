import java.io.DataInputStream;
import java.io.BufferedInputStream;
import java.io.FileInputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.jacoco.core.instr.Instrumenter;
import org.jacoco.core.runtime.LoggerRuntime;

/**
 * Instruments classes with JaCoCo, all of them several times, and tells for each pass how many were instrumented and how
 * many nanoseconds of processor time the thread took. The classes come in one file: for each its length, then its bytes.
 */
public class InstrumentClasses {
    public static void main(String[] args) throws Exception {
        byte[][] classes = read(args[0]);
        int passes = Integer.parseInt(args[1]);
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        Instrumenter instrumenter = new Instrumenter(new LoggerRuntime());
        long start = threads.getCurrentThreadCpuTime();
        for (int pass = 0; pass < passes; pass++) {
            int count = 0;
            for (byte[] one : classes) {
                if (instrumenter.instrument(one, "class").length > 0) {
                    count++;
                }
            }
            long end = threads.getCurrentThreadCpuTime();
            System.out.println(count + " " + (end - start));
            start = end;
        }
    }

    private static byte[][] read(String file) throws Exception {
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(new FileInputStream(file)))) {
            byte[][] classes = new byte[in.readInt()][];
            for (int index = 0; index < classes.length; index++) {
                classes[index] = in.readNBytes(in.readInt());
            }
            return classes;
        }
    }
}
