//! `entries` of an enum.

use super::super::body::Body;
use super::super::output::FilterOutput;

pub(super) fn apply(body: &Body<'_, '_, '_>, out: &mut FilterOutput) {
    if body.class.super_name.is_some_and(|name| name == "java/lang/Enum")
        && body.name == "getEntries"
        && body.descriptor == "()Lkotlin/enums/EnumEntries;"
    {
        out.ignore_all();
    }
}
