//! Methods that a compiler made for itself, except the bodies of lambdas.

use super::body::Body;
use super::output::FilterOutput;

pub(super) fn apply(body: &Body<'_, '_, '_>, out: &mut FilterOutput) {
    let name = body.name.as_bytes();
    let lambda = name.starts_with(b"lambda$");
    let scala_lambda = body.class.is_scala && name.starts_with(b"$anonfun$");
    if body.is_synthetic() && !lambda && !scala_lambda {
        out.ignore_all();
    }
}
