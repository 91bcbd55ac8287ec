//! Tools that a provider runs by itself, such as a web search: a call and its result. The provider's own form of both goes back to it.

use super::chunk::{member, text};
use crate::encode::to_json;
use crate::json::{Object, Value};
use crate::profile::Profile;
use crate::typed::from_json;
use crate::types::ToolMessage;

/// What an item of a response says about a tool of the provider.
#[derive(Debug)]
pub(super) struct ProviderCall<'c> {
    pub name: &'c str,
    pub arguments: String,
    pub result: String,
}

impl<'c> ProviderCall<'c> {
    /// The call of an item of OpenAI, if it is one whose result the provider adds.
    pub fn of_item(item: &'c Value) -> Option<Self> {
        let (name, arguments, result) = match text(item, "type")? {
            "web_search_call" => {
                let action = member(item, "action").cloned().unwrap_or_default();
                let sources = |name: &str| name == "sources";
                let arguments = to_json(&members(&action, |name| !sources(name)));
                let found = [members(item, |name| name == "status"), members(&action, sources)];
                (
                    "web_search",
                    arguments,
                    to_json(&Value::from(found.into_iter().flatten().collect::<Object>())),
                )
            }
            "file_search_call" => {
                ("file_search", only(item, &["queries"]), only(item, &["status", "results"]))
            }
            "code_interpreter_call" => {
                ("code_interpreter", only(item, &["code"]), only(item, &["status", "outputs"]))
            }
            "mcp_call" => {
                let failure = member(item, "error").map(|_| only(item, &["error"]));
                let output = failure.unwrap_or_else(|| readable(item.get("output").unwrap_or(&Value::Null)));
                (text(item, "name")?, text(item, "arguments").unwrap_or_default().to_owned(), output)
            }
            _ => return None,
        };
        Some(Self { name, arguments, result })
    }
}

/// True for a block of Anthropic that is the call of a tool of the provider.
pub(super) fn is_call_block(kind: &str) -> bool {
    matches!(kind, "server_tool_use" | "mcp_tool_use")
}

/// True for a block of Anthropic that is the result of such a call.
pub(super) fn is_result_block(kind: &str) -> bool {
    kind.ends_with("_tool_result")
}

/// What the provider gets back: items or blocks without the members that an SDK adds as null. APIs refuse some of those.
pub(super) fn sent_back(parts: &[&Value]) -> Value {
    parts.iter().map(|part| without_nulls(part)).collect()
}

/// The value without null members, but with those that OpenAI requires.
fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(without_nulls).collect(),
        Value::Object(members) => {
            let kept = members
                .into_iter()
                .filter(|(name, member)| !member.is_null() || matches!(*name, "code" | "outputs"));
            kept.map(|(name, member)| (name.to_owned(), without_nulls(member))).collect::<Object>().into()
        }
        other => other.clone(),
    }
}

/// A result as text that people and other models read: without what only the provider reads.
pub(super) fn readable(result: &Value) -> String {
    match without_nulls(result) {
        Value::String(text) => text,
        Value::Array(items) => to_json(&items.iter().map(shown).collect::<Value>()),
        other => to_json(&shown(&other)),
    }
}

/// The items or blocks of a result, in the provider's own form, if they are of this kind and `is_known` takes the type of each.
pub(super) fn own_form(result: &ToolMessage, kind: &str, is_known: fn(&Value) -> bool) -> Option<Vec<Value>> {
    if result.encrypted_value_type.as_deref() != Some(kind) {
        return None;
    }
    let (own, _) = from_json::<Value>(result.encrypted_value.as_deref()?, Profile::Tolerant).ok()?;
    // A client can write the value, too: it must not bring other parts into the request.
    own.as_array().filter(|items| items.iter().all(is_known)).map(<[Value]>::to_vec)
}

fn shown(value: &Value) -> Value {
    if value.as_object().is_none() {
        return value.clone();
    }
    members(value, |name| !name.starts_with("encrypted_")).into()
}

fn members(value: &Value, keeps: impl Fn(&str) -> bool) -> Object {
    let all = value.as_object().into_iter().flatten();
    let kept = all.filter(|(name, member)| keeps(name) && !member.is_null());
    kept.map(|(name, member)| (name.to_owned(), without_nulls(member))).collect()
}

fn only(item: &Value, names: &[&str]) -> String {
    to_json(&Value::from(members(item, |name| names.contains(&name))))
}
