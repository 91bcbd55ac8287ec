//! Values of the declared kinds.

use super::build::Build;
use super::describe::{REQUIRED, describe, how_to_send, kind_name, tags};
use super::exceptions::has_payload;
use super::exceptions::is_decimal;
use super::validator::{Validator, ValueVerdict};
use crate::error::{Code, Issue};
use crate::json::{Input, Number, View};
use crate::path::{Path, PathStep};
use crate::profile::Undeclared;
use crate::schema::{EnumDef, Kind, UnionDef};
use crate::types::{ContentPart, EventType, JsonPointer};

impl<B: Build> Validator<'_, B> {
    pub(super) fn kind<'a, I: Input<'a>>(
        &mut self,
        at: &Path<'_>,
        input: I,
        kind: &'static Kind,
    ) -> ValueVerdict<B::Value> {
        match (kind, input.view()) {
            (Kind::Text | Kind::Content, View::Text(text)) => ValueVerdict::Value(self.build.text(text)),
            (Kind::Any, _) | (Kind::Dict, View::Object(_)) => {
                let value = self.build.json(input);
                self.note_lost_numbers(at, input);
                ValueVerdict::Value(value)
            }
            (Kind::Bool, View::Bool(value)) => ValueVerdict::Value(self.build.bool(value)),
            (Kind::Int53 | Kind::UInt53, _) => self.integer(at, input, *kind),
            (Kind::Pointer, View::Text(text)) if JsonPointer::is_valid(text) => {
                ValueVerdict::Value(self.build.text(text))
            }
            (Kind::Pointer, View::Text(_)) => self.bad(at, Code::InvalidPointer, ""),
            (Kind::Literal(literal), View::Text(text)) if text == *literal => {
                ValueVerdict::Value(self.build.literal(literal))
            }
            (Kind::Literal(literal), View::Text(_)) => {
                self.bad(at, Code::InvalidValue, format!("expected {literal}"))
            }
            (Kind::Enum(set), View::Text(text)) => match set.values.iter().position(|value| *value == text) {
                Some(index) => ValueVerdict::Value(self.build.choice(set, index)),
                None => self.unknown_choice(at, set),
            },
            (Kind::Object(ty), View::Object(_)) => self.object(at, input, ty),
            (Kind::Union(union), View::Object(_)) => self.union(at, input, union),
            (Kind::List(item), View::List(items)) => self.list::<I>(at, items, item),
            (Kind::Content, View::List(items)) => self.list::<I>(at, items, &Kind::Union(ContentPart::UNION)),
            (_, view) => self.wrong_type(at, kind, &view),
        }
    }

    /// Refuses, drops or keeps an undeclared string of a closed set. In a set of one string it is malformed. In other sets the member's
    /// declaration decides if `relay` keeps it.
    fn unknown_choice(&mut self, at: &Path<'_>, set: &'static EnumDef) -> ValueVerdict<B::Value> {
        let expected = format!("expected {}", set.values.join(", "));
        let is_fixed = set.values.len() == 1 || std::ptr::eq(set, EventType::ENUM);
        if is_fixed || self.rules.variants == Undeclared::Refuse {
            return self.bad(at, Code::InvalidValue, expected);
        }
        ValueVerdict::Unrecognised(Some(Box::new(Issue::new(Code::InvalidValue, at.pointer(), expected))))
    }

    fn integer<'a, I: Input<'a>>(&mut self, at: &Path<'_>, input: I, kind: Kind) -> ValueVerdict<B::Value> {
        let range = kind.integer_range();
        let number = match input.view() {
            View::Number => input.number(),
            View::Text(text) if self.rules.repair && is_decimal(text) => {
                self.warn(at, Code::ConvertedValue, "expected an integer, got a string of digits");
                Number::parse(text)
            }
            view => return self.wrong_type(at, &kind, &view),
        };
        match number.as_int() {
            Some(int) if range.contains(&int) => ValueVerdict::Value(self.build.int(int)),
            None if !number.is_whole() => self.bad(at, Code::NotAnInteger, ""),
            _ => {
                let (min, max) = range.into_inner();
                self.bad(at, Code::NumberOutOfRange, format!("expected {min} to {max}"))
            }
        }
    }

    fn list<'a, I: Input<'a>>(
        &mut self,
        at: &Path<'_>,
        items: I::Items,
        kind: &'static Kind,
    ) -> ValueVerdict<B::Value> {
        let mut values = Vec::with_capacity(items.size_hint().0);
        let mut good = true;
        for (index, item) in items.enumerate() {
            let at = &at.then(PathStep::Index(index));
            match self.kind(at, item, kind) {
                ValueVerdict::Value(value) => values.push(value),
                ValueVerdict::Bad => good = false,
                ValueVerdict::Unrecognised(why) => self.leave_out(at, why, describe(kind)),
            }
        }
        if good { ValueVerdict::Value(self.build.list(values)) } else { ValueVerdict::Bad }
    }

    fn union<'a, I: Input<'a>>(
        &mut self,
        at: &Path<'_>,
        input: I,
        union: &'static UnionDef,
    ) -> ValueVerdict<B::Value> {
        let name = match input.member(union.tag).map(I::view) {
            Some(View::Text(name)) => name,
            other if self.rules.variants != Undeclared::Keep => return self.untagged(at, union, other),
            _ => "",
        };
        if let Some((_, ty)) = union.variant(name) {
            return self.object(at, input, ty);
        }
        match self.rules.variants {
            Undeclared::Keep => {
                let value = self.build.unknown(input);
                self.note_lost_numbers(at, input);
                ValueVerdict::Value(value)
            }
            Undeclared::Drop => ValueVerdict::Unrecognised(self.empty_part(at, input, name).map(Box::new)),
            Undeclared::Refuse => self.bad(
                &at.then(PathStep::Key(union.tag)),
                Code::UnknownVariant,
                format!("expected {}", tags(union)),
            ),
        }
    }

    /// The error for a binary part of 0.x without bytes: no part of 1.0 can be made from it.
    fn empty_part<'a, I: Input<'a>>(&self, at: &Path<'_>, part: I, tag: &str) -> Option<Issue> {
        let is_binary = self.rules.legacy && tag == "binary" && part.member("type").is_some();
        (is_binary && !has_payload(part)).then(|| Issue::new(Code::NoPartSource, at.pointer(), ""))
    }

    /// Refuses an object whose tag is missing or no string. It is malformed, so no profile drops it.
    fn untagged<'a, I: Input<'a>>(
        &mut self,
        at: &Path<'_>,
        union: &'static UnionDef,
        tag: Option<View<'a, I>>,
    ) -> ValueVerdict<B::Value> {
        let at = &at.then(PathStep::Key(union.tag));
        let expected = format!("expected {}", tags(union));
        match tag {
            None => self.bad(at, Code::MissingField, expected),
            Some(View::Null) => self.bad_but(at, Code::NullNotAllowed, expected, REQUIRED),
            Some(view) => {
                let detail = format!("{expected}, got {}", kind_name(&view));
                self.bad_but(at, Code::WrongType, detail, how_to_send(&Kind::Text, &view))
            }
        }
    }
}
