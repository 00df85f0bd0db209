//! Names as people write them: of packages, classes and methods.

/// A package name with dots; the unnamed package is called `default`.
pub(crate) fn package_name(name: &str) -> String {
    if name.is_empty() { "default".to_owned() } else { name.replace('/', ".") }
}

/// A class name without its package, with dots for nested classes; anonymous classes are named by what they extend.
pub(crate) fn class_name(name: &str, super_name: Option<&str>, interfaces: &[String]) -> String {
    let simple = name.rsplit('/').next().unwrap_or(name);
    let Some((enclosing, last)) = simple.rsplit_once('$') else { return simple.to_owned() };
    let anonymous = last.chars().next().is_some_and(|first| !is_identifier_start(first));
    if !anonymous {
        return simple.replace('$', ".");
    }
    let extended = interfaces.first().map(String::as_str).or(super_name);
    match extended {
        Some(extended) => {
            format!("{}.new {}() {{...}}", enclosing.replace('$', "."), class_name(extended, None, &[]))
        }
        None => simple.replace('$', "."),
    }
}

/// Whether Java lets an identifier start with a character.
fn is_identifier_start(character: char) -> bool {
    character.is_alphabetic() || matches!(character, '_' | '$')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_source() {
        assert_eq!(package_name(""), "default");
        assert_eq!(package_name("a/b"), "a.b");
        let object = Some("java/lang/Object");
        assert_eq!(class_name("a/B", object, &[]), "B");
        assert_eq!(class_name("a/B$C", object, &[]), "B.C");
        assert_eq!(class_name("a/B$1", object, &[]), "B.new Object() {...}");
        assert_eq!(class_name("a/B$C$2", object, &["x/Y$Z".to_owned()]), "B.C.new Y.Z() {...}");
        assert_eq!(class_name("a/B$", object, &[]), "B.");
    }
}
