//! The stream of a chat completion, of OpenAI and of servers that speak like it.

use super::chunk::{items, member, text, unsupported, written};
use super::output::Output;
use crate::collections::HashMap;
use crate::error::Error;
use crate::json::Value;
use crate::types::TokenUsage;

/// The state of a stream of `chat.completion.chunk`.
#[derive(Debug, Default)]
pub(super) struct Chat {
    calls: Vec<Call>,
    /// The place of the last call of an index and an id. `None` stands for any index, empty text for any id.
    places: HashMap<(Option<u64>, String), usize>,
}

/// A call whose pieces arrive. Servers number calls by `index`; some leave it out, or number every call 0, and send whole calls.
#[derive(Debug)]
struct Call {
    id: String,
    /// The number of the call in the output; it starts when its name has arrived.
    number: Option<usize>,
    /// The arguments that have arrived before the name.
    waiting: String,
}

impl Chat {
    pub fn push(&mut self, chunk: &Value, output: &mut Output) -> Result<(), Error> {
        if let Some(model) = text(chunk, "model") {
            output.model = Some(model.to_owned());
        }
        if let Some(usage) = member(chunk, "usage").and_then(TokenUsage::from_openai) {
            output.usage = Some(usage);
        }
        // Only one of several choices can be the reply.
        let is_other =
            |choice: &Value| choice.get("index").and_then(Value::as_u64).is_some_and(|index| index > 0);
        if items(chunk, "choices").iter().any(is_other) {
            return Err(unsupported("a second choice", "/choices")
                .advise("ask for one choice: leave `n` out of the request"));
        }
        let Some(choice) = items(chunk, "choices").first() else { return Ok(()) };
        if let Some(delta) = member(choice, "delta") {
            self.delta(delta, output)?;
        }
        if let Some(reason) = text(choice, "finish_reason") {
            output.complete(reason);
        }
        Ok(())
    }

    fn delta(&mut self, delta: &Value, output: &mut Output) -> Result<(), Error> {
        // DeepSeek and vLLM call it `reasoning_content`, OpenRouter and Ollama `reasoning`.
        let reasoning = written(delta, "reasoning_content")?;
        output.reasoning(if reasoning.is_empty() { written(delta, "reasoning")? } else { reasoning });
        output.text(written(delta, "content")?);
        output.refusal(written(delta, "refusal")?);
        if let Some(audio) = member(delta, "audio") {
            output.text(written(audio, "transcript")?);
        }
        if member(delta, "function_call").is_some() {
            let advice = "ask by `tools` instead of `functions`";
            return Err(unsupported("function_call", "/choices/0/delta").advise(advice));
        }
        items(delta, "tool_calls").iter().try_for_each(|piece| self.call(piece, output))
    }

    fn call(&mut self, piece: &Value, output: &mut Output) -> Result<(), Error> {
        let index = piece.get("index").and_then(Value::as_u64);
        let id = text(piece, "id").unwrap_or_default();
        if let Some(kind) = text(piece, "type").filter(|kind| *kind != "function") {
            return Err(unsupported(kind, "/choices/0/delta/tool_calls"));
        }
        let place = self.place(index, id);
        let call = &mut self.calls[place];
        let Some(function) = member(piece, "function") else { return Ok(()) };
        let arguments = written(function, "arguments")?;
        let Some(number) = call.number else {
            call.waiting.push_str(arguments);
            let name = written(function, "name")?;
            if name.is_empty() {
                return Ok(());
            }
            let number = output.start_call(&call.id, name);
            output.arguments(number, &std::mem::take(&mut call.waiting));
            call.number = Some(number);
            return Ok(());
        };
        output.arguments(number, arguments);
        Ok(())
    }

    /// The place of the call that a piece continues or begins. An id may arrive after the index.
    fn place(&mut self, index: Option<u64>, id: &str) -> usize {
        if let Some(&place) = self.places.get(&(index, id.to_owned())) {
            return place;
        }
        let unnamed = self.places.get(&(index, String::new())).copied();
        let unnamed = unnamed.filter(|place| self.calls[*place].id.is_empty());
        let place = unnamed.unwrap_or(self.calls.len());
        if unnamed.is_none() {
            self.calls.push(Call { id: String::new(), number: None, waiting: String::new() });
        }
        id.clone_into(&mut self.calls[place].id);
        for key in [(index, id), (index, ""), (None, id), (None, "")] {
            self.places.insert((key.0, key.1.to_owned()), place);
        }
        place
    }
}
