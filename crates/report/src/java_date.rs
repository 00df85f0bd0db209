//! Times as Java's `Date` prints them, in UTC.
//!
//! No table of time zones is read: the same file gives the same text everywhere.

use std::fmt;

/// Milliseconds since 1970 that are printed as Java does.
#[derive(Debug, Clone, Copy)]
pub struct JavaDate(pub i64);

const MILLIS_PER_DAY: i64 = 86_400_000;
const DAYS_PER_400_YEARS: i64 = 146_097;

/// Between the first of March of the year 0 and the first of January of 1970.
const DAYS_BEFORE_1970: i64 = 719_468;

const WEEKDAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];

/// Years start in March here, so that the day that comes and goes is the last.
const MONTHS: [&str; 12] =
    ["Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec", "Jan", "Feb"];

impl fmt::Display for JavaDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let days = self.0.div_euclid(MILLIS_PER_DAY);
        let seconds = self.0.rem_euclid(MILLIS_PER_DAY) / 1000;
        let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        let (year, month, day) = date(days);
        let weekday = WEEKDAYS[days.rem_euclid(7) as usize];
        write!(f, "{weekday} {month} {day:02} {hour:02}:{minute:02}:{second:02} UTC {year}")
    }
}

/// Year, month and day of a number of days since 1970, in the calendar of today.
fn date(days_since_1970: i64) -> (i64, &'static str, i64) {
    let days = days_since_1970 + DAYS_BEFORE_1970;
    let era = days.div_euclid(DAYS_PER_400_YEARS);
    let day_of_era = days.rem_euclid(DAYS_PER_400_YEARS);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let is_after_december = month >= 10;
    (year_of_era + era * 400 + i64::from(is_after_december), MONTHS[month as usize], day)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Printed by Java with the option `-Duser.timezone=UTC`.
    #[test]
    fn dates_are_those_of_java() {
        let cases = [
            (0, "Thu Jan 01 00:00:00 UTC 1970"),
            (-1, "Wed Dec 31 23:59:59 UTC 1969"),
            (951_782_400_000, "Tue Feb 29 00:00:00 UTC 2000"),
            (951_868_800_000, "Wed Mar 01 00:00:00 UTC 2000"),
            (4_107_542_399_999, "Sun Feb 28 23:59:59 UTC 2100"),
            (4_107_542_400_000, "Mon Mar 01 00:00:00 UTC 2100"),
            (1_767_225_599_000, "Wed Dec 31 23:59:59 UTC 2025"),
            (-2_208_988_800_000, "Mon Jan 01 00:00:00 UTC 1900"),
        ];
        for (millis, text) in cases {
            assert_eq!(JavaDate(millis).to_string(), text, "{millis}");
        }
    }

    #[test]
    fn no_time_is_too_far_away() {
        assert!(JavaDate(i64::MAX).to_string().ends_with("292278994"));
        assert!(JavaDate(i64::MIN).to_string().contains("UTC -"));
    }
}
