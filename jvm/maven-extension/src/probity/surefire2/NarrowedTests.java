package probity.surefire2;

import java.util.Collection;
import java.util.Set;

import org.apache.maven.surefire.testset.TestListResolver;

/** The filter with which Surefire before version 3 scans for test classes, without some of them. */
public final class NarrowedTests extends TestListResolver {
    private final Set<String> leftOut;

    /** Patterns as Surefire has them, and class files, with slashes, that are left out. */
    public NarrowedTests(Collection<String> included, Collection<String> excluded, Set<String> leftOut) {
        super(included, excluded);
        this.leftOut = leftOut;
    }

    /** Whether Surefire itself would run a class. */
    public boolean wouldRun(String classFile) {
        return super.shouldRun(classFile, null);
    }

    @Override
    public boolean shouldRun(String classFile, String method) {
        return !leftOut.contains(classFile) && super.shouldRun(classFile, method);
    }
}
