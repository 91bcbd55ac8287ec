//! Adapters for the APIs of model providers: the chunks of a model's stream become events of a run, and a conversation becomes
//! the members of the next request. No I/O, and nothing of a provider's SDK: chunks are JSON text, requests are values.
//!
//! ```
//! use ag_ui_native::adapters::{ModelApi, ModelStream};
//! use ag_ui_native::types::UserMessage;
//!
//! let asked = [UserMessage::new("u", "Hello?").into()];
//! let messages = ModelApi::OpenAiChat.messages(&asked)?; // of the request
//! assert_eq!(ag_ui_native::to_json(&messages), r#"[{"role":"user","content":"Hello?"}]"#);
//!
//! let mut stream = ModelStream::new(ModelApi::OpenAiChat, "m");
//! let events = stream.push(r#"{"choices":[{"index":0,"delta":{"content":"Hi!"},"finish_reason":"stop"}]}"#)?;
//! assert_eq!(events.len(), 3); // TEXT_MESSAGE_START, TEXT_MESSAGE_CONTENT, TEXT_MESSAGE_END
//! assert_eq!(stream.reply()?.text, "Hi!");
//! # Ok::<(), ag_ui_native::Error>(())
//! ```

mod chat_request;
mod chat_stream;
mod chunk;
mod conversation;
mod media;
mod messages_request;
mod messages_stream;
mod output;
mod provider_tools;
mod reply;
mod request;
mod responses_request;
mod responses_stream;

pub use reply::Reply;

use std::fmt;

use crate::error::{Code, Error};
use crate::json::Value;
use crate::types::{Event, Message, TokenUsage, Tool};
use chat_stream::Chat;
use chunk::{Chunk, failure, member};
use messages_stream::Messages;
use output::Output;
use responses_stream::Responses;

/// The API of a provider.
///
/// ```
/// use ag_ui_native::adapters::ModelApi;
/// use ag_ui_native::types::{Message, UserMessage};
///
/// let said = [Message::from(UserMessage::new("m1", "Hello!"))];
/// let messages = ModelApi::OpenAiChat.messages(&said)?;
/// assert_eq!(messages.as_array().map(|list| list.len()), Some(1));
/// # Ok::<(), ag_ui_native::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ModelApi {
    /// Chat completions of OpenAI, and of the many servers that speak like it.
    OpenAiChat,
    /// Responses of OpenAI.
    OpenAiResponses,
    /// Messages of Anthropic.
    Anthropic,
}

impl ModelApi {
    /// Every API.
    #[doc(hidden)]
    pub const ALL: &'static [Self] = &[Self::OpenAiChat, Self::OpenAiResponses, Self::Anthropic];

    /// The name of the API.
    #[doc(hidden)]
    pub fn name(self) -> &'static str {
        match self {
            Self::OpenAiChat => "openai_chat",
            Self::OpenAiResponses => "openai_responses",
            Self::Anthropic => "anthropic",
        }
    }

    /// The API of this name.
    #[doc(hidden)]
    pub fn named(name: &str) -> Result<Self, Error> {
        let found = Self::ALL.iter().find(|api| api.name() == name);
        found
            .copied()
            .ok_or_else(|| Error::new(Code::InvalidValue, "expected the name of an API of a provider"))
    }

    /// The lower-case id of the provider, for token usage and files.
    fn provider(self) -> &'static str {
        match self {
            Self::OpenAiChat | Self::OpenAiResponses => "openai",
            Self::Anthropic => "anthropic",
        }
    }

    /// The conversation as the request has it: `messages` of a chat completion, `input` of a response, or an object with the `messages`
    /// and the `system` of a message of Anthropic.
    ///
    /// Messages that models do not get are left out: activities, messages of subagents, reasoning that is not this API's own, calls
    /// without a result, and results without a call. A result follows its call.
    ///
    /// # Errors
    /// `unsupported_part` with the path, for a part that the API does not take.
    pub fn messages(self, messages: &[Message]) -> Result<Value, Error> {
        match self {
            Self::OpenAiChat => chat_request::messages(messages),
            Self::OpenAiResponses => responses_request::input(messages),
            Self::Anthropic => messages_request::messages(messages),
        }
    }

    /// The tools as the request has them.
    ///
    /// ```
    /// use ag_ui_native::adapters::ModelApi;
    /// use ag_ui_native::types::Tool;
    ///
    /// let tools = ModelApi::Anthropic.tools(&[Tool::new("weather", "Tells the weather.")]);
    /// assert_eq!(tools.as_array().map(|list| list.len()), Some(1));
    /// ```
    pub fn tools(self, tools: &[Tool]) -> Value {
        let made = match self {
            Self::OpenAiChat => chat_request::tool,
            Self::OpenAiResponses => responses_request::tool,
            Self::Anthropic => messages_request::tool,
        };
        tools.iter().map(made).collect()
    }
}

/// The stream of one reply of a model.
///
/// ```
/// use ag_ui_native::adapters::{ModelApi, ModelStream};
///
/// let mut stream = ModelStream::new(ModelApi::OpenAiChat, "m1");
/// let events = stream.push(r#"{"choices":[{"index":0,"delta":{"content":"Hello!"},"finish_reason":"stop"}]}"#)?;
/// assert!(!events.is_empty());
/// stream.close();
/// assert_eq!(stream.reply()?.text, "Hello!");
/// # Ok::<(), ag_ui_native::Error>(())
/// ```
pub struct ModelStream {
    machine: Machine,
    api: ModelApi,
    provider: Option<String>,
    output: Output,
}

impl fmt::Debug for ModelStream {
    /// Leaves out what the model has said.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ModelStream").field("api", &self.api).finish_non_exhaustive()
    }
}

#[derive(Debug)]
enum Machine {
    Chat(Chat),
    Responses(Responses),
    Messages(Messages),
}

impl ModelStream {
    /// The stream of a reply that has not begun. `message_id` is the id of its first message; others are made from it.
    pub fn new(api: ModelApi, message_id: impl Into<String>) -> Self {
        let machine = match api {
            ModelApi::OpenAiChat => Machine::Chat(Chat::default()),
            ModelApi::OpenAiResponses => Machine::Responses(Responses::default()),
            ModelApi::Anthropic => Machine::Messages(Messages::default()),
        };
        Self { machine, api, provider: None, output: Output::new(message_id.into()) }
    }

    /// Sets the provider that the token usage names.
    #[must_use]
    pub fn with_provider(self, provider: Option<String>) -> Self {
        Self { provider, ..self }
    }

    /// Takes one chunk of the provider's stream, as JSON text, and returns its events. Chunks of unknown types have none.
    ///
    /// # Errors
    /// `model_failed` if the chunk is the provider's error; `invalid_json` and the like for text that is no chunk; `unsupported_output` for what
    /// somebody has to answer and an adapter does not translate; `wrong_type` or `lone_surrogate` if something that the model has written
    /// is no text. Members that are not read have no errors.
    pub fn push(&mut self, chunk: &str) -> Result<Vec<Event>, Error> {
        let chunk = Chunk::read(chunk)?;
        if let Some(error) = member(&chunk.value, "error") {
            return Err(failure(error));
        }
        match &mut self.machine {
            Machine::Chat(chat) => chat.push(&chunk.value, &mut self.output)?,
            Machine::Responses(responses) => responses.push(&chunk.value, &mut self.output)?,
            Machine::Messages(messages) => messages.push(&chunk.value, &mut self.output)?,
        }
        chunk.check(self.output.events())?;
        Ok(self.output.take_events())
    }

    /// Ends what is open, and returns the events of that. It is called at the end of the stream, also of one that was cut.
    pub fn close(&mut self) -> Vec<Event> {
        self.output.close();
        self.output.take_events()
    }

    /// The tokens that the provider has counted so far.
    pub fn usage(&self) -> Option<TokenUsage> {
        let provider = self.provider.as_deref().unwrap_or(self.api.provider());
        let counted = self.output.usage.clone()?;
        Some(TokenUsage { provider: Some(provider.to_owned()), model: self.output.model.clone(), ..counted })
    }

    /// The whole reply.
    ///
    /// # Errors
    /// `model_truncated` if the stream has not said that the reply is complete.
    pub fn reply(&self) -> Result<Reply, Error> {
        if !self.output.is_complete {
            return Err(Error::new(Code::ModelTruncated, ""));
        }
        Ok(self.output.reply())
    }
}
