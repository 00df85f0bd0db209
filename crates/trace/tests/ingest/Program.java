// The classes of made-up recordings: each rule of the closure has some.

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;

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
