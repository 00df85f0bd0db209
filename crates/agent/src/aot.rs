//! Finds out whether the JVM was told to use an AOT cache, which it cannot use while classes are instrumented.
//!
//! A JVM that must use the cache (`-XX:AOTMode=on`) ends at once when an agent asks to see class files; one that may use
//! it runs without. The agent only reads the command line: it must know before it asks for anything.

/// What the JVM will do about an AOT cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AotCache {
    /// None was named.
    NotUsed,
    /// It will not be used while the agent records.
    Ignored,
    /// The JVM would end rather than run without it.
    Required,
}

/// Looks at the arguments of this process and the variables from which a JVM takes more.
pub(crate) fn of_this_process() -> AotCache {
    let command_line = std::fs::read("/proc/self/cmdline").unwrap_or_default();
    let arguments =
        command_line.split(|&byte| byte == 0).map(|one| String::from_utf8_lossy(one).into_owned());
    let variables = ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"].map(std::env::var);
    let more = variables.into_iter().flatten();
    let more: Vec<String> =
        more.flat_map(|value| value.split_whitespace().map(str::to_owned).collect::<Vec<_>>()).collect();
    look(arguments.chain(more))
}

fn look(arguments: impl Iterator<Item = String>) -> AotCache {
    let (mut named, mut required) = (false, false);
    for argument in arguments {
        if argument.starts_with("-XX:AOTCache=") {
            named = true;
        } else if let Some(mode) = argument.strip_prefix("-XX:AOTMode=") {
            required = matches!(mode, "on" | "required");
        }
    }
    match (named, required) {
        (false, _) => AotCache::NotUsed,
        (true, false) => AotCache::Ignored,
        (true, true) => AotCache::Required,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cache_and_mode_decide() {
        let look = |text: &str| look(text.split(' ').map(str::to_owned));
        assert_eq!(look("java -cp x Main"), AotCache::NotUsed);
        assert_eq!(look("java -XX:AOTCache=app.aot Main"), AotCache::Ignored);
        assert_eq!(look("java -XX:AOTMode=on -XX:AOTCache=app.aot Main"), AotCache::Required);
        assert_eq!(look("java -XX:AOTMode=auto -XX:AOTCache=app.aot Main"), AotCache::Ignored);
    }
}
