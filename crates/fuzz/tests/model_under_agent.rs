//! Programs of the model under the agent: no class that the model asks for is missing in a trace, each that is there beyond those
//! has a reason, and the same bodies were entered. The long check does the same with thousands.

use probity_fuzz::model::under_agent;
use probity_model::emit::Extra;
use probity_test_support::java::test_jdks;

const PROGRAMS: usize = 160;

#[test]
fn traces_have_what_the_model_asks_for() {
    let reports = under_agent(60, PROGRAMS as u64, &|_| {}).unwrap_or_else(|failure| panic!("{failure}"));
    assert_eq!(reports.len(), test_jdks().len());
    for report in reports {
        assert_eq!(report.differences.first(), None, "{} differ", report.differences.len());
        assert_eq!((report.right, report.not_written), (PROGRAMS, 0));
        // Most traces have nothing else, and each reason for something else was met.
        assert!(report.equal > PROGRAMS / 2 && report.equal < PROGRAMS, "{report:?}");
        assert!(Extra::ALL.iter().all(|reason| report.extra.contains_key(reason)), "{report:?}");
        assert!(report.asked_for > PROGRAMS * 3 && report.entered > PROGRAMS * 3, "{report:?}");
    }
}
