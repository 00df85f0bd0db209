//! Where the repository is.

use std::path::Path;

/// The root of the repository: the folder above this package, wherever the command is called from.
pub(crate) fn repository_root() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package)
}
