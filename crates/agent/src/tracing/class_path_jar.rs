//! Keeps the jar that is all of a class path.
//!
//! Build tools start test JVMs with a small jar whose manifest names the real class path, and remove it before anybody reads the
//! recording. It is copied beside the recording, as it is; what it means is found out later.

use probity_wire::StartMessage;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

/// What names others is small, and programs are not.
const LARGEST: u64 = 1 << 20;

/// How the copy's name ends; it begins as that of the recording.
const EXTENSION: &str = "jar";

/// Copies the jar if it is the only entry of the class path, and small.
pub(super) fn keep(start: &StartMessage, recording: &Path) {
    let property = |name: &[u8]| start.properties.iter().find(|(key, _)| key == name).map(|(_, value)| value);
    let Some(class_path) = property(b"java.class.path") else { return };
    let separator = property(b"path.separator").and_then(|separator| separator.first()).unwrap_or(&b':');
    if class_path.contains(separator) || !class_path.ends_with(b".jar") {
        return;
    }
    let jar = Path::new(OsStr::from_bytes(&start.directory)).join(OsStr::from_bytes(class_path));
    if std::fs::metadata(&jar).is_ok_and(|metadata| metadata.is_file() && metadata.len() <= LARGEST) {
        // Without the copy the class path counts as unknown.
        let _ = std::fs::copy(&jar, recording.with_extension(EXTENSION));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(class_path: &str, size: usize) -> Option<Vec<u8>> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("booter.jar"), vec![7; size]).unwrap();
        let start = StartMessage {
            directory: folder.path().as_os_str().as_bytes().to_vec(),
            properties: vec![(b"java.class.path".to_vec(), class_path.as_bytes().to_vec())],
            ..StartMessage::default()
        };
        keep(&start, &folder.path().join("1-2-0.recording"));
        std::fs::read(folder.path().join("1-2-0.jar")).ok()
    }

    #[test]
    fn a_small_jar_that_stands_alone_is_kept() {
        assert_eq!(kept("booter.jar", 3), Some(vec![7; 3]));
        assert_eq!(kept("booter.jar:other.jar", 3), None);
        assert_eq!(kept("missing.jar", 3), None);
        assert_eq!(kept("", 3), None);
        assert_eq!(kept("booter.jar", (1 << 20) + 1), None);
    }
}
