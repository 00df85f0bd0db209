//! Reports of real classes for which it is made up which probes were hit.
//!
//! The same numbers come out in every run, and in the Java program that asks JaCoCo; nothing here may be random.

use std::collections::HashSet;

use probity_classfile::ClassFile;
use probity_classpath::Source;
use probity_coverage::{Analyzer, BundleBuilder, ProbeHits};
use probity_instrument::{Instrumenter, class_id};
use probity_report::{Report, ReportNode, SessionInfo};

/// Classes of different names: the copies for newer Java versions and module descriptions are left out.
pub(crate) fn classes_of(source: &Source, every: usize) -> Vec<Vec<u8>> {
    let mut position = 0;
    let mut names = HashSet::new();
    let mut classes = Vec::new();
    source.visit_classes(|entry| {
        let entry = entry.expect("the class can be read");
        position += 1;
        if position % every != 0 || entry.name.contains("META-INF/versions/") {
            return;
        }
        let class = ClassFile::read(entry.bytes).expect("the class is well-formed");
        let name = class.name().expect("the class has a name").to_text().into_owned();
        if name != "module-info" && names.insert(name) {
            classes.push(entry.bytes.to_vec());
        }
    });
    classes
}

/// The same numbers as in the Java program.
fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

struct MadeUp(Vec<bool>);

impl ProbeHits for MadeUp {
    fn count(&self) -> usize {
        self.0.len()
    }
    fn is_hit(&self, number: usize) -> bool {
        self.0[number]
    }
}

fn made_up_hits(instrumenter: &mut Instrumenter, bytes: &[u8]) -> Option<MadeUp> {
    let class = ClassFile::read(bytes).expect("well-formed");
    let count = u64::from(instrumenter.plan(&class).expect("planned").counts().jacoco);
    let id = class_id(bytes);
    let mode = mix(id) & 7;
    let hit = |probe: u64| mode == 1 || (mix(id.wrapping_add(probe)) & 3) < (mode & 3);
    (mode != 0 && count > 0).then(|| MadeUp((0..count).map(hit).collect()))
}

/// The report of classes whose names differ.
pub(crate) fn our_report(classes: &[Vec<u8>]) -> Report {
    let mut analyzer = Analyzer::new();
    let mut instrumenter = Instrumenter::new();
    let mut builder = BundleBuilder::new();
    for bytes in classes {
        let hits = made_up_hits(&mut instrumenter, bytes);
        let hits = hits.as_ref().map(|hits| hits as &dyn ProbeHits);
        if let Some(class) = analyzer.analyze(bytes, |_| hits).expect("the class can be analysed") {
            builder.add(class).expect("names differ");
        }
    }
    Report {
        sessions: vec![SessionInfo { id: "s&1".to_owned(), start_millis: 1, dump_millis: 2 }],
        root: ReportNode::Bundle(builder.build("all \"of\" <it>")),
    }
}
