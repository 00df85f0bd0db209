//! Attributes (JVMS 4.7): found as bytes, decoded by name where somebody asks.
//!
//! One table says which attribute may stand where and since which version; an attribute outside of it is unknown, as
//! it is to the JVM, and is kept as bytes.

mod annotation;
mod code;
mod module;
mod stack_map;
mod structure;

pub use annotation::{
    AnnotationEvent, AnnotationEvents, MAX_ANNOTATION_DEPTH, ParameterAnnotations, TypeAnnotation,
    TypeAnnotations, TypeTarget, VariableRange,
};
pub use code::{Code, ExceptionEntry, LineNumber, LocalVariable, MAX_CODE_LENGTH};
pub use module::{Exports, Module, Opens, Provides, Requires};
pub use stack_map::{Frame, StackMapTable, VerificationType, VerificationTypes};
pub(crate) use stack_map::{frame_type, write_extended, write_types};
pub use structure::{
    BootstrapMethod, EnclosingMethod, InnerClass, MethodParameter, RecordComponent, RecordComponents,
};

use crate::class::Version;
use crate::cursor::Cursor;
use crate::error::{ErrorKind, Result, Section};
use crate::mutf8::Mutf8;
use crate::pool::ConstantPool;
use crate::table::{Record, Sequence, Table};

/// Where an attribute stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Location {
    /// In a class.
    Class = 1,
    /// In a field.
    Field = 2,
    /// In a method.
    Method = 4,
    /// In a `Code` attribute.
    Code = 8,
    /// In a component of a record.
    RecordComponent = 16,
}

/// The attributes of a class, a member, a body or a record component.
#[derive(Clone, Copy, Debug)]
pub struct Attributes<'a> {
    count: u16,
    bytes: &'a [u8],
    offset: u32,
    location: Location,
    version: Version,
}

/// An attribute whose contents were not looked at.
#[derive(Clone, Copy, Debug)]
pub struct RawAttribute<'a> {
    /// Where the attribute starts in the class file, with its name.
    pub offset: u32,
    /// The index of its name.
    pub name: u16,
    /// Its contents.
    pub info: &'a [u8],
    location: Location,
    version: Version,
}

impl<'a> Attributes<'a> {
    pub(crate) fn read(cursor: &mut Cursor<'a>, location: Location, version: Version) -> Result<Self> {
        let count = cursor.u2()?;
        let mut inner = cursor.within(Section::Attributes);
        let (start, offset) = (inner.rest(), inner.offset());
        for _ in 0..count {
            inner.array::<2>()?;
            let length = inner.u4()?;
            inner.bytes(length as usize)?;
        }
        let bytes = cursor.bytes(start.len() - inner.rest().len())?;
        Ok(Self { count, bytes, offset, location, version })
    }

    /// How many there are.
    pub fn len(&self) -> u16 {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Where the first attribute stands in the class file.
    pub fn offset(&self) -> u32 {
        self.offset
    }

    /// All attributes in order. Their bounds were checked when they were found, so none is left out.
    pub fn iter(&self) -> impl Iterator<Item = RawAttribute<'a>> + use<'a> {
        let mut cursor = Cursor::new(self.bytes, self.offset, Section::Attributes);
        let (location, version) = (self.location, self.version);
        (0..self.count).map_while(move |_| {
            let offset = cursor.offset();
            let name = cursor.u2().ok()?;
            let length = cursor.u4().ok()?;
            Some(RawAttribute { offset, name, info: cursor.bytes(length as usize).ok()?, location, version })
        })
    }

    /// The first attribute of this name.
    pub fn find(&self, pool: &ConstantPool<'a>, name: &str) -> Option<RawAttribute<'a>> {
        self.iter().find(|attribute| pool.utf8(attribute.name).is_ok_and(|found| found == name))
    }

    /// The only attribute of this name; a second one is an error.
    pub fn find_once(&self, pool: &ConstantPool<'a>, name: &str) -> Result<Option<RawAttribute<'a>>> {
        let mut found = None;
        for attribute in self.iter() {
            if pool.utf8(attribute.name)? == name {
                if found.is_some() {
                    return Err(attribute.cursor().error(ErrorKind::DuplicateAttribute));
                }
                found = Some(attribute);
            }
        }
        Ok(found)
    }
}

impl<'a> RawAttribute<'a> {
    /// A cursor over the contents.
    pub fn cursor(&self) -> Cursor<'a> {
        Cursor::new(self.info, self.offset.wrapping_add(6), Section::Attributes)
    }

    /// Decodes the contents as the name asks; the whole of them must be used.
    pub fn decode(&self, pool: &ConstantPool<'a>) -> Result<Attribute<'a>> {
        let Some((kind, section)) = recognise(pool.utf8(self.name)?, self.location, self.version) else {
            return Ok(Attribute::Unknown(self.info));
        };
        let mut cursor = self.cursor().within(section);
        let attribute = kind.decode(&mut cursor, self.version)?;
        cursor.finish()?;
        Ok(attribute)
    }
}

const CLASS: u8 = Location::Class as u8;
const FIELD: u8 = Location::Field as u8;
const METHOD: u8 = Location::Method as u8;
const CODE: u8 = Location::Code as u8;
const COMPONENT: u8 = Location::RecordComponent as u8;
const DECLARATIONS: u8 = CLASS | FIELD | METHOD | COMPONENT;

macro_rules! attributes {
    ($($name:ident: $section:literal, since $since:literal, in $location:expr;)+) => {
        /// The attributes that are recognised.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs, reason = "the names are those of JVMS table 4.7-A")]
        pub enum AttributeKind { $($name),+ }

        /// What a name means at a place and in a version; nothing if the JVM would not recognise it there.
        fn recognise(name: Mutf8<'_>, location: Location, version: Version) -> Option<(AttributeKind, Section)> {
            let (kind, section, since, locations) = match name.as_bytes() {
                $(bytes if bytes == stringify!($name).as_bytes() => (AttributeKind::$name, $section, $since, $location),)+
                _ => return None,
            };
            (version.major >= since && locations & location as u8 != 0).then_some((kind, Section::Attribute(section)))
        }
    };
}

attributes! {
    ConstantValue: 2, since 45, in FIELD;
    Code: 3, since 45, in METHOD;
    StackMapTable: 4, since 50, in CODE;
    Exceptions: 5, since 45, in METHOD;
    InnerClasses: 6, since 45, in CLASS;
    EnclosingMethod: 7, since 49, in CLASS;
    Synthetic: 8, since 45, in CLASS | FIELD | METHOD;
    Signature: 9, since 49, in DECLARATIONS;
    SourceFile: 10, since 45, in CLASS;
    SourceDebugExtension: 11, since 49, in CLASS;
    LineNumberTable: 12, since 45, in CODE;
    LocalVariableTable: 13, since 45, in CODE;
    LocalVariableTypeTable: 14, since 49, in CODE;
    Deprecated: 15, since 45, in CLASS | FIELD | METHOD;
    RuntimeVisibleAnnotations: 16, since 49, in DECLARATIONS;
    RuntimeInvisibleAnnotations: 17, since 49, in DECLARATIONS;
    RuntimeVisibleParameterAnnotations: 18, since 49, in METHOD;
    RuntimeInvisibleParameterAnnotations: 19, since 49, in METHOD;
    RuntimeVisibleTypeAnnotations: 20, since 52, in DECLARATIONS | CODE;
    RuntimeInvisibleTypeAnnotations: 21, since 52, in DECLARATIONS | CODE;
    AnnotationDefault: 22, since 49, in METHOD;
    BootstrapMethods: 23, since 51, in CLASS;
    MethodParameters: 24, since 52, in METHOD;
    Module: 25, since 53, in CLASS;
    ModulePackages: 26, since 53, in CLASS;
    ModuleMainClass: 27, since 53, in CLASS;
    NestHost: 28, since 55, in CLASS;
    NestMembers: 29, since 55, in CLASS;
    Record: 30, since 58, in CLASS;
    PermittedSubclasses: 31, since 59, in CLASS;
}

/// An attribute's contents.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "the names are those of JVMS table 4.7-A")]
pub enum Attribute<'a> {
    ConstantValue(u16),
    Code(Code<'a>),
    StackMapTable(StackMapTable<'a>),
    Exceptions(Table<'a, u16>),
    InnerClasses(Table<'a, InnerClass>),
    EnclosingMethod(EnclosingMethod),
    Synthetic,
    Signature(u16),
    SourceFile(u16),
    SourceDebugExtension(Mutf8<'a>),
    LineNumberTable(Table<'a, LineNumber>),
    LocalVariableTable(Table<'a, LocalVariable>),
    /// As `LocalVariableTable`; the descriptor is a generic signature.
    LocalVariableTypeTable(Table<'a, LocalVariable>),
    Deprecated,
    /// Visible or invisible annotations.
    Annotations(AnnotationEvents<'a>),
    /// Visible or invisible annotations of parameters.
    ParameterAnnotations(ParameterAnnotations<'a>),
    /// Visible or invisible annotations of types.
    TypeAnnotations(TypeAnnotations<'a>),
    AnnotationDefault(AnnotationEvents<'a>),
    BootstrapMethods(Sequence<'a, BootstrapMethod<'a>>),
    MethodParameters(Table<'a, MethodParameter>),
    Module(Module<'a>),
    ModulePackages(Table<'a, u16>),
    ModuleMainClass(u16),
    NestHost(u16),
    NestMembers(Table<'a, u16>),
    Record {
        count: u16,
        components: RecordComponents<'a>,
    },
    PermittedSubclasses(Table<'a, u16>),
    /// An attribute that the JVM does not know, or not here.
    Unknown(&'a [u8]),
}

impl AttributeKind {
    fn decode<'a>(self, cursor: &mut Cursor<'a>, version: Version) -> Result<Attribute<'a>> {
        Ok(match self {
            Self::ConstantValue => Attribute::ConstantValue(cursor.u2()?),
            Self::Code => Attribute::Code(Code::read(cursor, version)?),
            Self::StackMapTable => Attribute::StackMapTable(StackMapTable::read(cursor)?),
            Self::Exceptions => Attribute::Exceptions(Table::read_u2(cursor)?),
            Self::InnerClasses => Attribute::InnerClasses(Table::read_u2(cursor)?),
            Self::EnclosingMethod => {
                Attribute::EnclosingMethod(EnclosingMethod { class: cursor.u2()?, method: cursor.u2()? })
            }
            Self::Synthetic => Attribute::Synthetic,
            Self::Signature => Attribute::Signature(cursor.u2()?),
            Self::SourceFile => Attribute::SourceFile(cursor.u2()?),
            Self::SourceDebugExtension => {
                Attribute::SourceDebugExtension(Mutf8::new(cursor.bytes(cursor.rest().len())?))
            }
            Self::LineNumberTable => Attribute::LineNumberTable(Table::read_u2(cursor)?),
            Self::LocalVariableTable => Attribute::LocalVariableTable(Table::read_u2(cursor)?),
            Self::LocalVariableTypeTable => Attribute::LocalVariableTypeTable(Table::read_u2(cursor)?),
            Self::Deprecated => Attribute::Deprecated,
            Self::RuntimeVisibleAnnotations | Self::RuntimeInvisibleAnnotations => {
                Attribute::Annotations(AnnotationEvents::read_list(cursor)?)
            }
            Self::RuntimeVisibleParameterAnnotations | Self::RuntimeInvisibleParameterAnnotations => {
                Attribute::ParameterAnnotations(ParameterAnnotations::read(cursor)?)
            }
            Self::RuntimeVisibleTypeAnnotations | Self::RuntimeInvisibleTypeAnnotations => {
                Attribute::TypeAnnotations(TypeAnnotations::read(cursor)?)
            }
            Self::AnnotationDefault => Attribute::AnnotationDefault(AnnotationEvents::read_value(cursor)?),
            Self::BootstrapMethods => Attribute::BootstrapMethods(Sequence::read_u2(cursor)?),
            Self::MethodParameters => {
                let count = cursor.u1()?;
                Attribute::MethodParameters(Table::read(cursor, usize::from(count))?)
            }
            Self::Module => Attribute::Module(Module::read(cursor)?),
            Self::ModulePackages => Attribute::ModulePackages(Table::read_u2(cursor)?),
            Self::ModuleMainClass => Attribute::ModuleMainClass(cursor.u2()?),
            Self::NestHost => Attribute::NestHost(cursor.u2()?),
            Self::NestMembers => Attribute::NestMembers(Table::read_u2(cursor)?),
            Self::Record => {
                let count = cursor.u2()?;
                Attribute::Record { count, components: RecordComponents::read(cursor, count, version)? }
            }
            Self::PermittedSubclasses => Attribute::PermittedSubclasses(Table::read_u2(cursor)?),
        })
    }
}

impl<'a> Attribute<'a> {
    /// Writes the contents from what was decoded, without name and length in front.
    pub fn write(&self, pool: &ConstantPool<'a>, out: &mut Vec<u8>) -> Result<()> {
        match self {
            Self::ConstantValue(index)
            | Self::Signature(index)
            | Self::SourceFile(index)
            | Self::ModuleMainClass(index)
            | Self::NestHost(index) => index.write(out),
            Self::Code(code) => code.write(pool, out)?,
            Self::StackMapTable(table) => table.write(out),
            Self::Exceptions(table)
            | Self::ModulePackages(table)
            | Self::NestMembers(table)
            | Self::PermittedSubclasses(table) => write_table(table, out),
            Self::InnerClasses(table) => write_table(table, out),
            Self::EnclosingMethod(method) => method.write(out),
            Self::Synthetic | Self::Deprecated => {}
            Self::SourceDebugExtension(text) => out.extend(text.as_bytes()),
            Self::LineNumberTable(table) => write_table(table, out),
            Self::LocalVariableTable(table) | Self::LocalVariableTypeTable(table) => write_table(table, out),
            Self::Annotations(events) => events.write_list(out)?,
            Self::ParameterAnnotations(parameters) => parameters.write(out)?,
            Self::TypeAnnotations(annotations) => annotations.write(out)?,
            Self::AnnotationDefault(events) => events.write_value(out)?,
            Self::BootstrapMethods(methods) => {
                methods.len().write(out);
                methods.iter().for_each(|method| method.write(out));
            }
            Self::MethodParameters(table) => {
                out.push(table.len() as u8);
                table.write(out);
            }
            Self::Module(module) => module.write(out),
            Self::Record { count, components } => {
                count.write(out);
                components.write(pool, out)?;
            }
            Self::Unknown(bytes) => out.extend(*bytes),
        }
        Ok(())
    }
}

/// Writes a table with its two-byte count in front.
fn write_table<R: Record>(table: &Table<'_, R>, out: &mut Vec<u8>) {
    (table.len() as u16).write(out);
    table.write(out);
}

/// Decodes all attributes and writes them again from what was decoded, with their count in front.
pub fn write_attributes<'a>(
    attributes: &Attributes<'a>,
    pool: &ConstantPool<'a>,
    out: &mut Vec<u8>,
) -> Result<()> {
    attributes.len().write(out);
    for attribute in attributes.iter() {
        attribute.name.write(out);
        with_length(out, |out| attribute.decode(pool)?.write(pool, out))?;
    }
    Ok(())
}

/// Writes a four-byte length and then what it is the length of.
pub(crate) fn with_length<E>(
    out: &mut Vec<u8>,
    contents: impl FnOnce(&mut Vec<u8>) -> std::result::Result<(), E>,
) -> std::result::Result<(), E> {
    let at = out.len();
    out.extend([0; 4]);
    contents(out)?;
    let length = (out.len() - at - 4) as u32;
    if let Some(place) = out.get_mut(at..at + 4) {
        place.copy_from_slice(&length.to_be_bytes());
    }
    Ok(())
}
