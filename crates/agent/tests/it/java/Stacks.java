import java.io.*;
import java.lang.reflect.*;
import java.util.*;

/** Prints stack traces that go through methods which traces watch, with all frames and lines. */
public class Stacks {
    static class Throwing { static int value = Integer.parseInt("x"); }
    static class Bad implements Serializable {
        private void writeObject(ObjectOutputStream out) throws IOException { throw new IOException("on purpose"); }
    }
    static class FromConstructor { FromConstructor() { throw new IllegalStateException("on purpose"); } }
    static class Loader extends ClassLoader {
        Loader() { super(null); }
        @Override protected Class<?> findClass(String name) throws ClassNotFoundException {
            throw new ClassNotFoundException(name, new Exception("inside"));
        }
    }
    interface Attempt { void go() throws Throwable; }

    static void attempt(String what, Attempt attempt) {
        System.out.println("== " + what);
        try { attempt.go(); } catch (Throwable thrown) { thrown.printStackTrace(System.out); }
    }

    public static void main(String[] arguments) throws Throwable {
        attempt("initialiser", () -> System.out.println(Throwing.value));
        attempt("initialiser again", () -> System.out.println(Throwing.value));
        attempt("name", () -> Class.forName("no.such.Class"));
        attempt("null name", () -> Class.forName(null));
        attempt("loader", () -> new Loader().loadClass("no.such.Class"));
        attempt("method", () -> String.class.getMethod("none"));
        attempt("field", () -> Stacks.class.getDeclaredField("none"));
        attempt("access", () -> Integer.class.getDeclaredField("value").getInt(1));
        attempt("null field", () -> Throwing.class.getDeclaredField("value").get(null));
        attempt("file", () -> new FileInputStream("/no/such/file"));
        attempt("null file", () -> new FileInputStream((File) null));
        attempt("path", () -> java.nio.file.Files.readAllBytes(java.nio.file.Path.of("/no/such/file")));
        attempt("random", () -> new RandomAccessFile("/no/such/file", "r"));
        attempt("archive", () -> new java.util.zip.ZipFile("/no/such/file"));
        attempt("bundle", () -> ResourceBundle.getBundle("no.such.Bundle"));
        attempt("write", () -> new ObjectOutputStream(new ByteArrayOutputStream()).writeObject(new Bad()));
        attempt("constructor", () -> FromConstructor.class.getDeclaredConstructor().newInstance());
        attempt("proxy", () -> Proxy.newProxyInstance(null, new Class<?>[] {String.class}, null));
        attempt("property", () -> System.getProperty(""));
        attempt("process", () -> new ProcessBuilder("/no/such/program").start());
        attempt("resource", () -> ClassLoader.getSystemResource(null));
        attempt("null pointer", () -> { String[] none = null; none[0].length(); });
        attempt("helpful", () -> { Object o = List.of(); ((String) o).length(); });
        Long frames = StackWalker.getInstance().walk(all -> all.count());
        System.out.println(frames);
        System.out.println(Thread.currentThread().getStackTrace().length);
        for (Method method : Class.class.getDeclaredMethods())
            if (method.getName().equals("forName")) System.out.println(method + " " + method.getParameterCount());
    }
}
