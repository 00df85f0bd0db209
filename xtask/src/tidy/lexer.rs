//! A small lexer for Rust: enough to tell words of the program from words in comments and strings.
//!
//! It never fails: what it does not understand becomes punctuation. It must not be used for anything that needs more
//! than names and the marks between them.

/// A name or a mark, with its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub(super) line: usize,
    pub(super) kind: Kind<'a>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind<'a> {
    /// A keyword or an identifier.
    Name(&'a str),
    /// Any other single character.
    Mark(char),
    /// A number, character or string.
    Literal,
}

pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut lexer = Lexer { rest: text, line: 1 };
    let mut tokens = Vec::new();
    while let Some(token) = lexer.next_token() {
        tokens.push(token);
    }
    tokens
}

struct Lexer<'a> {
    rest: &'a str,
    line: usize,
}

impl<'a> Lexer<'a> {
    fn next_token(&mut self) -> Option<Token<'a>> {
        self.skip_blanks_and_comments();
        let line = self.line;
        let first = self.rest.chars().next()?;
        let kind = if let Some(length) = string_length(self.rest) {
            self.take(length);
            Kind::Literal
        } else if first == '\'' {
            self.quote()
        } else if is_name_start(first) {
            Kind::Name(self.name())
        } else if first.is_ascii_digit() {
            self.take(end_of_name(self.rest));
            Kind::Literal
        } else {
            self.take(first.len_utf8());
            Kind::Mark(first)
        };
        Some(Token { line, kind })
    }

    fn skip_blanks_and_comments(&mut self) {
        loop {
            let blanks = self.rest.len() - self.rest.trim_start().len();
            self.take(blanks);
            if self.rest.starts_with("//") {
                self.take(self.rest.find('\n').unwrap_or(self.rest.len()));
            } else if self.rest.starts_with("/*") {
                self.take(block_comment_length(self.rest));
            } else {
                return;
            }
        }
    }

    /// A character such as `'x'` or `'\''`, or the mark in front of a lifetime.
    fn quote(&mut self) -> Kind<'a> {
        let mut inside = self.rest[1..].char_indices();
        let end = match inside.next() {
            Some((_, '\\')) => {
                inside.next();
                inside.find(|(_, c)| *c == '\'').map(|(at, _)| at + 2)
            }
            Some(_) => inside.next().filter(|(_, c)| *c == '\'').map(|(at, _)| at + 2),
            None => None,
        };
        self.take(end.unwrap_or(1));
        if end.is_some() { Kind::Literal } else { Kind::Mark('\'') }
    }

    /// A name; a raw one (`r#type`) without its prefix.
    fn name(&mut self) -> &'a str {
        if let Some(raw) = self.rest.strip_prefix("r#")
            && raw.starts_with(is_name_start)
        {
            self.take(2);
        }
        self.take(end_of_name(self.rest))
    }

    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(length);
        self.line += taken.matches('\n').count();
        self.rest = rest;
        taken
    }
}

fn is_name_start(c: char) -> bool {
    c == '_' || c.is_alphabetic()
}

fn end_of_name(text: &str) -> usize {
    text.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(text.len())
}

/// The length of the block comment at the start of the text; comments may be nested.
fn block_comment_length(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest.starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}

/// The length of the string at the start of the text, of whichever kind; none if there is no string.
fn string_length(text: &str) -> Option<usize> {
    let prefix = text.len() - text.trim_start_matches(['b', 'c', 'r']).len();
    if prefix > 2 {
        return None;
    }
    let (letters, rest) = text.split_at(prefix);
    if letters.ends_with('r') {
        let hashes = rest.len() - rest.trim_start_matches('#').len();
        let body = rest[hashes..].strip_prefix('"')?;
        let end = format!("\"{}", "#".repeat(hashes));
        let length = body.find(&end).map_or(body.len(), |at| at + end.len());
        return Some(prefix + hashes + 1 + length);
    }
    let body = rest.strip_prefix('"')?;
    let mut characters = body.char_indices();
    while let Some((at, c)) = characters.next() {
        match c {
            '\\' => {
                characters.next();
            }
            '"' => return Some(prefix + 1 + at + 1),
            _ => {}
        }
    }
    Some(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<(usize, &str)> {
        let mut names = Vec::new();
        for token in tokens(text) {
            if let Kind::Name(name) = token.kind {
                names.push((token.line, name));
            }
        }
        names
    }

    #[test]
    fn comments_are_skipped() {
        assert_eq!(
            names("a // b\nc /* d /* e */ f */ g\n//! h\n/// i\nj"),
            [(1, "a"), (2, "c"), (2, "g"), (5, "j")]
        );
    }

    #[test]
    fn strings_are_skipped() {
        let text = r####"a "b \" c" d r"e\" f r#"g " h"# i b"j" br##"k "# l"## c"m" n"####;
        let found: Vec<&str> = names(text).into_iter().map(|(_, name)| name).collect();
        assert_eq!(found, ["a", "d", "f", "i", "n"]);
        assert_eq!(names("\"one\ntwo\" after"), [(2, "after")]);
    }

    #[test]
    fn characters_and_lifetimes_are_told_apart() {
        let found: Vec<&str> = names(r#"x::<'a>('"', 'b', '\'', '\u{1F600}', 'é', b'c') y: &'static z"#)
            .into_iter()
            .map(|n| n.1)
            .collect();
        assert_eq!(found, ["x", "a", "b", "y", "static", "z"]);
    }

    #[test]
    fn raw_names_and_numbers() {
        let found: Vec<&str> = names("r#type 1u8 0xff_u32 r#\"s\"# brc1").into_iter().map(|n| n.1).collect();
        assert_eq!(found, ["type", "brc1"]);
    }

    #[test]
    fn unfinished_text_ends_quietly() {
        for text in ["\"open", "r#\"open\"", "/* open", "'", "'\\", "b"] {
            assert!(tokens(text).len() <= 2, "{text:?}");
        }
    }
}
