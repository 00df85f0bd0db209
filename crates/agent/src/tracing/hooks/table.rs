//! The tables: which methods of the JDK and of test frameworks have hooks.

use super::kind::Kind;

/// A method with a hook.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hooked {
    /// The class; empty for all.
    pub(super) class: &'static str,
    /// The names of the methods.
    pub(super) methods: &'static [&'static str],
    /// How their descriptors start.
    pub(super) descriptor: &'static str,
    pub(super) kind: Kind,
    /// The local variables whose objects are given.
    pub(super) first: Option<u16>,
    pub(super) second: Option<u16>,
    /// The local variable whose number is given.
    pub(super) number: Option<u16>,
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
    "getSimpleName",
    "getCanonicalName",
    "toGenericString",
    "newInstance",
];

const LOOKUP: &str = "java/lang/invoke/MethodHandles$Lookup";
const FILE: &str = "java/io/File";
const PATHS: &str = "sun/nio/fs/UnixNativeDispatcher";
const PATH_FIRST: &str = "(Lsun/nio/fs/UnixPath;";

/// The methods of the JDK.
pub(super) const JDK: &[Hooked] = &[
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
    hooked("java/lang/reflect/Proxy", &["newProxyInstance", "getProxyClass"], "", Kind::InspectedAll, 1),
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
    hooked(
        "jdk/internal/loader/NativeLibraries",
        &["loadLibrary"],
        "(Ljava/lang/Class;Ljava/io/File;)",
        Kind::FileRead,
        2,
    ),
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
    // Most folders are opened like files.
    hooked("sun/nio/fs/UnixDirectoryStream", &["<init>"], "(Lsun/nio/fs/UnixPath;J", Kind::PathListed, 1),
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
    hooked("java/util/Properties", &["getProperty"], "(Ljava/lang/String;)", Kind::PropertyIn, 1).second(0),
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
    Hooked { kind: Kind::SettingWritten, ..shared_written("java/util/Locale", &["setDefault"]) },
    Hooked { kind: Kind::SettingWritten, ..shared_written("java/util/TimeZone", &["setDefault"]) },
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

const OF_DESCRIPTION: &str = "(Lorg/junit/runner/Description;)V";
const OF_FAILURE: &str = "(Lorg/junit/runner/notification/Failure;)V";
const TESTNG_LISTENERS: &str = "org/testng/internal/TestListenerHelper";
const LISTENER: &str = "org/junit/platform/launcher/core/ExecutionListenerAdapter";
const TEST_RESULT: &str = "junit/framework/TestResult";

/// The methods of test frameworks.
pub(super) const FRAMEWORKS: &[Hooked] = &[
    hooked("", &["run"], "(Lorg/junit/runner/notification/RunNotifier;)V", Kind::Junit4Run, 0),
    hooked(
        "org/junit/runners/model/RunnerBuilder",
        &["safeRunnerForClass"],
        "(Ljava/lang/Class;)",
        Kind::Junit4Build,
        1,
    ),
    // Notifiers can be subclasses that do not call those of JUnit.
    hooked("", &["fireTestStarted"], OF_DESCRIPTION, Kind::Junit4Started, 1),
    hooked("", &["fireTestFailure"], OF_FAILURE, Kind::Junit4Failed, 1),
    hooked("", &["fireTestAssumptionFailed"], OF_FAILURE, Kind::Junit4Assumption, 1),
    hooked("", &["fireTestIgnored"], OF_DESCRIPTION, Kind::Junit4Ignored, 1),
    hooked("", &["fireTestFinished"], OF_DESCRIPTION, Kind::Junit4Finished, 1),
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
    hooked("org/testng/internal/ClassImpl", &["getInstances", "getObjects"], "(Z", Kind::TestngInstances, 0),
    hooked(TESTNG_LISTENERS, &["runTestListeners"], "(Lorg/testng/ITestResult;", Kind::TestngResult, 0),
    hooked(
        TESTNG_LISTENERS,
        &["runPostConfigurationListeners"],
        "(Lorg/testng/ITestResult;",
        Kind::TestngConfiguration,
        0,
    ),
    hooked("org/testng/TestRunner", &["run"], "()V", Kind::Session, 0),
    hooked("org/testng/SuiteRunner", &["run"], "()V", Kind::Session, 0),
];
