//! The compatibility boundary: reads events and input of older producers as 1.0.

use std::fmt;

use super::{binary, note};
use crate::error::{Code, Issue};
use crate::ids::{IdGenerator, IdKind, UuidGenerator};
use crate::json::{Input, View};
use crate::schema::Kind;
use crate::types::{ContentPart, Event, Message, RunAgentInput};
use crate::{Object, Value, to_json};

/// Translates the retired shapes of one stream. It recognizes them by their shape, not by a declared version. `null`
/// in optional members, which 0.x wrote too, is left alone: the profile `tolerant` reads it as absent.
pub struct Boundary {
    ids: Box<dyn IdGenerator + Send + Sync>,
    /// Id of the reasoning span that a THINKING_START has opened.
    span: Option<String>,
    /// Id of the reasoning message that a THINKING_TEXT_MESSAGE_START has opened.
    message: Option<String>,
}

/// A retired event, with the event that replaced it.
struct Thinking {
    old: &'static str,
    new: &'static str,
    entity: Entity,
    place: Phase,
}

/// The entity of an event. The old events had no ids; the new ones need them.
#[derive(Clone, Copy)]
enum Entity {
    Span,
    Message,
}

/// The phase of an entity that an event reports.
#[derive(Clone, Copy)]
enum Phase {
    Start,
    Inside,
    End,
}

#[rustfmt::skip]
const THINKING: [Thinking; 5] = [
    Thinking { old: "THINKING_START", new: "REASONING_START", entity: Entity::Span, place: Phase::Start },
    Thinking { old: "THINKING_TEXT_MESSAGE_START", new: "REASONING_MESSAGE_START", entity: Entity::Message, place: Phase::Start },
    Thinking { old: "THINKING_TEXT_MESSAGE_CONTENT", new: "REASONING_MESSAGE_CONTENT", entity: Entity::Message, place: Phase::Inside },
    Thinking { old: "THINKING_TEXT_MESSAGE_END", new: "REASONING_MESSAGE_END", entity: Entity::Message, place: Phase::End },
    Thinking { old: "THINKING_END", new: "REASONING_END", entity: Entity::Span, place: Phase::End },
];

impl Boundary {
    /// Creates a boundary for one stream. `ids` makes the ids that the old events lack.
    pub fn new(ids: impl IdGenerator + Send + Sync + 'static) -> Self {
        Self { ids: Box::new(ids), span: None, message: None }
    }

    /// Translates an event to 1.0. Returns it with the issues of the translation. Other events are
    /// unchanged.
    pub fn translate(&mut self, mut event: Value) -> (Value, Vec<Issue>) {
        let mut issues = Vec::new();
        if let Value::Object(members) = &mut event {
            let name = members.get("type").and_then(Value::as_str).unwrap_or_default();
            match (name, thinking(name)) {
                (_, Some(thinking)) => self.translate_thinking(thinking, members, &mut issues),
                ("MESSAGES_SNAPSHOT", _) => binary::upgrade_messages(members, "", &mut issues),
                ("RUN_STARTED", _) => {
                    if let Some(Value::Object(input)) = members.get_mut("input") {
                        binary::upgrade_messages(input, "/input", &mut issues);
                    }
                }
                _ => {}
            }
        }
        (event, issues)
    }

    /// Translates a document of `kind` to 1.0. Returns `None` if it holds no retired shape; checking that makes no
    /// copy.
    pub fn translate_document<'a, I: Input<'a>>(
        &mut self,
        document: I,
        kind: &Kind,
    ) -> Option<(Value, Vec<Issue>)> {
        let subject = Subject::of(kind)?;
        if !subject.is_retired(document) {
            return None;
        }
        let (mut value, mut issues) = (document.to_value(), Vec::new());
        match (subject, &mut value) {
            (Subject::Event, _) => return Some(self.translate(value)),
            (Subject::Input, Value::Object(input)) => binary::upgrade_messages(input, "", &mut issues),
            (Subject::Message, Value::Object(message)) => binary::upgrade_content(message, "", &mut issues),
            (Subject::Part, part) => binary::upgrade_part(part, &mut issues),
            _ => {}
        }
        Some((value, issues))
    }

    /// Translates a tool result in the form of the Go document: its `result` may be any value, and it names no message. It
    /// gets an id, and text. Returns `None` if it has both.
    pub fn translate_go<'a, I: Input<'a>>(&mut self, event: I) -> Option<(Value, Vec<Issue>)> {
        let is_result = matches!(event.member("type").map(I::view), Some(View::Text("TOOL_CALL_RESULT")));
        let result = event.member("result").filter(|_| is_result && event.member("content").is_none())?;
        let has_id = event.member("messageId").is_some();
        let is_text = matches!(result.view(), View::Text(_));
        if has_id && is_text {
            return None;
        }
        let Value::Object(mut members) = event.to_value() else { return None };
        let mut issues = Vec::new();
        if !has_id {
            members.insert("messageId", self.ids.id(IdKind::Message));
            note(
                &mut issues,
                Issue::new(Code::LegacyShape, "/messageId", "it had no id: a new one was made"),
            );
        }
        if !is_text {
            members.insert("result", to_json(&result.to_value()));
            let issue = Issue::new(Code::ConvertedValue, "/result", "written as JSON text");
            note(&mut issues, issue.advise("send text"));
        }
        Some((Value::Object(members), issues))
    }

    fn translate_thinking(&mut self, thinking: &Thinking, event: &mut Object, issues: &mut Vec<Issue>) {
        let Thinking { old, new, entity, place } = thinking;
        note(issues, Issue::new(Code::LegacyShape, "/type", format!("{old} is now {new}")));
        let open = match entity {
            Entity::Span => &mut self.span,
            Entity::Message => &mut self.message,
        };
        let known = match place {
            Phase::Start => None,
            Phase::Inside => open.clone(),
            Phase::End => open.take(),
        };
        if known.is_none() && !matches!(place, Phase::Start) {
            let detail = format!("{old} without its start: {new} gets a new id");
            note(issues, Issue::new(Code::LegacyShape, "/messageId", detail));
        }
        let id = known.unwrap_or_else(|| self.ids.id(IdKind::Message));
        if matches!(place, Phase::Start) {
            *open = Some(id.clone());
        }
        if event.remove("title").is_some() {
            let detail = format!("{old} had a title, {new} has none");
            note(issues, Issue::new(Code::LegacyShape, "/title", detail));
        }
        event.insert("type", *new);
        event.insert("messageId", id);
        if matches!((entity, place), (Entity::Message, Phase::Start)) {
            event.insert("role", "reasoning");
        }
    }
}

impl Default for Boundary {
    fn default() -> Self {
        Self::new(UuidGenerator)
    }
}

impl fmt::Debug for Boundary {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Boundary")
            .field("span", &self.span)
            .field("message", &self.message)
            .finish_non_exhaustive()
    }
}

fn thinking(name: &str) -> Option<&'static Thinking> {
    THINKING.iter().find(|thinking| thinking.old == name)
}

/// The kinds of documents that had other shapes in 0.x.
#[derive(Clone, Copy)]
enum Subject {
    Event,
    Input,
    Message,
    Part,
}

impl Subject {
    /// Returns the subject of a document of `kind`, which its union or its own type names.
    fn of(kind: &Kind) -> Option<Self> {
        let unions =
            [(Event::UNION, Self::Event), (Message::UNION, Self::Message), (ContentPart::UNION, Self::Part)];
        match kind {
            Kind::Object(ty) if std::ptr::eq(*ty, RunAgentInput::TYPE) => Some(Self::Input),
            Kind::Object(ty) => unions.into_iter().find_map(|(union, subject)| {
                union.variants.iter().any(|variant| std::ptr::eq(variant.ty, *ty)).then_some(subject)
            }),
            Kind::Union(named) => {
                unions.into_iter().find_map(|(union, subject)| std::ptr::eq(union, *named).then_some(subject))
            }
            _ => None,
        }
    }

    fn is_retired<'a, I: Input<'a>>(self, document: I) -> bool {
        match self {
            Self::Event => is_retired_event(document),
            Self::Input => binary::is_in_messages(document),
            Self::Message => binary::is_in_content(document),
            Self::Part => binary::is_part(document),
        }
    }
}

fn is_retired_event<'a, I: Input<'a>>(event: I) -> bool {
    match event.member("type").map(I::view) {
        Some(View::Text("MESSAGES_SNAPSHOT")) => binary::is_in_messages(event),
        Some(View::Text("RUN_STARTED")) => event.member("input").is_some_and(binary::is_in_messages),
        Some(View::Text(name)) => thinking(name).is_some(),
        _ => false,
    }
}
