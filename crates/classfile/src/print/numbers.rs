//! Floating point numbers as Java writes them.
//!
//! The digits are the fewest that give the number back, at least two; the notation is that of `Double.toString`. Java
//! before 19 sometimes writes more digits of the same number.

use std::fmt::LowerExp;

/// A `float` as Java writes it, without the `f` of a literal.
pub(super) fn float(bits: u32) -> String {
    let value = f32::from_bits(bits);
    java(value, value.is_nan(), value.is_infinite(), value.is_sign_negative())
}

/// A `double` as Java writes it, without the `d` of a literal.
pub(super) fn double(bits: u64) -> String {
    let value = f64::from_bits(bits);
    java(value, value.is_nan(), value.is_infinite(), value.is_sign_negative())
}

fn java(value: impl LowerExp, is_nan: bool, is_infinite: bool, is_negative: bool) -> String {
    if is_nan {
        return "NaN".to_owned();
    }
    let sign = if is_negative { "-" } else { "" };
    if is_infinite {
        return format!("{sign}Infinity");
    }
    let mut scientific = format!("{value:e}");
    if !scientific.contains('.') {
        // One digit would do; Java takes two, which can be nearer: 4.9E-324 and not 5E-324.
        scientific = format!("{value:.1e}");
    }
    let scientific = scientific.trim_start_matches('-');
    let (digits, exponent) = scientific.split_once('e').unwrap_or((scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    let magnitude = if is_zero(digits) || (-3..7).contains(&exponent) {
        plain(digits, exponent)
    } else {
        format!("{digits}E{exponent}")
    };
    format!("{sign}{magnitude}")
}

fn is_zero(digits: &str) -> bool {
    digits.bytes().all(|digit| matches!(digit, b'0' | b'.'))
}

/// Moves the point of `d.ddd` by the exponent; at least one digit stands on each side of it.
fn plain(digits: &str, exponent: i32) -> String {
    let all: String = digits.chars().filter(char::is_ascii_digit).collect();
    let point = usize::try_from(exponent.saturating_add(1)).unwrap_or(0);
    let zeros_in_front = usize::try_from(exponent.saturating_neg()).unwrap_or(0);
    let padded = format!("{}{all}", "0".repeat(zeros_in_front));
    let point = point.max(1);
    let padded = format!("{padded:0<width$}", width = point + 1);
    let (whole, fraction) = padded.split_at_checked(point).unwrap_or((&padded, "0"));
    match fraction.trim_end_matches('0') {
        "" => format!("{whole}.0"),
        fraction => format!("{whole}.{fraction}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_look_as_in_java() {
        let cases = [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (-1.5, "-1.5"),
            (10.0, "10.0"),
            (120.25, "120.25"),
            (0.001, "0.001"),
            (0.0125, "0.0125"),
            (0.000_99, "9.9E-4"),
            (9_999_999.0, "9999999.0"),
            (1e7, "1.0E7"),
            (1.25e300, "1.25E300"),
            (f64::MAX, "1.7976931348623157E308"),
            (f64::from_bits(1), "4.9E-324"),
            (2e-323, "2.0E-323"),
            (f64::INFINITY, "Infinity"),
            (f64::NEG_INFINITY, "-Infinity"),
            (f64::NAN, "NaN"),
        ];
        for (value, expected) in cases {
            assert_eq!(double(value.to_bits()), expected);
        }
    }

    #[test]
    fn floats_have_the_digits_of_a_float() {
        let cases = [
            (0.1, "0.1"),
            (1.5, "1.5"),
            (16_777_216.0, "1.6777216E7"),
            (f32::MAX, "3.4028235E38"),
            (f32::from_bits(1), "1.4E-45"),
            (f32::NEG_INFINITY, "-Infinity"),
        ];
        for (value, expected) in cases {
            assert_eq!(float(value.to_bits()), expected);
        }
    }
}
