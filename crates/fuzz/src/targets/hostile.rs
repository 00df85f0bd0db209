//! Nothing that a file holds may do harm: no panic, no endless work, no output out of proportion.
//!
//! The judge of panics and of endless work is the runner; this target goes through everything that looks at a class and
//! judges the sizes.

use fastrand::Rng;
use probity_classfile::attribute::{Attribute, Code};
use probity_classfile::frame::states_behind;
use probity_classfile::subroutine::inline_subroutines;
use probity_classfile::{ClassFile, Member, print, reencode};

use super::{Verdict, fingerprint};
use crate::insertions::Insertions;

/// How many bytes of listing a byte of class file may bring. The listing promises to be linear.
const LISTING_FACTOR: usize = 1024;
/// What may be added to any output of a small class.
const SMALL: usize = 4 << 20;
/// How large a body can be with all of its tables, at the most.
const BODY_BOUND: usize = 4 << 20;

/// Behind one instruction in so many the state is asked for.
const WANTED_STATE_STEP: usize = 5;

/// Goes through everything that looks at a class.
#[must_use]
pub fn hostile(bytes: &[u8]) -> Verdict {
    let Ok(class) = ClassFile::read(bytes) else { return Verdict::Refused };
    let mut problems = Vec::new();
    let mut bound = |what: &str, length: usize, most: usize| {
        if length > most {
            problems.push(format!("{what} has {length} bytes for a class of {}", bytes.len()));
        }
    };
    if let Ok(reencoded) = reencode(&class) {
        bound("the class encoded again", reencoded.len(), bytes.len());
    }
    bound("the listing", print::listing(&class).len(), LISTING_FACTOR * bytes.len() + SMALL);
    let mut rng = Rng::with_seed(fingerprint(bytes));
    let usual = rng.choice(Insertions::ALL).unwrap_or(Insertions::Mixed);
    let insertions = if rng.u8(..128) == 0 { Insertions::FewLongRuns } else { usual };
    if let Ok(rewritten) = insertions.rewrite(bytes, rng.u64(..)) {
        let most = bytes.len() + class.methods().len() * BODY_BOUND;
        bound("the rewritten class", rewritten.bytes.len(), most);
    }
    for method in class.methods() {
        if let Ok(Some(code)) = class.code(method) {
            bound("an inlined body", inlined_length(&class, &code), BODY_BOUND);
            find_states(&class, method, &code);
        }
    }
    read_attributes(&class);
    if problems.is_empty() { Verdict::Right } else { Verdict::Wrong(problems.join("; ")) }
}

fn inlined_length(class: &ClassFile<'_>, code: &Code<'_>) -> usize {
    match inline_subroutines(class, code) {
        Ok(Some(body)) => {
            // What was written must be readable.
            let _ = body.code().map(|code| code.instructions().count());
            body.contents().len()
        }
        _ => 0,
    }
}

/// Asks for states all over the body, more often than the rewriter ever does.
fn find_states(class: &ClassFile<'_>, method: &Member<'_>, code: &Code<'_>) {
    let Ok(Some(frames)) = code.stack_map(class.pool()) else { return };
    let pcs = code.instructions().map_while(Result::ok).map(|one| one.pc);
    let wanted: Vec<u32> = pcs.step_by(WANTED_STATE_STEP).collect();
    let _ = states_behind(class, method, code, &frames, &wanted);
}

fn read_attributes(class: &ClassFile<'_>) {
    let members = class.fields().iter().chain(class.methods());
    let of_members = members.flat_map(|member| member.attributes.iter());
    for attribute in class.attributes().iter().chain(of_members) {
        if let Ok(Attribute::Code(code)) = attribute.decode(class.pool()) {
            for inner in code.attributes.iter() {
                let _ = inner.decode(class.pool());
            }
        }
    }
}
