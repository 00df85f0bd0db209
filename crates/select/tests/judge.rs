//! What is decided about units, on small worlds that are written down here.

use std::collections::HashMap;
use std::sync::Arc;

use probity_select::{
    ClassReason, Found, Judge, Level, MemberChange, MemberKind, Reason, SeenBy, Tree, Verdict,
};
use probity_shape::{
    BodyShape, BodyWalk, ClassPart, ContentId, FieldShape, MemberKey, MethodShape, Reference, Shape,
    ShapeHash, Use,
};
use probity_trace::{
    ClassUse, Environment, FileState, FileUse, Hits, Outcome, Reason as Because, SettingUse, Test, Trace, Why,
};

/// A class: its methods have one probe each, in their order.
#[derive(Clone)]
struct Class(Shape);

impl Class {
    fn new(name: &str) -> Self {
        Self(Shape {
            content: ContentId::of(b""),
            class_id: 0,
            name: name.to_owned(),
            super_name: Some("java/lang/Object".to_owned()),
            interfaces: Vec::new(),
            access: 0x21,
            parts: vec![(ClassPart::Header, ShapeHash([0; 16]))],
            debug: ShapeHash([0; 16]),
            fields: Vec::new(),
            methods: Vec::new(),
        })
    }

    fn extends(mut self, name: &str) -> Self {
        self.0.super_name = Some(name.to_owned());
        self
    }

    fn method(mut self, name: &str, code: u8, names: &[(&str, &str, &str)]) -> Self {
        let probe = self.0.methods.len() as u32;
        let references = names.iter().map(|(class, member, descriptor)| Reference {
            instruction: 0,
            usage: if descriptor.starts_with('(') { Use::Call } else { Use::Field },
            class: (*class).to_owned(),
            member: Some(MemberKey::of(member, descriptor)),
        });
        self.0.methods.push(MethodShape {
            name: name.to_owned(),
            descriptor: "()V".to_owned(),
            access: 1,
            declaration: ShapeHash([0; 16]),
            body: Some(BodyShape {
                code: ShapeHash([code; 16]),
                debug: ShapeHash([0; 16]),
                probe_places: ShapeHash([0; 16]),
                probes: probe..probe + 1,
                entry_probe: None,
                references: references.collect(),
            }),
        });
        self
    }

    fn field(mut self, name: &str) -> Self {
        self.0.fields.push(FieldShape {
            name: name.to_owned(),
            descriptor: "I".to_owned(),
            access: 0,
            constant: None,
            declaration: ShapeHash([0; 16]),
        });
        self
    }

    fn edited(mut self, edit: impl FnOnce(&mut Shape)) -> Self {
        edit(&mut self.0);
        self
    }

    fn shape(&self) -> Arc<Shape> {
        let content = ContentId::of(format!("{:?}", self.0).as_bytes());
        Arc::new(Shape { content, ..self.0.clone() })
    }
}

/// The tree as it is now.
#[derive(Default)]
struct Now {
    classes: HashMap<String, ContentId>,
    shapes: HashMap<ContentId, Arc<Shape>>,
    files: HashMap<String, FileState>,
}

impl Now {
    /// A tree with some classes, which also knows the shapes of others.
    fn of(now: &[&Class], before: &[&Class]) -> Self {
        let mut tree = Self::default();
        for class in now.iter().chain(before) {
            let shape = class.shape();
            tree.shapes.insert(shape.content, shape);
        }
        for class in now {
            tree.classes.insert(class.0.name.clone(), class.shape().content);
        }
        tree
    }
}

impl Tree for Now {
    fn class(&self, name: &str, _: &str) -> Found {
        let content = self.classes.get(name).copied();
        content.map_or(Found::Absent, |content| Found::Class { content, moved_to: None })
    }

    fn has_class(&self, name: &str) -> Result<bool, String> {
        Ok(self.classes.contains_key(name))
    }

    fn shape(&self, content: ContentId) -> Option<Arc<Shape>> {
        self.shapes.get(&content).cloned()
    }

    fn body_walk(&self, _: (ContentId, usize), _: (ContentId, usize)) -> Option<Arc<BodyWalk>> {
        None
    }

    fn jdk_has_method(&self, class: &str, name: &str, _: &str) -> Option<bool> {
        (class != "Unknown").then_some(class == "java/lang/Object" && name == "toString")
    }

    fn file(&self, path: &str, _: FileState) -> Result<FileState, String> {
        Ok(self.files.get(path).copied().unwrap_or(FileState::Absent))
    }

    fn resource(&self, _: &str) -> Result<Option<ContentId>, String> {
        Ok(None)
    }

    fn variable(&self, _: &str) -> Option<ContentId> {
        None
    }

    fn all_variables(&self) -> ContentId {
        probity_trace::hash_of_variables([])
    }

    fn environment(&self) -> Option<&Environment> {
        None
    }
}

fn used(class: &Class, hits: &[u32], whys: &[Why]) -> ClassUse {
    ClassUse {
        name: class.0.name.as_str().into(),
        content: class.shape().content,
        place: "classes".into(),
        hits: hits.iter().copied().collect(),
        inherited: Hits::default(),
        reasons: whys.iter().map(|why| Because { why: *why, of: None }).collect(),
    }
}

fn trace(classes: Vec<ClassUse>) -> Trace {
    let passed = Test { id: "t".to_owned(), outcome: Outcome::Passed, micros: 1 };
    Trace { unit: "ATest".to_owned(), tests: vec![passed], classes, ..Trace::default() }
}

/// Why a unit that ran `Test.t`, and the first method of `A`, must run when `A` is another class.
fn reason(test: &Class, before: &Class, now: &Class, whys: &[Why]) -> Option<ClassReason> {
    let tree = Now::of(&[test, now], &[before]);
    let trace = trace(vec![used(before, &[0], whys), used(test, &[0], &[Why::Ran])]);
    let mut reasons = Judge::new(&tree, Level::Method).reasons(&trace);
    assert!(reasons.len() <= 1, "{reasons:?}");
    reasons.pop().map(|reason| match reason {
        Reason::Class { name, what } if name == before.0.name => what,
        other => panic!("{other:?}"),
    })
}

fn test_class() -> Class {
    Class::new("Test").method("t", 1, &[("A", "m", "()V"), ("A", "f", "I"), ("A", "<init>", "()V")])
}

fn base() -> Class {
    Class::new("A").method("m", 1, &[]).method("other", 1, &[])
}

fn seen(kind: MemberKind, member: &str, change: MemberChange, seen_by: SeenBy) -> Option<ClassReason> {
    Some(ClassReason::Member { kind, member: member.to_owned(), change, seen_by })
}

#[test]
fn a_body_counts_if_it_was_entered() {
    let other = Class::new("A").method("m", 1, &[]).method("other", 2, &[]);
    assert_eq!(reason(&test_class(), &base(), &other, &[Why::Ran]), None);
    let entered = Class::new("A").method("m", 2, &[]).method("other", 1, &[]);
    let body = Some(ClassReason::Body("m()V".to_owned()));
    assert_eq!(reason(&test_class(), &base(), &entered, &[Why::Ran]), body);
}

#[test]
fn the_order_of_members_is_no_change() {
    let turned = base().edited(|shape| shape.methods.reverse());
    assert_eq!(reason(&test_class(), &base(), &turned, &[Why::Ran, Why::Inspected]), None);
}

#[test]
fn a_member_counts_if_code_that_ran_names_it() {
    use MemberChange::{Added, Removed};
    let before = Class::new("A").method("n", 1, &[]);
    let with = |name: &str| before.clone().method(name, 1, &[]);
    assert_eq!(reason(&test_class(), &before, &with("unnamed"), &[Why::Ran]), None);
    let named = seen(MemberKind::Method, "m()V", Added, SeenBy::Name);
    assert_eq!(reason(&test_class(), &before, &with("m"), &[Why::Ran]), named);
    let field = seen(MemberKind::Field, "f", Added, SeenBy::Name);
    assert_eq!(reason(&test_class(), &before, &before.clone().field("f"), &[Why::Ran]), field);
    assert_eq!(reason(&test_class(), &before, &before.clone().field("g"), &[Why::Ran]), None);
    let gone = seen(MemberKind::Method, "n()V", Removed, SeenBy::Entering);
    assert_eq!(reason(&test_class(), &before, &Class::new("A"), &[Why::Ran]), gone);
}

#[test]
fn what_the_jdk_calls_counts_without_a_name() {
    let jdk = seen(MemberKind::Method, "toString()V", MemberChange::Added, SeenBy::Jdk);
    let now = base().method("toString", 1, &[]);
    assert_eq!(reason(&test_class(), &base(), &now, &[Why::Ran]), jdk);
    // A supertype of which nothing is known may have any method.
    let before = base().extends("Unknown");
    let now = before.clone().method("unnamed", 1, &[]);
    let any = seen(MemberKind::Method, "unnamed()V", MemberChange::Added, SeenBy::Jdk);
    assert_eq!(reason(&test_class(), &before, &now, &[Why::Ran]), any);
    let before = base().extends("java/lang/Number");
    let now = before.clone().method("unnamed", 1, &[]);
    assert_eq!(reason(&test_class(), &before, &now, &[Why::Ran]), None);
}

#[test]
fn who_looks_at_a_class_sees_all_members() {
    let now = base().method("unnamed", 1, &[]);
    let reflection = seen(MemberKind::Method, "unnamed()V", MemberChange::Added, SeenBy::Reflection);
    assert_eq!(reason(&test_class(), &base(), &now, &[Why::Ran, Why::Inspected]), reflection);
    assert_eq!(reason(&test_class(), &base(), &now, &[Why::Ran]), None);
    let annotated = base().edited(|shape| shape.parts.push((ClassPart::Annotations, ShapeHash([1; 16]))));
    let part = Some(ClassReason::Part(ClassPart::Annotations));
    assert_eq!(reason(&test_class(), &base(), &annotated, &[Why::Ran, Why::Inspected]), part);
    assert_eq!(reason(&test_class(), &base(), &annotated, &[Why::Ran]), None);
}

#[test]
fn a_new_initialiser_counts_where_the_class_may_be_initialised() {
    let now = base().method("<clinit>", 1, &[]);
    let initialised = seen(MemberKind::Method, "<clinit>()V", MemberChange::Added, SeenBy::Initialisation);
    assert_eq!(reason(&test_class(), &base(), &now, &[Why::Named(Use::New)]), initialised);
    assert_eq!(reason(&test_class(), &base(), &now, &[Why::Named(Use::Cast)]), None);
}

#[test]
fn a_body_whose_probes_moved_has_no_known_row() {
    let moved = base().edited(|shape| {
        for body in shape.methods.iter_mut().filter_map(|method| method.body.as_mut()) {
            body.probe_places = ShapeHash([9; 16]);
        }
    });
    let probes = Some(ClassReason::Probes("m()V".to_owned()));
    assert_eq!(reason(&test_class(), &base(), &moved, &[Why::Ran]), probes);
}

#[test]
fn lines_count_for_those_who_read_stack_traces() {
    let lines = base().edited(|shape| {
        for body in shape.methods.iter_mut().filter_map(|method| method.body.as_mut()) {
            body.debug = ShapeHash([9; 16]);
        }
    });
    assert_eq!(reason(&test_class(), &base(), &lines, &[Why::Ran]), None);
    let tree = Now::of(&[&lines], &[&base()]);
    let reads = Trace { reads_stack_traces: true, ..trace(vec![used(&base(), &[0], &[Why::Ran])]) };
    let what = ClassReason::Lines("m()V".to_owned());
    let reasons = Judge::new(&tree, Level::Method).reasons(&reads);
    assert_eq!(reasons, [Reason::Class { name: "A".to_owned(), what }]);
}

#[test]
fn what_is_not_known_runs() {
    let now = base().method("new", 1, &[]);
    let mut tree = Now::of(&[&now], &[]);
    let trace = trace(vec![used(&base(), &[0], &[Why::Ran])]);
    let judge = |tree: &Now| Judge::new(tree, Level::Method).unit(&[&trace]);
    let bytes = Reason::Class { name: "A".to_owned(), what: ClassReason::Bytes };
    assert_eq!(judge(&tree), Verdict::Stale(vec![bytes]));
    tree.classes.clear();
    let gone = Reason::Class { name: "A".to_owned(), what: ClassReason::Gone };
    assert_eq!(judge(&tree), Verdict::Stale(vec![gone]));
    let distrusted = Trace { distrust: vec!["why".to_owned()], ..Trace::default() };
    let unknown = Verdict::Unknown(vec![Reason::Distrusted("why".to_owned())]);
    assert_eq!(Judge::new(&tree, Level::Class).unit(&[&distrusted]), unknown);
    assert_eq!(Judge::new(&tree, Level::Class).unit(&[]), Verdict::Stale(vec![Reason::New]));
    let processes = Trace { starts_processes: true, ..Trace::default() };
    assert_eq!(
        Judge::new(&tree, Level::Class).unit(&[&processes]),
        Verdict::Unknown(vec![Reason::Processes])
    );
    assert_eq!(Judge::new(&tree, Level::Class).allow_processes().unit(&[&processes]), Verdict::Fresh(0));
}

#[test]
fn surroundings_count_as_they_were() {
    let mut tree = Now::of(&[&base()], &[]);
    let content = FileState::File(ContentId::of(b"x"));
    tree.files.insert("same".to_owned(), content);
    tree.files.insert("new".to_owned(), content);
    let file = |path: &str, state| FileUse { path: path.to_owned(), state };
    let variable = SettingUse { name: Some("HOME".to_owned()), value: Some(ContentId::of(b"/")) };
    let trace = Trace {
        absent_classes: vec!["A".to_owned(), "B".to_owned()],
        files: vec![file("new", FileState::Absent), file("same", content), file("gone", content)],
        variables: vec![variable],
        ..Trace::default()
    };
    let reasons = Judge::new(&tree, Level::Edge).reasons(&trace);
    let expected = [
        Reason::ClassAppeared("A".to_owned()),
        Reason::File("new".to_owned()),
        Reason::File("gone".to_owned()),
        Reason::Variable("HOME".to_owned()),
    ];
    assert_eq!(reasons, expected);
}

#[test]
fn a_unit_that_failed_last_runs_again() {
    let tree = Now::of(&[&base()], &[]);
    let mut failed = trace(vec![used(&base(), &[0], &[Why::Ran])]);
    failed.tests[0].outcome = Outcome::Failed;
    failed.began = 1;
    let mut passed = trace(vec![used(&base(), &[0, 1], &[Why::Ran])]);
    let judge = Judge::new(&tree, Level::Method);
    assert_eq!(judge.unit(&[&failed, &passed]), Verdict::Stale(vec![Reason::Failed]));
    passed.began = 2;
    assert_eq!(judge.unit(&[&failed, &passed]), Verdict::Fresh(1));
}

#[test]
fn traces_of_one_tree_count_together() {
    let other = Class::new("B").method("m", 1, &[]);
    let (changed, changed_other) = (base().method("m2", 1, &[]), Class::new("B").method("m", 2, &[]));
    let with = || trace(vec![used(&base(), &[0], &[Why::Ran]), used(&other, &[0], &[Why::Ran])]);
    // It found in a cache what the other one had to compute.
    let without = Trace { began: 1, ..trace(vec![used(&base(), &[0], &[Why::Ran])]) };
    let tree = Now::of(&[&base(), &changed_other], &[&other]);
    let judge = Judge::new(&tree, Level::Method);
    assert_eq!(judge.unit(&[&without]), Verdict::Fresh(0));
    let verdict = judge.unit(&[&with(), &without]);
    assert!(matches!(&verdict, Verdict::Stale(reasons) if reasons.len() == 1), "{verdict:?}");
    // What was made of another tree says nothing.
    let elsewhere = trace(vec![used(&changed, &[0], &[Why::Ran]), used(&other, &[0], &[Why::Ran])]);
    assert_eq!(judge.unit(&[&elsewhere, &without]), Verdict::Fresh(1));
}
