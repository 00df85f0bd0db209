//! What a JVM links, it links as well when code that does nothing was inserted; the judge is the JVM.

use probity_classfile::edit::EditError;
use probity_test_support::link::LinkResult;

use super::{Verdict, fingerprint};
use crate::insertions::Insertions;

/// A class that a JVM links, with insertions that depend on its bytes; nothing if it would be too large.
///
/// It may be refused for the size that it would have, and for nothing else.
pub fn rewritten(bytes: &[u8]) -> Result<Option<Vec<u8>>, Verdict> {
    let seed = fingerprint(bytes);
    let [first, second, third, fourth] = Insertions::ALL;
    let insertions = match seed % 16 {
        0..4 => first,
        4..7 => second,
        7..11 => third,
        11..15 => fourth,
        _ => Insertions::FewLongRuns,
    };
    match insertions.rewrite(bytes, seed) {
        Ok(rewritten) => Ok(Some(rewritten.bytes)),
        Err(EditError::PoolFull | EditError::FrameTooLarge | EditError::TableTooLarge) => Ok(None),
        Err(error) => Err(Verdict::Wrong(format!("the JVM links it, and it cannot be rewritten: {error}"))),
    }
}

/// What the JVM's answer about the rewritten class means.
#[must_use]
pub fn judge_rewritten(result: &LinkResult) -> Verdict {
    match result {
        LinkResult::Linked => Verdict::Right,
        other => Verdict::Wrong(format!("the JVM links it, and of the rewritten class it says: {other}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_linked_class_is_right() {
        assert_eq!(judge_rewritten(&LinkResult::Linked), Verdict::Right);
        let refused =
            LinkResult::Refused { exception: "VerifyError".to_owned(), message: "frame".to_owned() };
        for answer in [refused, LinkResult::Crashed, LinkResult::Skipped] {
            assert!(matches!(judge_rewritten(&answer), Verdict::Wrong(_)), "{answer}");
        }
    }

    #[test]
    fn a_class_that_cannot_be_read_is_wrong() {
        assert!(matches!(rewritten(b"no class"), Err(Verdict::Wrong(_))));
    }
}
