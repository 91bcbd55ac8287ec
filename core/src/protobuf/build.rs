//! Builds the records that are written as protobuf. Their free values are encoded already.

use std::ops::Range;

use super::value::{write_struct, write_value};
use super::wire::Backward;
use crate::json::{Input, View};
use crate::path::Path;
use crate::schema::{Record, Validated};
use crate::validate::{Build, TypedBuild, records};

/// Builds the record of one event.
#[derive(Debug, Default)]
pub struct EventBuild {
    /// The encoded free values, the last one first.
    out: Backward,
    values: Vec<FreeValue>,
}

/// An encoded free value: a `Struct` for an object, a `Value` for others.
#[derive(Debug)]
pub struct FreeValue {
    /// Its range: the lengths of the output before and after writing it.
    range: Range<usize>,
    pub is_object: bool,
    /// Pointers to values that protobuf cannot hold, the last one first.
    pub lost: Vec<String>,
}

impl EventBuild {
    /// Drops the last event.
    pub fn clear(&mut self) {
        self.out.clear();
        self.values.clear();
    }

    /// Returns the free value with the number `index`, with its bytes.
    pub fn value(&self, index: usize) -> Option<(&FreeValue, &[u8])> {
        let value = self.values.get(index)?;
        Some((value, self.out.between(&value.range)))
    }
}

impl Build for EventBuild {
    records!();

    fn json<'a, I: Input<'a>>(&mut self, input: I) -> Validated {
        let Self { out, values } = self;
        let before = out.len();
        let mut lost = Vec::new();
        let mut note = |path: &Path<'_>| lost.push(path.pointer());
        let is_object = if let View::Object(members) = input.view() {
            write_struct(out, members, &Path::ROOT, &mut note);
            true
        } else {
            write_value(out, &input, &Path::ROOT, &mut note);
            false
        };
        values.push(FreeValue { range: before..out.len(), is_object, lost });
        Validated::Kept(values.len() - 1)
    }

    fn unknown<'a, I: Input<'a>>(&mut self, input: I) -> Validated {
        TypedBuild.unknown(input)
    }

    fn extra<'a, I: Input<'a>>(&mut self, object: &mut Record, key: &str, input: I) {
        TypedBuild.extra(object, key, input);
    }
}
