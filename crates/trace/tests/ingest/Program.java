// The classes of made-up recordings: each rule of the closure has some.

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

class Constants { static int value; }
class UsesStatic { static int get() { return Constants.value; } }

class Base { }
interface FarFace { }
interface Face extends FarFace { default int answer() { return 42; } }
class Middle extends Base implements Face { }
class Child extends Middle { static int run() { return new Middle().answer(); } }

class Deep { static Object make() { return Deeper.value; } }
class Deeper { static Object value; }
class Holder { static final Object IT = Deep.make(); static int id() { return 1; } }
class UsesHolder { static int id() { return Holder.id(); } }
class SubHolder extends Holder { static int own() { return 2; } }
class UsesSubHolder { static int id() { return SubHolder.own(); } }

class Left { static int make() { return 1; } }
class Right { static int make() { return 2; } }
class Branches {
    static int pick(boolean left) {
        if (left) {
            return Left.make();
        }
        return Right.make();
    }
}

class Gone { static int x; }
class NamesGone { static int get() { return Gone.x; } }

@Retention(RetentionPolicy.RUNTIME) @interface Marker { Class<?> value(); Level level() default Level.LOW; }
enum Level { LOW }
class Value { }
class Bound { }
class Arg { }
class Result { }
class Problem extends Exception { }
class Part { }
abstract class InspectedBase { abstract Part part(List<Bound> bounds); }
@Marker(Value.class)
abstract class Inspected extends InspectedBase { abstract Result m(Arg arg) throws Problem; }

interface Proxied { Result get(Arg arg); }
class MadeOne implements Proxied { public Result get(Arg arg) { return new Result(); } }

class Outer { private int secret; class Inner { int get() { return secret; } } }

class Library { static int call() { return LibraryHelper.x; } }
class LibraryHelper { static int x; }

class ATest { static class Nested { static int run() { return 3; } } int test() { return 1; } }
class BTest { int test() { return 2; } }
class SubOfATest extends ATest { int more() { return 4; } }

class Cache {
    static final Map<String, String> VALUES = new HashMap<>();
    static String get(String key) { return VALUES.computeIfAbsent(key, Computer::compute); }
    static void put(String key) { VALUES.put(key, Elsewhere.make()); }
}
class Computer {
    static String compute(String key) { return Rounds.up(key) + Rates.RATE; }
    static int other() { return 1; }
}
class Rounds { static String up(String key) { return SecondCache.get(key); } }
class Rates { static final String RATE = String.valueOf(1); }
class Elsewhere { static String make() { return ""; } }
class SecondCache {
    static final Object[] VALUES = new Object[1];
    static String get(String key) {
        if (VALUES[0] == null) {
            VALUES[0] = Origin.value();
        }
        return key + VALUES[0];
    }
}
class Origin { static String value() { return "1"; } }

class LoaderCache {
    static final LoaderCache INSTANCE = new LoaderCache();
    private final Map<String, String> values = new HashMap<>();
    String get(String key) { return values.computeIfAbsent(key, new Loader()); }
}
class Loader implements Function<String, String> {
    public String apply(String key) { return key; }
    static int other() { return 1; }
}

class Sign { final String text; final Kind kind = Kind.PLAIN; Sign(String text) { this.text = text; } }
class ChangingSign extends Sign { int count; ChangingSign() { super(""); } int count() { return count++; } }
enum Kind { PLAIN }
class Signs {
    static final Sign SIGN = new Sign("");
    static int pick(boolean left) { return left ? Left.make() : Right.make() + SIGN.text.length(); }
}
class UsesCacheAtOnce { static final String VALUE = Cache.get("k"); static int id() { return 1; } }
class Unrelated { static int work() { return 1; } }
class LoaderUser { static String use() { return LoaderCache.INSTANCE.get("k"); } }
