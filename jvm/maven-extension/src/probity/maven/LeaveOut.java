package probity.maven;

import java.io.File;
import java.lang.reflect.Method;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.codehaus.plexus.classworlds.realm.ClassRealm;

/**
 * Leaves test classes out of an execution, by their exact names.
 *
 * Surefire scans for test classes with a filter. Ours says no to the classes that are left out and otherwise what Surefire's own says. Its
 * patterns would not do: they match classes of the same name in other packages, take time that grows with the square of the number
 * of tests, and where the user names tests they would go on to the test framework, which then loses nested classes.
 */
final class LeaveOut {
    private static final String API_3 = "org.apache.maven.surefire.api.testset.TestListResolver";

    private LeaveOut() {
    }

    /** Leaves classes out; gives those that would have run. */
    static List<String> apply(TestMojo mojo, List<String> names) throws Exception {
        boolean isListed = Boolean.TRUE.equals(mojo.call("hasSuiteXmlFiles")) && !Boolean.TRUE.equals(mojo.call("isSpecificTestSpecified"));
        if (names.isEmpty() || isListed) {
            return Collections.emptyList();
        }
        Set<String> files = new HashSet<>();
        for (String name : names) {
            files.add(fileOf(name));
        }
        Object filter = filter(mojo, files);
        Method wouldRun = filter.getClass().getMethod("wouldRun", String.class);
        File classes = (File) mojo.call("getTestClassesDirectory");
        List<String> leftOut = new ArrayList<>();
        for (String name : names) {
            boolean isThere = new File(classes, fileOf(name)).isFile();
            if (isThere && Boolean.TRUE.equals(wouldRun.invoke(filter, fileOf(name)))) {
                leftOut.add(name);
            }
        }
        if (leftOut.isEmpty()) {
            return leftOut;
        }
        // There are tests; that none of them need run is no failure.
        mojo.setField("failIfNoTests", Boolean.FALSE);
        mojo.setField("failIfNoSpecifiedTests", Boolean.FALSE);
        mojo.setField("includedExcludedTests", filter);
        return leftOut;
    }

    private static String fileOf(String className) {
        return className.replace('.', '/') + ".class";
    }

    private static Object filter(TestMojo mojo, Set<String> files) throws Exception {
        ClassRealm realm = (ClassRealm) mojo.loader();
        URL own = LeaveOut.class.getProtectionDomain().getCodeSource().getLocation();
        realm.addURL(own);
        Collection<?> included = patterns(mojo, "getIncludedScanList", "getIncludeList");
        Collection<?> excluded = patterns(mojo, "getExcludedScanList", "getExcludeList");
        Class<?> type = realm.loadClass(isThere(realm, API_3) ? "probity.surefire3.NarrowedTests" : "probity.surefire2.NarrowedTests");
        return type.getConstructor(Collection.class, Collection.class, Set.class).newInstance(included, excluded, files);
    }

    private static Collection<?> patterns(TestMojo mojo, String newName, String oldName) throws ReflectiveOperationException {
        return (Collection<?>) mojo.call(mojo.has(newName) ? newName : oldName);
    }

    private static boolean isThere(ClassLoader loader, String name) {
        try {
            loader.loadClass(name);
            return true;
        } catch (ClassNotFoundException absent) {
            return false;
        }
    }
}
