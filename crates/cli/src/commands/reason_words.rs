//! Why a unit must run, in words.

use probity_engine::selection::{ClassPart, ClassReason, MemberChange, MemberKind, Reason, SeenBy, State};
use probity_engine::traces::with_dots;

/// A state as one word.
pub(crate) fn state_word(state: State) -> &'static str {
    match state {
        State::Fresh => "fresh",
        State::Stale => "stale",
        State::New => "new",
        State::Unknown => "unknown",
    }
}

/// What a reason is about, as one word.
pub(crate) fn reason_kind(reason: &Reason) -> &'static str {
    match reason {
        Reason::New => "new",
        Reason::Failed => "failed",
        Reason::Distrusted(_) => "distrusted",
        Reason::Processes => "processes",
        Reason::Class { .. } => "class",
        Reason::ClassAppeared(_) => "absent class",
        Reason::File(_) => "file",
        Reason::Resource(_) => "resource",
        Reason::Variable(_) | Reason::AllVariables => "variable",
        Reason::Jdk { .. } => "jdk",
        Reason::Flag(_) => "flag",
        Reason::Agent => "agent",
        Reason::Together(_) => "together",
        _ => "unknown",
    }
}

/// What a reason names: a class, a file, a variable.
pub(crate) fn reason_name(reason: &Reason) -> Option<String> {
    match reason {
        Reason::Class { name, .. } | Reason::ClassAppeared(name) => Some(with_dots(name)),
        Reason::File(name) | Reason::Resource(name) | Reason::Variable(name) | Reason::Together(name) => {
            Some(name.clone())
        }
        Reason::Flag(flag) => Some(flag.clone()),
        _ => None,
    }
}

/// The member that a reason names, if it is about one.
pub(crate) fn reason_member(reason: &Reason) -> Option<&str> {
    match reason {
        Reason::Class {
            what:
                ClassReason::Member { member, .. }
                | ClassReason::Body(member)
                | ClassReason::Lines(member)
                | ClassReason::Probes(member),
            ..
        } => Some(member),
        _ => None,
    }
}

/// A reason as a sentence without its subject, which is the unit.
pub(crate) fn in_words(reason: &Reason) -> String {
    match reason {
        Reason::New => "was never recorded".to_owned(),
        Reason::Failed => "failed when it ran last".to_owned(),
        Reason::Distrusted(why) => format!("cannot be trusted: {why}"),
        Reason::Processes => "starts processes, which nobody followed".to_owned(),
        Reason::Class { name, what } => class_in_words(&with_dots(name), what),
        Reason::ClassAppeared(name) => format!("looked for {}, which is there now", with_dots(name)),
        Reason::File(path) => format!("uses the file {path}, which is different"),
        Reason::Resource(name) => format!("uses the resource {name}, which is different"),
        Reason::Variable(name) => format!("reads the variable {name}, which is different"),
        Reason::AllVariables => "reads all environment variables, and they are different".to_owned(),
        Reason::Jdk { before, now } => format!("ran on JDK {before}, and now there is {now}"),
        Reason::Flag(flag) => format!("depends on the option {flag}, which is different"),
        Reason::Agent => "was recorded by another version of the agent".to_owned(),
        Reason::Together(unit) => format!("ran at the same time as {unit}, which must run"),
        Reason::Unknown(why) => format!("depends on something that cannot be read: {why}"),
        _ => "must run".to_owned(),
    }
}

fn class_in_words(name: &str, what: &ClassReason) -> String {
    match what {
        ClassReason::Gone => format!("uses {name}, which is gone"),
        ClassReason::Moved(place) => format!("uses {name}, which now comes from {place}"),
        ClassReason::Unreadable(why) => format!("uses {name}, which cannot be read: {why}"),
        ClassReason::Bytes | ClassReason::Contents => format!("uses {name}, which is different"),
        ClassReason::Part(part) => format!("uses {name}, of which {} are different", part_in_words(*part)),
        ClassReason::Member { kind, member, change, seen_by } => {
            let kind = match kind {
                MemberKind::Field => "field",
                MemberKind::Method => "method",
            };
            format!(
                "uses {name}, whose {kind} {member} {}; {}",
                change_in_words(*change),
                seen_in_words(*seen_by)
            )
        }
        ClassReason::Body(method) => format!("entered {name}.{method}, whose body is different"),
        ClassReason::Lines(method) => {
            format!("reads stack traces and entered {name}.{method}, whose lines are different")
        }
        ClassReason::Source => format!("reads stack traces and ran {name}, whose source has another name"),
        ClassReason::Probes(method) => {
            format!("covers {name}.{method}, whose lines are different, so that its coverage is not known")
        }
        _ => format!("uses {name}"),
    }
}

fn part_in_words(part: ClassPart) -> &'static str {
    match part {
        ClassPart::Header => "version, flags or supertypes",
        ClassPart::Generics => "type parameters",
        ClassPart::Annotations | ClassPart::InvisibleAnnotations => "annotations",
        ClassPart::Nesting => "nested classes",
        ClassPart::NestHost | ClassPart::NestMember => "nest mates",
        ClassPart::Record => "record components",
        ClassPart::PermittedSubclass => "permitted subclasses",
        ClassPart::Module => "module declarations",
        ClassPart::Other => "attributes",
    }
}

fn change_in_words(change: MemberChange) -> &'static str {
    match change {
        MemberChange::Added => "is new",
        MemberChange::Removed => "is gone",
        MemberChange::Access => "has other flags",
        MemberChange::Constant => "has another value",
        MemberChange::Declaration => "is declared differently",
    }
}

fn seen_in_words(seen_by: SeenBy) -> &'static str {
    match seen_by {
        SeenBy::Entering => "it was entered",
        SeenBy::Name => "code that ran names a member like that",
        SeenBy::Reflection => "the class was looked at by reflection",
        SeenBy::Jdk => "the JDK may call it",
        SeenBy::Initialisation => "the class was initialised",
    }
}
