//! Damages class files: blindly, and with knowledge of where counts, lengths, indexes and instructions are.
//!
//! The second is what gets deep: most blind damage is noticed by the first check. What comes out depends on the random
//! numbers alone. Nothing here judges.

use fastrand::Rng;
use probity_classfile::ClassFile;
use probity_classfile::edit::ClassEditor;
use probity_classfile::opcode::{Form, Opcode};
use probity_classfile::pool::tag;

use crate::places::Places;

/// Numbers at which things tend to break.
const INTERESTING: [u32; 18] = [
    0,
    1,
    2,
    3,
    7,
    8,
    63,
    64,
    0x7F,
    0x80,
    0xFF,
    0x100,
    0x7FFF,
    0x8000,
    0xFFFF,
    0x1_0000,
    0x7FFF_FFFF,
    0xFFFF_FFFF,
];

/// The longest class file that damage may lead to.
const MAX_LENGTH: usize = 1 << 18;

/// How strong the damage is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strength {
    /// One or two changes of single values; a JVM accepts many of the results.
    Light,
    /// Anything, also many changes and large pieces.
    Heavy,
}

/// Makes damaged input.
pub trait Damager: Sync {
    /// Something damaged; it depends on the random numbers alone.
    fn damaged(&self, strength: Strength, rng: &mut Rng) -> Vec<u8>;
}

impl Damager for Mutator {
    fn damaged(&self, strength: Strength, rng: &mut Rng) -> Vec<u8> {
        self.mutate(strength, rng)
    }
}

/// Real classes and what is known of them.
#[derive(Debug)]
pub struct Mutator {
    seeds: Vec<(Vec<u8>, Places)>,
}

impl Mutator {
    /// Damages these classes. Those that are damaged already are left out.
    #[must_use]
    pub fn new(seeds: Vec<Vec<u8>>) -> Self {
        let whole = seeds.into_iter().filter_map(|bytes| {
            let places = Places::of(&bytes).ok()?;
            Some((bytes, places))
        });
        Self { seeds: whole.collect() }
    }

    /// How many classes there are.
    #[must_use]
    pub fn seeds(&self) -> usize {
        self.seeds.len()
    }

    /// A damaged class.
    #[must_use]
    pub fn mutate(&self, strength: Strength, rng: &mut Rng) -> Vec<u8> {
        let Some((seed, places)) = rng.choice(&self.seeds) else { return Vec::new() };
        let mut bytes = seed.clone();
        match strength {
            Strength::Light => {
                for _ in 0..=usize::from(rng.u8(..4) == 0) {
                    self.change_value(&mut bytes, places, rng);
                }
            }
            Strength::Heavy => {
                // Most damage is small, or nothing but the first check would ever be reached.
                for _ in 0..rng.choice([1, 1, 1, 2, 2, 3, 8]).unwrap_or(1) {
                    if rng.u8(..4) == 0 {
                        self.change_structure(&mut bytes, places, rng);
                    } else {
                        self.change_value(&mut bytes, places, rng);
                    }
                }
            }
        }
        bytes.truncate(MAX_LENGTH);
        bytes
    }

    /// Changes something without moving anything.
    fn change_value(&self, bytes: &mut [u8], places: &Places, rng: &mut Rng) {
        match rng.u8(..11) {
            0 => {
                let at = rng.usize(..bytes.len().max(1));
                change(bytes, at, |byte: [u8; 1]| [byte[0] ^ 1 << rng.u8(..8)]);
            }
            1 => set_byte(bytes, rng.usize(..bytes.len().max(1)), rng.u8(..)),
            2 => change_number(bytes, rng.usize(..bytes.len().max(1)), rng),
            3 => change_length(bytes, rng.choice(&places.lengths).copied(), rng),
            4 => change_constant(bytes, places, rng),
            5 | 6 => {
                if let Some(&at) = rng.choice(&places.numbers) {
                    change_number(bytes, at, rng);
                }
            }
            7 => {
                // Another constant in the place of one.
                if let (Some(&at), Some(constant)) =
                    (rng.choice(&places.numbers), rng.choice(&places.constants))
                {
                    change(bytes, at, |_| constant.index.to_be_bytes());
                }
            }
            8 => rename_attribute(bytes, places, rng),
            _ => change_instruction(bytes, places, rng),
        }
    }

    /// Moves, adds or takes away bytes.
    fn change_structure(&self, bytes: &mut Vec<u8>, places: &Places, rng: &mut Rng) {
        match rng.u8(..8) {
            0 => bytes.truncate(rng.usize(..=bytes.len())),
            1 => bytes.extend(std::iter::repeat_with(|| rng.u8(..)).take(8)),
            2 => self.splice(bytes, rng),
            3 => {
                let range = random_range(bytes.len(), rng);
                bytes.drain(range);
            }
            4 => {
                let range = random_range(bytes.len(), rng);
                let copy = bytes.get(range.clone()).unwrap_or_default().to_vec();
                bytes.splice(range.start..range.start, copy);
            }
            5 => double_attribute(bytes, places, rng),
            6 => nest_annotations(bytes, rng),
            _ => add_huge_table(bytes, rng),
        }
    }

    /// A piece of another class in the place of a piece of this one.
    fn splice(&self, bytes: &mut Vec<u8>, rng: &mut Rng) {
        let Some((other, places)) = rng.choice(&self.seeds) else { return };
        let piece = match rng.choice(&places.attributes) {
            Some(&(start, end)) if rng.bool() => start..end,
            _ => random_range(other.len(), rng),
        };
        let replaced = random_range(bytes.len(), rng);
        bytes.splice(replaced, other.get(piece).unwrap_or_default().iter().copied());
    }
}

fn random_range(length: usize, rng: &mut Rng) -> std::ops::Range<usize> {
    let start = rng.usize(..=length);
    start..(start + rng.usize(..64)).min(length)
}

fn change<const N: usize>(bytes: &mut [u8], at: usize, new: impl FnOnce([u8; N]) -> [u8; N]) {
    if let Some(place) = bytes.get_mut(at..).and_then(|rest| rest.first_chunk_mut::<N>()) {
        *place = new(*place);
    }
}

fn set_byte(bytes: &mut [u8], at: usize, value: u8) {
    change(bytes, at, |_| [value]);
}

fn interesting(rng: &mut Rng) -> u32 {
    rng.choice(INTERESTING).unwrap_or(0)
}

/// Changes a two-byte number a little, or to one at which things break.
fn change_number(bytes: &mut [u8], at: usize, rng: &mut Rng) {
    change(bytes, at, |old| {
        let old = u16::from_be_bytes(old);
        let new = match rng.u8(..4) {
            0 => interesting(rng) as u16,
            1 => rng.u16(..),
            2 => old.wrapping_add(1),
            _ => old.wrapping_sub(1),
        };
        new.to_be_bytes()
    });
}

fn change_length(bytes: &mut [u8], at: Option<usize>, rng: &mut Rng) {
    let Some(at) = at else { return };
    change(bytes, at, |old| {
        let old = u32::from_be_bytes(old);
        let new = match rng.u8(..3) {
            0 => interesting(rng),
            1 => old.wrapping_add(rng.u32(1..16)),
            _ => old.wrapping_sub(rng.u32(1..16)),
        };
        new.to_be_bytes()
    });
}

/// Another tag, another index, or other text.
fn change_constant(bytes: &mut [u8], places: &Places, rng: &mut Rng) {
    let (Some(constant), Some(other)) = (rng.choice(&places.constants), rng.choice(&places.constants)) else {
        return;
    };
    match rng.u8(..3) {
        0 => set_byte(bytes, constant.offset, if rng.bool() { other.tag } else { rng.u8(..21) }),
        1 if constant.tag == tag::UTF8 => {
            set_byte(bytes, constant.offset + 3 + rng.usize(..16), rng.u8(..));
        }
        _ => {
            let at = constant.offset + 1 + 2 * rng.usize(..2);
            change(bytes, at, |_| other.index.to_be_bytes());
        }
    }
}

/// The name of another attribute for the contents of one.
fn rename_attribute(bytes: &mut [u8], places: &Places, rng: &mut Rng) {
    let (Some(&(start, _)), Some(&(other, _))) =
        (rng.choice(&places.attributes), rng.choice(&places.attributes))
    else {
        return;
    };
    if let Some(&name) = bytes.get(other..).and_then(|rest| rest.first_chunk::<2>()) {
        change(bytes, start, |_| name);
    }
}

/// Another opcode, mostly of the same form, another constant, another target, or another operand.
fn change_instruction(bytes: &mut [u8], places: &Places, rng: &mut Rng) {
    let Some(&instruction) = rng.choice(&places.instructions) else { return };
    let offset = instruction.offset;
    match (rng.u8(..4), instruction.form) {
        (0, _) => set_byte(bytes, offset, rng.u8(..)),
        (1, form) => {
            let same_form = (0..=u8::MAX).filter(|&byte| Opcode(byte).form() == form).collect::<Vec<u8>>();
            set_byte(bytes, offset, rng.choice(same_form).unwrap_or(0));
        }
        (_, Form::Constant2 | Form::InterfaceCall | Form::DynamicCall) => {
            if let Some(other) = rng.choice(&places.constants) {
                change(bytes, offset + 1, |_| other.index.to_be_bytes());
            }
        }
        (_, Form::Jump2) => {
            let same_body = |other: &&crate::places::Instruction| other.code == instruction.code;
            let targets: Vec<usize> =
                places.instructions.iter().filter(same_body).map(|other| other.offset).collect();
            if let Some(target) = rng.choice(targets) {
                let way = target.wrapping_sub(offset) as u16;
                change(bytes, offset + 1, |_| way.to_be_bytes());
            }
        }
        _ if instruction.length > 1 => set_byte(bytes, offset + rng.usize(1..instruction.length), rng.u8(..)),
        _ => set_byte(bytes, offset, Opcode::NOP.0),
    }
}

/// An attribute twice, with the count as it was, so that everything behind it moves.
fn double_attribute(bytes: &mut Vec<u8>, places: &Places, rng: &mut Rng) {
    let Some(&(start, end)) = rng.choice(&places.attributes) else { return };
    let copy = bytes.get(start..end).unwrap_or_default().to_vec();
    let at = start.min(bytes.len());
    bytes.splice(at..at, copy);
}

/// Adds an attribute to the class; nothing happens to a class that is damaged too much.
fn add_attribute(bytes: &mut Vec<u8>, name: &str, info: &[u8]) {
    let Ok(class) = ClassFile::read(bytes) else { return };
    let mut editor = ClassEditor::new(&class);
    let Ok(name) = editor.pool().text(name) else { return };
    let from_the_end = bytes.len() + 2 - class.attributes().offset() as usize;
    let mut changed = editor.finish();
    let count_at = changed.len().saturating_sub(from_the_end);
    change(&mut changed, count_at, |count| u16::from_be_bytes(count).wrapping_add(1).to_be_bytes());
    changed.extend(name.to_be_bytes());
    changed.extend((info.len() as u32).to_be_bytes());
    changed.extend(info);
    *bytes = changed;
}

/// Annotations inside arrays inside annotations, deeper than any stack would like.
fn nest_annotations(bytes: &mut Vec<u8>, rng: &mut Rng) {
    let depth = if rng.u8(..16) == 0 { rng.usize(1..20_000) } else { rng.usize(1..600) };
    // One annotation with one element.
    let mut info = vec![0, 1, 0, 1, 0, 1, 0, 1];
    for _ in 0..depth {
        match rng.u8(..4) {
            0 => info.extend([b'@', 0, 1, 0, 1, 0, 1]),
            _ => info.extend([b'[', 0, 1]),
        }
    }
    info.extend([b'I', 0, 1]);
    let names = ["RuntimeVisibleAnnotations", "RuntimeInvisibleAnnotations", "AnnotationDefault"];
    add_attribute(bytes, rng.choice(names).unwrap_or_default(), &info);
}

/// A table with a large count, with or without the rows.
fn add_huge_table(bytes: &mut Vec<u8>, rng: &mut Rng) {
    let names = [
        "InnerClasses",
        "BootstrapMethods",
        "NestMembers",
        "PermittedSubclasses",
        "Record",
        "Module",
        "ModulePackages",
        "RuntimeVisibleAnnotations",
        "RuntimeVisibleTypeAnnotations",
        "SourceDebugExtension",
    ];
    let count = if rng.bool() { u16::MAX } else { rng.u16(..) };
    let mut info = count.to_be_bytes().to_vec();
    let rows = if rng.u8(..16) == 0 { rng.usize(..30_000) } else { rng.usize(..1_000) };
    let filler = if rng.bool() { 0 } else { rng.u8(..) };
    info.extend(std::iter::repeat_n([0, filler], rows).flatten());
    add_attribute(bytes, rng.choice(names).unwrap_or_default(), &info);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The smallest class that has a body: `class A { static void m() {} }`, with little else.
    fn small_class() -> Vec<u8> {
        let mut class = vec![0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 48, 0, 8];
        for text in ["A", "java/lang/Object", "m", "()V", "Code"] {
            class.extend([tag::UTF8, 0, text.len() as u8]);
            class.extend(text.as_bytes());
        }
        class.extend([tag::CLASS, 0, 1, tag::CLASS, 0, 2]);
        class.extend([0, 0x20, 0, 6, 0, 7, 0, 0, 0, 0, 0, 1]);
        class.extend([0, 8, 0, 3, 0, 4, 0, 1, 0, 5, 0, 0, 0, 13]);
        class.extend([0, 0, 0, 0, 0, 0, 0, 1, Opcode::RETURN.0, 0, 0, 0, 0]);
        class.extend([0, 0]);
        class
    }

    fn damaged(strength: Strength, seed: u64) -> Vec<Vec<u8>> {
        let mutator = Mutator::new(vec![small_class(), b"no class".to_vec()]);
        assert_eq!(mutator.seeds(), 1, "what is no class is left out");
        let mut rng = Rng::with_seed(seed);
        (0..500).map(|_| mutator.mutate(strength, &mut rng)).collect()
    }

    #[test]
    fn damage_depends_on_the_random_numbers_alone() {
        for strength in [Strength::Light, Strength::Heavy] {
            assert_eq!(damaged(strength, 1), damaged(strength, 1));
            assert_ne!(damaged(strength, 1), damaged(strength, 2));
        }
    }

    #[test]
    fn light_damage_moves_nothing_and_heavy_damage_does() {
        let length = small_class().len();
        assert!(damaged(Strength::Light, 3).iter().all(|class| class.len() == length));
        let heavy = damaged(Strength::Heavy, 3);
        assert!(heavy.iter().any(|class| class.len() < length));
        assert!(heavy.iter().any(|class| class.len() > 1_000), "nested annotations and huge tables");
    }

    #[test]
    fn an_added_attribute_leaves_the_class_whole() {
        let mut class = small_class();
        add_attribute(&mut class, "SourceFile", &[0, 1]);
        let class = ClassFile::read(&class).expect("a class");
        let attribute = class.attributes().find(class.pool(), "SourceFile").expect("the attribute");
        assert_eq!(attribute.info, [0, 1]);
    }
}
