//! Objects of the program as values: texts, paths, classes, and what their methods return.

use super::jvm::{Jni, Jvmti};
use probity_jvmti_sys::{jbyteArray, jclass, jfieldID, jint, jmethodID, jobject};
use std::ffi::{CStr, CString};
use std::ptr::null;

/// The fields of the JDK's classes that are read.
pub(super) struct JavaFields {
    pub(super) file_path: Option<jfieldID>,
    pub(super) unix_path: Option<jfieldID>,
    pub(super) class_of_field: Option<jfieldID>,
    pub(super) package_name: Option<jfieldID>,
    /// The class `System` and its field with the properties.
    system_properties: Option<(jclass, jfieldID)>,
}

// SAFETY: field ids may be used from any thread, as long as their classes are loaded, which those of the JDK stay.
unsafe impl Send for JavaFields {}
// SAFETY: as above.
unsafe impl Sync for JavaFields {}

impl JavaFields {
    pub(super) fn find(jni: Jni) -> Self {
        let field = |class: &CStr, name: &CStr, descriptor: &CStr| {
            let class = jni.find_class(class)?;
            // SAFETY: the reference was made just now and is given back once.
            unsafe {
                let field = jni.field(class, name, descriptor);
                jni.forget(class);
                field
            }
        };
        Self {
            file_path: field(c"java/io/File", c"path", c"Ljava/lang/String;"),
            unix_path: field(c"sun/nio/fs/UnixPath", c"path", c"[B"),
            class_of_field: field(c"java/lang/reflect/Field", c"clazz", c"Ljava/lang/Class;"),
            package_name: field(c"java/lang/NamedPackage", c"name", c"Ljava/lang/String;"),
            system_properties: find_system_properties(jni),
        }
    }

    /// Whether an object is the one that holds the system properties.
    ///
    /// # Safety
    ///
    /// `object` must be a live reference.
    pub(super) unsafe fn is_system_properties(&self, jni: Jni, object: jobject) -> bool {
        let Some((class, field)) = self.system_properties else { return false };
        let env = jni.env();
        // SAFETY: the class is a global reference, the field one of it that holds an object, and that reference is given back.
        unsafe {
            let Some(held) = jni.made(((**env).v1_2.GetStaticObjectField)(env, class, field)) else {
                return false;
            };
            let same = ((**env).v1_2.IsSameObject)(env, held, object);
            jni.forget(held);
            same
        }
    }
}

fn find_system_properties(jni: Jni) -> Option<(jclass, jfieldID)> {
    let env = jni.env();
    let class = jni.find_class(c"java/lang/System")?;
    // SAFETY: the reference was made just now and is given back once; the global one stays. The texts are C strings.
    unsafe {
        let of_type = c"Ljava/util/Properties;";
        let field = ((**env).v1_2.GetStaticFieldID)(env, class, c"props".as_ptr(), of_type.as_ptr());
        let found = jni.made(field.cast()).and_then(|_| jni.global(class));
        jni.forget(class);
        Some((found?, field))
    }
}

/// The longest text that is read; longer ones are cut, which no name or path is.
const MAX_TEXT: usize = 1 << 20;

impl Jni {
    /// The text of a string, in modified UTF-8.
    ///
    /// # Safety
    ///
    /// `string` must be a live reference to a string.
    pub(super) unsafe fn text(self, string: jobject) -> Vec<u8> {
        let env = self.env();
        // SAFETY: the caller's contract. The function writes as many bytes as the other one says, and a zero.
        unsafe {
            let length = usize::try_from(((**env).v1_2.GetStringUTFLength)(env, string)).unwrap_or_default();
            let letters = ((**env).v1_2.GetStringLength)(env, string);
            if length > MAX_TEXT {
                return Vec::new();
            }
            let mut text = vec![0_u8; length + 1];
            ((**env).v1_2.GetStringUTFRegion)(env, string, 0, letters, text.as_mut_ptr().cast());
            text.truncate(length);
            text
        }
    }

    /// The text of a field that holds a string.
    ///
    /// # Safety
    ///
    /// `object` must be a live reference to an object that has the field, which must hold a string.
    pub(super) unsafe fn text_field(self, object: jobject, field: jfieldID) -> Option<Vec<u8>> {
        // SAFETY: the caller's contract; the reference is given back.
        unsafe {
            let string = self.object_field(object, field)?;
            let text = self.text(string);
            self.forget(string);
            Some(text)
        }
    }

    /// The elements of a byte array.
    ///
    /// # Safety
    ///
    /// `array` must be a live reference to a byte array.
    pub(super) unsafe fn bytes(self, array: jbyteArray) -> Vec<u8> {
        let env = self.env();
        // SAFETY: the caller's contract.
        let length = unsafe { ((**env).v1_2.GetArrayLength)(env, array) };
        let mut bytes = Vec::new();
        // SAFETY: the array has so many elements.
        unsafe { self.read_bytes(array, usize::try_from(length).unwrap_or_default(), &mut bytes) };
        bytes
    }

    /// The elements of an array of objects, as local references.
    ///
    /// # Safety
    ///
    /// `array` must be a live reference to an array of objects.
    pub(super) unsafe fn elements(self, array: jobject) -> Vec<jobject> {
        let env = self.env();
        // SAFETY: the caller's contract; only elements that are there are asked for.
        unsafe {
            let length = ((**env).v1_2.GetArrayLength)(env, array);
            (0..length)
                .filter_map(|at| self.made(((**env).v1_2.GetObjectArrayElement)(env, array, at)))
                .collect()
        }
    }

    /// The id of a method of an object's class, if it has such a method.
    ///
    /// # Safety
    ///
    /// `object` must be a live reference.
    unsafe fn method(self, object: jobject, name: &CStr, descriptor: &CStr) -> Option<jmethodID> {
        let env = self.env();
        // SAFETY: the caller's contract; the reference to the class is given back.
        unsafe {
            let class = self.class_of(object)?;
            let method = ((**env).v1_2.GetMethodID)(env, class, name.as_ptr(), descriptor.as_ptr());
            self.forget(class);
            self.made(method.cast()).map(|_| method)
        }
    }

    /// What a method without parameters returns: an object, as a local reference. Nothing if there is no such method, if it
    /// throws, or if it returns null.
    ///
    /// # Safety
    ///
    /// `object` must be a live reference, and the method must return an object.
    pub(super) unsafe fn ask(self, object: jobject, name: &CStr, descriptor: &CStr) -> Option<jobject> {
        let env = self.env();
        // SAFETY: the method is one of the object and has no parameters.
        unsafe {
            let method = self.method(object, name, descriptor)?;
            self.made(((**env).v1_2.CallObjectMethodA)(env, object, method, null()))
        }
    }

    /// The text that a method without parameters returns.
    ///
    /// # Safety
    ///
    /// `object` must be a live reference.
    pub(super) unsafe fn ask_text(self, object: jobject, name: &CStr) -> Option<String> {
        // SAFETY: the descriptor says that the method returns a string; the reference is given back.
        unsafe {
            let string = self.ask(object, name, c"()Ljava/lang/String;")?;
            let text = self.text(string);
            self.forget(string);
            Some(String::from_utf8_lossy(&text).into_owned())
        }
    }

    /// The number that a method without parameters returns.
    ///
    /// # Safety
    ///
    /// `object` must be a live reference.
    pub(super) unsafe fn ask_number(self, object: jobject, name: &CStr) -> Option<jint> {
        let env = self.env();
        // SAFETY: the method is one of the object, has no parameters and returns a number.
        unsafe {
            let method = self.method(object, name, c"()I")?;
            let number = ((**env).v1_2.CallIntMethodA)(env, object, method, null());
            self.no_exception().then_some(number)
        }
    }

    /// The truth value that a method without parameters returns.
    ///
    /// # Safety
    ///
    /// `object` must be a live reference.
    pub(super) unsafe fn ask_flag(self, object: jobject, name: &CStr) -> Option<bool> {
        let env = self.env();
        // SAFETY: the method is one of the object, has no parameters and returns a truth value.
        unsafe {
            let method = self.method(object, name, c"()Z")?;
            let flag = ((**env).v1_2.CallBooleanMethodA)(env, object, method, null());
            self.no_exception().then_some(flag)
        }
    }

    /// The object that a field holds, found by name.
    ///
    /// # Safety
    ///
    /// `object` must be a live reference, and the descriptor that of an object.
    pub(super) unsafe fn held(self, object: jobject, name: &CStr, descriptor: &CStr) -> Option<jobject> {
        // SAFETY: the caller's contract; the reference to the class is given back.
        unsafe {
            let class = self.class_of(object)?;
            let field = self.field(class, name, descriptor);
            self.forget(class);
            self.object_field(object, field?)
        }
    }

    /// What a field of this name holds or, if there is no such field, what a method without parameters returns. Reading a field
    /// runs no code of the program, so it leaves no hits.
    ///
    /// # Safety
    ///
    /// `object` must be a live reference, and the type that of an object, as in a descriptor.
    pub(super) unsafe fn held_or_asked(
        self,
        object: jobject,
        field: &CStr,
        method: &CStr,
        of_type: &CStr,
    ) -> Option<jobject> {
        let descriptor = CString::new([b"()", of_type.to_bytes()].concat()).ok()?;
        // SAFETY: the caller's contract.
        unsafe { self.held(object, field, of_type).or_else(|| self.ask(object, method, &descriptor)) }
    }

    /// The text of a string, as text, and the reference to it given back.
    ///
    /// # Safety
    ///
    /// `string` must be a live local reference to a string that is not used again.
    pub(super) unsafe fn into_text(self, string: jobject) -> String {
        // SAFETY: the caller's contract.
        unsafe {
            let text = self.text(string);
            self.forget(string);
            String::from_utf8_lossy(&text).into_owned()
        }
    }

    /// The number in a field, found by name.
    ///
    /// # Safety
    ///
    /// `object` must be a live reference.
    pub(super) unsafe fn held_number(self, object: jobject, name: &CStr) -> Option<jint> {
        let env = self.env();
        // SAFETY: the caller's contract; the field is one of the object and holds a number; the reference to the class is given
        // back.
        unsafe {
            let class = self.class_of(object)?;
            let field = self.field(class, name, c"I");
            self.forget(class);
            Some(((**env).v1_2.GetIntField)(env, object, field?))
        }
    }

    /// The name of a class, with dots.
    ///
    /// # Safety
    ///
    /// `class` must be a live reference to a class.
    pub(super) unsafe fn name_of_class(self, jvmti: Jvmti, class: jclass) -> Option<String> {
        // SAFETY: the caller's contract.
        let name = unsafe { jvmti.class_name(class)? };
        Some(String::from_utf8_lossy(&name).replace('/', "."))
    }

    /// Whether the last call threw nothing; what it threw is forgotten.
    fn no_exception(self) -> bool {
        let env = self.env();
        // SAFETY: the environment is live; both functions may be called with an exception pending.
        unsafe {
            let thrown = ((**env).v1_2.ExceptionCheck)(env);
            if thrown {
                ((**env).v1_2.ExceptionClear)(env);
            }
            !thrown
        }
    }
}
