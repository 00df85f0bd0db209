package org.jacoco.core.test.validation;

import java.nio.file.*;
import org.jacoco.core.test.validation.targets.Stubs;

/** Runs the target of a test as the test wants it, and leaves beside its execution data what the checks have to know. */
public class RunTarget {
    /** Arguments: the test, and the path of what is left without its extension. */
    public static void main(String[] arguments) throws Exception {
        ValidationTestBase test =
            (ValidationTestBase) Class.forName(arguments[0]).getDeclaredConstructor().newInstance();
        try {
            test.run(test.target);
        } finally {
            Files.write(Path.of(arguments[1] + ".classes"), test.additionalClassesForAnalysis());
            Files.write(Path.of(arguments[1] + ".events"), Stubs.getLogEvents());
        }
    }
}
