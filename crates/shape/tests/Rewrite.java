import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;

/** Writes each class anew, with a constant pool in another order. */
public class Rewrite {
    public static void main(String[] arguments) throws IOException {
        DataInputStream in = new DataInputStream(new BufferedInputStream(System.in));
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(System.out));
        while (true) {
            int length;
            try {
                length = in.readInt();
            } catch (EOFException end) {
                break;
            }
            byte[] bytes = new byte[length];
            in.readFully(bytes);
            ClassWriter writer = new ClassWriter(0);
            // Constants of its own in front, so that every index is another one, and small ones become large.
            for (int i = 0; i < 300; i++) {
                writer.newConst("shifted " + i);
            }
            new ClassReader(bytes).accept(writer, 0);
            byte[] written = writer.toByteArray();
            out.writeInt(written.length);
            out.write(written);
        }
        out.flush();
    }
}
