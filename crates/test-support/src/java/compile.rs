//! Compiles Java sources into a temporary folder.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use probity_toolchain::Jdk;
use tempfile::TempDir;

use super::error::JavaError;
use super::run::{ProgramOutput, joined_class_path};
use crate::process;

const TIME_LIMIT: Duration = Duration::from_secs(300);

/// Sources to be compiled, and how.
#[derive(Debug, Clone)]
pub struct Compilation<'a> {
    jdk: &'a Jdk,
    release: Option<u32>,
    options: Vec<String>,
    class_path: Vec<PathBuf>,
    texts: Vec<(String, String)>,
    files: Vec<PathBuf>,
}

impl<'a> Compilation<'a> {
    /// An empty set of sources for this JDK's compiler.
    #[must_use]
    pub fn with(jdk: &'a Jdk) -> Self {
        Compilation {
            jdk,
            release: None,
            options: Vec::new(),
            class_path: Vec::new(),
            texts: Vec::new(),
            files: Vec::new(),
        }
    }

    /// Compiles for an older Java, as `--release` does.
    #[must_use]
    pub fn release(mut self, feature_version: u32) -> Self {
        self.release = Some(feature_version);
        self
    }

    /// Adds an option for the compiler, such as `-g` or `-parameters`.
    #[must_use]
    pub fn option(mut self, option: &str) -> Self {
        self.options.push(option.to_owned());
        self
    }

    /// Adds jars or folders to the class path.
    #[must_use]
    pub fn class_path<P: Into<PathBuf>>(mut self, entries: impl IntoIterator<Item = P>) -> Self {
        self.class_path.extend(entries.into_iter().map(Into::into));
        self
    }

    /// Adds a source given as text; the path is relative to the source root, such as `org/example/Main.java`.
    #[must_use]
    pub fn source(mut self, path: &str, text: &str) -> Self {
        self.texts.push((path.to_owned(), text.to_owned()));
        self
    }

    /// Adds a source that is a file.
    #[must_use]
    pub fn file(mut self, path: impl Into<PathBuf>) -> Self {
        self.files.push(path.into());
        self
    }

    /// Runs the compiler.
    ///
    /// # Errors
    ///
    /// Fails when the sources do not compile or the compiler cannot be run.
    pub fn compile(&self) -> Result<CompiledClasses, JavaError> {
        let folder = TempDir::new().map_err(|source| JavaError::Io {
            action: "create a folder in",
            path: std::env::temp_dir(),
            source,
        })?;
        let classes = CompiledClasses { folder };
        let sources = self.write_sources(&classes)?;
        fs::create_dir_all(classes.folder())
            .map_err(|source| io_error("create", classes.folder(), source))?;
        let javac = self.jdk.javac();
        let mut command = Command::new(&javac);
        command.args(self.arguments(&classes)).args(sources);
        let captured =
            process::run(&mut command, TIME_LIMIT).map_err(|source| io_error("run", &javac, source))?;
        match captured.status {
            Some(status) if status.success() => Ok(classes),
            Some(_) => Err(JavaError::DoesNotCompile { messages: captured.stderr + &captured.stdout }),
            None => Err(JavaError::TimedOut {
                program: javac.display().to_string(),
                limit: TIME_LIMIT,
                output: ProgramOutput { exit_code: None, stdout: captured.stdout, stderr: captured.stderr },
            }),
        }
    }

    fn arguments(&self, classes: &CompiledClasses) -> Vec<OsString> {
        let mut arguments: Vec<OsString> =
            ["-encoding", "UTF-8", "-Xlint:-options"].map(OsString::from).into();
        if let Some(release) = self.release {
            arguments.extend([OsString::from("--release"), release.to_string().into()]);
        }
        arguments.extend(self.options.iter().map(OsString::from));
        arguments.extend([OsString::from("-classpath"), joined_class_path(&self.class_path)]);
        arguments.extend([OsString::from("-d"), classes.folder().as_os_str().to_owned()]);
        arguments
    }

    fn write_sources(&self, classes: &CompiledClasses) -> Result<Vec<PathBuf>, JavaError> {
        let mut sources = Vec::new();
        for (path, text) in &self.texts {
            let file = classes.source_folder().join(path);
            let folder = file.parent().unwrap_or(&file);
            fs::create_dir_all(folder).map_err(|source| io_error("create", folder, source))?;
            fs::write(&file, text).map_err(|source| io_error("write", &file, source))?;
            sources.push(file);
        }
        sources.extend(self.files.iter().cloned());
        Ok(sources)
    }
}

/// Class files in a temporary folder, which goes away with this value.
#[derive(Debug)]
pub struct CompiledClasses {
    folder: TempDir,
}

impl CompiledClasses {
    /// The root of the class files, to be put on a class path.
    #[must_use]
    pub fn folder(&self) -> PathBuf {
        self.folder.path().join("classes")
    }

    /// The path of one class, given its internal name such as `org/example/Main$1`.
    #[must_use]
    pub fn class_file(&self, internal_name: &str) -> PathBuf {
        self.folder().join(format!("{internal_name}.class"))
    }

    /// All class files, sorted by path.
    ///
    /// # Errors
    ///
    /// Fails when the folder cannot be read.
    pub fn class_files(&self) -> Result<Vec<PathBuf>, JavaError> {
        let mut files = Vec::new();
        collect_files(&self.folder(), &mut files)?;
        files.retain(|file| file.extension().is_some_and(|extension| extension == "class"));
        files.sort();
        Ok(files)
    }

    fn source_folder(&self) -> PathBuf {
        self.folder.path().join("sources")
    }
}

fn collect_files(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), JavaError> {
    for entry in fs::read_dir(folder).map_err(|source| io_error("read", folder, source))? {
        let path = entry.map_err(|source| io_error("read", folder, source))?.path();
        if path.is_dir() {
            collect_files(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

fn io_error(action: &'static str, path: impl AsRef<Path>, source: std::io::Error) -> JavaError {
    JavaError::Io { action, path: path.as_ref().to_owned(), source }
}
