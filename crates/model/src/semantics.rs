//! Semantics, collection semantics and selection in general, and what follows for all of them.
//!
//! These are the definitions of the safety argument, free of any machine. A semantics says what may come after a state; with a
//! collector it also says what is learnt at each step; a selection uses what was learnt to tell whether a test need not
//! be run. The laws are tested on more than one semantics, one of them with choice, so nothing here may assume that there is one
//! successor.

use std::hash::Hash;

/// A small-step semantics.
pub trait Semantics {
    /// What is run.
    type Program;
    /// What is known at one moment.
    type State: Clone + Eq + Hash;

    /// What may come after a state.
    fn small(&self, program: &Self::Program, state: &Self::State) -> Vec<Self::State>;

    /// Whether the run is over. End states have no successors under any program.
    fn is_end(&self, state: &Self::State) -> bool;
}

/// What is learnt at each step.
pub trait CollectionSemantics: Semantics {
    /// What was learnt.
    type Collection: Clone + Eq + Hash;

    /// Nothing.
    fn nothing(&self) -> Self::Collection;

    /// Both, the first learnt before the second. It is associative, and nothing is neutral.
    fn combine(&self, first: &Self::Collection, second: &Self::Collection) -> Self::Collection;

    /// What is learnt at a step.
    fn collect(
        &self,
        program: &Self::Program,
        before: &Self::State,
        behind: &Self::State,
    ) -> Self::Collection;
}

/// A way to tell which tests need not be run. It is safe if every outcome that lets a test be skipped is still one.
pub trait Selection {
    /// A revision of a program.
    type Revision;
    /// A test.
    type Test;
    /// How a test can end.
    type Output: Clone;

    /// How a test can end on a program.
    ///
    /// # Errors
    ///
    /// Fails if some runs do not end within the bound.
    fn outputs(
        &self,
        program: &Self::Revision,
        test: &Self::Test,
        fuel: u32,
    ) -> Result<Vec<Self::Output>, OutOfFuel>;

    /// Whether an outcome means that the test need not be run on another program.
    fn deselects(&self, old: &Self::Revision, output: &Self::Output, new: &Self::Revision) -> bool;

    /// Whether two outcomes count as the same. It is an equivalence, and equivalent outcomes are deselected alike.
    fn equivalent(&self, one: &Self::Output, two: &Self::Output) -> bool;

    /// Whether safety is claimed for a program and a test.
    fn is_valid(&self, program: &Self::Revision, test: &Self::Test) -> bool;
}

/// A selection by what was collected. Its outputs are the ends of a program that runs the test, with what is known at the start.
pub trait CollectionSelection:
    CollectionSemantics + Selection<Revision = <Self as Semantics>::Program, Output = Outcome<Self>>
{
    /// The program that runs a test.
    fn test_program(&self, program: &Self::Program, test: &Self::Test) -> Self::Program;

    /// The state in which a test starts.
    fn start(&self, test_program: &Self::Program) -> Self::State;

    /// What is known of a test before it runs.
    fn collected_at_start(&self, test_program: &Self::Program) -> Self::Collection;
}

/// An end state, and what was collected on the way.
pub type Outcome<S> = (<S as Semantics>::State, <S as CollectionSemantics>::Collection);

/// Some runs do not end within the bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfFuel;

/// The states after so many steps, found by taking the first step first.
pub fn after_from_front<S: Semantics>(
    semantics: &S,
    program: &S::Program,
    state: &S::State,
    steps: u32,
) -> Vec<S::State> {
    let Some(rest) = steps.checked_sub(1) else { return vec![state.clone()] };
    let next = semantics.small(program, state).into_iter();
    distinct(next.flat_map(|state| after_from_front(semantics, program, &state, rest)))
}

/// The states after so many steps, found by taking the last step last.
pub fn after_from_back<S: Semantics>(
    semantics: &S,
    program: &S::Program,
    state: &S::State,
    steps: u32,
) -> Vec<S::State> {
    let mut states = vec![state.clone()];
    for _ in 0..steps {
        states = distinct(states.iter().flat_map(|state| semantics.small(program, state)));
    }
    states
}

/// The end states that can be reached, each with the number of steps.
///
/// # Errors
///
/// Fails if some runs do not end within the bound.
pub fn big<S: Semantics>(
    semantics: &S,
    program: &S::Program,
    state: &S::State,
    fuel: u32,
) -> Result<Vec<(S::State, u32)>, OutOfFuel> {
    let mut ends = Vec::new();
    let mut states = vec![state.clone()];
    for steps in 0..=fuel {
        let (ended, running): (Vec<_>, Vec<_>) =
            states.into_iter().partition(|state| semantics.is_end(state));
        ends.extend(ended.into_iter().map(|state| (state, steps)));
        if running.is_empty() {
            return Ok(ends);
        }
        states = distinct(running.iter().flat_map(|state| semantics.small(program, state)));
    }
    Err(OutOfFuel)
}

/// What may come after a state, with what is learnt at the step.
pub fn collecting_small<S: CollectionSemantics>(
    semantics: &S,
    program: &S::Program,
    state: &S::State,
) -> Vec<Outcome<S>> {
    let next = semantics.small(program, state).into_iter();
    next.map(|next| {
        let learnt = semantics.collect(program, state, &next);
        (next, learnt)
    })
    .collect()
}

/// The end states that can be reached, with what was learnt on the way.
///
/// # Errors
///
/// Fails if some runs do not end within the bound.
pub fn collecting_big<S: CollectionSemantics>(
    semantics: &S,
    program: &S::Program,
    state: &S::State,
    fuel: u32,
) -> Result<Vec<Outcome<S>>, OutOfFuel> {
    let mut ends = Vec::new();
    let mut running = vec![(state.clone(), semantics.nothing())];
    for _ in 0..=fuel {
        let mut next = Vec::new();
        for (state, known) in &running {
            if semantics.is_end(state) {
                ends.push((state.clone(), known.clone()));
            }
            let steps = collecting_small(semantics, program, state).into_iter();
            next.extend(steps.map(|(state, learnt)| (state, semantics.combine(known, &learnt))));
        }
        if next.is_empty() {
            return Ok(distinct(ends));
        }
        running = distinct(next);
    }
    Err(OutOfFuel)
}

/// The ends of the program that runs a test, with what is known at the start: what the outputs of a test must be.
///
/// # Errors
///
/// Fails if some runs do not end within the bound.
pub fn ends_of_test<S: CollectionSelection>(
    selection: &S,
    program: &S::Program,
    test: &S::Test,
    fuel: u32,
) -> Result<Vec<Outcome<S>>, OutOfFuel> {
    let whole = selection.test_program(program, test);
    let ends = collecting_big(selection, &whole, &selection.start(&whole), fuel)?;
    let known = selection.collected_at_start(&whole);
    Ok(ends.into_iter().map(|(state, learnt)| (state, selection.combine(&learnt, &known))).collect())
}

/// What is wrong with a selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotSafe<O> {
    /// Some runs do not end within the bound, so nothing is known.
    OutOfFuel,
    /// This outcome let the test be skipped, and is none any more.
    Lost(O),
}

/// Whether every outcome of the first of some revisions that lets the test be skipped at each next one is still an outcome of the
/// last. The revisions are judged in pairs, always with the old outcome. Gives the number of outcomes that are skipped all the way.
///
/// # Errors
///
/// An outcome that is lost, or no answer if runs do not end.
pub fn is_existence_safe<S: Selection>(
    selection: &S,
    revisions: &[S::Revision],
    test: &S::Test,
    fuel: u32,
) -> Result<u64, NotSafe<S::Output>> {
    let [first, .., last] = revisions else { return Ok(0) };
    let before = selection.outputs(first, test, fuel).map_err(|OutOfFuel| NotSafe::OutOfFuel)?;
    let behind = selection.outputs(last, test, fuel).map_err(|OutOfFuel| NotSafe::OutOfFuel)?;
    let mut skipped = 0;
    for output in before {
        let mut pairs = revisions.iter().zip(revisions.iter().skip(1));
        if !pairs.all(|(old, new)| selection.deselects(old, &output, new)) {
            continue;
        }
        skipped += 1;
        if !behind.iter().any(|other| selection.equivalent(&output, other)) {
            return Err(NotSafe::Lost(output));
        }
    }
    Ok(skipped)
}

fn distinct<T: Clone + Eq + Hash>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut seen = std::collections::HashSet::new();
    items.into_iter().filter(|item| seen.insert(item.clone())).collect()
}
