//! Selects the transport of a response by the `Accept` header, which is read as the reference
//! implementation reads it.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::MEDIA_TYPE;
use crate::media_type::is_type;

/// True if the `Accept` header asks for an answer in protobuf. With `accept_wildcards`, `*/*` and `application/*` ask for it, as
/// in the reference implementation; without, only the media type itself does.
///
/// ```
/// use ag_ui_native::protobuf::{MEDIA_TYPE, accepts};
///
/// assert!(accepts(MEDIA_TYPE, false));
/// assert!(!accepts("*/*", false));
/// ```
pub fn accepts(accept: &str, accept_wildcards: bool) -> bool {
    let ranges = split(accept, ',').into_iter().filter_map(|range| Range::read(range.trim(), MEDIA_TYPE));
    let best = ranges.filter(|range| accept_wildcards || range.specificity >= EXACT).fold(
        Range { specificity: 0, quality: 0.0 },
        |best, range| {
            if range.counts_over(&best) { range } else { best }
        },
    );
    best.quality > 0.0
}

/// True if a `Content-Type` header names the binary transport, with or without parameters.
pub fn is_media_type(content_type: &str) -> bool {
    is_type(content_type, MEDIA_TYPE)
}

/// The specificity of a range that names type and subtype.
const EXACT: u8 = 6;

/// A range of the header that covers a media type.
#[derive(Debug)]
struct Range {
    specificity: u8,
    quality: f64,
}

impl Range {
    fn read(text: &str, offered: &str) -> Option<Self> {
        let (range, parameters) = text.split_once(';').unwrap_or((text, ""));
        let (kind, subtype) = range.trim_end().split_once('/')?;
        let is_name = |name: &str| !name.is_empty() && !name.contains(char::is_whitespace);
        if !is_name(kind) || !is_name(subtype) {
            return None;
        }
        let (offered_kind, offered_subtype) = offered.split_once('/')?;
        let specificity = match_of(kind, offered_kind, 4)? + match_of(subtype, offered_subtype, 2)?;
        let mut range = Self { specificity, quality: 1.0 };
        if parameters.is_empty() {
            return Some(range);
        }
        // If a parameter occurs several times, the last one counts.
        let mut values = BTreeMap::new();
        for parameter in split(parameters, ';') {
            let parameter = parameter.trim();
            let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            let value = match value.strip_prefix('"') {
                Some(rest) if value.ends_with('"') => rest.strip_suffix('"').unwrap_or_default(),
                _ => value,
            };
            let name = name.to_lowercase();
            if name == "q" {
                range.quality = number_in_front(value);
                break;
            }
            values.insert(name, value.to_owned());
        }
        // Our media type has no parameters, so only `*` matches.
        if values.values().any(|value| !value.is_empty() && value != "*") {
            return None;
        }
        range.specificity += u8::from(!values.is_empty());
        Some(range)
    }

    /// True if the range is preferred to the earlier range `best`. An invalid quality counts as equal to any other.
    fn counts_over(&self, best: &Self) -> bool {
        let by_quality = self.quality.partial_cmp(&best.quality).unwrap_or(Ordering::Equal);
        self.specificity.cmp(&best.specificity).then(by_quality) != Ordering::Less
    }
}

fn match_of(asked: &str, offered: &str, points: u8) -> Option<u8> {
    if asked.eq_ignore_ascii_case(offered) { Some(points) } else { (asked == "*").then_some(0) }
}

/// Splits at a character, except inside quotes.
fn split(text: &str, at: char) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    for piece in text.split(at) {
        match pieces.last_mut() {
            Some(open) if open.matches('"').count() % 2 == 1 => {
                open.push(at);
                open.push_str(piece);
            }
            _ => pieces.push(piece.to_owned()),
        }
    }
    pieces
}

/// Returns the number at the start of a text, as JavaScript's `parseFloat` reads it. Without one, the
/// quality is invalid.
fn number_in_front(text: &str) -> f64 {
    let text = text.trim_start();
    if text.trim_start_matches('+').starts_with("Infinity") {
        return f64::INFINITY;
    }
    let end = text.find(|character: char| !matches!(character, '0'..='9' | '.' | '-' | '+' | 'e' | 'E'));
    let mut number = &text[..end.unwrap_or(text.len())];
    while !number.is_empty() {
        if let Ok(value) = number.parse() {
            return value;
        }
        number = &number[..number.len() - 1];
    }
    f64::NAN
}
