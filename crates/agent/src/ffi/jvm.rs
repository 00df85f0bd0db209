//! The JVM's environments as values: what the agent calls of JNI and JVM TI, each call checked.

use probity_jvmti_sys::{
    JNI_ABORT, JNI_OK, JNIEnv, JVMTI_ENABLE, JVMTI_ERROR_NONE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK,
    JVMTI_EVENT_VM_DEATH, JVMTI_EVENT_VM_INIT, JVMTI_EVENT_VM_START, JVMTI_VERSION_11, JavaVM, jbyte,
    jbyteArray, jclass, jfieldID, jint, jobject, jvmtiCapabilities, jvmtiEnv, jvmtiError,
    jvmtiEventCallbacks,
};
use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr::{NonNull, null_mut};

/// The JVM of this process.
#[derive(Clone, Copy)]
pub(super) struct Vm(*mut JavaVM);

// SAFETY: the JNI specification allows the invocation interface to be used from any thread.
unsafe impl Send for Vm {}
// SAFETY: as above.
unsafe impl Sync for Vm {}

impl Vm {
    /// # Safety
    ///
    /// `vm` must be the JVM of this process.
    pub(super) unsafe fn new(vm: *mut JavaVM) -> Self {
        Self(vm)
    }

    /// A new JVM TI environment.
    pub(super) fn jvmti(self) -> Option<Jvmti> {
        let mut env: *mut c_void = null_mut();
        // SAFETY: the JVM is live, and `env` is a place for a pointer.
        let code = unsafe { ((**self.0).v1_2.GetEnv)(self.0, &raw mut env, JVMTI_VERSION_11) };
        // SAFETY: on success the JVM has stored an environment, which is never disposed of.
        if code == JNI_OK { unsafe { Jvmti::new(env.cast()) } } else { None }
    }

    /// Runs something on this thread with JNI; the thread is attached to the JVM for that long.
    pub(super) fn with_jni<T>(self, action: impl FnOnce(Jni) -> T) -> Option<T> {
        let mut env: *mut c_void = null_mut();
        // SAFETY: the JVM is live; a daemon thread does not keep it from ending.
        let code = unsafe { ((**self.0).v1_4.AttachCurrentThreadAsDaemon)(self.0, &raw mut env, null_mut()) };
        if code != JNI_OK {
            return None;
        }
        // SAFETY: on success the JVM has stored the environment of this thread.
        let result = unsafe { Jni::new(env.cast()) }.map(action);
        // SAFETY: the thread was attached above and has no Java frames.
        unsafe { ((**self.0).v1_2.DetachCurrentThread)(self.0) };
        result
    }
}

/// A JVM TI environment.
#[derive(Clone, Copy)]
pub(super) struct Jvmti(NonNull<jvmtiEnv>);

impl Jvmti {
    /// # Safety
    ///
    /// `env` must be null or a live environment.
    pub(super) unsafe fn new(env: *mut jvmtiEnv) -> Option<Self> {
        NonNull::new(env).map(Self)
    }

    /// Asks for the events of the callbacks.
    pub(super) fn subscribe(self, callbacks: &jvmtiEventCallbacks) -> Result<(), jvmtiError> {
        let env = self.0.as_ptr();
        // SAFETY: the environment is live.
        let functions = unsafe { &**env };
        let capabilities = jvmtiCapabilities::default().with_all_class_hook_events();
        // SAFETY: the arguments live through the calls, and the size is that of the callbacks.
        unsafe {
            checked(functions.AddCapabilities(env, &raw const capabilities))?;
            let size = size_of::<jvmtiEventCallbacks>() as jint;
            checked(functions.SetEventCallbacks(env, std::ptr::from_ref(callbacks), size))?;
        }
        for event in [
            JVMTI_EVENT_VM_START,
            JVMTI_EVENT_VM_INIT,
            JVMTI_EVENT_VM_DEATH,
            JVMTI_EVENT_CLASS_FILE_LOAD_HOOK,
        ] {
            // SAFETY: no thread means all threads.
            checked(unsafe { functions.SetEventNotificationMode(env, JVMTI_ENABLE, event, null_mut()) })?;
        }
        Ok(())
    }

    /// A copy of bytes in memory that the JVM will free.
    pub(super) fn allocate_copy(self, bytes: &[u8]) -> Option<*mut u8> {
        let env = self.0.as_ptr();
        let mut memory: *mut u8 = null_mut();
        let size = i64::try_from(bytes.len()).ok()?;
        // SAFETY: the environment is live, and `memory` is a place for a pointer.
        checked(unsafe { (**env).Allocate(env, size, &raw mut memory) }).ok()?;
        if memory.is_null() {
            return None;
        }
        // SAFETY: the JVM has allocated as many bytes as there are, which nobody else knows of yet.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), memory, bytes.len()) };
        Some(memory)
    }

    /// The internal name of a class.
    ///
    /// # Safety
    ///
    /// `class` must be a live reference to a class.
    pub(super) unsafe fn class_name(self, class: jclass) -> Option<Vec<u8>> {
        let env = self.0.as_ptr();
        let mut signature: *mut c_char = null_mut();
        // SAFETY: the environment and the reference are live; the generic signature is not asked for.
        checked(unsafe { (**env).GetClassSignature(env, class, &raw mut signature, null_mut()) }).ok()?;
        if signature.is_null() {
            return None;
        }
        // SAFETY: on success the JVM has stored a C string.
        let text = unsafe { CStr::from_ptr(signature) }.to_bytes().to_vec();
        // SAFETY: the string is freed once, by the one who asked for it.
        unsafe { (**env).Deallocate(env, signature.cast()) };
        text.strip_prefix(b"L").and_then(|name| name.strip_suffix(b";")).map(<[u8]>::to_vec)
    }
}

fn checked(code: jvmtiError) -> Result<(), jvmtiError> {
    if code == JVMTI_ERROR_NONE { Ok(()) } else { Err(code) }
}

/// The JNI environment of this thread, for as long as the call that gave it.
#[derive(Clone, Copy)]
pub(super) struct Jni(NonNull<JNIEnv>);

impl Jni {
    /// # Safety
    ///
    /// `env` must be null or the environment of this thread, and the value must not outlive the call that gave it.
    pub(super) unsafe fn new(env: *mut JNIEnv) -> Option<Self> {
        NonNull::new(env).map(Self)
    }

    fn env(self) -> *mut JNIEnv {
        self.0.as_ptr()
    }

    /// A reference that was made, unless the call failed; an exception that it threw is forgotten.
    fn made(self, reference: jobject) -> Option<jobject> {
        // SAFETY: the environment is live; both functions may be called with an exception pending.
        unsafe {
            if ((**self.env()).v1_2.ExceptionCheck)(self.env()) {
                ((**self.env()).v1_2.ExceptionClear)(self.env());
                return None;
            }
        }
        (!reference.is_null()).then_some(reference)
    }

    /// Whether an exception of the program is on its way; JNI must then not be used.
    pub(super) fn exception_is_pending(self) -> bool {
        // SAFETY: the environment is live; the function may be called with an exception pending.
        unsafe { ((**self.env()).v1_2.ExceptionCheck)(self.env()) }
    }

    /// Defines a class in the bootstrap loader.
    pub(super) fn define_class(self, name: &str, class: &[u8]) -> Option<jclass> {
        let name = CString::new(name).ok()?;
        let length = jint::try_from(class.len()).ok()?;
        // SAFETY: the name is a C string, the bytes are as many as said, and no loader is the bootstrap loader.
        let defined = unsafe {
            ((**self.env()).v1_2.DefineClass)(
                self.env(),
                name.as_ptr(),
                null_mut(),
                class.as_ptr().cast(),
                length,
            )
        };
        self.made(defined)
    }

    /// Finds a class of the JDK.
    pub(super) fn find_class(self, name: &CStr) -> Option<jclass> {
        // SAFETY: the name is a C string.
        let found = unsafe { ((**self.env()).v1_2.FindClass)(self.env(), name.as_ptr()) };
        self.made(found)
    }

    /// The value of a static field, which initialises the class.
    ///
    /// # Safety
    ///
    /// `class` must be a live reference to a class.
    pub(super) unsafe fn static_object(
        self,
        class: jclass,
        name: &CStr,
        descriptor: &CStr,
    ) -> Option<jobject> {
        // SAFETY: the reference is live and the texts are C strings.
        let field = unsafe {
            ((**self.env()).v1_2.GetStaticFieldID)(self.env(), class, name.as_ptr(), descriptor.as_ptr())
        };
        self.made(field.cast())?;
        // SAFETY: the field belongs to the class and holds a reference.
        let value = unsafe { ((**self.env()).v1_2.GetStaticObjectField)(self.env(), class, field) };
        self.made(value)
    }

    /// The id of an instance field.
    ///
    /// # Safety
    ///
    /// `class` must be a live reference to a class.
    pub(super) unsafe fn field(self, class: jclass, name: &CStr, descriptor: &CStr) -> Option<jfieldID> {
        // SAFETY: the reference is live and the texts are C strings.
        let field = unsafe {
            ((**self.env()).v1_2.GetFieldID)(self.env(), class, name.as_ptr(), descriptor.as_ptr())
        };
        self.made(field.cast()).map(|_| field)
    }

    /// The value of an instance field.
    ///
    /// # Safety
    ///
    /// `object` must be a live reference to an object that has the field, which must hold a reference.
    pub(super) unsafe fn object_field(self, object: jobject, field: jfieldID) -> Option<jobject> {
        // SAFETY: the caller's contract.
        let value = unsafe { ((**self.env()).v1_2.GetObjectField)(self.env(), object, field) };
        self.made(value)
    }

    /// The class of an object.
    ///
    /// # Safety
    ///
    /// `object` must be a live reference.
    pub(super) unsafe fn class_of(self, object: jobject) -> Option<jclass> {
        // SAFETY: the caller's contract.
        let class = unsafe { ((**self.env()).v1_2.GetObjectClass)(self.env(), object) };
        self.made(class)
    }

    /// A reference that lives until the JVM ends.
    ///
    /// # Safety
    ///
    /// `object` must be a live reference.
    pub(super) unsafe fn global(self, object: jobject) -> Option<jobject> {
        // SAFETY: the caller's contract.
        let global = unsafe { ((**self.env()).v1_2.NewGlobalRef)(self.env(), object) };
        self.made(global)
    }

    /// Gives a local reference back.
    ///
    /// # Safety
    ///
    /// `object` must be a local reference of this thread that is not used again.
    pub(super) unsafe fn forget(self, object: jobject) {
        // SAFETY: the caller's contract.
        unsafe { ((**self.env()).v1_2.DeleteLocalRef)(self.env(), object) };
    }

    /// Appends the first elements of an array to `out`, and sets them to 0 if `reset`.
    ///
    /// # Safety
    ///
    /// `array` must be a live reference to a byte array with at least `length` elements.
    pub(super) unsafe fn read_bytes(
        self,
        array: jbyteArray,
        length: usize,
        reset: bool,
        out: &mut Vec<u8>,
    ) -> Option<()> {
        // SAFETY: the caller's contract; the place for "is it a copy" may be null. Between the two calls no other JNI
        // function is called and nothing blocks.
        unsafe {
            let elements = ((**self.env()).v1_2.GetPrimitiveArrayCritical)(self.env(), array, null_mut());
            if elements.is_null() {
                return None;
            }
            let bytes = std::slice::from_raw_parts_mut(elements.cast::<u8>(), length);
            out.extend_from_slice(bytes);
            if reset {
                bytes.fill(0);
            }
            let mode = if reset { 0 } else { JNI_ABORT };
            ((**self.env()).v1_2.ReleasePrimitiveArrayCritical)(self.env(), array, elements, mode);
        }
        Some(())
    }
}

const _: () = assert!(size_of::<jbyte>() == 1);
