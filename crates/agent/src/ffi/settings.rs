//! Settings that everybody in a JVM shares, as values that can be compared: the default locales and the default time zone.
//!
//! They are read off the fields of the JDK. What cannot be read, in a JDK with other fields, is not known, and then counts as changed.

use super::jvm::{Jni, Jvmti};
use crate::tracing::Settings;
use probity_jvmti_sys::{jclass, jobject};
use std::ffi::CStr;
use std::sync::OnceLock;

const LOCALE: &CStr = c"Ljava/util/Locale;";
const ZONE: &CStr = c"Ljava/util/TimeZone;";

/// The settings as they are now.
pub(super) fn read(jni: Jni, jvmti: Jvmti) -> Settings {
    const REFERENCES: i32 = 32;
    jni.with_references(REFERENCES, || {
        let mut settings = locales(jni, jvmti)?;
        settings.push(zone(jni, jvmti)?);
        Some(settings.join("\n").into_bytes())
    })
}

/// The default locales. Those for texts and for formats are the same as the main one until somebody asks for them, unless the JVM
/// was told others.
fn locales(jni: Jni, jvmti: Jvmti) -> Option<Vec<String>> {
    let class = jni.find_class(c"java/util/Locale")?;
    // SAFETY: the class is a live reference, and the fields hold locales, whose class cannot be another. All references end with
    // the frame around this.
    let text = |name: &CStr| unsafe {
        match static_field(jni, class, name, LOCALE)? {
            None => Some(None),
            Some(locale) => jni.ask_text(locale, c"toString").map(Some),
        }
    };
    let main = text(c"defaultLocale")??;
    let mut locales = Vec::new();
    for name in [c"defaultDisplayLocale", c"defaultFormatLocale"] {
        locales.push(match text(name)? {
            Some(locale) => locale,
            None => is_one_locale(jvmti).then(|| main.clone())?,
        });
    }
    locales.push(main);
    Some(locales)
}

/// Whether the JVM was told of one locale at most.
fn is_one_locale(jvmti: Jvmti) -> bool {
    static IS_ONE: OnceLock<bool> = OnceLock::new();
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    *IS_ONE.get_or_init(|| {
        let is_special = |name: &[u8]| {
            name.starts_with(b"user.") && (name.ends_with(b".display") || name.ends_with(b".format"))
        };
        let by_machine = is_set("LC_ALL") || !is_set("LC_MESSAGES") && !is_set("LC_CTYPE");
        by_machine && !jvmti.properties().iter().any(|(name, _)| is_special(name))
    })
}

/// The default time zone. One of a class that is not the JDK's cannot be compared without running its code.
fn zone(jni: Jni, jvmti: Jvmti) -> Option<String> {
    let class = jni.find_class(c"java/util/TimeZone")?;
    // SAFETY: the class is a live reference and the field holds a time zone; as above.
    unsafe {
        match static_field(jni, class, c"defaultTimeZone", ZONE)? {
            None => Some("none yet".to_owned()),
            Some(zone) => {
                let class = jni.class_of(zone)?;
                let is_known = jvmti.class_name(class)? == b"sun/util/calendar/ZoneInfo";
                let id = jni.into_text(jni.held(zone, c"ID", c"Ljava/lang/String;")?);
                let numbers = [c"rawOffset", c"rawOffsetDiff", c"checksum", c"dstSavings"];
                let numbers: Option<Vec<i32>> =
                    numbers.into_iter().map(|name| jni.held_number(zone, name)).collect();
                is_known.then_some(format!("{id} {:?}", numbers?))
            }
        }
    }
}

/// What a static field holds, which may be null; nothing if there is no such field.
///
/// # Safety
///
/// `class` must be a live reference to a class, and the descriptor that of an object.
unsafe fn static_field(jni: Jni, class: jclass, name: &CStr, of_type: &CStr) -> Option<Option<jobject>> {
    let env = jni.env();
    // SAFETY: the caller's contract; the texts are C strings and the field is one of the class that holds an object.
    unsafe {
        let field = ((**env).v1_2.GetStaticFieldID)(env, class, name.as_ptr(), of_type.as_ptr());
        jni.made(field.cast())?;
        Some(jni.made(((**env).v1_2.GetStaticObjectField)(env, class, field)))
    }
}
