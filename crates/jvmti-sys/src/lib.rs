//! The part of the JVM Tool Interface that the agent calls, as declarations.
//!
//! Names, numbers and layouts are those of the JVM TI specification. The function table is an array of 156 pointers, and
//! each function that is used is given its type here, next to its number; nothing else may call through the table. The
//! crate holds no state and makes no decisions.

#![allow(non_camel_case_types, non_snake_case, reason = "the names are those of the specification")]

pub use jni_sys::{
    JNI_ABORT, JNI_ERR, JNI_OK, JNIEnv, JavaVM, jbyte, jbyteArray, jclass, jfieldID, jint, jlong, jmethodID,
    jobject, jvalue,
};
use std::ffi::{c_char, c_void};

/// A reference to a thread.
pub type jthread = jobject;

/// A JVM TI environment: a pointer to its function table.
pub type jvmtiEnv = *const jvmtiInterface_1_;
/// An error code; 0 is success.
pub type jvmtiError = jint;
/// No error.
pub const JVMTI_ERROR_NONE: jvmtiError = 0;
/// The version of the interface that is asked for: 11, the oldest that has all that is used.
pub const JVMTI_VERSION_11: jint = 0x300B_0000;

/// Events can be switched on.
pub const JVMTI_ENABLE: jint = 1;
/// The JVM is ready.
pub const JVMTI_EVENT_VM_INIT: jint = 50;
/// The JVM ends.
pub const JVMTI_EVENT_VM_DEATH: jint = 51;
/// A thread starts.
pub const JVMTI_EVENT_THREAD_START: jint = 52;
/// A thread ends.
pub const JVMTI_EVENT_THREAD_END: jint = 53;
/// A class file was found and may be replaced.
pub const JVMTI_EVENT_CLASS_FILE_LOAD_HOOK: jint = 54;
/// A class was linked far enough that its members are known.
pub const JVMTI_EVENT_CLASS_PREPARE: jint = 56;
/// JNI may be used.
pub const JVMTI_EVENT_VM_START: jint = 57;

/// What an environment may do: 128 bits, most of them unused.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct jvmtiCapabilities {
    bits: [u32; 4],
}

impl jvmtiCapabilities {
    /// Every class that is loaded is shown, not only some.
    #[must_use]
    pub fn with_all_class_hook_events(mut self) -> Self {
        self.bits[0] |= 1 << 26;
        self
    }

    /// Objects can be given numbers.
    #[must_use]
    pub fn with_tags(mut self) -> Self {
        self.bits[0] |= 1;
        self
    }

    /// Classes that are loaded can be shown again.
    #[must_use]
    pub fn with_retransformation(mut self) -> Self {
        self.bits[1] |= 1 << 5;
        self
    }
}

/// Called when the JVM is ready.
pub type jvmtiEventVMInit = unsafe extern "system" fn(*mut jvmtiEnv, *mut JNIEnv, jthread);
/// Called when JNI may be used, and when the JVM ends.
pub type jvmtiEventVMStartOrDeath = unsafe extern "system" fn(*mut jvmtiEnv, *mut JNIEnv);
/// Called when a thread starts or ends.
pub type jvmtiEventThread = unsafe extern "system" fn(*mut jvmtiEnv, *mut JNIEnv, jthread);
/// Called when a class is prepared.
pub type jvmtiEventClassPrepare = unsafe extern "system" fn(*mut jvmtiEnv, *mut JNIEnv, jthread, jclass);

/// A frame of a stack.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct jvmtiFrameInfo {
    /// The method.
    pub method: jmethodID,
    /// The place in it.
    pub location: jlong,
}

/// Called with a class file that may be replaced.
pub type jvmtiEventClassFileLoadHook = unsafe extern "system" fn(
    *mut jvmtiEnv,
    *mut JNIEnv,
    class_being_redefined: jclass,
    loader: jobject,
    name: *const c_char,
    protection_domain: jobject,
    class_data_len: jint,
    class_data: *const u8,
    new_class_data_len: *mut jint,
    new_class_data: *mut *mut u8,
);

/// The callbacks, in the order of the event numbers from 50 on. The JVM is told how many bytes of it there are.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct jvmtiEventCallbacks {
    /// 50.
    pub VMInit: Option<jvmtiEventVMInit>,
    /// 51.
    pub VMDeath: Option<jvmtiEventVMStartOrDeath>,
    /// 52.
    pub ThreadStart: Option<jvmtiEventThread>,
    /// 53.
    pub ThreadEnd: Option<jvmtiEventThread>,
    /// 54.
    pub ClassFileLoadHook: Option<jvmtiEventClassFileLoadHook>,
    /// 55.
    pub ClassLoad: Option<unsafe extern "system" fn()>,
    /// 56.
    pub ClassPrepare: Option<jvmtiEventClassPrepare>,
    /// 57.
    pub VMStart: Option<jvmtiEventVMStartOrDeath>,
}

/// The function table.
#[repr(C)]
pub struct jvmtiInterface_1_ {
    functions: [*const c_void; 156],
}

/// Gives a function of the table its type. The number is the one in the specification, which counts from 1.
macro_rules! functions {
    ($($(#[$meta:meta])* $number:literal $name:ident($($argument:ident: $type:ty),*);)+) => {
        impl jvmtiInterface_1_ {
            $(
                $(#[$meta])*
                ///
                /// # Safety
                ///
                /// `env` must be a live environment whose table this is, and the arguments must be as the specification
                /// of the function wants them.
                pub unsafe fn $name(&self, env: *mut jvmtiEnv $(, $argument: $type)*) -> jvmtiError {
                    type Function = unsafe extern "system" fn(*mut jvmtiEnv $(, $type)*) -> jvmtiError;
                    // SAFETY: the entry of this number is a function of this type in every JVM TI version since 1.0.
                    let function: Function = unsafe { std::mem::transmute(self.functions[$number - 1]) };
                    // SAFETY: the caller keeps the function's contract.
                    unsafe { function(env $(, $argument)*) }
                }
            )+
        }
    };
}

functions! {
    /// Switches an event on or off, for all threads if `thread` is null.
    2 SetEventNotificationMode(mode: jint, event: jint, thread: jthread);
    /// Allocates memory that the JVM can free.
    46 Allocate(size: i64, memory: *mut *mut u8);
    /// Frees memory that the JVM allocated.
    47 Deallocate(memory: *mut u8);
    /// The signature of a class, `Lname;`, in memory that the caller frees.
    48 GetClassSignature(class: jclass, signature: *mut *mut c_char, generic: *mut *mut c_char);
    /// Whether a class is that of arrays.
    56 IsArrayClass(class: jclass, is_array: *mut u8);
    /// The class loader of a class; null for the bootstrap loader.
    57 GetClassLoader(class: jclass, loader: *mut jobject);
    /// The class that declares a method.
    65 GetMethodDeclaringClass(method: jmethodID, class: *mut jclass);
    /// All classes, in memory that the caller frees.
    78 GetLoadedClasses(count: *mut jint, classes: *mut *mut jclass);
    /// The innermost frames of a thread; of this one if `thread` is null.
    104 GetStackTrace(thread: jthread, start: jint, limit: jint, frames: *mut jvmtiFrameInfo, count: *mut jint);
    /// The number of an object; 0 if it has none.
    106 GetTag(object: jobject, tag: *mut jlong);
    /// Gives an object a number.
    107 SetTag(object: jobject, tag: jlong);
    /// Sets the callbacks.
    122 SetEventCallbacks(callbacks: *const jvmtiEventCallbacks, size: jint);
    /// The names of the system properties with which the JVM started, in memory that the caller frees, as are the names.
    130 GetSystemProperties(count: *mut jint, names: *mut *mut *mut c_char);
    /// The value of a system property, in memory that the caller frees.
    131 GetSystemProperty(name: *const c_char, value: *mut *mut c_char);
    /// Adds capabilities.
    142 AddCapabilities(capabilities: *const jvmtiCapabilities);
    /// Shows classes again that are loaded.
    152 RetransformClasses(count: jint, classes: *const jclass);
}
