import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/** Leaves methods by exceptions in every way that the language has. */
public class Exceptions {
    static int caught;

    static class Resource implements Closeable {
        final int mode;

        Resource(int mode) throws IOException {
            this.mode = mode;
            if (mode == 1) {
                throw new IOException("open");
            }
        }

        @Override
        public void close() throws IOException {
            if (mode >= 3) {
                throw new IOException("close");
            }
        }
    }

    static class BrokenInit {
        static final int VALUE = fail();

        static int fail() {
            throw new IllegalStateException("initialiser");
        }
    }

    static class Deep {
        final Deep inner;

        Deep(int depth) {
            inner = depth == 0 ? null : new Deep(depth - 1);
            if (depth == 3) {
                throw new IllegalArgumentException("deep");
            }
        }
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 12; i++) {
            try {
                System.out.println(i + " " + implicit(i));
            } catch (RuntimeException | LinkageError | OutOfMemoryError error) {
                System.out.println(i + " " + error.getClass().getName());
                caught++;
            }
        }
        for (int mode = 0; mode < 5; mode++) {
            System.out.println(resources(mode));
        }
        System.out.println(nested(0) + nested(1) + nested(2) + nested(3));
        System.out.println(finallyWins(5) + " " + loop() + " " + locked(3) + " " + caught);
        System.out.println(overflow());
        System.out.println(pattern("text") + pattern(5) + pattern(null));
    }

    static int implicit(int way) {
        int[] array = new int[2];
        Object text = "text";
        List<Integer> list = new ArrayList<>();
        switch (way) {
            case 0: return array[way + 2];
            case 1: return 1 / (way - 1);
            case 2: return ((Integer) text);
            case 3: return ((String) null).length();
            case 4: return new int[-way].length;
            case 5: return BrokenInit.VALUE;
            case 6: return BrokenInit.VALUE;
            case 7: new Deep(5); return 7;
            case 8: { Object[] strings = new String[1]; strings[0] = way; return 8; }
            case 9: throw new UnsupportedOperationException();
            case 10: { Iterator<Integer> it = list.iterator(); return it.next(); }
            default: return list.stream().mapToInt(x -> x / 0).sum() + way;
        }
    }

    static String resources(int mode) {
        try (Resource first = new Resource(0); Resource second = new Resource(mode)) {
            if (second.mode == 2 || second.mode == 4) {
                throw new NoSuchElementException("body");
            }
            return "fine";
        } catch (IOException error) {
            return "io " + error.getMessage() + error.getSuppressed().length;
        } catch (NoSuchElementException error) {
            return "body " + error.getSuppressed().length;
        } finally {
            caught += mode;
        }
    }

    static int nested(int way) throws Exception {
        int result = 0;
        try {
            result += 1;
            try {
                if (way > 0) {
                    throw way > 1 ? new IOException() : new IllegalStateException();
                }
                result += 2;
            } catch (IOException error) {
                result += 4;
                if (way == 3) {
                    throw new RuntimeException(error);
                }
            } finally {
                result += 8;
            }
        } catch (IllegalStateException error) {
            result += 16;
        } catch (RuntimeException error) {
            result += 32;
        }
        return result;
    }

    @SuppressWarnings("finally")
    static int finallyWins(int x) {
        try {
            throw new IllegalStateException();
        } finally {
            return x;
        }
    }

    static int loop() {
        int rounds = 0;
        while (true) {
            try {
                rounds++;
                if (rounds % 3 == 0) {
                    throw new IllegalStateException();
                }
                if (rounds > 100) {
                    break;
                }
            } catch (IllegalStateException error) {
                if (rounds > 50) {
                    return rounds;
                }
                continue;
            } finally {
                caught++;
            }
        }
        return -1;
    }

    static int locked(int times) {
        Object lock = new Object();
        int count = 0;
        for (int i = 0; i < times; i++) {
            try {
                synchronized (lock) {
                    if (i == 1) {
                        throw new IllegalStateException();
                    }
                    count++;
                }
            } catch (IllegalStateException error) {
                count += 10;
            }
        }
        return count;
    }

    static String overflow() {
        try {
            return "" + recurse(0);
        } catch (StackOverflowError error) {
            return "overflow";
        }
    }

    static int recurse(int depth) {
        return recurse(depth + 1) + 1;
    }

    static String pattern(Object value) {
        if (value instanceof String text && text.length() > 2) {
            return text.substring(2);
        }
        return value instanceof Integer number ? "n" + number : "none";
    }
}
