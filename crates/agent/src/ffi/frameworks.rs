//! What test frameworks tell: which unit begins or ends, and how tests end.
//!
//! The objects are those of the frameworks, in whatever version and class loader. They are asked by the names of methods that
//! have been there for long; an object that does not answer tells nothing, and a unit that is not told of is not recorded.
//! Fields are read where they are known, since that runs no code of the program: code that only ran because of a question would
//! count as covered.

use super::hooks::{HookContext, HookEvent, thread_number};
use super::settings;
use crate::tracing::hooks::Kind;
use crate::tracing::unit_name::{
    add_platform_part, class_of_junit4_name, engine_of_platform_id, top_level, units_of_platform_id,
};
use crate::tracing::{PLATFORM, Window, WindowKey};
use probity_jvmti_sys::jobject;
use probity_wire::TestOutcome;
use std::ffi::CStr;
use std::sync::atomic::{AtomicBool, Ordering};

const STRING: &CStr = c"Ljava/lang/String;";
const CLASS: &CStr = c"Ljava/lang/Class;";

/// Whether the JUnit Platform runs the tests, which then also tells of those of JUnit 3 and 4.
static HAS_PLATFORM: AtomicBool = AtomicBool::new(false);

pub(super) fn answer(context: &HookContext<'_>, event: HookEvent) {
    match event.kind {
        Kind::Junit4Run
        | Kind::Junit4Build
        | Kind::Junit3Run
        | Kind::TestngWorker
        | Kind::TestngInstances => {
            open(context, event);
        }
        Kind::Junit4RunEnds
        | Kind::Junit4BuildEnds
        | Kind::Junit3RunEnds
        | Kind::TestngWorkerEnds
        | Kind::TestngInstancesEnds => close(context, &on_thread(event.kind)),
        Kind::PlatformTask | Kind::PlatformTaskEnds => platform_task(context, event),
        Kind::PlatformStarted | Kind::PlatformFinished | Kind::PlatformSkipped => {
            platform_tells(context, event);
        }
        Kind::Session => context.tracer.open_session(on_thread(event.kind)),
        Kind::SessionEnds => context.tracer.close_session(&on_thread(event.kind)),
        _ => test(context, event),
    }
}

/// The key of a window of a kind on this thread: what ends names what began.
fn on_thread(kind: Kind) -> WindowKey {
    let begin = match kind {
        Kind::Junit4RunEnds => Kind::Junit4Run,
        Kind::Junit4BuildEnds => Kind::Junit4Build,
        Kind::Junit3RunEnds => Kind::Junit3Run,
        Kind::TestngWorkerEnds => Kind::TestngWorker,
        Kind::TestngInstancesEnds => Kind::TestngInstances,
        Kind::PlatformTaskEnds => Kind::PlatformTask,
        Kind::SessionEnds => Kind::Session,
        other => other,
    };
    WindowKey::Thread { thread: thread_number(), kind: begin as i32 }
}

fn open(context: &HookContext<'_>, event: HookEvent) {
    let class = if event.first.is_null() { None } else { test_class(context, event) };
    let framework = match event.kind {
        Kind::Junit3Run => "JUnit 3",
        Kind::TestngWorker | Kind::TestngInstances => "TestNG",
        _ => "JUnit 4",
    };
    let window = Window {
        key: on_thread(event.kind),
        units: class.iter().map(|class| top_level(class).to_owned()).collect(),
        framework,
        runs: !matches!(event.kind, Kind::Junit4Build | Kind::TestngInstances),
        nests: true,
    };
    open_window(context, window);
}

fn open_window(context: &HookContext<'_>, window: Window) {
    context.tracer.open(window, &context.attached.agent.recorder().recorded_hits(context.memory));
}

fn close(context: &HookContext<'_>, key: &WindowKey) {
    // They are read before anything is locked.
    let settings =
        if context.tracer.has_settings() { settings::read(context.jni, context.jvmti) } else { None };
    let hits = context.attached.agent.recorder().recorded_hits(context.memory);
    context.tracer.close(key, &hits, &settings);
}

/// The name of the test class that an object of a framework stands for.
fn test_class(context: &HookContext<'_>, event: HookEvent) -> Option<String> {
    let (jni, object) = (context.jni, event.first);
    // SAFETY: the hook gives an object of the kind's type, which is not null. All references that are made are local and
    // end with this call of the hook; they are few.
    unsafe {
        let class = match event.kind {
            Kind::Junit4Build => object,
            Kind::Junit3Run => jni.class_of(object)?,
            Kind::TestngInstances => jni.held(object, c"m_class", CLASS)?,
            Kind::TestngWorker => {
                let tasks = jni.held(object, c"m_methodInstances", c"Ljava/util/List;")?;
                let tasks = jni.ask(tasks, c"toArray", c"()[Ljava/lang/Object;")?;
                let first = *jni.elements(tasks).first()?;
                let method =
                    jni.held_or_asked(first, c"m_method", c"getMethod", c"Lorg/testng/ITestNGMethod;")?;
                jni.held_or_asked(method, c"m_methodClass", c"getRealClass", CLASS)?
            }
            _ => return junit4_class(context, object),
        };
        jni.name_of_class(context.jvmti, class)
    }
}

/// The class of a runner of JUnit 4: that of its `TestClass`, of the test of JUnit 3 that it runs, or of its description. Runners
/// of several classes have none.
///
/// # Safety
///
/// `runner` must be a live reference.
unsafe fn junit4_class(context: &HookContext<'_>, runner: jobject) -> Option<String> {
    const TEST_CLASS: &CStr = c"Lorg/junit/runners/model/TestClass;";
    const TEST: &CStr = c"Ljunit/framework/Test;";
    let jni = context.jni;
    // SAFETY: the caller's contract; the descriptors say what fields hold and methods return.
    unsafe {
        let test_class = jni.held(runner, c"testClass", TEST_CLASS);
        let test_class =
            test_class.or_else(|| jni.held_or_asked(runner, c"fTestClass", c"getTestClass", TEST_CLASS));
        if let Some(test_class) = test_class {
            let class = jni.held(test_class, c"clazz", CLASS);
            let class = class.or_else(|| jni.held_or_asked(test_class, c"fClass", c"getJavaClass", CLASS))?;
            return jni.name_of_class(context.jvmti, class);
        }
        let test = jni.held(runner, c"test", TEST).or_else(|| jni.held(runner, c"fTest", TEST));
        match test {
            Some(test) => junit3_class(context, test),
            None => described_class(context, runner),
        }
    }
}

/// The class of a test of JUnit 3, or that by which a suite is called.
///
/// # Safety
///
/// `test` must be a live reference.
unsafe fn junit3_class(context: &HookContext<'_>, test: jobject) -> Option<String> {
    let jni = context.jni;
    // SAFETY: the caller's contract; the descriptors say what the fields hold.
    unsafe {
        if jni.held(test, c"fTests", c"Ljava/util/Vector;").is_none() {
            return jni.name_of_class(context.jvmti, jni.class_of(test)?);
        }
        let name = jni.into_text(jni.held(test, c"fName", STRING)?);
        context.tracer.has_class(&name).then_some(name)
    }
}

/// The class that is in the description of a runner.
///
/// # Safety
///
/// `runner` must be a live reference.
unsafe fn described_class(context: &HookContext<'_>, runner: jobject) -> Option<String> {
    let jni = context.jni;
    // SAFETY: the caller's contract; the descriptors say what fields hold and methods return.
    unsafe {
        let description = jni.ask(runner, c"getDescription", c"()Lorg/junit/runner/Description;")?;
        if let Some(class) = jni.held(description, c"fTestClass", CLASS) {
            return jni.name_of_class(context.jvmti, class);
        }
        let name = jni.held_or_asked(description, c"fDisplayName", c"getDisplayName", STRING)?;
        let name = jni.into_text(name);
        let class = class_of_junit4_name(&name);
        context.tracer.has_class(class).then(|| class.to_owned())
    }
}

/// The id of a `TestDescriptor` of the JUnit Platform.
///
/// # Safety
///
/// `descriptor` must be a live reference.
unsafe fn platform_id(context: &HookContext<'_>, descriptor: jobject) -> Option<String> {
    let jni = context.jni;
    // SAFETY: the caller's contract; the descriptors say what fields hold and methods return.
    unsafe {
        let id = jni.ask(descriptor, c"getUniqueId", c"()Lorg/junit/platform/engine/UniqueId;")?;
        let Some(segments) = jni.held(id, c"segments", c"Ljava/util/List;") else {
            return jni.ask_text(id, c"toString");
        };
        let segments = jni.ask(segments, c"toArray", c"()[Ljava/lang/Object;")?;
        let mut text = String::new();
        for segment in jni.elements(segments) {
            let part =
                |name| jni.held(segment, name, STRING).map(|part| jni.into_text(part)).unwrap_or_default();
            add_platform_part(&mut text, &part(c"type"), &part(c"value"));
            jni.forget(segment);
        }
        Some(text)
    }
}

fn platform_window(key: WindowKey, id: &str) -> Window {
    Window { key, units: units_of_platform_id(id), framework: PLATFORM, runs: true, nests: false }
}

/// A node of the tree of tests is executed, with all that prepares it.
fn platform_task(context: &HookContext<'_>, event: HookEvent) {
    let key = on_thread(event.kind);
    if event.kind == Kind::PlatformTaskEnds {
        return close(context, &key);
    }
    if event.first.is_null() {
        return;
    }
    HAS_PLATFORM.store(true, Ordering::Relaxed);
    // SAFETY: the hook gives a task, which is not null; the field holds an object.
    let id = unsafe {
        context
            .jni
            .held(event.first, c"testDescriptor", c"Lorg/junit/platform/engine/TestDescriptor;")
            .and_then(|descriptor| platform_id(context, descriptor))
    };
    // A window without a unit is opened too, since its end is told whatever it was.
    open_window(context, platform_window(key, &id.unwrap_or_default()));
}

/// The listener is told that something started, finished or was skipped.
fn platform_tells(context: &HookContext<'_>, event: HookEvent) {
    if event.first.is_null() {
        return;
    }
    HAS_PLATFORM.store(true, Ordering::Relaxed);
    // SAFETY: the hook gives a `TestDescriptor`, which is not null.
    let (id, is_test) = unsafe {
        (platform_id(context, event.first), context.jni.ask_flag(event.first, c"isTest").unwrap_or(true))
    };
    let Some(id) = id else { return };
    let window = platform_window(WindowKey::Id(id.clone()), &id);
    match event.kind {
        Kind::PlatformStarted => {
            open_window(context, window);
            if is_test {
                context.tracer.test_started(id);
            }
        }
        Kind::PlatformSkipped => {
            let key = window.key.clone();
            open_window(context, window);
            context.tracer.test_ended(id, TestOutcome::Skipped);
            close(context, &key);
        }
        _ => {
            // SAFETY: the hook gives a `TestExecutionResult` or null.
            let outcome = unsafe { platform_outcome(context, event.second) };
            let engine = engine_of_platform_id(&id);
            if is_test || outcome == TestOutcome::Failed {
                context.tracer.test_ended(id, outcome);
            }
            close(context, &window.key);
            if let Some(engine) = engine {
                context.tracer.engine_ended(&engine);
            }
        }
    }
}

/// # Safety
///
/// `result` must be null or a live reference.
unsafe fn platform_outcome(context: &HookContext<'_>, result: jobject) -> TestOutcome {
    const STATUS: &CStr = c"Lorg/junit/platform/engine/TestExecutionResult$Status;";
    // What does not tell how it ended has failed, so that it runs again.
    if result.is_null() {
        return TestOutcome::Failed;
    }
    // SAFETY: the reference is live; the descriptors say what field and method give.
    let status = unsafe {
        let status = context.jni.held_or_asked(result, c"status", c"getStatus", STATUS);
        status.and_then(|status| context.jni.ask_text(status, c"name"))
    };
    match status.as_deref() {
        Some("SUCCESSFUL") => TestOutcome::Passed,
        Some("ABORTED") => TestOutcome::Skipped,
        _ => TestOutcome::Failed,
    }
}

/// A test of JUnit 3, JUnit 4 or TestNG starts, fails or ends.
fn test(context: &HookContext<'_>, event: HookEvent) {
    if event.first.is_null() || HAS_PLATFORM.load(Ordering::Relaxed) {
        return;
    }
    match event.kind {
        Kind::TestngResult | Kind::TestngConfiguration => return testng_result(context, event),
        // JUnit 4 tells of the tests of JUnit 3 that it runs, and of its own that JUnit 3 runs.
        Kind::Junit3Started | Kind::Junit3Failed | Kind::Junit3Finished
            if context.tracer.is_open(&on_thread(Kind::Junit4Run)) =>
        {
            return;
        }
        _ => {}
    }
    // SAFETY: the hook gives an object of the kind's type, which is not null.
    let Some(id) = (unsafe { test_id(context, event) }) else { return };
    let tracer = context.tracer;
    match event.kind {
        Kind::Junit4Started | Kind::Junit3Started => tracer.test_started(id),
        Kind::Junit4Failed | Kind::Junit3Failed => tracer.test_failed(id),
        Kind::Junit4Finished | Kind::Junit3Finished => tracer.test_finished(id),
        Kind::Junit4Ignored | Kind::Junit4Assumption => tracer.test_skipped(id),
        _ => {}
    }
}

/// # Safety
///
/// The first object must be a live reference.
unsafe fn test_id(context: &HookContext<'_>, event: HookEvent) -> Option<String> {
    let (jni, object) = (context.jni, event.first);
    // SAFETY: the caller's contract; the descriptor says what the method returns.
    unsafe {
        match event.kind {
            Kind::Junit3Started | Kind::Junit3Failed | Kind::Junit3Finished => {
                let Some(name) = jni.held(object, c"fName", STRING) else {
                    return jni.ask_text(object, c"toString");
                };
                let class = jni.name_of_class(context.jvmti, jni.class_of(object)?)?;
                Some(format!("{}({class})", jni.into_text(name)))
            }
            Kind::Junit4Failed | Kind::Junit4Assumption => {
                let of_type = c"Lorg/junit/runner/Description;";
                let description = jni.held_or_asked(object, c"fDescription", c"getDescription", of_type)?;
                let name = jni.held_or_asked(description, c"fDisplayName", c"getDisplayName", STRING)?;
                Some(jni.into_text(name))
            }
            _ => {
                let name = jni.held_or_asked(object, c"fDisplayName", c"getDisplayName", STRING)?;
                Some(jni.into_text(name))
            }
        }
    }
}

fn testng_result(context: &HookContext<'_>, event: HookEvent) {
    let (jni, result) = (context.jni, event.first);
    // SAFETY: the hook gives an `ITestResult`, which is not null; the descriptors say what fields hold and methods return.
    let (status, name, class) = unsafe {
        let method = jni.held_or_asked(result, c"m_method", c"getMethod", c"Lorg/testng/ITestNGMethod;");
        let class =
            method.and_then(|method| jni.held_or_asked(method, c"m_methodClass", c"getRealClass", CLASS));
        let name = jni.held_or_asked(result, c"m_name", c"getName", STRING);
        (
            jni.held_number(result, c"m_status").or_else(|| jni.ask_number(result, c"getStatus")),
            name.map(|name| jni.into_text(name)),
            class.and_then(|class| jni.name_of_class(context.jvmti, class)),
        )
    };
    let id = format!("{}.{}", class.unwrap_or_default(), name.unwrap_or_default());
    match status {
        // Of what prepares tests only failures count.
        Some(2) if event.kind == Kind::TestngConfiguration => context.tracer.test_failed(id),
        _ if event.kind == Kind::TestngConfiguration => {}
        Some(16) => context.tracer.test_started(id),
        Some(1 | 4) => context.tracer.test_ended(id, TestOutcome::Passed),
        Some(3) => context.tracer.test_ended(id, TestOutcome::Skipped),
        Some(2) => context.tracer.test_ended(id, TestOutcome::Failed),
        _ => {}
    }
}
