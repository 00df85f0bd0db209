import java.io.FileOutputStream;
import java.nio.channels.FileLock;

/**
 * Appends to a file as JaCoCo's agent does, step by step: each byte on standard input is a step, answered by a line.
 */
public class HoldLock {
    public static void main(String[] arguments) throws Exception {
        FileOutputStream file = new FileOutputStream(arguments[0], true);
        FileLock lock = null;
        for (int step = System.in.read(); step != -1; step = System.in.read()) {
            switch (step) {
            case 't':
                lock = file.getChannel().tryLock();
                System.out.println(lock == null ? "held by another" : "locked");
                break;
            case 'l':
                lock = file.getChannel().lock();
                System.out.println("locked");
                break;
            case 'w':
                file.write("java".getBytes("US-ASCII"));
                System.out.println("written");
                break;
            case 'c':
                file.close();
                System.out.println("closed");
                break;
            default:
                throw new AssertionError(step);
            }
        }
    }
}
