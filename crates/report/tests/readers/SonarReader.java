import java.io.File;
import java.lang.reflect.*;
import java.util.*;
import org.sonar.api.batch.fs.*;
import org.sonar.api.batch.sensor.SensorContext;
import org.sonar.api.batch.sensor.coverage.NewCoverage;
import org.sonar.scanner.genericcoverage.GenericCoverageReportParser;

/**
 * Has Sonar's own parser read a generic coverage report. Its project is played by proxies that know every file below a
 * folder; what the parser tells them is added up and printed: metric, covered, missed.
 */
public class SonarReader {
    static int lines, coveredLines, conditions, coveredConditions, saved;
    static File folder;

    @SuppressWarnings("unchecked")
    static <T> T playing(Class<T> type, InvocationHandler answers) {
        return (T) Proxy.newProxyInstance(SonarReader.class.getClassLoader(), new Class<?>[] {type}, answers);
    }

    static Object predicate(Object proxy, Method method, Object[] arguments) {
        String path = (String) arguments[0];
        return playing(FilePredicate.class, (p, m, a) -> path);
    }

    static Object inputFile(Object proxy, Method method, Object[] arguments) throws Throwable {
        if (method.getName().equals("predicates")) {
            return playing(FilePredicates.class, SonarReader::predicate);
        }
        String path = (String) Proxy.getInvocationHandler(arguments[0]).invoke(null, null, null);
        if (!new File(folder, path).isFile()) {
            return null;
        }
        return playing(InputFile.class, (p, m, a) -> m.getName().equals("language") ? "java" : path);
    }

    static Object coverage(Object proxy, Method method, Object[] arguments) {
        switch (method.getName()) {
            case "lineHits":
                lines++;
                coveredLines += (Integer) arguments[1] > 0 ? 1 : 0;
                break;
            case "conditions":
                conditions += (Integer) arguments[1];
                coveredConditions += (Integer) arguments[2];
                break;
            case "save":
                saved++;
                return null;
        }
        return proxy;
    }

    static Object context(Object proxy, Method method, Object[] arguments) {
        return method.getName().equals("fileSystem")
            ? playing(FileSystem.class, SonarReader::inputFile)
            : playing(NewCoverage.class, SonarReader::coverage);
    }

    public static void main(String[] arguments) {
        folder = new File(arguments[0]);
        GenericCoverageReportParser parser = new GenericCoverageReportParser();
        parser.parse(new File(arguments[1]), playing(SensorContext.class, SonarReader::context));
        System.out.println("LINE " + coveredLines + " " + (lines - coveredLines));
        System.out.println("BRANCH " + coveredConditions + " " + (conditions - coveredConditions));
        System.out.println("FILES " + parser.numberOfMatchedFiles() + " " + parser.numberOfUnknownFiles());
    }
}
