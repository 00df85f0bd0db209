import java.util.ArrayList;
import java.util.List;

/**
 * Jumps of every kind, with values of every kind in locals and on the operand stack, in a program that prints what it
 * computes. Code that does nothing is inserted into its bodies until the jumps do not fit two bytes any more; the program
 * must print the same. It uses nothing that a class file of version 49 could not say.
 */
public class WideJumps {
    static int sum;

    static class Parent {
        final String text;

        Parent(String text, long number, double fraction) {
            this.text = text + number + fraction;
        }
    }

    /** Jumps before the call of the other constructor, with the uninitialised object in a local and on the stack. */
    static class Child extends Parent {
        final int extra;

        Child(int n, long wide) {
            super(n > 3 ? "large" : n == 0 ? "none" : null, n < 2 ? wide : -wide, n % 2 == 0 ? 0.5 : 1.5);
            extra = n > 5 && wide > 2 || n == 1 ? n : -n;
        }

        Child(boolean first, Object value) {
            this(first ? value == null ? 1 : 2 : 3, value instanceof Long ? (Long) value : 7L);
        }
    }

    /** Uninitialised objects below other values on the operand stack at a jump. */
    static String uninitialised(int n, long wide, double fraction) {
        StringBuilder outer = new StringBuilder(new StringBuilder(n > 2 ? "more" : "less")
            .append(new Child(n > 4 ? n : n + 10, wide > 5 ? wide : 5L).text)
            .append(new String(n == 3 ? new char[] {'c'} : new char[] {'d', 'e'})));
        outer.append(new Parent(fraction > 1 ? "high" : "low", n > 0 ? wide : 1L, n > 1 ? fraction : 2.0).text);
        return outer.toString();
    }

    /** Long and double values in locals, one of them forgotten on one way, and on the stack under a comparison. */
    static double wideValues(int n) {
        long total = 0;
        double fraction = 1;
        for (int i = 0; i < n; i++) {
            long step = i % 3 == 0 ? i * 2L : total + (i > 5 ? 3L : 4L);
            total += step > 10 ? step : -step;
            if ((total & 1) == 0) {
                double half = total / 2.0;
                fraction = fraction * (half > 3 ? 1.25 : 0.75) + (half < 0 ? half : 1);
            } else {
                float small = total;
                int bits = small > 2f ? 1 : 0;
                fraction += bits + (fraction > 100 ? -50.0 : 0.25);
            }
        }
        return total > 0 ? fraction + total : fraction - total;
    }

    /** Jumps backward: the condition at the end, `continue` and `break` to labels. */
    static int backward(int n) {
        int count = 0;
        outer:
        do {
            count++;
            int inner = n;
            while (true) {
                if (inner-- <= 0) {
                    break;
                }
                if (inner % 7 == 3) {
                    continue outer;
                }
                if (inner % 11 == 10) {
                    break outer;
                }
                count += inner & 3;
            }
        } while (--n > 0 && count < 1000);
        return count;
    }

    static String switches(int n, String key) {
        StringBuilder text = new StringBuilder();
        for (int i = n; i >= 0; i--) {
            switch (i) {
                case 0: text.append("zero"); break;
                case 1: text.append("one");
                case 2: text.append("two"); break;
                case 3: continue;
                case 4: text.append(i > n / 2 ? 'x' : 'y'); break;
                default: text.append('-');
            }
            switch (i * 1000) {
                case -1: return "never";
                case 2000: text.append("2k"); break;
                case 1_000_000: text.append("1M"); break;
                case 5000: text.append(key == null ? "null" : key); break;
            }
        }
        return text.toString();
    }

    static int tries(Object value, int n) {
        int result = 0;
        try {
            if (n > 2) {
                result += ((String) value).length();
            } else {
                result += (Integer) value;
            }
            try {
                result += 100 / n;
            } catch (ArithmeticException e) {
                result = n == 0 ? result + 1 : result - 1;
            } finally {
                result += result > 5 ? 10 : 20;
            }
        } catch (ClassCastException | NullPointerException e) {
            result = e instanceof NullPointerException ? -1 : -2;
        } finally {
            sum += result > 0 ? result : 1;
            synchronized (WideJumps.class) {
                sum += n > 1 ? 2 : 3;
            }
        }
        return result;
    }

    /** Arrays and null, whose types a frame must name. */
    static String arrays(int n) {
        Object[][] table = new Object[n][];
        int[][][] cube = new int[2][n][];
        String[] names = n > 3 ? new String[] {"a", "b"} : null;
        for (int i = 0; i < table.length; i++) {
            Object[] row = i % 2 == 0 ? new String[] {"s" + i} : new Object[] {i, names};
            table[i] = row;
            Object last = row[row.length - 1];
            cube[i & 1][i] = last == null ? null : new int[] {i > 2 ? i : -i};
        }
        StringBuilder text = new StringBuilder();
        for (Object[] row : table) {
            Object[] same = row;
            text.append(same.length > 1 && same[1] == null ? "null" : same[0]);
        }
        int[] found = cube[1].length > 1 ? cube[1][1] : null;
        return text.append(found == null ? "none" : found[0] > 0 ? "up" : "down").toString();
    }

    static int references(Object a, Object b, int n) {
        int result = 0;
        if (a == b) result += 1;
        if (a != b) result += 2;
        if (a == null) result += 4;
        if (b != null) result += 8;
        if (n == 0) result += 16;
        if (n != 0) result += 32;
        if (n < 0) result += 64;
        if (n >= 0) result += 128;
        if (n > 0) result += 256;
        if (n <= 0) result += 512;
        if (n == result) result += 1024;
        if (n != result) result += 2048;
        if (n < result) result += 4096;
        if (n >= result) result += 8192;
        if (n > result) result += 16384;
        if (n <= result) result += 32768;
        return result;
    }

    public static void main(String[] arguments) {
        List<Object> printed = new ArrayList<Object>();
        for (int n = 0; n < 8; n++) {
            Child child = new Child(n, n * 3L);
            printed.add(child.text + child.extra);
            printed.add(new Child(n % 2 == 0, n > 4 ? (Object) Long.valueOf(n) : n > 2 ? "text" : null).text);
            printed.add(uninitialised(n, n * 2L, n / 2.0));
            printed.add(wideValues(n * 5));
            printed.add(backward(n * 4));
            printed.add(switches(n, n > 5 ? "key" : null));
            printed.add(tries(n % 3 == 0 ? "text" : n % 3 == 1 ? (Object) n : null, n));
            printed.add(arrays(n));
            printed.add(references(n > 3 ? "a" : null, n % 2 == 0 ? "a" : null, n - 4));
        }
        for (Object one : printed) {
            System.out.println(one);
        }
        System.out.println(sum);
    }
}
