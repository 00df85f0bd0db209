//! Paths as text, without asking any file system: absolute, without `.` and `..`, relative to the project where they are
//! inside it.

/// Makes a path absolute against a folder and takes `.` and `..` out of it.
pub(crate) fn absolute(path: &str, folder: &str) -> String {
    let whole = if path.starts_with('/') { path.to_owned() } else { format!("{folder}/{path}") };
    let mut parts: Vec<&str> = Vec::new();
    for part in whole.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

/// Whether a path is a folder or inside it.
pub(crate) fn is_inside(path: &str, folder: &str) -> bool {
    let folder = folder.trim_end_matches('/');
    path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// A path relative to the project if it is inside it; the project itself is `.`.
#[must_use]
pub fn relative(path: &str, project: Option<&str>) -> String {
    let project = project.map(|project| project.trim_end_matches('/')).filter(|project| !project.is_empty());
    match project.and_then(|project| path.strip_prefix(project)) {
        Some("" | "/") => ".".to_owned(),
        Some(rest) if rest.starts_with('/') => rest.trim_start_matches('/').to_owned(),
        _ => path.to_owned(),
    }
}

/// The folder that a path is in.
pub(crate) fn parent(path: &str) -> Option<&str> {
    let (parent, _) = path.rsplit_once('/')?;
    Some(if parent.is_empty() { "/" } else { parent })
}

/// The path of a `file:` URL, also of one inside `jar:`; what stands behind the first `!/` is left out.
#[must_use]
pub fn path_of_url(url: &str) -> Option<String> {
    let rest = url.strip_prefix("jar:").unwrap_or(url);
    let rest = rest.strip_prefix("file:")?;
    let rest = rest.split_once("!/").map_or(rest, |(outer, _)| outer);
    // An empty host, as in `file:///`.
    let path = rest.strip_prefix("//").unwrap_or(rest);
    let path = percent_decoded(path)?;
    path.starts_with('/').then(|| absolute(&path, ""))
}

/// A text with its `%XX` made characters again.
#[must_use]
pub fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        rest = after;
        if first != b'%' {
            bytes.push(first);
            continue;
        }
        let (digits, after) = rest.split_at_checked(2)?;
        bytes.push(u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?);
        rest = after;
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_made_absolute_and_plain() {
        assert_eq!(absolute("a/./b/../c", "/work/p"), "/work/p/a/c");
        assert_eq!(absolute("/x//y/", "/work"), "/x/y");
        assert_eq!(absolute("../../../..", "/a/b"), "/");
    }

    #[test]
    fn paths_inside_the_project_are_relative() {
        assert_eq!(relative("/p/a/b", Some("/p/")), "a/b");
        assert_eq!(relative("/p", Some("/p")), ".");
        assert_eq!(relative("/pp/a", Some("/p")), "/pp/a");
        assert_eq!(relative("/p/a", None), "/p/a");
        assert!(is_inside("/proc/self", "/proc") && !is_inside("/process", "/proc"));
        assert_eq!(parent("/a/b"), Some("/a"));
        assert_eq!(parent("/a"), Some("/"));
    }

    #[test]
    fn urls_name_files() {
        assert_eq!(path_of_url("file:/a/b%20c/").as_deref(), Some("/a/b c"));
        assert_eq!(path_of_url("file:///a/b.jar").as_deref(), Some("/a/b.jar"));
        assert_eq!(path_of_url("jar:file:/a/b.jar!/BOOT-INF/lib/c.jar!/").as_deref(), Some("/a/b.jar"));
        for wrong in ["http://a/b", "file:relative", "file:/a%zz", "file:/a%4", "jrt:/java.base"] {
            assert_eq!(path_of_url(wrong), None, "{wrong}");
        }
    }
}
