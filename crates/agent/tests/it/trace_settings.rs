//! Settings that everybody in a JVM shares: a unit that puts back what it found leaves nothing behind.

use crate::harness::said;
use crate::traces::{compile_files, trace};
use probity_test_support::java::{Program, test_jdks};
use probity_test_support::programs;

const SOURCES: &str = r#"
// file: Settings.java
import java.util.*;

public class Settings {
    static void put(Locale locale, TimeZone zone) {
        Locale.setDefault(locale);
        TimeZone.setDefault(zone);
    }
    static void inAnother(Runnable action) {
        Locale locale = Locale.getDefault();
        TimeZone zone = TimeZone.getDefault();
        put(Locale.GERMANY, TimeZone.getTimeZone("Asia/Tokyo"));
        try {
            action.run();
        } finally {
            put(locale, zone);
        }
    }
}
// file: RestoreTest.java
public class RestoreTest {
    @org.junit.Test public void restores() {
        Settings.inAnother(() -> org.junit.Assert.assertEquals("1,5", String.format("%.1f", 1.5)));
    }
}
// file: DisplayTest.java
public class DisplayTest {
    @org.junit.Test public void leavesALocale() {
        java.util.Locale.setDefault(java.util.Locale.Category.DISPLAY, java.util.Locale.FRANCE);
    }
}
// file: ZoneTest.java
public class ZoneTest {
    @org.junit.Test public void leavesAZone() {
        java.util.TimeZone zone = java.util.TimeZone.getDefault();
        zone.setRawOffset(zone.getRawOffset() + 1000);
        java.util.TimeZone.setDefault(zone);
    }
}
// file: SameTest.java
public class SameTest {
    @org.junit.Test public void setsWhatIsThere() {
        java.util.Locale.setDefault(java.util.Locale.getDefault());
    }
}
// file: OwnZoneTest.java
public class OwnZoneTest {
    @org.junit.Test public void restoresAZoneOfItsOwn() {
        java.util.TimeZone before = java.util.TimeZone.getDefault();
        java.util.TimeZone.setDefault(new java.util.SimpleTimeZone(5, "own"));
        Settings.inAnother(() -> {});
        java.util.TimeZone.setDefault(before);
    }
}
// file: PlainTest.java
public class PlainTest {
    @org.junit.Test public void reads() {
        java.util.Locale.getDefault();
        java.util.TimeZone.getDefault();
    }
}
"#;

#[test]
fn who_puts_settings_back_leaves_nothing_behind() {
    let libraries = programs::class_path(&[programs::JUNIT_4]).unwrap_or_else(|error| panic!("{error}"));
    for jdk in test_jdks() {
        let classes = compile_files(&jdk, SOURCES, &libraries);
        let places = libraries.iter().cloned().chain([classes.folder()]);
        let leaves = [
            ("RestoreTest", false),
            ("OwnZoneTest", false),
            ("DisplayTest", true),
            ("ZoneTest", true),
            ("SameTest", true),
            ("PlainTest", false),
        ];
        let program = Program::with(&jdk, "org.junit.runner.JUnitCore").class_path(places);
        let traced = trace(&leaves.iter().fold(program, |program, (test, _)| program.argument(*test)));
        assert_eq!(
            (traced.output.exit_code, said(&traced.output)),
            (Some(0), Vec::new()),
            "{}",
            traced.output
        );
        for (test, leaves) in leaves {
            let facts = traced.jvm().unit(test).used.facts;
            let is_told = facts.contains("shared written the default locale or time zone");
            assert_eq!(is_told, leaves, "{test}: {facts:?}");
        }
    }
}
