//! Which methods call the agent: those of the JDK through which a program looks at what is no code of its own, those of test
//! frameworks that begin and end tests, and initialisers.
//!
//! Everything is found by name, in whatever class loader. A JDK or a framework that lacks a method simply has one hook less;
//! a test checks which of them the installed JDKs have.

use probity_classfile::opcode::Opcode;
use probity_classfile::pool::Constant;
use probity_classfile::{ClassFile, Error, Member, access};
use probity_instrument::{HookArgument, HookCall, MethodHook};

/// The class of the bootstrap loader whose native method is the agent.
pub(crate) const HOOKS_CLASS: &str = "java/lang/ProbityHooks";
const CALL: &str = "call";
/// Kind, number and two objects.
const CALL_DESCRIPTOR: &str = "(IILjava/lang/Object;Ljava/lang/Object;)V";

/// What a hook tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub(crate) enum Kind {
    /// A class or an array of classes is looked at.
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
    Manifest = 24,
    /// A system property is set or removed.
    PropertyWritten = 25,
    /// All system properties are.
    AllPropertiesWritten = 26,
    /// Something is set that everybody shares.
    SharedWritten = 27,

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
    /// TestNG tells of a result.
    TestngResult = 74,

    /// A session begins in which units may run several times.
    Session = 80,
    /// It ends.
    SessionEnds = 81,
}

impl Kind {
    const ALL: &'static [Self] = &[
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
        Self::Session,
        Self::SessionEnds,
    ];

    /// The kind of a number.
    pub(crate) fn from_number(number: i32) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| *kind as i32 == number)
    }

    /// The kind that ends what this kind begins.
    fn end(self) -> Option<Self> {
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

/// A method with a hook.
#[derive(Clone, Copy, Debug)]
struct Hooked {
    /// The class; empty for all.
    class: &'static str,
    /// The names of the methods.
    methods: &'static [&'static str],
    /// How their descriptors start.
    descriptor: &'static str,
    kind: Kind,
    /// The local variables whose objects are given.
    first: Option<u16>,
    second: Option<u16>,
    /// The local variable whose number is given.
    number: Option<u16>,
}

const fn hooked(
    class: &'static str,
    methods: &'static [&'static str],
    descriptor: &'static str,
    kind: Kind,
    first: u16,
) -> Hooked {
    Hooked { class, methods, descriptor, kind, first: Some(first), second: None, number: None }
}

impl Hooked {
    const fn second(self, local: u16) -> Self {
        Self { second: Some(local), ..self }
    }

    const fn number(self, local: u16) -> Self {
        Self { number: Some(local), ..self }
    }
}

/// A static method that sets something for everybody in the JVM.
const fn shared_written(class: &'static str, methods: &'static [&'static str]) -> Hooked {
    Hooked { first: None, ..hooked(class, methods, "(", Kind::SharedWritten, 0) }
}

/// The methods of `java.lang.Class` that tell of the structure of a class.
const CLASS_QUERIES: &[&str] = &[
    "getMethods",
    "getDeclaredMethods",
    "getMethod",
    "getDeclaredMethod",
    "getFields",
    "getDeclaredFields",
    "getField",
    "getDeclaredField",
    "getConstructors",
    "getDeclaredConstructors",
    "getConstructor",
    "getDeclaredConstructor",
    "getClasses",
    "getDeclaredClasses",
    "getRecordComponents",
    "getPermittedSubclasses",
    "getAnnotations",
    "getDeclaredAnnotations",
    "getAnnotation",
    "getDeclaredAnnotation",
    "getAnnotationsByType",
    "getDeclaredAnnotationsByType",
    "isAnnotationPresent",
    "getGenericSuperclass",
    "getGenericInterfaces",
    "getTypeParameters",
    "getAnnotatedSuperclass",
    "getAnnotatedInterfaces",
    "getEnclosingMethod",
    "getEnclosingConstructor",
    "getEnclosingClass",
    "getDeclaringClass",
    "getInterfaces",
    "getEnumConstants",
    "getEnumConstantsShared",
    "enumConstantDirectory",
    "getNestHost",
    "getNestMembers",
    "isRecord",
    "isSealed",
    "isEnum",
    "isMemberClass",
    "isLocalClass",
    "isAnonymousClass",
    "toGenericString",
    "newInstance",
];

const LOOKUP: &str = "java/lang/invoke/MethodHandles$Lookup";
const FILE: &str = "java/io/File";
const PATHS: &str = "sun/nio/fs/UnixNativeDispatcher";
const PATH_FIRST: &str = "(Lsun/nio/fs/UnixPath;";

const JDK: &[Hooked] = &[
    hooked("java/lang/Class", CLASS_QUERIES, "", Kind::Inspected, 0),
    hooked("java/lang/Class", &["forName"], "(Ljava/lang/String;", Kind::Named, 0),
    hooked("java/lang/Class", &["forName"], "(Ljava/lang/Module;Ljava/lang/String;)", Kind::Named, 1),
    hooked("java/lang/ClassLoader", &["loadClass"], "(Ljava/lang/String;)", Kind::Named, 1),
    hooked(
        "java/lang/ClassLoader",
        &["findClass", "findSystemClass"],
        "(Ljava/lang/String;)",
        Kind::Named,
        1,
    ),
    hooked(
        "java/lang/ClassLoader",
        &["getResource", "getResources"],
        "(Ljava/lang/String;)",
        Kind::Resource,
        1,
    ),
    hooked("java/net/URLClassLoader", &["findClass"], "(Ljava/lang/String;)", Kind::Named, 1),
    hooked(
        "java/net/URLClassLoader",
        &["findResource", "findResources"],
        "(Ljava/lang/String;)",
        Kind::Resource,
        1,
    ),
    hooked(
        "jdk/internal/loader/BuiltinClassLoader",
        &["findResource", "findResourceAsStream"],
        "(Ljava/lang/String;Ljava/lang/String;)",
        Kind::Resource,
        2,
    ),
    hooked("java/util/ResourceBundle", &["getBundleImpl"], "(Ljava/lang/String;", Kind::Bundle, 0),
    hooked(
        "java/util/ResourceBundle",
        &["getBundleImpl"],
        "(Ljava/lang/Module;Ljava/lang/Module;Ljava/lang/String;",
        Kind::Bundle,
        2,
    ),
    hooked(
        LOOKUP,
        &[
            "findVirtual",
            "findStatic",
            "findConstructor",
            "findSpecial",
            "findGetter",
            "findSetter",
            "findVarHandle",
            "findStaticGetter",
            "findStaticSetter",
            "findStaticVarHandle",
            "ensureInitialized",
            "accessClass",
        ],
        "(Ljava/lang/Class;",
        Kind::Inspected,
        1,
    ),
    hooked(LOOKUP, &["findClass"], "(Ljava/lang/String;)", Kind::Named, 1),
    hooked(LOOKUP, &["defineHiddenClass", "defineHiddenClassWithClassData"], "([B", Kind::HiddenClass, 1),
    hooked("java/io/ObjectStreamClass", &["lookup", "lookupAny"], "(Ljava/lang/Class;", Kind::Inspected, 0),
    hooked("java/lang/reflect/Proxy", &["newProxyInstance", "getProxyClass"], "", Kind::Inspected, 1),
    hooked("java/lang/reflect/Array", &["newInstance"], "(Ljava/lang/Class;", Kind::Inspected, 0),
    hooked(
        "java/lang/reflect/Field",
        &[
            "get",
            "getBoolean",
            "getByte",
            "getChar",
            "getShort",
            "getInt",
            "getLong",
            "getFloat",
            "getDouble",
            "set",
            "setBoolean",
            "setByte",
            "setChar",
            "setShort",
            "setInt",
            "setLong",
            "setFloat",
            "setDouble",
        ],
        "",
        Kind::Member,
        0,
    ),
    hooked(
        "sun/misc/Unsafe",
        &["allocateInstance", "ensureClassInitialized"],
        "(Ljava/lang/Class;)",
        Kind::Inspected,
        1,
    ),
    hooked(
        "sun/misc/Unsafe",
        &["objectFieldOffset", "staticFieldOffset", "staticFieldBase"],
        "(Ljava/lang/reflect/Field;)",
        Kind::Member,
        1,
    ),
    hooked(
        "jdk/internal/reflect/ReflectionFactory",
        &["newConstructorForSerialization"],
        "(Ljava/lang/Class;",
        Kind::Inspected,
        1,
    ),
    hooked("java/lang/Package", &["getPackageInfo"], "()", Kind::Package, 0),
    hooked("java/io/FileInputStream", &["<init>"], "(Ljava/io/File;)", Kind::FileRead, 1),
    hooked("java/io/FileOutputStream", &["<init>"], "(Ljava/io/File;Z)", Kind::FileWritten, 1),
    hooked("java/io/RandomAccessFile", &["<init>"], "(Ljava/io/File;Ljava/lang/String;", Kind::FileRandom, 1)
        .second(2),
    hooked(
        FILE,
        &["exists", "isFile", "isDirectory", "isHidden", "canRead", "canWrite", "canExecute", "lastModified"],
        "()",
        Kind::FileTested,
        0,
    ),
    hooked(FILE, &["length"], "()", Kind::FileRead, 0),
    hooked(FILE, &["list", "normalizedList"], "()", Kind::FolderListed, 0),
    hooked(
        FILE,
        &["createNewFile", "delete", "mkdir", "setLastModified", "setReadOnly", "setWritable"],
        "",
        Kind::FileWritten,
        0,
    ),
    hooked(FILE, &["renameTo"], "(Ljava/io/File;)", Kind::FileWritten, 0).second(1),
    hooked(PATHS, &["open"], PATH_FIRST, Kind::PathOpened, 0).number(1),
    hooked(
        PATHS,
        &["stat", "stat2", "lstat", "access", "exists", "readlink", "realpath"],
        PATH_FIRST,
        Kind::PathTested,
        0,
    ),
    hooked(PATHS, &["opendir"], PATH_FIRST, Kind::PathListed, 0),
    hooked(PATHS, &["mkdir", "unlink", "rmdir", "mknod", "chmod"], PATH_FIRST, Kind::PathWritten, 0),
    hooked(PATHS, &["rename", "link"], "(Lsun/nio/fs/UnixPath;Lsun/nio/fs/UnixPath;)", Kind::PathWritten, 0)
        .second(1),
    hooked(PATHS, &["symlink"], "([BLsun/nio/fs/UnixPath;)", Kind::PathWritten, 1),
    hooked(
        "java/util/zip/ZipFile",
        &["<init>"],
        "(Ljava/io/File;ILjava/nio/charset/Charset;)",
        Kind::Archive,
        1,
    ),
    hooked("java/lang/System", &["getProperty"], "(Ljava/lang/String;", Kind::Property, 0),
    hooked("java/lang/System", &["getenv"], "(Ljava/lang/String;)", Kind::Variable, 0),
    Hooked { first: None, ..hooked("java/lang/System", &["getProperties"], "()", Kind::AllProperties, 0) },
    Hooked { first: None, ..hooked("java/lang/System", &["getenv"], "()", Kind::AllVariables, 0) },
    Hooked { first: None, ..hooked("java/lang/ProcessBuilder", &["start"], "(", Kind::ChildProcess, 0) },
    Hooked {
        first: None,
        ..hooked("java/lang/ProcessBuilder", &["environment"], "()", Kind::AllVariables, 0)
    },
    Hooked { first: None, ..hooked("java/lang/Throwable", &["getOurStackTrace"], "()", Kind::StackTrace, 0) },
    Hooked {
        first: None,
        ..hooked("java/lang/NullPointerException", &["getMessage"], "()", Kind::StackTrace, 0)
    },
    Hooked { first: None, ..hooked("java/lang/StackWalker", &["walk", "forEach"], "", Kind::StackTrace, 0) },
    Hooked {
        first: None,
        ..hooked(
            "java/lang/Package",
            &[
                "getImplementationTitle",
                "getImplementationVersion",
                "getImplementationVendor",
                "getSpecificationTitle",
                "getSpecificationVersion",
                "getSpecificationVendor",
                "isSealed",
            ],
            "(",
            Kind::Manifest,
            0,
        )
    },
    hooked(
        "java/lang/System",
        &["setProperty", "clearProperty"],
        "(Ljava/lang/String;",
        Kind::PropertyWritten,
        0,
    ),
    Hooked {
        first: None,
        ..hooked("java/lang/System", &["setProperties"], "(", Kind::AllPropertiesWritten, 0)
    },
    shared_written("java/util/Locale", &["setDefault"]),
    shared_written("java/util/TimeZone", &["setDefault", "setID"]),
    shared_written("java/lang/Thread", &["setDefaultUncaughtExceptionHandler"]),
    shared_written(
        "java/security/Security",
        &["setProperty", "insertProviderAt", "addProvider", "removeProvider"],
    ),
    shared_written("java/net/URL", &["setURLStreamHandlerFactory"]),
    shared_written("java/net/Authenticator", &["setDefault"]),
    shared_written("java/net/CookieHandler", &["setDefault"]),
    shared_written("java/net/ProxySelector", &["setDefault"]),
];

const NOTIFIER: &str = "org/junit/runner/notification/RunNotifier";
const LISTENER: &str = "org/junit/platform/launcher/core/ExecutionListenerAdapter";
const TEST_RESULT: &str = "junit/framework/TestResult";

const FRAMEWORKS: &[Hooked] = &[
    hooked("", &["run"], "(Lorg/junit/runner/notification/RunNotifier;)V", Kind::Junit4Run, 0),
    hooked(
        "org/junit/runners/model/RunnerBuilder",
        &["safeRunnerForClass"],
        "(Ljava/lang/Class;)",
        Kind::Junit4Build,
        1,
    ),
    hooked(NOTIFIER, &["fireTestStarted"], "(", Kind::Junit4Started, 1),
    hooked(NOTIFIER, &["fireTestFailure"], "(", Kind::Junit4Failed, 1),
    hooked(NOTIFIER, &["fireTestAssumptionFailed"], "(", Kind::Junit4Assumption, 1),
    hooked(NOTIFIER, &["fireTestIgnored"], "(", Kind::Junit4Ignored, 1),
    hooked(NOTIFIER, &["fireTestFinished"], "(", Kind::Junit4Finished, 1),
    hooked(TEST_RESULT, &["run"], "(Ljunit/framework/TestCase;)V", Kind::Junit3Run, 1),
    hooked(TEST_RESULT, &["startTest"], "(", Kind::Junit3Started, 1),
    hooked(TEST_RESULT, &["addError", "addFailure"], "(", Kind::Junit3Failed, 1),
    hooked(TEST_RESULT, &["endTest"], "(", Kind::Junit3Finished, 1),
    hooked("junit/framework/TestSuite", &["run"], "(Ljunit/framework/TestResult;)V", Kind::Session, 0),
    hooked(
        "org/junit/platform/engine/support/hierarchical/NodeTestTask",
        &["execute"],
        "()V",
        Kind::PlatformTask,
        0,
    ),
    hooked(LISTENER, &["executionStarted"], "(", Kind::PlatformStarted, 1),
    hooked(LISTENER, &["executionFinished"], "(", Kind::PlatformFinished, 1).second(2),
    hooked(LISTENER, &["executionSkipped"], "(", Kind::PlatformSkipped, 1),
    hooked("org/testng/internal/TestMethodWorker", &["run"], "()V", Kind::TestngWorker, 0),
    hooked("org/testng/internal/invokers/TestMethodWorker", &["run"], "()V", Kind::TestngWorker, 0),
    hooked("org/testng/internal/ClassImpl", &["getInstances"], "(Z", Kind::TestngInstances, 0),
    hooked("org/testng/internal/TestListenerHelper", &[], "(Lorg/testng/ITestResult;", Kind::TestngResult, 0),
    hooked("org/testng/TestRunner", &["run"], "()V", Kind::Session, 0),
    hooked("org/testng/SuiteRunner", &["run"], "()V", Kind::Session, 0),
];

/// The classes of the JDK that have hooks.
pub(crate) fn is_hooked_jdk_class(name: &[u8]) -> bool {
    JDK.iter().any(|hooked| hooked.class.as_bytes() == name)
}

/// The hooks of a class of the JDK.
pub(crate) fn of_jdk_class(class: &ClassFile<'_>) -> Vec<MethodHook> {
    let Ok(name) = class.name() else { return Vec::new() };
    found(class, JDK.iter().filter(|hooked| name == hooked.class))
}

/// The hooks of a class of a test framework.
pub(crate) fn of_framework_class(class: &ClassFile<'_>) -> Vec<MethodHook> {
    let Ok(name) = class.name() else { return Vec::new() };
    found(class, FRAMEWORKS.iter().filter(|hooked| hooked.class.is_empty() || name == hooked.class))
}

fn found<'h>(class: &ClassFile<'_>, hooked: impl Iterator<Item = &'h Hooked>) -> Vec<MethodHook> {
    let mut hooks: Vec<MethodHook> = Vec::new();
    for hooked in hooked {
        for (position, method) in class.methods().iter().enumerate() {
            let is_new = hooks.iter().all(|hook| hook.method != position);
            if is_new && is_hooked(class, method, hooked) {
                hooks.push(hooked.hook(position));
            }
        }
    }
    hooks
}

fn is_hooked(class: &ClassFile<'_>, method: &Member<'_>, hooked: &Hooked) -> bool {
    let (Ok(name), Ok(descriptor)) = (class.pool().utf8(method.name), class.pool().utf8(method.descriptor))
    else {
        return false;
    };
    let has_name = hooked.methods.is_empty() || hooked.methods.iter().any(|wanted| name == *wanted);
    has_name
        && descriptor.as_bytes().starts_with(hooked.descriptor.as_bytes())
        && method.access & (access::NATIVE | access::ABSTRACT) == 0
}

impl Hooked {
    fn hook(&self, method: usize) -> MethodHook {
        let object = |local: Option<u16>| local.map_or(HookArgument::Null, HookArgument::Object);
        let number = self.number.map_or(HookArgument::Number(0), HookArgument::NumberIn);
        let enter = call(self.kind, number, object(self.first), object(self.second));
        // What ends is found by the thread: where an exception leaves a method its local variables are not known.
        let nothing = HookArgument::Null;
        let leave = self.kind.end().map(|end| call(end, HookArgument::Number(0), nothing, nothing));
        MethodHook { method, enter, leave }
    }
}

fn call(kind: Kind, number: HookArgument, first: HookArgument, second: HookArgument) -> HookCall {
    let arguments = vec![HookArgument::Number(kind as i32), number, first, second];
    HookCall { class: HOOKS_CLASS, name: CALL, descriptor: CALL_DESCRIPTOR, arguments }
}

/// What a class does once in a JVM.
#[derive(Debug, Default)]
pub(crate) struct Once {
    /// The hooks around its initialiser, unless that does nothing beyond the class, and around methods that look like bootstrap
    /// methods, whose results the JVM keeps.
    pub(crate) hooks: Vec<MethodHook>,
    /// Whether it has an initialiser that does nothing beyond the class, and so has no hook.
    pub(crate) is_plain: bool,
}

impl Once {
    /// Finds what a class does once; `number` is that of the class.
    pub(crate) fn of(class: &ClassFile<'_>, number: u32) -> Result<Self, Error> {
        let mut once = Self::default();
        for (position, method) in class.methods().iter().enumerate() {
            let is_initialiser = class.pool().utf8(method.name)? == "<clinit>";
            if is_initialiser && !reaches_out(class, method)? {
                once.is_plain = true;
            } else if is_initialiser || looks_like_bootstrap(class, method)? {
                let number = HookArgument::Number(number.cast_signed());
                let call = |kind| call(kind, number, HookArgument::Null, HookArgument::Null);
                once.hooks.push(MethodHook {
                    method: position,
                    enter: call(Kind::OnceBegins),
                    leave: Some(call(Kind::OnceEnds)),
                });
            }
        }
        Ok(once)
    }
}

fn looks_like_bootstrap(class: &ClassFile<'_>, method: &Member<'_>) -> Result<bool, Error> {
    let descriptor = class.pool().utf8(method.descriptor)?;
    Ok(method.access & access::STATIC != 0
        && descriptor.as_bytes().starts_with(b"(Ljava/lang/invoke/MethodHandles$Lookup;"))
}

/// Whether a body can run code of another class, or even load one.
fn reaches_out(class: &ClassFile<'_>, method: &Member<'_>) -> Result<bool, Error> {
    let Some(code) = class.code(method)? else { return Ok(false) };
    let pool = class.pool();
    let own = class.name()?;
    for instruction in code.instructions() {
        let instruction = instruction?;
        let Some(index) = instruction.constant() else { continue };
        let stays = match instruction.opcode {
            Opcode::GETSTATIC | Opcode::PUTSTATIC => pool.member(index)?.class == own,
            Opcode::INVOKEVIRTUAL => {
                let member = pool.member(index)?;
                member.class == "java/lang/Class" && member.name == "desiredAssertionStatus"
            }
            Opcode::LDC | Opcode::LDC_W | Opcode::LDC2_W => match pool.get(index)? {
                Constant::Class { .. } => pool.class_name(index)? == own,
                Constant::Integer(_) | Constant::Float(_) | Constant::Long(_) | Constant::Double(_) => true,
                Constant::String { .. } => true,
                _ => false,
            },
            Opcode::ANEWARRAY => pool.class_name(index)? == "java/lang/String",
            _ => false,
        };
        if !stays {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The class whose native method is the agent, as a class file.
pub(crate) fn hooks_class() -> Vec<u8> {
    let mut class = Vec::with_capacity(256);
    class.extend(0xCAFE_BABE_u32.to_be_bytes());
    // Version 52, and a constant pool of 6.
    class.extend([0, 0, 0, 52, 0, 7]);
    for name in [HOOKS_CLASS, "java/lang/Object"] {
        text(&mut class, name);
    }
    class.extend([7, 0, 1, 7, 0, 2]);
    for name in [CALL, CALL_DESCRIPTOR] {
        text(&mut class, name);
    }
    // public final super synthetic class #3 extends #4, no interfaces, no fields.
    class.extend([0x10, 0x31, 0, 3, 0, 4, 0, 0, 0, 0]);
    // One method: public static native #5 with descriptor #6; no attributes of it or of the class.
    class.extend([0, 1, 0x01, 0x09, 0, 5, 0, 6, 0, 0, 0, 0]);
    class
}

fn text(class: &mut Vec<u8>, text: &str) {
    class.push(1);
    class.extend((text.len() as u16).to_be_bytes());
    class.extend(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use probity_classfile::print::listing;

    #[test]
    fn the_class_of_the_hooks_is_one() {
        let bytes = hooks_class();
        let class = ClassFile::read(&bytes).unwrap();
        assert_eq!(class.name().unwrap(), HOOKS_CLASS);
        assert!(listing(&class).contains("public static native"), "{}", listing(&class));
    }

    #[test]
    fn every_kind_has_a_number_of_its_own() {
        for kind in Kind::ALL {
            assert_eq!(Kind::from_number(*kind as i32), Some(*kind));
        }
    }

    #[test]
    fn only_what_begins_something_has_an_end() {
        let hooks = JDK.iter().chain(FRAMEWORKS);
        for hooked in hooks {
            let is_constructor = hooked.methods.contains(&"<init>");
            assert!(!(is_constructor && hooked.kind.end().is_some()), "{hooked:?}");
        }
    }
}
