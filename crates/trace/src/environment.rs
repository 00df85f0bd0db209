//! What is the same for all units of one JVM, and which settings belong to that rather than to the unit that reads them.

use crate::paths::relative;
use crate::trace::Environment;
use probity_shape::ContentId;
use probity_wire::StartMessage;

/// Options whose value is the next argument and names where classes are: they are told by the class path.
const CLASS_PATH_OPTIONS: [&str; 5] = ["-cp", "-classpath", "--class-path", "-p", "--module-path"];

/// Options whose value is the next argument and counts.
const VALUE_OPTIONS: [&str; 9] = [
    "--add-exports",
    "--add-modules",
    "--add-opens",
    "--add-reads",
    "--enable-native-access",
    "--finalization",
    "--limit-modules",
    "--patch-module",
    "--upgrade-module-path",
];

/// Properties of the machine on which results can depend everywhere, without anybody reading them by name.
const MACHINE: [&str; 7] =
    ["file.encoding", "os.arch", "os.name", "user.country", "user.language", "user.script", "user.variant"];

/// Environment variables that the JDK looks at without anybody asking, beside those with options.
const JVM_VARIABLES: [&str; 1] = ["TZ"];

/// Environment variables that are different in each shell or build and say nothing to tests.
const PASSING_VARIABLES: [&str; 12] = [
    "_",
    "COLUMNS",
    "LINES",
    "OLDPWD",
    "PWD",
    "SHLVL",
    "TERM",
    "JAVA_HOME",
    "MAVEN_CMD_LINE_ARGS",
    "MAVEN_PROJECTBASEDIR",
    "JAVA_TOOL_OPTIONS",
    "PROBITY_MAVEN_RUN",
];

/// All environment variables as one, without those that come and go.
pub fn hash_of_variables<'v>(variables: impl IntoIterator<Item = (&'v [u8], &'v [u8])>) -> ContentId {
    let is_passing = |name: &[u8]| PASSING_VARIABLES.iter().any(|passing| passing.as_bytes() == name);
    let mut all: Vec<(&[u8], &[u8])> = variables.into_iter().filter(|(name, _)| !is_passing(name)).collect();
    all.sort_unstable();
    let mut form = Vec::new();
    for text in all.into_iter().flat_map(|(name, value)| [name, value]) {
        form.extend((text.len() as u64).to_be_bytes());
        form.extend(text);
    }
    ContentId::of(&form)
}

/// The environment of a JVM.
pub(crate) fn environment(start: &StartMessage, class_path: &[String], project: Option<&str>) -> Environment {
    let told = ["java.runtime.version", "java.vm.version", "java.vendor"];
    let told: Vec<String> = told.iter().filter_map(|name| property(start, name)).collect();
    let mut flags: Vec<String> = flags(start).into_iter().map(|flag| movable(flag, project)).collect();
    for name in MACHINE {
        if let Some(value) = property(start, name).filter(|_| !is_given(start, name)) {
            flags.push(format!("-D{name}={value}"));
        }
    }
    for name in JVM_VARIABLES {
        let set = start.variables.iter().find(|(key, _)| key == name.as_bytes());
        flags.extend(set.map(|(_, value)| format!("{name}={}", text(value))));
    }
    Environment {
        agent: text(&start.agent),
        jdk: told.join(", "),
        flags,
        class_path: class_path.iter().map(|entry| relative(entry, project)).collect(),
    }
}

/// A system property with which the JVM started.
pub(crate) fn property(start: &StartMessage, name: &str) -> Option<String> {
    let found = start.properties.iter().find(|(key, _)| key == name.as_bytes());
    found.map(|(_, value)| text(value))
}

/// Whether a system property is a matter of the JDK or the machine, and not given on the command line.
pub(crate) fn is_of_machine(start: &StartMessage, name: &str) -> bool {
    is_usual(name) && !is_given(start, name)
}

/// Whether a system property is one that the JDK itself sets or looks at, so that it can matter to programs that do not read it.
#[must_use]
pub fn is_usual(name: &str) -> bool {
    const PREFIXES: [&str; 5] = ["java.", "os.", "user.", "sun.", "jdk."];
    const NAMES: [&str; 11] = [
        "file.separator",
        "line.separator",
        "path.separator",
        "file.encoding",
        "native.encoding",
        "stdin.encoding",
        "stdout.encoding",
        "stderr.encoding",
        "awt.toolkit",
        "java.home",
        "ftp.nonProxyHosts",
    ];
    PREFIXES.iter().any(|prefix| name.starts_with(prefix)) || NAMES.contains(&name)
}

/// Whether a property is set on the command line.
fn is_given(start: &StartMessage, name: &str) -> bool {
    options(start).iter().any(|option| {
        let set = option.strip_prefix("-D").and_then(|rest| rest.strip_prefix(name));
        set.is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
    })
}

/// The options that can change what a program does.
fn flags(start: &StartMessage) -> Vec<String> {
    options(start).into_iter().filter(|option| !is_own_agent(option)).collect()
}

/// An option that says the same wherever the project is.
fn movable(flag: String, project: Option<&str>) -> String {
    match project.map(|project| project.trim_end_matches('/')).filter(|project| !project.is_empty()) {
        Some(project) => flag.replace(&format!("{project}/"), "./"),
        None => flag,
    }
}

/// The options of the JVM, in their order, without where classes are; an option and its value are one.
fn options(start: &StartMessage) -> Vec<String> {
    let mut options = Vec::new();
    let mut arguments = start.arguments.iter().skip(1).map(|argument| text(argument));
    while let Some(argument) = arguments.next() {
        if CLASS_PATH_OPTIONS.contains(&argument.as_str()) {
            arguments.next();
        } else if VALUE_OPTIONS.contains(&argument.as_str()) {
            options.push(format!("{argument}={}", arguments.next().unwrap_or_default()));
        } else if ["-jar", "-m", "--module"].contains(&argument.as_str()) {
            break;
        } else if argument.starts_with('@')
            || argument.starts_with("--class-path=")
            || argument.starts_with("--module-path=")
        {
        } else if argument.starts_with('-') {
            options.push(argument);
        } else {
            // The main class; the rest is for the program.
            break;
        }
    }
    options
}

/// Whether an option loads Probity's own agent, whose version is told by itself.
fn is_own_agent(option: &str) -> bool {
    ["-agentpath:", "-agentlib:", "-javaagent:"].iter().any(|prefix| {
        option.strip_prefix(prefix).is_some_and(|agent| {
            let path = agent.split_once('=').map_or(agent, |(path, _)| path);
            path.rsplit(['/', '\\']).next().is_some_and(|file| file.contains("probity"))
        })
    })
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(arguments: &[&str], properties: &[(&str, &str)]) -> StartMessage {
        StartMessage {
            agent: b"0.1.0".to_vec(),
            arguments: arguments.iter().map(|argument| argument.as_bytes().to_vec()).collect(),
            properties: properties
                .iter()
                .map(|(key, value)| (key.as_bytes().to_vec(), value.as_bytes().to_vec()))
                .collect(),
            ..StartMessage::default()
        }
    }

    #[test]
    fn only_what_can_change_a_program_is_kept_of_the_command_line() {
        let start = start(
            &[
                "/jdk/bin/java",
                "-agentpath:/x/libprobity_agent.so=out=/tmp/y",
                "-javaagent:/m2/other.jar",
                "-cp",
                "/p/classes:/m2/a.jar",
                "--module-path=/mods",
                "-Dx=1",
                "-Dout=/p/target/out",
                "-Xmx1g",
                "--add-opens",
                "java.base/java.lang=ALL-UNNAMED",
                "-ea",
                "@/tmp/arguments",
                "org.Main",
                "-Dnot=this",
            ],
            &[("java.runtime.version", "17.0.1+12"), ("java.vendor", "Somebody"), ("file.encoding", "UTF-8")],
        );
        let environment = environment(&start, &["/p/classes".into(), "/m2/a.jar".into()], Some("/p"));
        assert_eq!(
            environment.flags,
            [
                "-javaagent:/m2/other.jar",
                "-Dx=1",
                "-Dout=./target/out",
                "-Xmx1g",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "-ea",
                "-Dfile.encoding=UTF-8",
            ]
        );
        assert_eq!(environment.jdk, "17.0.1+12, Somebody");
        assert_eq!(environment.class_path, ["classes", "/m2/a.jar"]);
        assert_eq!(environment.agent, "0.1.0");
    }

    #[test]
    fn properties_of_the_machine_count_for_a_unit_only_if_they_are_given() {
        let start = start(&["java", "-Duser.language=de", "-Duser.dir", "Main"], &[]);
        assert!(is_of_machine(&start, "user.home"));
        assert!(is_of_machine(&start, "line.separator"));
        assert!(!is_of_machine(&start, "user.language"));
        assert!(!is_of_machine(&start, "user.dir"));
        assert!(!is_of_machine(&start, "my.property"));
    }
}
