/** Something small with three ways through it. */
public class Target {
    public static int way(int which) {
        if (which == 1) {
            return 10;
        }
        if (which == 2) {
            return 20;
        }
        return 30;
    }
}
