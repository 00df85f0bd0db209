import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.compressors.CompressorStreamFactory;

/** Compresses and decompresses the same bytes in several formats. */
public class Compress {
    public static void main(String[] args) throws Exception {
        byte[] data = data(60_000);
        CompressorStreamFactory factory = new CompressorStreamFactory();
        String[] formats = {"bzip2", "gz", "xz", "lzma", "lz4-framed", "deflate", "snappy-framed"};
        for (String format : formats) {
            ByteArrayOutputStream packed = new ByteArrayOutputStream();
            if (factory.getOutputStreamCompressorNames().contains(format)) {
                try (OutputStream out = factory.createCompressorOutputStream(format, packed)) {
                    out.write(data);
                }
            }
            byte[] back;
            try (InputStream in =
                    factory.createCompressorInputStream(format, new ByteArrayInputStream(packed.toByteArray()))) {
                back = in.readAllBytes();
            }
            System.out.println(format + " " + packed.size() + " " + Arrays.equals(data, back));
        }
        System.out.println(archive(data));
    }

    static int archive(byte[] data) throws Exception {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (TarArchiveOutputStream out = new TarArchiveOutputStream(packed)) {
            for (int i = 0; i < 5; i++) {
                TarArchiveEntry entry = new TarArchiveEntry("file" + i);
                entry.setSize(1000 * i);
                out.putArchiveEntry(entry);
                out.write(data, 0, 1000 * i);
                out.closeArchiveEntry();
            }
        }
        int total = 0;
        try (TarArchiveInputStream in =
                new TarArchiveInputStream(new ByteArrayInputStream(packed.toByteArray()))) {
            while (in.getNextEntry() != null) {
                total += in.readAllBytes().length;
            }
        }
        return total;
    }

    static byte[] data(int size) {
        byte[] data = new byte[size];
        long state = 42;
        for (int i = 0; i < size; i++) {
            state = state * 6364136223846793005L + 1442695040888963407L;
            boolean noise = i / 5_000 % 3 == 0;
            data[i] = noise ? (byte) (state >>> 33) : (byte) ("the quick brown fox ".charAt(i % 20));
        }
        return data;
    }
}
