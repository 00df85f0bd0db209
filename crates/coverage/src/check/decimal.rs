//! Decimal numbers as people write limits: exact, with as many decimals as were written.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// How many digits a limit may have; so many that no product below overflows.
const MOST_DIGITS: usize = 18;

/// A decimal number. The number of decimals is part of it: messages show as many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decimal {
    /// The number without its point.
    digits: i128,
    /// How many digits are behind the point.
    scale: u32,
}

/// Why a text is no decimal number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecimalError {
    /// It is not written like one.
    NotANumber,
    /// It has more digits than anybody needs.
    TooManyDigits,
}

impl fmt::Display for DecimalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotANumber => f.write_str("is no number such as 0.8, 80% or 5"),
            Self::TooManyDigits => write!(f, "has more than {MOST_DIGITS} digits"),
        }
    }
}

impl std::error::Error for DecimalError {}

impl FromStr for Decimal {
    type Err = DecimalError;

    /// Reads a decimal number, or a percentage, which is a hundredth of it.
    fn from_str(text: &str) -> Result<Self, DecimalError> {
        let text = text.trim();
        let (number, percent_scale) = text.strip_suffix('%').map_or((text, 0), |number| (number, 2));
        let (is_negative, number) = match number.strip_prefix('-') {
            Some(number) => (true, number),
            None => (false, number.strip_prefix('+').unwrap_or(number)),
        };
        let (whole, decimals) = number.split_once('.').unwrap_or((number, ""));
        let digits = [whole, decimals].concat();
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(DecimalError::NotANumber);
        }
        if digits.len() > MOST_DIGITS {
            return Err(DecimalError::TooManyDigits);
        }
        let magnitude: i128 = digits.parse().map_err(|_| DecimalError::NotANumber)?;
        let scale = u32::try_from(decimals.len()).map_err(|_| DecimalError::TooManyDigits)?;
        let digits = if is_negative { -magnitude } else { magnitude };
        Ok(Self { digits, scale: scale + percent_scale })
    }
}

impl Decimal {
    /// How many digits are behind the point.
    #[must_use]
    pub(super) fn scale(self) -> u32 {
        self.scale
    }

    /// Whether it is between 0 and 1.
    pub(super) fn is_ratio(self) -> bool {
        (0..=power_of_ten(self.scale)).contains(&self.digits)
    }

    /// Compares itself with a fraction.
    pub(super) fn compare(self, numerator: u32, denominator: u32) -> Ordering {
        let (own, other) = (self.digits * i128::from(denominator), scaled(numerator, self.scale));
        own.cmp(&other)
    }

    /// A fraction rounded down. A fraction of nothing is zero.
    pub(super) fn floor(numerator: u32, denominator: u32, scale: u32) -> Self {
        Self { digits: scaled(numerator, scale) / i128::from(denominator.max(1)), scale }
    }

    /// A fraction rounded up. A fraction of nothing is its numerator.
    pub(super) fn ceiling(numerator: u32, denominator: u32, scale: u32) -> Self {
        let denominator = i128::from(denominator.max(1));
        Self { digits: (scaled(numerator, scale) + denominator - 1) / denominator, scale }
    }

    /// As Java shows it where it is not asked for plain digits: very small numbers have an exponent.
    pub(super) fn in_java(self) -> String {
        let digits = self.digits.unsigned_abs().to_string();
        let exponent = digits.len().saturating_sub(1) as i64 - i64::from(self.scale);
        if exponent >= -6 {
            return self.to_string();
        }
        let sign = if self.digits < 0 { "-" } else { "" };
        let (first, rest) = digits.split_at(1);
        let point = if rest.is_empty() { "" } else { "." };
        format!("{sign}{first}{point}{rest}E{exponent}")
    }
}

fn power_of_ten(exponent: u32) -> i128 {
    10_i128.pow(exponent)
}

fn scaled(number: u32, scale: u32) -> i128 {
    i128::from(number) * power_of_ten(scale)
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.digits < 0 { "-" } else { "" };
        let one = power_of_ten(self.scale).unsigned_abs();
        let (whole, decimals) = (self.digits.unsigned_abs() / one, self.digits.unsigned_abs() % one);
        write!(f, "{sign}{whole}")?;
        match self.scale as usize {
            0 => Ok(()),
            width => write!(f, ".{decimals:0width$}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Decimal {
        text.parse().expect("is a number")
    }

    #[test]
    fn numbers_are_shown_with_the_decimals_they_were_written_with() {
        for (written, shown) in [
            ("0.80", "0.80"),
            ("80%", "0.80"),
            (" 80.5% ", "0.805"),
            ("5", "5"),
            ("+.5", "0.5"),
            ("5.", "5"),
            ("-0.05", "-0.05"),
            ("-0", "0"),
            ("0.000", "0.000"),
            ("007", "7"),
        ] {
            assert_eq!(decimal(written).to_string(), shown, "{written}");
        }
    }

    #[test]
    fn other_text_is_no_number() {
        for text in ["", "%", ".", "-", "1,5", "1e3", "0x1", "1.2.3", "--1", "1 0", "NaN", "٣"] {
            assert_eq!(text.parse::<Decimal>(), Err(DecimalError::NotANumber), "{text}");
        }
        assert_eq!("0.123456789012345678".parse::<Decimal>(), Err(DecimalError::TooManyDigits));
        assert!("99999999999999999.9%".parse::<Decimal>().is_ok());
    }

    #[test]
    fn fractions_are_compared_exactly() {
        assert_eq!(decimal("0.3").compare(3, 10), Ordering::Equal);
        assert_eq!(decimal("0.30000000000000001").compare(3, 10), Ordering::Greater);
        assert_eq!(decimal("0.33333333333333333").compare(1, 3), Ordering::Less);
        assert_eq!(decimal("-1").compare(0, 1), Ordering::Less);
        let most = decimal("9999999999999999.99%");
        assert_eq!(most.compare(u32::MAX, 1), Ordering::Greater);
        assert_eq!(most.compare(1, u32::MAX), Ordering::Greater);
    }

    #[test]
    fn fractions_are_rounded_to_the_decimals_asked_for() {
        assert_eq!(Decimal::floor(2, 3, 2).to_string(), "0.66");
        assert_eq!(Decimal::ceiling(2, 3, 2).to_string(), "0.67");
        assert_eq!(Decimal::floor(1, 2, 1).to_string(), "0.5");
        assert_eq!(Decimal::ceiling(1, 2, 1).to_string(), "0.5");
        assert_eq!(Decimal::floor(2, 3, 0).to_string(), "0");
        assert_eq!(Decimal::ceiling(u32::MAX, 1, 20).to_string(), "4294967295.00000000000000000000");
    }

    #[test]
    fn very_small_numbers_have_an_exponent_in_java() {
        for (written, shown) in [
            ("-0.000001", "-0.000001"),
            ("-0.0000001", "-1E-7"),
            ("-0.00000012", "-1.2E-7"),
            ("1.5", "1.5"),
            ("2", "2"),
        ] {
            assert_eq!(decimal(written).in_java(), shown);
        }
    }

    #[test]
    fn ratios_are_from_zero_to_one() {
        for (written, is_ratio) in
            [("0", true), ("1.00", true), ("1.01", false), ("-0.1", false), ("80", false)]
        {
            assert_eq!(decimal(written).is_ratio(), is_ratio, "{written}");
        }
    }
}
