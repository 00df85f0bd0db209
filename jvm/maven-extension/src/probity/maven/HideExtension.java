package probity.maven;

import java.util.Properties;

import org.apache.maven.AbstractMavenLifecycleParticipant;
import org.apache.maven.execution.MavenSession;

/**
 * Takes the property away by which this extension was loaded.
 *
 * Surefire hands the properties of Maven's command line on to the tests, which are to see what they see without Probity.
 */
public final class HideExtension extends AbstractMavenLifecycleParticipant {
    private static final String CLASS_PATH = "maven.ext.class.path";

    @Override
    public void afterProjectsRead(MavenSession session) {
        Run run = Run.current();
        if (run == null) {
            return;
        }
        run.loaded();
        try {
            hide(session.getUserProperties(), run.setting("own-extensions"));
        } catch (RuntimeException failure) {
            run.tell("Maven's command line stays visible to tests: " + failure);
        }
    }

    private static void hide(Properties properties, String own) {
        if (own == null) {
            properties.remove(CLASS_PATH);
        } else {
            properties.setProperty(CLASS_PATH, own);
        }
    }
}
