//! What a model has replied.

use crate::encode::to_value;
use crate::json::{Object, Value};
use crate::types::{Message, TokenUsage, ToolCall};

/// The whole reply of a model.
///
/// ```
/// use ag_ui_native::adapters::{ModelApi, ModelStream, Reply};
///
/// let mut stream = ModelStream::new(ModelApi::OpenAiChat, "m1");
/// stream.push(r#"{"choices":[{"index":0,"delta":{"content":"Hello!"},"finish_reason":"stop"}]}"#)?;
/// stream.close();
/// let reply: Reply = stream.reply()?;
/// assert_eq!((reply.finish_reason.as_str(), reply.messages.len()), ("stop", 1));
/// # Ok::<(), ag_ui_native::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Reply {
    /// The text, without reasoning. Several messages are paragraphs.
    pub text: String,
    /// True if the text is the model's refusal to answer.
    pub is_refusal: bool,
    /// The calls that the agent answers, in the order of their starts; without those of tools that the provider runs. The arguments
    /// are the JSON text that the model has written.
    pub tool_calls: Vec<ToolCall>,
    /// Why the model has stopped: `stop`, `length`, `tool_calls`, `content_filter`, or another word of the provider.
    pub finish_reason: String,
    /// The messages of the reply, as the client has them: the next request needs them, with the results of the tools behind them.
    /// Results of tools that the provider runs are among them.
    pub messages: Vec<Message>,
}

impl Reply {
    /// The reply as a value, for hosts; with the tokens that the provider has counted.
    #[doc(hidden)]
    pub fn to_value(&self, usage: Option<&TokenUsage>) -> Value {
        Object::from([
            ("text", Value::from(self.text.as_str())),
            ("isRefusal", self.is_refusal.into()),
            ("toolCalls", self.tool_calls.iter().map(to_value).collect()),
            ("finishReason", self.finish_reason.as_str().into()),
            ("messages", self.messages.iter().map(to_value).collect()),
            ("usage", usage.map(to_value).into()),
        ])
        .into()
    }
}
