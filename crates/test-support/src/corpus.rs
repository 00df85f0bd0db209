//! Real jars on which the class-file crates are tried.
//!
//! Each is here for a reason: a compiler, an age, an obfuscator or a size that the others do not have. Class counts are
//! written down so that a check can say that it saw everything, and are themselves checked. Nothing may be added whose
//! licence forbids fetching it; nothing of it is ever redistributed.

use std::path::PathBuf;

use crate::java::test_jdks;
use crate::maven::{FetchError, fetch};

/// A jar of the corpus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CorpusJar {
    /// `group:artifact:version`.
    pub artifact: &'static str,
    /// How many entries of the jar are class files, copies for newer Java versions included.
    pub classes: usize,
    /// Why it is in the corpus.
    pub why: &'static str,
    /// Whether it is in the small sample that every test run reads.
    pub in_sample: bool,
    /// Whether its classes can be loaded and verified by a JVM with little else on the class path.
    pub verifiable: bool,
}

/// Which part of the corpus is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The small sample for every test run.
    Sample,
    /// The jars whose classes a JVM is made to verify.
    Verifiable,
    /// Everything.
    All,
}

/// A jar of the corpus and its place on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchedJar {
    /// The jar.
    pub jar: CorpusJar,
    /// Where it is.
    pub path: PathBuf,
}

/// The jars of a part.
#[must_use]
pub fn jars(part: Part) -> Vec<CorpusJar> {
    let is_wanted = |jar: &&CorpusJar| match part {
        Part::Sample => jar.in_sample,
        Part::Verifiable => jar.verifiable,
        Part::All => true,
    };
    CORPUS.iter().filter(is_wanted).copied().collect()
}

/// The jars of a part on disk, fetched if they are not in the cache yet.
///
/// # Errors
///
/// Fails when a jar is missing and cannot be fetched.
pub fn fetched(part: Part) -> Result<Vec<FetchedJar>, FetchError> {
    let jars = jars(part);
    let artifacts: Vec<&str> = jars.iter().map(|jar| jar.artifact).collect();
    let paths = fetch(&artifacts)?;
    Ok(jars.into_iter().zip(paths).map(|(jar, path)| FetchedJar { jar, path }).collect())
}

/// A place with classes, and a name for it that means the same on every machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// `JDK VERSION`, or the coordinates of a jar.
    pub label: String,
    /// A path, or `jrt:` and the folder of a JDK.
    pub spec: String,
}

/// The installed JDKs that tests use, and the jars of a part.
///
/// # Errors
///
/// Fails when a jar is missing and cannot be fetched.
pub fn places(part: Part) -> Result<Vec<Place>, FetchError> {
    let jdks = test_jdks().into_iter().map(|jdk| Place {
        label: format!("JDK {}", jdk.version()),
        spec: format!("jrt:{}", jdk.home().display()),
    });
    let jars = fetched(part)?.into_iter().map(|fetched| Place {
        label: fetched.jar.artifact.to_owned(),
        spec: fetched.path.display().to_string(),
    });
    Ok(jdks.chain(jars).collect())
}

/// Whether a test was told to take everything instead of a sample.
#[must_use]
pub fn is_whole_wanted() -> bool {
    std::env::var("PROBITY_CORPUS").is_ok_and(|value| value == "all")
}

const fn jar(artifact: &'static str, classes: usize, why: &'static str) -> CorpusJar {
    CorpusJar { artifact, classes, why, in_sample: false, verifiable: false }
}

impl CorpusJar {
    const fn in_sample(self) -> Self {
        CorpusJar { in_sample: true, ..self }
    }

    const fn verifiable(self) -> Self {
        CorpusJar { verifiable: true, ..self }
    }
}

#[rustfmt::skip]
const CORPUS: &[CorpusJar] = &[
    // Compilers of before 2006, whose `finally` blocks are subroutines (jsr and ret).
    jar("jython:jython:2.1", 336, "jsr in large methods, class files of version 45").in_sample().verifiable(),
    jar("velocity:velocity:1.4", 224, "jsr from a parser generator"),
    jar("xalan:xalan:2.7.0", 1205, "jsr in many methods, long tables").verifiable(),
    jar("hsqldb:hsqldb:1.7.3.3", 274, "jsr, class files of version 46"),
    jar("xerces:xercesImpl:2.6.2", 784, "jsr, large switches"),
    jar("rhino:js:1.6R1", 247, "jsr, an interpreter loop"),
    jar("commons-lang:commons-lang:2.1", 110, "jsr, small"),
    jar("commons-collections:commons-collections:3.1", 446, "jsr, many inner classes"),
    jar("bcel:bcel:5.1", 373, "jsr, visitors"),
    jar("log4j:log4j:1.2.8", 244, "jsr, widely used"),
    // Other compilers and languages.
    jar("org.eclipse.jdt:ecj:3.40.0", 801, "compiled by ECJ, signed").in_sample().verifiable(),
    jar("org.jetbrains.kotlin:kotlin-stdlib:2.1.20", 951, "Kotlin, inline classes and parts").verifiable(),
    jar("org.jetbrains.kotlin:kotlin-reflect:2.1.20", 1965, "Kotlin, shaded and shrunk").verifiable(),
    jar("org.jetbrains.kotlinx:kotlinx-coroutines-core-jvm:1.10.1", 832, "Kotlin coroutines").in_sample().verifiable(),
    jar("org.jetbrains.kotlin:kotlin-compiler-embeddable:2.1.20", 24719, "shrunk by ProGuard").verifiable(),
    jar("org.scala-lang:scala-library:2.13.16", 2891, "Scala 2, own attributes").in_sample().verifiable(),
    jar("org.scala-lang:scala-compiler:2.13.16", 3518, "Scala 2, large methods"),
    jar("org.scala-lang:scala3-library_3:3.6.4", 592, "Scala 3"),
    jar("org.apache.groovy:groovy:4.0.26", 4570, "Groovy, generated helper classes"),
    jar("org.clojure:clojure:1.12.0", 3669, "Clojure, one class per function").in_sample(),
    jar("org.jruby:jruby-complete:9.4.12.0", 9369, "generated invokers, many libraries in one"),
    jar("org.aspectj:aspectjweaver:1.9.23", 1002, "AspectJ, a library with renamed packages inside"),
    // Changed after compilation.
    jar("com.ibm.db2:jcc:11.5.9.0", 2231, "obfuscated names"),
    jar("com.oracle.database.jdbc:ojdbc11:23.7.0.25.01", 2666, "a closed driver, large static tables"),
    jar("org.hibernate.orm:hibernate-core:6.6.11.Final", 6903, "many lambdas and generics"),
    jar("net.bytebuddy:byte-buddy:1.17.5", 5928, "several Java versions in one jar").verifiable(),
    jar("org.bouncycastle:bcprov-jdk18on:1.80", 5702, "signed, several Java versions").verifiable(),
    jar("cglib:cglib-nodep:3.3.0", 280, "renamed packages"),
    jar("org.javassist:javassist:3.30.2-GA", 426, "another class-file library"),
    // Plain javac of many ages and sizes.
    jar("com.google.guava:guava:33.4.6-jre", 1969, "type annotations, nested generics").in_sample().verifiable(),
    jar("com.ibm.icu:icu4j:77.1", 1696, "large constant tables").verifiable(),
    jar("org.apache.lucene:lucene-core:9.12.1", 2514, "Java 11, long arithmetic methods").verifiable(),
    jar("org.apache.lucene:lucene-core:10.1.0", 2494, "Java 21, records and pattern switches"),
    jar("org.apache.commons:commons-lang3:3.17.0", 396, "Java 8").verifiable(),
    jar("org.apache.commons:commons-math3:3.6.1", 1301, "Java 5, no stack maps").verifiable(),
    jar("org.springframework:spring-core:6.2.5", 1185, "Java 17 with method parameters"),
    jar("com.fasterxml.jackson.core:jackson-databind:2.18.3", 790, "annotations of all kinds"),
    jar("io.netty:netty-common:4.1.119.Final", 537, "Java 6, shaded queues"),
    jar("io.netty:netty-handler:4.1.119.Final", 364, "Java 6"),
    jar("org.junit.jupiter:junit-jupiter-engine:5.12.1", 150, "a test engine"),
    jar("org.mockito:mockito-core:5.16.1", 575, "Java 11 nests"),
    jar("com.h2database:h2:2.3.232", 1055, "very long methods and switches"),
    jar("org.apache.derby:derby:10.14.2.0", 1751, "a database"),
    jar("xalan:xalan:2.7.3", 1581, "class files of version 45 and 52 in one jar"),
    jar("org.apache.logging.log4j:log4j-core:2.24.3", 1221, "annotations, several Java versions"),
    jar("com.puppycrawl.tools:checkstyle:10.21.4", 897, "generated parsers"),
    jar("com.github.javaparser:javaparser-core:3.26.3", 678, "large generated parser"),
    jar("org.codehaus.janino:janino:3.1.12", 519, "Java 7, signed"),
    jar("io.vavr:vavr:0.10.6", 389, "generated code, wide signatures"),
    jar("io.reactivex.rxjava3:rxjava:3.1.10", 1758, "many small inner classes"),
    jar("com.thoughtworks.xstream:xstream:1.4.21", 498, "class files of version 48"),
    jar("org.mozilla:rhino:1.7.15", 543, "a compiler to bytecode"),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::maven::Coordinates;

    fn classes(part: Part) -> usize {
        jars(part).iter().map(|jar| jar.classes).sum()
    }

    #[test]
    fn the_corpus_is_large_and_each_jar_is_there_once_with_a_reason() {
        let all = jars(Part::All);
        assert!(all.len() >= 28, "{} jars", all.len());
        assert!(classes(Part::All) > 90_000, "{} classes", classes(Part::All));
        let names: BTreeSet<Coordinates> =
            all.iter().map(|jar| jar.artifact.parse().expect("well formed")).collect();
        assert_eq!(names.len(), all.len());
        assert!(all.iter().all(|jar| !jar.why.is_empty()));
    }

    #[test]
    fn the_parts_keep_to_their_sizes() {
        assert!(jars(Part::Sample).len() <= 6);
        assert!(classes(Part::Sample) > 10_000, "{} classes", classes(Part::Sample));
        assert!(classes(Part::Verifiable) > 25_000, "{} classes", classes(Part::Verifiable));
    }
}
