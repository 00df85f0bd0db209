//! Writes the pages of an HTML report on all cores.

use crate::source_folders::SourceFolders;
use crate::source_text::{Encoding, read_text};
use probity_report::{HtmlSite, LineUnits, Page, Report, is_page};
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Where sources are, and how they are written.
#[derive(Clone, Copy, Debug)]
pub struct Sources<'s> {
    /// The folders.
    pub folders: &'s SourceFolders,
    /// The encoding.
    pub encoding: Encoding,
}

/// A source file that is shown all the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OddSource {
    /// The file.
    pub path: PathBuf,
    /// What is odd about it.
    pub problem: String,
}

/// A file that could not be written.
#[derive(Debug)]
pub struct NotWritten {
    /// The file.
    pub path: PathBuf,
    /// Why.
    pub error: io::Error,
}

/// Whether a folder has a report that this program has made.
#[must_use]
pub fn is_report(folder: &Path) -> bool {
    let mut start = String::new();
    let file = fs::File::open(folder.join("index.html"));
    file.is_ok_and(|file| file.take(1024).read_to_string(&mut start).is_ok()) && is_page(&start)
}

/// Writes a report into a folder, with the units behind each line if they are known. Gives the sources that are not as they should be.
///
/// # Errors
///
/// Fails at the first file that cannot be written.
pub fn write(
    report: &Report,
    notes: Vec<String>,
    sources: Sources<'_>,
    units: Option<&LineUnits>,
    folder: &Path,
    threads: usize,
) -> Result<Vec<OddSource>, NotWritten> {
    let mut site = HtmlSite::new(report, notes);
    if let Some(units) = units {
        site = site.with_units(units);
    }
    make_folders(&site, folder)?;
    for (path, text) in site.assets() {
        write_file(&folder.join(path), &text)?;
    }
    let next = AtomicUsize::new(0);
    let odd = Mutex::new(Vec::new());
    let failed = Mutex::new(None);
    let work = || {
        while let Some(page) = site.pages().get(next.fetch_add(1, Ordering::Relaxed)) {
            match write_page(&site, page, sources, folder) {
                Ok(None) => {}
                Ok(Some(found)) => lock(&odd).push(found),
                Err(error) => {
                    lock(&failed).get_or_insert(error);
                    next.store(usize::MAX / 2, Ordering::Relaxed);
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, site.pages().len()) {
            scope.spawn(work);
        }
    });
    if let Some(error) = lock(&failed).take() {
        return Err(error);
    }
    let mut odd = std::mem::take(&mut *lock(&odd));
    odd.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(odd)
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn make_folders(site: &HtmlSite<'_>, folder: &Path) -> Result<(), NotWritten> {
    let of_pages =
        site.pages().iter().filter_map(|page| page.path().rsplit_once('/')).map(|(folder, _)| folder);
    let mut folders: Vec<&str> = of_pages.chain(["assets"]).collect();
    folders.sort_unstable();
    folders.dedup();
    for below in folders {
        let path = folder.join(below);
        fs::create_dir_all(&path).map_err(|error| NotWritten { path, error })?;
    }
    Ok(())
}

fn write_page(
    site: &HtmlSite<'_>,
    page: &Page<'_>,
    sources: Sources<'_>,
    folder: &Path,
) -> Result<Option<OddSource>, NotWritten> {
    let found =
        page.source().and_then(|source| sources.folders.find(source.group, source.package, source.file));
    let mut odd = None;
    let text = found.and_then(|path| match read_text(&path, sources.encoding) {
        Ok(read) => {
            odd = read.problem.map(|problem| OddSource { path, problem });
            Some(read.text)
        }
        Err(error) => {
            odd = Some(OddSource { path, problem: format!("cannot be read: {error}") });
            None
        }
    });
    write_file(&folder.join(page.path()), &site.render(page, text.as_deref()))?;
    Ok(odd)
}

fn write_file(path: &Path, text: &str) -> Result<(), NotWritten> {
    fs::write(path, text).map_err(|error| NotWritten { path: path.to_owned(), error })
}
