//! Classes that the program makes and that say of themselves to be from a place where they are not: mocks, for example. Units
//! that use them are trusted, and depend on what such classes are made of.

use probity_test_support::programs::MOCKITO;
use probity_trace::{Trace, Why};

use crate::project::{Project, said, text};

const SOURCES: [(&str, &str); 4] = [
    ("shop/Price.java", "package shop; public class Price { public final int cents = 5; }"),
    (
        "shop/Stock.java",
        "package shop; public class Stock {
             public Price price(String name) { throw new IllegalStateException(name); } }",
    ),
    ("shop/Port.java", "package shop; public interface Port { Price ask(int number); }"),
    (
        "shop/Copied.java",
        r#"package shop;
        public class Copied implements java.util.function.Supplier<Price> {
            public Price get() { return new Price(); }
            static byte[] bytes(String from, String to) throws Exception {
                try (java.io.InputStream in = Copied.class.getResourceAsStream("Copied.class")) {
                    String text = new String(in.readAllBytes(), java.nio.charset.StandardCharsets.ISO_8859_1);
                    return text.replace(from, to).getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
                }
            }
        }"#,
    ),
];

const MOCKS: &str = r#"
package shop;

import static org.junit.Assert.assertEquals;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;
import static org.mockito.Mockito.withSettings;

import org.junit.Test;
import org.mockito.MockMakers;

public class MockTest {
    @Test public void inline() {
        Stock stock = mock(Stock.class);
        when(stock.price("a")).thenReturn(new Price());
        assertEquals(5, stock.price("a").cents);
    }

    @Test public void subclass() {
        Port port = mock(Port.class, withSettings().mockMaker(MockMakers.SUBCLASS));
        when(port.ask(1)).thenReturn(new Price());
        assertEquals(5, port.ask(1).cents);
        System.out.println("made " + port.getClass().getName() + " from "
            + port.getClass().getProtectionDomain().getCodeSource().getLocation());
    }
}
"#;

/// It defines a class under another name, which is nowhere, and one under its own name with other bytes.
const DEFINED: &str = r#"
package shop;

import org.junit.Test;

public class DefinedTest {
    @Test @SuppressWarnings("unchecked") public void defines() throws Exception {
        byte[] bytes = Copied.bytes("shop/Copied", "shop/Capied");
        Class<?> type = java.lang.invoke.MethodHandles.lookup().defineClass(bytes);
        var made = (java.util.function.Supplier<Price>) type.getDeclaredConstructor().newInstance();
        org.junit.Assert.assertEquals(5, made.get().cents);
    }
}
"#;

const CHANGED: &str = r#"
package shop;

import org.junit.Assert;
import org.junit.Test;

public class ChangedTest {
    /// Defines a class of the library with other bytes and as from where it is.
    static class Changing extends ClassLoader {
        Class<?> change(Class<?> type) throws Exception {
            String file = type.getName().replace('.', '/') + ".class";
            try (java.io.InputStream in = type.getClassLoader().getResourceAsStream(file)) {
                String text = new String(in.readAllBytes(), java.nio.charset.StandardCharsets.ISO_8859_1);
                byte[] bytes = text.replace("expected same:<", "expected some:<")
                    .getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
                return defineClass(type.getName(), bytes, 0, bytes.length, type.getProtectionDomain());
            }
        }
    }

    @Test public void changes() throws Exception {
        Class<?> type = new Changing().change(Assert.class);
        try {
            type.getMethod("assertSame", Object.class, Object.class).invoke(null, "a", "b");
            Assert.fail("they are not the same");
        } catch (java.lang.reflect.InvocationTargetException e) {
            Assert.assertTrue(e.getCause().getMessage(), e.getCause().getMessage().startsWith("expected some:<"));
        }
    }
}
"#;

/// Records a test class and gives its trace.
fn trace_of(test: &str, source: &str) -> (Trace, String) {
    let file = format!("{}.java", test.replace('.', "/"));
    let sources = [&SOURCES[..], &[(&file, source)]].concat();
    let project = Project::with(&sources, MOCKITO);
    let output = project.run(&project.junit_4(&[test]));
    let told = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{told}{}", text(&output.stderr));
    let mut said = said(&output);
    // Who puts classes among those of the JDK is told so by the JVM.
    said.retain(|line| !line.starts_with("OpenJDK 64-Bit Server VM warning: Sharing"));
    assert_eq!(said, ["probity: recorded 1 unit: 1 passed, 0 failed, 0 skipped; 1 new trace"]);
    let [trace] = &project.traces()[..] else { panic!("one trace") };
    (trace.clone(), told)
}

fn counts(trace: &Trace, class: &str, why: Why) -> bool {
    trace.classes.iter().any(|used| &*used.name == class && used.is_there_because(why))
}

fn is_listed(trace: &Trace, part: &str) -> bool {
    trace.classes.iter().any(|used| used.name.contains(part))
}

#[test]
fn mocks_are_made_of_what_they_mock() {
    let (trace, told) = trace_of("shop.MockTest", MOCKS);
    assert!(told.contains("made shop.Port$MockitoMock$") && told.contains(" from file:"), "{told}");
    assert_eq!(trace.distrust, [""; 0]);
    assert!(!is_listed(&trace, "$MockitoMock$"));
    for class in ["shop/Port", "shop/Stock"] {
        assert!(counts(&trace, class, Why::Inspected), "{class}");
    }
    assert!(counts(&trace, "shop/Port", Why::Supertype));
    assert!(counts(&trace, "shop/Price", Why::Ran));
    assert!(is_listed(&trace, "net/bytebuddy/"), "what makes mocks ran");
}

#[test]
fn a_class_that_is_nowhere_is_made() {
    let (trace, _) = trace_of("shop.DefinedTest", DEFINED);
    assert_eq!(trace.distrust, [""; 0]);
    assert!(!is_listed(&trace, "Capied"));
    assert!(counts(&trace, "shop/Price", Why::Made) && counts(&trace, "shop/Copied", Why::Ran));
    assert!(trace.resources.iter().any(|resource| resource.name.ends_with("shop/Copied.class")));
}

#[test]
fn a_class_with_other_bytes_than_where_it_is_from_is_made() {
    let (trace, _) = trace_of("shop.ChangedTest", CHANGED);
    assert_eq!(trace.distrust, [""; 0]);
    assert!(trace.resources.iter().any(|resource| resource.name.ends_with("org/junit/Assert.class")));
}
