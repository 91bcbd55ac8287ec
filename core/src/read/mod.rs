//! Validation: one walk over a document and its type's description, whatever holds the document and whatever is
//! made of it.

mod cursor;
mod direct;
mod exceptions;
mod nothing;
mod numbers;
mod words;

pub use cursor::FreeText;
pub use direct::PlainEvent;
use exceptions::{go_name, is_decimal, is_empty};
pub use nothing::Nothing;
use words::{describe, excerpt, how_to_send, kind_name, tags};

use crate::error::{Code, Issue, push_token};
use crate::json::{Input, View};
use crate::place::{Place, Step};
use crate::profile::{Rules, Undeclared};
use crate::schema::{EnumDef, FieldDef, Kind, OnRead, TypeDef, UnionDef, Variant};
use crate::types::{BinaryInputContent, ContentPart, Event, JsonPointer};

/// What is made of a document while it is validated: Rust structs, host objects, text, or nothing.
pub trait Build {
    /// A finished value.
    type Value;
    /// An object being made.
    type Object;

    /// A string.
    fn text(&mut self, text: &str) -> Self::Value;
    /// A string that the declaration fixes.
    fn literal(&mut self, text: &'static str) -> Self::Value {
        self.text(text)
    }
    /// A boolean.
    fn bool(&mut self, value: bool) -> Self::Value;
    /// An integer.
    fn int(&mut self, value: i64) -> Self::Value;
    /// One of a closed set of strings.
    fn choice(&mut self, set: &'static EnumDef, index: usize) -> Self::Value;
    /// A free value: `Any` or `Dict`.
    fn json<'a, I: Input<'a>>(&mut self, input: I) -> Self::Value;
    /// The same straight from the text, by whoever can; else nothing, and it comes again through [`json`](Self::json).
    fn json_text(&mut self, _text: FreeText<'_, '_>) -> Option<Self::Value> {
        None
    }
    /// An event that seems plainly valid, by whoever wants more or less of it than its members; else nothing, and these come
    /// one by one.
    fn event(&mut self, _event: &mut PlainEvent<'_, '_>) -> Option<Self::Value> {
        None
    }
    /// An object of a variant nobody declared.
    fn unknown<'a, I: Input<'a>>(&mut self, input: I) -> Self::Value;
    /// Whether a number of the free values made since this was last asked is not held as it was written.
    fn lost_number(&mut self) -> bool {
        false
    }
    /// A list.
    fn list(&mut self, items: Vec<Self::Value>) -> Self::Value;
    /// Starts an object.
    fn object(&mut self, ty: &'static TypeDef) -> Self::Object;
    /// Sets a declared member.
    fn member(&mut self, object: &mut Self::Object, index: usize, value: Self::Value);
    /// Notes that an optional member was `null`, which is read as absent.
    fn null(&mut self, _object: &mut Self::Object, _field: &'static FieldDef) {}
    /// Sets an undeclared member.
    fn extra<'a, I: Input<'a>>(&mut self, object: &mut Self::Object, key: &str, input: I);
    /// Finishes an object.
    fn end(&mut self, object: Self::Object) -> Self::Value;
}

/// Outcome of reading one event.
#[derive(Debug, PartialEq, Eq)]
pub enum Outcome<V> {
    /// The event.
    Event(V),
    /// An event of an unknown type, left out; a warning says so.
    Dropped,
    /// Not acceptable; the reader's errors say why.
    Invalid,
}

/// No declared type has more members than this.
pub(crate) const MAX_FIELDS: usize = 12;

/// Reads documents by the rules of a profile, collecting errors and warnings.
#[derive(Debug)]
pub struct Reader<'r, B> {
    rules: Rules,
    build: &'r mut B,
    /// The event that the document is, once that is known.
    pub event_type: Option<&'static Variant>,
    /// What is made is not quite the document, although nothing needs a warning: a list was filled in, a `null` that
    /// means nothing was left out.
    pub altered: bool,
    /// Why the document is refused; empty if it is not.
    pub errors: Vec<Issue>,
    /// What was mended or left out.
    pub warnings: Vec<Issue>,
    /// Of the object that the short way has read last: a bit for each member that was there.
    given: u32,
}

/// What became of one value.
enum Read<V> {
    Value(V),
    /// Refused; an error says why.
    Bad,
    /// Of a variant nobody knows: what holds it decides what to leave out. The place of the tag is kept.
    Unrecognised,
}

impl<'r, B: Build> Reader<'r, B> {
    /// A reader that makes what `build` makes.
    pub fn new(rules: Rules, build: &'r mut B) -> Self {
        Self {
            rules,
            build,
            event_type: None,
            altered: false,
            errors: Vec::new(),
            warnings: Vec::new(),
            given: 0,
        }
    }

    /// Reads an event.
    pub fn event<'a, I: Input<'a>>(&mut self, input: I) -> Outcome<B::Value> {
        if !matches!(input.view(), View::Object(_)) {
            self.error(&Place::ROOT, Code::NotAnObject, kind_name(&input.view()));
            return Outcome::Invalid;
        }
        let name = match input.member("type").map(I::view) {
            Some(View::Text(name)) if !name.is_empty() => name,
            _ => {
                self.error(&Place::ROOT.then(Step::Key("type")), Code::MissingEventType, "");
                return Outcome::Invalid;
            }
        };
        let Some((index, ty)) = Event::UNION.variant(name) else {
            return self.unknown_event(name, input);
        };
        self.event_type = Some(&Event::UNION.variants[index]);
        match self.object(&Place::ROOT, input, ty) {
            Read::Value(value) if self.errors.is_empty() => Outcome::Event(value),
            _ => Outcome::Invalid,
        }
    }

    fn unknown_event<'a, I: Input<'a>>(&mut self, name: &str, input: I) -> Outcome<B::Value> {
        let at = Place::ROOT.then(Step::Key("type"));
        match self.rules.variants {
            Undeclared::Keep => {
                let event = self.build.unknown(input);
                self.note_lost_numbers(&Place::ROOT, input);
                if self.errors.is_empty() { Outcome::Event(event) } else { Outcome::Invalid }
            }
            Undeclared::Drop => {
                self.warn(&at, Code::UnknownEventType, excerpt(name));
                Outcome::Dropped
            }
            Undeclared::Refuse => {
                self.error(&at, Code::UnknownEventType, excerpt(name));
                Outcome::Invalid
            }
        }
    }

    /// Reads a value of `kind`; nothing if it is refused.
    pub fn value<'a, I: Input<'a>>(&mut self, input: I, kind: &'static Kind) -> Option<B::Value> {
        if matches!(kind, Kind::Union(union) if std::ptr::eq(*union, Event::UNION)) {
            return match self.event(input) {
                Outcome::Event(value) => Some(value),
                // Asked for by name, an event cannot be left out.
                Outcome::Dropped => {
                    self.errors.extend(self.warnings.pop());
                    None
                }
                Outcome::Invalid => None,
            };
        }
        let read = self.kind(&Place::ROOT, input, kind);
        if matches!(read, Read::Unrecognised) {
            self.error(&Place::ROOT, Code::UnknownVariant, describe(kind));
        }
        match read {
            Read::Value(value) if self.errors.is_empty() => Some(value),
            _ => None,
        }
    }

    fn kind<'a, I: Input<'a>>(&mut self, at: &Place<'_>, input: I, kind: &'static Kind) -> Read<B::Value> {
        match (kind, input.view()) {
            (Kind::Text | Kind::Content, View::Text(text)) => Read::Value(self.build.text(text)),
            (Kind::Any, _) | (Kind::Dict, View::Object(_)) => {
                let value = self.build.json(input);
                self.note_lost_numbers(at, input);
                Read::Value(value)
            }
            (Kind::Bool, View::Bool(value)) => Read::Value(self.build.bool(value)),
            (Kind::Int53 | Kind::UInt53, _) => self.integer(at, input, *kind),
            (Kind::Pointer, View::Text(text)) if JsonPointer::is_valid(text) => {
                Read::Value(self.build.text(text))
            }
            (Kind::Pointer, View::Text(_)) => self.bad(at, Code::InvalidPointer, ""),
            (Kind::Literal(literal), View::Text(text)) if text == *literal => {
                Read::Value(self.build.literal(literal))
            }
            (Kind::Literal(literal), View::Text(_)) => {
                self.bad(at, Code::InvalidValue, format!("expected {literal}"))
            }
            (Kind::Enum(set), View::Text(text)) => match set.values.iter().position(|value| *value == text) {
                Some(index) => Read::Value(self.build.choice(set, index)),
                None => self.bad(at, Code::InvalidValue, format!("expected {}", set.values.join(", "))),
            },
            (Kind::Object(ty), View::Object(_)) => self.object(at, input, ty),
            (Kind::Union(union), View::Object(_)) => self.union(at, input, union),
            (Kind::List(item), View::List(items)) => self.list::<I>(at, items, item),
            (Kind::Content, View::List(items)) => self.list::<I>(at, items, &Kind::Union(ContentPart::UNION)),
            (_, view) => self.wrong_type(at, kind, &view),
        }
    }

    fn integer<'a, I: Input<'a>>(&mut self, at: &Place<'_>, input: I, kind: Kind) -> Read<B::Value> {
        let range = kind.integer_range();
        let number = match input.view() {
            View::Number => input.number(),
            View::Text(text) if self.rules.repair && is_decimal(text) => {
                self.warn(at, Code::ConvertedValue, "expected an integer, got a string of digits");
                crate::json::Number::parse(text)
            }
            view => return self.wrong_type(at, &kind, &view),
        };
        match number.as_int() {
            Some(int) if range.contains(&int) => Read::Value(self.build.int(int)),
            None if !number.is_whole() => self.bad(at, Code::NotAnInteger, ""),
            _ => {
                let (min, max) = range.into_inner();
                self.bad(at, Code::NumberOutOfRange, format!("expected {min} to {max}"))
            }
        }
    }

    fn list<'a, I: Input<'a>>(
        &mut self,
        at: &Place<'_>,
        items: I::Items,
        kind: &'static Kind,
    ) -> Read<B::Value> {
        let mut values = Vec::with_capacity(items.size_hint().0);
        let mut good = true;
        for (index, item) in items.enumerate() {
            let at = &at.then(Step::Index(index));
            match self.kind(at, item, kind) {
                Read::Value(value) => values.push(value),
                Read::Bad => good = false,
                Read::Unrecognised => self.warn(at, Code::UnknownVariant, describe(kind)),
            }
        }
        if good { Read::Value(self.build.list(values)) } else { Read::Bad }
    }

    fn union<'a, I: Input<'a>>(
        &mut self,
        at: &Place<'_>,
        input: I,
        union: &'static UnionDef,
    ) -> Read<B::Value> {
        let tag = input.member(union.tag).map(I::view);
        if let Some(View::Text(name)) = tag
            && let Some((_, ty)) = union.variant(name)
        {
            return self.object(at, input, ty);
        }
        match self.rules.variants {
            Undeclared::Keep => {
                let value = self.build.unknown(input);
                self.note_lost_numbers(at, input);
                Read::Value(value)
            }
            Undeclared::Drop => Read::Unrecognised,
            Undeclared::Refuse => {
                let at = &at.then(Step::Key(union.tag));
                let code = if tag.is_none() { Code::MissingField } else { Code::UnknownVariant };
                self.error(at, code, format!("expected {}", tags(union)));
                Read::Bad
            }
        }
    }

    fn object<'a, I: Input<'a>>(&mut self, at: &Place<'_>, input: I, ty: &'static TypeDef) -> Read<B::Value> {
        let View::Object(members) = input.view() else {
            return self.wrong_type(at, &Kind::Dict, &input.view());
        };
        let errors_before = self.errors.len();
        let warnings_before = self.warnings.len();
        let mut found: [Option<I>; MAX_FIELDS] = [None; MAX_FIELDS];
        let mut hint = 0;
        let mut undeclared = false;
        for (key, value) in members {
            if let Some(index) = ty.field_index(key, hint) {
                // The last of several members with one key counts.
                found[index] = Some(value);
                hint = index + 1;
            } else {
                undeclared = true;
            }
        }
        let renamed = if undeclared { self.undeclared(at, input, ty, &mut found) } else { Vec::new() };
        let mut object = self.build.object(ty);
        let may_fill = self.rules.fill_lists;
        for (index, (field, value)) in ty.fields.iter().zip(found).enumerate() {
            if value.is_none() && field.is_optional() && !may_fill {
                continue;
            }
            let at = &at.then(Step::Key(field.wire));
            let read = match value {
                Some(value) => self.field(at, value, ty, field, &mut object),
                None => self.absent(at, field),
            };
            match read {
                Some(Read::Value(value)) => self.build.member(&mut object, index, value),
                Some(Read::Unrecognised) => {
                    // What is inside says nothing once the whole object is unrecognisable.
                    self.errors.truncate(errors_before);
                    self.warnings.truncate(warnings_before);
                    return Read::Unrecognised;
                }
                Some(Read::Bad) | None => {}
            }
        }
        let keep = undeclared && (ty.open || self.rules.members == Undeclared::Keep);
        if keep && let View::Object(members) = input.view() {
            let is_extra = |key: &str| ty.field_index(key, 0).is_none() && !renamed.contains(&key);
            for (key, value) in members.filter(|(key, _)| is_extra(key)) {
                self.build.extra(&mut object, key, value);
                self.note_lost_numbers(&at.then(Step::Key(key)), value);
            }
        }
        if self.rules.non_empty {
            self.check_chunk(at, ty, &found);
        }
        if std::ptr::eq(ty, BinaryInputContent::TYPE) {
            self.check_payload(at, ty, &found);
        }
        if self.errors.len() > errors_before { Read::Bad } else { Read::Value(self.build.end(object)) }
    }

    /// Reads one declared member that is there.
    fn field<'a, I: Input<'a>>(
        &mut self,
        at: &Place<'_>,
        value: I,
        ty: &'static TypeDef,
        field: &'static FieldDef,
        object: &mut B::Object,
    ) -> Option<Read<B::Value>> {
        let is_null = value.is_null();
        if is_null && field.is_optional() {
            return self.null(at, value, field, object);
        }
        if is_null && !matches!(field.kind, Kind::Any) {
            let detail = format!("expected {}", describe(&field.kind));
            return Some(self.bad_but(
                at,
                Code::NullNotAllowed,
                detail,
                "send a value, the member is required",
            ));
        }
        if self.rules.non_empty && is_empty(value, ty, field) {
            return Some(self.bad(at, Code::EmptyValue, ""));
        }
        if field.min_items > 0
            && let View::List(mut items) = value.view()
            && items.nth(field.min_items - 1).is_none()
        {
            return Some(self.bad(at, Code::TooFewItems, format!("expected at least {}", field.min_items)));
        }
        match self.kind(at, value, &field.kind) {
            Read::Unrecognised if field.is_optional() => {
                self.warn(at, Code::UnknownVariant, describe(&field.kind));
                None
            }
            read => Some(read),
        }
    }

    /// Reads `null` in an optional member.
    fn null<'a, I: Input<'a>>(
        &mut self,
        at: &Place<'_>,
        value: I,
        field: &'static FieldDef,
        object: &mut B::Object,
    ) -> Option<Read<B::Value>> {
        match (self.rules.nulls, field.on_read, field.kind) {
            (Undeclared::Keep, _, Kind::Any) => Some(Read::Value(self.build.json(value))),
            (Undeclared::Keep, ..) => {
                self.build.extra(object, field.wire, value);
                None
            }
            (_, OnRead::NullIsAbsent, _) => {
                self.altered = true;
                self.build.null(object, field);
                None
            }
            (Undeclared::Drop, ..) => {
                self.build.null(object, field);
                self.warn(at, Code::NullNotAllowed, "read as absent");
                None
            }
            (Undeclared::Refuse, ..) => Some(self.bad(at, Code::NullNotAllowed, "")),
        }
    }

    /// Reads one declared member that is not there.
    fn absent(&mut self, at: &Place<'_>, field: &'static FieldDef) -> Option<Read<B::Value>> {
        if field.is_optional() {
            let fill = self.rules.fill_lists && field.on_read == OnRead::AbsentIsEmpty;
            self.altered |= fill;
            return fill.then(|| Read::Value(self.build.list(Vec::new())));
        }
        let fixed = match field.kind {
            Kind::Literal(literal) => Some(literal),
            Kind::Enum(set) if set.values.len() == 1 => Some(set.values[0]),
            _ => None,
        };
        match (fixed, field.kind) {
            (Some(literal), kind) if self.rules.repair => {
                self.warn(at, Code::FilledField, literal);
                Some(Read::Value(match kind {
                    Kind::Enum(set) => self.build.choice(set, 0),
                    _ => self.build.literal(literal),
                }))
            }
            _ => Some(self.bad(at, Code::MissingField, format!("expected {}", describe(&field.kind)))),
        }
    }

    /// Judges the members that `ty` does not declare, and finds declared ones under another spelling: those it names.
    fn undeclared<'a, I: Input<'a>>(
        &mut self,
        at: &Place<'_>,
        input: I,
        ty: &'static TypeDef,
        found: &mut [Option<I>; MAX_FIELDS],
    ) -> Vec<&'a str> {
        let mut renamed = Vec::new();
        let View::Object(members) = input.view() else { return renamed };
        for (key, value) in members.filter(|(key, _)| ty.field_index(key, 0).is_none()) {
            let other = self.other_spelling(ty, key);
            if let Some(index) = other.filter(|&index| found[index].is_none()) {
                found[index] = Some(value);
                renamed.push(key);
                let expected = format!("expected {}", ty.fields[index].wire);
                note(&mut self.warnings, at, Code::RenamedField, Some(key), expected);
            } else if !ty.open && self.rules.members != Undeclared::Keep {
                let refused = self.rules.members == Undeclared::Refuse;
                let issues = if refused { &mut self.errors } else { &mut self.warnings };
                note(issues, at, Code::UnknownField, Some(key), "");
            }
        }
        renamed
    }

    fn other_spelling(&self, ty: &TypeDef, key: &str) -> Option<usize> {
        let attribute = match key {
            "from_" => "from",
            // What 0.x called it.
            "subAgents" | "sub_agents" => "subagents",
            _ => key,
        };
        let attribute = if self.rules.repair { ty.field_named(attribute) } else { None };
        attribute.or_else(|| if self.rules.go_names { go_name(ty, key) } else { None })
    }

    /// The non-empty level asks of a chunk that it says anything at all.
    fn check_chunk<'a, I: Input<'a>>(
        &mut self,
        at: &Place<'_>,
        ty: &TypeDef,
        found: &[Option<I>; MAX_FIELDS],
    ) {
        const COMMON: [&str; 5] = ["type", "timestamp", "rawEvent", "metadata", "subagentRunId"];
        let own = || ty.fields.iter().zip(found).filter(|(field, _)| !COMMON.contains(&field.wire));
        let is_chunk = ty.is_event() && own().all(|(field, _)| field.is_optional());
        if is_chunk && own().all(|(_, value)| value.is_none()) {
            self.error(at, Code::EmptyValue, "a chunk needs at least one member of its own");
        }
    }

    /// The retired binary part needs one source of its bytes that says something.
    fn check_payload<'a, I: Input<'a>>(
        &mut self,
        at: &Place<'_>,
        ty: &TypeDef,
        found: &[Option<I>; MAX_FIELDS],
    ) {
        let says_something = ["id", "url", "data"].into_iter().any(|key| {
            let value = ty.field_index(key, 0).and_then(|index| found[index]);
            matches!(value.map(I::view), Some(View::Text(text)) if !text.is_empty())
        });
        if !says_something {
            self.error(at, Code::NoPartSource, "");
        }
    }

    fn bad<V>(&mut self, at: &Place<'_>, code: Code, detail: impl Into<String>) -> Read<V> {
        self.error(at, code, detail);
        Read::Bad
    }

    /// The same, with advice of its own.
    fn bad_but<V>(&mut self, at: &Place<'_>, code: Code, detail: String, advice: &'static str) -> Read<V> {
        if let Some(issue) = note(&mut self.errors, at, code, None, detail) {
            issue.advice = Some(advice);
        }
        Read::Bad
    }

    fn wrong_type<'a, V, I: Input<'a>>(
        &mut self,
        at: &Place<'_>,
        kind: &Kind,
        view: &View<'a, I>,
    ) -> Read<V> {
        let detail = format!("expected {}, got {}", describe(kind), kind_name(view));
        self.bad_but(at, Code::WrongType, detail, how_to_send(kind, view))
    }

    /// Every profile takes the number; what the host makes of it is another.
    fn error(&mut self, at: &Place<'_>, code: Code, detail: impl Into<String>) {
        note(&mut self.errors, at, code, None, detail);
    }

    fn warn(&mut self, at: &Place<'_>, code: Code, detail: impl Into<String>) {
        note(&mut self.warnings, at, code, None, detail);
    }
}

/// Most errors, and most warnings, that are kept of one document: a hostile one could have millions.
pub const MAX_ISSUES: usize = 100;

/// Notes an issue at a place, or at an undeclared member there.
fn note<'i>(
    issues: &'i mut Vec<Issue>,
    at: &Place<'_>,
    code: Code,
    member: Option<&str>,
    detail: impl Into<String>,
) -> Option<&'i mut Issue> {
    if issues.len() >= MAX_ISSUES {
        return None;
    }
    let mut path = String::new();
    at.write(&mut path);
    if let Some(key) = member {
        push_token(&mut path, key);
    }
    issues.push(Issue::new(code, path, detail));
    issues.last_mut()
}
