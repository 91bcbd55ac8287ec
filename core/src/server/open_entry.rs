//! What a run has opened: a message, call, step or subagent.

use super::cause::Cause;
use super::close::Ending;
use super::run::Run;
use super::slots::Entity;
use crate::error::{Code, Error};
use crate::types::{ReasoningEncryptedValueEvent, ReasoningEncryptedValueSubtype};
use crate::verify::EntityKind;

/// A message, call, step or subagent that is open until it is dropped.
#[derive(Debug)]
pub struct OpenEntry {
    pub(super) run: Run,
    pub(super) entity: Entity,
    pub(super) id: String,
}

impl OpenEntry {
    /// Its id; the name of a step.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Appends to a message, or to the arguments of a call.
    ///
    /// # Errors
    /// `sequence_broken` if it has been closed, or takes no text.
    pub fn write(&self, delta: &str) -> Result<(), Error> {
        self.run.writing(|writer| writer.write(self.entity, delta))
    }

    /// Has the client keep a provider's encrypted value with a message or call and hand it back in the next run, and what the provider
    /// calls that kind of value.
    ///
    /// # Errors
    /// As all that writes; `invalid_value` for a step or a subagent, with which nothing can be kept.
    pub fn encrypted_value(&self, value: impl Into<String>, value_type: Option<&str>) -> Result<(), Error> {
        let subtype = match self.entity.kind() {
            EntityKind::TextMessage | EntityKind::ReasoningMessage => ReasoningEncryptedValueSubtype::Message,
            EntityKind::ToolCall => ReasoningEncryptedValueSubtype::ToolCall,
            kind => return Err(Error::new(Code::InvalidValue, format!("{kind:?} holds no encrypted value"))),
        };
        let mut event = ReasoningEncryptedValueEvent::new(subtype, &self.id, value);
        event.encrypted_value_type = value_type.map(str::to_owned);
        self.run.send(event)
    }

    /// Closes it; a subagent ends as `ending` says. Dropping it closes it as a success.
    ///
    /// # Errors
    /// What the transport cannot hold.
    pub fn end(self, ending: &Ending) -> Result<(), Error> {
        self.run.with(|writer| writer.end_as(self.entity, ending))
    }

    /// Closes a subagent whose agent is done: see [`RunWriter::end_by`].
    ///
    /// # Errors
    /// What the transport cannot hold.
    pub fn end_by(self, cause: Cause) -> Result<(), Error> {
        self.run.with(|writer| writer.end_by(self.entity, cause))
    }
}

impl Drop for OpenEntry {
    fn drop(&mut self) {
        // An END holds nothing that a transport could refuse.
        let _ = self.run.with(|writer| writer.end_dropped(self.entity));
    }
}
