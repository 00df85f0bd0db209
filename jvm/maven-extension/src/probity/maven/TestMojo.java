package probity.maven;

import java.io.File;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

import org.apache.maven.plugin.Mojo;

/**
 * A goal of Surefire or Failsafe, asked and changed by reflection: its classes are in a loader of the plugin's own, in whatever version.
 */
final class TestMojo {
    private static final String BASE = "org.apache.maven.plugin.surefire.AbstractSurefireMojo";
    /** The oldest version that is known to work: 2.22. */
    private static final int[] OLDEST = {2, 22};

    private final Mojo mojo;

    TestMojo(Mojo mojo) {
        this.mojo = mojo;
    }

    /** Whether a goal runs tests with Surefire's code. */
    static boolean isOne(Mojo mojo) {
        for (Class<?> type = mojo.getClass(); type != null; type = type.getSuperclass()) {
            if (type.getName().equals(BASE)) {
                return true;
            }
        }
        return false;
    }

    /** Why the tests are not recorded, in a word and then for people; nothing if they can be. */
    String reasonNotToRecord(String version) throws ReflectiveOperationException {
        if (Boolean.TRUE.equals(call("isSkipExecution"))) {
            return "skipped: tests are skipped";
        }
        if (!isSupported(version)) {
            return "old-plugin: version " + version + " of the plugin is older than 2.22";
        }
        if (!Boolean.TRUE.equals(call("isForking"))) {
            return "no-fork: the tests run inside Maven (forkCount is 0)";
        }
        return null;
    }

    static boolean isSupported(String version) {
        String[] parts = version.split("[.-]");
        for (int at = 0; at < OLDEST.length; at++) {
            int part = at < parts.length && parts[at].matches("[0-9]{1,6}") ? Integer.parseInt(parts[at]) : 0;
            if (part != OLDEST[at]) {
                return part > OLDEST[at];
            }
        }
        return true;
    }

    ClassLoader loader() {
        return mojo.getClass().getClassLoader();
    }

    String argLine() throws ReflectiveOperationException {
        return (String) call("getArgLine");
    }

    void setArgLine(String argLine) throws ReflectiveOperationException {
        Method method = mojo.getClass().getMethod("setArgLine", String.class);
        method.invoke(mojo, argLine);
    }

    /** Whether there is a method without parameters. */
    boolean has(String name) {
        for (Class<?> type = mojo.getClass(); type != null; type = type.getSuperclass()) {
            for (Method method : type.getDeclaredMethods()) {
                if (method.getName().equals(name) && method.getParameterCount() == 0) {
                    return true;
                }
            }
        }
        return false;
    }

    /** The result of a method without parameters, of whatever visibility. */
    Object call(String name) throws ReflectiveOperationException {
        for (Class<?> type = mojo.getClass(); type != null; type = type.getSuperclass()) {
            try {
                Method method = type.getDeclaredMethod(name);
                if (!Modifier.isAbstract(method.getModifiers())) {
                    method.setAccessible(true);
                    return method.invoke(mojo);
                }
            } catch (NoSuchMethodException absent) {
                // Perhaps a class above has it.
            } catch (InvocationTargetException failure) {
                throw new ReflectiveOperationException(name + " failed: " + failure.getCause(), failure.getCause());
            }
        }
        throw new NoSuchMethodException(mojo.getClass().getName() + "." + name);
    }

    /** The same, or nothing if there is no such method or it fails. */
    Object tryCall(String name) {
        try {
            return call(name);
        } catch (ReflectiveOperationException failure) {
            return null;
        }
    }

    /** The value of a field; nothing if there is no such field. */
    Object field(String name) {
        for (Class<?> type = mojo.getClass(); type != null; type = type.getSuperclass()) {
            try {
                Field field = type.getDeclaredField(name);
                field.setAccessible(true);
                return field.get(mojo);
            } catch (NoSuchFieldException absent) {
                // Perhaps a class above has it.
            } catch (IllegalAccessException closed) {
                return null;
            }
        }
        return null;
    }

    void setField(String name, Object value) throws ReflectiveOperationException {
        for (Class<?> type = mojo.getClass(); type != null; type = type.getSuperclass()) {
            try {
                Field field = type.getDeclaredField(name);
                field.setAccessible(true);
                field.set(mojo, value);
                return;
            } catch (NoSuchFieldException absent) {
                // Perhaps a class above has it.
            }
        }
        throw new NoSuchFieldException(mojo.getClass().getName() + "." + name);
    }

    /** All parameters that are texts, numbers, files, or lists and maps of such, by name. */
    SortedMap<String, List<String>> parameters() throws ReflectiveOperationException {
        SortedMap<String, List<String>> parameters = new TreeMap<>();
        for (Class<?> type = mojo.getClass(); type != null && type != Object.class; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers()) || field.isSynthetic()) {
                    continue;
                }
                field.setAccessible(true);
                List<String> values = new ArrayList<>();
                if (addValue(field.get(mojo), values) && !values.isEmpty()) {
                    parameters.putIfAbsent(field.getName(), values);
                }
            }
        }
        return parameters;
    }

    /** Adds a value as text; false if it is of another sort. */
    private static boolean addValue(Object value, List<String> values) {
        if (value == null) {
            return true;
        }
        if (value instanceof CharSequence || value instanceof Number || value instanceof Boolean || value instanceof File) {
            values.add(value.toString());
            return true;
        }
        if (value instanceof Object[]) {
            return addEach(java.util.Arrays.asList((Object[]) value), values);
        }
        if (value instanceof Collection) {
            return addEach((Collection<?>) value, values);
        }
        if (value instanceof Map) {
            return addMap((Map<?, ?>) value, values);
        }
        return false;
    }

    private static boolean addEach(Collection<?> list, List<String> values) {
        for (Object value : list) {
            if (!addValue(value, values)) {
                return false;
            }
        }
        return true;
    }

    private static boolean addMap(Map<?, ?> map, List<String> values) {
        SortedMap<String, String> sorted = new TreeMap<>();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            boolean isText = entry.getKey() instanceof String && (entry.getValue() == null || entry.getValue() instanceof String);
            if (!isText) {
                return false;
            }
            sorted.put((String) entry.getKey(), String.valueOf(entry.getValue()));
        }
        sorted.forEach((name, value) -> values.add(name + "=" + value));
        return true;
    }
}
