import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Makes garbage and hits probes on many threads, virtual ones if told so. */
public class Threads {
    static final AtomicInteger SUM = new AtomicInteger();

    public static void main(String[] args) throws Exception {
        boolean virtual = args[0].equals("virtual");
        int count = virtual ? 5_000 : 16;
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int number = i;
            Runnable work = () -> work(number, virtual);
            Thread thread = virtual
                ? (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, work)
                : new Thread(work);
            if (!virtual) {
                thread.start();
            }
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(SUM.get());
    }

    static void work(int number, boolean virtual) {
        List<int[]> kept = new ArrayList<>();
        int rounds = virtual ? 20 : 3_000;
        for (int i = 0; i < rounds; i++) {
            kept.add(new int[virtual ? 10 : 500]);
            if (i % 7 == number % 7) {
                kept.clear();
                Thread.yield();
            }
        }
        SUM.addAndGet(number % 2 == 0 ? 1 : 2);
    }
}
