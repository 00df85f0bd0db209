//! Java's version numbers, in the forms that have been in use since Java 1.0.
//!
//! This module only reads text. It must never guess: what is not a version number gives nothing.

/// The feature version in a Java version number: 8 for `1.8.0_412`, 17 for `17.0.15+6`, 25 for `25-ea`.
#[must_use]
pub fn feature_version(version: &str) -> Option<u32> {
    let mut numbers = version.split(|c: char| !c.is_ascii_digit());
    let first: u32 = numbers.next()?.parse().ok()?;
    if first == 1 { numbers.next()?.parse().ok() } else { Some(first) }
}

/// The value of `JAVA_VERSION` in the text of a JDK's `release` file.
pub(crate) fn version_in_release_file(text: &str) -> Option<&str> {
    text.lines()
        .find_map(|line| line.trim().strip_prefix("JAVA_VERSION="))
        .map(|value| value.trim_matches('"'))
}

/// The version in what `java -version` prints: the quoted word of the first line that says `version`.
pub(crate) fn version_in_java_output(text: &str) -> Option<&str> {
    let line = text.lines().find(|line| line.contains(" version \""))?;
    line.split('"').nth(1)
}

/// The version in what `mvn -version` prints.
pub(crate) fn version_in_maven_output(text: &str) -> Option<String> {
    let plain = without_colours(text);
    let line = plain.lines().find_map(|line| line.trim().strip_prefix("Apache Maven "))?;
    line.split_whitespace().next().map(str::to_owned)
}

/// The text without terminal colour sequences, which Maven prints even where there is no terminal.
fn without_colours(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("\u{1b}[") {
        plain.push_str(&rest[..start]);
        let sequence = &rest[start + 2..];
        let end = sequence.find(|c: char| c.is_ascii_alphabetic()).map_or(sequence.len(), |at| at + 1);
        rest = &sequence[end..];
    }
    plain.push_str(rest);
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn feature_versions_of_all_forms() {
        assert_eq!(feature_version("1.4.2_19"), Some(4));
        assert_eq!(feature_version("1.8.0_412"), Some(8));
        assert_eq!(feature_version("9"), Some(9));
        assert_eq!(feature_version("17.0.15"), Some(17));
        assert_eq!(feature_version("25-ea"), Some(25));
        assert_eq!(feature_version("26.0.1+8-LTS"), Some(26));
    }

    #[test]
    fn no_version_is_guessed() {
        assert_eq!(feature_version(""), None);
        assert_eq!(feature_version("1"), None);
        assert_eq!(feature_version("Temurin-25"), None);
    }

    #[test]
    fn release_file_is_read_by_key() {
        let text = "IMPLEMENTOR=\"A\"\nJAVA_RUNTIME_VERSION=\"21.0.2+13\"\nJAVA_VERSION=\"21.0.2\"\n";
        assert_eq!(version_in_release_file(text), Some("21.0.2"));
        assert_eq!(version_in_release_file("JAVA_RUNTIME_VERSION=\"21\"\n"), None);
    }

    #[test]
    fn java_output_may_start_with_other_lines() {
        let text =
            "Picked up JAVA_TOOL_OPTIONS: -Xmx1g\nopenjdk version \"17.0.15\" 2025-04-15\nOpenJDK 64-Bit\n";
        assert_eq!(version_in_java_output(text), Some("17.0.15"));
        assert_eq!(version_in_java_output("no such thing"), None);
    }

    #[test]
    fn maven_output_is_read_through_its_colours() {
        assert_eq!(
            version_in_maven_output("\u{1b}[1mApache Maven 3.8.7\u{1b}[m\nMaven home: /x\n").as_deref(),
            Some("3.8.7")
        );
        assert_eq!(
            version_in_maven_output("Apache Maven 4.0.0-rc-3 (3952d00)\n").as_deref(),
            Some("4.0.0-rc-3")
        );
        assert_eq!(version_in_maven_output("command not found"), None);
    }
}
