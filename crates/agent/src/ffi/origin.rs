//! Where a class comes from, read off the objects that the JVM passes. No Java code runs for it.

use super::jvm::{Jni, Jvmti};
use crate::filter::Origin;
use probity_jvmti_sys::{jfieldID, jobject};

/// The fields that lead from a protection domain to the location of its code.
pub(super) struct LocationFields {
    code_source: jfieldID,
    location: jfieldID,
}

// SAFETY: field ids may be used from any thread, as long as their classes are loaded, which those of the JDK stay.
unsafe impl Send for LocationFields {}
// SAFETY: as above.
unsafe impl Sync for LocationFields {}

impl LocationFields {
    pub(super) fn find(jni: Jni) -> Option<Self> {
        let domain = jni.find_class(c"java/security/ProtectionDomain")?;
        let source = jni.find_class(c"java/security/CodeSource")?;
        // SAFETY: the references were made just now and are given back once.
        unsafe {
            let code_source = jni.field(domain, c"codesource", c"Ljava/security/CodeSource;");
            let location = jni.field(source, c"location", c"Ljava/net/URL;");
            jni.forget(domain);
            jni.forget(source);
            Some(Self { code_source: code_source?, location: location? })
        }
    }
}

/// The origin of a class that is being loaded.
pub(super) struct JvmOrigin<'a> {
    jvmti: Jvmti,
    jni: Jni,
    loader: jobject,
    protection_domain: jobject,
    fields: Option<&'a LocationFields>,
}

impl<'a> JvmOrigin<'a> {
    pub(super) fn new(
        jvmti: Jvmti,
        jni: Jni,
        loader: jobject,
        protection_domain: jobject,
        fields: Option<&'a LocationFields>,
    ) -> Self {
        Self { jvmti, jni, loader, protection_domain, fields }
    }
}

impl Origin for JvmOrigin<'_> {
    fn is_bootstrap(&self) -> bool {
        self.loader.is_null()
    }

    /// A JDK whose classes have other fields than expected cannot be asked; its classes count as located.
    fn has_location(&self) -> bool {
        if self.protection_domain.is_null() {
            return false;
        }
        let Some(fields) = self.fields else { return true };
        // SAFETY: the JVM passes a protection domain, its field holds a code source, and the references are given back.
        unsafe {
            let Some(source) = self.jni.object_field(self.protection_domain, fields.code_source) else {
                return false;
            };
            let location = self.jni.object_field(source, fields.location);
            self.jni.forget(source);
            location.inspect(|&location| self.jni.forget(location)).is_some()
        }
    }

    fn loader_class(&self) -> Option<Vec<u8>> {
        if self.loader.is_null() {
            return None;
        }
        // SAFETY: the JVM passes the loader, and the reference to its class is given back.
        unsafe {
            let class = self.jni.class_of(self.loader)?;
            let name = self.jvmti.class_name(class);
            self.jni.forget(class);
            name
        }
    }
}
