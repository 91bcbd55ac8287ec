//! The initial content of a conversation.

use ag_ui_native::bindings::NumberStyle;
use ag_ui_native::bindings::decode::{DeclaredType, DocumentReader};
use ag_ui_native::bindings::json::Writer;
use ag_ui_native::bindings::validate::Nothing;
use ag_ui_native::bindings::validate::TypedBuild;
use ag_ui_native::types::{Interrupt, Message};
use ag_ui_native::{Error, Limits, Profile, Value};

/// The messages with which a conversation begins, and the whole start as JSON text for JavaScript, which makes its own copies from it.
#[derive(Debug)]
pub struct Start {
    /// The messages.
    pub messages: Vec<Message>,
    /// `{"messages": [...], "pendingInterrupts": [...]}`
    pub json: String,
}

impl Start {
    /// Reads what `startText` in `lib/reduce/conversation.cts` writes: the state, and then the messages and the interrupts, each
    /// a line; an empty line divides these.
    pub fn read(text: &str, limits: Limits) -> Result<Self, Error> {
        let limits = limits.with_event_bytes(usize::MAX);
        let mut reader = DocumentReader::new(Profile::Tolerant, limits);
        let mut lines = text.split('\n');
        if let Some(state) = lines.next() {
            let read = reader.value(state, Value::DECLARED_KIND, &mut Nothing);
            read.map_err(|error| inside("/state", error))?;
        }
        let messages: Vec<Message> =
            read_list(&mut reader, "/messages", lines.by_ref().take_while(|line| !line.is_empty()))?;
        let interrupts: Vec<Interrupt> = read_list(&mut reader, "/pendingInterrupts", lines)?;
        let mut writer = Writer::new(NumberStyle::JavaScript);
        let mut object = writer.object();
        object.field("\"messages\":", &messages);
        object.field("\"pendingInterrupts\":", &interrupts);
        object.end();
        Ok(Self { messages, json: writer.out })
    }
}

fn read_list<'a, T: DeclaredType>(
    reader: &mut DocumentReader,
    name: &str,
    lines: impl Iterator<Item = &'a str>,
) -> Result<Vec<T>, Error> {
    let item = |(index, line): (usize, &str)| {
        let read = reader.value(line, T::DECLARED_KIND, &mut TypedBuild);
        let decoded = read.map_err(|error| inside(&format!("{name}/{index}"), error))?;
        Ok(T::from_validated(decoded.value))
    };
    lines.enumerate().map(item).collect()
}

/// The error of a part, with its place in the whole start.
fn inside(place: &str, mut error: Error) -> Error {
    for issue in &mut error.issues {
        issue.path.insert_str(0, place);
    }
    error
}
