//! Compares two listings of the same class field by field and says where they differ.

use std::fmt::{Debug, Display};

use crate::listing::{Class, Code, Instruction, Member};

/// What was compared.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Counts {
    pub(crate) classes: usize,
    pub(crate) constants: usize,
    pub(crate) fields: usize,
    pub(crate) methods: usize,
    pub(crate) instructions: usize,
    pub(crate) constant_comments: usize,
    pub(crate) switches: usize,
    pub(crate) exceptions: usize,
    pub(crate) lines: usize,
    pub(crate) variables: usize,
    pub(crate) frames: usize,
    pub(crate) other_lines: usize,
    /// Operands that `javap` does not print.
    pub(crate) unprinted_operands: usize,
}

impl Counts {
    pub(crate) fn add(&mut self, other: &Self) {
        self.classes += other.classes;
        self.constants += other.constants;
        self.fields += other.fields;
        self.methods += other.methods;
        self.instructions += other.instructions;
        self.constant_comments += other.constant_comments;
        self.switches += other.switches;
        self.exceptions += other.exceptions;
        self.lines += other.lines;
        self.variables += other.variables;
        self.frames += other.frames;
        self.other_lines += other.other_lines;
        self.unprinted_operands += other.unprinted_operands;
    }
}

/// A comparison of one class.
#[derive(Debug)]
pub(crate) struct Comparison {
    /// The JDK whose `javap` is compared with.
    feature_version: u32,
    place: String,
    pub(crate) counts: Counts,
    pub(crate) mismatches: Vec<String>,
}

impl Comparison {
    pub(crate) fn new(feature_version: u32, class: &str) -> Self {
        let place = format!("JDK {feature_version}, {class}");
        Self { feature_version, place, counts: Counts::default(), mismatches: Vec::new() }
    }

    pub(crate) fn mismatch(&mut self, what: impl Display, javap: impl Debug, ours: impl Debug) {
        self.mismatches.push(format!("{}: {what}\n  javap: {javap:?}\n  ours:  {ours:?}", self.place));
    }

    fn field<T: PartialEq + Debug>(&mut self, what: impl Display, javap: &T, ours: &T) {
        if javap != ours {
            self.mismatch(what, javap, ours);
        }
    }

    /// Compares two lists; of rows that differ the first is shown.
    fn rows<T: PartialEq + Debug>(&mut self, what: &str, javap: &[T], ours: &[T]) {
        let differ = javap.iter().zip(ours).position(|(javap, ours)| javap != ours);
        if let Some(row) = differ {
            self.mismatch(format!("{what}, row {row}"), &javap[row], &ours[row]);
        }
        if javap.len() != ours.len() {
            let row = javap.len().min(ours.len());
            let what = format!("{what}, {} and {} rows", javap.len(), ours.len());
            self.mismatch(what, javap.get(row), ours.get(row));
        }
    }

    /// As [`Self::rows`] for lines as they are, in which numbers may have more digits than they need.
    fn texts(&mut self, what: &str, javap: &[String], ours: &[String]) {
        let (javap, ours): (Vec<_>, Vec<_>) =
            (javap.iter().map(|line| Text(line)).collect(), ours.iter().map(|line| Text(line)).collect());
        self.rows(what, &javap, &ours);
        self.counts.other_lines += javap.len();
    }

    pub(crate) fn class(&mut self, javap: &Class, ours: &Class) {
        self.texts("header", &javap.header, &ours.header);
        self.texts("constant pool", &javap.pool, &self.pool_as_javap_knows_it(&ours.pool));
        self.texts("attributes", &javap.attributes, &ours.attributes);
        self.members("field", &javap.fields, &ours.fields);
        self.members("method", &javap.methods, &ours.methods);
        self.counts.classes += 1;
        self.counts.constants += javap.pool.len();
        self.counts.fields += javap.fields.len();
        self.counts.methods += javap.methods.len();
    }

    /// Since Java 22, `javap` does not know the names of two kinds of constants.
    fn pool_as_javap_knows_it(&self, pool: &[String]) -> Vec<String> {
        let rename = |line: &String| match line.split_once(" = ") {
            Some((index, rest)) if rest.starts_with("Module ") || rest.starts_with("Package ") => {
                format!("{index} = {:<18}{}", "Unknown", &rest[18..])
            }
            _ => line.clone(),
        };
        if self.feature_version < 22 { pool.to_vec() } else { pool.iter().map(rename).collect() }
    }

    fn members(&mut self, what: &str, javap: &[Member], ours: &[Member]) {
        self.field(format!("number of {what}s"), &javap.len(), &ours.len());
        let class = self.place.clone();
        for (position, (javap, ours)) in javap.iter().zip(ours).enumerate() {
            self.place = format!("{class}, {what} {position}");
            self.field("name", &javap.name, &ours.name);
            self.field("descriptor", &javap.descriptor, &ours.descriptor);
            self.place = format!("{class}, {what} {}{}", javap.name, javap.descriptor);
            self.field("flags", &javap.flags, &ours.flags);
            self.texts("attributes", &javap.attributes, &ours.attributes);
            match (&javap.code, &ours.code) {
                (Some(javap), Some(ours)) => self.code(javap, ours),
                (None, None) => {}
                (javap, ours) => self.mismatch("has code", javap.is_some(), ours.is_some()),
            }
        }
        self.place = class;
    }

    fn code(&mut self, javap: &Code, ours: &Code) {
        self.field("max stack", &javap.max_stack, &ours.max_stack);
        self.field("max locals", &javap.max_locals, &ours.max_locals);
        self.field("args_size", &javap.args_size, &ours.args_size);
        self.instructions(&javap.instructions, &ours.instructions);
        self.rows("exception table", &javap.exceptions, &ours.exceptions);
        self.rows("line numbers", &javap.lines, &ours.lines);
        self.rows("local variables", &javap.variables, &ours.variables);
        self.rows("local variable types", &javap.variable_types, &ours.variable_types);
        self.rows("stack map frames", &javap.frames, &ours.frames);
        self.texts("attributes of the code", &javap.attributes, &ours.attributes);
        self.counts.exceptions += javap.exceptions.len();
        self.counts.lines += javap.lines.len();
        self.counts.variables += javap.variables.len() + javap.variable_types.len();
        self.counts.frames += javap.frames.len();
    }

    fn instructions(&mut self, javap: &[Instruction], ours: &[Instruction]) {
        self.field("number of instructions", &javap.len(), &ours.len());
        for (javap, ours) in javap.iter().zip(ours) {
            let at = |what: &str| format!("{what} of {} at {}", ours.mnemonic, ours.pc);
            self.field(at("offset"), &javap.pc, &ours.pc);
            self.field(at("mnemonic"), &javap.mnemonic, &ours.mnemonic);
            if self.is_unprinted_operand(javap) {
                self.counts.unprinted_operands += 1;
            } else {
                self.field(at("operands"), &javap.operands, &ours.operands);
            }
            self.field(at("cases"), &javap.cases, &ours.cases);
            self.field(at("constant"), &javap.comment, &ours.comment);
            self.counts.constant_comments +=
                usize::from(ours.operands.iter().any(|one| one.starts_with('#')));
            self.counts.switches += usize::from(!javap.cases.is_empty());
        }
        self.counts.instructions += javap.len();
    }

    /// Since Java 22, `javap` leaves out the operands of the instructions for subroutines.
    fn is_unprinted_operand(&self, javap: &Instruction) -> bool {
        self.feature_version >= 22
            && javap.operands.is_empty()
            && matches!(javap.mnemonic.as_str(), "jsr" | "jsr_w" | "ret" | "ret_w")
    }
}

/// A line that equals another if it differs only in how a floating point number is written.
struct Text<'t>(&'t str);

impl Debug for Text<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        Debug::fmt(self.0, f)
    }
}

impl PartialEq for Text<'_> {
    fn eq(&self, other: &Self) -> bool {
        let parts =
            |text: &'_ str| text.split([' ', ',', '=', '[', ']']).map(str::to_owned).collect::<Vec<_>>();
        self.0 == other.0 || {
            let (one, other) = (parts(self.0), parts(other.0));
            one.len() == other.len() && one.iter().zip(&other).all(|(a, b)| a == b || same_number(a, b))
        }
    }
}

fn same_number(one: &str, other: &str) -> bool {
    let float = |text: &str| text.strip_suffix('f').and_then(|digits| digits.parse().ok()).map(f32::to_bits);
    let double = |text: &str| text.strip_suffix('d').and_then(|digits| digits.parse().ok()).map(f64::to_bits);
    (float(one).is_some() && float(one) == float(other))
        || (double(one).is_some() && double(one) == double(other))
}
