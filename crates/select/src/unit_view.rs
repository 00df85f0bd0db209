//! What a trace says about a unit as a whole: which members code that ran names, and which classes are above which.
//!
//! It is asked only when something is different, and finds out only what is asked.

use crate::tree::Tree;
use probity_shape::{MemberKey, Shape, Use};
use probity_trace::{ClassUse, Trace, Why};
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeSet, HashMap};
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

/// The members that code that ran names, each with the classes through which it does.
#[derive(Debug, Default)]
struct Named {
    fields: HashMap<MemberKey, BTreeSet<String>>,
    methods: HashMap<MemberKey, BTreeSet<String>>,
}

impl<'a> UnitView<'a> {
    pub(crate) fn new(trace: &'a Trace, tree: &'a dyn Tree) -> Self {
        Self { trace, tree, by_name: OnceCell::new(), named: OnceCell::new(), above: RefCell::default() }
    }

    /// Whether code that ran may name a field of a class: through the class or one below it.
    pub(crate) fn may_name_field(&self, class: &str, key: MemberKey) -> bool {
        let Some(named) = self.named() else { return true };
        let owners = named.fields.get(&key).into_iter().flatten();
        owners
            .into_iter()
            .any(|owner| owner == class || self.above(owner).is_none_or(|above| above.contains(class)))
    }

    /// Whether a call in code that ran may lead to a method of a class: through the class, one below it, or one above any of these.
    pub(crate) fn may_name_method(&self, class: &str, key: MemberKey) -> bool {
        let Some(named) = self.named() else { return true };
        let Some(owners) = named.methods.get(&key) else { return false };
        let Some(family) = self.family(class) else { return true };
        let has_jdk = family.iter().any(|name| name != OBJECT && self.uses(name).is_empty());
        owners.iter().any(|owner| {
            let may_be_of_jdk = self.uses(owner).is_empty();
            family.contains(owner) || (may_be_of_jdk && (has_jdk || owner == OBJECT))
        })
    }

    /// Whether code that ran may name a constructor of a class.
    pub(crate) fn may_name_constructor(&self, class: &str, key: MemberKey) -> bool {
        self.named().is_none_or(|named| named.methods.get(&key).is_some_and(|owners| owners.contains(class)))
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
                let is_field = !matches!(reference.usage, Use::Call | Use::StaticCall | Use::InterfaceCall);
                let is_method = !matches!(reference.usage, Use::Field | Use::StaticField);
                // Handles can be of fields and of methods.
                for (is_one, members) in [(is_field, &mut named.fields), (is_method, &mut named.methods)] {
                    if is_one {
                        members.entry(member).or_default().insert(reference.class.clone());
                    }
                }
            }
        }
        Some(named)
    }

    fn uses(&self, name: &str) -> &[&'a ClassUse] {
        let by_name = self.by_name.get_or_init(|| {
            let mut by_name: HashMap<&str, Vec<&ClassUse>> = HashMap::new();
            for used in &self.trace.classes {
                by_name.entry(&*used.name).or_default().push(used);
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
        let Some(family) = self.family(class) else { return true };
        let of_jdk = family.iter().filter(|name| self.uses(name).is_empty());
        of_jdk.into_iter().any(|above| self.tree.jdk_has_method(above, name, descriptor).unwrap_or(true))
    }

    /// A class, those below it, and those above any of them; nothing if one of them is not known.
    fn family(&self, class: &str) -> Option<BTreeSet<String>> {
        let mut family = BTreeSet::clone(&*self.above(class)?);
        family.insert(class.to_owned());
        for used in &self.trace.classes {
            let above = self.above(&used.name)?;
            if above.contains(class) {
                family.insert(used.name.to_string());
                family.extend(above.iter().cloned());
            }
        }
        Some(family)
    }
}

const OBJECT: &str = "java/lang/Object";

fn has_method(shape: &Shape, name: &str, descriptor: &str) -> bool {
    shape.methods.iter().any(|method| method.name == name && method.descriptor == descriptor)
}

/// Whether the structure of a class counts.
pub(crate) fn is_inspected(used: &ClassUse) -> bool {
    used.reasons.iter().any(|reason| matches!(reason.why, Why::Inspected | Why::Made))
}

/// Whether a class may have been initialised. That the JVM linked it says nothing if there is another reason to have loaded it.
pub(crate) fn may_be_initialised(used: &ClassUse) -> bool {
    let only_loads =
        |why| matches!(why, Why::Named(Use::Literal | Use::Cast | Use::Array | Use::Catch) | Why::NestHost);
    let whys = || used.reasons.iter().map(|reason| reason.why);
    !(whys().any(only_loads) && whys().all(|why| only_loads(why) || why == Why::Linked))
}
