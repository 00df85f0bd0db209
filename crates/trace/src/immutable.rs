//! Which types have only objects that never change, as far as shapes tell.
//!
//! What is not known to be so counts as something that can change: arrays, interfaces, most types of the JDK, classes that are not
//! understood. A type is as changeable as the classes below it that were loaded.

use crate::kinship::Kinship;
use crate::names::NameId;
use crate::versions::{Version, Versions};
use probity_shape::FieldShape;
use std::collections::{HashMap, HashSet};

const ACC_STATIC: u16 = 0x0008;
const ACC_FINAL: u16 = 0x0010;
const ACC_INTERFACE: u16 = 0x0200;

/// Which types have objects that can change.
#[derive(Debug, Default)]
pub(crate) struct Mutable {
    /// The types that were loaded and have such objects, or one below them has.
    types: HashSet<NameId>,
    /// The types that were loaded.
    loaded: HashSet<NameId>,
    /// Types of the JDK below which a class was loaded.
    extended: HashSet<&'static str>,
}

impl Mutable {
    /// Finds them among all classes that were loaded.
    pub(crate) fn find(versions: &Versions, kinship: &mut Kinship<'_>) -> Self {
        let loaded = versions.all.iter().filter_map(|version| version.name).collect();
        let supers: HashSet<&str> = versions
            .all
            .iter()
            .flat_map(|version| &version.supers)
            .map(|&name| versions.names.text(name))
            .collect();
        let extended = CONSTANT.into_iter().filter(|name| supers.contains(name)).collect();
        let mut found = Self { types: HashSet::new(), loaded, extended };
        let mut waiting: HashMap<NameId, Vec<NameId>> = HashMap::new();
        let mut pending = Vec::new();
        for version in &versions.all {
            let Some(name) = version.name else { continue };
            if version.any_shape().is_some_and(|shape| shape.access & ACC_INTERFACE != 0) {
                // Anything can be behind it. That makes no class changeable that implements it.
                found.types.insert(name);
                continue;
            }
            match found.needs(versions, version) {
                Some(needed) => needed.into_iter().for_each(|one| waiting.entry(one).or_default().push(name)),
                None => pending.push(name),
            }
        }
        pending.extend(found.types.iter().filter_map(|name| waiting.get(name)).flatten());
        found.close(kinship, &waiting, pending);
        found
    }

    /// Adds the types that can change because these classes can, given those that wait for a type.
    fn close(
        &mut self,
        kinship: &mut Kinship<'_>,
        waiting: &HashMap<NameId, Vec<NameId>>,
        mut pending: Vec<NameId>,
    ) {
        let mut met = HashSet::new();
        while let Some(name) = pending.pop() {
            if !met.insert(name) {
                continue;
            }
            // A field with a type above it may hold one of its objects, and a class below it has its fields.
            let above = kinship.above(name);
            for &one in above.iter().chain([&name]) {
                if self.types.insert(one) {
                    pending.extend(waiting.get(&one).into_iter().flatten());
                }
            }
            pending.extend(kinship.directly_below(name));
        }
    }

    /// The types that must be unchangeable for the objects of a version to be so, as its fields tell; nothing if they are not.
    fn needs(&self, versions: &Versions, version: &Version) -> Option<Vec<NameId>> {
        let shape = version.any_shape()?;
        let is_plain = shape.super_name.as_deref().is_none_or(|name| {
            matches!(name, "java/lang/Object" | "java/lang/Enum" | "java/lang/Record")
                || versions.names.find(name).is_some_and(|name| self.loaded.contains(&name))
        });
        if !is_plain {
            return None;
        }
        let mut needed = Vec::new();
        for field in shape.fields.iter().filter(|field| field.access & ACC_STATIC == 0) {
            if field.access & ACC_FINAL == 0 {
                return None;
            }
            match self.type_of(versions, &field.descriptor) {
                Type::Constant => {}
                Type::Loaded(class) => needed.push(class),
                Type::Mutable => return None,
            }
        }
        Some(needed)
    }

    fn type_of(&self, versions: &Versions, descriptor: &str) -> Type {
        let Some(class) = descriptor.strip_prefix('L').and_then(|rest| rest.strip_suffix(';')) else {
            return if descriptor.starts_with('[') { Type::Mutable } else { Type::Constant };
        };
        if LOGGERS.contains(&class) || CONSTANT.contains(&class) && !self.extended.contains(class) {
            return Type::Constant;
        }
        match versions.names.find(class) {
            Some(class) if self.loaded.contains(&class) => Type::Loaded(class),
            _ => Type::Mutable,
        }
    }

    /// Whether a static field can hold an object that changes. What compilers add for themselves and never write again, such as the
    /// values of an enum, is not changed.
    pub(crate) fn is_in(&self, versions: &Versions, field: &FieldShape) -> bool {
        const OF_COMPILERS: u16 = 0x1000 | ACC_FINAL;
        let is_of_compiler = field.access & OF_COMPILERS == OF_COMPILERS;
        !is_of_compiler
            && match self.type_of(versions, &field.descriptor) {
                Type::Constant => false,
                Type::Loaded(class) => self.types.contains(&class),
                Type::Mutable => true,
            }
    }
}

enum Type {
    Constant,
    Loaded(NameId),
    Mutable,
}

/// Loggers change, but tests do not see it: what is logged where is a matter of settings.
const LOGGERS: [&str; 10] = [
    "ch/qos/logback/classic/Logger",
    "com/google/common/flogger/FluentLogger",
    "io/github/oshai/kotlinlogging/KLogger",
    "java/lang/System$Logger",
    "java/util/logging/Logger",
    "org/apache/commons/logging/Log",
    "org/apache/log4j/Logger",
    "org/apache/logging/log4j/Logger",
    "org/jboss/logging/Logger",
    "org/slf4j/Logger",
];

/// Types of the JDK whose objects never change, unless a class below them was loaded.
const CONSTANT: [&str; 43] = [
    "java/io/File",
    "java/lang/Boolean",
    "java/lang/Byte",
    "java/lang/Character",
    "java/lang/Class",
    "java/lang/Double",
    "java/lang/Float",
    "java/lang/Integer",
    "java/lang/Long",
    "java/lang/Short",
    "java/lang/String",
    "java/lang/Void",
    "java/math/BigDecimal",
    "java/math/BigInteger",
    "java/math/MathContext",
    "java/math/RoundingMode",
    "java/net/URI",
    "java/nio/charset/Charset",
    "java/nio/file/Path",
    "java/time/DayOfWeek",
    "java/time/Duration",
    "java/time/Instant",
    "java/time/LocalDate",
    "java/time/LocalDateTime",
    "java/time/LocalTime",
    "java/time/Month",
    "java/time/MonthDay",
    "java/time/OffsetDateTime",
    "java/time/OffsetTime",
    "java/time/Period",
    "java/time/Year",
    "java/time/YearMonth",
    "java/time/ZoneId",
    "java/time/ZoneOffset",
    "java/time/ZonedDateTime",
    "java/time/format/DateTimeFormatter",
    "java/util/Locale",
    "java/util/OptionalDouble",
    "java/util/OptionalInt",
    "java/util/OptionalLong",
    "java/util/UUID",
    "java/util/concurrent/TimeUnit",
    "java/util/regex/Pattern",
];
