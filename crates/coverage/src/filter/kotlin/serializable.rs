//! What the plugin for serialisation adds to a class.

use super::super::body::Body;
use super::super::matcher::Matcher;
use super::super::output::FilterOutput;
use probity_classfile::descriptor::{FieldType, MethodType};
use probity_classfile::opcode::Opcode;
use probity_instrument::list::Node;

const SERIALIZER: &str = "()Lkotlinx/serialization/KSerializer;";

/// Remembers the line of the companion's constructor.
#[derive(Default)]
pub(super) struct Serializable {
    /// The first line of the constructor; nothing before the constructor was seen.
    companion_line: Option<Option<u16>>,
}

impl Serializable {
    pub(super) fn apply(&mut self, body: &Body<'_, '_, '_>, out: &mut FilterOutput) {
        if body.class.name.as_bytes().ends_with(b"$Companion")
            && body.name == "<init>"
            && body.descriptor == "()V"
        {
            self.companion_line = Some(first_line(body));
        }
        if self.is_serializer(body) || is_synthetic_helper(body) {
            out.ignore_all();
        }
    }

    fn is_serializer(&self, body: &Body<'_, '_, '_>) -> bool {
        if body.name != "serializer" || body.descriptor != SERIALIZER {
            return false;
        }
        self.returns_instance(body) || returns_cached(body)
    }

    fn returns_instance(&self, body: &Body<'_, '_, '_>) -> bool {
        let mut matcher = Matcher::standing_at(body, 0);
        matcher.next_is(Opcode::GETSTATIC);
        matcher.require(|body, at| body.member(at).is_some_and(|field| field.name == "INSTANCE"));
        let line = matcher.at.and_then(|at| body.raw_previous(at)).and_then(|at| match body.node(at) {
            Some(Node::Line { line, .. }) => Some(*line),
            _ => None,
        });
        matcher.next_is_type(Opcode::CHECKCAST, "kotlinx/serialization/KSerializer");
        matcher.next_is(Opcode::ARETURN);
        match (matcher.holds(), line, self.companion_line) {
            (true, Some(_), Some(None)) => true,
            (true, Some(line), Some(Some(remembered))) => line == remembered,
            _ => false,
        }
    }
}

fn returns_cached(body: &Body<'_, '_, '_>) -> bool {
    let mut matcher = Matcher::new(body);
    matcher.first_is_load_0();
    matcher.next_is_field(
        Opcode::INVOKESPECIAL,
        body.class.name.as_bytes(),
        "get$cachedSerializer",
        SERIALIZER,
    );
    matcher.next_is(Opcode::ARETURN);
    matcher.holds()
}

fn is_synthetic_helper(body: &Body<'_, '_, '_>) -> bool {
    if !body.is_synthetic() {
        return false;
    }
    let name = body.name.as_bytes();
    let gives_serializer = body.descriptor == SERIALIZER
        && (name == b"get$cachedSerializer"
            || name.starts_with(b"_init_$_anonymous_")
            || name.starts_with(b"_childSerializers$_anonymous_"));
    name.starts_with(b"write$Self$") || gives_serializer || is_deserialising_constructor(body)
}

fn is_deserialising_constructor(body: &Body<'_, '_, '_>) -> bool {
    let Ok(method) = MethodType::read(body.descriptor) else { return false };
    let marker = "kotlinx/serialization/internal/SerializationConstructorMarker";
    method.parameters().count() > 1
        && matches!(method.parameters().last(), Some(FieldType::Object(class)) if class == marker)
}

fn first_line(body: &Body<'_, '_, '_>) -> Option<u16> {
    body.list().nodes().iter().find_map(|node| match node {
        Node::Line { line, .. } => Some(*line),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::test_method::method;
    use probity_classfile::access;

    #[test]
    fn a_cached_serializer_is_ignored() {
        method(
            "- aload 0
             - invokespecial a/B.get$cachedSerializer()Lkotlinx/serialization/KSerializer;
             - areturn",
        )
        .named("serializer", "()Lkotlinx/serialization/KSerializer;")
        .check_ignored(|body, out| super::Serializable::default().apply(body, out));
    }

    #[test]
    fn a_serializer_from_elsewhere_is_the_sources() {
        method(
            "aload 0
             invokespecial a/C.get$cachedSerializer()Lkotlinx/serialization/KSerializer;
             areturn",
        )
        .named("serializer", "()Lkotlinx/serialization/KSerializer;")
        .check_ignored(|body, out| super::Serializable::default().apply(body, out));
    }

    #[test]
    fn writing_is_ignored() {
        method("- return")
            .named("write$Self$main", "()V")
            .access(access::SYNTHETIC)
            .check_ignored(|body, out| super::Serializable::default().apply(body, out));
    }

    #[test]
    fn a_method_of_the_source_is_not() {
        method("return")
            .named("write$Self$main", "()V")
            .check_ignored(|body, out| super::Serializable::default().apply(body, out));
    }

    #[test]
    fn the_constructor_for_reading_is_ignored() {
        method("- return")
            .named("<init>", "(ILkotlinx/serialization/internal/SerializationConstructorMarker;)V")
            .access(access::SYNTHETIC)
            .check_ignored(|body, out| super::Serializable::default().apply(body, out));
    }

    fn serializer_after_companion(constructor_line: u16, mark: &str) {
        let mut filter = super::Serializable::default();
        method(&format!("line {constructor_line}\nreturn"))
            .of("a/B$Companion", "java/lang/Object")
            .named("<init>", "()V")
            .check_ignored(|body, out| filter.apply(body, out));
        method(&format!(
            "line 3
             {mark} getstatic a/B$serializer.INSTANCE La/B$serializer;
             {mark} checkcast kotlinx/serialization/KSerializer
             {mark} areturn"
        ))
        .of("a/B$Companion", "java/lang/Object")
        .named("serializer", "()Lkotlinx/serialization/KSerializer;")
        .check_ignored(|body, out| filter.apply(body, out));
    }

    #[test]
    fn a_serializer_on_the_line_of_the_companion_is_ignored() {
        serializer_after_companion(3, "-");
    }

    #[test]
    fn a_serializer_on_another_line_is_the_sources() {
        serializer_after_companion(4, "");
    }
}
