//! Colours for source text: comments, strings, keywords and annotations.
//!
//! One small scanner serves Java, Kotlin, Groovy and Scala. It works line by line and remembers what goes on into the next
//! one, and it only ever adds marks: the text between them is the text of the file, whatever the file is.

/// What a line begins in the middle of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Within {
    #[default]
    Code,
    Comment,
    /// A string that ends at these three quotes.
    LongString(&'static str),
}

/// Marks up one file, line after line.
#[derive(Debug)]
pub(super) struct Highlighter {
    keywords: &'static [&'static str],
    within: Within,
}

/// The marks; style sheets give them colours.
const COMMENT: &str = "i";
const STRING: &str = "u";
const KEYWORD: &str = "b";
const ANNOTATION: &str = "em";

impl Highlighter {
    /// For a file of this name. Text of unknown languages gets no marks.
    pub(super) fn new(file: &str) -> Self {
        let extension = file.rsplit_once('.').map_or("", |(_, extension)| extension);
        let keywords = match extension {
            "java" => JAVA,
            "kt" | "kts" => KOTLIN,
            "groovy" | "gradle" => GROOVY,
            "scala" | "sc" => SCALA,
            _ => &[],
        };
        Self { keywords, within: Within::Code }
    }

    /// The next line as HTML.
    pub(super) fn line(&mut self, line: &str, out: &mut String) {
        if self.keywords.is_empty() {
            return escape(line, out);
        }
        let mut rest = line;
        while !rest.is_empty() {
            let (length, mark) = self.token(rest);
            // Every token is at least one character long and ends between characters.
            let (token, after) = rest.split_at_checked(length.max(1)).unwrap_or((rest, ""));
            match mark {
                Some(mark) => {
                    out.extend(["<", mark, ">"]);
                    escape(token, out);
                    out.extend(["</", mark, ">"]);
                }
                None => escape(token, out),
            }
            rest = after;
        }
    }

    /// The length of the token at the start of a text, and its mark.
    fn token(&mut self, text: &str) -> (usize, Option<&'static str>) {
        match self.within {
            Within::Comment => (self.until(text, 0, "*/"), Some(COMMENT)),
            Within::LongString(end) => (self.until(text, 0, end), Some(STRING)),
            Within::Code => self.token_of_code(text),
        }
    }

    fn token_of_code(&mut self, text: &str) -> (usize, Option<&'static str>) {
        let first = text.chars().next().unwrap_or_default();
        if text.starts_with("//") {
            return (text.len(), Some(COMMENT));
        }
        if text.starts_with("/*") {
            self.within = Within::Comment;
            return (self.until(text, 2, "*/"), Some(COMMENT));
        }
        if matches!(first, '"' | '\'') {
            let triple = if first == '"' { "\"\"\"" } else { "'''" };
            if text.starts_with(triple) {
                self.within = Within::LongString(triple);
                return (self.until(text, 3, triple), Some(STRING));
            }
            return (quoted(text, first), Some(STRING));
        }
        let word = word(text);
        match first {
            '@' if word > 1 => (word, Some(ANNOTATION)),
            _ if word > 0 => (word, text.get(..word).filter(|word| self.is_keyword(word)).map(|_| KEYWORD)),
            _ => (plain(text), None),
        }
    }

    /// Most words start with a capital or are longer than any keyword, and need no look-up.
    fn is_keyword(&self, word: &str) -> bool {
        word.len() <= LONGEST_KEYWORD
            && word.starts_with(|first: char| first.is_ascii_lowercase())
            && self.keywords.binary_search(&word).is_ok()
    }

    /// The length up to the end of what goes on over lines; it has ended if the end is there.
    fn until(&mut self, text: &str, from: usize, end: &str) -> usize {
        match text.get(from..).and_then(|rest| rest.find(end)) {
            Some(at) => {
                self.within = Within::Code;
                from + at + end.len()
            }
            None => text.len(),
        }
    }
}

/// The length of a string on one line, or of the rest of the line if it does not end.
fn quoted(text: &str, quote: char) -> usize {
    let mut characters = text.char_indices().skip(1);
    while let Some((at, character)) = characters.next() {
        if character == '\\' {
            characters.next();
        } else if character == quote {
            return at + 1;
        }
    }
    text.len()
}

/// The length of a word, with an `@` before it; numbers are words that are no keywords.
fn word(text: &str) -> usize {
    let after_at = text.strip_prefix('@').unwrap_or(text);
    let end = after_at.find(|character: char| !is_of_word(character)).unwrap_or(after_at.len());
    if end == 0 { 0 } else { text.len() - after_at.len() + end }
}

fn is_of_word(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '$')
}

/// The length of what is nothing special: at least one character, up to the next that may be.
fn plain(text: &str) -> usize {
    let special = |character: char| is_of_word(character) || matches!(character, '/' | '"' | '\'' | '@');
    text.char_indices().skip(1).find(|(_, character)| special(*character)).map_or(text.len(), |(at, _)| at)
}

/// Text as HTML.
pub(super) fn escape(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some(at) = rest.bytes().position(is_special) {
        let (plain, special) = rest.split_at(at);
        out.push_str(plain);
        let mut characters = special.chars();
        out.push_str(match characters.next() {
            Some('<') => "&lt;",
            Some('>') => "&gt;",
            Some('&') => "&amp;",
            Some('"') => "&quot;",
            // A character that would end a line, or one that no document may have.
            _ => " ",
        });
        rest = characters.as_str();
    }
    out.push_str(rest);
}

/// Whether a byte is a character that cannot stand in HTML as it is.
fn is_special(byte: u8) -> bool {
    matches!(byte, b'<' | b'>' | b'&' | b'"' | b'\r' | b'\x0c' | 0)
}

/// As long as `synchronized`.
const LONGEST_KEYWORD: usize = 12;

/// Sorted, as are the others.
const JAVA: &[&str] = &[
    "abstract",
    "assert",
    "boolean",
    "break",
    "byte",
    "case",
    "catch",
    "char",
    "class",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extends",
    "false",
    "final",
    "finally",
    "float",
    "for",
    "goto",
    "if",
    "implements",
    "import",
    "instanceof",
    "int",
    "interface",
    "long",
    "native",
    "new",
    "null",
    "package",
    "permits",
    "private",
    "protected",
    "public",
    "record",
    "return",
    "sealed",
    "short",
    "static",
    "strictfp",
    "super",
    "switch",
    "synchronized",
    "this",
    "throw",
    "throws",
    "transient",
    "true",
    "try",
    "var",
    "void",
    "volatile",
    "when",
    "while",
    "yield",
];

const KOTLIN: &[&str] = &[
    "abstract",
    "as",
    "break",
    "by",
    "catch",
    "class",
    "companion",
    "const",
    "constructor",
    "continue",
    "data",
    "do",
    "else",
    "enum",
    "false",
    "final",
    "finally",
    "for",
    "fun",
    "if",
    "import",
    "in",
    "init",
    "inline",
    "inner",
    "interface",
    "internal",
    "is",
    "lateinit",
    "null",
    "object",
    "open",
    "operator",
    "out",
    "override",
    "package",
    "private",
    "protected",
    "public",
    "reified",
    "return",
    "sealed",
    "super",
    "suspend",
    "this",
    "throw",
    "true",
    "try",
    "typealias",
    "val",
    "value",
    "var",
    "vararg",
    "when",
    "where",
    "while",
];

const GROOVY: &[&str] = &[
    "abstract",
    "as",
    "assert",
    "boolean",
    "break",
    "byte",
    "case",
    "catch",
    "char",
    "class",
    "const",
    "continue",
    "def",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extends",
    "false",
    "final",
    "finally",
    "float",
    "for",
    "if",
    "implements",
    "import",
    "in",
    "instanceof",
    "int",
    "interface",
    "long",
    "new",
    "null",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "short",
    "static",
    "super",
    "switch",
    "synchronized",
    "this",
    "throw",
    "throws",
    "trait",
    "true",
    "try",
    "var",
    "void",
    "while",
];

const SCALA: &[&str] = &[
    "abstract",
    "case",
    "catch",
    "class",
    "def",
    "do",
    "else",
    "enum",
    "export",
    "extends",
    "false",
    "final",
    "finally",
    "for",
    "given",
    "if",
    "implicit",
    "import",
    "lazy",
    "match",
    "new",
    "null",
    "object",
    "override",
    "package",
    "private",
    "protected",
    "return",
    "sealed",
    "super",
    "then",
    "this",
    "throw",
    "trait",
    "true",
    "try",
    "type",
    "using",
    "val",
    "var",
    "while",
    "with",
    "yield",
];

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn marked(file: &str, lines: &[&str]) -> Vec<String> {
        let mut highlighter = Highlighter::new(file);
        let mut marked = Vec::new();
        for line in lines {
            let mut out = String::new();
            highlighter.line(line, &mut out);
            marked.push(out);
        }
        marked
    }

    #[test]
    fn code_comments_and_strings_are_told_apart() {
        let lines = ["@Test int x = a<b ? \"/*\\\"\" : '\"'; // end", "/* if", "*/ if (y1) {}", "/**/return"];
        assert_eq!(
            marked("A.java", &lines),
            [
                "<em>@Test</em> <b>int</b> x = a&lt;b ? <u>&quot;/*\\&quot;&quot;</u> : <u>'&quot;'</u>; <i>// end</i>",
                "<i>/* if</i>",
                "<i>*/</i> <b>if</b> (y1) {}",
                "<i>/**/</i><b>return</b>",
            ]
        );
    }

    #[test]
    fn long_strings_go_on_over_lines() {
        let lines = ["x = \"\"\"a // b", "\" if", "\"\"\" + if"];
        assert_eq!(
            marked("A.kt", &lines),
            [
                "x = <u>&quot;&quot;&quot;a // b</u>",
                "<u>&quot; if</u>",
                "<u>&quot;&quot;&quot;</u> + <b>if</b>"
            ]
        );
        assert_eq!(marked("A.unknown", &["if \"<"]), ["if &quot;&lt;"]);
    }

    #[test]
    fn keywords_can_be_looked_up() {
        for keywords in [JAVA, KOTLIN, GROOVY, SCALA] {
            assert!(keywords.is_sorted() && keywords.iter().all(|word| word.len() <= LONGEST_KEYWORD));
        }
    }

    proptest! {
        #[test]
        fn marks_never_change_the_text(lines in proptest::collection::vec("[a-z@\"'/*\\\\ é<&if]{0,30}", 0..8)) {
            let texts: Vec<&str> = lines.iter().map(String::as_str).collect();
            for (line, marked) in lines.iter().zip(marked("A.java", &texts)) {
                let mut plain = marked;
                for mark in [COMMENT, STRING, KEYWORD, ANNOTATION] {
                    plain = plain.replace(&format!("<{mark}>"), "").replace(&format!("</{mark}>"), "");
                }
                let mut expected = String::new();
                escape(line, &mut expected);
                prop_assert_eq!(plain, expected);
            }
        }
    }
}
