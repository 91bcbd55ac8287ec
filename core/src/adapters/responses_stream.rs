//! The stream of a response of OpenAI.

use super::chunk::{failure, member, text, unsupported, written};
use super::output::Output;
use super::provider_tools::{ProviderCall, sent_back};
use crate::collections::HashMap;
use crate::error::Error;
use crate::json::Value;
use crate::types::TokenUsage;

/// The kinds of encrypted values.
pub(super) const REASONING: &str = "openai.reasoning";
pub(super) const ITEMS: &str = "openai.items";

/// The state of a stream.
#[derive(Debug, Default)]
pub(super) struct Responses {
    /// The numbers of calls by the `output_index` of their items.
    calls: HashMap<Option<u64>, usize>,
    /// The `summary_index` of the last piece of reasoning.
    summary: Option<u64>,
}

impl Responses {
    pub fn push(&mut self, chunk: &Value, output: &mut Output) -> Result<(), Error> {
        let index = chunk.get("output_index").and_then(Value::as_u64);
        let delta = || written(chunk, "delta");
        let nothing = Value::Null;
        let item = member(chunk, "item").unwrap_or(&nothing);
        let response = member(chunk, "response").unwrap_or(&nothing);
        if let Some(model) = text(response, "model") {
            output.model = Some(model.to_owned());
        }
        if let Some(usage) = member(response, "usage").and_then(TokenUsage::from_openai) {
            output.usage = Some(usage);
        }
        match text(chunk, "type").unwrap_or_default() {
            "response.output_item.added" => self.begin(item, index, output)?,
            "response.output_text.delta" | "response.audio.transcript.delta" => output.text(delta()?),
            "response.refusal.delta" => output.refusal(delta()?),
            "response.reasoning_summary_text.delta" | "response.reasoning_text.delta" => {
                self.reasoning(chunk, delta()?, output);
            }
            "response.function_call_arguments.delta" | "response.mcp_call_arguments.delta" => {
                if let Some(&number) = self.calls.get(&index) {
                    output.arguments(number, delta()?);
                }
            }
            "response.output_item.done" => self.end(item, index, output)?,
            "response.completed" => output.complete("stop"),
            "response.incomplete" => {
                let details = member(response, "incomplete_details");
                let reason = details.and_then(|details| text(details, "reason")).unwrap_or("length");
                output.complete(if reason == "max_output_tokens" { "length" } else { reason });
            }
            "response.failed" => return Err(failure(response.get("error").unwrap_or(&nothing))),
            "error" => return Err(failure(chunk)),
            _ => {}
        }
        Ok(())
    }

    fn begin(&mut self, item: &Value, index: Option<u64>, output: &mut Output) -> Result<(), Error> {
        output.end_message();
        self.summary = None;
        if text(item, "type") == Some("function_call") {
            let id = text(item, "call_id").unwrap_or_default();
            let number = output.start_call(id, written(item, "name")?);
            self.calls.insert(index, number);
        } else if let Some(call) = ProviderCall::of_item(item) {
            let number = output.start_provider_call(text(item, "id").unwrap_or_default(), call.name);
            self.calls.insert(index, number);
        } else if let Some(kind) = text(item, "type").filter(|kind| waits(kind)) {
            return Err(unsupported(kind, "/item"));
        }
        Ok(())
    }

    /// Appends to the reasoning. The parts of a summary are paragraphs.
    fn reasoning(&mut self, chunk: &Value, delta: &str, output: &mut Output) {
        if !output.is_reasoning() {
            output.start_reasoning(text(chunk, "item_id"));
        }
        let summary = chunk.get("summary_index").and_then(Value::as_u64);
        if self.summary.is_some_and(|last| summary.is_some_and(|summary| summary != last)) {
            output.reasoning("\n\n");
        }
        self.summary = summary.or(self.summary);
        output.reasoning(delta);
    }

    fn end(&mut self, item: &Value, index: Option<u64>, output: &mut Output) -> Result<(), Error> {
        match text(item, "type").unwrap_or_default() {
            "reasoning" => {
                let encrypted = written(item, "encrypted_content")?;
                if !encrypted.is_empty() {
                    if !output.is_reasoning() {
                        output.start_reasoning(text(item, "id"));
                    }
                    output.encrypted_value(encrypted, REASONING);
                }
            }
            "function_call" => {
                let Some(&number) = self.calls.get(&index) else { return Ok(()) };
                if output.arguments_of(number).is_empty() {
                    output.arguments(number, written(item, "arguments")?);
                }
                output.end_call(number);
            }
            _ => {
                if let (Some(&number), Some(call)) = (self.calls.get(&index), ProviderCall::of_item(item)) {
                    if output.arguments_of(number).is_empty() {
                        output.arguments(number, &call.arguments);
                    }
                    output.provider_result(number, &call.result, &sent_back(&[item]), ITEMS);
                }
            }
        }
        output.end_message();
        Ok(())
    }
}

/// True for an item that somebody has to answer, or whose result would be lost.
fn waits(kind: &str) -> bool {
    kind.ends_with("_call") || kind.ends_with("_request")
}
