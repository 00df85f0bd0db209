//! Follows a sequence of instructions and remembers what it has met under names.
//!
//! A matcher stands at a node or has failed; each step moves it to the next instruction, over labels, lines and frames,
//! or makes it fail. Names are bound by their first use and must agree after that.

use super::body::Body;
use probity_classfile::opcode::Opcode;
use probity_instrument::list::Label;

/// A matcher over one body.
pub(crate) struct Matcher<'x, 'm, 'c, 'a> {
    pub(crate) body: &'x Body<'m, 'c, 'a>,
    /// Where it stands; nothing once it has failed.
    pub(crate) at: Option<usize>,
    // Few names each, and mostly none: to look at them one by one is the fastest.
    locals: Vec<(String, u16)>,
    texts: Vec<(String, Vec<u8>)>,
    labels: Vec<(String, Label)>,
}

/// What a name means: the value, if it means nothing yet.
fn bound<'b, T>(names: &'b mut Vec<(String, T)>, name: &str, value: impl FnOnce() -> T) -> Option<&'b T> {
    let position = names.iter().position(|(known, _)| known == name).unwrap_or_else(|| {
        names.push((name.to_owned(), value()));
        names.len() - 1
    });
    names.get(position).map(|(_, value)| value)
}

impl<'x, 'm, 'c, 'a> Matcher<'x, 'm, 'c, 'a> {
    pub(crate) fn new(body: &'x Body<'m, 'c, 'a>) -> Self {
        Self { body, at: None, locals: Vec::new(), texts: Vec::new(), labels: Vec::new() }
    }

    /// A matcher that stands at a node.
    pub(crate) fn standing_at(body: &'x Body<'m, 'c, 'a>, at: usize) -> Self {
        Self { at: Some(at), ..Self::new(body) }
    }

    /// Stands at the first instruction of the body, which must load the first local variable.
    pub(crate) fn first_is_load_0(&mut self) {
        self.at = self.body.instruction_from(0);
        self.require(|body, at| body.is(at, Opcode::ALOAD) && body.local(at) == Some(0));
    }

    /// Whether it has not failed.
    pub(crate) fn holds(&self) -> bool {
        self.at.is_some()
    }

    /// Fails unless the node where it stands fits.
    pub(crate) fn require(&mut self, fits: impl FnOnce(&Body<'m, 'c, 'a>, usize) -> bool) {
        self.at = self.at.filter(|&at| fits(self.body, at));
    }

    /// Moves to the next instruction.
    pub(crate) fn next(&mut self) {
        self.at = self.at.and_then(|at| self.body.next_instruction(at));
    }

    /// Moves over labels, lines and frames, if it stands at one.
    pub(crate) fn skip_to_instruction(&mut self) {
        self.at = self.at.and_then(|at| self.body.instruction_from(at));
    }

    pub(crate) fn next_is(&mut self, opcode: Opcode) {
        self.next();
        self.require(|body, at| body.is(at, opcode));
    }

    pub(crate) fn next_is_switch(&mut self) {
        self.next();
        self.require(Body::is_switch);
    }

    /// The next instruction loads or stores the local variable of a name.
    pub(crate) fn next_is_local(&mut self, opcode: Opcode, name: &str) {
        self.next_is(opcode);
        self.bind_local(name);
    }

    /// Binds the local variable of the instruction to a name, or fails if the name means another.
    pub(crate) fn bind_local(&mut self, name: &str) {
        let Some(local) = self.at.and_then(|at| self.body.local(at)) else {
            self.at = None;
            return;
        };
        let is_same = bound(&mut self.locals, name, || local) == Some(&local);
        self.require(|_, _| is_same);
    }

    pub(crate) fn next_is_field(&mut self, opcode: Opcode, owner: &[u8], name: &str, descriptor: &str) {
        self.next_is(opcode);
        self.require(|body, at| {
            body.member(at).is_some_and(|member| {
                member.class.as_bytes() == owner && member.name == name && member.descriptor == descriptor
            })
        });
    }

    pub(crate) fn next_is_call(&mut self, opcode: Opcode, owner: &str, name: &str, descriptor: &str) {
        self.next_is_field(opcode, owner.as_bytes(), name, descriptor);
    }

    /// The next instruction names a class.
    pub(crate) fn next_is_type(&mut self, opcode: Opcode, class: &str) {
        self.next_is(opcode);
        self.require(|body, at| body.class_name(at).is_some_and(|name| name == class));
    }

    /// The text of a name, or fails if the name means another.
    pub(crate) fn bind_text(&mut self, name: &str, text: &[u8]) {
        let is_same = bound(&mut self.texts, name, || text.to_vec()).is_some_and(|bound| bound == text);
        self.require(|_, _| is_same);
    }

    /// The next instruction jumps to the label of a name.
    pub(crate) fn next_is_jump(&mut self, opcode: Opcode, name: &str) {
        self.next_is(opcode);
        let Some(target) = self.at.and_then(|at| self.body.target_label(at)) else {
            self.at = None;
            return;
        };
        let is_same = bound(&mut self.labels, name, || target) == Some(&target);
        self.require(|_, _| is_same);
    }

    /// The node directly behind is the label of a name; stays where it stands.
    pub(crate) fn next_is_label(&mut self, name: &str) {
        let label = self.labels.iter().find(|(known, _)| known == name);
        let label = label.and_then(|&(_, label)| self.body.label_node(label));
        let next = self.at.and_then(|at| self.body.raw_next(at));
        self.at = next.filter(|next| Some(*next) == label);
    }

    /// `close()` on the resource of a name; all closes of it have the same owner.
    pub(crate) fn next_is_close(&mut self, resource: &str) {
        self.next_is_local(Opcode::ALOAD, resource);
        self.next();
        self.require(|body, at| {
            matches!(body.opcode(at), Some(Opcode::INVOKEINTERFACE | Opcode::INVOKEVIRTUAL))
                && body.member(at).is_some_and(|member| member.name == "close" && member.descriptor == "()V")
        });
        if let Some(owner) = self.at.and_then(|at| self.body.member(at)).map(|member| member.class) {
            self.bind_text(&format!("{resource}.owner"), owner.as_bytes());
        }
    }

    pub(crate) fn next_is_add_suppressed(&mut self) {
        self.next_is_call(
            Opcode::INVOKEVIRTUAL,
            "java/lang/Throwable",
            "addSuppressed",
            "(Ljava/lang/Throwable;)V",
        );
    }
}
