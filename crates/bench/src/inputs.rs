//! What the benchmarks work on: real classes, in memory before the clock starts.

use probity_classpath::Source;
use probity_test_support::corpus::{self, Part};
use probity_toolchain::{Environment, Jdk, best_jdk};

use crate::failure::Failure;

/// The oldest JDK whose classes are taken.
const OLDEST_JDK: u32 = 17;

/// Classes in memory, and where they come from.
#[derive(Debug, Default)]
pub(crate) struct Classes {
    /// The containers, by names that mean the same on every machine.
    pub(crate) origins: Vec<String>,
    pub(crate) files: Vec<Vec<u8>>,
}

impl Classes {
    /// All classes of the preferred JDK and of the sample of the corpus.
    pub(crate) fn of_jdk_and_sample() -> Result<Classes, Failure> {
        let jdk = best_jdk(&Environment::of_this_process(), OLDEST_JDK)?;
        let mut classes = Classes::default();
        classes.add(&image_of(&jdk)?, &format!("JDK {}", jdk.version()))?;
        for fetched in corpus::fetched(Part::Sample)? {
            classes.add(&Source::open(&fetched.path)?, fetched.jar.artifact)?;
        }
        Ok(classes)
    }

    fn add(&mut self, source: &Source, origin: &str) -> Result<(), Failure> {
        let mut outcome = Ok(());
        let before = self.files.len();
        source.visit_classes(|class| match class {
            Ok(class) => self.files.push(class.bytes.to_vec()),
            Err(error) => outcome = Err(error.into()),
        });
        self.origins.push(format!("{origin} ({} classes)", self.files.len() - before));
        outcome
    }

    /// How many bytes they have together.
    pub(crate) fn bytes(&self) -> usize {
        self.files.iter().map(Vec::len).sum()
    }
}

fn image_of(jdk: &Jdk) -> Result<Source, Failure> {
    let mut spec = std::ffi::OsString::from("jrt:");
    spec.push(jdk.home());
    Ok(Source::open(spec)?)
}
