//! The long check of the model, made short: it finds nothing, and what it counts does not depend on the number of threads.

use probity_fuzz::model::{Report, random, space};
use probity_model::campaign::Plan;

fn report(threads: usize) -> Report {
    let plan = Plan { seed: 3, revisions: 5, steps_every: 7 };
    let random = Some(random(&plan, 1_600, threads, &|_| {}));
    Report { seed: 3, random, space: Some(space(2, threads, &|_| {})), ..Report::default() }
}

#[test]
fn counts_are_the_same_for_any_number_of_threads() {
    let (one, three) = (report(1), report(3));
    assert_eq!(one.problems(), [""; 0]);
    assert_eq!(one.json(), three.json());
    assert_eq!(one.text(), three.text());
    let json = one.json();
    assert!(json["random"]["laws"]["M6"]["checks"].as_u64() > Some(500), "{json:#}");
    assert!(json["space"]["collectors"]["ekstazi-published"]["wrong"].as_u64() > Some(100), "{json:#}");
}
