import edu.hm.hafner.coverage.*;
import edu.hm.hafner.coverage.registry.ParserRegistry;
import edu.hm.hafner.util.FilteredLog;
import java.io.Reader;
import java.nio.file.*;

/** Has the parsers of Jenkins' coverage plugin read a report, and prints the totals: metric, covered, missed. */
public class JenkinsReader {
    public static void main(String[] arguments) throws Exception {
        CoverageParser parser = new ParserRegistry().get(arguments[0], CoverageParser.ProcessingMode.FAIL_FAST);
        FilteredLog log = new FilteredLog("problems");
        try (Reader reader = Files.newBufferedReader(Path.of(arguments[1]))) {
            ModuleNode module = parser.parse(reader, arguments[1], log);
            for (Metric metric : Metric.values()) {
                module.getValue(metric).filter(Coverage.class::isInstance).map(Coverage.class::cast).ifPresent(
                    value -> System.out.println(metric + " " + value.getCovered() + " " + value.getMissed()));
            }
            System.out.println("FILES " + module.getAllFileNodes().size() + " 0");
        }
        log.getErrorMessages().forEach(System.err::println);
        System.exit(log.getErrorMessages().isEmpty() ? 0 : 1);
    }
}
