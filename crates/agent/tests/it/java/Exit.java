/** Ends in the way that it is told to. */
public class Exit {
    public static void main(String[] args) throws Exception {
        System.out.println("before " + args[0]);
        switch (args[0]) {
            case "exit": System.exit(3); break;
            case "throw": throw new IllegalStateException("thrown");
            case "halt": Runtime.getRuntime().halt(7); break;
            case "thread": new Thread(() -> { throw new IllegalStateException("in a thread"); }).start(); break;
            case "hook":
                Runtime.getRuntime().addShutdownHook(new Thread(() -> Late.print()));
                break;
            case "memory": memory(); break;
            case "overflow": overflow(); break;
            default: break;
        }
        System.out.println("after");
    }

    static class Late {
        static void print() {
            System.out.println("late");
        }
    }

    static void memory() {
        java.util.List<byte[]> all = new java.util.ArrayList<>();
        try {
            while (true) {
                all.add(new byte[1 << 20]);
            }
        } catch (OutOfMemoryError error) {
            all.clear();
            System.out.println("out of memory");
        }
        Late.print();
    }

    static void overflow() {
        try {
            System.out.println(recurse(1));
        } catch (StackOverflowError error) {
            System.out.println("overflow");
        }
        Late.print();
    }

    static int recurse(int depth) {
        return depth + recurse(depth + 1);
    }
}
