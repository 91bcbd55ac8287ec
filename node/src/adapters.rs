//! The adapters of model providers: `lib/native/adapters.cts` describes them. Chunks, events, replies and requests cross as JSON text.

use ag_ui_native::adapters::{ModelApi, ModelStream as Core};
use ag_ui_native::types::{Event, Message, Tool};
use ag_ui_native::{Profile, from_json};
use napi_derive::napi;

use crate::answer;
use crate::error;
use crate::events::json_of;

/// The stream of one reply of a model.
#[napi]
#[derive(Debug)]
pub struct ModelStream(Core);

#[napi]
impl ModelStream {
    /// The stream of a reply whose first message has this id; nothing for an unknown API.
    #[napi(catch_unwind)]
    #[allow(clippy::needless_pass_by_value)] // napi hands strings over.
    pub fn open(api: String, message_id: String, provider: Option<String>) -> Option<ModelStream> {
        let api = ModelApi::named(&api).ok()?;
        Some(Self(Core::new(api, message_id).with_provider(provider)))
    }

    /// Returns the events of a chunk, one a line; or the error.
    #[napi(catch_unwind)]
    #[allow(clippy::needless_pass_by_value)] // napi hands strings over.
    pub fn push(&mut self, chunk: String) -> String {
        answer(|| self.0.push(&chunk).map(lines))
    }

    /// Returns the events that end what is open, one a line.
    #[napi(catch_unwind)]
    pub fn close(&mut self) -> String {
        answer(|| Ok(lines(self.0.close())))
    }

    /// The tokens that the provider has counted so far.
    #[napi(catch_unwind, getter)]
    pub fn usage(&self) -> Option<String> {
        self.0.usage().map(|usage| json_of(&usage))
    }

    /// Returns the whole reply; or the error.
    #[napi(catch_unwind)]
    pub fn reply(&self) -> String {
        answer(|| Ok(error::text(&self.0.reply()?.to_value(self.0.usage().as_ref()))))
    }
}

#[allow(clippy::needless_pass_by_value)] // As core hands them over.
fn lines(events: Vec<Event>) -> String {
    events.iter().map(json_of).collect::<Vec<_>>().join("\n")
}

/// Returns the conversation as the API's request has it; or the error.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn model_messages(api: String, messages: String) -> String {
    answer(|| {
        let (messages, _) = from_json::<Vec<Message>>(messages, Profile::Tolerant)?;
        Ok(json_of(&ModelApi::named(&api)?.messages(&messages)?))
    })
}

/// Returns the tools as the API's request has them; or the error.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn model_tools(api: String, tools: String) -> String {
    answer(|| {
        let (tools, _) = from_json::<Vec<Tool>>(tools, Profile::Tolerant)?;
        Ok(json_of(&ModelApi::named(&api)?.tools(&tools)))
    })
}
