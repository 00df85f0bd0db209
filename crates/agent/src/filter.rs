//! Which classes are recorded: JaCoCo's rules, in its order.

use crate::options::Options;
use probity_instrument::Wildcards;

/// What is asked of the class loader and origin of a class; asking costs, so it is asked only when it matters.
pub(crate) trait Origin {
    /// Whether the bootstrap loader loads the class.
    fn is_bootstrap(&self) -> bool;
    /// Whether it is known where the class comes from.
    fn has_location(&self) -> bool;
    /// The internal name of the class of the class loader; nothing if it cannot be told.
    fn loader_class(&self) -> Option<Vec<u8>>;
    /// Where the class comes from, as a URL.
    fn location(&self) -> Option<Vec<u8>>;
    /// Whether a class loader of the JDK itself read the class there and nobody else had its bytes in hand.
    fn is_read_by_jdk(&self) -> bool;
    /// A number for the class loader, which it keeps.
    fn loader_number(&self) -> u64;
}

/// Patterns for the internal names of classes, which users may give with dots.
fn of_classes(patterns: &str) -> Wildcards {
    Wildcards::new(&patterns.replace('.', "/"))
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
            includes: of_classes(&options.includes),
            includes_all: options.includes == "*",
            excludes: of_classes(&options.excludes),
            excluded_loaders: of_classes(&options.exclclassloader),
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

    /// Whether a class counts for traces, whatever coverage is wanted of: all that the JDK does not bring, except what it makes
    /// for its own use.
    pub(crate) fn is_traced(&self, origin: &dyn Origin) -> bool {
        !origin.is_bootstrap() && !self.is_excluded_loader(origin)
    }

    fn is_excluded_loader(&self, origin: &dyn Origin) -> bool {
        origin.loader_class().is_some_and(|class| self.excluded_loaders.matches(&class))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_may_be_given_with_dots_or_slashes() {
        for (patterns, name) in [("a.B", "a/B"), ("a/B", "a/B"), ("x:a.*", "a/B")] {
            assert!(of_classes(patterns).matches(name.as_bytes()), "{patterns} {name}");
        }
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
        fn location(&self) -> Option<Vec<u8>> {
            self.location.then(|| b"file:/".to_vec())
        }
        fn is_read_by_jdk(&self) -> bool {
            true
        }
        fn loader_number(&self) -> u64 {
            1
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
