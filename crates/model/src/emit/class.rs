//! Writes one class file.

use probity_classfile::access;
use probity_classfile::opcode::Opcode;

use super::code::{self, Code};
use super::pool::Pool;
use super::{Form, NotEmitted};
use crate::linked::Linked;
use crate::names::{ClassName, MethodName};
use crate::program::{Class, Method};
use crate::typing::{self, HandlerFlow};

/// The last version that has no stack maps, and the version of Java 17.
const WITHOUT_FRAMES: u16 = 49;
const WITH_FRAMES: u16 = 61;

pub(super) fn class_file(
    linked: &Linked<'_>,
    name: ClassName,
    class: &Class,
    form: Form,
    package: &str,
) -> Result<Vec<u8>, NotEmitted> {
    let mut pool = Pool::new(package);
    let this = pool.class(name);
    let above = pool.class(class.superclass);
    let mut members = Vec::new();
    members.extend((class.fields.len() as u16).to_be_bytes());
    for field in &class.fields {
        let flags = access::PUBLIC | if field.is_static { access::STATIC } else { 0 };
        let (text, kind) = (pool.text(&field.name.to_string()), pool.text(&pool.descriptor(field.kind)));
        [flags, text, kind, 0].iter().for_each(|number| members.extend(number.to_be_bytes()));
    }
    let is_written = |method: &&Method| {
        form.with_empty_initialisers || method.name != MethodName::CLINIT || !method.body.is_trivial()
    };
    let written: Vec<&Method> = class.methods.iter().filter(is_written).collect();
    members.extend((written.len() as u16 + 1).to_be_bytes());
    constructor(&mut pool, &mut members, class);
    for method in written {
        let types =
            typing::types(linked, name, method, HandlerFlow::Everything).map_err(NotEmitted::Types)?;
        let code = code::code(linked, &mut pool, method, &types)
            .map_err(|what| NotEmitted::Unsayable { class: name, what })?;
        let flags = access::PUBLIC | if method.signature.is_static { access::STATIC } else { 0 };
        let flags = if method.name == MethodName::CLINIT { access::STATIC } else { flags };
        let (name, descriptor) = (method_name(method.name), pool.signature(&method.signature));
        write_method(&mut pool, &mut members, flags, &name, &descriptor, &code, form);
    }
    let mut bytes = Vec::new();
    bytes.extend(probity_classfile::MAGIC.to_be_bytes());
    let version = if form.with_frames { WITH_FRAMES } else { WITHOUT_FRAMES };
    [0, version, pool.count()].iter().for_each(|number| bytes.extend(number.to_be_bytes()));
    bytes.extend(pool.bytes());
    let flags = access::PUBLIC | access::SUPER;
    [flags, this, above, 0].iter().for_each(|number| bytes.extend(number.to_be_bytes()));
    bytes.extend(members);
    bytes.extend(0_u16.to_be_bytes());
    Ok(bytes)
}

/// The constructor that `New` calls: it does nothing but call that of the superclass.
fn constructor(pool: &mut Pool, out: &mut Vec<u8>, class: &Class) {
    let above = pool.method(class.superclass, "<init>", "()V");
    let mut bytes = vec![Opcode::ALOAD_0.0, Opcode::INVOKESPECIAL.0];
    bytes.extend(above.to_be_bytes());
    bytes.push(Opcode::RETURN.0);
    let code = Code { max_stack: 1, max_locals: 1, bytes, handlers: Vec::new(), frames: Vec::new() };
    let form = Form { with_frames: false, with_empty_initialisers: false };
    write_method(pool, out, access::PUBLIC, "<init>", "()V", &code, form);
}

fn write_method(
    pool: &mut Pool,
    out: &mut Vec<u8>,
    flags: u16,
    name: &str,
    descriptor: &str,
    code: &Code,
    form: Form,
) {
    let (name, descriptor, attribute) = (pool.text(name), pool.text(descriptor), pool.text("Code"));
    [flags, name, descriptor, 1, attribute].iter().for_each(|number| out.extend(number.to_be_bytes()));
    let contents = code_attribute(pool, code, form);
    out.extend((contents.len() as u32).to_be_bytes());
    out.extend(contents);
}

fn code_attribute(pool: &mut Pool, code: &Code, form: Form) -> Vec<u8> {
    let mut out = Vec::new();
    [code.max_stack, code.max_locals].iter().for_each(|number| out.extend(number.to_be_bytes()));
    out.extend((code.bytes.len() as u32).to_be_bytes());
    out.extend(&code.bytes);
    out.extend((code.handlers.len() as u16).to_be_bytes());
    for handler in &code.handlers {
        handler.iter().for_each(|number| out.extend(number.to_be_bytes()));
    }
    let with_frames = form.with_frames && !code.frames.is_empty();
    out.extend(u16::from(with_frames).to_be_bytes());
    if with_frames {
        out.extend(pool.text("StackMapTable").to_be_bytes());
        let table = code::stack_map(pool, &code.frames);
        out.extend((table.len() as u32).to_be_bytes());
        out.extend(table);
    }
    out
}

/// The name of a method for the JVM.
pub(super) fn method_name(name: MethodName) -> String {
    if name == MethodName::CLINIT { "<clinit>".to_owned() } else { name.to_string() }
}
