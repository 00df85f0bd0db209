//! What units are called: the names of top-level test classes.

/// The top-level class of a class, by name with dots: what stands in front of the first `$` that does not start a simple name.
pub(crate) fn top_level(class: &str) -> &str {
    let simple = class.rfind('.').map_or(0, |dot| dot + 1);
    let name = class.get(simple..).unwrap_or_default();
    let end = name.char_indices().skip(1).find(|&(_, letter)| letter == '$').map(|(at, _)| at);
    class.get(..simple + end.unwrap_or(name.len())).unwrap_or(class)
}

/// The units that an id of the JUnit Platform belongs to, the outermost first and the one that it names itself last.
///
/// An id is a path of parts such as `[engine:junit-jupiter]/[class:a.B]/[method:c()]`. Below an engine that has no
/// classes everything is one unit, named after the engine. An engine itself belongs to no unit.
pub(crate) fn units_of_platform_id(id: &str) -> Vec<String> {
    let parts: Vec<(&str, &str)> = id.split('/').filter_map(part).collect();
    let mut units: Vec<String> = Vec::new();
    for (kind, value) in &parts {
        if is_class(kind) {
            let unit = top_level(&decoded(value)).to_owned();
            units.retain(|other| *other != unit);
            units.push(unit);
        }
    }
    let engine = parts.iter().rposition(|(kind, _)| *kind == "engine");
    if units.is_empty()
        && let Some((_, name)) = engine.filter(|at| at + 1 < parts.len()).and_then(|at| parts.get(at))
    {
        units.push(engine_unit(&decoded(name)));
    }
    units
}

/// The units of which a test may be, by the forms that ids have: those of the JUnit Platform, `method(class)`, `class.method` and
/// the class alone.
pub(crate) fn units_of_test(id: &str) -> Vec<String> {
    if id.starts_with("[engine:") {
        return units_of_platform_id(id).pop().into_iter().collect();
    }
    let before_dot = id.rsplit_once('.').map(|(class, _)| class);
    let classes = in_brackets(id).into_iter().chain(before_dot).chain([id]);
    classes.map(|class| top_level(class).to_owned()).collect()
}

/// The class in a name that JUnit 4 shows of a test, `method(class)`, or of a class.
pub(crate) fn class_of_junit4_name(name: &str) -> &str {
    in_brackets(name).unwrap_or(name)
}

fn in_brackets(id: &str) -> Option<&str> {
    id.strip_suffix(')').and_then(|id| id.rsplit_once('(')).map(|(_, class)| class)
}

/// The unit of an engine that has no classes.
pub(crate) fn engine_unit(engine: &str) -> String {
    format!("engine {engine}")
}

/// Whether a unit is that of an engine. No class has such a name.
pub(crate) fn is_engine_unit(unit: &str) -> bool {
    unit.starts_with("engine ")
}

/// The engine that an id of the JUnit Platform stands for, if it is that of an engine.
pub(crate) fn engine_of_platform_id(id: &str) -> Option<String> {
    let (kind, value) = part(id).filter(|_| !id.contains('/'))?;
    (kind == "engine").then(|| decoded(value))
}

/// Adds a part to an id of the JUnit Platform, written as the platform does.
pub(crate) fn add_platform_part(id: &mut String, kind: &str, value: &str) {
    if !id.is_empty() {
        id.push('/');
    }
    id.push('[');
    encode(kind, id);
    id.push(':');
    encode(value, id);
    id.push(']');
}

/// Letters that have a meaning in ids are written as numbers.
fn encode(text: &str, to: &mut String) {
    for letter in text.chars() {
        match letter {
            '%' => to.push_str("%25"),
            '+' => to.push_str("%2B"),
            '[' => to.push_str("%5B"),
            ']' => to.push_str("%5D"),
            ':' => to.push_str("%3A"),
            '/' => to.push_str("%2F"),
            other => to.push(other),
        }
    }
}

fn part(text: &str) -> Option<(&str, &str)> {
    text.strip_prefix('[')?.strip_suffix(']')?.split_once(':')
}

/// The kinds of parts that are top-level classes, in the engines that there are.
fn is_class(kind: &str) -> bool {
    matches!(kind, "class" | "runner" | "spec" | "suite" | "class-template" | "test-class")
}

/// Undoes what ids do to letters that have a meaning in them.
fn decoded(value: &str) -> String {
    let mut text = Vec::new();
    let mut rest = value.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        match (byte, after) {
            (b'%', &[high, low, ..]) => match (hex(high), hex(low)) {
                (Some(high), Some(low)) => {
                    text.push(high << 4 | low);
                    rest = after.get(2..).unwrap_or_default();
                }
                _ => text.push(byte),
            },
            (b'+', _) => text.push(b' '),
            _ => text.push(byte),
        }
    }
    String::from_utf8_lossy(&text).into_owned()
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).map(|digit| digit as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_classes_belong_to_their_top_level_class() {
        for (class, top) in
            [("a.B", "a.B"), ("a.B$C$D", "a.B"), ("B$1", "B"), ("a.$B", "a.$B"), ("a.$B$C", "a.$B")]
        {
            assert_eq!(top_level(class), top);
        }
    }

    #[test]
    fn ids_of_the_platform_name_units() {
        let units = |id: &str| units_of_platform_id(id).join(" < ");
        assert_eq!(units("[engine:junit-jupiter]"), "");
        assert_eq!(units("[engine:junit-jupiter]/[class:a.B]"), "a.B");
        assert_eq!(units("[engine:junit-jupiter]/[class:a.B]/[nested-class:C]/[method:d(int)]"), "a.B");
        assert_eq!(units("[engine:junit-vintage]/[runner:a.B]/[test:c%5B0%5D]"), "a.B");
        let suite =
            "[engine:junit-platform-suite]/[suite:a.S]/[engine:junit-jupiter]/[class:a.B]/[method:c()]";
        assert_eq!(units(suite), "a.S < a.B");
        assert_eq!(units("[engine:cucumber]"), "");
        assert_eq!(units("[engine:cucumber]/[feature:x]/[scenario:1]"), "engine cucumber");
        assert_eq!(units("[engine:spock]/[spec:a.B%24C]"), "a.B");
        assert_eq!(engine_of_platform_id("[engine:cucumber]").as_deref(), Some("cucumber"));
        assert_eq!(engine_of_platform_id("[engine:cucumber]/[feature:x]"), None);
    }

    #[test]
    fn ids_of_tests_name_units() {
        assert_eq!(units_of_test("[engine:junit-jupiter]/[class:a.B]/[method:c()]"), ["a.B"]);
        assert_eq!(units_of_test("c(a.B$D)").first().map(String::as_str), Some("a.B"));
        assert_eq!(units_of_test("a.B.c"), ["a.B", "a.B.c"]);
        assert_eq!((class_of_junit4_name("c[1](a.B)"), class_of_junit4_name("a.B")), ("a.B", "a.B"));
    }

    #[test]
    fn ids_of_the_platform_are_written_as_it_writes_them() {
        let mut id = String::new();
        for (kind, value) in [("engine", "junit-jupiter"), ("class", "a.B"), ("method", "c([I, x/y)")] {
            add_platform_part(&mut id, kind, value);
        }
        assert_eq!(id, "[engine:junit-jupiter]/[class:a.B]/[method:c(%5BI, x%2Fy)]");
        assert_eq!(units_of_platform_id(&id), ["a.B"]);
    }
}
