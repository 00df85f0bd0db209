//! Tables in the form that the documents use, so that a result is pasted and not typed.

use std::fmt::Write as _;

/// A table of text with a heading for each column; all columns but the first are aligned to the right.
pub(crate) fn markdown(headings: &[&str], rows: &[Vec<String>]) -> String {
    let mut text = String::new();
    let mut line = |cells: &[&str]| {
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    };
    line(headings);
    let rule: Vec<&str> =
        headings.iter().enumerate().map(|(column, _)| if column == 0 { "---" } else { "--:" }).collect();
    line(&rule);
    for row in rows {
        line(&row.iter().map(String::as_str).collect::<Vec<_>>());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_headings_a_rule_and_rows() {
        let rows = [vec!["read".to_owned(), "1".to_owned()]];
        assert_eq!(markdown(&["what", "time"], &rows), "| what | time |\n| --- | --: |\n| read | 1 |\n");
    }
}
