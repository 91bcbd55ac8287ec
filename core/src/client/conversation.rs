//! Helpers for the messages of a conversation.

use crate::encode::try_to_json;
use crate::error::Error;
use crate::json::{Object, Value};
use crate::reduce::{Change, Conversation, typed};
use crate::server::bindings::within;
use crate::types::{ActivityMessage, Message};

/// The id of a message.
pub(super) fn id(message: &Value) -> Option<&str> {
    text(message, "id")
}

/// Converts messages to their types. If a patch has left the content of an activity without an object, the content is left out.
pub(super) fn all_typed<'v>(messages: impl Iterator<Item = &'v Value>) -> Vec<Message> {
    let bare = |message: &Value| {
        let text = |key| text(message, key).unwrap_or_default();
        ActivityMessage::new(text("id"), text("activityType"), Object::default()).into()
    };
    messages.map(|message| typed(message).unwrap_or_else(|_| bare(message))).collect()
}

/// Converts the messages of a conversation to their types, to send them.
///
/// # Errors
/// `wrong_type` for a number that JSON does not have.
pub(super) fn all_to_send(conversation: &Conversation) -> Result<Vec<Message>, Error> {
    for (place, message) in conversation.message_values().enumerate() {
        try_to_json(message).map_err(|error| within(&format!("/messages/{place}"), error))?;
    }
    Ok(all_typed(conversation.message_values()))
}

/// Appends a message.
pub(super) fn push(conversation: &mut Conversation, message: Message) {
    let place = conversation.message_count();
    conversation.apply(Change::Insert { slot: place, position: place, message });
}

/// Replaces the messages.
pub(super) fn replace_messages(conversation: &mut Conversation, messages: &[Message]) {
    let mut replaced = Conversation::new(messages, Value::Null, conversation.limits);
    std::mem::swap(conversation, &mut replaced);
    conversation.state = replaced.state;
    conversation.state_in_sync = replaced.state_in_sync;
    conversation.pending_interrupts = replaced.pending_interrupts;
}

/// A member that is text.
pub(super) fn text<'v>(message: &'v Value, key: &str) -> Option<&'v str> {
    message.as_object()?.get(key)?.as_str()
}
