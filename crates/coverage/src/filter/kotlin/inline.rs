//! Code that was inlined from elsewhere: it is counted where it comes from.

use super::super::body::Body;
use super::super::output::FilterOutput;
use probity_instrument::list::Node;

pub(super) fn apply(body: &Body<'_, '_, '_>, out: &mut FilterOutput) {
    let Some(smap) = &body.class.smap else { return };
    let class = body.class.name.to_text();
    let Some(first_foreign) = smap.foreign(&class).map(|mapping| mapping.output_start).min() else { return };
    let mut line = 0;
    for (at, node) in body.list().nodes().iter().enumerate() {
        if let Node::Line { line: number, .. } = node {
            line = i32::from(*number);
        }
        if line >= first_foreign {
            out.ignore(at, at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::test_method::method;

    #[test]
    fn lines_of_elsewhere_are_ignored() {
        method(
            "line 3
             nop
             line 10
             - nop
             - return",
        )
        .class_annotation("Lkotlin/Metadata;")
        .source_file("B.kt")
        .source_map(
            "SMAP\nB.kt\nKotlin\n*S Kotlin\n*F\n+ 1 B.kt\na/B\n+ 2 C.kt\na/C\n*L\n1#1,9:1\n7#2:10\n*E\n",
        )
        .check_ignored(super::apply);
    }

    #[test]
    fn without_a_map_all_lines_are_the_classs_own() {
        method(
            "line 3
             nop
             line 10
             nop
             return",
        )
        .class_annotation("Lkotlin/Metadata;")
        .source_file("B.kt")
        .check_ignored(super::apply);
    }

    #[test]
    fn a_map_to_the_class_itself_is_no_inlining() {
        method(
            "line 3
             nop
             line 10
             return",
        )
        .class_annotation("Lkotlin/Metadata;")
        .source_file("B.kt")
        .source_map("SMAP\nB.kt\nKotlin\n*S Kotlin\n*F\n+ 1 B.kt\na/B\n+ 2 C.kt\na/C\n*L\n1#1,20:1\n*E\n")
        .check_ignored(super::apply);
    }
}
