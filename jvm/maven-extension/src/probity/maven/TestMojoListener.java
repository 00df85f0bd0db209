package probity.maven;

import java.io.File;
import java.util.List;

import org.apache.maven.execution.MojoExecutionEvent;
import org.apache.maven.execution.MojoExecutionListener;
import org.apache.maven.plugin.MojoExecution;

/**
 * Changes each execution of Surefire and Failsafe right before it starts, when all of its parameters are known.
 *
 * The tests are recorded, and those that need not run are left out. Nothing that goes wrong here may fail a build or leave a test
 * out: then the execution stays as it is, and what went wrong is written down.
 */
public final class TestMojoListener implements MojoExecutionListener {
    @Override
    public void beforeMojoExecution(MojoExecutionEvent event) {
        Run run = Run.current();
        if (run == null || !TestMojo.isOne(event.getMojo())) {
            return;
        }
        try {
            prepare(run, event);
        } catch (Exception | LinkageError failure) {
            run.tell(nameOf(event) + " is not recorded: " + failure);
        }
    }

    @Override
    public void afterMojoExecutionSuccess(MojoExecutionEvent event) {
        after(event);
    }

    @Override
    public void afterExecutionFailure(MojoExecutionEvent event) {
        after(event);
    }

    private static void prepare(Run run, MojoExecutionEvent event) throws Exception {
        TestMojo mojo = new TestMojo(event.getMojo());
        File folder = run.folderOf(event);
        Description description = new Description(mojo, event);
        String reason = mojo.reasonNotToRecord(event.getExecution().getVersion());
        if (reason != null) {
            description.add("not-recorded", reason);
            description.write(folder);
            return;
        }
        ArgLine argLine = ArgLine.with(mojo.argLine(), event.getProject().getProperties(), run.agent(), folder);
        description.addRecording(argLine);
        description.write(folder);
        mojo.setArgLine(argLine.text());
        try {
            leaveOut(run, mojo, description, folder);
        } catch (Exception | LinkageError failure) {
            run.tell(nameOf(event) + " runs all of its tests: " + failure);
        }
    }

    private static void leaveOut(Run run, TestMojo mojo, Description description, File folder) throws Exception {
        List<String> leftOut = LeaveOut.apply(mojo, run.ask("before", folder));
        if (!leftOut.isEmpty()) {
            description.addAll("left-out", leftOut);
            description.write(folder);
        }
    }

    private static void after(MojoExecutionEvent event) {
        Run run = Run.current();
        if (run == null || !TestMojo.isOne(event.getMojo())) {
            return;
        }
        try {
            File folder = run.folderOf(event);
            if (folder.isDirectory()) {
                run.ask("after", folder);
            }
        } catch (Exception | LinkageError failure) {
            run.tell(nameOf(event) + ": " + failure);
        }
    }

    private static String nameOf(MojoExecutionEvent event) {
        MojoExecution execution = event.getExecution();
        return event.getProject().getArtifactId() + ", " + execution.getGoal() + " (" + execution.getExecutionId() + ")";
    }
}
