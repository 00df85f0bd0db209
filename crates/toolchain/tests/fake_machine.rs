//! The search for tools, on machines that are made of a few folders.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use probity_toolchain::{Environment, Jdk, UnsuitableJdk, all_jdks, best_jdk, find_maven};
use tempfile::TempDir;

/// A machine whose root is a temporary folder.
struct Machine {
    root: TempDir,
}

impl Machine {
    fn new() -> Self {
        Machine { root: TempDir::new().expect("temporary folder") }
    }

    fn path(&self, relative: &str) -> PathBuf {
        fs::canonicalize(self.root.path()).expect("root exists").join(relative)
    }

    fn environment(&self) -> Environment {
        Environment { home: Some(self.path("home/user")), root: self.path(""), ..Environment::default() }
    }

    fn write(&self, relative: &str, text: &str) -> PathBuf {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().expect("a file has a folder")).expect("folder");
        fs::write(&path, text).expect("file");
        path
    }

    /// Writes a script from another process: a script that this process has open for writing while another test
    /// starts a program cannot be run, because the new process inherits the open file for a moment.
    fn program(&self, relative: &str, script: &str) -> PathBuf {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().expect("a file has a folder")).expect("folder");
        let written = Command::new("sh")
            .args(["-c", "printf '%s' \"$1\" > \"$2\" && chmod 755 \"$2\"", "sh", script])
            .arg(&path)
            .status()
            .expect("a shell");
        assert!(written.success(), "the script {} is written", path.display());
        path
    }

    fn runtime(&self, home: &str, version: &str) -> PathBuf {
        self.program(&format!("{home}/bin/java"), "#!/bin/sh\nexit 1\n");
        self.write(&format!("{home}/release"), &format!("JAVA_VERSION=\"{version}\"\n"));
        self.path(home)
    }

    fn jdk(&self, home: &str, version: &str) -> PathBuf {
        self.program(&format!("{home}/bin/javac"), "#!/bin/sh\nexit 1\n");
        self.runtime(home, version)
    }
}

fn homes(jdks: &[Jdk]) -> Vec<&Path> {
    jdks.iter().map(Jdk::home).collect()
}

#[test]
fn java_home_comes_first_and_the_usual_folders_newest_first() {
    let machine = Machine::new();
    let old = machine.jdk("usr/lib/jvm/java-8", "1.8.0_412");
    let new = machine.jdk("home/user/.sdkman/candidates/java/25-tem", "25.0.3");
    let opt = machine.jdk("opt/jdk-21", "21.0.2");
    let mac = machine.jdk("Library/Java/JavaVirtualMachines/x.jdk/Contents/Home", "11.0.2");
    let jdks_folder = machine.jdk("home/user/.jdks/corretto", "18");
    let wanted = machine.jdk("somewhere/jdk", "17.0.15");
    let environment = Environment { java_home: Some(wanted.clone()), ..machine.environment() };
    let found = all_jdks(&environment);
    assert_eq!(homes(&found), [&wanted, &new, &opt, &jdks_folder, &mac, &old]);
    assert_eq!(found.iter().map(Jdk::feature_version).collect::<Vec<_>>(), [17, 25, 21, 18, 11, 8]);
    assert_eq!(found[0].javap(), wanted.join("bin/javap"));
}

#[test]
fn a_jdk_that_is_reached_in_several_ways_is_found_once() {
    let machine = Machine::new();
    let home = machine.jdk("usr/lib/jvm/java-17-openjdk", "17.0.15");
    symlink(&home, machine.path("usr/lib/jvm/default")).expect("link to the home");
    fs::create_dir_all(machine.path("usr/bin")).expect("folder");
    symlink(home.join("bin/java"), machine.path("usr/bin/java")).expect("link to java");
    let environment = Environment {
        java_home: Some(machine.path("usr/lib/jvm/default")),
        path: Some(machine.path("usr/bin").into_os_string()),
        ..machine.environment()
    };
    assert_eq!(homes(&all_jdks(&environment)), [&home]);
}

#[test]
fn java_on_the_path_is_resolved_out_of_the_jre_folder_of_java_8() {
    let machine = Machine::new();
    let home = machine.jdk("elsewhere/jdk8", "1.8.0_412");
    let inner = machine.program("elsewhere/jdk8/jre/bin/java", "#!/bin/sh\n");
    fs::create_dir_all(machine.path("bin")).expect("folder");
    symlink(inner, machine.path("bin/java")).expect("link");
    let environment =
        Environment { path: Some(machine.path("bin").into_os_string()), ..machine.environment() };
    assert_eq!(homes(&all_jdks(&environment)), [&home]);
}

#[test]
fn the_best_jdk_is_the_preferred_one_that_is_new_enough() {
    let machine = Machine::new();
    let wanted = machine.jdk("somewhere/jdk", "17.0.15");
    let newest = machine.jdk("opt/jdk-25", "25");
    let environment = Environment { java_home: Some(wanted.clone()), ..machine.environment() };
    assert_eq!(best_jdk(&environment, 17).expect("17 is there").home(), wanted);
    assert_eq!(best_jdk(&environment, 18).expect("25 is there").home(), newest);
}

#[test]
fn a_missing_jdk_is_reported_with_what_was_seen() {
    let machine = Machine::new();
    let runtime = machine.runtime("usr/lib/jvm/runtime", "21");
    let old = machine.jdk("usr/lib/jvm/old", "11.0.1");
    let environment = Environment { java_home: Some(machine.path("gone")), ..machine.environment() };
    let error = best_jdk(&environment, 17).expect_err("nothing is new enough");
    assert_eq!(error.rejected.len(), 3);
    let text = error.to_string();
    for part in [
        "no JDK 17 or newer",
        "gone: no such folder",
        &format!("{}: no javac in its bin folder", runtime.display()),
        &format!("{}: is JDK 11", old.display()),
        &machine.path("opt/*").display().to_string(),
    ] {
        assert!(text.contains(part), "{part:?} is missing in: {text}");
    }
}

#[test]
fn without_a_release_file_java_is_asked() {
    let machine = Machine::new();
    machine.program("jdk/bin/javac", "#!/bin/sh\n");
    machine.program("jdk/bin/java", "#!/bin/sh\necho 'openjdk version \"19.0.2\" 2023-01-17' >&2\n");
    assert_eq!(Jdk::at(&machine.path("jdk")), Err(UnsuitableJdk::NoClassLibrary));
    machine.write("jdk/lib/modules", "");
    let jdk = Jdk::at(&machine.path("jdk")).expect("java tells its version");
    assert_eq!((jdk.version(), jdk.feature_version()), ("19.0.2", 19));
}

#[test]
fn a_java_that_tells_nothing_is_no_jdk() {
    let machine = Machine::new();
    let home = machine.jdk("jdk", "");
    assert_eq!(Jdk::at(&home), Err(UnsuitableJdk::NoVersion));
}

fn mvn(machine: &Machine, home: &str, version: &str) -> PathBuf {
    machine.program(&format!("{home}/bin/mvn"), &format!("#!/bin/sh\necho 'Apache Maven {version} (abc)'\n"))
}

#[test]
fn maven_is_found_by_variable_then_path_then_folder() {
    let machine = Machine::new();
    let debian = mvn(&machine, "usr/share/maven", "3.6.3");
    let mut environment = machine.environment();
    let found = find_maven(&environment).expect("Debian's folder");
    assert_eq!((found.program(), found.version()), (debian.as_path(), "3.6.3"));

    let on_path = mvn(&machine, "tools", "3.8.7");
    environment.path = Some(machine.path("tools/bin").into_os_string());
    assert_eq!(find_maven(&environment).expect("on the path").program(), on_path);

    let by_variable = mvn(&machine, "maven", "3.9.9");
    environment.maven_home = Some(machine.path("maven"));
    assert_eq!(find_maven(&environment).expect("by variable").program(), by_variable);
}

#[test]
fn a_broken_maven_is_passed_over_and_named() {
    let machine = Machine::new();
    machine.program("tools/bin/mvn", "#!/bin/sh\necho 'JAVA_HOME is not defined correctly' >&2\nexit 1\n");
    let environment =
        Environment { path: Some(machine.path("tools/bin").into_os_string()), ..machine.environment() };
    let error = find_maven(&environment).expect_err("no Maven works").to_string();
    assert!(error.contains("JAVA_HOME is not defined correctly"), "{error}");
    assert!(error.contains("MAVEN_HOME (not set)"), "{error}");

    mvn(&machine, "usr/share/maven", "3.6.3");
    assert_eq!(find_maven(&environment).expect("the next one works").version(), "3.6.3");
}
