//! Events that a stage hands over: the caller's own by their index, others as text. `lib/stages/stage_output.cts` reads them.

use ag_ui_native::bindings::schema::{FieldType, TypeDef, Typed};
use ag_ui_native::types::{Event, ReasoningMessageRole, TextMessageRole};

use crate::border::{FLAT, MADE};
use crate::build::shape;
use crate::engine::output::{OutputBuffer, to_u32};

/// Writes an event as marks: the index of the caller's object + 1 and the end of an empty piece; or `MADE` and the end of a piece of
/// JSON text; or `FLAT` and the marks of a decoder's event.
impl OutputBuffer {
    /// Adds the event that is the caller's object at `index`; if it was repaired, adds a new one.
    pub fn add_given(&mut self, index: usize, event: &Event, repaired: bool) {
        if repaired {
            return self.add_made(event);
        }
        self.marks.push(to_u32(index + 1));
        self.end_piece();
    }

    /// Adds an event that is not the caller's.
    pub fn add_made(&mut self, event: &Event) {
        if self.add_flat(event).is_some() {
            return;
        }
        event.write(&mut self.text);
        self.marks.push(MADE);
        self.end_piece();
    }
}

/// Writes an event member by member, as a decoder's event crosses. Returns `None` if the event has members other than strings.
macro_rules! flat {
    ($buffer:ident, $event:ident, $($variant:ident { $($member:ident),+ })+) => {
        match $event {
            $(Event::$variant(event) => {
                let plain = event.timestamp.is_none() && event.raw_event.is_none();
                if !plain || event.metadata.is_some() || !event.extra.is_empty() {
                    return None;
                }
                let ty = type_of(event);
                let head = $buffer.marks.len() + 1;
                $buffer.marks.extend([FLAT, 0]);
                let mut optional = 0;
                $(if let Some(text) = event.$member.text() {
                    let place = ty.field_named(stringify!($member))?;
                    optional |= u32::from(ty.fields[place].is_optional()) << place;
                    $buffer.text.out.push_str(text);
                    $buffer.end_piece();
                })+
                let count = to_u32($buffer.marks.len() - head - 1);
                $buffer.marks[head] = shape(ty) | count << 8 | optional << 16;
                Some(())
            })+
            _ => None,
        }
    };
}

impl OutputBuffer {
    /// Adds an event of strings as a decoder hands it over, if it is of a type that expansion makes.
    fn add_flat(&mut self, event: &Event) -> Option<()> {
        flat! { self, event,
            TextMessageStart { subagent_run_id, message_id, role, name }
            TextMessageContent { subagent_run_id, message_id, delta }
            TextMessageEnd { subagent_run_id, message_id }
            ToolCallStart { subagent_run_id, tool_call_id, tool_call_name, parent_message_id }
            ToolCallArgs { subagent_run_id, tool_call_id, delta }
            ToolCallEnd { subagent_run_id, tool_call_id }
            ReasoningMessageStart { subagent_run_id, message_id, role }
            ReasoningMessageContent { subagent_run_id, message_id, delta }
            ReasoningMessageEnd { subagent_run_id, message_id }
        }
    }
}

fn type_of<T: Typed>(_: &T) -> &'static TypeDef {
    T::TYPE_DEF
}

/// A member that holds text or is absent.
trait TextMember {
    fn text(&self) -> Option<&str>;
}

impl TextMember for String {
    fn text(&self) -> Option<&str> {
        Some(self)
    }
}

impl TextMember for Option<String> {
    fn text(&self) -> Option<&str> {
        self.as_deref()
    }
}

impl TextMember for Option<TextMessageRole> {
    fn text(&self) -> Option<&str> {
        self.map(TextMessageRole::as_str)
    }
}

impl TextMember for ReasoningMessageRole {
    fn text(&self) -> Option<&str> {
        Some(self.as_str())
    }
}
