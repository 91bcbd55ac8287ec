//! An event is read once, into what its host makes of it and what the stages of a pipeline need.

use crate::json::Input;
use crate::schema::{EnumDef, FieldDef, Record, TypeDef, Validated};
#[allow(clippy::wildcard_imports)] // Many events.
use crate::types::*;
use crate::validate::{Build, FreeText, TypedBuild};

/// Makes the host's form of an event, and of the event itself as much as the stages need.
#[derive(Debug)]
pub struct Fused<'b, B> {
    host: &'b mut B,
    /// The stages need all of every event: it is reduced, or made anew.
    is_whole: bool,
    /// They need all of the event that is being read.
    is_chunk: bool,
}

/// What the stages need of a value.
#[derive(Debug)]
pub enum Need {
    /// The value.
    Validated(Validated),
    /// Nothing.
    Nothing,
}

impl<'b, B> Fused<'b, B> {
    /// A builder of the host's. `is_whole`: the stages need all of every event.
    pub fn new(host: &'b mut B, is_whole: bool) -> Self {
        Self { host, is_whole, is_chunk: false }
    }

    fn needs_free_values(&self) -> bool {
        self.is_chunk || self.is_whole
    }
}

impl Need {
    /// The value, if it is needed.
    pub fn validated(self) -> Option<Validated> {
        if let Self::Validated(value) = self { Some(value) } else { None }
    }
}

fn is_chunk(ty: &'static TypeDef) -> bool {
    [TextMessageChunkEvent::TYPE, ToolCallChunkEvent::TYPE, ReasoningMessageChunkEvent::TYPE]
        .into_iter()
        .any(|chunk| std::ptr::eq(ty, chunk))
}

impl<B: Build> Build for Fused<'_, B> {
    type Value = (Need, B::Value);
    type Object = (Record, B::Object);

    fn text(&mut self, text: &str) -> Self::Value {
        (Need::Validated(TypedBuild.text(text)), self.host.text(text))
    }

    fn literal(&mut self, text: &'static str) -> Self::Value {
        (Need::Validated(TypedBuild.literal(text)), self.host.literal(text))
    }

    fn bool(&mut self, value: bool) -> Self::Value {
        (Need::Validated(TypedBuild.bool(value)), self.host.bool(value))
    }

    fn int(&mut self, value: i64) -> Self::Value {
        (Need::Validated(TypedBuild.int(value)), self.host.int(value))
    }

    fn choice(&mut self, set: &'static EnumDef, index: usize) -> Self::Value {
        (Need::Validated(TypedBuild.choice(set, index)), self.host.choice(set, index))
    }

    fn json<'a, I: Input<'a>>(&mut self, input: I) -> Self::Value {
        let need =
            if self.needs_free_values() { Need::Validated(TypedBuild.json(input)) } else { Need::Nothing };
        (need, self.host.json(input))
    }

    fn json_text(&mut self, text: FreeText<'_, '_>) -> Option<Self::Value> {
        if self.needs_free_values() {
            return None;
        }
        self.host.json_text(text).map(|host| (Need::Nothing, host))
    }

    fn unknown<'a, I: Input<'a>>(&mut self, input: I) -> Self::Value {
        (Need::Validated(TypedBuild.unknown(input)), self.host.unknown(input))
    }

    fn unknown_event<'a, I: Input<'a>>(&mut self, input: I) -> Self::Value {
        (Need::Validated(TypedBuild.unknown_event(input)), self.host.unknown_event(input))
    }

    fn list(&mut self, items: Vec<Self::Value>) -> Self::Value {
        let (needs, hosts): (Vec<_>, Vec<_>) = items.into_iter().unzip();
        let members = needs.into_iter().filter_map(Need::validated).collect();
        (Need::Validated(TypedBuild.list(members)), self.host.list(hosts))
    }

    fn object(&mut self, ty: &'static TypeDef) -> Self::Object {
        // What was begun may never have ended, and an event begins anew.
        self.is_chunk = is_chunk(ty) || self.is_chunk && !ty.is_event();
        (TypedBuild.object(ty), self.host.object(ty))
    }

    fn member(&mut self, object: &mut Self::Object, index: usize, (need, host): Self::Value) {
        if let Some(value) = need.validated() {
            TypedBuild.member(&mut object.0, index, value);
        }
        self.host.member(&mut object.1, index, host);
    }

    fn null(&mut self, object: &mut Self::Object, field: &'static FieldDef) {
        self.host.null(&mut object.1, field);
    }

    fn extra<'a, I: Input<'a>>(&mut self, object: &mut Self::Object, key: &str, input: I) {
        if self.needs_free_values() {
            TypedBuild.extra(&mut object.0, key, input);
        }
        self.host.extra(&mut object.1, key, input);
    }

    fn end(&mut self, object: Self::Object) -> Self::Value {
        (Need::Validated(TypedBuild.end(object.0)), self.host.end(object.1))
    }
}
