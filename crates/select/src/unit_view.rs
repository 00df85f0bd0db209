//! What a trace says about a unit as a whole: which members code that ran names, and which classes are above which.
//!
//! It is asked only when something is different, and finds out only what is asked.

use crate::tree::Tree;
use probity_shape::{MemberKey, Shape, Use};
use probity_trace::{ClassUse, Trace, Why};
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

/// A unit as its trace shows it.
pub(crate) struct UnitView<'a> {
    pub(crate) trace: &'a Trace,
    tree: &'a dyn Tree,
    by_name: OnceCell<HashMap<&'a str, Vec<&'a ClassUse>>>,
    named: OnceCell<Option<Named>>,
    /// The classes above each that was asked for.
    above: RefCell<HashMap<String, Above>>,
}

/// The classes above a class, each once, those of the JDK among them; nothing if one of them is not known.
type Above = Option<Rc<BTreeSet<String>>>;

/// The members that code that ran names.
#[derive(Debug, Default)]
struct Named {
    fields: HashSet<MemberKey>,
    methods: HashSet<MemberKey>,
    /// With the classes that they are of, since constructors are not inherited.
    constructors: HashSet<(String, MemberKey)>,
}

impl<'a> UnitView<'a> {
    pub(crate) fn new(trace: &'a Trace, tree: &'a dyn Tree) -> Self {
        Self { trace, tree, by_name: OnceCell::new(), named: OnceCell::new(), above: RefCell::default() }
    }

    /// Whether code that ran may name a field.
    pub(crate) fn may_name_field(&self, key: MemberKey) -> bool {
        self.named().is_none_or(|named| named.fields.contains(&key))
    }

    /// Whether code that ran may name a method, of whatever class.
    pub(crate) fn may_name_method(&self, key: MemberKey) -> bool {
        self.named().is_none_or(|named| named.methods.contains(&key))
    }

    /// Whether code that ran may name a constructor of a class.
    pub(crate) fn may_name_constructor(&self, class: &str, key: MemberKey) -> bool {
        self.named().is_none_or(|named| named.constructors.contains(&(class.to_owned(), key)))
    }

    /// The members that code that ran names; nothing if that is not known of all code.
    fn named(&self) -> Option<&Named> {
        self.named.get_or_init(|| self.find_named()).as_ref()
    }

    fn find_named(&self) -> Option<Named> {
        let mut named = Named::default();
        for used in &self.trace.classes {
            let hits = used.all_hits();
            if hits.is_empty() {
                continue;
            }
            let shape = self.tree.shape(used.content)?;
            let entered = shape.methods.iter().filter(|method| hits.enter(method));
            for reference in
                entered.filter_map(|method| method.body.as_ref()).flat_map(|body| &body.references)
            {
                let Some(member) = reference.member else { continue };
                match reference.usage {
                    Use::Field | Use::StaticField => named.fields.insert(member),
                    Use::Call | Use::StaticCall | Use::InterfaceCall => named.methods.insert(member),
                    // Handles can be of fields and of methods.
                    _ => named.fields.insert(member) | named.methods.insert(member),
                };
                named.constructors.insert((reference.class.clone(), member));
            }
        }
        Some(named)
    }

    fn uses(&self, name: &str) -> &[&'a ClassUse] {
        let by_name = self.by_name.get_or_init(|| {
            let mut by_name: HashMap<&str, Vec<&ClassUse>> = HashMap::new();
            for used in &self.trace.classes {
                by_name.entry(used.name.as_str()).or_default().push(used);
            }
            by_name
        });
        by_name.get(name).map_or(&[], Vec::as_slice)
    }

    fn shapes(&self, name: &str) -> Option<Vec<Arc<Shape>>> {
        self.uses(name).iter().map(|used| self.tree.shape(used.content)).collect()
    }

    fn above(&self, name: &str) -> Above {
        if let Some(above) = self.above.borrow().get(name) {
            return above.clone();
        }
        let above = self.find_above(name).map(Rc::new);
        self.above.borrow_mut().insert(name.to_owned(), above.clone());
        above
    }

    fn find_above(&self, name: &str) -> Option<BTreeSet<String>> {
        let mut above = BTreeSet::new();
        let mut pending = vec![name.to_owned()];
        while let Some(name) = pending.pop() {
            for shape in self.shapes(&name)? {
                for super_type in shape.super_name.iter().chain(&shape.interfaces) {
                    if above.insert(super_type.clone()) {
                        pending.push(super_type.clone());
                    }
                }
            }
        }
        Some(above)
    }

    /// Whether reflection or similar means may lead to a method of a class through one above it.
    pub(crate) fn is_inspected_above(&self, class: &str, name: &str, descriptor: &str) -> bool {
        let Some(above) = self.above(class) else { return true };
        above.iter().any(|above| {
            self.uses(above).iter().any(|used| {
                is_inspected(used)
                    && self.tree.shape(used.content).is_none_or(|shape| has_method(&shape, name, descriptor))
            })
        })
    }

    /// Whether the JDK may call a method of a class, or of one below it, because a class of the JDK above has one like it.
    pub(crate) fn may_jdk_call(&self, class: &str, name: &str, descriptor: &str) -> bool {
        let Some(above) = self.above(class) else { return true };
        let mut above = BTreeSet::clone(&above);
        for used in &self.trace.classes {
            match self.above(&used.name) {
                None => return true,
                Some(more) if more.contains(class) => above.extend(more.iter().cloned()),
                Some(_) => {}
            }
        }
        let of_jdk = above.iter().filter(|name| self.uses(name).is_empty());
        of_jdk.into_iter().any(|above| self.tree.jdk_has_method(above, name, descriptor).unwrap_or(true))
    }
}

fn has_method(shape: &Shape, name: &str, descriptor: &str) -> bool {
    shape.methods.iter().any(|method| method.name == name && method.descriptor == descriptor)
}

/// Whether the structure of a class counts.
pub(crate) fn is_inspected(used: &ClassUse) -> bool {
    used.reasons.iter().any(|reason| matches!(reason.why, Why::Inspected | Why::Made | Why::Signature))
}

/// Whether a class may have been initialised.
pub(crate) fn may_be_initialised(used: &ClassUse) -> bool {
    !used.reasons.iter().all(|reason| {
        matches!(
            reason.why,
            Why::Named(Use::Literal | Use::Cast | Use::Array | Use::Catch) | Why::Signature | Why::NestHost
        )
    })
}
