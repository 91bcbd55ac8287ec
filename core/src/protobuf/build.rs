//! What is made of an event before it is written as protobuf: records whose free values stay text.

use crate::json::{Input, NumberStyle, Writer};
use crate::read::{Build, FreeText};
use crate::schema::{EnumDef, Slot, TypeDef};
use crate::typed::{Record, TypedBuild};

/// Makes records of one event.
#[derive(Debug)]
pub struct Sources {
    /// The free values, one behind the other.
    pub json: Writer,
}

impl Default for Sources {
    fn default() -> Self {
        Self { json: Writer::new(NumberStyle::Python) }
    }
}

impl Sources {
    /// Keeps what is written.
    fn keep(&mut self, write: impl FnOnce(&mut Writer)) -> Slot {
        // A number ends where something else begins.
        self.json.out.push('\n');
        let start = self.json.out.len();
        write(&mut self.json);
        Slot::Source(start..self.json.out.len())
    }
}

impl Build for Sources {
    type Value = Slot;
    type Object = Record;

    fn text(&mut self, text: &str) -> Slot {
        TypedBuild.text(text)
    }

    fn literal(&mut self, text: &'static str) -> Slot {
        TypedBuild.literal(text)
    }

    fn bool(&mut self, value: bool) -> Slot {
        TypedBuild.bool(value)
    }

    fn int(&mut self, value: i64) -> Slot {
        TypedBuild.int(value)
    }

    fn choice(&mut self, set: &'static EnumDef, index: usize) -> Slot {
        TypedBuild.choice(set, index)
    }

    fn json<'a, I: Input<'a>>(&mut self, input: I) -> Slot {
        self.keep(|json| match input.source() {
            Some(source) => json.out.push_str(source),
            None => json.input(input),
        })
    }

    fn json_text(&mut self, text: FreeText<'_, '_>) -> Option<Slot> {
        let source = text.source()?;
        Some(self.keep(|json| json.out.push_str(source)))
    }

    fn unknown<'a, I: Input<'a>>(&mut self, input: I) -> Slot {
        TypedBuild.unknown(input)
    }

    fn list(&mut self, items: Vec<Slot>) -> Slot {
        TypedBuild.list(items)
    }

    fn object(&mut self, ty: &'static TypeDef) -> Record {
        TypedBuild.object(ty)
    }

    fn member(&mut self, object: &mut Record, index: usize, value: Slot) {
        TypedBuild.member(object, index, value);
    }

    fn extra<'a, I: Input<'a>>(&mut self, object: &mut Record, key: &str, input: I) {
        TypedBuild.extra(object, key, input);
    }

    fn end(&mut self, object: Record) -> Slot {
        TypedBuild.end(object)
    }
}
