//! Many figures in three: the one in the middle and the two at the ends.
//!
//! No averages: on a machine that does other things too, one slow round would move them.

use std::fmt;

/// The middle and the ends of some figures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Spread {
    pub(crate) median: f64,
    pub(crate) min: f64,
    pub(crate) max: f64,
}

impl Spread {
    /// The spread of these figures; none for none.
    pub(crate) fn of(figures: impl IntoIterator<Item = f64>) -> Option<Spread> {
        let mut sorted: Vec<f64> = figures.into_iter().collect();
        sorted.sort_by(f64::total_cmp);
        let (min, max) = (*sorted.first()?, *sorted.last()?);
        let (upper, lower) = (sorted[sorted.len() / 2], sorted[(sorted.len() - 1) / 2]);
        Some(Spread { median: f64::midpoint(lower, upper), min, max })
    }

    /// The spread of the quotients of two rows, round by round, so that what slows both down cancels out.
    pub(crate) fn of_quotients(row: &[f64], by: &[f64]) -> Option<Spread> {
        Spread::of(row.iter().zip(by).map(|(one, other)| one / other))
    }
}

impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let places = f.precision().unwrap_or(2);
        let Spread { median, min, max } = self;
        write!(f, "{median:.places$} ({min:.places$}..{max:.places$})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_one_in_the_middle_or_between_the_two() {
        assert_eq!(Spread::of([3.0, 1.0, 9.0]), Some(Spread { median: 3.0, min: 1.0, max: 9.0 }));
        assert_eq!(Spread::of([4.0, 1.0, 9.0, 2.0]).map(|spread| spread.median), Some(3.0));
        assert_eq!(Spread::of([]), None);
    }

    #[test]
    fn quotients_are_taken_round_by_round() {
        let spread = Spread::of_quotients(&[10.0, 40.0], &[5.0, 20.0]);
        assert_eq!(spread, Some(Spread { median: 2.0, min: 2.0, max: 2.0 }));
    }

    #[test]
    fn a_spread_is_shown_with_its_ends() {
        let spread = Spread { median: 1.25, min: 1.0, max: 2.0 };
        assert_eq!(spread.to_string(), "1.25 (1.00..2.00)");
        assert_eq!(format!("{spread:.0}"), "1 (1..2)");
    }
}
