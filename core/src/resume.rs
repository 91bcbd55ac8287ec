//! Answers to interrupts. A run that follows an interrupted one must answer all pending interrupts.

use crate::error::{Code, Error, Issue, quoted};
use crate::rule::Rule;
use crate::types::{Interrupt, ResumeEntry, ResumeStatus, RunAgentInput};

impl RunAgentInput {
    /// Checks, before the input is sent, that it answers all pending interrupts. `now` is in milliseconds since the
    /// Unix epoch.
    ///
    /// Fails if a pending interrupt has no answer (rule L01), and if one that has expired is not cancelled (rule L02).
    pub fn check_resume(&self, pending: &[Interrupt], now: i64) -> Result<(), Error> {
        check(pending, self.resume.as_deref().unwrap_or_default(), now)
    }

    /// Warnings about answers to interrupts that are not pending. Such answers have no effect, and do not invalidate the input.
    pub fn unasked_answers(&self, pending: &[Interrupt]) -> Vec<Issue> {
        unasked(pending, self.resume.as_deref().unwrap_or_default())
    }
}

/// Checks the answers of a run before it is requested. `now` is in milliseconds since the Unix epoch.
///
/// Fails if a pending interrupt has no answer (rule L01), and if one that has expired is not cancelled (rule L02). An
/// unreadable time never expires; answers to other interrupts are not refused.
pub fn check(pending: &[Interrupt], resume: &[ResumeEntry], now: i64) -> Result<(), Error> {
    let answer = |id: &str| resume.iter().find(|entry| entry.interrupt_id == id);
    let open: Vec<String> = pending
        .iter()
        .filter(|interrupt| answer(&interrupt.id).is_none())
        .map(|open| quoted(&open.id))
        .collect();
    if !open.is_empty() {
        return Err(Error::broken(Rule::L01, format!("{} open: {}", open.len(), open.join(", "))));
    }
    for interrupt in pending {
        let expires = interrupt.expires_at.as_deref().and_then(milliseconds);
        let is_cancelled = answer(&interrupt.id).is_some_and(|entry| entry.status == ResumeStatus::Cancelled);
        if !is_cancelled && expires.is_some_and(|expires| expires <= now) {
            return Err(Error::broken(Rule::L02, quoted(&interrupt.id)));
        }
    }
    Ok(())
}

/// Warnings about answers to interrupts that are not pending. Such answers have no effect, and do not invalidate the input.
pub fn unasked(pending: &[Interrupt], resume: &[ResumeEntry]) -> Vec<Issue> {
    let is_pending = |entry: &ResumeEntry| pending.iter().any(|interrupt| interrupt.id == entry.interrupt_id);
    let unasked = resume.iter().enumerate().filter(|(_, entry)| !is_pending(entry));
    let issue = |(index, entry): (usize, &ResumeEntry)| {
        let path = format!("/resume/{index}/interruptId");
        Issue::new(Code::UnknownInterrupt, path, quoted(&entry.interrupt_id))
    };
    unasked.map(issue).collect()
}

/// A time of ISO 8601 in milliseconds since the Unix epoch; `None` if it is invalid. Without a clock it is midnight, without a zone
/// UTC.
fn milliseconds(time: &str) -> Option<i64> {
    let (date, rest) = time.split_at_checked(10)?;
    let [year, month, day] = numbers(date, '-', [4, 2, 2])?;
    let rest = if rest.is_empty() { "T00:00" } else { rest };
    let time = rest.strip_prefix(['T', 't', ' '])?;
    let (clock, zone) = time.split_at(time.find(['Z', 'z', '+', '-']).unwrap_or(time.len()));
    let (clock, fraction) = clock.split_once('.').unwrap_or((clock, ""));
    let to_the_minute = || numbers(clock, ':', [2, 2]).map(|[hour, minute]| [hour, minute, 0]);
    let [hour, minute, second] = numbers(clock, ':', [2, 2, 2]).or_else(to_the_minute)?;
    let is_fraction = fraction.bytes().all(|byte| byte.is_ascii_digit());
    let thousandths = format!("{fraction:0<3}").get(..3)?.parse::<i64>().ok()?;
    let valid = is_fraction
        && (1..=12).contains(&month)
        && (1..=31).contains(&day)
        && hour < 24
        && minute < 60
        && second <= 60;
    let minutes = (days(year, month, day) * 24 + hour) * 60 + minute - offset(zone)?;
    valid.then_some((minutes * 60 + second) * 1000 + thousandths)
}

/// The offset of a zone from UTC in minutes: `+01:00`, `+0100` or `+01`.
fn offset(zone: &str) -> Option<i64> {
    if matches!(zone, "" | "Z" | "z") {
        return Some(0);
    }
    let digits = zone.strip_prefix(['+', '-'])?;
    let (hours, minutes) = digits.split_at_checked(2)?;
    let minutes = if minutes.is_empty() { "00" } else { minutes.strip_prefix(':').unwrap_or(minutes) };
    let ([hours], [minutes]) = (numbers(hours, ':', [2])?, numbers(minutes, ':', [2])?);
    let sign = if zone.starts_with('-') { -1 } else { 1 };
    Some(sign * (hours * 60 + minutes))
}

/// An HTTP date (RFC 9110, 5.6.7, preferred form) in milliseconds since the Unix epoch; `None` if it is invalid.
pub(crate) fn http_date(text: &str) -> Option<i64> {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let (_weekday, rest) = text.trim().split_once(", ")?;
    let parts: [&str; 5] = rest.split(' ').collect::<Vec<_>>().try_into().ok()?;
    let [day, month, year, clock, "GMT"] = parts else { return None };
    let month = MONTHS.iter().position(|name| *name == month)? + 1;
    let (day, year) = (day.parse().ok()?, year.parse().ok()?);
    let [hour, minute, second] = numbers(clock, ':', [2, 2, 2])?;
    let days = days(year, i64::try_from(month).ok()?, day);
    Some((((days * 24 + hour) * 60 + minute) * 60 + second) * 1000)
}

/// Numbers of fixed widths with a separator between them.
fn numbers<const N: usize>(text: &str, separator: char, widths: [usize; N]) -> Option<[i64; N]> {
    let mut parts = text.split(separator);
    let mut read = [0; N];
    for (number, width) in read.iter_mut().zip(widths) {
        let part = parts.next()?;
        let is_number = part.len() == width && part.bytes().all(|byte| byte.is_ascii_digit());
        *number = if is_number { part.parse().ok()? } else { return None };
    }
    parts.next().is_none().then_some(read)
}

/// Days since the Unix epoch in the Gregorian calendar. Years begin in March, so that leap days come last.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    year * 365 + leap_days + (month * 153 + 2) / 5 + day - 719_469
}

#[cfg(test)]
mod tests {
    use super::milliseconds;

    #[test]
    fn times_are_read() {
        // The output of `date -u -d ... +%s`.
        for (time, seconds) in [
            ("1970-01-01T00:00:00Z", 0),
            ("2020-02-29T12:30:45Z", 1_582_979_445),
            ("2020-02-29T12:30:45+02:00", 1_582_972_245),
            ("1969-12-31T23:59:59z", -1),
            ("2100-03-01T00:00:00-00:30", 4_107_544_200),
        ] {
            assert_eq!(milliseconds(time), Some(seconds * 1000), "{time}");
        }
        assert_eq!(milliseconds("2020-01-01T00:00:00.5Z"), Some(1_577_836_800_500));
        assert_eq!(milliseconds("2020-01-01T00:00:00.1239-01:00"), Some(1_577_840_400_123));
        for midnight in [
            "2020-01-01",
            "2020-01-01T00:00",
            "2020-01-01 00:00Z",
            "2020-01-01T00:00:00",
            "2020-01-01T00:00:00.000000",
            "2020-01-01T01:00:00+0100",
            "2019-12-31T23:00-01",
        ] {
            assert_eq!(milliseconds(midnight), Some(1_577_836_800_000), "{midnight}");
        }
        for time in [
            "",
            "soon",
            "2020-01",
            "2020-01-01T",
            "2020-01-01T00",
            "2020-13-01T00:00:00Z",
            "2020-01-01T00:00:00é",
            "2020-01-01T00:00:00+1",
            "2020-01-01T00:00:00+01:00:00",
            "2020-01-01T00:00:00.5x",
        ] {
            assert_eq!(milliseconds(time), None, "{time}");
        }
    }
}
