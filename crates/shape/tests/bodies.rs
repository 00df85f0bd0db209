//! What is in bodies: the classes that they use, and the ways through them.

use probity_classpath::Source;
use probity_shape::{ShapeReader, Use};
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
