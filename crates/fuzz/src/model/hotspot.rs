//! Programs of the model on the JVMs of all installed JDKs.

use probity_model::emit::Form;
use probity_model::generate::{Subject, subject};
use probity_model::random::Chance;
use probity_test_support::java::installed_jdks;

use super::failed;
use crate::failure::Failure;
use crate::model_jvm::{Judge, Verdict};

/// How many programs one JVM runs.
const BATCH: usize = 500;

/// What came of one JDK.
#[derive(Debug)]
pub struct HotSpotReport {
    /// The version of the JDK.
    pub jdk: String,
    /// Programs that did what the model says, in all forms together.
    pub same: usize,
    /// Among them, those that ended with an exception.
    pub thrown: usize,
    /// Among them, those that left a class failed.
    pub failed: usize,
    /// Programs whose linked classes are those whose initialisation the model calls.
    pub linked_same: usize,
    /// Programs that cannot be written as class files.
    pub not_written: usize,
    /// Differences, each with the whole case.
    pub differences: Vec<String>,
}

/// Runs programs on each JDK, a quarter of them in each form.
///
/// # Errors
///
/// Fails when there is no JDK or one cannot be run.
pub fn hotspot(seed: u64, programs: u64, progress: &dyn Fn(&str)) -> Result<Vec<HotSpotReport>, Failure> {
    let jdks = installed_jdks();
    if jdks.is_empty() {
        return Err(failed("there is no JDK to compare the model with".to_owned()));
    }
    let mut reports = Vec::new();
    for jdk in &jdks {
        let judge = Judge::new(jdk).map_err(failed)?;
        let mut sum = Verdict::default();
        for (form, number) in Form::ALL.into_iter().zip(0..) {
            let share = (number * programs).div_ceil(4)..((number + 1) * programs).div_ceil(4);
            let subjects: Vec<Subject> =
                share.map(|task| subject(&mut Chance::of_task(seed, task))).collect();
            for batch in subjects.chunks(BATCH) {
                sum.add(judge.judge(batch, form).map_err(failed)?);
                sum.add(judge.judge_links(batch, form).map_err(failed)?);
            }
        }
        progress(&format!("JDK {}: {} programs do the same", jdk.version(), sum.same));
        let Verdict { same, thrown, failed, linked_same, not_written, differences } = sum;
        let jdk = jdk.version().to_string();
        reports.push(HotSpotReport { jdk, same, thrown, failed, linked_same, not_written, differences });
    }
    Ok(reports)
}
