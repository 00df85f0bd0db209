//! A JVM is asked about classes that it must accept, and about some that it must refuse.

use std::fs;

use probity_test_support::java::{Compilation, CompiledClasses, test_jdks};
use probity_test_support::link::{GivenClass, LinkResult, LinkServer, link_together};

const SOURCE: &str = "
package p;
class Base { int number(int n) { return n + 1; } }
class Derived extends Base { static { if (true) throw new Error(\"it must never be initialised\"); } }
";

fn compiled() -> (CompiledClasses, Vec<u8>, Vec<u8>) {
    let classes = Compilation::with(&test_jdks()[0]).release(17).source("p/Base.java", SOURCE).compile();
    let classes = classes.expect("it compiles");
    let read = |name| fs::read(classes.class_file(name)).expect("a class file");
    let (base, derived) = (read("p/Base"), read("p/Derived"));
    (classes, base, derived)
}

/// The class with `iadd` in its only body made an `fadd`, which the verifier must refuse.
fn with_wrong_types(class: &[u8]) -> Vec<u8> {
    let body = [0x1b, 0x04, 0x60, 0xac];
    let at = class.windows(body.len()).position(|window| window == body).expect("the body");
    let mut class = class.to_vec();
    class[at + 2] = 0x62;
    class
}

fn exception_of(result: &LinkResult) -> &str {
    match result {
        LinkResult::Refused { exception, .. } => exception,
        other => panic!("it must be refused: {other}"),
    }
}

#[test]
fn classes_are_linked_with_each_other_and_never_initialised() {
    let (_classes, base, derived) = compiled();
    let wrong = with_wrong_types(&base);
    for jdk in test_jdks() {
        let given = |base| {
            [
                GivenClass { name: "p/Derived", bytes: &derived },
                GivenClass { name: "p/Base", bytes: base },
                GivenClass { name: "java/lang/Never", bytes: base },
            ]
        };
        let results = link_together(&jdk, &given(&base)).expect("a JVM");
        assert_eq!(results, [LinkResult::Linked, LinkResult::Linked, LinkResult::Skipped], "{jdk}");
        let results = link_together(&jdk, &given(&wrong)).expect("a JVM");
        assert_eq!(exception_of(&results[0]), "java.lang.VerifyError", "{jdk}: a superclass is linked first");
        assert_eq!(exception_of(&results[1]), "java.lang.VerifyError", "{jdk}");
    }
}

#[test]
fn a_server_answers_in_order_and_knows_its_base() {
    let (_classes, base, derived) = compiled();
    let wrong = with_wrong_types(&base);
    for jdk in test_jdks() {
        let questions: Vec<&[u8]> = vec![&base, &wrong, &base[..20], &derived, &base];
        let mut server = LinkServer::start(&jdk).expect("a JVM");
        let results = server.link_alone(&questions).expect("answers");
        assert_eq!([&results[0], &results[4]], [&LinkResult::Linked; 2], "{jdk}");
        let refusals: Vec<&str> = results[1..4].iter().map(exception_of).collect();
        let missing = "java.lang.NoClassDefFoundError";
        assert_eq!(refusals, ["java.lang.VerifyError", "java.lang.ClassFormatError", missing], "{jdk}");

        let known = [GivenClass { name: "p/Base", bytes: &base }];
        let mut server = LinkServer::start_with_base(&jdk, &known).expect("a JVM");
        assert_eq!(server.link_alone(&[&derived]).expect("an answer"), [LinkResult::Linked], "{jdk}");
        assert_eq!(server.restarts(), 0);
    }
}

/// More questions and answers than pipes hold.
#[test]
fn many_questions_at_once_do_not_block() {
    let (_classes, base, _) = compiled();
    let mut server = LinkServer::start(&test_jdks()[0]).expect("a JVM");
    let results = server.link_alone(&vec![&base[..base.len() - 1]; 20_000]).expect("answers");
    assert_eq!(results.len(), 20_000);
    assert!(results.iter().all(|result| exception_of(result) == "java.lang.ClassFormatError"));
    let linked = server.link_alone(&vec![&base; 5_000]).expect("answers");
    assert!(linked.iter().all(LinkResult::is_linked));
}

/// A JVM that ends in the middle of its work is replaced, and only the class that it was at is lost.
#[test]
fn a_server_survives_its_jvm() {
    let (_classes, base, _) = compiled();
    let mut server = LinkServer::start(&test_jdks()[0]).expect("a JVM");
    server.end_the_jvm();
    let results = server.link_alone(&[&base, &base, &base]).expect("answers");
    assert_eq!(results, [LinkResult::Crashed, LinkResult::Linked, LinkResult::Linked]);
    assert_eq!(server.restarts(), 1);
}
