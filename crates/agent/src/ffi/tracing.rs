//! The events that only traces need: when they begin, threads, and classes that are linked.

use super::hooks::{HookContext, thread_number};
use super::java::JavaFields;
use super::jvm::{Jni, Jvmti};
use super::memory::JvmMemory;
use super::{ATTACHED, Attached, guarded};
use crate::tracing::hooks::{HOOKS_CLASS, hooks_class, is_hooked_jdk_class};
use probity_jvmti_sys::{JNIEnv, jclass, jthread, jvmtiEnv};
use probity_wire::Fact;

/// Traces begin before anything runs: another agent may load classes before this one is told that the JVM is ready.
pub(super) fn start(jvmti: Jvmti) {
    if let Some(attached) = ATTACHED.get().filter(|attached| attached.agent.records_traces()) {
        attached.agent.start_traces(jvmti.properties());
    }
}

/// The JVM is ready: the class through which others call the agent is defined, and the classes of the JDK that are loaded already
/// are shown again, so that they call it.
pub(super) fn begin(attached: &Attached, jni: Jni) {
    let recorder = attached.agent.recorder();
    let Some(tracer) = recorder.tracer() else { return };
    let _ = attached.java_fields.set(JavaFields::find(jni));
    let Some(class) = jni.define_class(HOOKS_CLASS, &hooks_class()) else {
        tracer.saw(&Fact::Unknown(b"the JVM did not define the class of the hooks".to_vec()));
        return;
    };
    // SAFETY: the reference was made just now and is given back once.
    unsafe { jni.forget(class) };
    recorder.hooks_are_there();
    if let Err(code) = show_classes_again(attached.jvmti, jni) {
        let what = format!("the JVM does not show its own classes (error {code})");
        tracer.saw(&Fact::Unknown(what.into_bytes()));
    }
}

/// The references to all classes are more than the JVM expects, unless it is told.
fn show_classes_again(jvmti: Jvmti, jni: Jni) -> Result<(), i32> {
    const REFERENCES: i32 = 1 << 14;
    jni.with_references(REFERENCES, || show_again(jvmti, jni))
}

fn show_again(jvmti: Jvmti, jni: Jni) -> Result<(), i32> {
    let (mut of_jdk, mut of_program) = (Vec::new(), Vec::new());
    for class in jvmti.loaded_classes() {
        // SAFETY: the JVM gave a live local reference, which is given back here or ends with the frame around this.
        unsafe {
            if jvmti.is_array(class) {
                jni.forget(class);
            } else if jvmti.class_name(class).is_some_and(|name| is_hooked_jdk_class(&name)) {
                of_jdk.push(class);
            } else if let Some(loader) = jvmti.class_loader(class) {
                jni.forget(loader);
                of_program.push(class);
            } else {
                jni.forget(class);
            }
        }
    }
    // SAFETY: the references are live.
    let shown = unsafe { jvmti.retransform(&of_jdk) };
    for class in of_program {
        // What another agent has loaded gets its hooks; what cannot be changed has none.
        // SAFETY: the reference is live.
        let _ = unsafe { jvmti.retransform(&[class]) };
    }
    shown
}

pub(super) unsafe extern "system" fn thread_start(_: *mut jvmtiEnv, _: *mut JNIEnv, _: jthread) {
    guarded("thread start", || {
        if let Some(tracer) = ATTACHED.get().and_then(|attached| attached.agent.recorder().tracer()) {
            tracer.thread_started(thread_number());
        }
    });
}

pub(super) unsafe extern "system" fn thread_end(_: *mut jvmtiEnv, _: *mut JNIEnv, _: jthread) {
    guarded("thread end", || {
        if let Some(tracer) = ATTACHED.get().and_then(|attached| attached.agent.recorder().tracer()) {
            tracer.thread_ended(thread_number());
        }
    });
}

pub(super) unsafe extern "system" fn class_prepare(
    _: *mut jvmtiEnv,
    jni: *mut JNIEnv,
    _: jthread,
    class: jclass,
) {
    guarded("class prepare", || {
        let Some(attached) = ATTACHED.get() else { return };
        let Some(tracer) = attached.agent.recorder().tracer() else { return };
        // SAFETY: the JVM passes the environment of this thread, valid for this call.
        let Some(jni) = (unsafe { Jni::new(jni) }) else { return };
        let memory = JvmMemory::new(jni, &attached.holders);
        let context = HookContext { jni, jvmti: attached.jvmti, tracer, memory: &memory, attached };
        // SAFETY: the JVM passes a live reference to the class. Classes of the bootstrap loader are left alone before anything is
        // locked, since the holders are among them.
        if let Some(number) = unsafe { context.class_number(class) } {
            tracer.saw(&Fact::Linked(number));
        }
    });
}
