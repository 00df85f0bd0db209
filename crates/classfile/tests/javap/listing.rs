//! What a listing says, as data: `javap`'s and this crate's own are read into the same structure.
//!
//! The parts that matter most for a class-file reader have fields of their own; all other lines are kept as they are, so
//! that nothing of a listing goes unread. Left out is what differs by design: where the file is, declarations in the
//! words of Java, of which only the name is taken, and attributes that are the JDK's own and not the specification's.

use std::iter::Peekable;
use std::slice::Iter;

pub(crate) type Parsed<T> = Result<T, String>;

#[derive(Debug, Default)]
pub(crate) struct Class {
    /// Version, flags, names and counts.
    pub(crate) header: Vec<String>,
    pub(crate) pool: Vec<String>,
    pub(crate) fields: Vec<Member>,
    pub(crate) methods: Vec<Member>,
    pub(crate) attributes: Vec<String>,
}

#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) descriptor: String,
    pub(crate) flags: String,
    pub(crate) code: Option<Code>,
    pub(crate) attributes: Vec<String>,
}

#[derive(Debug, Default)]
pub(crate) struct Code {
    pub(crate) max_stack: u32,
    pub(crate) max_locals: u32,
    pub(crate) args_size: u32,
    pub(crate) instructions: Vec<Instruction>,
    pub(crate) exceptions: Vec<ExceptionRow>,
    pub(crate) lines: Vec<LineRow>,
    pub(crate) variables: Vec<VariableRow>,
    pub(crate) variable_types: Vec<VariableRow>,
    pub(crate) frames: Vec<Frame>,
    pub(crate) attributes: Vec<String>,
}

#[derive(Debug, PartialEq)]
pub(crate) struct Instruction {
    pub(crate) pc: u32,
    pub(crate) mnemonic: String,
    /// Numbers, `#indexes`, names of primitive types, the bounds or the number of cases of a switch.
    pub(crate) operands: Vec<String>,
    /// Keys (or `default`) and targets of a switch.
    pub(crate) cases: Vec<(String, u32)>,
    pub(crate) comment: Comment,
}

#[derive(Debug, PartialEq)]
pub(crate) enum Comment {
    None,
    /// The bits of a `float`, however many digits were written.
    Float(u32),
    /// The bits of a `double`, however many digits were written.
    Double(u64),
    Text(String),
}

#[derive(Debug, PartialEq)]
pub(crate) struct ExceptionRow {
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) target: u32,
    pub(crate) caught: String,
}

#[derive(Debug, PartialEq)]
pub(crate) struct LineRow {
    pub(crate) line: u32,
    pub(crate) pc: u32,
}

#[derive(Debug, PartialEq)]
pub(crate) struct VariableRow {
    pub(crate) start: u32,
    pub(crate) length: u32,
    pub(crate) slot: u32,
    pub(crate) name: String,
    pub(crate) signature: String,
}

#[derive(Debug, Default, PartialEq)]
pub(crate) struct Frame {
    pub(crate) frame_type: u32,
    pub(crate) kind: String,
    pub(crate) delta: Option<u32>,
    pub(crate) locals: Option<Vec<String>>,
    pub(crate) stack: Option<Vec<String>>,
}

/// Attributes that `javap` knows and the specification does not.
const ATTRIBUTES_OF_THE_JDK: [&str; 3] = ["ModuleTarget", "ModuleHashes", "ModuleResolution"];

type Lines<'l, 't> = Peekable<Iter<'l, &'t str>>;

/// Cuts the listing of many classes into what stands behind `Classfile` and the lines of each class.
pub(crate) fn split(text: &str) -> Vec<(&str, Vec<&str>)> {
    let mut classes: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in text.split('\n').map(|line| line.trim_end_matches([' ', '\r'])) {
        if let Some(of) = line.strip_prefix("Classfile ") {
            classes.push((of, Vec::new()));
        } else if let Some((_, lines)) = classes.last_mut()
            && !line.is_empty()
        {
            lines.push(line);
        }
    }
    classes
}

/// Reads the lines of one class.
pub(crate) fn parse(lines: &[&str]) -> Parsed<Class> {
    let mut lines = lines.iter().peekable();
    let mut class = Class { header: parse_header(&mut lines), ..Class::default() };
    let this_class = class.header.iter().find(|line| line.starts_with("this_class:"));
    let this_class = this_class.and_then(|line| line.split_once("// ")).ok_or("no this_class")?.1;
    let java_name = this_class.replace('/', ".");
    while let Some(line) = lines.next_if(|line| **line != "{") {
        class.pool.push(line.trim().to_owned());
    }
    lines.next().ok_or("no members")?;
    while let Some(declaration) = lines.next_if(|line| **line != "}") {
        let member = parse_member(declaration, &java_name, &mut lines)
            .map_err(|problem| format!("{}: {problem}", declaration.trim()))?;
        let list = if member.descriptor.starts_with('(') { &mut class.methods } else { &mut class.fields };
        list.push(member);
    }
    lines.next().ok_or("no end of the members")?;
    class.attributes = parse_class_attributes(lines.copied());
    Ok(class)
}

fn parse_class_attributes<'t>(lines: impl Iterator<Item = &'t str>) -> Vec<String> {
    let mut attribute = "";
    let mut kept = Vec::new();
    for line in lines {
        let text = line.trim();
        if indentation(line) == 0 || text.ends_with("(unknown attribute)") {
            attribute = text.split(':').next().unwrap_or_default();
        }
        if ATTRIBUTES_OF_THE_JDK.contains(&attribute) {
            continue;
        }
        let is_component = attribute == "Record" && indentation(line) == 2;
        // The type of a component may be generic in one listing and not in the other.
        let text = if is_component { text.rsplit(' ').next().unwrap_or(text) } else { text };
        kept.push(single_spaced(text));
    }
    kept
}

fn parse_header(lines: &mut Lines<'_, '_>) -> Vec<String> {
    const KEPT: [&str; 6] =
        ["minor version:", "major version:", "flags:", "this_class:", "super_class:", "interfaces:"];
    let mut header = Vec::new();
    for line in lines.by_ref().take_while(|line| **line != "Constant pool:") {
        let line = line.trim();
        if KEPT.iter().any(|kept| line.starts_with(kept)) {
            // Not every version quotes odd names here. In the pool all do, and there they are compared.
            header.push(single_spaced(line).replace('"', ""));
        }
    }
    header
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

fn parse_member(declaration: &str, class: &str, lines: &mut Lines<'_, '_>) -> Parsed<Member> {
    if indentation(declaration) != 2 {
        return Err("not a declaration".to_owned());
    }
    let mut value = |what: &str| {
        let line = lines.next().and_then(|line| line.trim().strip_prefix(what));
        line.map(|value| value.trim().to_owned()).ok_or(format!("no {what}"))
    };
    let (descriptor, flags) = (value("descriptor:")?, value("flags:")?);
    let name = member_name(declaration.trim().trim_end_matches(';'), class);
    let mut member = Member { name, descriptor, flags, code: None, attributes: Vec::new() };
    while let Some(line) = lines.next_if(|line| indentation(line) >= 4) {
        if *line == "    Code:" {
            member.code = Some(parse_code(lines)?);
        } else {
            member.attributes.push(single_spaced(line.trim()));
        }
    }
    Ok(member)
}

/// The name of a member in a declaration, in the words of the JVM.
fn member_name(declaration: &str, class: &str) -> String {
    if declaration.ends_with("{}") {
        return "<clinit>".to_owned();
    }
    let before_parameters = declaration.split('(').next().unwrap_or(declaration);
    match before_parameters.rsplit(' ').next() {
        Some(name) if name == class && declaration.contains('(') => "<init>".to_owned(),
        name => name.unwrap_or_default().to_owned(),
    }
}

fn parse_code(lines: &mut Lines<'_, '_>) -> Parsed<Code> {
    let sizes = lines.next().ok_or("no sizes")?;
    let mut numbers = sizes.split(", ").map(|part| number(part.split('=').nth(1).unwrap_or_default()));
    let mut size = || numbers.next().unwrap_or_else(|| Err(format!("sizes: {sizes}")));
    let mut code = Code { max_stack: size()?, max_locals: size()?, args_size: size()?, ..Code::default() };
    while let Some(line) = lines.next_if(|line| is_instruction(line)) {
        code.instructions.push(parse_instruction(line, lines)?);
    }
    while let Some(section) = lines.next_if(|line| indentation(line) >= 6) {
        let mut rows = Vec::new();
        while let Some(row) = lines.next_if(|line| indentation(line) > 6) {
            rows.push(row.trim());
        }
        parse_section(section.trim(), &rows, &mut code)
            .map_err(|problem| format!("{}: {problem}", section.trim()))?;
    }
    Ok(code)
}

fn is_instruction(line: &str) -> bool {
    let pc = line.trim_start().split(':').next().unwrap_or_default();
    indentation(line) >= 6 && !pc.is_empty() && pc.bytes().all(|byte| byte.is_ascii_digit())
}

fn parse_instruction(line: &str, lines: &mut Lines<'_, '_>) -> Parsed<Instruction> {
    let (pc, rest) = line.trim().split_once(": ").ok_or_else(|| format!("instruction {line}"))?;
    let (mnemonic, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    let (operands, comment) = rest.split_once("//").unwrap_or((rest, ""));
    let mut instruction = Instruction {
        pc: number(pc)?,
        mnemonic: mnemonic.to_owned(),
        operands: operands.split([' ', ',']).filter(|part| !part.is_empty()).map(str::to_owned).collect(),
        cases: Vec::new(),
        comment: parse_comment(comment.strip_prefix(' ').unwrap_or(comment))?,
    };
    if operands.trim() == "{" {
        while let Some(case) = lines.next_if(|line| line.trim() != "}") {
            let (key, target) = case.trim().split_once(": ").ok_or_else(|| format!("case {case}"))?;
            instruction.cases.push((key.to_owned(), number(target)?));
        }
        lines.next().ok_or("no end of a switch")?;
    }
    Ok(instruction)
}

fn parse_comment(text: &str) -> Parsed<Comment> {
    let bad = |_| format!("comment {text}");
    if let Some(value) = text.strip_prefix("float ").and_then(|value| value.strip_suffix('f')) {
        return value.parse::<f32>().map(|value| Comment::Float(value.to_bits())).map_err(bad);
    }
    if let Some(value) = text.strip_prefix("double ").and_then(|value| value.strip_suffix('d')) {
        return value.parse::<f64>().map(|value| Comment::Double(value.to_bits())).map_err(bad);
    }
    Ok(if text.is_empty() { Comment::None } else { Comment::Text(text.to_owned()) })
}

/// One part of a body behind its instructions.
fn parse_section(name: &str, rows: &[&str], code: &mut Code) -> Parsed<()> {
    let without_title = rows.iter().skip(1);
    match name {
        "Exception table:" => {
            code.exceptions = without_title.map(|row| parse_exception(row)).collect::<Parsed<_>>()?;
        }
        // A body may have several of these.
        "LineNumberTable:" => {
            for row in rows {
                code.lines.push(parse_line(row)?);
            }
        }
        "LocalVariableTable:" => {
            for row in without_title {
                code.variables.push(parse_variable(row)?);
            }
        }
        "LocalVariableTypeTable:" => {
            for row in without_title {
                code.variable_types.push(parse_variable(row)?);
            }
        }
        name if name.starts_with("StackMapTable: number_of_entries") => {
            code.frames = parse_frames(rows)?;
            if name.rsplit(' ').next() != Some(code.frames.len().to_string().as_str()) {
                return Err(format!("{} frames were read", code.frames.len()));
            }
        }
        _ => {
            code.attributes.push(single_spaced(name));
            code.attributes.extend(rows.iter().map(|row| single_spaced(row)));
        }
    }
    Ok(())
}

fn parse_exception(row: &str) -> Parsed<ExceptionRow> {
    let (numbers, caught) = leading_numbers::<3>(row)?;
    let [from, to, target] = numbers;
    Ok(ExceptionRow { from, to, target, caught: caught.to_owned() })
}

fn parse_line(row: &str) -> Parsed<LineRow> {
    let row = row.strip_prefix("line ").ok_or_else(|| format!("line {row}"))?;
    let (line, pc) = row.split_once(": ").ok_or_else(|| format!("line {row}"))?;
    Ok(LineRow { line: number(line)?, pc: number(pc)? })
}

fn parse_variable(row: &str) -> Parsed<VariableRow> {
    let ([start, length, slot], rest) = leading_numbers::<3>(row)?;
    let (name, signature) = rest.split_once("   ").unwrap_or((rest, ""));
    Ok(VariableRow { start, length, slot, name: name.to_owned(), signature: signature.to_owned() })
}

fn parse_frames(rows: &[&str]) -> Parsed<Vec<Frame>> {
    let mut frames: Vec<Frame> = Vec::new();
    for row in rows {
        let (what, value) = row.split_once(" = ").ok_or_else(|| format!("frame {row}"))?;
        if what == "frame_type" {
            let (frame_type, kind) = value.split_once(' ').ok_or_else(|| format!("frame {row}"))?;
            let (frame_type, kind) = (number(frame_type)?, kind.to_owned());
            frames.push(Frame { frame_type, kind, ..Frame::default() });
            continue;
        }
        let frame = frames.last_mut().ok_or_else(|| format!("frame {row}"))?;
        match what {
            "offset_delta" => frame.delta = Some(number(value)?),
            "locals" => frame.locals = Some(parse_list(value)),
            "stack" => frame.stack = Some(parse_list(value)),
            _ => return Err(format!("frame {row}")),
        }
    }
    Ok(frames)
}

fn parse_list(value: &str) -> Vec<String> {
    let inner = value.trim_start_matches('[').trim_end_matches(']').trim();
    inner.split(", ").filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

/// Some numbers in front of a row, and the rest of it.
fn leading_numbers<const N: usize>(row: &str) -> Parsed<([u32; N], &str)> {
    let mut rest = row.trim();
    let mut numbers = [0; N];
    for slot in &mut numbers {
        let (first, tail) = rest.split_once(' ').unwrap_or((rest, ""));
        *slot = number(first)?;
        rest = tail.trim_start();
    }
    Ok((numbers, rest))
}

fn number(text: &str) -> Parsed<u32> {
    text.trim().parse().map_err(|_| format!("not a number: {text}"))
}

/// The line with one space in front of its comment, where columns may differ.
fn single_spaced(line: &str) -> String {
    match line.split_once("  //") {
        Some((text, comment)) => format!("{} //{comment}", text.trim_end()),
        None => line.to_owned(),
    }
}
