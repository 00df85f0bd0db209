//! JaCoCo's CSV, byte for byte: one row for each class with code.

use crate::{Report, joined, named};
use probity_coverage::names::{class_name, package_name};
use probity_coverage::{BundleCoverage, ClassCoverage};

/// The report as CSV, with the line ends of this platform as JaCoCo writes them.
#[must_use]
pub fn write_csv(report: &Report) -> String {
    let mut csv = Csv { out: String::new() };
    csv.row(
        ["GROUP", "PACKAGE", "CLASS"].into_iter().map(str::to_owned).chain(
            ["INSTRUCTION", "BRANCH", "LINE", "COMPLEXITY", "METHOD"]
                .iter()
                .flat_map(|name| [format!("{name}_MISSED"), format!("{name}_COVERED")]),
        ),
    );
    for (group, bundle) in report.root.bundles() {
        csv.bundle(bundle, &joined(report.root.name(), &group));
    }
    csv.out
}

const LINE_END: &str = if cfg!(windows) { "\r\n" } else { "\n" };

struct Csv {
    out: String,
}

impl Csv {
    fn row(&mut self, fields: impl Iterator<Item = String>) {
        for (position, field) in fields.enumerate() {
            if position > 0 {
                self.out.push(',');
            }
            if field.contains(['"', ',']) {
                self.out.push('"');
                self.out.push_str(&field.replace('"', "\"\""));
                self.out.push('"');
            } else {
                self.out.push_str(&field);
            }
        }
        self.out.push_str(LINE_END);
    }

    fn bundle(&mut self, bundle: &BundleCoverage, path: &str) {
        for package in &bundle.packages {
            for class in package.classes.iter().filter(|class| class.counters.contains_code()) {
                self.class(class, path, &package.name);
            }
        }
    }

    fn class(&mut self, class: &ClassCoverage, path: &str, package: &str) {
        let name = class_name(&class.name, class.super_name.as_deref(), &class.interfaces);
        let counters = named(&class.counters);
        let numbers = counters.iter().take(5).flat_map(|(_, counter)| [counter.missed, counter.covered]);
        let numbers = numbers.map(|number| number.to_string());
        self.row([path.to_owned(), package_name(package), name].into_iter().chain(numbers));
    }
}
