//! Names as people write them: of packages, classes, source files and methods.
//!
//! They are JaCoCo's, since reports show them and users match rules against them.

/// A package name with dots; the unnamed package is called `default`.
#[must_use]
pub fn package_name(name: &str) -> String {
    if name.is_empty() { "default".to_owned() } else { name.replace('/', ".") }
}

/// A class name without its package, with dots for nested classes; anonymous classes are named by what they extend.
#[must_use]
pub fn class_name(name: &str, super_name: Option<&str>, interfaces: &[String]) -> String {
    let simple = without_package(name);
    let Some((enclosing, last)) = simple.rsplit_once('$') else { return simple.to_owned() };
    if !starts_anonymous_name(last) {
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

/// A class name with its package, all with dots.
#[must_use]
pub fn qualified_class_name(name: &str) -> String {
    name.replace(['/', '$'], ".")
}

/// A method as it is called in its class: `static {...}` for the initialiser of the class, `{...}` for the
/// constructor of an anonymous class, the name of the class for other constructors; parameter types without their packages.
#[must_use]
pub fn method_name(class: &str, name: &str, descriptor: &str) -> String {
    with_parameters(class, name, descriptor, |class| without_package(class).replace('$', "."))
}

/// A method with the names of its class and its parameter types in full.
#[must_use]
pub fn qualified_method_name(class: &str, name: &str, descriptor: &str) -> String {
    let method = with_parameters(class, name, descriptor, qualified_class_name);
    format!("{}.{method}", qualified_class_name(class))
}

fn with_parameters(class: &str, name: &str, descriptor: &str, type_name: impl Fn(&str) -> String) -> String {
    let name = match name {
        "<clinit>" => return "static {...}".to_owned(),
        "<init>" if is_anonymous(class) => return "{...}".to_owned(),
        "<init>" => without_package(class).replace('$', "."),
        other => other.to_owned(),
    };
    format!("{name}({})", parameter_types(descriptor, type_name).join(", "))
}

/// The types between the parentheses of a descriptor; nothing from where it is malformed.
fn parameter_types(descriptor: &str, type_name: impl Fn(&str) -> String) -> Vec<String> {
    let mut rest = descriptor.strip_prefix('(').and_then(|rest| rest.split(')').next()).unwrap_or_default();
    let mut types = Vec::new();
    while !rest.is_empty() {
        let element = rest.trim_start_matches('[');
        let dimensions = rest.len() - element.len();
        let Some((element, after)) = element_type(element, &type_name) else { break };
        types.push(element + &"[]".repeat(dimensions));
        rest = after;
    }
    types
}

/// The first type, which is no array, and what follows it.
fn element_type<'d>(text: &'d str, type_name: &impl Fn(&str) -> String) -> Option<(String, &'d str)> {
    let mut characters = text.chars();
    let name = match characters.next()? {
        'Z' => "boolean",
        'B' => "byte",
        'C' => "char",
        'S' => "short",
        'I' => "int",
        'J' => "long",
        'F' => "float",
        'D' => "double",
        'L' => {
            let (class, after) = characters.as_str().split_once(';')?;
            return Some((type_name(class), after));
        }
        _ => return None,
    };
    Some((name.to_owned(), characters.as_str()))
}

fn without_package(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

fn is_anonymous(class: &str) -> bool {
    without_package(class).rsplit_once('$').is_some_and(|(_, last)| starts_anonymous_name(last))
}

/// Whether what follows the last `$` of a name is no name that a source can give.
fn starts_anonymous_name(last: &str) -> bool {
    last.chars().next().is_some_and(|first| !is_identifier_start(first))
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
        assert_eq!(qualified_class_name("a/b/C$D"), "a.b.C.D");
    }

    #[test]
    fn methods_have_their_parameters() {
        assert_eq!(method_name("a/B", "<clinit>", "()V"), "static {...}");
        assert_eq!(method_name("a/B$C", "<init>", "(I)V"), "B.C(int)");
        assert_eq!(method_name("a/B$1", "<init>", "()V"), "{...}");
        let descriptor = "(ZBCSIJFD[[Ljava/util/Map$Entry;Lx/Y;[I)La/B;";
        assert_eq!(
            method_name("a/B", "m", descriptor),
            "m(boolean, byte, char, short, int, long, float, double, Map.Entry[][], Y, int[])"
        );
        assert_eq!(qualified_method_name("a/B$C", "m", "(Lx/Y$Z;)V"), "a.B.C.m(x.Y.Z)");
        assert_eq!(qualified_method_name("a/B", "<init>", "()V"), "a.B.B()");
    }

    #[test]
    fn malformed_descriptors_end_where_they_are_wrong() {
        for (descriptor, parameters) in [("", ""), ("(", ""), ("(IQ)V", "int"), ("(Lx", ""), ("([", "")] {
            assert_eq!(method_name("B", "m", descriptor), format!("m({parameters})"), "{descriptor}");
        }
    }
}
