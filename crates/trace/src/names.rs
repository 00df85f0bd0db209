//! Names of classes as numbers, so that the closure compares numbers and not texts.

use std::collections::HashMap;
use std::sync::Arc;

/// The number of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NameId(pub(crate) u32);

/// All names that were met.
#[derive(Debug, Default)]
pub(crate) struct Names {
    ids: HashMap<Arc<str>, NameId>,
    texts: Vec<Arc<str>>,
}

impl Names {
    /// The number of a name.
    pub(crate) fn id(&mut self, name: &str) -> NameId {
        if let Some(&id) = self.ids.get(name) {
            return id;
        }
        let id = NameId(self.texts.len() as u32);
        let name: Arc<str> = name.into();
        self.texts.push(Arc::clone(&name));
        self.ids.insert(name, id);
        id
    }

    /// The number of a name that was met before.
    pub(crate) fn find(&self, name: &str) -> Option<NameId> {
        self.ids.get(name).copied()
    }

    /// The name of a number.
    pub(crate) fn text(&self, id: NameId) -> &str {
        self.texts.get(id.0 as usize).map_or("", |text| text)
    }

    /// The name of a number, to be kept.
    pub(crate) fn shared(&self, id: NameId) -> Arc<str> {
        self.texts.get(id.0 as usize).cloned().unwrap_or_default()
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.texts.len()
    }
}

/// The internal name of a class from one of the forms in which programs name classes: with dots, with slashes, or as the
/// descriptor of an array. Nothing for primitive types in arrays.
pub(crate) fn internal_name(name: &str) -> Option<String> {
    let name = match name.strip_prefix('[') {
        None => name,
        Some(array) => array.trim_start_matches('[').strip_prefix('L')?.trim_end_matches(';'),
    };
    (!name.is_empty()).then(|| name.replace('.', "/"))
}

/// The internal name of the top-level class in which a class is nested, or of the class itself.
pub(crate) fn top_level(internal_name: &str) -> &str {
    // A class may be called `$` and more, as in some languages: then it is at the top itself.
    let package = internal_name.rfind('/').map_or(0, |at| at + 1);
    match internal_name.get(package + 1..).and_then(|rest| rest.find('$')) {
        Some(at) => internal_name.get(..package + 1 + at).unwrap_or(internal_name),
        None => internal_name,
    }
}

/// Whether a name is one that the JDK gives to classes that it makes: lambdas, proxies, accessors. They are numbered as they come, so
/// another run has others, and nobody can put a class there.
pub(crate) fn is_of_made_by_jdk(internal_name: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let simple = internal_name.rsplit('/').next().unwrap_or_default();
    let is_proxy = simple.strip_prefix("$Proxy").is_some_and(is_number);
    let is_lambda = internal_name.contains("$$Lambda$") || internal_name.contains("$$Lambda/");
    let is_accessor = internal_name.contains("/reflect/Generated") && simple.contains("Accessor");
    is_proxy || is_lambda || is_accessor
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_the_jdk_makes_up_are_known() {
        for name in [
            "jdk/proxy1/$Proxy12",
            "com/sun/proxy/$Proxy1",
            "a/$Proxy7",
            "a/B$$Lambda$14",
            "a/B$$Lambda$14/0x0000000800c03000",
            "a/B$$Lambda/0x00007f1c5c0",
            "jdk/internal/reflect/GeneratedMethodAccessor3",
            "sun/reflect/GeneratedConstructorAccessor1",
        ] {
            assert!(is_of_made_by_jdk(name), "{name}");
        }
        for name in ["a/B", "a/$Proxy", "a/$ProxyX", "a/B$Lambda", "a/Proxy1", "a/reflect/GeneratedCode"] {
            assert!(!is_of_made_by_jdk(name), "{name}");
        }
    }

    #[test]
    fn all_forms_of_a_name_are_one() {
        for form in ["a.B$C", "a/B$C", "[La.B$C;", "[[La/B$C;"] {
            assert_eq!(internal_name(form).as_deref(), Some("a/B$C"), "{form}");
        }
        assert_eq!(internal_name("[[I"), None);
        assert_eq!(internal_name(""), None);
    }

    #[test]
    fn nested_classes_are_in_their_top_level_class() {
        assert_eq!(top_level("a/B$C$1"), "a/B");
        assert_eq!(top_level("a/B"), "a/B");
        assert_eq!(top_level("$B$C"), "$B");
        assert_eq!(top_level("a/$Proxy1"), "a/$Proxy1");
        assert_eq!(top_level(""), "");
    }
}
