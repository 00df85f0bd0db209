//! Small programs with tests, and edits to them, made by chance.
//!
//! Each program is a package of its own, so that many of them run in one JVM without a word to each other. What an edit does is not
//! asked: the run of everything tells.

use fastrand::Rng;
use std::fmt::Write as _;

/// How many numbers a program has.
const NUMBERS: usize = 24;

/// How many parts of a program can be there or not.
const PARTS: usize = 16;

/// A program.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    package: String,
    numbers: [i32; NUMBERS],
    parts: [bool; PARTS],
    /// Empty lines in front of each class.
    lines: usize,
    /// Whether calls stand on lines of their own.
    is_long: bool,
    /// The name of a local variable.
    local: usize,
}

impl Program {
    pub(crate) fn new(number: usize, rng: &mut Rng) -> Self {
        Self {
            package: format!("p{number}"),
            numbers: std::array::from_fn(|_| rng.i32(0..6)),
            parts: std::array::from_fn(|_| rng.bool()),
            lines: rng.usize(..3),
            is_long: rng.bool(),
            local: rng.usize(..3),
        }
    }

    /// Changes something, and says what.
    pub(crate) fn edit(&mut self, rng: &mut Rng) -> String {
        match rng.u32(..10) {
            0 => {
                self.lines += 1;
                "a line more".to_owned()
            }
            1 => {
                self.is_long = !self.is_long;
                "calls on other lines".to_owned()
            }
            2 => {
                self.local += 1;
                "another name of a variable".to_owned()
            }
            3..=5 => {
                let part = rng.usize(..PARTS);
                self.parts[part] = !self.parts[part];
                format!("part {part} is now {}", self.parts[part])
            }
            _ => {
                let number = rng.usize(..NUMBERS);
                self.numbers[number] = rng.i32(0..8);
                format!("number {number} is now {}", self.numbers[number])
            }
        }
    }

    /// The names of its test classes.
    pub(crate) fn tests(&self) -> impl Iterator<Item = String> + '_ {
        (0..5).map(|test| format!("{}.T{test}", self.package))
    }

    /// The package, and its files by name.
    pub(crate) fn files(&self) -> (&str, Vec<(String, String)>) {
        let Self { numbers: n, parts, lines, is_long, local, .. } = self;
        let part = |number: usize, text: &str| if parts[number] { text.to_owned() } else { String::new() };
        let end = if *is_long { "\n" } else { " " };
        let head = format!("package {};{}", self.package, "\n".repeat(*lines));
        let local = format!("v{local}");
        let mut files = Vec::new();
        let mut add =
            |name: &str, text: String| files.push((format!("{name}.java"), format!("{head}{text}")));
        let default = part(0, &format!("default int e(int x) {{ return x - {}; }}", n[0]));
        add("I", format!("interface I {{ default int d(int x) {{ return x + {}; }} {default} }}", n[1]));
        let extra = part(1, "int extra(int x) { return x; }");
        let unseen = part(2, "private int unseen() { return 1; }");
        add(
            "A",
            format!(
                "class A {{ int f = {}; static int s = {}; {extra} {unseen}
                 int m(int x) {{ if (x > {}) {{ return x * {}; }}{end}return x + f; }}
                 int n(int x) {{ int {local} = m(x);{end}return {local} + {}; }}
                 int far(int x) {{ if (x < -1000) {{ return {}; }} return x; }} }}",
                n[2], n[3], n[4], n[5], n[6], n[7]
            ),
        );
        let hiding = part(3, &format!("int f = {};", n[8]));
        let overriding = part(4, &format!("@Override int m(int x) {{ return super.m(x) - {}; }}", n[9]));
        let chosen = part(5, &format!("public int d(int x) {{ return x * {}; }}", n[10]));
        let shown = part(6, &format!("@Override public String toString() {{ return \"{}\"; }}", n[11]));
        add(
            "B",
            format!(
                "class B extends A implements I {{ {hiding} {overriding} {chosen} {shown}
                 int k(int x) {{ return f + n(x);{end}}} int j(int x) {{ return d(x); }} }}"
            ),
        );
        let effect = part(7, "static { A.s++; }");
        add(
            "H",
            format!(
                "class H {{ static final int V = init(); {effect} static int init() {{ return {} + A.s; }} static int get() {{ return V; }} }}",
                n[12]
            ),
        );
        let exact = part(8, &format!("static int over(int x) {{ return {}; }}", n[13]));
        add(
            "S",
            format!(
                "class S {{ static int over(long x) {{ return {}; }} {exact} static int call() {{ return over(3); }} }}",
                n[14]
            ),
        );
        let case = part(9, &format!("case 2: return {};", n[15]));
        let finally = part(10, "finally { A.s += 0; }");
        let early = part(11, "if (x == 2) { return 7; }");
        add(
            "L",
            format!(
                "class L {{ static int run(int x) {{ java.util.function.IntUnaryOperator f = y -> y + {};{end}return f.applyAsInt(x); }}
                 static int sw(int x) {{ switch (x) {{ case 1: return {}; {case} default: return {}; }} }}
                 static int tr(int x) {{ {early} try {{ if (x > {}) {{ throw new IllegalStateException(); }} return 1; }} catch (IllegalStateException e) {{ return {}; }} {finally} }}
                 static int loop(int x) {{ int sum = 0; for (int i = 0; i < x; i++) {{ if (i == {}) {{ sum += 2; }}{end}sum++; }} return sum; }} }}",
                n[16], n[17], n[18], n[19], n[20], n[21]
            ),
        );
        let marked = part(12, "@Deprecated ");
        add("R", format!("{marked}class R {{ int a; {} void m() {{}} }}", part(13, "int b;")));
        let values = [
            format!("new A().n({}) + new A().far({})", n[22], n[23]),
            format!("new B().k({}) + H.get()", n[22]),
            format!("S.call() + L.run({}) + L.sw({})", n[22], n[23] % 4),
            format!("L.tr({}) + L.loop({}) + new B().j(1)", n[23], n[22]),
            "R.class.getDeclaredFields().length + R.class.getAnnotations().length + String.valueOf(new B()).length() % 2"
                .to_owned(),
        ];
        for (test, value) in values.iter().enumerate() {
            let twice = part(
                14 + test % 2,
                &format!("@org.junit.Test public void again() {{ T{test}.check({value}); }}"),
            );
            let mut text = format!("public class T{test} {{ ");
            let _ = write!(text, "@org.junit.Test public void t() {{ check({value}); }} {twice}");
            text.push_str(" static void check(int v) { if (v % 4 == 3) { throw new AssertionError(v); } } }");
            add(&format!("T{test}"), text);
        }
        (&self.package, files)
    }
}
