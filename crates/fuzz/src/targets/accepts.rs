//! What a JVM links, this project reads; the judge is the JVM.

use probity_classfile::{ClassFile, Result};
use probity_test_support::link::LinkResult;

use super::Verdict;

/// A class that the JVM linked must be read, with all of its bodies and instructions. It must not kill the JVM either,
/// but that is the JVM's fault and only counts as refused.
#[must_use]
pub fn accepts(bytes: &[u8], linked: &LinkResult) -> Verdict {
    if !linked.is_linked() {
        return Verdict::Refused;
    }
    match read_all(bytes) {
        Ok(()) => Verdict::Right,
        Err(error) => Verdict::Wrong(format!("the JVM links it, and it is refused: {error}")),
    }
}

fn read_all(bytes: &[u8]) -> Result<()> {
    let class = ClassFile::read(bytes)?;
    for method in class.methods() {
        let Some(code) = class.code(method)? else { continue };
        code.instructions().try_for_each(|instruction| instruction.map(|_| ()))?;
        code.stack_map(class.pool())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_that_only_the_jvm_reads_is_wrong() {
        let Verdict::Wrong(what) = accepts(b"no class", &LinkResult::Linked) else {
            panic!("it cannot be read");
        };
        assert!(what.contains("not a class file"), "{what}");
    }

    #[test]
    fn what_the_jvm_refuses_is_not_judged() {
        assert_eq!(accepts(b"no class", &LinkResult::Crashed), Verdict::Refused);
    }
}
