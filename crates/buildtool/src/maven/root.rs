//! The folder to which a build belongs as a whole: there is one store for all of its modules.
//!
//! It is wanted before Maven runs, so POMs are looked at as texts: all that is asked of them is which modules they name.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// The folder of the POM that is built: what `-f` names, or the current one.
#[must_use]
pub fn built_folder(current: &Path, given: &[OsString]) -> PathBuf {
    let named = given.iter().enumerate().find_map(|(at, word)| {
        let word = word.to_str()?;
        if word == "-f" || word == "--file" {
            return given.get(at + 1).map(PathBuf::from);
        }
        word.strip_prefix("--file=").map(PathBuf::from)
    });
    let Some(named) = named else { return current.to_owned() };
    let path = current.join(named);
    if path.is_dir() { path } else { path.parent().map_or_else(|| current.to_owned(), Path::to_owned) }
}

/// The root of a build: the nearest folder with `.mvn`, as Maven has it; else the topmost folder whose POM has the folder below it as a
/// module, and so on down. It is never above the folder of the repository.
#[must_use]
pub fn root(built: &Path) -> PathBuf {
    let mut root = built;
    for folder in built.ancestors() {
        if folder.join(".mvn").is_dir() {
            return folder.to_owned();
        }
        if folder != built && has_module(folder, root) {
            root = folder;
        }
        if folder.join(".git").exists() {
            break;
        }
    }
    root.to_owned()
}

/// Whether the POM of a folder names another as a module.
fn has_module(folder: &Path, module: &Path) -> bool {
    let pom = fs::read_to_string(folder.join("pom.xml")).unwrap_or_default();
    let texts = ["<module>", "<subproject>"].into_iter().flat_map(|start| pom.split(start).skip(1));
    let mut named = texts.filter_map(|rest| rest.split('<').next()).map(|text| folder.join(text.trim()));
    // A module is a folder, or a POM in it.
    named.any(|path| path == module || path.parent() == Some(module) && path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_is_the_topmost_folder_that_has_the_others_as_modules() {
        let top = tempfile::tempdir().expect("temporary folder");
        let inner = top.path().join("all/part/module");
        fs::create_dir_all(&inner).expect("makes");
        assert_eq!(root(&inner), inner);
        let pom = |folder: &str, modules: &str| {
            fs::write(top.path().join(folder).join("pom.xml"), modules).expect("writes");
        };
        pom("", "<project/>");
        pom("all", "<modules>\n<module>other</module><module> part/pom.xml </module></modules>");
        pom("all/part", "<subprojects><subproject>module</subproject></subprojects>");
        pom("all/part/module", "<project/>");
        assert_eq!(root(&inner), top.path().join("all"));
        pom("all", "<module>part/module</module>");
        pom("all/part", "<project/>");
        assert_eq!(root(&inner), top.path().join("all"));
        fs::write(top.path().join("all/part/.git"), "").expect("writes");
        assert_eq!(root(&inner), inner);
        fs::create_dir(top.path().join("all/part/.mvn")).expect("makes");
        assert_eq!(root(&inner), top.path().join("all/part"));
    }

    #[test]
    fn the_pom_can_be_named() {
        let top = tempfile::tempdir().expect("temporary folder");
        let folder = top.path().join("app");
        fs::create_dir(&folder).expect("makes");
        let built = |words: &str| {
            let given: Vec<OsString> = words.split_whitespace().map(OsString::from).collect();
            built_folder(top.path(), &given)
        };
        assert_eq!(built("test"), top.path());
        assert_eq!(built("-f app test"), folder);
        assert_eq!(built("test --file app/pom.xml"), folder);
        assert_eq!(built("--file=app/other.xml"), folder);
        assert_eq!(built("test -f"), top.path());
    }
}
