//! What is in bodies: the classes that they use, and the ways through them.

use probity_classpath::Source;
use probity_shape::{BodyWalk, FlowGraph, ShapeReader, Use, Verdict};
use probity_test_support::corpus::{self, Part};
use probity_test_support::java::{Compilation, test_jdks};

const SOURCE: &str = "
import java.util.*;
import java.util.function.*;
class C {
    static int counter;
    Object all(Object o, List<String> list) throws Exception {
        counter++;
        Object made = new ArrayList<String>();
        Object literal = Deque[].class;
        Object[] array = new Optional[1];
        int[][] numbers = new int[1][1];
        Supplier<Object> supplier = Locale::getDefault;
        list.size();
        Math.abs(1);
        if (o instanceof Date) { return (Random) o; }
        try { o.wait(); } catch (InterruptedException e) { throw e; }
        return made.toString() + literal + array + numbers + supplier;
    }
}
";

#[test]
fn every_use_of_a_class_is_found() {
    let jdk = test_jdks().remove(0);
    let compiled = Compilation::with(&jdk).release(17).source("C.java", SOURCE).compile().expect("compiles");
    let bytes = std::fs::read(compiled.class_file("C")).expect("is there");
    let shape = ShapeReader::new().read(&bytes).expect("has a shape");
    let method = shape.methods.iter().find(|method| method.name == "all").expect("is there");
    let body = method.body.as_ref().expect("has code");
    let mut found: Vec<(Use, &str)> =
        body.references.iter().map(|reference| (reference.usage, reference.class.as_str())).collect();
    found.sort_unstable();
    found.dedup();
    for wanted in [
        (Use::StaticField, "C"),
        (Use::New, "java/util/ArrayList"),
        (Use::Call, "java/util/ArrayList"),
        (Use::Literal, "java/util/Deque"),
        (Use::Array, "java/util/Optional"),
        (Use::Bootstrap, "java/util/Locale"),
        (Use::Bootstrap, "java/util/function/Supplier"),
        (Use::Bootstrap, "java/lang/invoke/LambdaMetafactory"),
        (Use::Bootstrap, "java/lang/invoke/StringConcatFactory"),
        (Use::InterfaceCall, "java/util/List"),
        (Use::StaticCall, "java/lang/Math"),
        (Use::Cast, "java/util/Date"),
        (Use::Cast, "java/util/Random"),
        (Use::Catch, "java/lang/InterruptedException"),
    ] {
        assert!(found.contains(&wanted), "{wanted:?} is not in {found:#?}");
    }
    assert!(found.iter().all(|(_, class)| !class.contains(['[', ';'])), "{found:?}");
}

/// Each probe stands once on a way through the body, blocks lie side by side, and every way leads to a block.
#[test]
fn the_ways_through_real_bodies_have_all_their_probes() {
    let place = corpus::places(Part::Sample).expect("the corpus can be fetched").pop().expect("has a jar");
    let source = Source::open(&place.spec).expect("the source can be opened");
    let mut reader = ShapeReader::new();
    let mut bodies = 0;
    source.visit_classes(|entry| {
        let entry = entry.expect("the class can be read");
        if bodies > 3000 {
            return;
        }
        let shape = reader.read(entry.bytes).expect("has a shape");
        for (position, method) in shape.methods.iter().enumerate() {
            let graph = reader.flow_graph(entry.bytes, position).expect("is understood");
            assert_eq!(graph.is_some(), method.body.is_some());
            let (Some(graph), Some(body)) = (graph, &method.body) else { continue };
            let name = format!("{}.{}{}", shape.name, method.name, method.descriptor);
            let mut probes: Vec<u32> = graph
                .blocks
                .iter()
                .flat_map(|block| block.edges.iter().filter_map(|edge| edge.probe).chain(block.exit_probe))
                .collect();
            probes.sort_unstable();
            let all: Vec<u32> = (0..body.probes.len() as u32).collect();
            assert_eq!(probes, all, "{name}");
            let mut next = 0;
            for block in &graph.blocks {
                assert_eq!(block.instructions.start, next, "{name}");
                next = block.instructions.end;
                let leads_to = block.edges.iter().map(|edge| edge.to).chain(block.handlers.iter().copied());
                assert!(leads_to.into_iter().all(|to| (to as usize) < graph.blocks.len()), "{name}");
            }
            bodies += 1;
        }
    });
    assert!(bodies > 1000, "{bodies} of {}", place.label);
}

/// Probes that a run hits which is never left by an exception; nothing if it goes round for too long.
fn hits_of_a_run(graph: &FlowGraph, random: &mut fastrand::Rng) -> Option<Vec<u32>> {
    let mut hits = Vec::new();
    let mut at = 0;
    for _ in 0..1000 {
        let block = &graph.blocks[at as usize];
        hits.extend(block.exit_probe);
        if block.edges.is_empty() {
            return Some(hits);
        }
        let edge = block.edges[random.usize(..block.edges.len())];
        hits.extend(edge.probe);
        at = edge.to;
    }
    None
}

/// Walked with itself, a body has no difference anywhere, and whatever was hit is hit again.
#[test]
fn real_bodies_are_the_same_as_themselves() {
    let place = corpus::places(Part::Sample).expect("the corpus can be fetched").pop().expect("has a jar");
    let source = Source::open(&place.spec).expect("the source can be opened");
    let mut reader = ShapeReader::new();
    let mut random = fastrand::Rng::with_seed(1);
    let mut runs = 0;
    source.visit_classes(|entry| {
        let entry = entry.expect("the class can be read");
        if runs > 3000 {
            return;
        }
        let graphs = reader.flow_graphs(entry.bytes).expect("is understood");
        for (position, graph) in graphs.iter().enumerate() {
            let steps = reader.body_steps(entry.bytes, position).expect("is understood");
            assert_eq!(graph.is_some(), steps.is_some(), "method {position} of {}", entry.name);
            let (Some(graph), Some(steps)) = (graph, steps) else { continue };
            let walk = BodyWalk::between(&steps, &steps).expect("can be walked");
            assert_eq!(walk.differences().next(), None, "method {position} of {}", entry.name);
            let Some(hits) = hits_of_a_run(graph, &mut random) else { continue };
            let Verdict::Fresh(row) = walk.verdict(Some(true), |probe| hits.contains(&probe)) else {
                panic!("method {position} of {} with {hits:?}", entry.name);
            };
            let row: Vec<u32> =
                (0..).zip(row).filter(|(_, is_hit)| *is_hit).map(|(probe, _)| probe).collect();
            let mut hits = hits;
            hits.sort_unstable();
            hits.dedup();
            assert_eq!(row, hits, "method {position} of {}", entry.name);
            runs += 1;
        }
    });
    assert!(runs > 1000, "{runs} of {}", place.label);
}
