package probity.cases;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.spi.ToolProvider;

/**
 * Runs the compiler and the archiver of this JDK again and again.
 *
 * <p>A request on standard input is a count and as many words, each with its length: the name of a tool and its
 * arguments. The answer on standard output is a byte that is 0 if the tool succeeded, and what it printed, with its
 * length.
 */
public final class CompileCases {
    public static void main(String[] arguments) throws IOException {
        DataInputStream in = new DataInputStream(new BufferedInputStream(new FileInputStream(FileDescriptor.in)));
        DataOutputStream out = new DataOutputStream(new FileOutputStream(FileDescriptor.out));
        System.setOut(System.err);
        try {
            while (true) {
                String[] words = new String[in.readInt()];
                for (int i = 0; i < words.length; i++) {
                    words[i] = new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
                }
                answer(words, out);
            }
        } catch (EOFException end) {
            // Whoever asked has ended.
        }
    }

    private static void answer(String[] words, DataOutputStream out) throws IOException {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        int code;
        try (PrintStream messages = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
            ToolProvider tool = ToolProvider.findFirst(words[0]).orElseThrow();
            code = tool.run(messages, messages, Arrays.copyOfRange(words, 1, words.length));
        }
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        DataOutputStream data = new DataOutputStream(answer);
        data.writeByte(code == 0 ? 0 : 1);
        data.writeInt(printed.size());
        printed.writeTo(data);
        answer.writeTo(out);
        out.flush();
    }
}
