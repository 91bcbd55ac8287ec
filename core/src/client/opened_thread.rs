//! The messages, the state and the interrupts of a thread that a client opens, as its server has kept them.

use crate::decode::{DeclaredType, DocumentReader};
use crate::error::{Code, Error};
use crate::json::{Input, Node, ParseOptions, Tape, Value};
use crate::limits::Limits;
use crate::profile::Profile;
use crate::types::{Interrupt, Message};

/// The data of a thread on a server with a log.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OpenedThread {
    /// The messages at the beginning of the active run, else at the end of the last one; `None` if the server keeps none: the
    /// client keeps its own.
    pub messages: Option<Vec<Message>>,
    /// The state at that time; `None` as for the messages.
    pub state: Option<Value>,
    /// The interrupts that wait for an answer.
    pub interrupts: Vec<Interrupt>,
    /// The run that is active.
    pub active_run_id: Option<String>,
    /// The run that has ended last.
    pub last_run_id: Option<String>,
}

impl OpenedThread {
    /// Reads the answer of a server, which is JSON text.
    ///
    /// # Errors
    /// `wrong_content_type`: the answer is not about this thread. Validation errors of messages and interrupts.
    pub fn read(json: &str, thread_id: &str, profile: Profile, limits: Limits) -> Result<Self, Error> {
        let no_thread = || Error::new(Code::WrongContentType, "expected the data of a thread, as JSON");
        let mut tape = Tape::default();
        let options = ParseOptions { depth: limits.effective_depth(), replace_invalid_text: true };
        let thread = tape.parse(json, options).map_err(|_| no_thread())?;
        let text = |name| match thread.member(name).map(Input::to_value) {
            Some(Value::String(text)) => Some(text),
            _ => None,
        };
        if text("threadId").is_none_or(|id| id != thread_id) {
            return Err(no_thread());
        }
        let mut reader = DocumentReader::new(profile, limits);
        Ok(Self {
            messages: list(&mut reader, thread, "messages")?,
            state: thread.member("state").map(Input::to_value),
            interrupts: list(&mut reader, thread, "interrupts")?.unwrap_or_default(),
            active_run_id: text("activeRunId"),
            last_run_id: text("lastRunId"),
        })
    }
}

/// Reads a member that is a list.
fn list<T>(reader: &mut DocumentReader, thread: Node<'_>, name: &str) -> Result<Option<Vec<T>>, Error>
where
    Vec<T>: DeclaredType,
{
    let Some(member) = thread.member(name) else { return Ok(None) };
    reader.typed(member.source()).map(|(items, _)| Some(items))
}
