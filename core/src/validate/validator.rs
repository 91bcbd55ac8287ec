//! The validator of documents: it reads events and values, and collects issues about them.

use super::build::Build;
use super::describe::{describe, excerpt, how_to_send, kind_name};
use crate::error::{Code, Issue, push_token};
use crate::json::{Input, View};
use crate::limits::MAX_ISSUES;
use crate::path::{Path, PathStep};
use crate::profile::{Rules, Undeclared};
use crate::schema::{Kind, Variant};
use crate::types::Event;

/// The verdict on an event.
#[derive(Debug, PartialEq, Eq)]
pub enum EventVerdict<V> {
    /// The event.
    Event(V),
    /// An event of an unknown type, or about an unknown thing. It is dropped; the last warning says
    /// why.
    Dropped,
    /// Not acceptable; the reader's errors say why.
    Invalid,
}

/// Reads documents by the rules of a profile, collecting errors and warnings.
#[derive(Debug)]
pub struct Validator<'r, B> {
    pub(super) rules: Rules,
    pub(super) build: &'r mut B,
    /// The type of the document's event, once it is known.
    pub event_type: Option<&'static Variant>,
    /// True if the result differs from the document without a warning: a list was filled in, or a `null` without
    /// meaning was dropped.
    pub altered: bool,
    /// The reasons why the document is refused; empty if it is accepted.
    pub errors: Vec<Issue>,
    /// The warnings about repaired and dropped parts.
    pub warnings: Vec<Issue>,
    /// For the last object on the fast path: a bit for each member that was present.
    pub(super) given: u32,
}

/// The verdict on a value.
pub(super) enum ValueVerdict<V> {
    Value(V),
    /// Refused; an error says why.
    Bad,
    /// A value of an undeclared variant, or an undeclared string of a closed set. Its container decides what to drop. The issue
    /// names the string; for a variant, the warning about the dropped value is enough.
    Unrecognised(Option<Box<Issue>>),
}

impl<'r, B: Build> Validator<'r, B> {
    /// A validator that returns the values of `build`.
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
    pub fn event<'a, I: Input<'a>>(&mut self, input: I) -> EventVerdict<B::Value> {
        if !matches!(input.view(), View::Object(_)) {
            self.error(&Path::ROOT, Code::NotAnObject, kind_name(&input.view()));
            return EventVerdict::Invalid;
        }
        let name = match input.member("type").map(I::view) {
            Some(View::Text(name)) if !name.is_empty() => name,
            _ => {
                self.error(&Path::ROOT.then(PathStep::Key("type")), Code::MissingEventType, "");
                return EventVerdict::Invalid;
            }
        };
        let Some((index, ty)) = Event::UNION.variant(name) else {
            return self.unknown_event(name, input);
        };
        self.event_type = Some(&Event::UNION.variants[index]);
        match self.object(&Path::ROOT, input, ty) {
            ValueVerdict::Value(value) if self.errors.is_empty() => EventVerdict::Event(value),
            // The event is about an unknown thing, so its other members have no known meaning.
            ValueVerdict::Unrecognised(_) if self.rules.variants == Undeclared::Keep => {
                EventVerdict::Event(self.build.unknown_event(input))
            }
            ValueVerdict::Unrecognised(why) => {
                self.leave_out(&Path::ROOT, why, ty.name);
                EventVerdict::Dropped
            }
            _ => EventVerdict::Invalid,
        }
    }

    fn unknown_event<'a, I: Input<'a>>(&mut self, name: &str, input: I) -> EventVerdict<B::Value> {
        let at = Path::ROOT.then(PathStep::Key("type"));
        match self.rules.variants {
            Undeclared::Keep => {
                let event = self.build.unknown_event(input);
                self.note_lost_numbers(&Path::ROOT, input);
                if self.errors.is_empty() { EventVerdict::Event(event) } else { EventVerdict::Invalid }
            }
            Undeclared::Drop => {
                self.warn(&at, Code::UnknownEventType, excerpt(name));
                EventVerdict::Dropped
            }
            Undeclared::Refuse => {
                self.error(&at, Code::UnknownEventType, excerpt(name));
                EventVerdict::Invalid
            }
        }
    }

    /// Reads a value of `kind`; nothing if it is refused.
    pub fn value<'a, I: Input<'a>>(&mut self, input: I, kind: &'static Kind) -> Option<B::Value> {
        if matches!(kind, Kind::Union(union) if std::ptr::eq(*union, Event::UNION)) {
            return match self.event(input) {
                EventVerdict::Event(value) => Some(value),
                // The caller asked for this event, so it cannot be dropped.
                EventVerdict::Dropped => {
                    self.errors.extend(self.warnings.pop());
                    None
                }
                EventVerdict::Invalid => None,
            };
        }
        match self.kind(&Path::ROOT, input, kind) {
            ValueVerdict::Value(value) if self.errors.is_empty() => Some(value),
            ValueVerdict::Unrecognised(why) => {
                self.leave_out(&Path::ROOT, why, describe(kind));
                self.errors.extend(self.warnings.pop());
                None
            }
            _ => None,
        }
    }

    /// Warns that the value at a place is dropped, and why.
    pub(super) fn leave_out(&mut self, at: &Path<'_>, why: Option<Box<Issue>>, what: impl Into<String>) {
        match why {
            None => self.warn(at, Code::UnknownVariant, what),
            Some(issue) if self.warnings.len() < MAX_ISSUES => self.warnings.push(*issue),
            Some(_) => {}
        }
    }

    pub(super) fn bad<V>(&mut self, at: &Path<'_>, code: Code, detail: impl Into<String>) -> ValueVerdict<V> {
        self.error(at, code, detail);
        ValueVerdict::Bad
    }

    /// Like [`bad`](Self::bad), with its own advice.
    pub(super) fn bad_but<V>(
        &mut self,
        at: &Path<'_>,
        code: Code,
        detail: String,
        advice: &'static str,
    ) -> ValueVerdict<V> {
        if let Some(issue) = note(&mut self.errors, at, code, None, detail) {
            issue.advice = Some(advice);
        }
        ValueVerdict::Bad
    }

    pub(super) fn wrong_type<'a, V, I: Input<'a>>(
        &mut self,
        at: &Path<'_>,
        kind: &Kind,
        view: &View<'a, I>,
    ) -> ValueVerdict<V> {
        let detail = format!("expected {}, got {}", describe(kind), kind_name(view));
        self.bad_but(at, Code::WrongType, detail, how_to_send(kind, view))
    }

    pub(super) fn error(&mut self, at: &Path<'_>, code: Code, detail: impl Into<String>) {
        note(&mut self.errors, at, code, None, detail);
    }

    pub(super) fn warn(&mut self, at: &Path<'_>, code: Code, detail: impl Into<String>) {
        note(&mut self.warnings, at, code, None, detail);
    }
}

/// Adds an issue about a place, or about an undeclared member of it.
pub(super) fn note<'i>(
    issues: &'i mut Vec<Issue>,
    at: &Path<'_>,
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
