import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;

/** Compresses a file with bzip2 and decompresses it again, several times. */
public class Compress {
    public static void main(String[] args) throws Exception {
        byte[] data = Files.readAllBytes(Path.of(args[0]));
        int rounds = Integer.parseInt(args[1]);
        long sizes = 0;
        for (int round = 0; round < rounds; round++) {
            ByteArrayOutputStream packed = new ByteArrayOutputStream();
            try (OutputStream out = new BZip2CompressorOutputStream(packed)) {
                out.write(data);
            }
            sizes += packed.size();
            try (InputStream in = new BZip2CompressorInputStream(new ByteArrayInputStream(packed.toByteArray()))) {
                if (!Arrays.equals(in.readAllBytes(), data)) {
                    throw new IllegalStateException("not the same");
                }
            }
        }
        System.out.println(sizes);
    }
}
