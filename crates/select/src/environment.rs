//! Whether the JVM that would run is as good as the one that ran.

use crate::reason::Reason;
use probity_trace::{Environment, Trace, is_usual_property};

/// What is different in a way that can matter to a unit.
pub(crate) fn differences(trace: &Trace, now: &Environment) -> Vec<Reason> {
    let before = &trace.environment;
    let mut reasons = Vec::new();
    if before.agent != now.agent {
        reasons.push(Reason::Agent);
    }
    if before.jdk != now.jdk {
        reasons.push(Reason::Jdk { before: before.jdk.clone(), now: now.jdk.clone() });
    }
    let that_count = |flags: &[String]| -> Vec<String> {
        flags.iter().filter(|flag| can_matter(trace, flag)).cloned().collect()
    };
    let (flags_before, flags_now) = (that_count(&before.flags), that_count(&now.flags));
    if flags_before != flags_now {
        reasons.push(Reason::Flag(first_difference(&flags_before, &flags_now)));
    }
    reasons
}

/// Whether an option can matter to a unit. One that sets a property matters to those that read it, unless the JDK does.
fn can_matter(trace: &Trace, flag: &str) -> bool {
    let Some(setting) = flag.strip_prefix("-D") else { return true };
    let name = setting.split_once('=').map_or(setting, |(name, _)| name);
    is_usual_property(name)
        || trace.properties.iter().any(|read| read.name.as_deref().is_none_or(|read| read == name))
}

/// The first option that one list has and the other has not; if only the order is different, the first that stands elsewhere.
fn first_difference(before: &[String], now: &[String]) -> String {
    let gone = before.iter().find(|flag| !now.contains(flag));
    let new = now.iter().find(|flag| !before.contains(flag));
    let moved = before.iter().zip(now).find(|(one, other)| one != other).map(|(one, _)| one);
    new.or(gone).or(moved).or(before.first()).or(now.first()).cloned().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use probity_trace::SettingUse;

    fn environment(flags: &[&str]) -> Environment {
        Environment { flags: flags.iter().map(|&flag| flag.to_owned()).collect(), ..Environment::default() }
    }

    fn trace(flags: &[&str], read: &[Option<&str>]) -> Trace {
        let properties = read.iter().map(|name| SettingUse { name: name.map(str::to_owned), value: None });
        Trace { environment: environment(flags), properties: properties.collect(), ..Trace::default() }
    }

    #[test]
    fn a_property_counts_for_those_that_read_it() {
        let now = environment(&["-Xmx1g", "-Da=2"]);
        assert_eq!(differences(&trace(&["-Xmx1g", "-Da=1"], &[Some("b")]), &now), []);
        let flag = |flag: &str| [Reason::Flag(flag.to_owned())];
        assert_eq!(differences(&trace(&["-Xmx1g", "-Da=1"], &[Some("a")]), &now), flag("-Da=2"));
        assert_eq!(differences(&trace(&["-Xmx1g", "-Da=1"], &[None]), &now), flag("-Da=2"));
        assert_eq!(differences(&trace(&["-Xmx1g"], &[Some("a")]), &now), flag("-Da=2"));
        assert_eq!(differences(&trace(&["-Da=2"], &[]), &now), flag("-Xmx1g"));
    }

    #[test]
    fn what_the_jdk_looks_at_counts_for_all() {
        let now = environment(&["-Duser.language=de"]);
        assert_eq!(differences(&trace(&[], &[]), &now), [Reason::Flag("-Duser.language=de".to_owned())]);
    }

    #[test]
    fn another_jdk_or_agent_counts() {
        let now = Environment { jdk: "25".into(), agent: "2".into(), ..Environment::default() };
        let reasons = differences(&trace(&[], &[]), &now);
        assert_eq!(reasons, [Reason::Agent, Reason::Jdk { before: String::new(), now: "25".into() }]);
    }
}
