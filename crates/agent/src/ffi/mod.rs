//! Where the JVM calls the agent and the agent calls the JVM: the only module with unsafe code.
//!
//! Nothing is decided here. Each entry point turns pointers into safe values, hands them on, and turns the answer back.
//! No panic leaves an entry point: whatever happens inside, the JVM goes on as if the agent were not there.

#![allow(unsafe_code, reason = "JNI and JVM TI are C interfaces")]

mod frameworks;
mod hooks;
mod java;
mod jvm;
mod memory;
mod origin;
mod settings;
mod tracing;

use crate::agent::Agent;
use crate::output::DataSource;
use crate::recorder::LoadedClass;
use java::JavaFields;
use jvm::{Jni, Jvmti, Vm};
use memory::{AttachedSource, Holders, JvmMemory};
use origin::{JvmOrigin, LocationFields};
use probity_jvmti_sys::{
    JNI_OK, JNIEnv, JavaVM, jclass, jint, jobject, jthread, jvmtiEnv, jvmtiEventCallbacks,
};
use std::ffi::{CStr, c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};

/// The agent of this JVM, and what it needs of it.
struct Attached {
    agent: Agent,
    vm: Vm,
    jvmti: Jvmti,
    holders: Arc<Holders>,
    location_fields: OnceLock<LocationFields>,
    java_fields: OnceLock<JavaFields>,
}

static ATTACHED: OnceLock<Attached> = OnceLock::new();

/// The JVM's first call, before anything runs. Always succeeds: without a recording agent the program still runs.
///
/// # Safety
///
/// Only a JVM may call this, as its specification says: `vm` is the JVM and `options` is null or a C string.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Agent_OnLoad(
    vm: *mut JavaVM,
    options: *const c_char,
    _reserved: *mut c_void,
) -> jint {
    guarded("start", || {
        let options = if options.is_null() {
            Vec::new()
        } else {
            // SAFETY: the JVM passes a C string that lives as long as this call.
            unsafe { CStr::from_ptr(options) }.to_bytes().to_vec()
        };
        // SAFETY: the JVM passes itself.
        let vm = unsafe { Vm::new(vm) };
        start(&String::from_utf8_lossy(&options), vm);
    });
    JNI_OK
}

fn start(options: &str, vm: Vm) {
    let Some(agent) = Agent::start(options) else { return };
    let Some(jvmti) = vm.jvmti() else {
        return crate::messages::say(&"this JVM has no tool interface; nothing is recorded");
    };
    let traces = agent.records_traces();
    let attached = Attached {
        agent,
        vm,
        jvmti,
        holders: Arc::new(Holders::default()),
        location_fields: OnceLock::new(),
        java_fields: OnceLock::new(),
    };
    if ATTACHED.set(attached).is_err() {
        return crate::messages::say(&"the agent is loaded twice; the second one does nothing");
    }
    tracing::start(jvmti);
    let callbacks = jvmtiEventCallbacks {
        VMStart: Some(vm_start),
        VMInit: Some(vm_init),
        VMDeath: Some(vm_death),
        ClassFileLoadHook: Some(class_file_load_hook),
        ThreadStart: Some(tracing::thread_start),
        ThreadEnd: Some(tracing::thread_end),
        ClassPrepare: Some(tracing::class_prepare),
        ..jvmtiEventCallbacks::default()
    };
    if let Err(code) = jvmti.subscribe(&callbacks, traces) {
        crate::messages::say(&format_args!(
            "the JVM refuses to show its classes (error {code}); nothing is recorded"
        ));
    }
}

/// Runs something that must not panic into the JVM.
fn guarded(what: &str, action: impl FnOnce()) {
    if catch_unwind(AssertUnwindSafe(action)).is_err()
        && let Some(attached) = ATTACHED.get()
    {
        // A second panic, while the first is reported, is dropped.
        let _ = catch_unwind(AssertUnwindSafe(|| attached.agent.recorder().note_panic(what)));
    }
}

unsafe extern "system" fn vm_start(_: *mut jvmtiEnv, _: *mut JNIEnv) {
    // The event is asked for so that class files are shown from here on; there is nothing to do yet.
}

unsafe extern "system" fn vm_init(_: *mut jvmtiEnv, jni: *mut JNIEnv, _: jthread) {
    guarded("initialisation", || {
        let Some(attached) = ATTACHED.get() else { return };
        // SAFETY: the JVM passes the environment of this thread, valid for this call.
        let Some(jni) = (unsafe { Jni::new(jni) }) else { return };
        if let Some(fields) = LocationFields::find(jni) {
            let _ = attached.location_fields.set(fields);
        }
        tracing::begin(attached, jni);
        let source = AttachedSource::new(attached.vm, Arc::clone(&attached.holders), || {
            ATTACHED.get().map(|attached| attached.agent.recorder())
        });
        let source: Arc<dyn DataSource> = Arc::new(source);
        attached.agent.begin(&source);
    });
}

unsafe extern "system" fn vm_death(_: *mut jvmtiEnv, jni: *mut JNIEnv) {
    guarded("end", || {
        let Some(attached) = ATTACHED.get() else { return };
        // SAFETY: the JVM passes the environment of this thread, valid for this call.
        let Some(jni) = (unsafe { Jni::new(jni) }) else { return };
        attached.agent.end(&JvmMemory::new(jni, &attached.holders));
        attached.holders.close();
    });
}

#[allow(clippy::too_many_arguments, reason = "the JVM's signature")]
unsafe extern "system" fn class_file_load_hook(
    jvmti: *mut jvmtiEnv,
    jni: *mut JNIEnv,
    class_being_redefined: jclass,
    loader: jobject,
    name: *const c_char,
    protection_domain: jobject,
    class_data_len: jint,
    class_data: *const u8,
    new_class_data_len: *mut jint,
    new_class_data: *mut *mut u8,
) {
    guarded("class load", || {
        let Some(attached) = ATTACHED.get() else { return };
        // SAFETY: the JVM passes the environments of this thread, valid for this call.
        let (Some(jvmti), Some(jni)) = (unsafe { (Jvmti::new(jvmti), Jni::new(jni)) }) else { return };
        let Ok(length) = usize::try_from(class_data_len) else { return };
        if class_data.is_null() || jni.exception_is_pending() {
            return;
        }
        // SAFETY: the JVM passes the class file and its length; it stays until this call returns.
        let bytes = unsafe { std::slice::from_raw_parts(class_data, length) };
        let name = if name.is_null() {
            None
        } else {
            // SAFETY: the JVM passes null or a C string that stays until this call returns.
            Some(unsafe { CStr::from_ptr(name) }.to_bytes())
        };
        let origin = JvmOrigin::new(jvmti, jni, loader, protection_domain, attached.location_fields.get());
        let memory = JvmMemory::new(jni, &attached.holders);
        let loaded =
            LoadedClass { name, bytes, redefined: !class_being_redefined.is_null(), origin: &origin };
        let Some(instrumented) = attached.agent.recorder().instrument(&memory, &loaded) else { return };
        let Ok(new_length) = jint::try_from(instrumented.len()) else { return };
        if let Some(copy) = jvmti.allocate_copy(&instrumented) {
            // SAFETY: the JVM passes places for the new class file and its length, to be set together.
            unsafe {
                *new_class_data_len = new_length;
                *new_class_data = copy;
            }
        }
    });
}
