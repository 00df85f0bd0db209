//! The methods that classes of a JDK have, read from its image when somebody asks.

use crate::recording::places::{Place, Places};
use probity_classfile::ClassFile;
use probity_classpath::{ReadBuffer, Source};
use probity_toolchain::Jdk;
use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// The classes of one JDK.
#[derive(Debug)]
pub(crate) struct JdkClasses {
    home: PathBuf,
    feature_version: u32,
    /// Opened when somebody asks.
    image: OnceCell<Image>,
    known: RefCell<HashMap<String, Option<Rc<Known>>>>,
}

/// Where its classes are.
#[derive(Debug)]
enum Image {
    /// In an image, at these positions.
    Modules(Source, HashMap<String, usize>),
    /// In an archive, as Java 8 has it.
    Archive(Place),
    /// Nobody knows.
    Nowhere,
}

/// What is known of a class.
#[derive(Debug)]
struct Known {
    methods: HashSet<(String, String)>,
    supers: Vec<String>,
}

impl JdkClasses {
    /// Those of a JDK.
    pub(crate) fn of(jdk: &Jdk) -> Self {
        Self {
            home: jdk.home().to_owned(),
            feature_version: jdk.feature_version(),
            image: OnceCell::new(),
            known: RefCell::default(),
        }
    }

    fn open(&self) -> Image {
        let mut name = std::ffi::OsString::from("jrt:");
        name.push(&self.home);
        if let Ok(source) = Source::open(&name) {
            let entries = source.entries().iter().enumerate();
            let named = entries.filter_map(|(position, entry)| {
                Some((entry.name().split_once('/')?.1.strip_suffix(".class")?.to_owned(), position))
            });
            let index = named.collect();
            return Image::Modules(source, index);
        }
        let archives = ["jre/lib/rt.jar", "lib/rt.jar"].map(|path| self.home.join(path));
        let archive = archives.iter().find_map(|path| Places::default().at(path).ok());
        archive.map_or(Image::Nowhere, Image::Archive)
    }

    pub(crate) fn home(&self) -> &Path {
        &self.home
    }

    pub(crate) fn feature_version(&self) -> u32 {
        self.feature_version
    }

    /// Whether a class has or inherits a method; nothing if that is not known.
    pub(crate) fn has_method(&self, class: &str, name: &str, descriptor: &str) -> Option<bool> {
        let known = self.known(class)?;
        if known.methods.contains(&(name.to_owned(), descriptor.to_owned())) {
            return Some(true);
        }
        for above in &known.supers {
            if self.has_method(above, name, descriptor)? {
                return Some(true);
            }
        }
        Some(false)
    }

    fn known(&self, class: &str) -> Option<Rc<Known>> {
        if let Some(known) = self.known.borrow().get(class) {
            return known.clone();
        }
        let known = self.bytes(class).and_then(|bytes| understand(&bytes)).map(Rc::new);
        self.known.borrow_mut().insert(class.to_owned(), known.clone());
        known
    }

    fn bytes(&self, class: &str) -> Option<Vec<u8>> {
        match self.image.get_or_init(|| self.open()) {
            Image::Modules(source, index) => {
                let entry = source.entries().get(*index.get(class)?)?;
                let mut buffer = ReadBuffer::new();
                source.read(entry, &mut buffer).ok().map(|entry| entry.bytes.to_vec())
            }
            Image::Archive(place) => place.read(&format!("{class}.class"))?.ok(),
            Image::Nowhere => None,
        }
    }
}

fn understand(bytes: &[u8]) -> Option<Known> {
    let class = ClassFile::read(bytes).ok()?;
    let pool = class.pool();
    let mut supers = Vec::new();
    supers.extend(class.super_name().ok()?.map(|name| name.to_text().into_owned()));
    for interface in class.interfaces().iter() {
        supers.push(pool.class_name(interface).ok()?.to_text().into_owned());
    }
    let mut methods = HashSet::new();
    for method in class.methods() {
        let text = |index| Some(pool.utf8(index).ok()?.to_text().into_owned());
        methods.insert((text(method.name)?, text(method.descriptor)?));
    }
    Some(Known { methods, supers })
}
