//! A toy semantics with choice, so that the general laws are tested where a state has many successors.
//!
//! A program is a graph whose nodes carry a text of one letter; from each node one may go on to some others. A run starts at a node, walks, and
//! ends where it came to a node without a way out, after a bounded number of moves. Visiting a node collects it. A test is
//! the node at which it starts. What the walk remembers is a number made of the letters that it met, so a changed letter is seen.

use crate::random::Chance;
use crate::semantics::{CollectionSelection, CollectionSemantics, OutOfFuel, Outcome, Selection, Semantics};

/// A node.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Node {
    /// What is remembered of a visit.
    pub letter: u8,
    /// Where one may go from it.
    pub ways: Vec<u8>,
}

/// A graph.
pub type Graph = Vec<Node>;

/// A walk.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Walk {
    /// The node, none when the walk is over.
    pub at: Option<u8>,
    /// What is remembered.
    pub memory: u64,
    /// How many moves are left.
    pub left: u8,
}

/// The toy; broken if it forgets every node with an odd letter.
#[derive(Clone, Copy, Debug)]
pub struct Toy {
    /// Whether it collects too little.
    pub forgets: bool,
}

impl Semantics for Toy {
    type Program = Graph;
    type State = Walk;

    fn small(&self, program: &Graph, state: &Walk) -> Vec<Walk> {
        let Some(at) = state.at else { return Vec::new() };
        let node = program.get(usize::from(at)).cloned().unwrap_or_default();
        let memory = state.memory.wrapping_mul(31).wrapping_add(u64::from(node.letter) + 1);
        let left = state.left.saturating_sub(1);
        if node.ways.is_empty() || state.left == 0 {
            return vec![Walk { at: None, memory, left: 0 }];
        }
        node.ways.iter().map(|way| Walk { at: Some(*way), memory, left }).collect()
    }

    fn is_end(&self, state: &Walk) -> bool {
        state.at.is_none()
    }
}

impl CollectionSemantics for Toy {
    type Collection = u32;

    fn nothing(&self) -> u32 {
        0
    }

    fn combine(&self, first: &u32, second: &u32) -> u32 {
        first | second
    }

    fn collect(&self, program: &Graph, before: &Walk, _: &Walk) -> u32 {
        let Some(at) = before.at else { return 0 };
        let letter = program.get(usize::from(at)).map_or(0, |node| node.letter);
        if self.forgets && letter % 2 == 1 { 0 } else { 1 << (at % 32) }
    }
}

impl Selection for Toy {
    type Revision = Graph;
    type Test = u8;
    type Output = Outcome<Self>;

    /// Found by walking all ways, one after the other.
    fn outputs(&self, program: &Graph, test: &u8, _: u32) -> Result<Vec<Outcome<Self>>, OutOfFuel> {
        let whole = self.test_program(program, test);
        let mut found = Vec::new();
        let mut waiting = vec![(self.start(&whole), 0)];
        while let Some((walk, seen)) = waiting.pop() {
            let Some(at) = walk.at else {
                if !found.contains(&(walk.clone(), seen)) {
                    found.push((walk, seen));
                }
                continue;
            };
            let is_seen = !self.forgets || whole.get(usize::from(at)).is_none_or(|node| node.letter % 2 == 0);
            let seen = if is_seen { seen | 1 << (at % 32) } else { seen };
            waiting.extend(self.small(&whole, &walk).into_iter().map(|next| (next, seen)));
        }
        Ok(found)
    }

    fn deselects(&self, old: &Graph, outcome: &Outcome<Self>, new: &Graph) -> bool {
        let node = |graph: &Graph, at: u32| graph.get(at as usize).cloned().unwrap_or_default();
        (0..32).all(|at| outcome.1 & (1 << at) == 0 || node(old, at) == node(new, at))
    }

    fn equivalent(&self, one: &Outcome<Self>, two: &Outcome<Self>) -> bool {
        one == two
    }

    fn is_valid(&self, program: &Graph, test: &u8) -> bool {
        usize::from(*test) < program.len()
    }
}

impl CollectionSelection for Toy {
    fn test_program(&self, program: &Graph, test: &u8) -> Graph {
        let mut whole = program.clone();
        whole.push(Node { letter: 0, ways: vec![*test] });
        whole
    }

    fn start(&self, test_program: &Graph) -> Walk {
        Walk { at: Some(test_program.len().saturating_sub(1) as u8), memory: 0, left: 4 }
    }

    fn collected_at_start(&self, _: &Graph) -> u32 {
        0
    }
}

/// A random graph of six nodes.
#[must_use]
pub fn graph(chance: &mut Chance) -> Graph {
    let mut node = || {
        let ways = (0..chance.below(4)).map(|_| chance.below(6) as u8).collect();
        Node { letter: chance.below(4) as u8, ways }
    };
    (0..6).map(|_| node()).collect()
}

/// The graph with one node changed.
#[must_use]
pub fn evolved(chance: &mut Chance, graph: &Graph) -> Graph {
    let mut graph = graph.clone();
    let at = chance.below(graph.len());
    if let Some(node) = graph.get_mut(at) {
        if chance.percent(50) {
            node.letter = node.letter.wrapping_add(1);
        } else {
            node.ways.push(chance.below(6) as u8);
        }
    }
    graph
}
