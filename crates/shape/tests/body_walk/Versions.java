import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jacoco.core.data.ExecutionData;
import org.jacoco.core.data.ExecutionDataStore;
import org.jacoco.core.data.SessionInfoStore;
import org.jacoco.core.instr.Instrumenter;
import org.jacoco.core.internal.data.CRC64;
import org.jacoco.core.runtime.IRuntime;
import org.jacoco.core.runtime.LoggerRuntime;
import org.jacoco.core.runtime.RuntimeData;

/**
 * Compiles versions of a class C and calls C.run with each input, with JaCoCo's probes. For each version it writes the bytes
 * of C, and for each input what came out and the probes that were hit.
 */
public class Versions {
    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

    public static void main(String[] arguments) throws Exception {
        DataInputStream in = new DataInputStream(new BufferedInputStream(System.in));
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(System.out));
        int[] inputs = new int[in.readInt()];
        for (int i = 0; i < inputs.length; i++) {
            inputs[i] = in.readInt();
        }
        IRuntime runtime = new LoggerRuntime();
        RuntimeData data = new RuntimeData();
        runtime.startup(data);
        try (StandardJavaFileManager files = COMPILER.getStandardFileManager(null, null, null)) {
            for (int left = in.readInt(); left > 0; left--) {
                Map<String, byte[]> classes = compile(files, in.readUTF());
                byte[] bytes = classes.get("C");
                out.writeInt(bytes.length);
                out.write(bytes);
                classes.put("C", new Instrumenter(runtime).instrument(bytes, "C"));
                Class<?> loaded = new Loader(classes).loadClass("C");
                for (int input : inputs) {
                    data.reset();
                    out.writeUTF((String) loaded.getMethod("run", int.class).invoke(null, input));
                    ExecutionDataStore store = new ExecutionDataStore();
                    data.collect(store, new SessionInfoStore(), false);
                    ExecutionData execution = store.get(CRC64.classId(bytes));
                    boolean[] probes = execution == null ? new boolean[0] : execution.getProbes();
                    out.writeInt(probes.length);
                    for (boolean probe : probes) {
                        out.writeBoolean(probe);
                    }
                }
            }
        }
        out.flush();
    }

    private static Map<String, byte[]> compile(StandardJavaFileManager files, String source) throws IOException {
        Map<String, ByteArrayOutputStream> written = new TreeMap<>();
        JavaFileObject file = new SimpleJavaFileObject(URI.create("string:///C.java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return source;
            }
        };
        JavaFileManager memory = new ForwardingJavaFileManager<StandardJavaFileManager>(files) {
            @Override
            public JavaFileObject getJavaFileForOutput(
                    Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
                return new SimpleJavaFileObject(URI.create("memory:///" + name + ".class"), kind) {
                    @Override
                    public OutputStream openOutputStream() {
                        return written.computeIfAbsent(name, ignored -> new ByteArrayOutputStream());
                    }
                };
            }
        };
        List<String> options = List.of("-g", "-proc:none", "-Xlint:none");
        if (!COMPILER.getTask(null, memory, null, options, null, List.of(file)).call()) {
            throw new IOException("does not compile: " + source);
        }
        Map<String, byte[]> classes = new TreeMap<>();
        written.forEach((name, bytes) -> classes.put(name, bytes.toByteArray()));
        return classes;
    }

    private static class Loader extends ClassLoader {
        private final Map<String, byte[]> classes;

        Loader(Map<String, byte[]> classes) {
            this.classes = classes;
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            byte[] bytes = classes.get(name);
            if (bytes == null) {
                throw new ClassNotFoundException(name);
            }
            return defineClass(name, bytes, 0, bytes.length);
        }
    }
}
