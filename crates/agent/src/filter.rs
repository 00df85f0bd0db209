//! Which classes are recorded: JaCoCo's rules, in its order.

use crate::options::Options;

/// Names with `*` for any text and `?` for one character, separated by colons; one of them must fit the whole name.
#[derive(Clone, Debug)]
pub(crate) struct Wildcards(Vec<Vec<u8>>);

impl Wildcards {
    pub(crate) fn new(patterns: &str) -> Self {
        let with_slashes = |pattern: &str| pattern.replace('.', "/").into_bytes();
        Self(patterns.split(':').map(with_slashes).collect())
    }

    /// Whether a pattern fits the name, which has slashes.
    pub(crate) fn matches(&self, name: &[u8]) -> bool {
        self.0.iter().any(|pattern| fits(pattern, name))
    }
}

/// Whether a pattern fits a whole name. After a mismatch only the last `*` is tried again, so the time is bounded by the
/// product of the lengths.
fn fits(pattern: &[u8], name: &[u8]) -> bool {
    let (mut at, mut in_pattern) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    while at < name.len() {
        match pattern.get(in_pattern) {
            Some(b'*') => {
                retry = Some((in_pattern + 1, at));
                in_pattern += 1;
            }
            Some(&wanted) if wanted == b'?' || name.get(at) == Some(&wanted) => {
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

/// What is asked of the class loader and origin of a class; asking costs, so it is asked only when it matters.
pub(crate) trait Origin {
    /// Whether the bootstrap loader loads the class.
    fn is_bootstrap(&self) -> bool;
    /// Whether it is known where the class comes from.
    fn has_location(&self) -> bool;
    /// The internal name of the class of the class loader; nothing if it cannot be told.
    fn loader_class(&self) -> Option<Vec<u8>>;
}

/// Decides for each class.
#[derive(Clone, Debug)]
pub(crate) struct Filter {
    includes: Wildcards,
    /// Every class is included: the usual case, which needs no matching.
    includes_all: bool,
    excludes: Wildcards,
    excluded_loaders: Wildcards,
    bootstrap: bool,
    without_location: bool,
}

impl Filter {
    pub(crate) fn new(options: &Options) -> Self {
        Self {
            includes: Wildcards::new(&options.includes),
            includes_all: options.includes == "*",
            excludes: Wildcards::new(&options.excludes),
            excluded_loaders: Wildcards::new(&options.exclclassloader),
            bootstrap: options.inclbootstrapclasses,
            without_location: options.inclnolocationclasses,
        }
    }

    /// Whether a class of this internal name and origin is recorded.
    pub(crate) fn accepts(&self, name: &[u8], origin: &dyn Origin) -> bool {
        let by_origin = if origin.is_bootstrap() {
            self.bootstrap
        } else {
            (self.without_location || origin.has_location()) && !self.is_excluded_loader(origin)
        };
        by_origin && (self.includes_all || self.includes.matches(name)) && !self.excludes.matches(name)
    }

    fn is_excluded_loader(&self, origin: &dyn Origin) -> bool {
        origin.loader_class().is_some_and(|class| self.excluded_loaders.matches(&class))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wildcards_fit_whole_names() {
        let cases = [
            ("*", "a/B", true),
            ("a.*", "a/B", true),
            ("a.*", "ab/C", false),
            ("*.B", "x/y/B", true),
            ("a.?", "a/B", true),
            ("a.?", "a/BC", false),
            ("a.B", "a/B", true),
            ("a/B", "a/B", true),
            ("*a*b*", "xxaxxbxx", true),
            ("*a*b*", "xxbxxaxx", false),
            ("x:a.*", "a/B", true),
            ("", "a/B", false),
            ("", "", true),
        ];
        for (patterns, name, expected) in cases {
            assert_eq!(Wildcards::new(patterns).matches(name.as_bytes()), expected, "{patterns} {name}");
        }
    }

    #[test]
    fn many_stars_take_no_time() {
        let name = "a".repeat(5000);
        assert!(
            !Wildcards::new(&"*a".repeat(200).replace('.', "").chars().chain(['b']).collect::<String>())
                .matches(name.as_bytes())
        );
    }

    struct From {
        bootstrap: bool,
        location: bool,
        loader: &'static str,
    }

    impl Origin for From {
        fn is_bootstrap(&self) -> bool {
            self.bootstrap
        }
        fn has_location(&self) -> bool {
            self.location
        }
        fn loader_class(&self) -> Option<Vec<u8>> {
            Some(self.loader.as_bytes().to_vec())
        }
    }

    #[test]
    fn origin_and_name_decide() {
        let filter = |options: &str| Filter::new(&Options::parse(options).unwrap());
        let boot = From { bootstrap: true, location: false, loader: "" };
        let app = From { bootstrap: false, location: true, loader: "x/Loader" };
        let made = From { bootstrap: false, location: false, loader: "x/Loader" };
        let delegating =
            From { bootstrap: false, location: true, loader: "sun/reflect/DelegatingClassLoader" };
        assert!(filter("").accepts(b"a/B", &app));
        assert!(!filter("").accepts(b"a/B", &boot));
        assert!(filter("inclbootstrapclasses=true").accepts(b"a/B", &boot));
        assert!(!filter("").accepts(b"a/B", &made));
        assert!(filter("inclnolocationclasses=true").accepts(b"a/B", &made));
        assert!(!filter("").accepts(b"a/B", &delegating));
        assert!(!filter("exclclassloader=x.*").accepts(b"a/B", &app));
        assert!(!filter("excludes=a.*").accepts(b"a/B", &app));
        assert!(!filter("includes=b.*").accepts(b"a/B", &app));
    }
}
