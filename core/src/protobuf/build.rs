//! What is made of an event before it is written as protobuf: records, whose free values are protobuf already.

use std::ops::Range;

use super::value::{write_struct, write_value};
use super::wire::Backward;
use crate::json::{Input, View};
use crate::path::Path;
use crate::schema::{Record, Validated};
use crate::validate::{Build, TypedBuild, records};

/// Makes the record of one event.
#[derive(Debug, Default)]
pub struct EventBuild {
    /// The free values, one in front of the other.
    out: Backward,
    values: Vec<FreeValue>,
}

/// A free value in protobuf: of an object the `Struct`, of anything else the `Value`.
#[derive(Debug)]
pub struct FreeValue {
    /// Where it stands: from how much was written before it to how much after.
    range: Range<usize>,
    pub is_object: bool,
    /// Pointers to what protobuf does not hold, last things first.
    pub lost: Vec<String>,
}

impl EventBuild {
    /// Forgets the last event.
    pub fn clear(&mut self) {
        self.out.clear();
        self.values.clear();
    }

    /// The free value of a number, and its bytes.
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
