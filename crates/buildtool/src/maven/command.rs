//! The command line of Maven: which program, and the arguments that make it load the extension.
//!
//! What the user wrote stays as it is and in its order. Extensions that the user loads the same way are kept.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use probity_toolchain::{Environment, maven_programs, maven_search_places};

/// The property by which Maven finds extensions on its command line.
const EXTENSIONS: &str = "-Dmaven.ext.class.path=";

/// The wrapper that projects bring along.
const WRAPPER: &str = "mvnw";

/// No Maven was found; the places that were looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoMaven {
    /// The places, in their order.
    pub searched: Vec<String>,
}

/// The program to run: the wrapper of the project, in the folder or one above it up to the root, or else Maven as it is installed.
///
/// # Errors
///
/// Fails if there is none; it is not tried whether it works.
pub fn program(environment: &Environment, folder: &Path, root: &Path) -> Result<PathBuf, NoMaven> {
    let up_to_root = folder.ancestors().take_while(|above| above.starts_with(root));
    let wrapper = up_to_root.map(|above| above.join(WRAPPER)).find(|path| is_executable(path));
    wrapper.or_else(|| maven_programs(environment).into_iter().next()).ok_or_else(|| {
        let mut searched = vec![format!("{WRAPPER} in {}", folder.display())];
        searched.extend(maven_search_places(environment));
        NoMaven { searched }
    })
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}

/// The arguments of Maven, and the extensions that the user loads beside ours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arguments {
    /// What Maven is called with.
    pub words: Vec<OsString>,
    /// The user's own extensions, as one class path.
    pub own_extensions: Option<OsString>,
}

impl Arguments {
    /// The user's arguments with the extension. The root is where `.mvn` is, with more arguments of the user.
    #[must_use]
    pub fn with(extension: &Path, given: &[OsString], root: &Path) -> Self {
        let configured = fs::read_to_string(root.join(".mvn").join("maven.config")).unwrap_or_default();
        let configured = configured.split_whitespace().filter_map(|word| word.strip_prefix(EXTENSIONS));
        let named = given.iter().filter_map(|word| word.to_str()?.strip_prefix(EXTENSIONS));
        // The last one is the one that Maven takes.
        let own_extensions = configured.chain(named).last().map(OsString::from);
        let mut argument = OsString::from(EXTENSIONS);
        argument.push(extension);
        if let Some(own) = &own_extensions {
            argument.push(SEPARATOR);
            argument.push(own);
        }
        let mut words = vec![argument];
        words.extend(given.iter().filter(|word| !is_extensions(word)).cloned());
        Self { words, own_extensions }
    }
}

const SEPARATOR: &str = if cfg!(windows) { ";" } else { ":" };

fn is_extensions(word: &OsStr) -> bool {
    word.to_str().is_some_and(|word| word.starts_with(EXTENSIONS))
}

/// Whether Maven is only asked about itself, so that no build runs.
#[must_use]
pub fn is_question(given: &[OsString]) -> bool {
    const QUESTIONS: [&str; 4] = ["-v", "--version", "-h", "--help"];
    given.iter().any(|word| QUESTIONS.iter().any(|question| word == question))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<OsString> {
        text.split_whitespace().map(OsString::from).collect()
    }

    #[test]
    fn the_extension_comes_first_and_the_rest_stays() {
        let root = tempfile::tempdir().expect("temporary folder");
        let arguments = Arguments::with(Path::new("/x/e.jar"), &words("-B clean test -Dtest=A"), root.path());
        assert_eq!(arguments.words, words("-Dmaven.ext.class.path=/x/e.jar -B clean test -Dtest=A"));
        assert_eq!(arguments.own_extensions, None);
    }

    #[test]
    fn extensions_of_the_user_are_kept() {
        let root = tempfile::tempdir().expect("temporary folder");
        let given = words("-Dmaven.ext.class.path=/own.jar test");
        let arguments = Arguments::with(Path::new("/e.jar"), &given, root.path());
        assert_eq!(arguments.words, words("-Dmaven.ext.class.path=/e.jar:/own.jar test"));
        assert_eq!(arguments.own_extensions, Some("/own.jar".into()));
        fs::create_dir(root.path().join(".mvn")).expect("makes");
        fs::write(root.path().join(".mvn/maven.config"), "-T1\n-Dmaven.ext.class.path=/a.jar\n")
            .expect("writes");
        let arguments = Arguments::with(Path::new("/e.jar"), &words("test"), root.path());
        assert_eq!(arguments.words, words("-Dmaven.ext.class.path=/e.jar:/a.jar test"));
    }

    #[cfg(unix)]
    #[test]
    fn the_wrapper_of_the_project_comes_first() {
        use std::os::unix::fs::PermissionsExt as _;
        let root = tempfile::tempdir().expect("temporary folder");
        let module = root.path().join("module");
        fs::create_dir(&module).expect("makes");
        let nothing = Environment { root: root.path().to_owned(), ..Environment::default() };
        let missing = program(&nothing, &module, root.path()).expect_err("there is none");
        assert!(missing.searched.len() > 2, "{missing:?}");
        let wrapper = root.path().join(WRAPPER);
        fs::write(&wrapper, "").expect("writes");
        assert!(program(&nothing, &module, root.path()).is_err(), "it cannot be run");
        fs::set_permissions(&wrapper, fs::Permissions::from_mode(0o755)).expect("sets");
        assert_eq!(program(&nothing, &module, root.path()), Ok(wrapper));
        assert!(program(&nothing, &module, &module).is_err(), "it is above the root");
    }
}
