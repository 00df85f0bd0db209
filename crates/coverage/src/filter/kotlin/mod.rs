//! Filters for what Kotlin's compiler adds. They run, in this order, for classes with Kotlin's metadata only.

mod compose;
mod coroutine;
mod default_arguments;
mod default_methods;
mod enum_entries;
mod expose_boxed;
mod generated;
mod inline;
mod inline_class;
mod jvm_overloads;
mod jvm_static;
mod lateinit;
mod not_null;
mod safe_call;
mod serializable;
mod synthetic_accessors;
mod unsafe_cast;
mod when;
mod when_string;

use super::body::Body;
use super::output::FilterOutput;

/// Kotlin's filters; one of them remembers what it saw in earlier methods of the class.
#[derive(Default)]
pub(super) struct KotlinFilters {
    serializable: serializable::Serializable,
}

impl KotlinFilters {
    pub(super) fn apply(&mut self, body: &Body<'_, '_, '_>, out: &mut FilterOutput) {
        generated::apply(body, out);
        synthetic_accessors::apply(body, out);
        self.serializable.apply(body, out);
        enum_entries::apply(body, out);
        jvm_overloads::apply(body, out);
        jvm_static::apply(body, out);
        safe_call::apply(body, out);
        lateinit::apply(body, out);
        when::apply(body, out);
        when_string::apply(body, out);
        unsafe_cast::apply(body, out);
        not_null::apply(body, out);
        inline_class::apply(body, out);
        expose_boxed::apply(body, out);
        default_arguments::apply(body, out);
        inline::apply(body, out);
        coroutine::apply(body, out);
        default_methods::apply(body, out);
        compose::apply(body, out);
    }
}
