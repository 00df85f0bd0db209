//! Tries something on many cases, on all cores and on the JDK that each is meant for.
//!
//! A case that cannot be tried, because its JDK is missing or it does not compile, counts as a problem: it must never look
//! like a success.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::case::Case;
use super::error::CaseError;
use super::workshop::Workshop;
use crate::java::installed_jdks;

/// Tries each case and gives back what was found, sorted, each line with the case it is about.
///
/// `jdk_of` is [`Case::jdk`] unless the caller wants another one. What `try_case` gives back are problems, or whatever the
/// caller looks for.
///
/// # Errors
///
/// Fails when a JDK is not installed or does not work. Errors of single cases are among what is given back.
pub fn try_each(
    cases: &[Case],
    jdk_of: impl Fn(&Case) -> u32 + Sync,
    try_case: impl Fn(&Case, &Workshop) -> Result<Vec<String>, CaseError> + Sync,
) -> Result<Vec<String>, CaseError> {
    let workshops = open_workshops(cases, &jdk_of)?;
    let next = AtomicUsize::new(0);
    let found = Mutex::new(Vec::new());
    let work = || {
        while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            let lines = match workshops.get(&jdk_of(case)) {
                Some(workshop) => try_case(case, workshop).unwrap_or_else(|error| vec![error.to_string()]),
                None => vec!["was not tried".to_owned()],
            };
            let lines = lines.iter().map(|line| format!("{}/{}: {line}", case.group, case.name));
            found.lock().unwrap_or_else(PoisonError::into_inner).extend(lines);
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(work);
        }
    });
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.sort();
    Ok(found)
}

/// A workshop for each JDK that some case needs.
fn open_workshops(
    cases: &[Case],
    jdk_of: impl Fn(&Case) -> u32,
) -> Result<BTreeMap<u32, Workshop>, CaseError> {
    let jdks = installed_jdks();
    let mut workshops = BTreeMap::new();
    for case in cases {
        let version = jdk_of(case);
        if workshops.contains_key(&version) {
            continue;
        }
        let jdk = jdks.iter().find(|jdk| jdk.feature_version() == version);
        let jdk = jdk.ok_or_else(|| CaseError::NoJdk { case: case.name.clone(), version })?;
        workshops.insert(version, Workshop::open(jdk)?);
    }
    Ok(workshops)
}
