//! What the hooks tell, each by a number.

/// What a hook tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub(crate) enum Kind {
    /// A class is looked at.
    Inspected = 1,
    /// A field, method or constructor is used by reflection.
    Member = 2,
    /// A class is looked for by name.
    Named = 3,
    /// A file is opened for reading.
    FileRead = 4,
    /// A file is asked about.
    FileTested = 5,
    /// A folder is listed.
    FolderListed = 6,
    /// A file is written or changed.
    FileWritten = 7,
    /// A file is opened, as a `RandomAccessFile`: the second object is the mode.
    FileRandom = 8,
    /// A path of the new file API is opened: the number are the flags.
    PathOpened = 9,
    /// A path is asked about.
    PathTested = 10,
    /// A path is listed.
    PathListed = 11,
    /// A path is written or changed.
    PathWritten = 12,
    /// An archive is opened.
    Archive = 13,
    /// A resource is looked for.
    Resource = 14,
    /// A resource bundle is looked for.
    Bundle = 15,
    /// A system property is read.
    Property = 16,
    /// All system properties are.
    AllProperties = 17,
    /// An environment variable is read.
    Variable = 18,
    /// All environment variables are.
    AllVariables = 19,
    /// A process is started.
    ChildProcess = 20,
    /// A stack trace is read.
    StackTrace = 21,
    /// A hidden class is defined from bytes.
    HiddenClass = 22,
    /// The annotations of a package are read.
    Package = 23,
    /// What the manifest of an archive says of a package is read.
    Manifest = 90,
    /// A system property is set or removed.
    PropertyWritten = 91,
    /// All system properties are.
    AllPropertiesWritten = 92,
    /// Something is set that everybody shares.
    SharedWritten = 93,
    /// The default locale or time zone is set, which can be compared.
    SettingWritten = 94,

    /// Classes in an array are looked at, or one that is given alone.
    InspectedAll = 25,
    /// A property is read, perhaps of the system: the second object is what holds it.
    PropertyIn = 24,

    /// An initialiser begins: the number is the class.
    OnceBegins = 30,
    /// It ends.
    OnceEnds = 31,

    /// A runner of JUnit 4 runs.
    Junit4Run = 40,
    /// It has run.
    Junit4RunEnds = 41,
    /// A runner of JUnit 4 is built for a class.
    Junit4Build = 42,
    /// It was built.
    Junit4BuildEnds = 43,
    /// A test of JUnit 4 starts.
    Junit4Started = 44,
    /// It has failed.
    Junit4Failed = 45,
    /// Its assumption did not hold.
    Junit4Assumption = 46,
    /// It is ignored.
    Junit4Ignored = 47,
    /// It has ended.
    Junit4Finished = 48,

    /// A test of JUnit 3 runs.
    Junit3Run = 50,
    /// It has run.
    Junit3RunEnds = 51,
    /// It starts.
    Junit3Started = 52,
    /// It has failed.
    Junit3Failed = 53,
    /// It has ended.
    Junit3Finished = 54,

    /// A node of the JUnit Platform is executed.
    PlatformTask = 60,
    /// It was executed.
    PlatformTaskEnds = 61,
    /// The JUnit Platform tells that something started.
    PlatformStarted = 62,
    /// That it has finished.
    PlatformFinished = 63,
    /// That it was skipped.
    PlatformSkipped = 64,

    /// A worker of TestNG runs methods of a class.
    TestngWorker = 70,
    /// It has run them.
    TestngWorkerEnds = 71,
    /// TestNG makes instances of a class.
    TestngInstances = 72,
    /// It has made them.
    TestngInstancesEnds = 73,
    /// TestNG tells of the result of a test.
    TestngResult = 74,
    /// TestNG tells of the result of a method that prepares tests.
    TestngConfiguration = 75,

    /// A session begins in which units may run several times.
    Session = 80,
    /// It ends.
    SessionEnds = 81,
}

impl Kind {
    pub(super) const ALL: &'static [Self] = &[
        Self::Inspected,
        Self::Member,
        Self::Named,
        Self::FileRead,
        Self::FileTested,
        Self::FolderListed,
        Self::FileWritten,
        Self::FileRandom,
        Self::PathOpened,
        Self::PathTested,
        Self::PathListed,
        Self::PathWritten,
        Self::Archive,
        Self::Resource,
        Self::Bundle,
        Self::Property,
        Self::AllProperties,
        Self::Variable,
        Self::AllVariables,
        Self::ChildProcess,
        Self::StackTrace,
        Self::HiddenClass,
        Self::Package,
        Self::Manifest,
        Self::PropertyWritten,
        Self::AllPropertiesWritten,
        Self::SharedWritten,
        Self::SettingWritten,
        Self::PropertyIn,
        Self::InspectedAll,
        Self::OnceBegins,
        Self::OnceEnds,
        Self::Junit4Run,
        Self::Junit4RunEnds,
        Self::Junit4Build,
        Self::Junit4BuildEnds,
        Self::Junit4Started,
        Self::Junit4Failed,
        Self::Junit4Assumption,
        Self::Junit4Ignored,
        Self::Junit4Finished,
        Self::Junit3Run,
        Self::Junit3RunEnds,
        Self::Junit3Started,
        Self::Junit3Failed,
        Self::Junit3Finished,
        Self::PlatformTask,
        Self::PlatformTaskEnds,
        Self::PlatformStarted,
        Self::PlatformFinished,
        Self::PlatformSkipped,
        Self::TestngWorker,
        Self::TestngWorkerEnds,
        Self::TestngInstances,
        Self::TestngInstancesEnds,
        Self::TestngResult,
        Self::TestngConfiguration,
        Self::Session,
        Self::SessionEnds,
    ];

    /// The kind of a number.
    pub(crate) fn from_number(number: i32) -> Option<Self> {
        BY_NUMBER.get(usize::try_from(number).ok()?).copied().flatten()
    }

    /// The kind that ends what this kind begins.
    pub(super) fn end(self) -> Option<Self> {
        Some(match self {
            Self::Junit4Run => Self::Junit4RunEnds,
            Self::Junit4Build => Self::Junit4BuildEnds,
            Self::Junit3Run => Self::Junit3RunEnds,
            Self::PlatformTask => Self::PlatformTaskEnds,
            Self::TestngWorker => Self::TestngWorkerEnds,
            Self::TestngInstances => Self::TestngInstancesEnds,
            Self::Session => Self::SessionEnds,
            _ => return None,
        })
    }
}

/// The kinds by number: hooks are called often.
const BY_NUMBER: [Option<Kind>; 128] = {
    let mut kinds = [None; 128];
    let mut rest = Kind::ALL;
    while let [kind, after @ ..] = rest {
        #[allow(clippy::indexing_slicing, reason = "the compiler checks it, since this is a constant")]
        {
            kinds[*kind as usize] = Some(*kind);
        }
        rest = after;
    }
    kinds
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_number_of_its_own() {
        for kind in Kind::ALL {
            assert_eq!(Kind::from_number(*kind as i32), Some(*kind));
        }
        for number in [-1, 0, 127, 128] {
            assert_eq!(Kind::from_number(number), None);
        }
    }
}
