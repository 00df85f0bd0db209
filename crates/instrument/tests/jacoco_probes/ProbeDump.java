import java.io.*;
import java.util.*;
import org.jacoco.core.internal.data.CRC64;
import org.jacoco.core.internal.flow.*;
import org.jacoco.core.internal.instr.InstrSupport;
import org.objectweb.asm.*;

/** For each class on standard input: JaCoCo's class id, probe count and a digest of where each probe stands. */
public class ProbeDump {
    static final class Events extends MethodProbesVisitor {
        final StringBuilder out;
        int instruction;
        Events(StringBuilder out) { this.out = out; }
        @Override public void visitProbe(int id) { out.append('P').append(id).append('@').append(instruction).append(' '); }
        @Override public void visitInsnWithProbe(int opcode, int id) { out.append('X').append(id).append('@').append(instruction++).append(' '); }
        @Override public void visitJumpInsnWithProbe(int opcode, Label label, int id, IFrame frame) { out.append('J').append(id).append('@').append(instruction++).append(' '); }
        @Override public void visitTableSwitchInsnWithProbes(int min, int max, Label dflt, Label[] labels, IFrame frame) { edges(dflt, labels); }
        @Override public void visitLookupSwitchInsnWithProbes(Label dflt, int[] keys, Label[] labels, IFrame frame) { edges(dflt, labels); }
        private void edges(Label dflt, Label[] labels) {
            out.append('S').append('@').append(instruction++).append(':').append(LabelInfo.getProbeId(dflt));
            for (Label label : labels) out.append(',').append(LabelInfo.getProbeId(label));
            out.append(' ');
        }
        @Override public void visitInsn(int opcode) { instruction++; }
        @Override public void visitIntInsn(int opcode, int operand) { instruction++; }
        @Override public void visitVarInsn(int opcode, int local) { instruction++; }
        @Override public void visitTypeInsn(int opcode, String type) { instruction++; }
        @Override public void visitFieldInsn(int opcode, String owner, String name, String descriptor) { instruction++; }
        @Override public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean itf) { instruction++; }
        @Override public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) { instruction++; }
        @Override public void visitJumpInsn(int opcode, Label label) { instruction++; }
        @Override public void visitLdcInsn(Object value) { instruction++; }
        @Override public void visitIincInsn(int local, int increment) { instruction++; }
        @Override public void visitTableSwitchInsn(int min, int max, Label dflt, Label... labels) { instruction++; }
        @Override public void visitLookupSwitchInsn(Label dflt, int[] keys, Label[] labels) { instruction++; }
        @Override public void visitMultiANewArrayInsn(String descriptor, int dimensions) { instruction++; }
    }

    static final class Counter extends ClassProbesVisitor {
        int count;
        final StringBuilder out = new StringBuilder();
        @Override public MethodProbesVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
            out.append('M').append(' ');
            return new Events(out);
        }
        @Override public void visitTotalProbeCount(int count) { this.count = count; }
    }

    static long digest(CharSequence text) {
        long sum = 0xcbf29ce484222325L;
        for (int i = 0; i < text.length(); i++) sum = (sum ^ text.charAt(i)) * 0x100000001b3L;
        return sum;
    }

    public static void main(String[] arguments) throws IOException {
        boolean whole = arguments.length > 0;
        DataInputStream in = new DataInputStream(new BufferedInputStream(System.in, 1 << 20));
        PrintStream out = new PrintStream(new BufferedOutputStream(System.out, 1 << 20));
        byte[] bytes;
        for (;;) {
            int length;
            try { length = in.readInt(); } catch (EOFException e) { break; }
            bytes = new byte[length];
            in.readFully(bytes);
            try {
                Counter counter = new Counter();
                InstrSupport.classReaderFor(bytes).accept(new ClassProbesAdapter(counter, false), 0);
                out.printf("%016x %d %s%n", CRC64.classId(bytes), counter.count, whole ? counter.out.toString().trim() : String.format("%016x", digest(counter.out)));
            } catch (Exception e) {
                out.printf("error %s%n", e);
            }
        }
        out.flush();
    }
}
