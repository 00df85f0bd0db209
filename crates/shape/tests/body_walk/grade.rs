//! The running example of the paper on RECOVER: a method that gives grades, in three versions, and four tests of it.

use super::{Version, checked, jdks, versions, walk};
use probity_classfile::ClassFile;
use probity_classfile::attribute::Attribute;
use probity_shape::{ShapeReader, Verdict};
use std::collections::BTreeSet;

/// Each statement of the paper is a line, so that its number is the line less two. What comes after the outer decision
/// differs.
fn grade(rest: &str) -> String {
    format!(
        "public class C {{ int f(int finalScore, int midTermScore) {{

int grade = 0;
if (finalScore > 70)
if (midTermScore > 80)
grade = 4; else
grade = 3; else
{rest}
log.append(grade);
return grade;
}}
static StringBuilder log;
static final int[][] TESTS = {{{{71, 81}}, {{71, 71}}, {{34, 60}}, {{52, 50}}}};
public static String run(int test) {{
    log = new StringBuilder();
    new C().f(TESTS[test][0], TESTS[test][1]);
    return log.toString();
}} }}"
    )
}

fn sources() -> [String; 3] {
    let v0 = "if (finalScore < 50)\ngrade = 2; else\ngrade = 3;";
    let v1 = "if (finalScore > 60)\ngrade = 3; else\nif (finalScore < 35)\ngrade = 1; else\ngrade = 2;";
    let v2 = v1.replace("35", "30");
    [grade(v0), grade(v1), grade(&v2)]
}

/// The statement of each instruction.
fn statements(version: &Version) -> Vec<u16> {
    let class = ClassFile::read(&version.bytes).expect("is a class");
    let code = class.code(&class.methods()[version.method]).expect("is well-formed").expect("has code");
    let mut starts = Vec::new();
    for attribute in code.attributes.iter() {
        if let Attribute::LineNumberTable(lines) = attribute.decode(class.pool()).expect("is well-formed") {
            starts.extend(lines.iter().map(|line| (u32::from(line.start_pc), line.line - 2)));
        }
    }
    starts.sort_unstable();
    let line_at = |pc: u32| starts[starts.partition_point(|(start, _)| *start <= pc) - 1].1;
    code.instructions().map(|instruction| line_at(instruction.expect("is one").pc)).collect()
}

/// Pairs of statements.
type Pairs = BTreeSet<(u16, u16)>;

/// The edges between statements whose sinks differ, and the statements that match.
fn compared(old: &Version, new: &Version) -> (Pairs, Pairs) {
    let walk = walk(old, new);
    let (of_old, of_new) = (statements(old), statements(new));
    let graph = ShapeReader::new().flow_graph(&old.bytes, old.method).expect("is read").expect("has code");
    let changed: BTreeSet<u16> = walk.differences().map(|at| of_old[at.old as usize]).collect();
    let mut dangerous = BTreeSet::new();
    for block in &graph.blocks {
        let from = of_old[block.instructions.end as usize - 1];
        for edge in &block.edges {
            let to = of_old[graph.blocks[edge.to as usize].instructions.start as usize];
            if to != from && changed.contains(&to) {
                dangerous.insert((from, to));
            }
        }
    }
    let matches = walk.matches().map(|(old, new)| (of_old[old as usize], of_new[new as usize]));
    (dangerous, matches.filter(|(old, _)| !changed.contains(old)).collect())
}

/// The tests that must run again, counted from 1.
fn selected(old: &Version, new: &Version) -> Vec<usize> {
    let walk = walk(old, new);
    (0..4).filter(|&test| checked(&walk, old, new, &[test]) == Verdict::Stale).map(|test| test + 1).collect()
}

#[test]
fn dangerous_edges_matches_and_selected_tests_are_those_of_the_paper() {
    for jdk in jdks() {
        let compiled = versions(&jdk, &sources(), &[0, 1, 2, 3]);
        let [v0, v1, v2] = compiled.as_slice() else { panic!("there are three") };
        let (dangerous, matches) = compared(v0, v1);
        assert_eq!(dangerous, BTreeSet::from([(2, 6)]), "e4");
        assert_eq!(matches, BTreeSet::from([(1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (9, 11), (10, 12)]));
        assert_eq!(selected(v0, v1), [3, 4]);
        let (dangerous, matches) = compared(v1, v2);
        assert_eq!(dangerous, BTreeSet::from([(6, 8)]), "e10");
        assert!(matches.iter().all(|(old, new)| old == new), "{matches:?}");
        assert_eq!(selected(v1, v2), [3, 4]);
    }
}
