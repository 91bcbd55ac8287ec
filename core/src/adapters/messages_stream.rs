//! The stream of a message of Anthropic.

use super::chunk::{member, text, written};
use super::output::Output;
use super::provider_tools::{is_call_block, is_result_block, readable, sent_back};
use crate::client::bindings::read_arguments;
use crate::collections::HashMap;
use crate::encode::to_json;
use crate::error::Error;
use crate::json::{Object, Value};
use crate::limits::Limits;
use crate::types::TokenUsage;

/// The kinds of encrypted values, by the blocks that hold them.
pub(super) const THINKING: &str = "anthropic.thinking";
pub(super) const REDACTED_THINKING: &str = "anthropic.redacted_thinking";
pub(super) const BLOCKS: &str = "anthropic.blocks";

/// The state of a stream.
#[derive(Debug, Default)]
pub(super) struct Messages {
    /// The blocks by their `index`.
    blocks: HashMap<Option<u64>, Block>,
    /// The calls of tools that the provider runs, by their ids: the number, and the block.
    provider_calls: HashMap<String, (usize, Value)>,
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
    /// A block of another kind, or one that is whole.
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
                let begun = match text(block, "type").unwrap_or_default() {
                    kind if is_call_block(kind) => self.provider_call(block, output)?,
                    kind if is_result_block(kind) => self.provider_result(block, output),
                    _ => begin(block, output)?,
                };
                self.blocks.insert(index, begun);
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

    fn provider_call(&mut self, block: &Value, output: &mut Output) -> Result<Block, Error> {
        let id = text(block, "id").unwrap_or_default();
        let number = output.start_provider_call(id, written(block, "name")?);
        write_input(block, number, output);
        self.provider_calls.insert(id.to_owned(), (number, block.clone()));
        Ok(Block::Call(number))
    }

    /// A result without a call is left out: the provider does not take it back either.
    fn provider_result(&mut self, block: &Value, output: &mut Output) -> Block {
        let id = text(block, "tool_use_id").unwrap_or_default();
        if let Some((number, mut call)) = self.provider_calls.remove(id) {
            let input = read_arguments(output.arguments_of(number), Limits::default());
            if let (Some(call), Ok(input)) = (call.as_object_mut(), input) {
                call.insert("input", input);
            }
            let content = readable(block.get("content").unwrap_or(&Value::Null));
            output.provider_result(number, &content, &sent_back(&[&call, block]), BLOCKS);
        }
        Block::Other
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
            write_input(block, number, output);
            Block::Call(number)
        }
        _ => {
            output.end_message();
            Block::Other
        }
    })
}

/// Writes the arguments that the start of a call has already.
fn write_input(block: &Value, number: usize, output: &mut Output) {
    let has_members = |input: &&Value| input.as_object().is_some_and(|input| !input.is_empty());
    if let Some(input) = member(block, "input").filter(has_members) {
        output.arguments(number, &to_json(input));
    }
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
