//! Dates and times as numbers.

/// What the numbers of a column of dates or times count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    /// Days since 1970-01-01.
    Days,
    /// Seconds since then, in UTC.
    Seconds,
}

/// `2024-02-29`, or with a time of day behind a blank or a `T`: `2024-02-29 13:45`, `2024-02-29T13:45:30.25Z`.
pub(super) fn parse_time(text: &str, clock: Clock) -> Option<f64> {
    let text = text.trim().trim_end_matches('Z');
    let (date, time) = match text.split_once(['T', ' ']) {
        Some((date, time)) => (date, Some(time)),
        None => (text, None),
    };
    let mut parts = date.split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() || year.len() != 4 || month.len() != 2 || day.len() != 2 {
        return None;
    }
    let days = days_since_1970(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?)? as f64;
    let seconds = match time {
        None => 0.0,
        Some(time) => {
            let mut parts = time.splitn(3, ':');
            let (hours, minutes) = (parts.next()?.parse::<u8>().ok()?, parts.next()?.parse::<u8>().ok()?);
            let seconds: f64 = parts.next().map_or(Some(0.0), |s| s.parse().ok())?;
            if hours > 23 || minutes > 59 || !(0.0..61.0).contains(&seconds) {
                return None;
            }
            f64::from(hours) * 3600.0 + f64::from(minutes) * 60.0 + seconds
        }
    };
    Some(match clock {
        Clock::Days => days + seconds / 86_400.0,
        Clock::Seconds => days * 86_400.0 + seconds,
    })
}

/// In the Gregorian calendar, whose years here begin in March, so that a leap day is the last one.
fn days_since_1970(year: i64, month: i64, day: i64) -> Option<i64> {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days_of_month = match month {
        2 => 28 + i64::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    if !(1..=days_of_month).contains(&day) {
        return None;
    }
    let (year, month) = if month <= 2 { (year - 1, month + 9) } else { (year, month - 3) };
    // The days before the first of March of this year, then those before the month: 31, 30, 31, 30, 31 and again.
    let before_year = 365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    let before_month = (153 * month + 2) / 5;
    // 719468 days lie between the first of March of year 0 and 1970-01-01.
    Some(before_year + before_month + day - 1 - 719_468)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_times_are_read_as_r_reads_them() {
        let days = |text| parse_time(text, Clock::Days);
        assert_eq!(days("1970-01-01"), Some(0.0));
        assert_eq!(days("1969-12-31"), Some(-1.0));
        assert_eq!(days("2000-02-29"), Some(11016.0));
        assert_eq!(days("2024-02-29"), Some(19782.0));
        assert_eq!(days("2024-02-29 12:00"), Some(19782.5));
        assert_eq!(parse_time("2001-09-09T01:46:40Z", Clock::Seconds), Some(1e9));
        assert_eq!(parse_time("2001-09-09 01:46:40.5", Clock::Seconds), Some(1e9 + 0.5));
        for wrong in [
            "",
            "m",
            "2023-02-29",
            "2024-13-01",
            "2024-1-1",
            "24-01-01",
            "2024-01-01-01",
            "2024-01-01 25:00",
            "2024-01-01 1",
        ] {
            assert_eq!(days(wrong), None, "{wrong}");
        }
    }
}
