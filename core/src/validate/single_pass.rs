//! The single-pass builder: an event is read once, both into its host's form and into the values that the stages of a pipeline use.

use crate::json::Input;
use crate::schema::{EnumDef, FieldDef, Record, TypeDef, Validated};
#[allow(clippy::wildcard_imports)] // Many events.
use crate::types::*;
use crate::validate::{Build, FreeText, TypedBuild};

/// Builds the host's form of an event, and beside it the values that the stages use. A value that no stage uses is `None`.
#[derive(Debug)]
pub struct SinglePassBuild<'b, B> {
    host: &'b mut B,
    /// True if the stages use all of every event, since events are reduced or made anew.
    is_whole: bool,
    /// True if the current event is a chunk. The stages use all of it.
    is_chunk: bool,
}

impl<'b, B> SinglePassBuild<'b, B> {
    /// A builder around the host's own. `is_whole`: the stages use all of every event.
    pub fn new(host: &'b mut B, is_whole: bool) -> Self {
        Self { host, is_whole, is_chunk: false }
    }

    fn needs_free_values(&self) -> bool {
        self.is_chunk || self.is_whole
    }
}

fn is_chunk(ty: &'static TypeDef) -> bool {
    [TextMessageChunkEvent::TYPE, ToolCallChunkEvent::TYPE, ReasoningMessageChunkEvent::TYPE]
        .into_iter()
        .any(|chunk| std::ptr::eq(ty, chunk))
}

impl<B: Build> Build for SinglePassBuild<'_, B> {
    type Value = (Option<Validated>, B::Value);
    type Object = (Record, B::Object);

    fn text(&mut self, text: &str) -> Self::Value {
        (Some(TypedBuild.text(text)), self.host.text(text))
    }

    fn literal(&mut self, text: &'static str) -> Self::Value {
        (Some(TypedBuild.literal(text)), self.host.literal(text))
    }

    fn bool(&mut self, value: bool) -> Self::Value {
        (Some(TypedBuild.bool(value)), self.host.bool(value))
    }

    fn int(&mut self, value: i64) -> Self::Value {
        (Some(TypedBuild.int(value)), self.host.int(value))
    }

    fn choice(&mut self, set: &'static EnumDef, index: usize) -> Self::Value {
        (Some(TypedBuild.choice(set, index)), self.host.choice(set, index))
    }

    fn json<'a, I: Input<'a>>(&mut self, input: I) -> Self::Value {
        let validated = self.needs_free_values().then(|| TypedBuild.json(input));
        (validated, self.host.json(input))
    }

    fn json_text(&mut self, text: FreeText<'_, '_>) -> Option<Self::Value> {
        if self.needs_free_values() {
            return None;
        }
        self.host.json_text(text).map(|host| (None, host))
    }

    fn unknown<'a, I: Input<'a>>(&mut self, input: I) -> Self::Value {
        (Some(TypedBuild.unknown(input)), self.host.unknown(input))
    }

    fn unknown_event<'a, I: Input<'a>>(&mut self, input: I) -> Self::Value {
        (Some(TypedBuild.unknown_event(input)), self.host.unknown_event(input))
    }

    fn list(&mut self, items: Vec<Self::Value>) -> Self::Value {
        let (validated, hosts): (Vec<_>, Vec<_>) = items.into_iter().unzip();
        let members = validated.into_iter().flatten().collect();
        (Some(TypedBuild.list(members)), self.host.list(hosts))
    }

    fn object(&mut self, ty: &'static TypeDef) -> Self::Object {
        // The object before may never have ended, so an event sets the flag anew.
        self.is_chunk = is_chunk(ty) || self.is_chunk && !ty.is_event();
        (TypedBuild.object(ty), self.host.object(ty))
    }

    fn member(&mut self, object: &mut Self::Object, index: usize, (validated, host): Self::Value) {
        if let Some(value) = validated {
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
        (Some(TypedBuild.end(object.0)), self.host.end(object.1))
    }
}
