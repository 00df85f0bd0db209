//! Methods made at random and edited at random, by the hundred.

use super::{checked, class_with, jdks, sets, versions, walk};
use fastrand::Rng;
use probity_shape::Verdict;

const INPUTS: [i32; 6] = [1, 2, 3, 4, 5, 6];

#[derive(Clone)]
enum Statement {
    /// It changes a variable.
    Quiet(u8),
    /// It calls something that may throw.
    Call(u8),
    Write,
    If(Condition, Block, Option<Block>),
    Switch(Vec<(u8, Block, bool)>, Block),
    Loop(u8, Block),
    Try(Block, &'static str, Block, Option<Block>),
    Locked(Block),
    /// It leaves the method or a loop, on a condition.
    Leave(Condition, &'static str),
}

#[derive(Clone)]
enum Condition {
    Bit(u8),
    Above(u8),
    Field(u8),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
}

/// Statements, each with whether it starts a line.
type Block = Vec<(Statement, bool)>;

struct Maker {
    random: Rng,
}

impl Maker {
    fn block(&mut self, depth: u8, in_loop: bool) -> Block {
        let count = self.random.usize(1..=3);
        (0..count).map(|_| (self.statement(depth, in_loop), self.random.bool())).collect()
    }

    fn optional(&mut self, depth: u8, in_loop: bool) -> Option<Block> {
        self.random.bool().then(|| self.block(depth, in_loop))
    }

    fn statement(&mut self, depth: u8, in_loop: bool) -> Statement {
        let below = depth.saturating_sub(1);
        match self.random.u8(0..if depth == 0 { 6 } else { 13 }) {
            0 | 1 => Statement::Quiet(self.random.u8(1..9)),
            2 | 3 => Statement::Call(self.random.u8(1..9)),
            4 => Statement::Write,
            5 => {
                let how: &[&str] = if in_loop { &["break", "continue", "return r"] } else { &["return r"] };
                let how = how[self.random.usize(..how.len())];
                Statement::Leave(self.condition(1), how)
            }
            6..=8 => {
                Statement::If(self.condition(2), self.block(below, in_loop), self.optional(below, in_loop))
            }
            9 => {
                let keys = self.random.u8(1..4);
                let key = |maker: &mut Self, key| (key, maker.block(below, false), maker.random.bool());
                Statement::Switch((0..keys).map(|at| key(self, at)).collect(), self.block(below, false))
            }
            10 => Statement::Loop(self.random.u8(1..4), self.block(below, true)),
            11 => {
                let caught = ["IllegalStateException", "IllegalArgumentException", "RuntimeException"];
                let caught = caught[self.random.usize(..3)];
                Statement::Try(
                    self.block(below, in_loop),
                    caught,
                    self.block(below, in_loop),
                    self.random.bool().then(|| vec![(Statement::Quiet(1), true)]),
                )
            }
            _ => Statement::Locked(self.block(below, in_loop)),
        }
    }

    fn condition(&mut self, depth: u8) -> Condition {
        let below = depth.saturating_sub(1);
        match self.random.u8(0..if depth == 0 { 3 } else { 5 }) {
            0 => Condition::Bit(self.random.u8(1..4)),
            1 => Condition::Above(self.random.u8(0..9)),
            2 => Condition::Field(self.random.u8(0..9)),
            3 => Condition::And(Box::new(self.condition(below)), Box::new(self.condition(below))),
            _ => Condition::Or(Box::new(self.condition(below)), Box::new(self.condition(below))),
        }
    }

    /// Changes a block somewhere: a statement is put in, taken out or replaced, or a line starts elsewhere.
    fn edit(&mut self, block: &mut Block, in_loop: bool) {
        if self.random.u8(..3) > 0 && self.edit_inside(block) {
            return;
        }
        let at = self.random.usize(..=block.len());
        let made = (self.statement(1, in_loop), self.random.bool());
        match (self.random.u8(..5), block.get_mut(at)) {
            (0, Some(place)) => *place = made,
            (1, Some(_)) => {
                block.remove(at);
            }
            (2 | 3, _) => block.iter_mut().for_each(|(_, starts_line)| *starts_line = self.random.bool()),
            _ => block.insert(at, made),
        }
    }

    fn edit_inside(&mut self, block: &mut Block) -> bool {
        let at = self.random.usize(..=block.len());
        let first = self.random.bool();
        match block.get_mut(at).map(|(statement, _)| statement) {
            Some(Statement::If(_, then, Some(otherwise))) => {
                self.edit(if first { then } else { otherwise }, false);
            }
            Some(Statement::If(_, block, None) | Statement::Locked(block)) => self.edit(block, false),
            Some(Statement::Switch(keys, default)) => {
                let key = self.random.usize(..=keys.len());
                self.edit(keys.get_mut(key).map_or(default, |(_, block, _)| block), false);
            }
            Some(Statement::Loop(_, block)) => self.edit(block, true),
            Some(Statement::Try(block, _, handler, _)) => {
                self.edit(if first { block } else { handler }, false);
            }
            _ => return false,
        }
        true
    }
}

/// The text of a block; `level` tells names of variables apart.
fn written(block: &Block, level: usize) -> String {
    block
        .iter()
        .map(|(statement, starts_line)| {
            format!("{}{}", if *starts_line { "\n" } else { " " }, statement_text(statement, level + 1))
        })
        .collect()
}

fn statement_text(statement: &Statement, level: usize) -> String {
    match statement {
        Statement::Quiet(number) => format!("r = r * 3 + {number};"),
        Statement::Call(number) => format!("call(a + {number});"),
        Statement::Write => "field = r;".to_owned(),
        Statement::If(condition, then, otherwise) => {
            let otherwise = otherwise.as_ref().map(|block| format!("else {{{}\n}}", written(block, level)));
            format!(
                "if ({}) {{{} }} {}",
                condition_text(condition),
                written(then, level),
                otherwise.unwrap_or_default()
            )
        }
        Statement::Switch(keys, default) => {
            let keys = keys.iter().map(|(key, block, breaks)| {
                format!("\ncase {key}: {}{}", written(block, level), if *breaks { " break;" } else { "" })
            });
            format!("switch (r & 3) {{ {} default: {} }}", keys.collect::<String>(), written(default, level))
        }
        Statement::Loop(count, block) => {
            format!("for (int i{level} = 0; i{level} < {count}; i{level}++) {{{}\n}}", written(block, level))
        }
        Statement::Try(block, caught, handler, finally) => {
            let finally = finally.as_ref().map(|block| format!("finally {{{} }}", written(block, level)));
            format!(
                "try {{{} }} catch ({caught} e{level}) {{{} }} {}",
                written(block, level),
                written(handler, level),
                finally.unwrap_or_default()
            )
        }
        Statement::Locked(block) => format!("synchronized (this) {{{} }}", written(block, level)),
        Statement::Leave(condition, how) => format!("if ({}) {how};", condition_text(condition)),
    }
}

fn condition_text(condition: &Condition) -> String {
    match condition {
        Condition::Bit(bit) => format!("(a & {bit}) != 0"),
        Condition::Above(number) => format!("r > {number}"),
        Condition::Field(number) => format!("field < {number}"),
        Condition::And(one, other) => format!("({} && {})", condition_text(one), condition_text(other)),
        Condition::Or(one, other) => format!("({} || {})", condition_text(one), condition_text(other)),
    }
}

/// How many methods are made.
const METHODS: usize = 60;
/// How often each is edited.
const EDITS: usize = 2;

#[test]
fn what_is_said_of_the_new_version_is_what_it_does() {
    let mut maker = Maker { random: Rng::with_seed(6) };
    let mut sources = Vec::new();
    for _ in 0..METHODS {
        let block = maker.block(3, false);
        let bodies = (0..EDITS).map(|_| {
            let mut edited = block.clone();
            maker.edit(&mut edited, false);
            edited
        });
        let bodies: Vec<Block> = [block.clone()].into_iter().chain(bodies).collect();
        sources.extend(
            bodies.iter().map(|body| class_with(&format!("int r = a;{}\nreturn r;", written(body, 0)), "")),
        );
    }
    let jdk = jdks().pop().expect("there is a JDK");
    let compiled = versions(&jdk, &sources, &INPUTS);
    let (mut stale, mut fresh, mut unknown) = (0, 0, 0);
    for versions in compiled.chunks(EDITS + 1) {
        for old in versions {
            for new in versions.iter().filter(|new| !std::ptr::eq(*new, old)) {
                let walk = walk(old, new);
                for set in sets(INPUTS.len()) {
                    match checked(&walk, old, new, &set) {
                        Verdict::Stale => stale += 1,
                        Verdict::Fresh(_) => fresh += 1,
                        Verdict::FreshWithUnknownRow => unknown += 1,
                    }
                }
            }
        }
    }
    // Something of each must be there, or nothing was tried.
    assert!(fresh > 3000 && stale > 3000 && unknown > 10, "{fresh} fresh, {stale} stale, {unknown} unknown");
}
