//! Methods written down for the tests of filters, without a compiler: a few instructions and what a filter must say.
//!
//! A text has an instruction on each line, as `javap` names them, with what it names in full: `aload 1`, `ifnull end`,
//! `invokevirtual a/B.m(I)V`, `getfield a/B.f I`, `ldc "text"`, `tableswitch default one two`. `name:` in front makes a
//! label, `line 7` starts a line, and `catch start end handler java/lang/Throwable` (or `any`) is an entry of the exception
//! table. A `-` in front of an instruction says that it must be ignored; all others must not be. Instructions are numbered
//! from 0 where merges and replacements name them.

use std::collections::HashMap;

use probity_classfile::ClassFile;
use probity_classfile::attribute::Attribute;
use probity_classfile::opcode::{Form, Opcode};
use probity_instrument::list::{CodeList, Node};

use super::body::{Body, INVISIBLE, VISIBLE};
use super::output::FilterOutput;

/// A method of a class, both as far as filters look at them.
pub(crate) struct TestMethod {
    text: String,
    class: String,
    super_class: String,
    class_access: u16,
    class_attributes: Vec<(&'static str, Content)>,
    name: String,
    descriptor: String,
    access: u16,
    attributes: Vec<(&'static str, Content)>,
}

/// What an attribute has in it.
enum Content {
    Nothing,
    Annotation(String),
    Name(String),
    Text(String),
}

/// Branches that stand in place of an instruction's own: what makes each of them taken, as instruction and branch.
pub(crate) type Branches = Vec<Vec<(usize, u32)>>;

/// What a filter says beside what it ignores.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) merges: Vec<(usize, usize)>,
    pub(crate) replacements: Vec<(usize, Branches)>,
}

/// A method `void m()` of a class `a/B`.
pub(crate) fn method(text: &str) -> TestMethod {
    TestMethod {
        text: text.to_owned(),
        class: "a/B".to_owned(),
        super_class: "java/lang/Object".to_owned(),
        class_access: 0,
        class_attributes: Vec::new(),
        name: "m".to_owned(),
        descriptor: "()V".to_owned(),
        access: 0,
        attributes: Vec::new(),
    }
}

impl TestMethod {
    pub(crate) fn of(mut self, class: &str, super_class: &str) -> Self {
        (self.class, self.super_class) = (class.to_owned(), super_class.to_owned());
        self
    }

    pub(crate) fn class_access(mut self, access: u16) -> Self {
        self.class_access = access;
        self
    }

    pub(crate) fn class_annotation(mut self, descriptor: &str) -> Self {
        self.class_attributes.push((VISIBLE, Content::Annotation(descriptor.to_owned())));
        self
    }

    pub(crate) fn class_attribute(mut self, name: &'static str) -> Self {
        self.class_attributes.push((name, Content::Nothing));
        self
    }

    pub(crate) fn source_file(mut self, name: &str) -> Self {
        self.class_attributes.push(("SourceFile", Content::Name(name.to_owned())));
        self
    }

    pub(crate) fn source_map(mut self, text: &str) -> Self {
        self.class_attributes.push(("SourceDebugExtension", Content::Text(text.to_owned())));
        self
    }

    pub(crate) fn named(mut self, name: &str, descriptor: &str) -> Self {
        (self.name, self.descriptor) = (name.to_owned(), descriptor.to_owned());
        self
    }

    pub(crate) fn access(mut self, access: u16) -> Self {
        self.access = access;
        self
    }

    pub(crate) fn visible(mut self, descriptor: &str) -> Self {
        self.attributes.push((VISIBLE, Content::Annotation(descriptor.to_owned())));
        self
    }

    pub(crate) fn invisible(mut self, descriptor: &str) -> Self {
        self.attributes.push((INVISIBLE, Content::Annotation(descriptor.to_owned())));
        self
    }

    /// Runs a filter, which must ignore what is marked and nothing else, and gives what it says beside that.
    pub(crate) fn check(&self, mut filter: impl FnMut(&Body<'_, '_, '_>, &mut FilterOutput)) -> Said {
        let lines = Assembly::of(&self.text);
        let bytes = self.class_file(&lines);
        let class = ClassFile::read(&bytes).expect("the class is well-formed");
        let facts = crate::class::class_facts(&class).expect("the class is understood");
        let method = &class.methods()[0];
        let code = method.attributes.find(class.pool(), "Code").expect("the method has code");
        let Ok(Attribute::Code(code)) = code.decode(class.pool()) else { panic!("the code is well-formed") };
        let mut list = CodeList::default();
        list.fill(&class, &code).expect("the body is well-formed");
        let body = Body::new(&facts, method, &list, &code).expect("the names are well-formed");
        let mut out = FilterOutput::default();
        out.start(body.len());
        filter(&body, &mut out);
        let is_instruction = |at: &usize| matches!(list.nodes()[*at], Node::Instruction(_));
        let instructions: Vec<usize> = (0..list.nodes().len()).filter(is_instruction).collect();
        lines.assert_ignored(&instructions.iter().map(|&at| out.is_ignored(at)).collect::<Vec<_>>());
        let number = |at: usize| instructions.iter().position(|&node| node == at).expect("an instruction");
        let branches = |taken_by: &[(usize, u32)]| taken_by.iter().map(|&(at, b)| (number(at), b)).collect();
        Said {
            merges: out.merges().iter().map(|&(first, second)| (number(first), number(second))).collect(),
            replacements: out
                .replacements()
                .iter()
                .map(|(at, replacement)| (number(*at), replacement.branches().map(branches).collect()))
                .collect(),
        }
    }

    /// As [`TestMethod::check`], for filters that must not merge or replace anything.
    pub(crate) fn check_ignored(&self, filter: impl FnMut(&Body<'_, '_, '_>, &mut FilterOutput)) {
        assert_eq!(self.check(filter), Said::default());
    }

    fn class_file(&self, assembly: &Assembly<'_>) -> Vec<u8> {
        let mut pool = Pool::default();
        let [this, parent] = [&self.class, &self.super_class].map(|name| pool.class(name));
        let mut code = Vec::new();
        assembly.code_attribute(&mut pool, &mut code);
        let mut attributes = vec![attribute(&mut pool, "Code", &code)];
        attributes.extend(self.attributes.iter().map(|(name, content)| content.attribute(&mut pool, name)));
        let mut rest = [self.class_access, this, parent, 0, 0, 1].map(u16::to_be_bytes).concat();
        let [name, descriptor] = [&self.name, &self.descriptor].map(|text| pool.utf8(text));
        rest.extend([self.access, name, descriptor, attributes.len() as u16].map(u16::to_be_bytes).concat());
        rest.extend(attributes.concat());
        let mut attributes: Vec<Vec<u8>> =
            self.class_attributes.iter().map(|(name, content)| content.attribute(&mut pool, name)).collect();
        if !pool.bootstrap_methods.is_empty() {
            let methods = pool.bootstrap_methods.clone();
            let entries = methods.iter().flat_map(|handle| [*handle, 0]);
            let content: Vec<u16> = std::iter::once(methods.len() as u16).chain(entries).collect();
            attributes.push(attribute(&mut pool, "BootstrapMethods", &big_endian(&content)));
        }
        rest.extend((attributes.len() as u16).to_be_bytes());
        rest.extend(attributes.concat());
        let mut bytes = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 52];
        bytes.extend((pool.count + 1).to_be_bytes());
        bytes.extend(pool.bytes);
        bytes.extend(rest);
        bytes
    }
}

fn big_endian(numbers: &[u16]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_be_bytes()).collect()
}

fn attribute(pool: &mut Pool, name: &str, content: &[u8]) -> Vec<u8> {
    let mut bytes = pool.utf8(name).to_be_bytes().to_vec();
    bytes.extend((content.len() as u32).to_be_bytes());
    bytes.extend(content);
    bytes
}

impl Content {
    fn attribute(&self, pool: &mut Pool, name: &str) -> Vec<u8> {
        let content = match self {
            Content::Nothing => Vec::new(),
            Content::Annotation(descriptor) => big_endian(&[1, pool.utf8(descriptor), 0]),
            Content::Name(text) => big_endian(&[pool.utf8(text)]),
            Content::Text(text) => text.clone().into_bytes(),
        };
        attribute(pool, name, &content)
    }
}

/// Constants as they are written.
#[derive(Default)]
struct Pool {
    bytes: Vec<u8>,
    count: u16,
    known: HashMap<Vec<u8>, u16>,
    bootstrap_methods: Vec<u16>,
}

impl Pool {
    fn add(&mut self, tag: u8, content: &[u8]) -> u16 {
        let entry = [&[tag], content].concat();
        if let Some(&index) = self.known.get(&entry) {
            return index;
        }
        self.bytes.extend(&entry);
        self.count += 1;
        self.known.insert(entry, self.count);
        self.count
    }

    fn utf8(&mut self, text: &str) -> u16 {
        let length = (text.len() as u16).to_be_bytes();
        self.add(1, &[&length, text.as_bytes()].concat())
    }

    fn class(&mut self, name: &str) -> u16 {
        let name = self.utf8(name);
        self.add(7, &name.to_be_bytes())
    }

    fn string(&mut self, text: &str) -> u16 {
        let text = self.utf8(text);
        self.add(8, &text.to_be_bytes())
    }

    fn name_and_type(&mut self, name: &str, descriptor: &str) -> u16 {
        let parts = [name, descriptor].map(|text| self.utf8(text));
        self.add(12, &big_endian(&parts))
    }

    /// `a/B.f I` or `a/B.m(I)V`.
    fn member(&mut self, text: &str, is_interface: bool) -> u16 {
        let (path, descriptor, is_method) = split_member(text);
        let (class, name) = path.rsplit_once('.').expect("a class and a name");
        let parts = [self.class(class), self.name_and_type(name, descriptor)];
        let tag = if !is_method {
            9
        } else if is_interface {
            11
        } else {
            10
        };
        self.add(tag, &big_endian(&parts))
    }

    /// `equals(La/B;)Z a/Factory.bootstrap`.
    fn dynamic_call(&mut self, text: &str) -> u16 {
        let (call, factory) = text.rsplit_once(' ').expect("a call and who links it");
        let (name, descriptor, _) = split_member(call);
        let factory = self.member(&format!("{factory}()V"), false);
        let handle = self.add(15, &[&[6], &factory.to_be_bytes()[..]].concat());
        self.bootstrap_methods.push(handle);
        let parts = [self.bootstrap_methods.len() as u16 - 1, self.name_and_type(name, descriptor)];
        self.add(18, &big_endian(&parts))
    }
}

/// Everything before the descriptor, the descriptor, and whether it is a method's.
fn split_member(text: &str) -> (&str, &str, bool) {
    match text.find('(') {
        Some(at) => (&text[..at], &text[at..], true),
        None => {
            let (path, descriptor) = text.split_once(' ').expect("a name and a descriptor");
            (path, descriptor, false)
        }
    }
}

/// A text that has been taken apart.
struct Assembly<'t> {
    instructions: Vec<Line<'t>>,
    labels: HashMap<&'t str, usize>,
    lines: Vec<(usize, u16)>,
    catches: Vec<Vec<&'t str>>,
}

struct Line<'t> {
    opcode: Opcode,
    operand: &'t str,
    is_marked: bool,
    text: &'t str,
}

impl<'t> Assembly<'t> {
    fn of(text: &'t str) -> Self {
        let mut assembly = Assembly {
            instructions: Vec::new(),
            labels: HashMap::new(),
            lines: Vec::new(),
            catches: Vec::new(),
        };
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            assembly.take(line);
        }
        assembly
    }

    fn take(&mut self, line: &'t str) {
        let unmarked = line.strip_prefix("- ");
        let mut rest = unmarked.unwrap_or(line).trim_start();
        let here = self.instructions.len();
        if let Some((label, behind)) = rest.split_once(':')
            && label.chars().all(char::is_alphanumeric)
        {
            self.labels.insert(label, here);
            rest = behind.trim_start();
        }
        let (word, operand) = rest.split_once(' ').unwrap_or((rest, ""));
        match word {
            "" => {}
            "line" => self.lines.push((here, operand.parse().expect("a line number"))),
            "catch" => self.catches.push(operand.split(' ').collect()),
            _ => {
                let opcode = (0..=255).map(Opcode).find(|opcode| opcode.mnemonic() == word);
                let opcode = opcode.unwrap_or_else(|| panic!("{word} is no instruction"));
                self.instructions.push(Line { opcode, operand, is_marked: unmarked.is_some(), text: line });
            }
        }
    }

    /// The code offset of each instruction, and behind the last one the end.
    fn offsets(&self) -> Vec<usize> {
        let mut offsets = vec![0];
        let mut at = 0;
        for line in &self.instructions {
            at += match line.opcode.form() {
                Form::Plain | Form::ImplicitLocal(_) => 1,
                Form::Byte | Form::Local | Form::Constant1 => 2,
                Form::Short | Form::Constant2 | Form::Jump2 => 3,
                Form::InterfaceCall | Form::DynamicCall => 5,
                Form::TableSwitch => padded(at) - at + 12 + 4 * (line.operand.split(' ').count() - 1),
                Form::LookupSwitch => padded(at) - at + 8 + 8 * (line.operand.split(' ').count() - 1),
                form => panic!("{form:?} is not supported"),
            };
            offsets.push(at);
        }
        offsets
    }

    fn label(&self, name: &str) -> usize {
        *self.labels.get(name).unwrap_or_else(|| panic!("there is no label {name}"))
    }

    fn code_attribute(&self, pool: &mut Pool, out: &mut Vec<u8>) {
        let offsets = self.offsets();
        let mut code = Vec::new();
        for line in &self.instructions {
            self.encode(line, &offsets, pool, &mut code);
        }
        out.extend(big_endian(&[9, 9]));
        out.extend((code.len() as u32).to_be_bytes());
        out.extend(&code);
        out.extend((self.catches.len() as u16).to_be_bytes());
        for entry in &self.catches {
            let [start, end, handler, class] = entry[..] else { panic!("{entry:?} is no entry") };
            let places = [start, end, handler].map(|label| offsets[self.label(label)] as u16);
            out.extend(big_endian(&places));
            out.extend(if class == "any" { 0 } else { pool.class(class) }.to_be_bytes());
        }
        let table = self.lines.iter().flat_map(|&(at, line)| [offsets[at] as u16, line]);
        let table: Vec<u16> = std::iter::once(self.lines.len() as u16).chain(table).collect();
        out.extend(1u16.to_be_bytes());
        out.extend(attribute(pool, "LineNumberTable", &big_endian(&table)));
    }

    fn encode(&self, line: &Line<'_>, offsets: &[usize], pool: &mut Pool, code: &mut Vec<u8>) {
        let Line { opcode, operand, .. } = line;
        let at = code.len();
        let distance = |label: &str| offsets[self.label(label)] as i32 - at as i32;
        code.push(opcode.0);
        match opcode.form() {
            Form::Byte | Form::Local => code.push(operand.parse().expect("a small number")),
            Form::Short => code.extend(operand.parse::<i16>().expect("a number").to_be_bytes()),
            Form::Constant1 => {
                let text = operand.trim_matches('"');
                code.push(if text == *operand { pool.class(text) } else { pool.string(text) } as u8);
            }
            Form::Constant2 if operand.contains(['.', '(']) => {
                code.extend(pool.member(operand, false).to_be_bytes());
            }
            Form::Constant2 => code.extend(pool.class(operand).to_be_bytes()),
            Form::Jump2 => code.extend((distance(operand) as i16).to_be_bytes()),
            Form::InterfaceCall => {
                code.extend(pool.member(operand, true).to_be_bytes());
                code.extend([1, 0]);
            }
            Form::DynamicCall => {
                code.extend(pool.dynamic_call(operand).to_be_bytes());
                code.extend([0, 0]);
            }
            Form::TableSwitch | Form::LookupSwitch => {
                code.resize(padded(at), 0);
                let is_table = opcode.form() == Form::TableSwitch;
                let mut labels = operand.split(' ').map(distance);
                code.extend(labels.next().expect("a default").to_be_bytes());
                let cases: Vec<i32> = labels.collect();
                let count = cases.len() as i32;
                let head = if is_table { vec![0, count - 1] } else { vec![count] };
                let keyed = (0..)
                    .zip(cases)
                    .flat_map(|(key, case)| if is_table { vec![case] } else { vec![key, case] });
                code.extend(head.into_iter().chain(keyed).flat_map(i32::to_be_bytes));
            }
            _ => {}
        }
    }

    fn assert_ignored(&self, ignored: &[bool]) {
        let marked: Vec<bool> = self.instructions.iter().map(|line| line.is_marked).collect();
        let listing = || {
            let lines = self.instructions.iter().zip(ignored);
            let lines = lines.map(|(line, ignored)| {
                format!("{} {}", if *ignored { "ignored" } else { "       " }, line.text)
            });
            lines.collect::<Vec<_>>().join("\n")
        };
        assert!(marked == ignored, "not what is marked:\n{}", listing());
    }
}

/// Where the numbers of a switch at a code offset start.
fn padded(at: usize) -> usize {
    (at + 4) & !3
}
