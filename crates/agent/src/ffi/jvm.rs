//! The JVM's environments as values: what the agent calls of JNI and JVM TI, each call checked.

use probity_jvmti_sys::{
    JNI_ABORT, JNI_OK, JNIEnv, JVMTI_ENABLE, JVMTI_ERROR_NONE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK,
    JVMTI_EVENT_CLASS_PREPARE, JVMTI_EVENT_THREAD_END, JVMTI_EVENT_THREAD_START, JVMTI_EVENT_VM_DEATH,
    JVMTI_EVENT_VM_INIT, JVMTI_EVENT_VM_START, JVMTI_VERSION_11, JavaVM, jbyte, jbyteArray, jclass, jfieldID,
    jint, jobject, jvmtiCapabilities, jvmtiEnv, jvmtiError, jvmtiEventCallbacks, jvmtiFrameInfo,
};
use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr::{NonNull, null_mut};
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

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

// SAFETY: the JVM TI specification allows an environment to be used from any thread.
unsafe impl Send for Jvmti {}
// SAFETY: as above.
unsafe impl Sync for Jvmti {}

impl Jvmti {
    /// # Safety
    ///
    /// `env` must be null or a live environment.
    pub(super) unsafe fn new(env: *mut jvmtiEnv) -> Option<Self> {
        NonNull::new(env).map(Self)
    }

    /// Asks for the events of the callbacks; for those that only traces need, too, if they are wanted.
    pub(super) fn subscribe(self, callbacks: &jvmtiEventCallbacks, traces: bool) -> Result<(), jvmtiError> {
        let env = self.0.as_ptr();
        // SAFETY: the environment is live.
        let functions = unsafe { &**env };
        let mut capabilities = jvmtiCapabilities::default().with_all_class_hook_events();
        if traces {
            capabilities = capabilities.with_tags().with_retransformation();
        }
        // SAFETY: the arguments live through the calls, and the size is that of the callbacks.
        unsafe {
            checked(functions.AddCapabilities(env, &raw const capabilities))?;
            let size = size_of::<jvmtiEventCallbacks>() as jint;
            checked(functions.SetEventCallbacks(env, std::ptr::from_ref(callbacks), size))?;
        }
        let always = [
            JVMTI_EVENT_VM_START,
            JVMTI_EVENT_VM_INIT,
            JVMTI_EVENT_VM_DEATH,
            JVMTI_EVENT_CLASS_FILE_LOAD_HOOK,
        ];
        let for_traces = [JVMTI_EVENT_THREAD_START, JVMTI_EVENT_THREAD_END, JVMTI_EVENT_CLASS_PREPARE];
        for event in always.into_iter().chain(for_traces.into_iter().filter(|_| traces)) {
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
        // Of an array, the name of what it is an array of.
        let element = text.iter().position(|&byte| byte != b'[').unwrap_or_default();
        let text = text.get(element..).unwrap_or_default();
        text.strip_prefix(b"L").and_then(|name| name.strip_suffix(b";")).map(<[u8]>::to_vec)
    }

    /// Whether a class is that of arrays.
    ///
    /// # Safety
    ///
    /// `class` must be a live reference to a class.
    pub(super) unsafe fn is_array(self, class: jclass) -> bool {
        let env = self.0.as_ptr();
        let mut is_array = 0;
        // SAFETY: the environment and the reference are live.
        let asked = unsafe { (**env).IsArrayClass(env, class, &raw mut is_array) };
        checked(asked).is_ok() && is_array != 0
    }

    /// The class loader of a class; nothing for the bootstrap loader.
    ///
    /// # Safety
    ///
    /// `class` must be a live reference to a class.
    pub(super) unsafe fn class_loader(self, class: jclass) -> Option<jobject> {
        let env = self.0.as_ptr();
        let mut loader: jobject = null_mut();
        // SAFETY: the environment and the reference are live.
        checked(unsafe { (**env).GetClassLoader(env, class, &raw mut loader) }).ok()?;
        (!loader.is_null()).then_some(loader)
    }

    /// The number that an object was given; 0 if none.
    ///
    /// # Safety
    ///
    /// `object` must be a live reference.
    pub(super) unsafe fn tag(self, object: jobject) -> i64 {
        let env = self.0.as_ptr();
        let mut tag = 0;
        // SAFETY: the environment and the reference are live; on an error there is no number.
        let _ = unsafe { (**env).GetTag(env, object, &raw mut tag) };
        tag
    }

    /// Gives an object a number.
    ///
    /// # Safety
    ///
    /// `object` must be a live reference.
    pub(super) unsafe fn set_tag(self, object: jobject, tag: i64) {
        let env = self.0.as_ptr();
        // SAFETY: the environment and the reference are live; without the number it is asked for again.
        let _ = unsafe { (**env).SetTag(env, object, tag) };
    }

    /// The number of a class loader, which it keeps. The bootstrap loader has 0.
    ///
    /// # Safety
    ///
    /// `loader` must be null or a live reference.
    pub(super) unsafe fn loader_number(self, loader: jobject) -> u64 {
        static LAST: Mutex<i64> = Mutex::new(0);
        if loader.is_null() {
            return 0;
        }
        // SAFETY: the reference is live.
        let mut tag = unsafe { self.tag(loader) };
        if tag == 0 {
            let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
            // SAFETY: as above. Another thread may have been faster.
            tag = unsafe { self.tag(loader) };
            if tag == 0 {
                *last += 1;
                tag = *last;
                // SAFETY: as above.
                unsafe { self.set_tag(loader, tag) };
            }
        }
        tag.cast_unsigned()
    }

    /// All classes that are loaded, as local references.
    pub(super) fn loaded_classes(self) -> Vec<jclass> {
        let env = self.0.as_ptr();
        let (mut count, mut classes): (jint, *mut jclass) = (0, null_mut());
        // SAFETY: the environment is live, and the places are for a number and a pointer.
        let asked = unsafe { (**env).GetLoadedClasses(env, &raw mut count, &raw mut classes) };
        let Ok(length) = usize::try_from(count) else { return Vec::new() };
        if checked(asked).is_err() || classes.is_null() {
            return Vec::new();
        }
        // SAFETY: on success the JVM has stored so many references, in memory that is freed once.
        unsafe {
            let all = std::slice::from_raw_parts(classes, length).to_vec();
            (**env).Deallocate(env, classes.cast());
            all
        }
    }

    /// Shows classes again that are loaded.
    ///
    /// # Safety
    ///
    /// `classes` must be live references to classes.
    pub(super) unsafe fn retransform(self, classes: &[jclass]) -> Result<(), jvmtiError> {
        let env = self.0.as_ptr();
        let Ok(count) = jint::try_from(classes.len()) else { return Ok(()) };
        // SAFETY: the environment and the references are live.
        checked(unsafe { (**env).RetransformClasses(env, count, classes.as_ptr()) })
    }

    /// The system properties with which the JVM started.
    pub(super) fn properties(self) -> Vec<(Vec<u8>, Vec<u8>)> {
        let env = self.0.as_ptr();
        let (mut count, mut names): (jint, *mut *mut c_char) = (0, null_mut());
        // SAFETY: the environment is live, and the places are for a number and a pointer.
        let asked = unsafe { (**env).GetSystemProperties(env, &raw mut count, &raw mut names) };
        let Ok(length) = usize::try_from(count) else { return Vec::new() };
        if checked(asked).is_err() || names.is_null() {
            return Vec::new();
        }
        let mut properties = Vec::with_capacity(length);
        // SAFETY: on success the JVM has stored so many C strings. They, their values and the memory that holds them are
        // freed once each.
        unsafe {
            for &name in std::slice::from_raw_parts(names, length) {
                let mut value: *mut c_char = null_mut();
                let found = checked((**env).GetSystemProperty(env, name, &raw mut value));
                if found.is_ok() && !value.is_null() {
                    let text = |text: *const c_char| CStr::from_ptr(text).to_bytes().to_vec();
                    properties.push((text(name), text(value)));
                    (**env).Deallocate(env, value.cast());
                }
                (**env).Deallocate(env, name.cast());
            }
            (**env).Deallocate(env, names.cast());
        }
        properties
    }

    /// Whether a class whose name starts with some text is among the innermost frames of this thread.
    pub(super) fn is_called_by(self, jni: Jni, prefix: &[u8]) -> bool {
        let frames = self.frames::<16>(0);
        frames.into_iter().any(|frame| {
            // SAFETY: the frame's method is one of a live frame of this thread.
            unsafe { self.declaring_class(jni, frame) }.is_some_and(|name| name.starts_with(prefix))
        })
    }

    /// The name of the class whose method called the method that has called the agent.
    pub(super) fn caller_class(self, jni: Jni) -> Option<Vec<u8>> {
        // The innermost is the agent's own, then comes the method with the hook.
        const CALLER: jint = 2;
        let [frame] = self.frames::<1>(CALLER)[..] else { return None };
        // SAFETY: the frame's method is one of a live frame of this thread.
        unsafe { self.declaring_class(jni, frame) }
    }

    /// Whether the class that is being defined on this thread comes from a class loader of the JDK, which has just read it. Such
    /// loaders define what they read in one way, in whatever JDK; anything else on top of the stack is somebody else.
    pub(super) fn is_defined_by_jdk(self, jni: Jni) -> bool {
        const READERS: [&[u8]; 3] = [
            b"java/net/URLClassLoader",
            b"jdk/internal/loader/BuiltinClassLoader",
            b"jdk/internal/loader/Loader",
        ];
        const DEFINERS: [&[u8]; 3] =
            [b"java/lang/ClassLoader", b"java/lang/ClassLoader", b"java/security/SecureClassLoader"];
        /// The methods of the frames that were seen to be as said: those of the JDK stay.
        static KNOWN: Mutex<Vec<[usize; 4]>> = Mutex::new(Vec::new());
        let frames = self.frames::<4>(0);
        let [first, second, third, reader] = frames[..] else { return false };
        let methods = [first, second, third, reader].map(|frame| frame.method as usize);
        if KNOWN.lock().unwrap_or_else(PoisonError::into_inner).contains(&methods) {
            return true;
        }
        // SAFETY: the frames' methods are those of live frames of this thread.
        let class_of = |frame| unsafe { self.declaring_class(jni, frame) }.unwrap_or_default();
        let are_definers = [first, second, third].map(class_of) == DEFINERS;
        let is_known = are_definers && READERS.contains(&&class_of(reader)[..]);
        if is_known {
            KNOWN.lock().unwrap_or_else(PoisonError::into_inner).push(methods);
        }
        is_known
    }

    /// Some frames of this thread, from one on.
    fn frames<const COUNT: usize>(self, first: jint) -> Vec<jvmtiFrameInfo> {
        let env = self.0.as_ptr();
        let mut frames = [jvmtiFrameInfo { method: null_mut(), location: 0 }; COUNT];
        let mut count: jint = 0;
        // SAFETY: the environment is live, no thread is this thread, and there is room for so many frames.
        let asked = unsafe {
            (**env).GetStackTrace(env, null_mut(), first, COUNT as jint, frames.as_mut_ptr(), &raw mut count)
        };
        let count = if checked(asked).is_ok() { usize::try_from(count).unwrap_or_default() } else { 0 };
        frames.get(..count).unwrap_or_default().to_vec()
    }

    /// # Safety
    ///
    /// The frame must be a live one of this thread.
    unsafe fn declaring_class(self, jni: Jni, frame: jvmtiFrameInfo) -> Option<Vec<u8>> {
        let env = self.0.as_ptr();
        let mut class: jclass = null_mut();
        // SAFETY: the caller's contract; the reference to the class is given back.
        unsafe {
            checked((**env).GetMethodDeclaringClass(env, frame.method, &raw mut class)).ok()?;
            let name = self.class_name(class);
            jni.forget(class);
            name
        }
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

    pub(super) fn env(self) -> *mut JNIEnv {
        self.0.as_ptr()
    }

    /// A reference that was made, unless the call failed; an exception that it threw is forgotten.
    pub(super) fn made(self, reference: jobject) -> Option<jobject> {
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

    /// Does something that needs many local references; those that are left afterwards are given back.
    pub(super) fn with_references<T>(self, count: jint, action: impl FnOnce() -> T) -> T {
        // SAFETY: the environment is live. A frame that could not be made is not taken away again.
        let has_frame = unsafe { ((**self.env()).v1_2.PushLocalFrame)(self.env(), count) } == JNI_OK;
        if !has_frame {
            self.made(null_mut());
        }
        let result = action();
        if has_frame {
            // SAFETY: the frame was made above; no reference is taken out of it.
            unsafe { ((**self.env()).v1_2.PopLocalFrame)(self.env(), null_mut()) };
        }
        result
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

    /// Appends the first elements of an array to `out`.
    ///
    /// # Safety
    ///
    /// `array` must be a live reference to a byte array with at least `length` elements.
    pub(super) unsafe fn read_bytes(self, array: jbyteArray, length: usize, out: &mut Vec<u8>) -> Option<()> {
        // SAFETY: the caller's contract; the place for "is it a copy" may be null. Between the two calls no other JNI
        // function is called and nothing blocks.
        unsafe {
            let elements = ((**self.env()).v1_2.GetPrimitiveArrayCritical)(self.env(), array, null_mut());
            if elements.is_null() {
                return None;
            }
            out.extend_from_slice(std::slice::from_raw_parts(elements.cast::<u8>(), length));
            ((**self.env()).v1_2.ReleasePrimitiveArrayCritical)(self.env(), array, elements, JNI_ABORT);
        }
        Some(())
    }

    /// Appends which of the first elements of an array are not 0 to `out`, and sets those to 0. Other threads may store into the
    /// array meanwhile; what they store is seen now or the next time, and never lost.
    ///
    /// # Safety
    ///
    /// `array` must be a live reference to a byte array with at least `length` elements.
    pub(super) unsafe fn drain_bytes(
        self,
        array: jbyteArray,
        length: usize,
        out: &mut Vec<u32>,
    ) -> Option<()> {
        // SAFETY: the caller's contract; the place for "is it a copy" may be null. Between the two calls no other JNI
        // function is called and nothing blocks. The elements are looked at as atomics only, of which any bits are valid;
        // eight bytes that start at a multiple of eight are one atomic.
        unsafe {
            let elements = ((**self.env()).v1_2.GetPrimitiveArrayCritical)(self.env(), array, null_mut());
            if elements.is_null() {
                return None;
            }
            let bytes = std::slice::from_raw_parts(elements.cast::<AtomicU8>(), length);
            let (before, words, after) = bytes.align_to::<AtomicU64>();
            drain_elements(before, 0, out);
            drain_words(words, before.len() as u32, out);
            drain_elements(after, (length - after.len()) as u32, out);
            ((**self.env()).v1_2.ReleasePrimitiveArrayCritical)(self.env(), array, elements, 0);
        }
        Some(())
    }
}

fn drain_elements(elements: &[AtomicU8], first: u32, out: &mut Vec<u32>) {
    for (element, at) in elements.iter().zip(first..) {
        if element.load(Ordering::Relaxed) != 0 && element.swap(0, Ordering::Relaxed) != 0 {
            out.push(at);
        }
    }
}

fn drain_words(words: &[AtomicU64], first: u32, out: &mut Vec<u32>) {
    for (word, at) in words.iter().zip((first..).step_by(8)) {
        if word.load(Ordering::Relaxed) != 0 {
            let bytes = word.swap(0, Ordering::Relaxed).to_ne_bytes();
            out.extend(bytes.iter().zip(at..).filter(|&(&byte, _)| byte != 0).map(|(_, at)| at));
        }
    }
}

const _: () = assert!(size_of::<jbyte>() == 1);
