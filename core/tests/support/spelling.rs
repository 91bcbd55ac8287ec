//! JSON text in every legal spelling, and in some that are not: the input for comparing fast paths through documents.
#![allow(dead_code)] // Each test is a crate of its own and uses what it needs.

use serde_json::{Map, Value};

/// Choices from the bytes that proptest or a fuzzer has made. After the last byte every choice is the plain one.
pub struct Dice<'a>(pub &'a [u8]);

impl Dice<'_> {
    /// A number below `count`, which is at most 256.
    pub fn below(&mut self, count: usize) -> usize {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        usize::from(*first) % count
    }

    /// One in `count` times.
    pub fn once_in(&mut self, count: usize) -> bool {
        self.below(count) == 1
    }

    /// One of several.
    pub fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// The frequencies with which a spelling differs from the compact one.
#[derive(Clone, Copy)]
struct Style {
    /// White space is inserted at one of this number of places; 0 means never.
    space: usize,
    /// One of this number of characters that need no escape is escaped; 0 means never.
    escape: usize,
    /// Other spellings of numbers.
    number: usize,
    /// Members in another order, repeated, or added.
    member: usize,
}

/// Text of `value`, legally spelled: white space, escapes, numbers, order of members and members twice are chosen.
pub fn spell(value: &Value, dice: &mut Dice<'_>) -> String {
    let often = [0, 0, 2, 4, 16];
    let [space, escape, number, member] = [(); 4].map(|()| dice.of(&often));
    let style = Style { space, escape, number, member };
    let mut out = String::new();
    if dice.once_in(64) {
        out.push('\u{feff}');
    }
    write_space(&mut out, style, dice);
    write(&mut out, value, style, dice);
    write_space(&mut out, style, dice);
    out
}

/// Does some damage to a text, if the dice say so.
pub fn damage(mut text: String, dice: &mut Dice<'_>) -> String {
    for _ in 0..dice.of(&[0, 0, 0, 1, 2]) {
        let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        let Some(&at) = places.get(dice.below(256) * 256 + dice.below(256)).or(places.last()) else { break };
        match dice.below(3) {
            0 => text.insert_str(
                at,
                dice.of(&[" ", ",", ":", "\"", "}", "[", "\\", "0", "-", "\u{c}", "null", "\u{a0}"]),
            ),
            1 => drop(text.remove(at)),
            _ => text.truncate(at),
        }
    }
    text
}

/// A number in an unusual spelling.
pub fn odd_number(dice: &mut Dice<'_>) -> &'static str {
    dice.of(&[
        "-0",
        "0",
        "-0.0",
        "1.0",
        "1E2",
        "1e+2",
        "120e-1",
        "9007199254740993",
        "-9223372036854775808",
        "9223372036854775808",
        "123456789012345678901234567890",
        "1e400",
        "-1e-400",
        "0.1",
        "2.5e-3",
        "5e-324",
        "1.7976931348623157e308",
    ])
}

fn happens(one_in: usize, dice: &mut Dice<'_>) -> bool {
    one_in > 0 && dice.once_in(one_in)
}

fn write_space(out: &mut String, style: Style, dice: &mut Dice<'_>) {
    if happens(style.space, dice) {
        out.push_str(dice.of(&[" ", "  ", "\n", "\t", "\r\n", "\n    ", " \t "]));
    }
}

fn write(out: &mut String, value: &Value, style: Style, dice: &mut Dice<'_>) {
    match value {
        Value::Number(_) if happens(style.number, dice) => out.push_str(odd_number(dice)),
        Value::Null | Value::Bool(_) | Value::Number(_) => out.push_str(&value.to_string()),
        Value::String(text) => write_text(out, text, style, dice),
        Value::Array(items) => {
            out.push('[');
            write_space(out, style, dice);
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    write_comma(out, style, dice);
                }
                write(out, item, style, dice);
            }
            write_space(out, style, dice);
            out.push(']');
        }
        Value::Object(members) => write_object(out, members, style, dice),
    }
}

fn write_object(out: &mut String, members: &Map<String, Value>, style: Style, dice: &mut Dice<'_>) {
    let mut order: Vec<(&str, &Value)> = members.iter().map(|(key, value)| (key.as_str(), value)).collect();
    if order.len() > 1 && happens(style.member, dice) {
        let (from, to) = (dice.below(order.len()), dice.below(order.len()));
        let moved = order.remove(from);
        order.insert(to, moved);
    }
    let besides = [Value::Null, Value::from(7), Value::from("text"), serde_json::json!({"a": [1]})];
    if happens(style.member, dice) {
        let key = match order.get(dice.below(8)) {
            Some((key, _)) => *key,
            None => dice.of(&["x", "", "__proto__", "type", "metadata"]),
        };
        let at = dice.below(order.len() + 1);
        order.insert(at, (key, &besides[dice.below(besides.len())]));
    }
    out.push('{');
    write_space(out, style, dice);
    for (index, (key, value)) in order.into_iter().enumerate() {
        if index > 0 {
            write_comma(out, style, dice);
        }
        write_text(out, key, style, dice);
        write_space(out, style, dice);
        out.push(':');
        write_space(out, style, dice);
        write(out, value, style, dice);
    }
    write_space(out, style, dice);
    out.push('}');
}

fn write_comma(out: &mut String, style: Style, dice: &mut Dice<'_>) {
    write_space(out, style, dice);
    out.push(',');
    write_space(out, style, dice);
}

fn write_text(out: &mut String, text: &str, style: Style, dice: &mut Dice<'_>) {
    out.push('"');
    for character in text.chars() {
        let short = match character {
            '"' | '\\' | '/' => Some(character),
            '\u{8}' => Some('b'),
            '\u{c}' => Some('f'),
            '\n' => Some('n'),
            '\r' => Some('r'),
            '\t' => Some('t'),
            _ => None,
        };
        let must = character < ' ' || matches!(character, '"' | '\\');
        let may = happens(style.escape, dice);
        match short {
            Some(short) if must || may => {
                out.push('\\');
                out.push(short);
            }
            _ if must || may => {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    let hex =
                        if dice.once_in(2) { format!("\\u{unit:04X}") } else { format!("\\u{unit:04x}") };
                    out.push_str(&hex);
                }
            }
            _ => out.push(character),
        }
    }
    out.push('"');
}
