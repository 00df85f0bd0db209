//! Where the methods call the agent that have hooks.
//!
//! What a hook gives is turned into a fact or handed on to [`super::frameworks`]. The calls are made in the middle of the
//! program's own work: an exception that is on its way stays, none is added, and no lock is held while the JVM is asked for
//! something that may run code of the program.

use super::java::JavaFields;
use super::jvm::{Jni, Jvmti};
use super::memory::JvmMemory;
use super::{ATTACHED, Attached, frameworks, guarded, settings};
use crate::tracing::Tracer;
use crate::tracing::hooks::Kind;
use probity_classfile::ClassFile;
use probity_classfile::pool::Constant;
use probity_jvmti_sys::{JNIEnv, jclass, jint, jobject};
use probity_wire::Fact;
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

/// What a hook was called with.
#[derive(Clone, Copy)]
pub(super) struct HookEvent {
    pub(super) kind: Kind,
    pub(super) number: jint,
    /// Null, or an object of the kind's type.
    pub(super) first: jobject,
    /// As above.
    pub(super) second: jobject,
}

/// What is needed to answer a hook.
pub(super) struct HookContext<'a> {
    pub(super) jni: Jni,
    pub(super) jvmti: Jvmti,
    pub(super) tracer: &'a Tracer,
    pub(super) memory: &'a JvmMemory<'a>,
    pub(super) attached: &'a Attached,
}

/// The native method of the class through which others call the agent.
///
/// # Safety
///
/// Only a JVM may call this, with its environment and references as its specification says.
#[unsafe(no_mangle)]
pub(super) unsafe extern "system" fn Java_java_lang_ProbityHooks_call(
    env: *mut JNIEnv,
    _class: jclass,
    kind: jint,
    number: jint,
    first: jobject,
    second: jobject,
) {
    guarded("hook", || {
        let Some(attached) = ATTACHED.get() else { return };
        let Some(tracer) = attached.agent.recorder().tracer() else { return };
        // SAFETY: the JVM passes the environment of this thread, valid for this call.
        let Some(jni) = (unsafe { Jni::new(env) }) else { return };
        let (Some(kind), false) = (Kind::from_number(kind), jni.exception_is_pending()) else { return };
        let memory = JvmMemory::new(jni, &attached.holders);
        let context = HookContext { jni, jvmti: attached.jvmti, tracer, memory: &memory, attached };
        context.answer(HookEvent { kind, number, first, second });
    });
}

/// The classes by which the JDK's class loaders read files in folders.
const LOADERS: [&[u8]; 2] =
    [b"jdk/internal/loader/URLClassPath$FileLoader", b"sun/misc/URLClassPath$FileLoader"];

/// A number for this thread, which no other has.
pub(super) fn thread_number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    thread_local! {
        static NUMBER: Cell<u64> = const { Cell::new(0) };
    }
    NUMBER.with(|number| {
        if number.get() == 0 {
            number.set(NEXT.fetch_add(1, Ordering::Relaxed));
        }
        number.get()
    })
}

impl HookContext<'_> {
    fn answer(&self, event: HookEvent) {
        let HookEvent { kind, first, second, .. } = event;
        match kind {
            Kind::Inspected => self.inspected(first),
            Kind::InspectedAll => self.inspected_all(first),
            Kind::Member => self.member(first),
            Kind::Named => self.named(first),
            Kind::Resource => self.saw_text(first, Fact::Resource),
            Kind::Bundle => self.saw_text(first, |name| Fact::Resource(bundle(name))),
            Kind::Package => self.package(first),
            Kind::FileRead => self.saw_file_of_program(first, Fact::FileRead),
            Kind::FileTested => self.saw_file_of_program(first, Fact::FileTested),
            Kind::FolderListed => self.saw_file(first, Fact::FolderListed),
            Kind::FileWritten => {
                self.saw_file(first, Fact::FileWritten);
                self.saw_file(second, Fact::FileWritten);
            }
            Kind::FileRandom => self.random_access(first, second),
            Kind::PathOpened => self.path_opened(first, event.number),
            Kind::PathTested => self.saw_path(first, Fact::FileTested),
            Kind::PathListed => self.saw_path(first, Fact::FolderListed),
            Kind::PathWritten => {
                self.saw_path(first, Fact::FileWritten);
                self.saw_path(second, Fact::FileWritten);
            }
            Kind::Archive => self.archive(first),
            Kind::Property => self.property(first),
            Kind::PropertyIn => self.property_in(first, second),
            Kind::Variable => self.variable(first),
            Kind::Manifest => self.tracer.saw(&Fact::Resource(b"META-INF/MANIFEST.MF".to_vec())),
            Kind::PropertyWritten => self.saw_text(first, |name| Fact::PropertyWritten(Some(name))),
            Kind::AllPropertiesWritten => self.tracer.saw(&Fact::PropertyWritten(None)),
            Kind::SharedWritten => self.tracer.saw(&Fact::SharedWritten(b"a setting of the JVM".to_vec())),
            Kind::SettingWritten => self.tracer.before_setting(&settings::read(self.jni, self.jvmti)),
            Kind::AllProperties => self.all_properties(),
            Kind::AllVariables => self.tracer.saw(&Fact::AllVariables),
            Kind::ChildProcess => self.tracer.saw(&Fact::ChildProcess),
            Kind::StackTrace => self.tracer.saw(&Fact::StackTrace),
            Kind::HiddenClass => self.hidden_class(first),
            Kind::OnceBegins | Kind::OnceEnds => self.once(kind, event.number),
            _ => frameworks::answer(self, event),
        }
    }

    fn once(&self, kind: Kind, number: jint) {
        let hits = self.attached.agent.recorder().recorded_hits(self.memory);
        let (class, thread) = (number.cast_unsigned(), thread_number());
        if kind == Kind::OnceBegins {
            self.tracer.once_begins(class, thread, &hits);
        } else {
            self.tracer.once_ends(class, thread, &hits);
        }
    }

    fn inspected(&self, class: jobject) {
        if !class.is_null() {
            // SAFETY: the hook gives a class.
            unsafe { self.inspected_class(class) };
        }
    }

    /// A class, or an array of classes.
    fn inspected_all(&self, object: jobject) {
        if object.is_null() {
            return;
        }
        // SAFETY: the hook gives a class or an array of classes, and local references are given back.
        unsafe {
            let Some(class) = self.jni.class_of(object) else { return };
            let is_class = self.jvmti.class_name(class).is_some_and(|name| name == b"java/lang/Class");
            let is_array = is_class && self.is_array(class);
            self.jni.forget(class);
            if is_array {
                for element in self.jni.elements(object) {
                    self.inspected_class(element);
                    self.jni.forget(element);
                }
            } else if is_class {
                self.inspected_class(object);
            }
        }
    }

    /// Whether a class is that of arrays.
    ///
    /// # Safety
    ///
    /// `class` must be a live reference to a class.
    unsafe fn is_array(&self, class: jclass) -> bool {
        // SAFETY: the caller's contract.
        unsafe { self.jvmti.is_array(class) }
    }

    /// # Safety
    ///
    /// `class` must be a live reference to a class.
    unsafe fn inspected_class(&self, class: jclass) {
        // SAFETY: the caller's contract.
        if let Some(number) = unsafe { self.class_number(class) } {
            self.tracer.inspected(number);
        }
    }

    /// The number of a class that is recorded; of an array, that of its elements.
    ///
    /// # Safety
    ///
    /// `class` must be a live reference to a class.
    pub(super) unsafe fn class_number(&self, class: jclass) -> Option<u32> {
        const NOT_RECORDED: i64 = -1;
        // SAFETY: the caller's contract; the reference to the loader is given back.
        unsafe {
            match self.jvmti.tag(class) {
                0 => {}
                NOT_RECORDED => return None,
                number => return u32::try_from(number - 1).ok(),
            }
            let Some(loader) = self.jvmti.class_loader(class) else {
                self.jvmti.set_tag(class, NOT_RECORDED);
                return None;
            };
            let loader_number = self.jvmti.loader_number(loader);
            self.jni.forget(loader);
            let number = self.tracer.find_class(loader_number, &self.jvmti.class_name(class)?)?;
            self.jvmti.set_tag(class, i64::from(number) + 1);
            Some(number)
        }
    }

    /// A field that is read or written by reflection.
    fn member(&self, field: jobject) {
        let Some(id) = self.fields().and_then(|fields| fields.class_of_field).filter(|_| !field.is_null())
        else {
            return;
        };
        // SAFETY: the hook gives a `Field`, which holds its class; the reference is given back.
        unsafe {
            if let Some(class) = self.jni.object_field(field, id) {
                self.inspected_class(class);
                self.jni.forget(class);
            }
        }
    }

    fn fields(&self) -> Option<&JavaFields> {
        self.attached.java_fields.get()
    }

    /// The text of an object that is a string or null.
    fn text(&self, string: jobject) -> Option<Vec<u8>> {
        // SAFETY: the hook gives a string or null.
        (!string.is_null()).then(|| unsafe { self.jni.text(string) })
    }

    fn saw_text(&self, string: jobject, fact: impl FnOnce(Vec<u8>) -> Fact) {
        if let Some(text) = self.text(string) {
            self.tracer.saw(&fact(text));
        }
    }

    /// A class that is looked for by name. Those of the JDK's own packages can come from nowhere else.
    fn named(&self, name: jobject) {
        if let Some(name) = self.text(name)
            && !name.starts_with(b"java.")
        {
            self.tracer.saw(&Fact::Named(name));
        }
    }

    /// The path of a `File`.
    fn file(&self, file: jobject) -> Option<Vec<u8>> {
        let field = self.fields()?.file_path.filter(|_| !file.is_null())?;
        // SAFETY: the hook gives a `File`, whose field holds a string.
        unsafe { self.jni.text_field(file, field) }
    }

    fn saw_file(&self, file: jobject, fact: impl FnOnce(Vec<u8>) -> Fact) {
        if let Some(path) = self.file(file) {
            self.tracer.saw(&fact(path));
        }
    }

    /// A file is read or asked about. Where the class loaders of the JDK look for classes is told otherwise: a class when it is
    /// loaded, one that is not there by its name, and what is wanted as a resource as such.
    fn saw_file_of_program(&self, file: jobject, fact: impl FnOnce(Vec<u8>) -> Fact) {
        let Some(path) = self.file(file) else { return };
        let is_of_loader = || {
            let caller = self.jvmti.caller_class(self.jni);
            caller.is_some_and(|class| LOADERS.iter().any(|loader| class.starts_with(loader)))
        };
        if !path.ends_with(b".class") || !is_of_loader() {
            self.tracer.saw(&fact(path));
        }
    }

    /// The path of a `UnixPath`.
    fn path(&self, path: jobject) -> Option<Vec<u8>> {
        let field = self.fields()?.unix_path.filter(|_| !path.is_null())?;
        // SAFETY: the hook gives a `UnixPath`, whose field holds a byte array; the reference is given back.
        unsafe {
            let array = self.jni.object_field(path, field)?;
            let bytes = self.jni.bytes(array);
            self.jni.forget(array);
            Some(bytes)
        }
    }

    fn saw_path(&self, path: jobject, fact: impl FnOnce(Vec<u8>) -> Fact) {
        if let Some(path) = self.path(path) {
            self.tracer.saw(&fact(path));
        }
    }

    /// A file that is opened to be read, or to be read and written.
    fn random_access(&self, file: jobject, mode: jobject) {
        let writes = self.text(mode).is_none_or(|mode| mode != b"r");
        if writes {
            self.saw_file(file, Fact::FileWritten);
        } else {
            self.saw_file(file, Fact::FileRead);
        }
    }

    /// The lowest two bits of the flags say whether a file is written.
    fn path_opened(&self, path: jobject, flags: jint) {
        const ACCESS: jint = 3;
        if flags & ACCESS == 0 {
            self.saw_path(path, Fact::FileRead);
        } else {
            self.saw_path(path, Fact::FileWritten);
        }
    }

    /// An archive that the program opens itself: its entries can be listed. What class loaders open is known by what
    /// they load.
    fn archive(&self, file: jobject) {
        if !self.jvmti.is_called_by(self.jni, b"jdk/internal/loader/") {
            self.saw_file(file, Fact::FolderListed);
        }
    }

    fn package(&self, package: jobject) {
        let Some(field) = self.fields().and_then(|fields| fields.package_name).filter(|_| !package.is_null())
        else {
            return;
        };
        // SAFETY: the hook gives a `Package`, whose field holds a string.
        if let Some(name) = unsafe { self.jni.text_field(package, field) } {
            self.tracer.saw(&Fact::Named([&name[..], b".package-info"].concat()));
        }
    }

    /// The JDK itself asks for all properties to read one of them, except where it hands them all on.
    fn all_properties(&self) {
        let is_of_jdk = |name: Vec<u8>| {
            let prefixes: [&[u8]; 5] = [b"java/", b"javax/", b"jdk/", b"sun/", b"com/sun/"];
            prefixes.iter().any(|prefix| name.starts_with(prefix)) && !name.starts_with(b"sun/management/")
        };
        if !self.jvmti.caller_class(self.jni).is_some_and(is_of_jdk) {
            self.tracer.saw(&Fact::AllProperties);
        }
    }

    /// A property that is read of some properties, which may be those of the system.
    fn property_in(&self, key: jobject, properties: jobject) {
        // SAFETY: the hook gives an object or null.
        let is_system = !properties.is_null()
            && self
                .fields()
                .is_some_and(|fields| unsafe { fields.is_system_properties(self.jni, properties) });
        if is_system {
            self.property(key);
        }
    }

    fn property(&self, key: jobject) {
        if let Some(key) = self.text(key) {
            self.tracer.saw_property(key);
        }
    }

    fn variable(&self, name: jobject) {
        use std::os::unix::ffi::{OsStrExt, OsStringExt};
        let Some(name) = self.text(name) else { return };
        let value = std::env::var_os(std::ffi::OsStr::from_bytes(&name)).map(OsStringExt::into_vec);
        self.tracer.saw(&Fact::Variable { name, value });
    }

    /// A hidden class cannot be recorded: all that it names counts as used.
    fn hidden_class(&self, array: jobject) {
        if array.is_null() {
            return;
        }
        // SAFETY: the hook gives a byte array.
        let bytes = unsafe { self.jni.bytes(array) };
        let Ok(class) = ClassFile::read(&bytes) else { return };
        let Ok(own) = class.name() else { return };
        for (index, constant) in class.pool().iter() {
            // Nobody finds it under the name that it has in its own bytes.
            if matches!(constant, Constant::Class { .. })
                && index != class.this_class()
                && let Ok(name) = class.pool().class_name(index)
                && name != own
                && !name.as_bytes().starts_with(b"java/")
            {
                self.tracer.saw(&Fact::UsedByHidden(name.as_bytes().to_vec()));
            }
        }
    }
}

/// All files of a resource bundle: its name, with whatever language follows.
fn bundle(name: Vec<u8>) -> Vec<u8> {
    let mut name: Vec<u8> = name.into_iter().map(|byte| if byte == b'.' { b'/' } else { byte }).collect();
    name.push(b'*');
    name
}
