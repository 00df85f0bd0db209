//! Edits as people make them. For each it is said for which inputs the old run still holds.

use super::{Version, checked, class_with, jdks, sets, versions, walk};
use probity_shape::Verdict;

const INPUTS: [i32; 8] = [0, 1, 2, 3, 4, 5, 6, 7];

/// A method before and after an edit.
struct Edit {
    name: &'static str,
    old: String,
    new: String,
    /// The inputs whose runs hold, and of which the new row is known.
    fresh: Vec<i32>,
    /// Those whose runs hold, but of which nobody knows the new row.
    unknown: Vec<i32>,
}

fn edit(name: &'static str, old: &str, from: &str, to: &str, fresh: &[i32]) -> Edit {
    assert!(old.contains(from), "{name}: {from}");
    Edit {
        name,
        old: class_with(old, ""),
        new: class_with(&old.replacen(from, to, 1), ""),
        fresh: fresh.to_vec(),
        unknown: Vec::new(),
    }
}

/// Compares what is said of each set of inputs with what happens, in both directions; and what is said of each input with what was
/// expected.
fn check(edit: &Edit, old: &Version, new: &Version) -> Vec<String> {
    let (forth, back) = (walk(old, new), walk(new, old));
    let mut wrong = Vec::new();
    for set in sets(INPUTS.len()) {
        checked(&back, new, old, &set);
        let verdict = checked(&forth, old, new, &set);
        let [one] = *set else { continue };
        let said = match verdict {
            Verdict::Stale => "stale",
            Verdict::Fresh(_) => "fresh",
            Verdict::FreshWithUnknownRow => "unknown",
        };
        let is_in = |inputs: &[i32]| inputs.contains(&INPUTS[one]);
        let expected = match (is_in(&edit.fresh), is_in(&edit.unknown)) {
            (true, _) => "fresh",
            (_, true) => "unknown",
            _ => "stale",
        };
        if said != expected {
            wrong.push(format!("{} with {}: {said}, not {expected}", edit.name, INPUTS[one]));
        }
    }
    wrong
}

const BRANCHES: &str = "
    int r = 0;
    if (a > 3) {
        r = 1;
    } else if (a == 2) {
        r = 2;
    } else {
        r = 3;
    }
    log.append(r);
    return call(a);";

fn branches() -> Vec<Edit> {
    let no_else = "int r = 0; if (a > 3) {\n r = 1; }\n return r;";
    vec![
        edit("nothing", BRANCHES, "r = 1;", "r = 1;", &INPUTS),
        edit("unrelated branch", BRANCHES, "r = 3;", "r = 4;", &[2, 4, 5, 6, 7]),
        edit("another branch", BRANCHES, "r = 1;", "r = 9;", &[0, 1, 2, 3]),
        edit("inner condition", BRANCHES, "a == 2", "a == 3", &[4, 5, 6, 7]),
        edit("outer condition", BRANCHES, "a > 3", "a > 4", &[]),
        edit(
            "added branch",
            BRANCHES,
            "} else {",
            "} else if (a == 1) {\n r = 7;\n } else {",
            &[2, 4, 5, 6, 7],
        ),
        edit("removed branch", BRANCHES, "else {\n        r = 3;\n    }", "", &[2, 4, 5, 6, 7]),
        edit("call in a branch", BRANCHES, "r = 3;", "r = call(1);", &[2, 4, 5, 6, 7]),
        edit("what comes after", BRANCHES, "call(a)", "call(a + 1)", &[]),
        edit("what comes before", BRANCHES, "int r = 0", "int r = 1", &[]),
        edit("variable in a branch", BRANCHES, "r = 3;", "int s = a; r = s + 3;", &[2, 4, 5, 6, 7]),
        edit("added else", no_else, "r = 1; }", "r = 1; } else {\n r = 2; }", &[4, 5, 6, 7]),
        edit("added if", no_else, "return r;", "if (r == 1) { return -1; } return r;", &[]),
    ]
}

fn what_may_have_thrown_before_its_probe_may_have_run() -> Vec<Edit> {
    let throws = "if (a > 3) { return call(a) + 1; } return 2;";
    let early = "call(a);\n int r = call(a + 1);\n if (r > 3) { r = 0; }\n return r;";
    vec![
        // The branch may have been entered and left by an exception, with no hit to tell of it.
        edit("before what throws", throws, "call(a)", "call(a + 7)", &[]),
        // Who got past the call has hit the probe behind it.
        edit("behind what throws", throws, "+ 1", "+ 2", &[0, 1, 2, 3, 5, 7]),
        edit("where nothing throws", throws, "return 2", "return 3", &[4, 5, 6, 7]),
        // With 0 and 5 and 7 the method is left before its first probe; the branch was not met, and that is known.
        edit("after the exception", early, "r = 0", "r = 1", &[0, 1, 4, 5, 6, 7]),
        edit("before the exception", early, "call(a)", "call(a + 7)", &[]),
    ]
}

fn statements() -> Vec<Edit> {
    let two = "if (a > 3) { log.append('x'); } else { field = a; log.append('y'); } return a;";
    let quiet = "int r = a; if (a > 3) { r += 1; r *= 2; } return r;";
    vec![
        edit("swapped", two, "field = a; log.append('y');", "log.append('y'); field = a;", &[]),
        edit("swapped quietly", quiet, "r += 1; r *= 2;", "r *= 2; r += 1;", &[0, 1, 2, 3]),
        edit("early return", quiet, "r += 1;", "r += 1; if (r == 6) return -1;", &[0, 1, 2, 3]),
        edit("early return at the start", quiet, "int r", "if (a == 1) return -1; int r", &[]),
        edit("removed", quiet, "r += 1;", "", &[0, 1, 2, 3]),
    ]
}

fn fields_of_the_object_itself() -> Vec<Edit> {
    let reads = "if (a > 3) { return field + 1; } return field;";
    let writes = "if (a > 3) { field = 1; } return 1;";
    vec![
        edit("read", reads, "+ 1", "+ 2", &[0, 1, 2, 3]),
        edit("read in the condition", reads, "return field;", "return field - 1;", &[4, 5, 6, 7]),
        // What is written can be seen before the probe is met, by a thread that goes on when the recording has ended.
        edit("written", writes, "field = 1", "field = 2", &[]),
    ]
}

fn lines() -> Vec<Edit> {
    let calls = "call(a); call(a + 1); return call(a + 2);";
    let mut one_line = edit("a line more", calls, "call(a + 1);", "\ncall(a + 1);", &[1, 2]);
    // Which of the calls threw is not told by the hits.
    one_line.unknown = vec![0, 3, 4, 5, 6, 7];
    let three = "call(a);\ncall(a + 1);\nreturn call(a + 2);";
    let fewer = edit("a line less", three, ";\nreturn", "; return", &INPUTS);
    let branch = "int r = 0; if (a > 3) { call(a); call(a + 1); } return r;";
    let mut in_branch = edit("a line more in a branch", branch, "call(a + 1)", "\ncall(a + 1)", &[]);
    in_branch.unknown = vec![0, 1, 2, 3, 4, 5, 6, 7];
    vec![
        one_line,
        fewer,
        in_branch,
        edit("no probe more", calls, "call(a);", "\n\n\n/* nothing */ call(a);", &INPUTS),
        edit("names", "int r = a; return r;", "int r = a; return r", "int s = a; return s", &INPUTS),
    ]
}

const CAUGHT: &str = "
    int r = 1;
    try {
        r = call(a);
    } catch (IllegalStateException e) {
        r = 2;
    }
    log.append(r);
    return r;";

fn handlers() -> Vec<Edit> {
    let catches = "catch (IllegalStateException e) {\n        r = 2;\n    }";
    let both = "catch (IllegalStateException e) {\n        r = 2;\n    } catch (IllegalArgumentException e) { r = 3; }";
    let far =
        "if (a > 3) { try { call(a); } catch (IllegalStateException e) { log.append('c'); } }\n return 1;";
    let finally = "int r = 0; try { r = call(a); } finally { if (a > 3) { r++; } } return r;";
    let locked = "int r = 0; synchronized (this) { if (a > 3) { r = 1; } else { r = 2; } } return r;";
    vec![
        edit("what is caught", CAUGHT, "(IllegalStateException", "(RuntimeException", &[]),
        edit("a handler more", CAUGHT, catches, both, &[]),
        edit("finally", CAUGHT, catches, &format!("{catches} finally {{ log.append('f'); }}"), &[]),
        edit("no handler", CAUGHT, catches, "finally { log.append(r); }", &[]),
        edit("in the handler", CAUGHT, "r = 2", "r = 3", &[1, 2, 3, 4, 6, 7]),
        edit("in what is protected", CAUGHT, "call(a)", "call(a + 1)", &[]),
        // What cannot throw may stand inside or outside.
        edit(
            "one statement more is protected",
            CAUGHT,
            "int r = 1;\n    try {",
            "int r;\n    try {\n r = 1;",
            &INPUTS,
        ),
        edit(
            "a statement more behind what throws",
            "int r = 1; try { r = call(a); } catch (IllegalStateException e) { return 9; } return r;",
            "r = call(a); }",
            "r = call(a); int s = r; }",
            &[0, 5, 7],
        ),
        edit("a handler elsewhere", far, "IllegalStateException", "RuntimeException", &[0, 1, 2, 3]),
        edit("in a handler elsewhere", far, "'c'", "'d'", &[0, 1, 2, 3]),
        edit("in finally", finally, "r++", "r += 2", &[0, 1, 2, 3]),
        edit("all of finally", finally, "a > 3", "a > 4", &[]),
        edit("under a lock", locked, "r = 2", "r = 3", &[4, 5, 6, 7]),
    ]
}

fn switches() -> Vec<Edit> {
    let cases = "int r;\n switch (a) {\n case 1: r = 1; break;\n case 2: r = 2;\n case 3: r = 3; break;\n default: r = 4;\n }\n return r;";
    let text = "switch (\"\" + a) { case \"1\": return 1; case \"2\": return 2; default: return 3; }";
    let arrows = "return switch (a) { case 1, 2 -> 1; case 5 -> 2; default -> 3; };";
    vec![
        edit("a case more", cases, "default", "case 7: r = 9; break;\n default", &[1, 2, 3]),
        edit("a case less", cases, "case 3: r = 3; break;", "", &[0, 1, 4, 5, 6, 7]),
        edit("a far case more", cases, "default", "case 1000000: r = 9; break;\n default", &[1, 2, 3]),
        edit("in a case", cases, "r = 1", "r = 11", &[0, 2, 3, 4, 5, 6, 7]),
        edit("in a case that is fallen into", cases, "r = 3", "r = 33", &[0, 1, 4, 5, 6, 7]),
        edit("in the default", cases, "r = 4", "r = 44", &[1, 2, 3]),
        edit("no default", cases, "default: r = 4;", "case 9: default: r = 4;", &INPUTS),
        edit("in an arrow", arrows, "-> 2", "-> 4", &[0, 1, 2, 3, 4, 6, 7]),
        edit("another key in an arrow", arrows, "case 5", "case 6", &[1, 2]),
        edit("of texts", text, "return 2", "return 22", &[0, 1, 3, 4, 5, 6, 7]),
        edit("a text more", text, "default", "case \"9\": return 9; default", &[1, 2]),
    ]
}

fn loops() -> Vec<Edit> {
    let body = "int r = 0; for (int i = 0; i < a; i++) { if (i == 3) { r += 5; } r++; } return r;";
    let stops = "int r = 0; while (true) { if (r > a) break; r += 2; } return r;";
    vec![
        edit("rarely in the loop", body, "r += 5", "r += 6", &[0, 1, 2, 3]),
        edit("always in the loop", body, "r++;", "r--;", &[0]),
        edit("the condition", body, "i < a", "i <= a", &[]),
        edit("after the loop", body, "return r", "return -r", &[]),
        edit("a way out", body, "r += 5;", "r += 5; if (r > 8) break;", &[0, 1, 2, 3]),
        edit("the way out", stops, "break;", "{ r++; break; }", &[]),
        edit("the step", stops, "r += 2", "r += 3", &[]),
    ]
}

/// Lambdas are numbered, through the class or for each name of a method: one more in front of another gives it another name.
fn lambdas() -> Vec<Edit> {
    let body = "if (a > 3) { return a; } Supplier<Integer> s = () -> call(1); return s.get();";
    let before = "Supplier<Integer> f(long a) { return () -> 1; }";
    let quiet = "int r = a; if (a > 3) { Supplier<Integer> s = () -> 1; r++; } return r;";
    let renumbered = |body: &str, fresh: &[i32]| Edit {
        name: "renumbered",
        old: class_with(body, ""),
        new: class_with(body, before),
        fresh: fresh.to_vec(),
        unknown: Vec::new(),
    };
    vec![
        // Linking can throw before a probe is met.
        renumbered(body, &[]),
        renumbered(quiet, &[]),
        renumbered("return a;", &INPUTS),
        edit("in a lambda", body, "call(1)", "call(1) + 0", &INPUTS),
        edit("a branch without lambdas", body, "return a", "return a + 1", &[0, 1, 2, 3]),
    ]
}

/// Compiles, runs and compares all, on each JDK; in both directions, and for each set of inputs.
#[test]
fn edits_as_people_make_them() {
    let edits: Vec<Edit> = [
        branches(),
        what_may_have_thrown_before_its_probe_may_have_run(),
        statements(),
        fields_of_the_object_itself(),
        lines(),
        handlers(),
        switches(),
        loops(),
        lambdas(),
    ]
    .into_iter()
    .flatten()
    .collect();
    let sources: Vec<String> = edits.iter().flat_map(|edit| [edit.old.clone(), edit.new.clone()]).collect();
    let mut wrong = Vec::new();
    for jdk in jdks() {
        let compiled = versions(&jdk, &sources, &INPUTS);
        for (edit, pair) in edits.iter().zip(compiled.chunks(2)) {
            let [old, new] = pair else { panic!("there are two") };
            wrong.extend(check(edit, old, new));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
