//! The `Module` attribute, which is a small file format of its own.

use std::fmt::{self, Write};

use super::Printer;
use crate::attribute::{Exports, Module, Provides, Requires};
use crate::table::{Sequence, Table};

/// Flags by name, in the order in which they are written.
type Names = &'static [(u16, &'static str)];

const MODULE_FLAGS: Names = &[(0x0020, "ACC_OPEN"), (0x8000, "ACC_MANDATED"), (0x1000, "ACC_SYNTHETIC")];
const REQUIRES_FLAGS: Names = &[
    (0x0020, "ACC_TRANSITIVE"),
    (0x0040, "ACC_STATIC_PHASE"),
    (0x1000, "ACC_SYNTHETIC"),
    (0x8000, "ACC_MANDATED"),
];
const PACKAGE_FLAGS: Names = &[(0x8000, "ACC_MANDATED"), (0x1000, "ACC_SYNTHETIC")];

fn with_flags(value: String, flags: u16, names: Names) -> String {
    names.iter().filter(|(bit, _)| flags & bit != 0).fold(value, |text, (_, name)| format!("{text} {name}"))
}

impl<'a> Printer<'_, 'a> {
    pub(super) fn module(&mut self, module: &Module<'a>) -> fmt::Result {
        self.indented(|printer| {
            let name = with_flags(printer.value_text(module.name), module.flags, MODULE_FLAGS);
            printer.commented(&format!("#{},{:x}", module.name, module.flags), &name)?;
            printer.module_version(module.version)?;
            printer.requires(&module.requires)?;
            printer.packages("exports", &module.exports)?;
            printer.packages("opens", &module.opens)?;
            printer.commented(&module.uses.len().to_string(), "uses")?;
            printer.indented(|printer| printer.constants(&module.uses, ""))?;
            printer.provides(&module.provides)
        })
    }

    fn module_version(&mut self, version: u16) -> fmt::Result {
        if version == 0 {
            return writeln!(self, "#0");
        }
        let text = self.value_text(version);
        self.commented(&format!("#{version}"), &text)
    }

    fn requires(&mut self, requires: &Table<'a, Requires>) -> fmt::Result {
        self.commented(&requires.len().to_string(), "requires")?;
        self.indented(|printer| {
            for required in requires.iter() {
                let name = with_flags(printer.value_text(required.module), required.flags, REQUIRES_FLAGS);
                printer.commented(&format!("#{},{:x}", required.module, required.flags), &name)?;
                printer.module_version(required.version)?;
            }
            Ok(())
        })
    }

    fn packages(&mut self, what: &str, packages: &Sequence<'a, Exports<'a>>) -> fmt::Result {
        self.commented(&packages.len().to_string(), what)?;
        self.indented(|printer| {
            for package in packages.iter() {
                let mut name = with_flags(printer.value_text(package.package), package.flags, PACKAGE_FLAGS);
                if !package.to.is_empty() {
                    name = format!("{name} to ... {}", package.to.len());
                }
                printer.commented(&format!("#{},{:x}", package.package, package.flags), &name)?;
                printer.indented(|printer| printer.constants(&package.to, "... to "))?;
            }
            Ok(())
        })
    }

    fn provides(&mut self, provides: &Sequence<'a, Provides<'a>>) -> fmt::Result {
        self.commented(&provides.len().to_string(), "provides")?;
        self.indented(|printer| {
            for provided in provides.iter() {
                let name = printer.value_text(provided.service);
                let name = format!("{name} with ... {}", provided.with.len());
                printer.commented(&format!("#{}", provided.service), &name)?;
                printer.indented(|printer| printer.constants(&provided.with, "... with "))?;
            }
            Ok(())
        })
    }

    /// One line for each index of a list, with its meaning.
    fn constants(&mut self, indexes: &Table<'a, u16>, before: &str) -> fmt::Result {
        for index in indexes.iter() {
            let value = self.value_text(index);
            self.commented(&format!("#{index}"), &format!("{before}{value}"))?;
        }
        Ok(())
    }

    pub(super) fn module_packages(&mut self, packages: &Table<'a, u16>) -> fmt::Result {
        self.indented(|printer| {
            for package in packages.iter() {
                let name = printer.value_text(package).replace('/', ".");
                printer.commented(&format!("#{package}"), &name)?;
            }
            Ok(())
        })
    }

    /// A line with a comment.
    pub(super) fn commented(&mut self, text: &str, comment: &str) -> fmt::Result {
        write!(self, "{text}")?;
        self.comment(comment)?;
        writeln!(self)
    }
}
