//! The input and tools of a request for a response of OpenAI.

use super::conversation::{Answered, Turn, turns};
use super::media::{Source, content, filename};
use super::provider_tools::{ProviderCall, own_form};
use super::request::{message, schema, typed};
use super::responses_stream::{ITEMS, REASONING};
use crate::client::bindings::arguments_json;
use crate::error::Error;
use crate::json::Value;
use crate::types::{ContentPart, Message, ReasoningMessage, Tool};

/// The conversation as `input`.
pub(super) fn input(messages: &[Message]) -> Result<Value, Error> {
    let mut made = Vec::new();
    for turn in turns(messages) {
        match turn {
            Turn::Instructions { role, text } => made.push(message(role, text)),
            Turn::User(given, place) => made.push(message("user", content(given, place, part)?)),
            Turn::Reasoning(message) => made.extend(reasoning(message)),
            Turn::Assistant { text, calls } => {
                if !text.is_empty() {
                    made.push(message("assistant", text));
                }
                let mut answered = Vec::new();
                for pair in calls {
                    if let Some(items) = own(&pair) {
                        made.extend(items);
                    } else {
                        made.push(call(&pair));
                        answered.push(pair);
                    }
                }
                for Answered { call, result, place } in answered {
                    let output = content(&result.content, place, part)?;
                    let members = [("call_id", call.id.as_str().into()), ("output", output)];
                    made.push(typed("function_call_output", members));
                }
            }
        }
    }
    Ok(made.into())
}

/// A tool as an item of `tools`. Without `strict`, the API would expect schemas of a narrow form.
pub(super) fn tool(tool: &Tool) -> Value {
    let members = [
        ("name", tool.name.as_str().into()),
        ("description", tool.description.as_str().into()),
        ("parameters", schema(tool)),
        ("strict", false.into()),
    ];
    typed("function", members)
}

/// The reasoning, if it is the API's own: it is sent back in its encrypted form.
fn reasoning(message: &ReasoningMessage) -> Option<Value> {
    let encrypted = message.encrypted_value.as_deref()?;
    if message.encrypted_value_type.as_deref() != Some(REASONING) {
        return None;
    }
    let summary = Some(&message.content).filter(|text| !text.is_empty());
    let summary = summary.map(|text| typed("summary_text", [("text", text.as_str().into())]));
    let members = [
        ("id", message.id.as_str().into()),
        ("summary", summary.into_iter().collect()),
        ("encrypted_content", encrypted.into()),
    ];
    Some(typed("reasoning", members))
}

/// The items of a tool that the provider has run.
fn own(Answered { result, .. }: &Answered<'_>) -> Option<Vec<Value>> {
    own_form(result, ITEMS, |item| ProviderCall::of_item(item).is_some())
}

fn call(Answered { call, .. }: &Answered<'_>) -> Value {
    let members = [
        ("call_id", call.id.as_str().into()),
        ("name", call.function.name.as_str().into()),
        ("arguments", arguments_json(&call.function.arguments).into()),
    ];
    typed("function_call", members)
}

fn part(part: &ContentPart) -> Option<Value> {
    match part {
        ContentPart::Text(part) => Some(typed("input_text", [("text", part.text.as_str().into())])),
        ContentPart::Image(part) => {
            let source = match Source::of(&part.source, "openai")? {
                Source::File(id) => ("file_id", id.into()),
                other => ("image_url", other.url()?.into()),
            };
            Some(typed("input_image", [("detail", "auto".into()), source]))
        }
        ContentPart::Document(part) => match Source::of(&part.source, "openai")? {
            Source::File(id) => Some(typed("input_file", [("file_id", id.into())])),
            Source::Url(url) => Some(typed("input_file", [("file_url", url.into())])),
            data @ Source::Data { mime_type, .. } => {
                let name = filename(part.metadata.as_ref(), mime_type);
                Some(typed("input_file", [("filename", name.into()), ("file_data", data.url()?.into())]))
            }
        },
        _ => None,
    }
}
