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

/// Looks at the arguments of this process, the files that they name, and the variables from which a JVM takes more.
pub(crate) fn of_this_process() -> AotCache {
    let command_line = std::fs::read("/proc/self/cmdline").unwrap_or_default();
    let arguments =
        command_line.split(|&byte| byte == 0).map(|one| String::from_utf8_lossy(one).into_owned());
    let variables = ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"].map(std::env::var);
    let more = variables.into_iter().flatten();
    let more: Vec<String> =
        more.flat_map(|value| value.split_whitespace().map(str::to_owned).collect::<Vec<_>>()).collect();
    look(arguments.chain(more).flat_map(with_content))
}

/// An argument, followed by those in the file that it names, if it names one.
fn with_content(argument: String) -> Vec<String> {
    let file = argument.strip_prefix('@').or_else(|| argument.strip_prefix("-XX:VMOptionsFile="));
    let content = file.and_then(|file| std::fs::read(file).ok()).unwrap_or_default();
    let text = String::from_utf8_lossy(&content);
    let in_file = text.lines().map(str::trim).filter(|line| !line.starts_with('#'));
    let in_file =
        in_file.flat_map(str::split_whitespace).map(|word| word.trim_matches(['"', '\'']).to_owned());
    let in_file: Vec<String> = in_file.collect();
    std::iter::once(argument).chain(in_file).collect()
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
    fn files_of_arguments_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("arguments");
        std::fs::write(&file, "# -XX:AOTMode=off\n-cp x \"-XX:AOTCache=app.aot\"\n-XX:AOTMode=on\n").unwrap();
        for prefix in ["@", "-XX:VMOptionsFile="] {
            let arguments = ["java".to_owned(), format!("{prefix}{}", file.display())];
            assert_eq!(look(arguments.into_iter().flat_map(with_content)), AotCache::Required);
        }
        assert_eq!(with_content("@not-there".to_owned()), ["@not-there"]);
    }

    #[test]
    fn cache_and_mode_decide() {
        let look = |text: &str| look(text.split(' ').map(str::to_owned));
        assert_eq!(look("java -cp x Main"), AotCache::NotUsed);
        assert_eq!(look("java -XX:AOTCache=app.aot Main"), AotCache::Ignored);
        assert_eq!(look("java -XX:AOTMode=on -XX:AOTCache=app.aot Main"), AotCache::Required);
        assert_eq!(look("java -XX:AOTMode=auto -XX:AOTCache=app.aot Main"), AotCache::Ignored);
    }
}
