//! Several stages fused: an event is read once, into what its host makes of it and what the stages need.

use crate::json::Input;
use crate::reduce::Place;
use crate::schema::{EnumDef, FieldDef, Record, TypeDef, Validated};
#[allow(clippy::wildcard_imports)] // Many events.
use crate::types::*;
use crate::validate::{Build, FreeText, PlainEvent, TypedBuild};
use crate::verify::{Target, is_free, target_key};

/// Makes the host's form of an event, and of the event itself as much as the stages need.
#[derive(Debug)]
pub struct Fused<'b, B, S> {
    host: &'b mut B,
    /// The stages, which take what was made.
    pub stages: &'b mut S,
    /// They need all of the event that is being read: a chunk.
    is_chunk: bool,
    /// The text of the event that was read, where they need no more of it.
    pub text: String,
}

/// Stages that say what they need of an event before it is made.
pub trait Needs {
    /// They need all of every event: it is reduced, or made anew.
    fn need_whole_events(&self) -> bool;

    /// Whether an event passes all stages and changes none, that has no `subagentRunId`, opens and closes nothing, and adds to
    /// `target`, or to nothing if there is none.
    fn pass(&self, target: Option<Target<'_>>) -> bool;

    /// Where the text goes of such an event that adds to `target`, if that is all that it changes, having no metadata.
    fn place(&self, target: Target<'_>) -> Option<Place>;
}

/// What the stages need.
#[derive(Debug)]
pub enum Need {
    /// The event, or a part of it.
    Validated(Validated),
    /// Nothing of this part; or of this event, which passes.
    Nothing,
    /// Of this event its text, which goes there.
    Text(Place),
}

impl<'b, B, S: Needs> Fused<'b, B, S> {
    /// A builder of the host's, and stages.
    pub fn new(host: &'b mut B, stages: &'b mut S) -> Self {
        Self { host, stages, is_chunk: false, text: String::new() }
    }

    /// An event that adds text to a message or call, if that is all that it does.
    fn append<'a>(&mut self, event: &mut impl PlainEvent<'a>) -> Option<(Need, B::Value)>
    where
        B: Build,
    {
        let (kind, key) = target_key(event.ty())?;
        let place = self.stages.place((kind, event.text(key)?))?;
        self.text.clear();
        event.read_text("delta", &mut self.text)?;
        let host = event.make(self.host)?;
        let is_all = !event.had("metadata") && !event.had("subagentRunId");
        is_all.then_some((Need::Text(place), host))
    }

    fn needs_free_values(&self) -> bool {
        self.is_chunk || self.stages.need_whole_events()
    }
}

impl Need {
    fn validated(self) -> Option<Validated> {
        if let Self::Validated(value) = self { Some(value) } else { None }
    }
}

fn is_chunk(ty: &'static TypeDef) -> bool {
    [TextMessageChunkEvent::TYPE, ToolCallChunkEvent::TYPE, ReasoningMessageChunkEvent::TYPE]
        .into_iter()
        .any(|chunk| std::ptr::eq(ty, chunk))
}

impl<B: Build, S: Needs> Build for Fused<'_, B, S> {
    type Value = (Need, B::Value);
    type Object = (Record, B::Object);

    fn event<'a>(&mut self, event: &mut impl PlainEvent<'a>) -> Option<Self::Value> {
        if self.stages.need_whole_events() {
            return self.append(event);
        }
        let target = match target_key(event.ty()) {
            Some((kind, key)) => Some((kind, event.text(key)?)),
            None if is_free(event.ty()) => None,
            None => return None,
        };
        if !self.stages.pass(target) {
            return None;
        }
        let host = event.make(self.host)?;
        (!event.had("subagentRunId")).then_some((Need::Nothing, host))
    }

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
