//! Which methods call the agent: those of the JDK through which a program looks at what is no code of its own, those of test
//! frameworks that begin and end tests, and initialisers.
//!
//! Everything is found by name, in whatever class loader. A JDK or a framework that lacks a method simply has one hook less;
//! a test checks which of them the installed JDKs have.

mod kind;
mod table;

use crate::holder::text;
pub(crate) use kind::Kind;
use probity_classfile::descriptor::{FieldType, MethodType};
use probity_classfile::opcode::Opcode;
use probity_classfile::pool::Constant;
use probity_classfile::{ClassFile, Error, Member, Mutf8, access};
use probity_instrument::{HookArgument, HookCall, MethodHook};
use table::{FRAMEWORKS, Hooked, JDK};

/// The class of the bootstrap loader whose native method is the agent.
pub(crate) const HOOKS_CLASS: &str = "java/lang/ProbityHooks";
const CALL: &str = "call";
/// Kind, number and two objects.
const CALL_DESCRIPTOR: &str = "(IILjava/lang/Object;Ljava/lang/Object;)V";

/// The classes of the JDK that have hooks.
pub(crate) fn is_hooked_jdk_class(name: &[u8]) -> bool {
    JDK.iter().any(|hooked| hooked.class.as_bytes() == name)
}

/// Whether a class of the bootstrap loader is the JDK's own by its name. A few that are have other names; they are told apart
/// later, by those who know the JDK.
pub(crate) fn is_jdk_name(name: &[u8]) -> bool {
    const PREFIXES: [&[u8]; 8] =
        [b"java/", b"javax/", b"jdk/", b"sun/", b"com/sun/", b"org/xml/", b"org/w3c/", b"[" as &[u8]];
    PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

/// The hooks of a class of the JDK.
pub(crate) fn of_jdk_class(class: &ClassFile<'_>) -> Vec<MethodHook> {
    let Ok(name) = class.name() else { return Vec::new() };
    found(class, JDK.iter().filter(|hooked| name == hooked.class))
}

/// The hooks of a class of a test framework.
pub(crate) fn of_framework_class(class: &ClassFile<'_>) -> Vec<MethodHook> {
    let Ok(name) = class.name() else { return Vec::new() };
    found(class, FRAMEWORKS.iter().filter(|hooked| hooked.class.is_empty() || name == hooked.class))
}

fn found<'h>(class: &ClassFile<'_>, hooked: impl Iterator<Item = &'h Hooked>) -> Vec<MethodHook> {
    let mut hooks: Vec<MethodHook> = Vec::new();
    for hooked in hooked {
        for (position, method) in class.methods().iter().enumerate() {
            let is_new = hooks.iter().all(|hook| hook.method != position);
            if is_new && is_hooked(class, method, hooked) {
                hooks.push(hooked.hook(position));
            }
        }
    }
    hooks
}

fn is_hooked(class: &ClassFile<'_>, method: &Member<'_>, hooked: &Hooked) -> bool {
    let (Ok(name), Ok(descriptor)) = (class.pool().utf8(method.name), class.pool().utf8(method.descriptor))
    else {
        return false;
    };
    let has_name = hooked.methods.is_empty() || hooked.methods.iter().any(|wanted| name == *wanted);
    has_name
        && descriptor.as_bytes().starts_with(hooked.descriptor.as_bytes())
        && method.access & (access::NATIVE | access::ABSTRACT) == 0
        && has_locals(method, descriptor, hooked)
}

/// Whether the local variables that a hook gives are there when the method is entered, and hold what it gives. A method of the
/// right name in an unknown version of a class may have others; the JVM would refuse the class.
fn has_locals(method: &Member<'_>, descriptor: Mutf8<'_>, hooked: &Hooked) -> bool {
    let Ok(parameters) = MethodType::read(descriptor) else { return false };
    let mut objects = Vec::new();
    let mut numbers = Vec::new();
    let mut next = 0_u16;
    if method.access & access::STATIC == 0 {
        objects.push(0);
        next = 1;
    }
    for parameter in parameters.parameters() {
        match parameter {
            FieldType::Object(_) | FieldType::Array(_) => objects.push(next),
            FieldType::Int => numbers.push(next),
            _ => {}
        }
        next = next.saturating_add(parameter.slots() as u16);
    }
    let is_object = |local: &u16| objects.contains(local);
    hooked.first.iter().chain(&hooked.second).all(is_object)
        && hooked.number.is_none_or(|local| numbers.contains(&local))
}

impl Hooked {
    fn hook(&self, method: usize) -> MethodHook {
        let object = |local: Option<u16>| local.map_or(HookArgument::Null, HookArgument::Object);
        let number = self.number.map_or(HookArgument::Number(0), HookArgument::NumberIn);
        let enter = call(self.kind, number, object(self.first), object(self.second));
        // What ends is found by the thread: where an exception leaves a method its local variables are not known.
        let nothing = HookArgument::Null;
        let leave = self.kind.end().map(|end| call(end, HookArgument::Number(0), nothing, nothing));
        MethodHook { method, enter, leave }
    }
}

fn call(kind: Kind, number: HookArgument, first: HookArgument, second: HookArgument) -> HookCall {
    let arguments = vec![HookArgument::Number(kind as i32), number, first, second];
    HookCall { class: HOOKS_CLASS, name: CALL, descriptor: CALL_DESCRIPTOR, arguments }
}

/// What a class does once in a JVM.
#[derive(Debug, Default)]
pub(crate) struct Once {
    /// The hooks around its initialiser, unless that does nothing beyond the class, and around methods that look like bootstrap
    /// methods, whose results the JVM keeps.
    pub(crate) hooks: Vec<MethodHook>,
    /// Whether it has an initialiser that does nothing beyond the class, and so has no hook.
    pub(crate) is_plain: bool,
}

impl Once {
    /// Finds what a class does once; `number` is that of the class.
    pub(crate) fn of(class: &ClassFile<'_>, number: u32) -> Result<Self, Error> {
        let mut once = Self::default();
        for (position, method) in class.methods().iter().enumerate() {
            let is_initialiser = class.pool().utf8(method.name)? == "<clinit>";
            if is_initialiser && !reaches_out(class, method)? {
                once.is_plain = true;
            } else if is_initialiser || looks_like_bootstrap(class, method)? {
                let number = HookArgument::Number(number.cast_signed());
                let call = |kind| call(kind, number, HookArgument::Null, HookArgument::Null);
                once.hooks.push(MethodHook {
                    method: position,
                    enter: call(Kind::OnceBegins),
                    leave: Some(call(Kind::OnceEnds)),
                });
            }
        }
        Ok(once)
    }
}

fn looks_like_bootstrap(class: &ClassFile<'_>, method: &Member<'_>) -> Result<bool, Error> {
    let descriptor = class.pool().utf8(method.descriptor)?;
    Ok(method.access & access::STATIC != 0
        && descriptor.as_bytes().starts_with(b"(Ljava/lang/invoke/MethodHandles$Lookup;"))
}

/// Whether a body can run code of another class, or even load one.
fn reaches_out(class: &ClassFile<'_>, method: &Member<'_>) -> Result<bool, Error> {
    let Some(code) = class.code(method)? else { return Ok(false) };
    let pool = class.pool();
    let own = class.name()?;
    for instruction in code.instructions() {
        let instruction = instruction?;
        let Some(index) = instruction.constant() else { continue };
        let stays = match instruction.opcode {
            Opcode::GETSTATIC | Opcode::PUTSTATIC => pool.member(index)?.class == own,
            Opcode::INVOKEVIRTUAL => {
                let member = pool.member(index)?;
                member.class == "java/lang/Class" && member.name == "desiredAssertionStatus"
            }
            Opcode::LDC | Opcode::LDC_W | Opcode::LDC2_W => match pool.get(index)? {
                Constant::Class { .. } => pool.class_name(index)? == own,
                Constant::Integer(_) | Constant::Float(_) | Constant::Long(_) | Constant::Double(_) => true,
                Constant::String { .. } => true,
                _ => false,
            },
            Opcode::ANEWARRAY => pool.class_name(index)? == "java/lang/String",
            _ => false,
        };
        if !stays {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The class whose native method is the agent, as a class file.
pub(crate) fn hooks_class() -> Vec<u8> {
    let mut class = Vec::with_capacity(256);
    class.extend(0xCAFE_BABE_u32.to_be_bytes());
    // Version 52, and a constant pool of 6.
    class.extend([0, 0, 0, 52, 0, 7]);
    for name in [HOOKS_CLASS, "java/lang/Object"] {
        text(&mut class, name);
    }
    class.extend([7, 0, 1, 7, 0, 2]);
    for name in [CALL, CALL_DESCRIPTOR] {
        text(&mut class, name);
    }
    // public final super synthetic class #3 extends #4, no interfaces, no fields.
    class.extend([0x10, 0x31, 0, 3, 0, 4, 0, 0, 0, 0]);
    // One method: public static native #5 with descriptor #6; no attributes of it or of the class.
    class.extend([0, 1, 0x01, 0x09, 0, 5, 0, 6, 0, 0, 0, 0]);
    class
}

#[cfg(test)]
mod tests {
    use super::*;
    use probity_classfile::print::listing;
    use probity_instrument::Instrumenter;
    use probity_test_support::java::{Compilation, Program, test_jdks};
    use std::collections::BTreeSet;

    #[test]
    fn the_class_of_the_hooks_is_one() {
        let bytes = hooks_class();
        let class = ClassFile::read(&bytes).unwrap();
        assert_eq!(class.name().unwrap(), HOOKS_CLASS);
        assert!(listing(&class).contains("public static native"), "{}", listing(&class));
    }

    #[test]
    fn only_what_begins_something_has_an_end() {
        let hooks = JDK.iter().chain(FRAMEWORKS);
        for hooked in hooks {
            let is_constructor = hooked.methods.contains(&"<init>");
            assert!(!(is_constructor && hooked.kind.end().is_some()), "{hooked:?}");
        }
    }

    /// What one JDK lacks and the other has, or has without a body.
    const MISSING: &[(u32, &str)] = &[
        (17, "sun/nio/fs/UnixNativeDispatcher.stat2(Lsun/nio/fs/UnixPath;"),
        (25, "sun/nio/fs/UnixNativeDispatcher.exists(Lsun/nio/fs/UnixPath;"),
        (25, "sun/misc/Unsafe.ensureClassInitialized(Ljava/lang/Class;)"),
    ];

    #[test]
    fn every_hook_of_the_jdk_is_in_the_jdks() {
        let names: BTreeSet<&str> = JDK.iter().map(|hooked| hooked.class).collect();
        let source = include_str!("../../../tests/it/java/DumpClasses.java");
        for jdk in test_jdks() {
            let compilation = Compilation::with(&jdk).source("DumpClasses.java", source);
            let compiled = compilation.compile().unwrap();
            let folder = tempfile::tempdir().unwrap();
            let mut program = Program::with(&jdk, "DumpClasses").class_path([compiled.folder()]);
            program =
                names.iter().fold(program.argument(folder.path()), |program, name| program.argument(*name));
            program.run_successfully().unwrap();
            let mut missing = Vec::new();
            for (name, number) in names.iter().zip(1..) {
                let bytes = std::fs::read(folder.path().join(format!("{number}.class"))).unwrap();
                missing.extend(missing_methods(&ClassFile::read(&bytes).unwrap(), name));
            }
            let version = jdk.feature_version();
            let known =
                MISSING.iter().filter(|(of, _)| *of == version).map(|(_, method)| (*method).to_owned());
            let known: BTreeSet<String> = known.collect();
            assert_eq!(missing.into_iter().collect::<BTreeSet<_>>(), known, "JDK {version}");
        }
    }

    /// The methods with hooks that a class lacks.
    fn missing_methods(class: &ClassFile<'_>, name: &str) -> Vec<String> {
        let mut missing = Vec::new();
        for hooked in JDK.iter().filter(|hooked| hooked.class == name) {
            for method in hooked.methods {
                let of_method = Hooked { methods: std::slice::from_ref(method), ..*hooked };
                if !class.methods().iter().any(|member| is_hooked(class, member, &of_method)) {
                    missing.push(format!("{name}.{method}{}", hooked.descriptor));
                }
            }
        }
        let hooks = of_jdk_class(class);
        let inserted = Instrumenter::new().insert_hooks(class, &hooks).unwrap();
        assert!(ClassFile::read(&inserted).is_ok());
        missing
    }
}
