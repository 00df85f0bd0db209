//! What a change of the source changes in the shape: that, and nothing else.

use probity_shape::{Shape, ShapeReader};
use probity_test_support::java::{Compilation, test_jdks};
use std::collections::BTreeSet;

/// The shapes of the classes `C` of some sources, each in a package of its own so that one run of the compiler is enough.
fn shapes(sources: &[String]) -> Vec<Shape> {
    let jdk = test_jdks().remove(0);
    let mut compilation = Compilation::with(&jdk).release(17).option("-g");
    for (position, source) in sources.iter().enumerate() {
        compilation =
            compilation.source(&format!("p{position}/C.java"), &format!("package p{position}; {source}"));
    }
    let compiled = compilation.compile().unwrap_or_else(|error| panic!("{error}"));
    let mut reader = ShapeReader::new();
    let read = |position| std::fs::read(compiled.class_file(&format!("p{position}/C"))).expect("is there");
    (0..sources.len()).map(|position| reader.read(&read(position)).expect("has a shape")).collect()
}

/// All aspects of a shape by name.
fn aspects(shape: &Shape) -> BTreeSet<(String, String)> {
    let mut aspects = BTreeSet::new();
    let mut add = |name: String, value: String| {
        aspects.insert((name, value));
    };
    for (part, hash) in &shape.parts {
        add(format!("{part:?}"), hash.to_string());
    }
    add("debug".to_owned(), shape.debug.to_string());
    for field in &shape.fields {
        add(field.name.to_string(), format!("{} {:x} {}", field.descriptor, field.access, field.declaration));
        if let Some(constant) = field.constant {
            add(format!("{} constant", field.name), constant.to_string());
        }
    }
    for method in &shape.methods {
        let name = format!("{}{}", method.name, method.descriptor);
        add(name.clone(), format!("{:x} {}", method.access, method.declaration));
        if let Some(body) = &method.body {
            add(format!("{name} code"), body.code.to_string());
            add(format!("{name} debug"), body.debug.to_string());
        }
    }
    aspects
}

/// A change and what must differ after it.
struct Case {
    old: String,
    new: String,
    aspects: Vec<&'static str>,
}

fn case(old: &str, new: &str, aspects: &[&'static str]) -> Case {
    Case { old: old.to_owned(), new: new.to_owned(), aspects: aspects.to_vec() }
}

/// A change of the base.
fn changed(from: &str, to: &str, aspects: &[&'static str]) -> Case {
    assert!(BASE.contains(from), "{from}");
    case(BASE, &BASE.replacen(from, to, 1), aspects)
}

fn check(cases: &[Case]) {
    let old = shapes(&cases.iter().map(|case| case.old.clone()).collect::<Vec<_>>());
    let new = shapes(&cases.iter().map(|case| case.new.clone()).collect::<Vec<_>>());
    for ((position, case), (old, new)) in cases.iter().enumerate().zip(old.iter().zip(&new)) {
        let package = format!("p{position}/");
        let (old, new) = (aspects(old), aspects(new));
        let names: BTreeSet<String> =
            old.symmetric_difference(&new).map(|(name, _)| name.replace(&package, "")).collect();
        let wanted: BTreeSet<String> = case.aspects.iter().map(|name| (*name).to_owned()).collect();
        assert_eq!(names, wanted, "{}", case.new);
    }
}

/// A class with one member of each sort, in which parts can be replaced.
const BASE: &str = "
import java.util.*;
@Deprecated class C<T> implements Comparable<C<T>> {
    static final int CONSTANT = 1;
    @SuppressWarnings(\"a\") List<String> names;
    int f(int a) throws java.io.IOException { int b = a + 1; return b; }
    @Deprecated void g(Map.Entry<String, T> entry) { System.out.println(\"g\"); }
    public int compareTo(C<T> other) { return 0; }
    record Inner(int x) {}
}
";

#[test]
fn nothing_changes_when_nothing_is_changed() {
    check(&[case(BASE, BASE, &[]), changed("class C<T>", "class /* a comment */ C<T>", &[])]);
}

#[test]
fn a_changed_body_is_that_body() {
    let more_constants = "return \"x\".length() * 0 + \"y\".length() * 0 + Integer.bitCount(CONSTANT) * 0;";
    check(&[
        changed("a + 1", "a + 2", &["f(I)I code"]),
        changed("a + 1", "a - 1", &["f(I)I code"]),
        changed("return b;", "if (b > 0) return b; return b;", &["f(I)I code", "f(I)I debug"]),
        changed("\"g\"", "\"h\"", &["g(Ljava/util/Map$Entry;)V code"]),
        changed("System.out", "System.err", &["g(Ljava/util/Map$Entry;)V code"]),
        // The pool has many more constants, but only one body changed.
        changed("return 0;", more_constants, &["compareTo(LC;)I code", "compareTo(LC;)I debug"]),
    ]);
}

#[test]
fn names_of_variables_and_lines_are_for_debuggers() {
    let below = ["compareTo(LC;)I debug", "f(I)I debug", "g(Ljava/util/Map$Entry;)V debug"];
    check(&[
        changed("int b = a + 1; return b;", "int c = a + 1; return c;", &["f(I)I debug"]),
        changed("int b = a + 1; return b;", "int b = a + 1;\n return b;", &below),
    ]);
}

#[test]
fn what_can_be_seen_of_the_class_is_told_apart() {
    let interfaces = "implements Comparable<C<T>>, Cloneable";
    let sealed = "sealed interface C permits A {} final class A implements C {} final class B {}";
    let more =
        "sealed interface C permits A, B {} final class A implements C {} final class B implements C {}";
    let record = "import java.util.*; record C(int a) { C { a++; } }";
    check(&[
        changed("@Deprecated class", "@Deprecated(since = \"1\") class", &["Annotations"]),
        changed("class C<T>", "final class C<T>", &["Header"]),
        changed("class C<T>", "class C<T extends Object & Cloneable>", &["Generics"]),
        changed("implements Comparable<C<T>>", interfaces, &["Generics", "Header"]),
        changed("record Inner", "private record Inner", &["Nesting"]),
        changed(
            "record Inner(int x) {}",
            "record Inner(int x) {} interface Other {}",
            &["NestMember", "Nesting"],
        ),
        case(sealed, more, &["PermittedSubclass"]),
        case(record, &record.replace("a++", "a--"), &["<init>(I)V code"]),
        case(
            "record C<T>(java.util.List<T> a) {}",
            "record C<T>(java.util.List<?> a) {}",
            &[
                "<init>(Ljava/util/List;)V",
                "<init>(Ljava/util/List;)V debug",
                "Record",
                "a",
                "a()Ljava/util/List;",
            ],
        ),
    ]);
}

#[test]
fn what_can_be_seen_of_members_is_theirs() {
    let generic = ["g(Ljava/util/Map$Entry;)V", "g(Ljava/util/Map$Entry;)V debug"];
    let added = ["added()V", "added()V code", "added()V debug"];
    check(&[
        changed("CONSTANT = 1", "CONSTANT = 2", &["CONSTANT constant"]),
        changed("static final int CONSTANT", "private static final int CONSTANT", &["CONSTANT"]),
        // Its retention is the source: nobody sees it.
        changed("@SuppressWarnings(\"a\")", "@SuppressWarnings(\"b\")", &[]),
        changed("List<String> names", "List<Integer> names", &["names"]),
        changed("List<String> names", "@Deprecated List<String> names", &["names"]),
        changed("throws java.io.IOException", "", &["f(I)I"]),
        changed("int f(int a)", "synchronized int f(int a)", &["f(I)I"]),
        changed("@Deprecated void g", "void g", &["g(Ljava/util/Map$Entry;)V"]),
        changed("Map.Entry<String, T> entry", "Map.Entry<T, T> entry", &generic),
        case(
            "@interface C { int value() default 1; }",
            "@interface C { int value() default 2; }",
            &["value()I"],
        ),
        changed("record Inner", "void added() {} record Inner", &added),
    ]);
}

#[test]
fn lambdas_and_what_they_are_linked_with_are_a_part_of_the_body() {
    let reference = "class C { java.util.function.Function<String, ?> f() { return C::x; } \
        static String x(String s) { return s; } static String y(String s) { return s; } }";
    let concatenation = "class C { String f(int a) { return \"a\" + a; } }";
    check(&[
        case(reference, &reference.replace("C::x", "C::y"), &["f()Ljava/util/function/Function; code"]),
        case(concatenation, &concatenation.replace("\"a\"", "\"b\""), &["f(I)Ljava/lang/String; code"]),
    ]);
}

#[test]
fn probes_can_stand_elsewhere_in_a_body_that_does_the_same() {
    let one = "class C { void a() {} void f() { a(); a(); a(); } }";
    let two = "class C { void a() {} void f() { a();\na(); a(); } }";
    let other = "class C { void a() {} void f() { a(); a();\na(); } }";
    let later = "class C {\n\nvoid a() {} void f() { a(); a(); a(); } }";
    let shapes = shapes(&[one, two, other, later].map(str::to_owned));
    let bodies: Vec<_> = shapes
        .iter()
        .map(|shape| shape.methods.last().and_then(|method| method.body.clone()).expect("f"))
        .collect();
    // The packages are different, and with them the owners of `a`; probes do not depend on them.
    let places: BTreeSet<String> = bodies.iter().map(|body| body.probe_places.to_string()).collect();
    assert_eq!(places.len(), 3);
    assert_eq!(bodies[0].probe_places, bodies[3].probe_places);
    assert_eq!(bodies[1].probes.len(), bodies[2].probes.len());
}
