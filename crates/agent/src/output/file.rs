//! Writes execution data into a file, as JaCoCo does: behind what is there or in its place, under a lock.

use crate::messages::say;
use crate::options::Options;
use probity_execdata::{file, write_header};
use std::path::PathBuf;

#[derive(Debug)]
pub(crate) struct FileOutput {
    path: PathBuf,
    append: bool,
}

impl FileOutput {
    /// Creates the file, or empties it, so that an unusable destination is known from the start.
    pub(super) fn open(options: &Options) -> Self {
        // The program may change nothing about the folder it was started in, but its name is needed at the end.
        let path = std::path::absolute(&options.destfile).unwrap_or_else(|_| options.destfile.clone());
        if let Err(error) = file::open_for_check(&path, !options.append) {
            say(&format_args!("execution data cannot be written: {error}"));
        }
        Self { path, append: options.append }
    }

    pub(super) fn write(&self, data: &[u8]) {
        let mut content = Vec::with_capacity(data.len() + 5);
        write_header(&mut content);
        content.extend(data);
        let written = if self.append {
            file::append(&self.path, &content)
        } else {
            file::overwrite(&self.path, &content)
        };
        if let Err(error) = written {
            say(&format_args!("execution data was not written: {error}"));
        }
    }
}
