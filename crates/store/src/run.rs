//! A recorded run: when it was, what was run, and how it ended.

use crate::bytes::{Malformed, Reader, put_bytes, put_number};

/// One run. Two that are equal in all of this are one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Run {
    /// When it began, in milliseconds since 1970.
    pub began: u64,
    /// What was run, in words.
    pub command: String,
    /// The exit code; nothing if it has none, as when it was killed.
    pub exit: Option<i32>,
}

impl Run {
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        put_number(out, self.began);
        put_bytes(out, self.command.as_bytes());
        match self.exit {
            None => out.push(0),
            Some(exit) => {
                out.push(1);
                out.extend(exit.to_be_bytes());
            }
        }
    }

    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(Self {
            began: reader.number()?,
            command: String::from_utf8(reader.bytes()?.to_vec()).map_err(|_| Malformed::NotText)?,
            exit: match reader.byte()? {
                0 => None,
                1 => Some(i32::from_be_bytes(reader.array()?)),
                other => return Err(Malformed::UnknownKind(other)),
            },
        })
    }
}
