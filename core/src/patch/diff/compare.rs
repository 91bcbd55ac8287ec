//! Compares values.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::Number;
use crate::collections::HashMap;
use crate::json::{Input, View};

/// True if two numbers have the same spelling: `1` and `1.0` do not.
pub fn same_number(one: &Number, other: &Number) -> bool {
    match (one, other) {
        (Number::Float(one), Number::Float(other)) => one.to_bits() == other.to_bits(),
        (one, other) => one == other,
    }
}

/// True if two values are equal apart from the order of members. The cost of an unequal comparison is taken from
/// `effort`; with no effort left, values count as unequal.
pub fn equal<'a, I: Input<'a>>(one: I, other: I, effort: &mut usize) -> bool {
    let mut visited = 0;
    let equal = *effort > 0 && are_equal(one, other, &mut visited);
    if !equal {
        *effort = effort.saturating_sub(visited);
    }
    equal
}

/// Compares without a limit on the effort. Returns the number of values if both are equal.
pub fn equal_values<'a, I: Input<'a>>(one: I, other: I) -> Option<usize> {
    let mut visited = 0;
    are_equal(one, other, &mut visited).then_some(visited)
}

fn are_equal<'a, I: Input<'a>>(one: I, other: I, visited: &mut usize) -> bool {
    *visited += 1;
    if one.is_same_place(other) {
        return true;
    }
    match (one.view(), other.view()) {
        (View::Null, View::Null) => true,
        (View::Bool(one), View::Bool(other)) => one == other,
        (View::Number, View::Number) => same_number(&one.number(), &other.number()),
        (View::Text(one), View::Text(other)) => one == other,
        (View::List(mut ones), View::List(mut others)) => loop {
            match (ones.next(), others.next()) {
                (Some(one), Some(other)) if are_equal(one, other, visited) => {}
                (None, None) => return true,
                _ => return false,
            }
        },
        (View::Object(mut ones), View::Object(mut others)) => loop {
            match (ones.next(), others.next()) {
                (Some((key, one)), Some((name, other))) if key == name => {
                    if !are_equal(one, other, visited) {
                        return false;
                    }
                }
                (None, None) => return true,
                (Some(one), Some(other)) => {
                    return in_any_order(
                        std::iter::once(one).chain(ones),
                        std::iter::once(other).chain(others),
                        visited,
                    );
                }
                _ => return false,
            }
        },
        _ => false,
    }
}

fn in_any_order<'a, I: Input<'a>>(
    ones: impl Iterator<Item = (&'a str, I)>,
    others: impl Iterator<Item = (&'a str, I)>,
    visited: &mut usize,
) -> bool {
    let mut others: HashMap<&str, I> = others.collect();
    for (key, one) in ones {
        match others.remove(key) {
            Some(other) if are_equal(one, other, visited) => {}
            _ => return false,
        }
    }
    others.is_empty()
}

/// Returns a hash of the value. Equal values have equal hashes.
pub fn digest<'a, I: Input<'a>>(value: I, visited: &mut usize) -> u64 {
    *visited += 1;
    let mut hasher = DefaultHasher::new();
    match value.view() {
        View::Null => 0u8.hash(&mut hasher),
        View::Bool(value) => value.hash(&mut hasher),
        View::Text(text) => text.hash(&mut hasher),
        View::Number => match value.number() {
            Number::Int(int) => int.hash(&mut hasher),
            Number::Float(float) => float.to_bits().hash(&mut hasher),
            Number::Literal(text) => text.hash(&mut hasher),
        },
        View::List(items) => items.for_each(|item| digest(item, visited).hash(&mut hasher)),
        View::Object(members) => {
            let sum = |sum: u64, (key, value)| sum.wrapping_add(member_digest(key, value, visited));
            members.fold(0, sum).hash(&mut hasher);
        }
    }
    hasher.finish()
}

fn member_digest<'a, I: Input<'a>>(key: &str, value: I, visited: &mut usize) -> u64 {
    let mut hasher = DefaultHasher::new();
    (key, digest(value, visited)).hash(&mut hasher);
    hasher.finish()
}

/// A summary of a value: its kind, and some of the digests of its content, in order.
#[derive(Debug, PartialEq)]
pub enum Sketch {
    Scalar,
    List(Vec<u64>),
    Object(Vec<u64>),
}

/// Maximum number of digests in a sketch.
const SKETCHED: usize = 16;

/// Returns the sketch of a value. It holds the smallest digests, so values with much in common share them.
pub fn sketch<'a, I: Input<'a>>(value: I, visited: &mut usize) -> Sketch {
    let smallest = |mut digests: Vec<u64>| {
        digests.sort_unstable();
        digests.truncate(SKETCHED);
        digests
    };
    match value.view() {
        View::List(items) => Sketch::List(smallest(items.map(|item| digest(item, visited)).collect())),
        View::Object(members) => {
            Sketch::Object(smallest(members.map(|(key, value)| member_digest(key, value, visited)).collect()))
        }
        _ => Sketch::Scalar,
    }
}

impl Sketch {
    /// Returns the likeness of two values. It is never 0, since any value can replace any other.
    pub fn likeness(&self, other: &Self) -> u32 {
        match (self, other) {
            (Self::List(one), Self::List(other)) | (Self::Object(one), Self::Object(other)) => {
                2 + 4 * in_common(one, other)
            }
            _ => 1,
        }
    }
}

fn in_common(mut one: &[u64], mut other: &[u64]) -> u32 {
    let mut count = 0;
    while let ([first, rest @ ..], [second, others @ ..]) = (one, other) {
        count += u32::from(first == second);
        if first <= second {
            one = rest;
        }
        if second <= first {
            other = others;
        }
    }
    count
}
