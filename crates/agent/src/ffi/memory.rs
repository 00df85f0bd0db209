//! The shared arrays in the JVM: defined, read and cleared through JNI.

use super::jvm::{Jni, Vm};
use crate::output::DataSource;
use crate::recorder::{HolderError, ProbeMemory, Recorder};
use probity_jvmti_sys::jobject;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Global references to the arrays of all holders; nothing more once the JVM has ended.
#[derive(Default)]
pub(super) struct Holders(Mutex<HolderArrays>);

#[derive(Default)]
struct HolderArrays {
    /// One for each number; nothing where the holder could not be defined.
    arrays: Vec<Option<GlobalArray>>,
    closed: bool,
}

#[derive(Clone, Copy)]
struct GlobalArray(jobject);

// SAFETY: a global reference may be used from any thread.
unsafe impl Send for GlobalArray {}

impl Holders {
    fn locked(&self) -> MutexGuard<'_, HolderArrays> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn array(&self, number: usize) -> Option<GlobalArray> {
        self.locked().arrays.get(number).copied().flatten()
    }

    /// The JVM ends: no other thread may ask it for anything from now on.
    pub(super) fn close(&self) {
        self.locked().closed = true;
    }

    fn is_closed(&self) -> bool {
        self.locked().closed
    }
}

/// The arrays, for a thread that has JNI.
pub(super) struct JvmMemory<'a> {
    jni: Jni,
    holders: &'a Holders,
}

impl<'a> JvmMemory<'a> {
    pub(super) fn new(jni: Jni, holders: &'a Holders) -> Self {
        Self { jni, holders }
    }

    fn define(&self, name: &str, class: &[u8]) -> Option<GlobalArray> {
        let class = self.jni.define_class(name, class)?;
        // SAFETY: the references were made just now and are given back once; the global one stays.
        unsafe {
            let array = self.jni.static_object(class, c"p", c"[B")?;
            let global = self.jni.global(array)?;
            self.jni.forget(array);
            self.jni.forget(class);
            Some(GlobalArray(global))
        }
    }
}

impl ProbeMemory for JvmMemory<'_> {
    fn define_holder(&self, number: usize, name: &str, class: &[u8]) -> Result<(), HolderError> {
        let array = self.define(name, class);
        let mut holders = self.holders.locked();
        if holders.arrays.len() != number {
            return Err(HolderError::NotDefined);
        }
        holders.arrays.push(array);
        array.map(|_| ()).ok_or(HolderError::NotDefined)
    }

    fn read(&self, number: usize, length: u32, out: &mut Vec<u8>) -> Result<(), HolderError> {
        let array = self.holders.array(number).ok_or(HolderError::NotReadable)?;
        // SAFETY: the array is a byte array that lives until the JVM ends, and the recorder asks for no more elements than
        // it had the holder made with.
        let read = unsafe { self.jni.read_bytes(array.0, length as usize, out) };
        read.ok_or(HolderError::NotReadable)
    }

    fn drain(&self, number: usize, length: u32, out: &mut Vec<u32>) -> Result<(), HolderError> {
        let array = self.holders.array(number).ok_or(HolderError::NotReadable)?;
        // SAFETY: as above.
        let drained = unsafe { self.jni.drain_bytes(array.0, length as usize, out) };
        drained.ok_or(HolderError::NotReadable)
    }
}

/// The recorder's data, for threads that the JVM does not know.
pub(super) struct AttachedSource {
    vm: Vm,
    holders: Arc<Holders>,
    recorder: fn() -> Option<&'static Recorder>,
}

impl AttachedSource {
    pub(super) fn new(vm: Vm, holders: Arc<Holders>, recorder: fn() -> Option<&'static Recorder>) -> Self {
        Self { vm, holders, recorder }
    }

    fn with_memory<T>(&self, action: impl FnOnce(&Recorder, &JvmMemory<'_>) -> T) -> Option<T> {
        if self.holders.is_closed() {
            return None;
        }
        let recorder = (self.recorder)()?;
        self.vm.with_jni(|jni| action(recorder, &JvmMemory::new(jni, &self.holders)))
    }
}

impl DataSource for AttachedSource {
    fn data(&self, reset: bool) -> Option<Vec<u8>> {
        self.with_memory(|recorder, memory| recorder.data(memory, reset))
    }

    fn reset(&self) {
        self.with_memory(|recorder, memory| recorder.reset(memory));
    }
}
