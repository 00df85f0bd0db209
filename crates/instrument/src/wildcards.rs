//! Patterns for names, as JaCoCo's users write them.
//!
//! They stand here because both the agent, which asks which classes to record, and the coverage rules, which ask which
//! elements to check, are built on this crate. What a name looks like, with slashes or with dots, is the caller's affair.

/// Patterns with `*` for any text and `?` for one character; one of them must fit the whole name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wildcards(Vec<Vec<u8>>);

impl Wildcards {
    /// Patterns that are separated by colons. No text at all fits only the empty name.
    #[must_use]
    pub fn new(patterns: &str) -> Self {
        // As in Java, where splitting leaves out the empty parts at the end.
        let patterns = patterns.trim_end_matches(':');
        Self(patterns.split(':').map(|pattern| pattern.as_bytes().to_vec()).collect())
    }

    /// Whether a pattern fits the name, which is UTF-8 or the JVM's variant of it.
    #[must_use]
    pub fn matches(&self, name: &[u8]) -> bool {
        self.0.iter().any(|pattern| fits(pattern, name))
    }
}

/// Whether a pattern fits a whole name. After a mismatch only the last `*` is tried again, so the time is bounded by the
/// product of the lengths.
fn fits(pattern: &[u8], name: &[u8]) -> bool {
    let (mut at, mut in_pattern) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    while let Some(&byte) = name.get(at) {
        match pattern.get(in_pattern) {
            Some(b'*') => {
                retry = Some((in_pattern + 1, at));
                in_pattern += 1;
            }
            Some(b'?') => {
                at = end_of_character(name, at);
                in_pattern += 1;
            }
            Some(&wanted) if wanted == byte => {
                at += 1;
                in_pattern += 1;
            }
            _ => match retry {
                Some((behind_star, from)) => {
                    retry = Some((behind_star, from + 1));
                    in_pattern = behind_star;
                    at = from + 1;
                }
                None => return false,
            },
        }
    }
    pattern.get(in_pattern..).unwrap_or_default().iter().all(|&byte| byte == b'*')
}

/// Where the character ends of which a byte is at a position: behind the bytes that continue it.
fn end_of_character(name: &[u8], at: usize) -> usize {
    let rest = name.get(at + 1..).unwrap_or_default();
    at + 1 + rest.iter().take_while(|&&byte| byte & 0xC0 == 0x80).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wildcards_fit_whole_names() {
        let cases = [
            ("*", "a/B", true),
            ("*", "", true),
            ("a/*", "a/B", true),
            ("a/*", "ab/C", false),
            ("*/B", "x/y/B", true),
            ("a/?", "a/B", true),
            ("a/?", "a/BC", false),
            ("a/?", "a/", false),
            ("a.B", "a/B", false),
            ("a/B", "a/B", true),
            ("*a*b*", "xxaxxbxx", true),
            ("*a*b*", "xxbxxaxx", false),
            ("x:a/*", "a/B", true),
            ("", "a/B", false),
            ("", "", true),
            (":", "", true),
            ("a:", "", false),
            (":a", "", true),
        ];
        for (patterns, name, expected) in cases {
            assert_eq!(Wildcards::new(patterns).matches(name.as_bytes()), expected, "{patterns} {name}");
        }
    }

    #[test]
    fn a_character_may_have_several_bytes() {
        for (pattern, name, expected) in [
            ("?", "é", true),
            ("??", "é", false),
            ("*?", "€", true),
            ("*??", "€", false),
            ("a?b", "a€b", true),
            ("*?b", "€b", true),
            ("é*", "éa", true),
        ] {
            assert_eq!(Wildcards::new(pattern).matches(name.as_bytes()), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn many_stars_take_no_time() {
        let pattern = "*a".repeat(200) + "b";
        assert!(!Wildcards::new(&pattern).matches("a".repeat(5000).as_bytes()));
    }
}
