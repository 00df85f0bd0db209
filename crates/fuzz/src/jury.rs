//! A JDK whose JVM judges, and the classes that it may find.

use probity_test_support::corpus::{self, Part};
use probity_test_support::link::LinkServer;
use probity_toolchain::Jdk;

use crate::class_set::{ClassSet, given};
use crate::failure::Failure;

/// Starts JVMs of one JDK, all with the same classes around those that they are asked about.
#[derive(Debug)]
pub struct Jury {
    jdk: Jdk,
    base: ClassSet,
}

impl Jury {
    /// JVMs that find nothing but the platform and the sample of the corpus.
    ///
    /// # Errors
    ///
    /// Fails when a jar is missing or cannot be read.
    pub fn new(jdk: Jdk) -> Result<Self, Failure> {
        let mut base = ClassSet::default();
        for jar in corpus::fetched(Part::Sample)? {
            base.add_jar(&jar.path).map_err(Failure)?;
        }
        Ok(Self { jdk, base })
    }

    /// The JDK.
    #[must_use]
    pub fn jdk(&self) -> &Jdk {
        &self.jdk
    }

    /// Starts a JVM.
    ///
    /// # Errors
    ///
    /// Fails when it cannot be started.
    pub fn start(&self) -> Result<LinkServer, Failure> {
        Ok(LinkServer::start_with_base(&self.jdk, &given(&self.base.classes))?)
    }

    /// Those of some classes that the JVM links. Of others, little that is left after damage could be judged.
    ///
    /// # Errors
    ///
    /// Fails when a JVM cannot be started.
    pub fn linked(&self, classes: &[Vec<u8>]) -> Result<Vec<Vec<u8>>, Failure> {
        let answers = self.start()?.link_alone(classes)?;
        let linked = classes.iter().zip(answers).filter(|(_, answer)| answer.is_linked());
        Ok(linked.map(|(class, _)| class.clone()).collect())
    }
}
