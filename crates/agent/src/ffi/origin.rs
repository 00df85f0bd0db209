//! Where a class comes from, read off the objects that the JVM passes. No Java code runs for it.

use super::jvm::{Jni, Jvmti};
use crate::filter::Origin;
use probity_jvmti_sys::{jfieldID, jobject};

/// The fields that lead from a protection domain to the location of its code.
pub(super) struct LocationFields {
    code_source: jfieldID,
    location: jfieldID,
    protocol: jfieldID,
    file: jfieldID,
}

// SAFETY: field ids may be used from any thread, as long as their classes are loaded, which those of the JDK stay.
unsafe impl Send for LocationFields {}
// SAFETY: as above.
unsafe impl Sync for LocationFields {}

impl LocationFields {
    pub(super) fn find(jni: Jni) -> Option<Self> {
        let domain = jni.find_class(c"java/security/ProtectionDomain")?;
        let source = jni.find_class(c"java/security/CodeSource")?;
        let url = jni.find_class(c"java/net/URL")?;
        // SAFETY: the references were made just now and are given back once.
        unsafe {
            let code_source = jni.field(domain, c"codesource", c"Ljava/security/CodeSource;");
            let location = jni.field(source, c"location", c"Ljava/net/URL;");
            let protocol = jni.field(url, c"protocol", c"Ljava/lang/String;");
            let file = jni.field(url, c"file", c"Ljava/lang/String;");
            for class in [domain, source, url] {
                jni.forget(class);
            }
            Some(Self { code_source: code_source?, location: location?, protocol: protocol?, file: file? })
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

impl JvmOrigin<'_> {
    /// The location of the code source of the protection domain, which must not be null.
    fn url(&self, fields: &LocationFields) -> Option<jobject> {
        // SAFETY: the JVM passes a protection domain, its field holds a code source, and the reference to that is given back.
        unsafe {
            let source = self.jni.object_field(self.protection_domain, fields.code_source)?;
            let location = self.jni.object_field(source, fields.location);
            self.jni.forget(source);
            location
        }
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
        self.url(fields)
            .inspect(|&url| {
                // SAFETY: the reference was made just now and is given back once.
                unsafe { self.jni.forget(url) };
            })
            .is_some()
    }

    fn location(&self) -> Option<Vec<u8>> {
        if self.protection_domain.is_null() {
            return None;
        }
        let fields = self.fields?;
        let url = self.url(fields)?;
        // SAFETY: the object is a URL, whose fields hold strings; the reference is given back.
        unsafe {
            let part = |field| self.jni.text_field(url, field).unwrap_or_default();
            let (protocol, file) = (part(fields.protocol), part(fields.file));
            self.jni.forget(url);
            Some([&protocol[..], b":", &file[..]].concat())
        }
    }

    fn is_read_by_jdk(&self) -> bool {
        self.jvmti.is_defined_by_jdk(self.jni)
    }

    fn loader_number(&self) -> u64 {
        // SAFETY: the JVM passes null or the loader.
        unsafe { self.jvmti.loader_number(self.loader) }
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
