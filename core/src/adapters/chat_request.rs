//! The messages and tools of a request for a chat completion.

use super::conversation::{Answered, Turn, turns};
use super::media::{Source, content, filename};
use super::request::{message, schema, typed};
use crate::client::bindings::arguments_json;
use crate::error::Error;
use crate::json::{Object, Value};
use crate::types::{ContentPart, Message, Tool};

/// The conversation as `messages`. Chat completions take no reasoning back.
pub(super) fn messages(messages: &[Message]) -> Result<Value, Error> {
    let mut made = Vec::new();
    for turn in turns(messages) {
        match turn {
            Turn::Instructions { role, text } => made.push(message(role, text)),
            Turn::User(given, place) => made.push(message("user", content(given, place, part)?)),
            Turn::Reasoning(_) => {}
            Turn::Assistant { text, calls } => {
                let mut said = message("assistant", (!text.is_empty()).then_some(text));
                if !calls.is_empty() {
                    add(&mut said, "tool_calls", calls.iter().map(call).collect());
                }
                made.push(said);
                for Answered { call, result, place } in calls {
                    let mut answer = message("tool", content(&result.content, place, text_part)?);
                    add(&mut answer, "tool_call_id", call.id.as_str().into());
                    made.push(answer);
                }
            }
        }
    }
    Ok(made.into())
}

/// A tool as an item of `tools`.
pub(super) fn tool(tool: &Tool) -> Value {
    let function = Object::from([
        ("name", Value::from(tool.name.as_str())),
        ("description", tool.description.as_str().into()),
        ("parameters", schema(tool)),
    ]);
    typed("function", [("function", function.into())])
}

fn add(message: &mut Value, name: &str, member: Value) {
    if let Some(members) = message.as_object_mut() {
        members.insert(name, member);
    }
}

fn call(Answered { call, .. }: &Answered<'_>) -> Value {
    let arguments = arguments_json(&call.function.arguments);
    let function = Object::from([("name", call.function.name.as_str()), ("arguments", arguments)]);
    typed("function", [("id", call.id.as_str().into()), ("function", function.into())])
}

fn text_part(part: &ContentPart) -> Option<Value> {
    let ContentPart::Text(part) = part else { return None };
    Some(typed("text", [("text", part.text.as_str().into())]))
}

fn part(part: &ContentPart) -> Option<Value> {
    let source = |source| Source::of(source, "openai");
    match part {
        ContentPart::Image(part) => {
            let image = Object::from([("url", source(&part.source)?.url()?)]);
            Some(typed("image_url", [("image_url", image.into())]))
        }
        ContentPart::Audio(part) => {
            let Source::Data { mime_type, base64 } = source(&part.source)? else { return None };
            let format = match mime_type {
                "audio/wav" | "audio/x-wav" | "audio/wave" => "wav",
                "audio/mpeg" | "audio/mp3" => "mp3",
                _ => return None,
            };
            let audio = Object::from([("data", base64), ("format", format)]);
            Some(typed("input_audio", [("input_audio", audio.into())]))
        }
        ContentPart::Document(part) => {
            let file = match source(&part.source)? {
                Source::File(id) => Object::from([("file_id", id.to_owned())]),
                Source::Url(_) => return None,
                data @ Source::Data { mime_type, .. } => {
                    let name = filename(part.metadata.as_ref(), mime_type);
                    Object::from([("filename", name), ("file_data", data.url()?)])
                }
            };
            Some(typed("file", [("file", file.into())]))
        }
        text => text_part(text),
    }
}
