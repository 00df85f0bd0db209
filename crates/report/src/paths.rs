//! Where source files are, for formats that name them by path.

/// Knows the paths of source files.
pub trait SourcePaths {
    /// The path of a source file of a package, which has slashes. The group is that of the bundle, as
    /// [`crate::ReportNode::bundles`] gives it.
    fn path(&self, group: &str, package: &str, file: &str) -> String;
}

/// Paths that start with the package: what is known without looking for sources.
#[derive(Clone, Copy, Debug, Default)]
pub struct PackagePaths;

impl SourcePaths for PackagePaths {
    fn path(&self, _group: &str, package: &str, file: &str) -> String {
        if package.is_empty() { file.to_owned() } else { format!("{package}/{file}") }
    }
}
