//! The members of a request for a message of Anthropic.

use super::conversation::{Answered, Turn, turns};
use super::media::{Source, parts};
use super::messages_stream::{BLOCKS, REDACTED_THINKING, THINKING};
use super::provider_tools::{is_call_block, is_result_block, own_form};
use super::request::{message, schema, typed};
use crate::client::bindings::read_arguments;
use crate::error::Error;
use crate::json::{Object, Value};
use crate::limits::Limits;
use crate::types::{ContentPart, Message, ReasoningMessage, Tool};

/// The conversation as `system`, if there are instructions, and `messages`, in which roles alternate.
pub(super) fn messages(messages: &[Message]) -> Result<Value, Error> {
    let mut instructions = Vec::new();
    let mut made = Vec::new();
    for turn in turns(messages) {
        match turn {
            Turn::Instructions { text, .. } => instructions.push(text),
            Turn::User(content, place) => say(&mut made, "user", parts(content, place, part)?),
            Turn::Reasoning(message) => say(&mut made, "assistant", thinking(message)),
            Turn::Assistant { text, calls } => {
                let mut said: Vec<_> = text_block(text).into_iter().collect();
                let mut results = Vec::new();
                for pair in &calls {
                    if let Some(blocks) = own(pair) {
                        said.extend(blocks);
                    } else {
                        said.push(call(pair));
                        results.push(result(pair)?);
                    }
                }
                say(&mut made, "assistant", said);
                say(&mut made, "user", results);
            }
        }
    }
    let made: Value = made.into_iter().map(|(role, content)| message(role, content)).collect();
    let system = (!instructions.is_empty()).then(|| ("system", Value::from(instructions.join("\n\n"))));
    Ok(system.into_iter().chain([("messages", made)]).collect::<Object>().into())
}

/// A tool as an item of `tools`.
pub(super) fn tool(tool: &Tool) -> Value {
    let texts = [("name", &tool.name), ("description", &tool.description)];
    let texts = texts.map(|(name, text)| (name, Value::from(text.as_str())));
    texts.into_iter().chain([("input_schema", schema(tool))]).collect::<Object>().into()
}

/// Appends blocks to the last message, if it is of the same role. Blocks without text are refused by the API, so they are left out.
fn say(
    made: &mut Vec<(&'static str, Vec<Value>)>,
    role: &'static str,
    blocks: impl IntoIterator<Item = Value>,
) {
    let is_empty = |block: &Value| block.get("text").and_then(Value::as_str) == Some("");
    let mut blocks = blocks.into_iter().filter(|block| !is_empty(block)).peekable();
    if blocks.peek().is_none() {
        return;
    }
    match made.last_mut() {
        Some((last, content)) if *last == role => content.extend(blocks),
        _ => made.push((role, blocks.collect())),
    }
}

fn text_block(text: &str) -> Option<Value> {
    (!text.is_empty()).then(|| typed("text", [("text", text.into())]))
}

/// The block of reasoning that is Anthropic's own.
fn thinking(message: &ReasoningMessage) -> Option<Value> {
    let encrypted = message.encrypted_value.as_deref()?;
    match message.encrypted_value_type.as_deref()? {
        THINKING => {
            let members = [("thinking", message.content.as_str().into()), ("signature", encrypted.into())];
            Some(typed("thinking", members))
        }
        REDACTED_THINKING => Some(typed("redacted_thinking", [("data", encrypted.into())])),
        _ => None,
    }
}

/// The blocks of a tool that the provider has run.
fn own(Answered { result, .. }: &Answered<'_>) -> Option<Vec<Value>> {
    own_form(result, BLOCKS, |block| {
        block
            .get("type")
            .and_then(Value::as_str)
            .is_some_and(|kind| is_call_block(kind) || is_result_block(kind))
    })
}

fn call(Answered { call, .. }: &Answered<'_>) -> Value {
    // The API takes an object only, and the result says what was wrong with other arguments.
    let input = read_arguments(&call.function.arguments, Limits::default());
    let members = [
        ("id", call.id.as_str().into()),
        ("name", call.function.name.as_str().into()),
        ("input", input.unwrap_or_else(|_| Object::default().into())),
    ];
    typed("tool_use", members)
}

fn result(Answered { call, result, place }: &Answered<'_>) -> Result<Value, Error> {
    let content = parts(&result.content, *place, part)?;
    let mut made =
        typed("tool_result", [("tool_use_id", call.id.as_str().into()), ("content", content.into())]);
    if let (Some(made), true) = (made.as_object_mut(), result.error.is_some()) {
        made.insert("is_error", true);
    }
    Ok(made)
}

fn part(part: &ContentPart) -> Option<Value> {
    let (kind, source) = match part {
        ContentPart::Text(part) => return Some(typed("text", [("text", part.text.as_str().into())])),
        ContentPart::Image(part) => ("image", &part.source),
        ContentPart::Document(part) => ("document", &part.source),
        _ => return None,
    };
    let source = match Source::of(source, "anthropic")? {
        // Of documents the API takes only PDF by its bytes.
        Source::Data { mime_type, .. } if kind == "document" && mime_type != "application/pdf" => {
            return None;
        }
        Source::Data { mime_type, base64 } => {
            typed("base64", [("media_type", mime_type.into()), ("data", base64.into())])
        }
        Source::Url(url) => typed("url", [("url", url.into())]),
        Source::File(id) => typed("file", [("file_id", id.into())]),
    };
    Some(typed(kind, [("source", source)]))
}
