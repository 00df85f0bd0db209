import java.io.BufferedReader;
import java.io.InputStreamReader;

/** Goes another way for each line that it is given, and ends with its input. */
public class Waiting {
    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        System.out.println(Target.way(1));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            System.out.println(Target.way(Integer.parseInt(line)));
        }
    }
}
