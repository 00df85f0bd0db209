//! Methods, and starts of methods, that stand on no line of the source.

use super::super::body::Body;
use super::super::output::FilterOutput;
use probity_instrument::list::Node;

pub(super) fn apply(body: &Body<'_, '_, '_>, out: &mut FilterOutput) {
    if body.class.source_file.is_none() {
        return;
    }
    match body.list().nodes().iter().position(|node| matches!(node, Node::Line { .. })) {
        None => out.ignore_all(),
        Some(0) => {}
        Some(first) => out.ignore(0, first - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::test_method::method;

    #[test]
    fn a_method_without_lines_is_ignored() {
        method("- return").source_file("B.kt").check_ignored(super::apply);
    }

    #[test]
    fn what_stands_before_the_first_line_is_ignored() {
        method(
            "- nop
             line 3
             return",
        )
        .source_file("B.kt")
        .check_ignored(super::apply);
    }

    #[test]
    fn without_a_source_file_nothing_is_known() {
        method(
            "nop
             return",
        )
        .check_ignored(super::apply);
    }
}
