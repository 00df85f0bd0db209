import java.io.*;
import java.lang.annotation.*;
import java.lang.invoke.*;
import java.lang.reflect.*;
import java.net.*;
import java.nio.file.*;
import java.util.*;
import java.util.zip.ZipFile;

/** Looks at things that are no code, one kind after the other. The argument is a folder with files. */
public class Facts {
    @Retention(RetentionPolicy.RUNTIME) @interface Mark {}
    static class Plain { int field; }

    @Mark static class Annotated {}
    static class Simple {}
    static class Methods { void some() {} }
    static class Fields { int some; static int shared; }
    static class FieldUser { int some; }
    static class Constructed { Constructed() {} }
    static class ByName {}
    static class ByLoader {}
    static class ByLookup { static void some() {} static int number; }
    static class ByVarHandle { static int number; }
    static class Made {}
    static class Stored implements Serializable { int number = 1; }
    static class InArray {}
    interface Proxied { void go(); }
    interface AlsoProxied {}
    public interface Service {}
    public static class Provider implements Service {}
    enum Colour { RED }
    static class Watched {}
    static class NotTouched {}

    static void attempt(Attempt attempt) {
        try { attempt.go(); } catch (Throwable expected) { }
    }
    interface Attempt { void go() throws Throwable; }

    static class Own extends ClassLoader {
        Own() { super(Facts.class.getClassLoader()); }
    }

    public static void main(String[] arguments) throws Throwable {
        File folder = new File(arguments[0]);
        reflect();
        names();
        resources();
        files(folder);
        paths(folder.toPath());
        new ZipFile(new File(folder, "some.zip")).close();
        System.getProperty("facts.set");
        System.getProperty("facts.unset", "default");
        Boolean.getBoolean("facts.boolean");
        new Properties().getProperty("facts.other");
        TimeZone.setDefault(null);
        TimeZone.getDefault();
        System.getenv("FACTS_SET");
        System.getenv("FACTS_UNSET");
        for (String kind : arguments[1].split(",")) more(kind);
    }

    static void reflect() throws Throwable {
        Methods.class.getDeclaredMethods();
        Annotated.class.isAnnotationPresent(Mark.class);
        Fields.class.getDeclaredField("some");
        Simple.class.getSimpleName();
        Constructed.class.getDeclaredConstructor().newInstance();
        Field field = FieldUser.class.getDeclaredField("some");
        field.getInt(new FieldUser());
        Colour.class.getEnumConstants();
        Array.newInstance(InArray.class, 1);
        java.lang.reflect.Proxy.newProxyInstance(Facts.class.getClassLoader(), new Class<?>[] {Proxied.class, AlsoProxied.class},
            (proxy, method, values) -> null);
        MethodHandles.lookup().findStatic(ByLookup.class, "some", MethodType.methodType(void.class));
        MethodHandles.lookup().findStaticVarHandle(ByVarHandle.class, "number", int.class);
        Field unsafe = Class.forName("sun.misc.Unsafe").getDeclaredField("theUnsafe");
        unsafe.setAccessible(true);
        ((sun.misc.Unsafe) unsafe.get(null)).allocateInstance(Made.class);
        new ObjectOutputStream(new ByteArrayOutputStream()).writeObject(new Stored());
        Facts.class.getPackage().getAnnotations();
    }

    static void names() throws Throwable {
        Class.forName("Facts$ByName");
        attempt(() -> Class.forName("no.such.Name"));
        new Own().loadClass("Facts$ByLoader");
        attempt(() -> new Own().loadClass("no.such.ForLoader"));
        attempt(() -> MethodHandles.lookup().findClass("no.such.ForLookup"));
        attempt(() -> new URLClassLoader(new URL[0], null).loadClass("no.such.ForUrls"));
    }

    static void resources() throws Throwable {
        Facts.class.getResource("relative.txt");
        Facts.class.getClassLoader().getResourceAsStream("some/stream.txt");
        ClassLoader.getSystemResource("some/system.txt");
        Facts.class.getClassLoader().getResources("some/many.txt").hasMoreElements();
        new URLClassLoader(new URL[0], null).findResource("some/found.txt");
        Facts.class.getResourceAsStream("relative-stream.txt");
        Facts.class.getModule().getResourceAsStream("some/module.txt");
        attempt(() -> ResourceBundle.getBundle("some.Bundle"));
        for (Service service : ServiceLoader.load(Service.class)) service.hashCode();
    }

    static void files(File folder) throws Throwable {
        new FileInputStream(new File(folder, "read.txt")).close();
        attempt(() -> new FileReader(new File(folder, "missing.txt")));
        new File(folder, "exists.txt").exists();
        new File(folder, "modified.txt").lastModified();
        new File(folder, "length.txt").length();
        new File(folder, "listed").list();
        new File(folder, "listed2").listFiles();
        new FileOutputStream(new File(folder, "written.txt")).close();
        new RandomAccessFile(new File(folder, "read.txt"), "r").close();
        new RandomAccessFile(new File(folder, "random.txt"), "rw").close();
        new File(folder, "deleted.txt").delete();
        new File(folder, "made").mkdir();
        new File(folder, "from.txt").renameTo(new File(folder, "to.txt"));
    }

    static void paths(Path folder) throws Throwable {
        Files.readAllBytes(folder.resolve("nio-read.txt"));
        attempt(() -> Files.newBufferedReader(folder.resolve("nio-missing.txt")));
        Files.exists(folder.resolve("nio-exists.txt"));
        Files.isDirectory(folder.resolve("nio-directory"));
        Files.size(folder.resolve("nio-read.txt"));
        Files.list(folder.resolve("nio-listed")).close();
        Files.newDirectoryStream(folder.resolve("nio-listed2")).close();
        Files.walk(folder.resolve("nio-walked")).count();
        java.nio.channels.FileChannel.open(folder.resolve("nio-channel.txt")).close();
        Files.getLastModifiedTime(folder.resolve("nio-channel.txt"));
        attempt(() -> Files.readSymbolicLink(folder.resolve("nio-link")));
        Files.isSameFile(folder.resolve("read.txt"), folder.resolve("nio-read.txt"));
        Files.move(folder.resolve("nio-from.txt"), folder.resolve("nio-to.txt"));
        Files.createTempFile(folder, "nio-temporary", ".txt");
        new java.util.Scanner(folder.resolve("nio-scanned.txt")).close();
        attempt(() -> System.load(folder.resolve("none.so").toString()));
        Files.write(folder.resolve("nio-written.txt"), new byte[1]);
        Files.deleteIfExists(folder.resolve("nio-deleted.txt"));
        Files.createDirectories(folder.resolve("nio-made"));
        Files.copy(folder.resolve("nio-read.txt"), folder.resolve("nio-copy.txt"), StandardCopyOption.REPLACE_EXISTING);
    }

    static void more(String kind) throws Throwable {
        switch (kind) {
            case "properties" -> System.getProperties().getProperty("x");
            case "variables" -> System.getenv();
            case "process" -> new ProcessBuilder("true").start().waitFor();
            case "runtime" -> Runtime.getRuntime().exec(new String[] {"true"}).waitFor();
            case "trace" -> new Exception().getStackTrace();
            case "print" -> new Exception().printStackTrace(new PrintWriter(new StringWriter()));
            case "thread" -> Thread.currentThread().getStackTrace();
            case "walker" -> StackWalker.getInstance().forEach(frame -> { });
            case "null" -> attempt(() -> {
                try { ((Plain) null).field = 1; } catch (NullPointerException e) { e.getMessage(); }
            });
            case "hidden" -> {
                byte[] bytes;
                try (InputStream in = Facts.class.getResourceAsStream("Hidden.class")) { bytes = in.readAllBytes(); }
                MethodHandles.lookup().defineHiddenClass(bytes, true);
            }
            default -> { }
        }
    }
}

class Hidden { static Object made() { return new Facts.Watched(); } }
