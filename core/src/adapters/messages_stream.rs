//! The stream of a message of Anthropic.

use super::chunk::{member, text, written};
use super::output::Output;
use crate::collections::HashMap;
use crate::encode::to_json;
use crate::error::Error;
use crate::json::{Object, Value};
use crate::types::TokenUsage;

/// The kinds of encrypted values, by the blocks that hold them.
pub(super) const THINKING: &str = "anthropic.thinking";
pub(super) const REDACTED_THINKING: &str = "anthropic.redacted_thinking";

/// The state of a stream.
#[derive(Debug, Default)]
pub(super) struct Messages {
    /// The blocks by their `index`.
    blocks: HashMap<Option<u64>, Block>,
    /// The counts so far: later ones replace earlier ones.
    usage: Object,
    reason: String,
}

#[derive(Debug)]
enum Block {
    Text,
    /// The pieces of its signature.
    Thinking(String),
    /// The number of the call.
    Call(usize),
    /// A block of another kind, such as what the provider's own tools do.
    Other,
}

impl Messages {
    pub fn push(&mut self, chunk: &Value, output: &mut Output) -> Result<(), Error> {
        let index = chunk.get("index").and_then(Value::as_u64);
        match text(chunk, "type").unwrap_or_default() {
            "message_start" => {
                let Some(message) = member(chunk, "message") else { return Ok(()) };
                output.model = text(message, "model").map(str::to_owned);
                self.count(message, output);
            }
            "content_block_start" => {
                let Some(block) = member(chunk, "content_block") else { return Ok(()) };
                self.blocks.insert(index, begin(block, output)?);
            }
            "content_block_delta" => {
                if let (Some(delta), Some(block)) = (member(chunk, "delta"), self.blocks.get_mut(&index)) {
                    append(delta, block, output)?;
                }
            }
            "content_block_stop" => {
                if let Some(block) = self.blocks.get(&index) {
                    end(block, output);
                }
            }
            "message_delta" => {
                if let Some(reason) = member(chunk, "delta").and_then(|delta| text(delta, "stop_reason")) {
                    reason.clone_into(&mut self.reason);
                }
                self.count(chunk, output);
            }
            "message_stop" => {
                output.is_refusal |= self.reason == "refusal";
                output.complete(match self.reason.as_str() {
                    "end_turn" | "stop_sequence" => "stop",
                    "tool_use" => "tool_calls",
                    "max_tokens" | "model_context_window_exceeded" => "length",
                    "refusal" => "content_filter",
                    other => other,
                });
            }
            _ => {}
        }
        Ok(())
    }

    fn count(&mut self, holder: &Value, output: &mut Output) {
        let counts = member(holder, "usage").and_then(Value::as_object).into_iter().flatten();
        for (name, count) in counts.filter(|(_, count)| !count.is_null()) {
            self.usage.insert(name, count.clone());
        }
        output.usage = TokenUsage::from_anthropic(&self.usage.clone().into());
    }
}

fn begin(block: &Value, output: &mut Output) -> Result<Block, Error> {
    Ok(match text(block, "type").unwrap_or_default() {
        "text" => {
            output.text(written(block, "text")?);
            Block::Text
        }
        "thinking" => {
            output.start_reasoning(None);
            output.reasoning(written(block, "thinking")?);
            Block::Thinking(written(block, "signature")?.to_owned())
        }
        "redacted_thinking" => {
            output.start_reasoning(None);
            output.encrypted_value(written(block, "data")?, REDACTED_THINKING);
            output.end_message();
            Block::Other
        }
        "tool_use" => {
            let id = text(block, "id").unwrap_or_default();
            let number = output.start_call(id, written(block, "name")?);
            if let Some(input) = member(block, "input")
                .filter(|input| input.as_object().is_some_and(|input| !input.is_empty()))
            {
                output.arguments(number, &to_json(input));
            }
            Block::Call(number)
        }
        _ => {
            output.end_message();
            Block::Other
        }
    })
}

fn append(delta: &Value, block: &mut Block, output: &mut Output) -> Result<(), Error> {
    let piece = |key| written(delta, key);
    match block {
        Block::Text => output.text(piece("text")?),
        Block::Thinking(signature) => {
            output.reasoning(piece("thinking")?);
            signature.push_str(piece("signature")?);
        }
        Block::Call(number) => output.arguments(*number, piece("partial_json")?),
        Block::Other => {}
    }
    Ok(())
}

/// Ends a block. The texts of adjacent blocks are one message: citations split them.
fn end(block: &Block, output: &mut Output) {
    match block {
        Block::Thinking(signature) => {
            if !signature.is_empty() {
                output.encrypted_value(signature, THINKING);
            }
            output.end_message();
        }
        Block::Call(number) => output.end_call(*number),
        Block::Text | Block::Other => {}
    }
}
