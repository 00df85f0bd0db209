//! Made-up traces and shapes of a project of some size, the same on every machine.
//!
//! Names, sizes and how much units have in common are chosen as in real projects: every unit uses some classes that all
//! use, and some of its own; a class is used in one of a few ways. The benchmark and the fuzzer use them too.

#![allow(dead_code, reason = "not everybody needs all of it")]

use fastrand::Rng;
use probity_shape::{
    BodyShape, ClassPart, ContentId, FieldShape, MemberKey, MethodShape, Reference, Shape, ShapeHash, Use,
};
use probity_trace::{
    ClassUse, Environment, FileState, FileUse, Hits, Outcome, Reason, ResourceUse, SettingUse, Test, Trace,
    Why,
};
use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

/// A project.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Project {
    /// How many classes it has.
    pub(crate) classes: u32,
    /// How many classes each unit uses.
    pub(crate) classes_per_unit: u32,
    /// In how many ways a class is used, at the most.
    pub(crate) ways: u32,
}

impl Project {
    /// 4,000 classes of which a unit uses 300, as in a project with 2,000 units.
    pub(crate) const LARGE: Self = Self { classes: 4000, classes_per_unit: 300, ways: 12 };
    /// The same, and no two units use a class in the same way.
    pub(crate) const LARGE_WITHOUT_LIKENESS: Self = Self { ways: u32::MAX, ..Self::LARGE };
    /// Small enough for thousands of tests.
    pub(crate) const SMALL: Self = Self { classes: 30, classes_per_unit: 6, ways: 3 };

    /// The trace of a unit in a version of the project; a version changes one class in forty.
    pub(crate) fn trace(&self, unit: u32, version: u32) -> Trace {
        let mut rng = Rng::with_seed(u64::from(unit) << 8 | u64::from(version % 4));
        let mut chosen = BTreeSet::new();
        while (chosen.len() as u32) < self.classes_per_unit.min(self.classes) {
            let most = if rng.bool() { self.classes.div_ceil(10) } else { self.classes };
            chosen.insert(rng.u32(..most));
        }
        let classes = chosen.into_iter().map(|class| self.class_use(class, version, &mut rng));
        let mut classes: Vec<ClassUse> = classes.collect();
        classes.sort_by(|one, other| one.name.cmp(&other.name));
        Trace {
            unit: format!("org.example.module{}.SomeQuiteLongName{unit}Test", unit % 7),
            framework: "JUnit 5".to_owned(),
            began: 1_700_000_000_000 + u64::from(version) * 3_600_000 + u64::from(unit) * 10,
            micros: rng.u64(500..2_000_000),
            tests: tests(&mut rng),
            environment: environment(unit % 2),
            classes,
            reads_stack_traces: unit.is_multiple_of(9),
            starts_processes: unit.is_multiple_of(50),
            threads_left: u32::from(unit.is_multiple_of(20)),
            overlaps: if unit.is_multiple_of(40) { vec!["org.example.Other".to_owned()] } else { Vec::new() },
            distrust: if unit % 33 == 1 { vec!["a native library".to_owned()] } else { Vec::new() },
            ..surroundings(&mut rng)
        }
    }

    fn class_use(&self, class: u32, version: u32, rng: &mut Rng) -> ClassUse {
        let way = rng.u32(..self.ways);
        let mut of_way = Rng::with_seed(u64::from(class) << 32 | u64::from(way));
        let hits = (0..of_way.usize(..12)).map(|_| of_way.u8(..)).collect();
        let mut reasons = Vec::new();
        for why in Why::ALL {
            if of_way.u8(..8) == 0 {
                let of = (why != Why::Ran).then(|| shared_name(of_way.u32(..self.classes)));
                reasons.push(Reason { why, of });
            }
        }
        reasons.sort();
        ClassUse {
            name: shared_name(class),
            content: content(class, version),
            place: shared_place(class),
            hits: Hits::from_bytes(hits),
            inherited: (0..of_way.u32(..3)).map(|_| of_way.u32(..90)).collect(),
            reasons,
        }
    }

    /// The shapes of all classes in a version.
    pub(crate) fn shapes(&self, version: u32) -> Vec<Shape> {
        (0..self.classes).map(|class| shape(class, version, self.classes)).collect()
    }
}

/// The name of a class and its place as traces have them: each text once, shared by all.
fn shared_name(class: u32) -> Arc<str> {
    static NAMES: LazyLock<Vec<Arc<str>>> =
        LazyLock::new(|| (0..Project::LARGE.classes).map(|class| class_name(class).into()).collect());
    NAMES.get(class as usize).map_or_else(|| class_name(class).into(), Arc::clone)
}

fn shared_place(class: u32) -> Arc<str> {
    static PLACES: LazyLock<[Arc<str>; 7]> =
        LazyLock::new(|| std::array::from_fn(|module| format!("module{module}/target/classes").into()));
    Arc::clone(&PLACES[class as usize % PLACES.len()])
}

/// The internal name of a class.
pub(crate) fn class_name(class: u32) -> String {
    format!("org/example/module{}/package{}/SomeQuiteLongName{class}", class % 7, class % 61)
}

fn content(class: u32, version: u32) -> ContentId {
    let version = if class % 40 == version % 40 { version } else { 0 };
    ContentId::of(format!("{class} {version}").as_bytes())
}

fn environment(number: u32) -> Environment {
    Environment {
        agent: "0.1.0".to_owned(),
        jdk: format!("{} Some Vendor", 17 + number),
        flags: vec!["-Xmx1g".to_owned(), "-ea".to_owned()],
        class_path: (0..80)
            .map(|jar| format!("~/.m2/repository/org/library{jar}/{jar}.0/library{jar}.jar"))
            .collect(),
    }
}

fn tests(rng: &mut Rng) -> Vec<Test> {
    let outcome = |number: u8| match number {
        0 => Outcome::Failed,
        1 => Outcome::Skipped,
        _ => Outcome::Passed,
    };
    (0..rng.u32(1..12))
        .map(|number| Test {
            id: format!("someTestMethod{number}()"),
            outcome: outcome(rng.u8(..50)),
            micros: rng.u64(10..100_000),
        })
        .collect()
}

/// Everything but classes.
fn surroundings(rng: &mut Rng) -> Trace {
    let mut trace = Trace::default();
    let hash = |rng: &mut Rng| ContentId([rng.u8(..4); 16]);
    for number in 0..rng.u32(..20) {
        trace.absent_classes.push(format!("org/absent/Name{number:02}BeanInfo"));
        let state = match rng.u8(..5) {
            0 => FileState::Absent,
            1 => FileState::File(hash(rng)),
            2 => FileState::Exists { is_folder: false },
            3 => FileState::Exists { is_folder: true },
            _ => FileState::Listing(hash(rng)),
        };
        trace.files.push(FileUse { path: format!("src/test/resources/file{number:02}.txt"), state });
        let found = rng.bool().then(|| hash(rng));
        trace
            .resources
            .push(ResourceUse { name: format!("META-INF/services/some.Service{number:02}"), found });
        let value = rng.bool().then(|| hash(rng));
        trace.properties.push(SettingUse { name: Some(format!("some.property.{number:02}")), value });
    }
    trace.variables.push(SettingUse { name: None, value: Some(hash(rng)) });
    trace
}

/// A class of a version, with ten methods or so.
pub(crate) fn shape(class: u32, version: u32, classes: u32) -> Shape {
    let content = content(class, version);
    let mut rng = Rng::with_seed(u64::from_be_bytes(content.0[..8].try_into().expect("has eight bytes")));
    let hash = |rng: &mut Rng| ShapeHash(rng.u128(..).to_be_bytes());
    let usual = ShapeHash([7; 16]);
    let fields = (0..rng.u32(..6)).map(|number| FieldShape {
        name: format!("field{number}"),
        descriptor: "Ljava/lang/String;".to_owned(),
        access: 2,
        constant: (number % 3 == 2).then_some(usual),
        declaration: usual,
    });
    let fields = fields.collect();
    let mut probes = 0;
    let mut methods = Vec::new();
    for number in 0..rng.u32(1..20) {
        let first = probes;
        probes += rng.u32(1..8);
        let body = BodyShape {
            code: hash(&mut rng),
            debug: hash(&mut rng),
            probe_places: hash(&mut rng),
            probes: first..probes,
            entry_probe: rng.bool().then_some(1000 + number),
            references: references(&mut rng, classes),
        };
        methods.push(MethodShape {
            name: if number == 0 { "<init>".to_owned() } else { format!("someMethod{number}") },
            descriptor: "(I)V".to_owned(),
            access: 1,
            declaration: usual,
            body: (number % 7 != 6).then_some(body),
        });
    }
    Shape {
        content,
        class_id: rng.u64(..),
        name: class_name(class),
        super_name: (class != 0).then(|| "java/lang/Object".to_owned()),
        interfaces: vec!["java/io/Serializable".to_owned()],
        access: 0x21,
        parts: vec![(ClassPart::Header, hash(&mut rng)), (ClassPart::Other, usual)],
        debug: hash(&mut rng),
        fields,
        methods,
    }
}

fn references(rng: &mut Rng, classes: u32) -> Vec<Reference> {
    let usages = [Use::New, Use::StaticCall, Use::Call, Use::InterfaceCall, Use::Field, Use::Catch];
    let mut references: Vec<Reference> = (0..rng.usize(..12))
        .map(|_| Reference {
            instruction: rng.u32(..60),
            usage: rng.choice(usages).expect("there are some"),
            class: class_name(rng.u32(..classes)),
            member: rng.bool().then(|| MemberKey(rng.u32(..))),
        })
        .collect();
    references.sort();
    references
}
