//! What the change of a class can do to a unit that used it.
//!
//! Code that did not change sees a change through a name that it resolves, through a method that is chosen when it calls, through the
//! JDK, or by looking at the class. A change that none of these leads to makes no difference.

use crate::carry::{row, verdict};
use crate::class_diff::{BodyDiff, ClassDiff, MemberChange, MemberDiff, MemberKind};
use crate::level::Level;
use crate::reason::{ClassReason, SeenBy};
use crate::unit_view::{UnitView, is_inspected, may_be_initialised};
use probity_shape::{BodyShape, BodyWalk, Shape, Verdict};
use probity_trace::{ClassUse, Hits};
use std::sync::Arc;

const ACC_PRIVATE: u16 = 2;
const ACC_STATIC: u16 = 8;
const ACC_INTERFACE: u16 = 0x200;
const ACC_ABSTRACT: u16 = 0x400;

/// The change of a class, and who asks what it does.
pub(crate) struct Effect<'a, 'u> {
    pub(crate) unit: &'a UnitView<'u>,
    pub(crate) used: &'a ClassUse,
    pub(crate) old: &'a Shape,
    pub(crate) diff: &'a ClassDiff,
    /// The two versions of a body walked together.
    pub(crate) walk: &'a dyn Fn(&BodyDiff) -> Option<Arc<BodyWalk>>,
}

impl Effect<'_, '_> {
    /// Why the unit can see the change; nothing if it cannot.
    pub(crate) fn reason(&self, level: Level) -> Option<ClassReason> {
        let hits = self.used.all_hits();
        let seen = match level {
            Level::Class => (!self.diff.is_debug_only()).then_some(ClassReason::Contents),
            Level::Method => {
                self.by_parts().or_else(|| self.by_members(&hits)).or_else(|| self.by_bodies(&hits))
            }
            Level::Edge => {
                self.by_parts().or_else(|| self.by_members(&hits)).or_else(|| self.by_places(&hits))
            }
        };
        seen.or_else(|| self.by_debug(&hits)).or_else(|| self.by_probes(&hits))
    }

    fn by_parts(&self) -> Option<ClassReason> {
        let visible = self.diff.visible.first().filter(|_| is_inspected(self.used));
        self.diff.binding.first().or(visible).copied().map(ClassReason::Part)
    }

    fn by_members(&self, hits: &Hits) -> Option<ClassReason> {
        self.diff.members.iter().find_map(|member| {
            let seen_by = match member.kind {
                MemberKind::Field => self.field_seen_by(member),
                MemberKind::Method => self.method_seen_by(member, hits),
            };
            let (kind, change) = (member.kind, member.change);
            seen_by.map(|seen_by| ClassReason::Member { kind, member: member.label(), change, seen_by })
        })
    }

    fn field_seen_by(&self, field: &MemberDiff) -> Option<SeenBy> {
        if is_inspected(self.used) {
            return Some(SeenBy::Reflection);
        }
        let is_named = field.change != MemberChange::Declaration
            && self.unit.may_name_field(&self.used.name, field.key());
        is_named.then_some(SeenBy::Name)
    }

    fn method_seen_by(&self, method: &MemberDiff, hits: &Hits) -> Option<SeenBy> {
        let (class, name, descriptor) = (&self.used.name, &method.name, &method.descriptor);
        if is_inspected(self.used) {
            return Some(SeenBy::Reflection);
        }
        if method.change == MemberChange::Declaration {
            return None;
        }
        if name == "<clinit>" {
            return may_be_initialised(self.used).then_some(SeenBy::Initialisation);
        }
        if self.initialises_interface(method) {
            return Some(SeenBy::Initialisation);
        }
        let before = method.before.and_then(|position| self.old.methods.get(position));
        if before.is_some_and(|before| hits.enter(before)) {
            return Some(SeenBy::Entering);
        }
        if name == "<init>" {
            return self.unit.may_name_constructor(class, method.key()).then_some(SeenBy::Name);
        }
        if self.unit.may_name_method(class, method.key()) {
            return Some(SeenBy::Name);
        }
        if !can_be_chosen(method) {
            return None;
        }
        if self.unit.is_inspected_above(class, name, descriptor) {
            return Some(SeenBy::Reflection);
        }
        // A body that is gone would have been entered.
        let is_body_gone =
            method.change == MemberChange::Removed && before.is_some_and(|before| before.body.is_some());
        (!is_body_gone && self.unit.may_jdk_call(class, name, descriptor)).then_some(SeenBy::Jdk)
    }

    /// Whether a method makes a difference to when an interface is initialised: with a class that implements it, if it has methods
    /// with bodies that are called on instances.
    fn initialises_interface(&self, method: &MemberDiff) -> bool {
        let has_initialiser = self.old.methods.iter().any(|method| method.name == "<clinit>");
        let is_default = |access: &u16| access & (ACC_STATIC | ACC_ABSTRACT) == 0;
        self.old.access & ACC_INTERFACE != 0
            && has_initialiser
            && method.access.iter().flatten().any(is_default)
    }

    fn by_bodies(&self, hits: &Hits) -> Option<ClassReason> {
        let changed = self.diff.bodies.iter().filter(|body| body.code);
        self.first_entered(changed, hits).map(ClassReason::Body)
    }

    /// A body counts if the unit may have come to a place where it is different.
    fn by_places(&self, hits: &Hits) -> Option<ClassReason> {
        let changed = self.diff.bodies.iter().filter(|body| body.code);
        let met = changed.filter(|body| {
            (self.walk)(body).is_none_or(|walk| {
                self.before(body).is_none_or(|before| verdict(&walk, before, hits) == Verdict::Stale)
            })
        });
        self.first_entered(met, hits).map(ClassReason::Body)
    }

    fn before(&self, body: &BodyDiff) -> Option<&BodyShape> {
        let [before, _] = body.positions;
        self.old.methods.get(before)?.body.as_ref()
    }

    fn by_debug(&self, hits: &Hits) -> Option<ClassReason> {
        if !self.unit.trace.reads_stack_traces {
            return None;
        }
        if self.diff.source && !hits.is_empty() {
            return Some(ClassReason::Source);
        }
        let changed = self.diff.bodies.iter().filter(|body| body.debug);
        self.first_entered(changed, hits).map(ClassReason::Lines)
    }

    /// The coverage of a method whose probes stand elsewhere may be not known, even if it does the same.
    fn by_probes(&self, hits: &Hits) -> Option<ClassReason> {
        let moved = self.diff.bodies.iter().filter(|body| body.probes || body.code);
        let lost = moved.filter(|body| {
            let row = || row(&*(self.walk)(body)?, self.before(body)?, hits, &self.used.hits);
            row().is_none()
        });
        self.first_entered(lost, &self.used.hits).map(ClassReason::Probes)
    }

    fn first_entered<'b>(
        &self,
        mut bodies: impl Iterator<Item = &'b BodyDiff>,
        hits: &Hits,
    ) -> Option<String> {
        let is_entered = |body: &&BodyDiff| {
            let [before, _] = body.positions;
            self.old.methods.get(before).is_none_or(|method| hits.enter(method))
        };
        bodies.find(is_entered).map(|body| format!("{}{}", body.name, body.descriptor))
    }
}

/// Whether calls of methods elsewhere can lead to a method: that it overrides them, or that they are chosen in its stead.
fn can_be_chosen(method: &MemberDiff) -> bool {
    method.access.iter().flatten().any(|access| access & (ACC_PRIVATE | ACC_STATIC) == 0)
}
