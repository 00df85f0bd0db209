//! The walk on bodies that are made up: some by hand, many at random, whose runs are listed one by one.

use super::steps::{BodySteps, Role};
use super::{BodyWalk, Verdict};
use crate::ways::Way;
use probity_classfile::opcode::Opcode;
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::BTreeSet;

use Does::{Branch, Goto, Loud, Quiet, Return, Switch, Throw};

/// A step of a body that is made up; steps are named by their numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Made {
    does: Does,
    /// What is caught here and where that leads; 0 stands for all.
    handlers: Vec<(u8, usize)>,
    /// Which of its ways have a probe, a bit for each.
    probes: u8,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Does {
    /// Something that does not throw.
    Quiet(u8),
    /// Something that may throw.
    Loud(u8),
    Branch(u8, usize),
    Switch(Vec<(i32, usize)>, usize),
    Goto(usize),
    Return,
    Throw,
}

/// A step with a probe on each way for which there is a bit.
fn made(does: Does, probes: u8) -> Made {
    Made { does, handlers: Vec::new(), probes }
}

fn caught(does: Does, probes: u8, handlers: &[(u8, usize)]) -> Made {
    Made { does, handlers: handlers.to_vec(), probes }
}

/// Gives numbers to probes and says where each step leads.
fn assemble(body: &[Made]) -> BodySteps {
    let mut next_probe = 0;
    let mut parts = Vec::new();
    for (at, made) in body.iter().enumerate() {
        let mut bits = made.probes;
        let mut probe = || {
            let has_probe = bits & 1 == 1;
            bits >>= 1;
            next_probe += u32::from(has_probe);
            has_probe.then(|| next_probe - 1)
        };
        let mut to = |target: usize| match body.get(target) {
            Some(_) => Way::to(target as u32, probe()),
            None => Way::out(None),
        };
        let mut form = Vec::new();
        let mut ways = match &made.does {
            Quiet(what) | Loud(what) => {
                form.push(*what);
                vec![(Role::Next, to(at + 1))]
            }
            Branch(what, target) => {
                form.push(*what);
                vec![(Role::Jump, to(*target)), (Role::Next, to(at + 1))]
            }
            Switch(keys, default) => {
                form.push(100);
                let mut targets: Vec<usize> =
                    keys.iter().map(|(_, target)| *target).chain([*default]).collect();
                targets.sort_unstable();
                targets.dedup();
                // Keys that lead to the same step share its probe.
                let ways: Vec<(usize, Way)> =
                    targets.into_iter().map(|target| (target, to(target))).collect();
                let way = |target: usize| ways.iter().find(|(to, _)| *to == target).expect("is there").1;
                let keys = keys.iter().map(|(key, target)| (Role::Key(*key), way(*target)));
                keys.chain([(Role::Default, way(*default))]).collect()
            }
            Goto(target) => vec![(Role::Next, to(*target))],
            Return => {
                form.push(101);
                vec![(Role::Exit, Way::out(probe()))]
            }
            Throw => {
                form.push(102);
                Vec::new()
            }
        };
        if matches!(made.does, Loud(_) | Throw) {
            let exit = if made.does == Throw { probe() } else { None };
            for (number, (kind, handler)) in (0..).zip(&made.handlers) {
                form.extend([103, *kind]);
                ways.push((Role::Thrown(number), Way::to(*handler as u32, exit)));
            }
            ways.push((Role::Uncaught, Way::out(exit)));
        }
        parts.push((form, ways));
    }
    BodySteps::made_up(parts, next_probe)
}

fn verdict(old: &[Made], new: &[Made], hits: &[u32]) -> Verdict {
    let walk = BodyWalk::between(&assemble(old), &assemble(new)).expect("can be walked");
    walk.verdict(Some(true), |probe| hits.contains(&probe))
}

fn fresh(probes: &[u8]) -> Verdict {
    Verdict::Fresh(probes.iter().map(|probe| *probe == 1).collect())
}

/// `if (condition) { return first; } return second;`
fn two_returns(first: Does, second: Does) -> Vec<Made> {
    vec![made(Branch(1, 3), 0), made(first, 0), made(Return, 1), made(second, 0), made(Return, 1)]
}

#[test]
fn a_branch_that_was_not_taken_may_change() {
    let old = two_returns(Quiet(2), Quiet(3));
    let new = two_returns(Quiet(2), Quiet(4));
    assert_eq!(verdict(&old, &new, &[0]), fresh(&[1, 0]));
    assert_eq!(verdict(&old, &new, &[1]), Verdict::Stale);
    assert_eq!(verdict(&old, &new, &[0, 1]), Verdict::Stale);
    // Something that throws could have come before the probe and left no hit.
    let old = two_returns(Quiet(2), Loud(3));
    let new = two_returns(Quiet(2), Loud(4));
    assert_eq!(verdict(&old, &new, &[0]), Verdict::Stale);
}

#[test]
fn hits_that_do_not_tell_of_runs_from_the_entry_on_are_stale() {
    let body = two_returns(Quiet(2), Quiet(3));
    let walk = BodyWalk::between(&assemble(&body), &assemble(&body)).expect("can be walked");
    assert_eq!(walk.verdict(Some(true), |_| false), Verdict::Stale, "it was entered and never left");
    assert_eq!(
        walk.verdict(Some(false), |probe| probe == 0),
        Verdict::Stale,
        "it was left and never entered"
    );
    assert_eq!(walk.verdict(None, |probe| probe == 0), fresh(&[1, 0]));
    for entry in [None, Some(false)] {
        assert_eq!(walk.verdict(entry, |_| false), fresh(&[0, 0]), "nobody was here");
    }
    // The second probe cannot be met without the first.
    let body = vec![made(Loud(1), 1), made(Return, 1)];
    assert_eq!(verdict(&body, &body, &[1]), Verdict::Stale);
}

#[test]
fn a_probe_that_is_new_is_known_where_others_tell() {
    let old = vec![made(Loud(1), 0), made(Loud(2), 0), made(Return, 1)];
    let new = vec![made(Loud(1), 1), made(Loud(2), 0), made(Return, 1)];
    assert_eq!(verdict(&old, &new, &[0]), fresh(&[1, 1]));
    // Either of the two may have thrown.
    assert_eq!(verdict(&old, &new, &[]), Verdict::FreshWithUnknownRow);
    assert_eq!(verdict(&new, &old, &[0]), fresh(&[0]));
    let quiet = vec![made(Quiet(1), 0), made(Quiet(2), 0), made(Loud(3), 0), made(Return, 1)];
    let more = vec![made(Quiet(1), 0), made(Quiet(2), 1), made(Loud(3), 0), made(Return, 1)];
    assert_eq!(verdict(&quiet, &more, &[]), fresh(&[1, 0]));
}

#[test]
fn steps_that_only_lead_on_do_not_count() {
    let old = vec![made(Quiet(1), 0), made(Loud(2), 0), made(Return, 1)];
    let new = vec![made(Goto(3), 1), made(Loud(2), 0), made(Return, 1), made(Quiet(1), 1), made(Goto(1), 0)];
    assert_eq!(verdict(&old, &new, &[0]), fresh(&[1, 1, 1]));
    assert_eq!(verdict(&old, &new, &[]), fresh(&[1, 0, 1]));
    assert_eq!(verdict(&new, &old, &[0, 2]), fresh(&[0]));
}

#[test]
fn going_round_for_ever_is_not_nothing() {
    let spins = vec![made(Goto(0), 1)];
    let returns = vec![made(Return, 1)];
    assert_eq!(verdict(&spins, &spins, &[0]), fresh(&[1]));
    assert_eq!(verdict(&spins, &returns, &[0]), Verdict::Stale);
    assert_eq!(verdict(&returns, &spins, &[0]), Verdict::Stale);
    let spins_in_three = vec![made(Goto(1), 1), made(Goto(2), 0), made(Goto(1), 1)];
    assert_eq!(verdict(&spins_in_three, &spins_in_three, &[0, 1]), fresh(&[1, 1]));
    assert_eq!(verdict(&spins_in_three, &returns, &[0, 1]), Verdict::Stale);
}

#[test]
fn a_changed_handler_counts_where_something_can_throw() {
    let body = |handlers: &[(u8, usize)], last: u8| {
        vec![
            caught(Quiet(1), 0, handlers),
            caught(Loud(2), 0, handlers),
            made(Return, 1),
            made(Loud(3), 0),
            made(Return, 1),
            made(Loud(last), 0),
            made(Return, 1),
        ]
    };
    let old = body(&[(1, 3), (2, 5)], 4);
    assert_eq!(verdict(&old, &old, &[0]), fresh(&[1, 0, 0]));
    let changes: [&[(u8, usize)]; 6] =
        [&[(1, 3)], &[(2, 5), (1, 3)], &[(1, 5), (2, 3)], &[(1, 3), (3, 5)], &[], &[(1, 3), (2, 5), (0, 5)]];
    for handlers in changes {
        assert_eq!(verdict(&old, &body(handlers, 4), &[0]), Verdict::Stale, "{handlers:?}");
    }
    // Whether the second handler was entered and threw nobody knows.
    assert_eq!(verdict(&old, &body(&[(1, 3), (2, 5)], 6), &[0]), Verdict::Stale);
}

#[test]
fn a_key_that_is_added_was_the_default_before() {
    let body = |keys: &[(i32, usize)], default| {
        let mut body = vec![made(Switch(keys.to_vec(), default), 0)];
        for what in 1..=4 {
            body.extend([made(Quiet(what), 0), made(Return, 1)]);
        }
        body
    };
    let old = body(&[(1, 1), (2, 3)], 5);
    let added = body(&[(1, 1), (2, 3), (3, 7)], 5);
    assert_eq!(verdict(&old, &added, &[0, 1]), fresh(&[1, 1, 0, 0]));
    assert_eq!(verdict(&old, &added, &[2]), Verdict::Stale);
    assert_eq!(verdict(&added, &old, &[2]), fresh(&[0, 0, 1, 0]));
    assert_eq!(verdict(&added, &old, &[3]), Verdict::Stale);
    let same = body(&[(1, 1), (2, 3), (3, 5), (9, 5)], 5);
    assert_eq!(verdict(&old, &same, &[2]), fresh(&[0, 0, 1, 0]));
    let swapped = body(&[(1, 3), (2, 1)], 5);
    assert_eq!(verdict(&old, &swapped, &[2]), fresh(&[0, 0, 1, 0]));
    assert_eq!(verdict(&old, &swapped, &[0]), Verdict::Stale);
}

#[test]
fn code_that_was_copied_is_met_in_both_places() {
    // `if (a) { x } else { y } z` becomes `if (a) { x z } else { y z }`.
    let old = vec![
        made(Branch(1, 3), 0),
        made(Quiet(2), 0),
        made(Goto(4), 1),
        made(Quiet(3), 1),
        made(Loud(4), 0),
        made(Return, 1),
    ];
    let new = vec![
        made(Branch(1, 4), 0),
        made(Quiet(2), 0),
        made(Loud(4), 0),
        made(Return, 1),
        made(Quiet(3), 0),
        made(Loud(4), 0),
        made(Return, 1),
    ];
    assert_eq!(verdict(&old, &new, &[0, 2]), fresh(&[1, 0]));
    assert_eq!(verdict(&old, &new, &[1, 2]), fresh(&[0, 1]));
    assert_eq!(verdict(&old, &new, &[0, 1]), fresh(&[0, 0]));
    // Which of the two returned is not told.
    assert_eq!(verdict(&old, &new, &[0, 1, 2]), Verdict::FreshWithUnknownRow);
    assert_eq!(verdict(&new, &old, &[0, 1]), fresh(&[1, 1, 1]));
    // Who threw is not told either.
    assert_eq!(verdict(&new, &old, &[1]), Verdict::FreshWithUnknownRow);
}

#[test]
fn calls_that_are_linked_on_their_own_are_not_copied() {
    let old = |what| vec![made(Branch(1, 2), 1), made(Quiet(2), 1), made(Loud(what), 0), made(Return, 1)];
    let new = |what| {
        vec![
            made(Branch(1, 4), 0),
            made(Quiet(2), 0),
            made(Loud(what), 0),
            made(Return, 1),
            made(Loud(what), 0),
            made(Return, 1),
        ]
    };
    assert_eq!(verdict(&old(3), &new(3), &[0, 2]), fresh(&[0, 1]));
    let linked = Opcode::INVOKEDYNAMIC.0;
    assert_eq!(verdict(&old(linked), &old(linked), &[0, 2]), fresh(&[1, 0, 1]));
    assert_eq!(verdict(&old(linked), &new(linked), &[0, 2]), Verdict::Stale);
    assert_eq!(verdict(&new(linked), &old(linked), &[1]), Verdict::Stale);
}

#[test]
fn a_part_of_a_row_is_known_where_probes_stand_on_the_same_ways() {
    let old = vec![made(Loud(1), 1), made(Loud(2), 0), made(Loud(3), 0), made(Return, 1)];
    let new = vec![made(Loud(1), 1), made(Loud(2), 1), made(Loud(3), 0), made(Return, 1)];
    let walk =
        |old: &[Made], new: &[Made]| BodyWalk::between(&assemble(old), &assemble(new)).expect("is small");
    // It was running already when the part began: that its second half ran says nothing of when the first did.
    let whole = [true, true, true];
    assert_eq!(walk(&old, &new).verdict(Some(true), |_| true), Verdict::Fresh(whole.to_vec()));
    assert_eq!(walk(&old, &new).part_of_row(&whole, |probe| probe == 1), None);
    assert_eq!(walk(&old, &old).part_of_row(&[true, true], |probe| probe == 1), Some(vec![false, true]));
    assert_eq!(walk(&new, &old).part_of_row(&[true, true], |probe| probe == 2), Some(vec![false, true]));
}

#[test]
fn bodies_that_are_entangled_beyond_measure_are_not_walked() {
    // Two circles whose lengths have nothing in common meet in every combination.
    let circle = |length: usize| {
        let mut body = vec![made(Loud(1), 0); length];
        body.push(made(Goto(0), 1));
        assemble(&body)
    };
    assert!(BodyWalk::between(&circle(97), &circle(101)).is_none());
    assert!(BodyWalk::between(&circle(97), &circle(97)).is_some());
}

/// How many steps a random body has.
const STEPS: usize = 7;

/// Targets lie ahead if the body is to have no circles.
fn bodies(has_circles: bool) -> impl Strategy<Value = Vec<Made>> {
    let target = 0..STEPS;
    let does = prop_oneof![
        3 => (1..4_u8).prop_map(Quiet),
        3 => (1..4_u8).prop_map(Loud),
        3 => ((4..6_u8), target.clone()).prop_map(|(what, target)| Branch(what, target)),
        1 => (vec((0..3_i32, target.clone()), 0..3), target.clone()).prop_map(|(mut keys, default)| {
            keys.sort_unstable();
            keys.dedup_by_key(|(key, _)| *key);
            Switch(keys, default)
        }),
        2 => target.clone().prop_map(Goto),
        1 => Just(Return),
        1 => Just(Throw),
    ];
    let step = (does, vec((0..3_u8, target), 0..3), any::<u8>());
    vec(step, STEPS - 1).prop_map(move |steps| {
        let steps = steps.into_iter().map(|(does, handlers, probes)| Made { does, handlers, probes });
        let mut body: Vec<Made> = steps.chain([made(Return, 1)]).collect();
        tidy(&mut body, has_circles);
        body
    })
}

/// Makes a body out of steps that somebody shuffled: the last returns, and what is caught is caught once.
fn tidy(body: &mut [Made], has_circles: bool) {
    let count = body.len();
    for (at, made) in body.iter_mut().enumerate() {
        let fit = |target: &mut usize| {
            *target =
                if has_circles { *target % count } else { (*target).clamp(at + 1, count.max(at + 2) - 1) }
        };
        match &mut made.does {
            Branch(_, target) | Goto(target) => fit(target),
            Switch(keys, default) => {
                keys.iter_mut().for_each(|(_, target)| fit(target));
                fit(default);
            }
            Quiet(_) | Loud(_) | Return | Throw => {}
        }
        made.handlers.iter_mut().for_each(|(_, target)| fit(target));
        let mut seen = BTreeSet::new();
        made.handlers.retain(|(kind, _)| !seen.contains(&0) && seen.insert(*kind));
    }
    if let Some(last) = body.last_mut() {
        *last = Made { does: Return, handlers: Vec::new(), probes: last.probes };
    }
}

/// A change of a body.
#[derive(Clone, Debug)]
enum Edit {
    Replace(usize, Made),
    Insert(usize, Made),
    Remove(usize),
    Probes(usize, u8),
    Handlers(usize, usize),
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let at = 0..STEPS;
    let step = || bodies(true).prop_map(|mut body| body.remove(0));
    let edit = prop_oneof![
        1 => (at.clone(), step()).prop_map(|(at, made)| Edit::Replace(at, made)),
        1 => (at.clone(), step()).prop_map(|(at, made)| Edit::Insert(at, made)),
        1 => at.clone().prop_map(Edit::Remove),
        4 => (at.clone(), any::<u8>()).prop_map(|(at, probes)| Edit::Probes(at, probes)),
        1 => (at.clone(), at).prop_map(|(at, from)| Edit::Handlers(at, from)),
    ];
    vec(edit, 0..3)
}

fn edited(body: &[Made], edits: &[Edit], has_circles: bool) -> Vec<Made> {
    let mut body = body.to_vec();
    for edit in edits {
        match edit {
            Edit::Replace(at, made) => {
                let at = *at % body.len();
                body[at] = made.clone();
            }
            Edit::Insert(at, made) => {
                shift(&mut body, |target| target + usize::from(target > *at));
                body.insert((*at).min(body.len()), made.clone());
            }
            Edit::Remove(at) if body.len() > 2 => {
                let at = *at % body.len();
                body.remove(at);
                shift(&mut body, |target| target - usize::from(target > at));
            }
            Edit::Remove(_) => {}
            Edit::Probes(at, probes) => {
                let at = *at % body.len();
                body[at].probes = *probes;
            }
            Edit::Handlers(at, from) => {
                let (at, from) = (*at % body.len(), *from % body.len());
                body[at].handlers = body[from].handlers.clone();
            }
        }
    }
    tidy(&mut body, has_circles);
    body
}

/// Moves all targets.
fn shift(body: &mut [Made], moved: impl Fn(usize) -> usize) {
    for made in body {
        match &mut made.does {
            Branch(_, target) | Goto(target) => *target = moved(*target),
            Switch(keys, default) => {
                keys.iter_mut().for_each(|(_, target)| *target = moved(*target));
                *default = moved(*default);
            }
            Quiet(_) | Loud(_) | Return | Throw => {}
        }
        made.handlers.iter_mut().for_each(|(_, target)| *target = moved(*target));
    }
}

/// What can be seen of one run: what it did, what it decided on, and the probes that it hit.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Run {
    did: Vec<(Vec<u8>, Option<Role>)>,
    probes: BTreeSet<u32>,
}

/// How a decision is made: what is thrown, what is compared and what is switched on are numbers from outside.
type Decide<'d> = &'d mut dyn FnMut(usize) -> Option<usize>;

/// Runs a body; nothing if it did not end.
fn run(body: &[Made], steps: &BodySteps, decide: Decide<'_>) -> Option<Run> {
    let mut run = Run::default();
    let mut at = 0;
    loop {
        let (made, step) = (&body[at], &steps.steps[at]);
        let role = match &made.does {
            Goto(_) | Quiet(_) => Role::Next,
            Loud(_) => match decide(5)? {
                0 => Role::Next,
                kind => thrown(made, kind - 1),
            },
            Throw => thrown(made, decide(4)?),
            Branch(..) => [Role::Next, Role::Jump][decide(2)?],
            Switch(keys, _) => {
                let key = decide(4)? as i32;
                if keys.iter().any(|(known, _)| *known == key) { Role::Key(key) } else { Role::Default }
            }
            Return => Role::Exit,
        };
        let way = step.ways.iter().find(|(known, _)| *known == role).expect("there is such a way").1;
        // A key that another version does not have is no other decision: what follows tells.
        let seen = Some(role).filter(|role| !matches!(role, Role::Key(_) | Role::Default));
        match made.does {
            Goto(_) => decide(1).map(|_| ())?,
            _ => run.did.push((steps.form(step).to_vec(), seen)),
        }
        run.probes.extend(way.probe);
        match way.to {
            Some(to) => at = to as usize,
            None => return Some(run),
        }
    }
}

/// The handler that gets what is thrown. The last kind is caught by none: it stands for a recording that ended meanwhile.
fn thrown(made: &Made, kind: usize) -> Role {
    if kind == 3 {
        return Role::Uncaught;
    }
    let catches = |(caught, _): &(u8, usize)| *caught == 0 || usize::from(*caught) == kind;
    made.handlers.iter().position(catches).map_or(Role::Uncaught, |number| Role::Thrown(number as u32))
}

/// Decisions from a list, as many as there are.
fn decisions(choices: &[u8]) -> impl FnMut(usize) -> Option<usize> + '_ {
    let mut choices = choices.iter();
    move |of| choices.next().map(|choice| usize::from(*choice) % of)
}

/// All runs of a body without circles, in both versions: each list of decisions once.
fn all_runs(old: &[Made], new: &[Made]) -> Vec<(Run, Option<Run>)> {
    let (old_steps, new_steps) = (assemble(old), assemble(new));
    let mut runs = BTreeSet::new();
    let mut taken: Vec<(usize, usize)> = Vec::new();
    loop {
        let mut next = 0;
        let mut decide = |of: usize| {
            if next == taken.len() {
                taken.push((0, of));
            }
            next += 1;
            Some(taken[next - 1].0)
        };
        let of_old = run(old, &old_steps, &mut decide).expect("ends");
        // The new version decides the same as long as it asks the same.
        let mut asked = taken.iter().filter(|(_, of)| *of > 1);
        let mut repeat = |of: usize| match of {
            1 => Some(0),
            _ => asked.next().filter(|(_, known)| *known == of).map(|(choice, _)| *choice),
        };
        let of_new = run(new, &new_steps, &mut repeat);
        runs.insert((of_old, of_new));
        while taken.last().is_some_and(|(choice, of)| choice + 1 == *of) {
            taken.pop();
        }
        match taken.last_mut() {
            Some((choice, _)) => *choice += 1,
            None => return runs.into_iter().collect(),
        }
    }
}

/// The verdict as it is defined, from all runs that there can be.
fn defined(runs: &[(Run, Option<Run>)], hits: &BTreeSet<u32>, new_probes: u32) -> Verdict {
    let possible: Vec<_> = runs.iter().filter(|(old, _)| old.probes.is_subset(hits)).collect();
    let hit_by = |runs: &mut dyn Iterator<Item = &Run>| -> BTreeSet<u32> {
        runs.flat_map(|run| run.probes.iter().copied()).collect()
    };
    let explains = |allowed: &dyn Fn(&Run) -> bool| {
        let mut allowed = possible.iter().filter(|(_, new)| new.as_ref().is_some_and(allowed)).peekable();
        allowed.peek().is_some() && hit_by(&mut allowed.map(|(old, _)| old)) == *hits
    };
    let differs = |(old, new): &&(Run, Option<Run>)| new.as_ref().is_none_or(|new| new.did != old.did);
    if possible.iter().any(differs) || !explains(&|_| true) {
        return Verdict::Stale;
    }
    let row = (0..new_probes).map(|probe| {
        let may = possible.iter().any(|(_, new)| new.as_ref().is_some_and(|new| new.probes.contains(&probe)));
        let must = !explains(&|new: &Run| !new.probes.contains(&probe));
        (may == must).then_some(may)
    });
    row.collect::<Option<Vec<bool>>>().map_or(Verdict::FreshWithUnknownRow, Verdict::Fresh)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    /// Neither wrong nor less exact than it could be: the same as when all runs are listed.
    #[test]
    fn the_verdict_is_what_all_runs_together_say(
        old in bodies(false),
        edits in edits(),
        some in vec(any::<prop::sample::Index>(), 1..4),
        stray in prop::option::weighted(0.1, 0..8_u32),
    ) {
        let new = edited(&old, &edits, false);
        let runs = all_runs(&old, &new);
        let (old_steps, new_steps) = (assemble(&old), assemble(&new));
        let mut hits: BTreeSet<u32> = BTreeSet::new();
        for index in &some {
            hits.extend(&index.get(&runs).0.probes);
        }
        hits.extend(stray.filter(|probe| *probe < old_steps.probes));
        let walk = BodyWalk::between(&old_steps, &new_steps).expect("is small");
        let verdict = walk.verdict(Some(true), |probe| hits.contains(&probe));
        prop_assert_eq!(verdict, defined(&runs, &hits, new_steps.probes), "{:?} {:?} {:?}", old, new, hits);
    }

    /// With circles there is no end of runs, but for those that were, it must be right.
    #[test]
    fn what_ran_does_the_same_where_it_is_fresh(
        old in bodies(true),
        edits in edits(),
        choices in vec(vec(any::<u8>(), 30), 1..4),
    ) {
        let new = edited(&old, &edits, true);
        let (old_steps, new_steps) = (assemble(&old), assemble(&new));
        let (mut hits, mut row) = (BTreeSet::<u32>::new(), BTreeSet::<u32>::new());
        let (mut is_same, mut ended) = (true, false);
        for choices in &choices {
            let quiet_limit = &mut 0;
            let Some(of_old) = run(&old, &old_steps, &mut limited(choices, quiet_limit)) else { continue };
            let of_new = run(&new, &new_steps, &mut limited(choices, quiet_limit));
            hits.extend(&of_old.probes);
            ended = true;
            is_same &= of_new.as_ref().is_some_and(|of_new| of_new.did == of_old.did);
            row.extend(of_new.unwrap_or_default().probes);
        }
        // Runs that do not end say nothing.
        let Some(walk) = BodyWalk::between(&old_steps, &new_steps).filter(|_| ended) else { return Ok(()) };
        match walk.verdict(Some(true), |probe| hits.contains(&probe)) {
            Verdict::Stale => {}
            Verdict::FreshWithUnknownRow => prop_assert!(is_same),
            Verdict::Fresh(probes) => {
                prop_assert!(is_same);
                let expected: Vec<bool> = (0..new_steps.probes).map(|probe| row.contains(&probe)).collect();
                prop_assert_eq!(probes, expected);
            }
        }
    }
}

/// Decisions from a list; what goes round without deciding is stopped.
fn limited<'c>(choices: &'c [u8], quiet: &'c mut usize) -> impl FnMut(usize) -> Option<usize> + 'c {
    let mut next = decisions(choices);
    *quiet = 0;
    move |of| {
        *quiet += usize::from(of == 1);
        if of == 1 { (*quiet < 1000).then_some(0) } else { next(of) }
    }
}
