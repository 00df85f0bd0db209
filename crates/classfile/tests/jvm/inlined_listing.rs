//! Bodies with inlined subroutines as text, and the same text as ASM's inliner makes it.
//!
//! The text has everything that inlining decides: the order of labels, lines and instructions, the label that each jump
//! names, exception table and variables. Nothing of it may come from the other side.

use std::collections::HashMap;
use std::fmt;
use std::path::PathBuf;

use probity_classfile::attribute::Attribute;
use probity_classfile::edit::{ClassEditor, EditError};
use probity_classfile::instruction::{Instruction, Operand};
use probity_classfile::opcode::{Flow, Opcode};
use probity_classfile::pool::{Constant, ConstantPool};
use probity_classfile::subroutine::{InlinedBody, Item, Label, inline_subroutines};
use probity_classfile::{ClassFile, Member};
use probity_test_support::java::{Compilation, Program};
use probity_test_support::tools;
use probity_toolchain::Jdk;

/// What ASM says about the methods with subroutines of some jars and class files.
pub(crate) fn asm_listing(jdk: &Jdk, files: &[PathBuf]) -> Result<String, String> {
    let asm = tools::asm_class_path().map_err(|error| error.to_string())?;
    let source = include_str!("DumpInlined.java");
    let program = Compilation::with(jdk).class_path(&asm).source("DumpInlined.java", source).compile();
    let program = program.map_err(|error| error.to_string())?;
    let mut run = Program::with(jdk, "DumpInlined").class_path(asm).class_path([program.folder()]);
    for file in files {
        run = run.argument(file);
    }
    Ok(run.run_successfully().map_err(|error| error.to_string())?.stdout)
}

/// What stands in the place of the list of a method whose subroutines cannot be inlined.
pub(crate) const REFUSED: &str = "refused";

/// Something that a list cannot be made of, or two views of a body that do not agree.
#[derive(Debug)]
enum Problem {
    Class(probity_classfile::Error),
    Disagreement(&'static str),
}

impl From<probity_classfile::Error> for Problem {
    fn from(error: probity_classfile::Error) -> Self {
        Problem::Class(error)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Class(error) => error.fmt(f),
            Problem::Disagreement(what) => f.write_str(what),
        }
    }
}

/// A method with subroutines, listed by this crate.
#[derive(Debug)]
pub(crate) struct ListedMethod {
    pub(crate) title: String,
    /// Labels, lines, instructions and exception table.
    pub(crate) text: String,
    /// Local variables, by code offset.
    variables: Vec<String>,
    /// The code offset of each label by its number.
    label_pcs: Vec<u32>,
}

/// What this crate says about the methods with subroutines of a class.
pub(crate) fn own_listing(bytes: &[u8]) -> Result<Vec<ListedMethod>, String> {
    let class = ClassFile::read(bytes).map_err(|error| error.to_string())?;
    let mut listed = Vec::new();
    for method in class.methods() {
        let found = list_method(&class, method).map_err(|problem| {
            let name = class.pool().utf8(method.name).map_or("?".to_owned(), |name| name.to_string());
            format!("{name}: {problem}")
        })?;
        listed.extend(found);
    }
    Ok(listed)
}

/// Lists a method if it has subroutines.
fn list_method(class: &ClassFile<'_>, method: &Member<'_>) -> Result<Option<ListedMethod>, Problem> {
    let Some(code) = class.code(method)? else { return Ok(None) };
    let mut calls = false;
    for instruction in code.instructions() {
        calls |= instruction?.flow() == Flow::Call;
    }
    if !calls {
        return Ok(None);
    }
    let pool = class.pool();
    let (name, descriptor) = (pool.utf8(method.name)?, pool.utf8(method.descriptor)?);
    let title = format!("{}.{name}{descriptor}", class.name()?);
    let without_list = |text: &str| ListedMethod {
        title: title.clone(),
        text: format!("{text}\n"),
        variables: Vec::new(),
        label_pcs: Vec::new(),
    };
    match inline_subroutines(class, &code) {
        Ok(Some(body)) => Lister::new(pool, &body).list(title).map(Some),
        Ok(None) => Ok(Some(without_list("nothing to inline"))),
        Err(_) => Ok(Some(without_list(REFUSED))),
    }
}

/// Compares methods with what ASM says about them; returns what is different.
pub(crate) fn differences(own: &[ListedMethod], asm: &str) -> Vec<String> {
    let asm = format!("\n{asm}");
    let asm: Vec<(&str, &str)> = asm
        .split("\nmethod ")
        .skip(1)
        .map(|method| method.split_once('\n').unwrap_or((method, "")))
        .collect();
    let titles = |own: &ListedMethod, asm: &(&str, &str)| own.title == asm.0;
    if own.len() != asm.len() || !own.iter().zip(&asm).all(|(own, asm)| titles(own, asm)) {
        return vec![format!("{} methods have subroutines, {} do for ASM", own.len(), asm.len())];
    }
    let compared = own.iter().zip(&asm).filter_map(|(own, (title, asm))| {
        let (variables, text): (Vec<&str>, Vec<&str>) =
            asm.lines().partition(|line| line.starts_with("variable "));
        let variables: Vec<String> =
            variables.iter().map(|line| by_code_offset(line, &own.label_pcs)).collect();
        let same = own.text.lines().eq(text) && own.variables == variables;
        (!same).then(|| format!("{title}\n{}{:?}\nASM:\n{asm}", own.text, own.variables))
    });
    compared.collect()
}

/// A line about a variable with code offsets in the place of labels.
fn by_code_offset(line: &str, label_pcs: &[u32]) -> String {
    let words = line.split(' ').enumerate().map(|(position, word)| match word.strip_prefix('L') {
        Some(number) if position < 3 => {
            let pc = number.parse().ok().and_then(|number: usize| label_pcs.get(number));
            pc.map_or("nowhere".to_owned(), u32::to_string)
        }
        _ => word.to_owned(),
    });
    words.collect::<Vec<String>>().join(" ")
}

/// The class with all subroutines inlined, and how many bodies had some.
pub(crate) fn inline_all(bytes: &[u8]) -> Result<(Vec<u8>, usize), EditError> {
    let class = ClassFile::read(bytes)?;
    let mut editor = ClassEditor::new(&class);
    let mut inlined = 0;
    for method in class.methods() {
        let Some(code) = class.code(method)? else { continue };
        if let Some(body) = inline_subroutines(&class, &code)? {
            inlined += 1;
            editor.replace_code(method, |_, out| {
                out.extend(body.contents());
                Ok(())
            })?;
        }
    }
    Ok((editor.finish(), inlined))
}

struct Lister<'l, 'a> {
    pool: &'l ConstantPool<'a>,
    body: &'l InlinedBody,
    numbers: HashMap<Label, usize>,
}

impl<'l, 'a> Lister<'l, 'a> {
    fn new(pool: &'l ConstantPool<'a>, body: &'l InlinedBody) -> Self {
        let labels = body.items().iter().filter_map(|item| match item {
            Item::Label(label) => Some(*label),
            _ => None,
        });
        let numbers = labels.enumerate().map(|(number, label)| (label, number)).collect();
        Self { pool, body, numbers }
    }

    /// The name of a label; every label must stand in the list.
    fn at(&self, label: Label) -> String {
        self.numbers.get(&label).map_or("nowhere".to_owned(), |number| format!("L{number}"))
    }

    fn list(&self, title: String) -> Result<ListedMethod, Problem> {
        let mut text = String::new();
        let code = self.body.code()?;
        let mut instructions = code.instructions();
        for item in self.body.items() {
            let line = match item {
                Item::Label(label) => self.at(*label),
                Item::Line { label, line } => format!("line {line} {}", self.at(*label)),
                Item::Instruction { pc, targets, .. } => {
                    let instruction = instructions.next().transpose()?.filter(|found| found.pc == *pc);
                    let instruction =
                        instruction.ok_or(Problem::Disagreement("an item is not in the code"))?;
                    let targets = self.body.targets(targets.clone());
                    if !instruction.targets().eq(targets.iter().map(|&label| self.body.label_pc(label))) {
                        return Err(Problem::Disagreement("the code leads elsewhere than the items"));
                    }
                    self.shown(&instruction, targets)?
                }
            };
            text.push_str(line.trim_end());
            text.push('\n');
        }
        if instructions.next().is_some() {
            return Err(Problem::Disagreement("the code has more than the items"));
        }
        for entry in self.body.exceptions() {
            let caught = self.pool.optional_class_name(entry.catch_type)?;
            let caught = caught.map_or("null".to_owned(), |name| name.to_string());
            let (start, end, handler) = (self.at(entry.start), self.at(entry.end), self.at(entry.handler));
            text += &format!("catch {start} {end} {handler} {caught}\n");
        }
        Ok(ListedMethod { title, text, variables: self.variables()?, label_pcs: self.label_pcs() })
    }

    fn label_pcs(&self) -> Vec<u32> {
        let labels = self.body.items().iter().filter_map(|item| match item {
            Item::Label(label) => Some(self.body.label_pc(*label)),
            _ => None,
        });
        labels.collect()
    }

    fn variables(&self) -> Result<Vec<String>, Problem> {
        let mut lines = Vec::new();
        for attribute in self.body.code()?.attributes.iter() {
            let Attribute::LocalVariableTable(table) = attribute.decode(self.pool)? else { continue };
            for variable in table.iter() {
                let end = u32::from(variable.start_pc) + u32::from(variable.length);
                let (name, descriptor) =
                    (self.pool.utf8(variable.name)?, self.pool.utf8(variable.descriptor)?);
                lines.push(format!(
                    "variable {} {end} {} {name} {descriptor}",
                    variable.start_pc, variable.index
                ));
            }
        }
        Ok(lines)
    }

    fn shown(&self, instruction: &Instruction<'_>, targets: &[Label]) -> Result<String, Problem> {
        let opcode = normalised(instruction.opcode);
        let mut labels = targets.iter().map(|&label| self.at(label));
        let operands = match instruction.operand {
            Operand::None => instruction.local().map_or(String::new(), |local| local.to_string()),
            Operand::Number(number) => number.to_string(),
            Operand::Local(local) => local.to_string(),
            Operand::Increment { local, by } => format!("{local} {by}"),
            Operand::Constant(index) | Operand::InterfaceCall { method: index, .. } => {
                self.constant(index)?
            }
            Operand::ArrayType(code) => code.to_string(),
            Operand::MultiArray { class, dimensions } => {
                format!("{} {dimensions}", self.pool.class_name(class)?)
            }
            Operand::Jump(_) => labels.next().unwrap_or_default(),
            Operand::Switch(switch) => {
                let default = labels.next().unwrap_or_default();
                let cases = switch.cases().zip(labels);
                cases.fold(default, |text, ((key, _), label)| format!("{text} {key}:{label}"))
            }
        };
        let is_load = opcode == Opcode::LDC.0;
        Ok(format!("{opcode} {}{operands}", if is_load { self.load_prefix(instruction)? } else { "" }))
    }

    fn load_prefix(&self, instruction: &Instruction<'_>) -> Result<&'static str, Problem> {
        let index = instruction.constant().unwrap_or(0);
        Ok(match self.pool.get(index)? {
            Constant::Class { .. } => "C",
            _ => "",
        })
    }

    fn constant(&self, index: u16) -> Result<String, Problem> {
        Ok(match self.pool.get(index)? {
            Constant::Class { .. } => self.pool.class_name(index)?.to_string(),
            Constant::Integer(number) => format!("I{number}"),
            Constant::Long(number) => format!("J{number}"),
            Constant::Float(bits) => format!("F{bits}"),
            Constant::Double(bits) => format!("D{bits}"),
            Constant::String { value } => {
                let bytes = self.pool.utf8(value)?.as_bytes().iter();
                bytes.fold("S".to_owned(), |text, byte| format!("{text}{byte:02x}"))
            }
            _ => {
                let member = self.pool.member(index)?;
                format!("{}.{}:{}", member.class, member.name, member.descriptor)
            }
        })
    }
}

/// The opcode that ASM has for all forms of an instruction.
fn normalised(opcode: Opcode) -> u8 {
    match opcode.0 {
        load @ 26..=45 => 21 + (load - 26) / 4,
        store @ 59..=78 => 54 + (store - 59) / 4,
        19 | 20 => Opcode::LDC.0,
        200 => Opcode::GOTO.0,
        201 => Opcode::JSR.0,
        other => other,
    }
}
