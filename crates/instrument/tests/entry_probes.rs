//! Which methods get a probe at their entry: the expectation is the start of each method's name.
//!
//! `throws…` can be left by an exception before any other probe has run and needs one; `safe…` cannot and must not have
//! one, because a probe that tells nothing only costs.

use probity_classfile::{ClassFile, Mutf8};
use probity_instrument::Instrumenter;
use probity_test_support::java::{Compilation, test_jdks};

const SOURCE: &str = r#"
class Entries {
    int own = 7;
    static int shared;
    Entries other;
    int[] array;

    static int safeConstant() { return 5; }
    static long safeArithmetic(long a, int b) { return (a + b) * 3L ^ 0x7FFFFFFFFFFFL; }
    int safeGetter() { return own; }
    void safeSetter(int value) { own = value; other = null; }
    static int safeLoop(int n) { int sum = 0; for (int i = 0; i < n; i++) sum += i; return sum; }
    static int safeSwitch(int n) { switch (n) { case 1: return 7; case 2: return 8; default: return 9; } }
    static boolean safeCompare(Object a, Object b) { return a == b; }
    static void safeThrow(RuntimeException e) { throw e; }

    int throwsOnNull(Entries e) { return e.own; }
    int throwsInChain() { return other.own; }
    void throwsInForeignSetter(Entries e) { e.own = 1; }
    void throwsInSetterOfProduct(int a) { own = a * own / a; }
    static void throwsInInitialiserOfSetter(int value) { shared = value; }
    int throwsAfterReassigning(Entries e) { Entries self = this; self = e; return self.own; }
    static int throwsInInitialiser() { return shared; }
    static int throwsOnZero(int a, int b) { return a / b; }
    static long throwsOnLongZero(long a, long b) { return a % b; }
    static int throwsInCall() { return safeConstant(); }
    static Object throwsInNew() { return new Object(); }
    static int[] throwsOnNegative(int n) { return new int[n]; }
    int throwsOutOfBounds(int i) { return array[i]; }
    static int throwsInElement(int[] a) { return a[0]; }
    static int throwsInLength(int[] a) { return a.length; }
    static String throwsInCast(Object o) { return (String) o; }
    static boolean throwsInResolution(Object o) { return o instanceof Entries; }
    static Class<?> throwsInLiteral() { return Entries.class; }
    static int throwsLater(boolean b, int[] a) { int r = 1; if (b) r = a[0]; return r; }
    static void throwsInLock(Object o) { synchronized (o) { } }
    static Object throwsInBoxing(int i) { return i; }
    static Runnable throwsInLinkage() { return () -> { }; }
}
"#;

#[test]
fn entry_probes_stand_where_a_method_can_throw_early_and_nowhere_else() {
    for jdk in test_jdks() {
        let classes = Compilation::with(&jdk).source("Entries.java", SOURCE).compile().expect("compiles");
        let bytes = std::fs::read(classes.class_file("Entries")).expect("reads");
        let class = ClassFile::read(&bytes).expect("is well-formed");
        let plan = Instrumenter::new().plan(&class).expect("is planned");
        let probed: Vec<usize> = plan.methods_with_entry_probe().collect();
        let (mut safe, mut throwing) = (0, 0);
        assert!(!probed.contains(&0), "the constructor only calls that of its superclass and sets a field");
        for (position, method) in class.methods().iter().enumerate() {
            let name = class.pool().utf8(method.name).unwrap_or(Mutf8::new(b"")).to_text().into_owned();
            let has_probe = probed.contains(&position);
            if name.starts_with("safe") {
                safe += 1;
                assert!(!has_probe, "{name} needs no entry probe");
            } else if name.starts_with("throws") {
                throwing += 1;
                assert!(has_probe, "{name} needs an entry probe");
            }
        }
        assert_eq!((safe, throwing), (8, 22));
    }
}
