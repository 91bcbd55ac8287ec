//! Token usage: converts reports of vendors to the protocol's form, and sums entries.

use crate::error::{Code, Error};
use crate::json::{MAX_SAFE_INTEGER, Value};
use crate::types::TokenUsage;

/// The places of one count in a vendor's object. The first place with a usable number counts.
type Places = &'static [&'static [&'static str]];

/// The counts of [`TokenUsage`], in its order.
const COUNTS: usize = 6;

/// `usage_metadata` as LangChain and LangGraph attach it to messages.
const LANGCHAIN: [Places; COUNTS] = [
    &[&["input_tokens"]],
    &[&["output_tokens"]],
    &[&["total_tokens"]],
    &[&["output_token_details", "reasoning"]],
    &[&["input_token_details", "cache_read"]],
    &[&["input_token_details", "cache_creation"]],
];

/// `usage` as the Vercel AI SDK reports it.
const AI_SDK: [Places; COUNTS] = [
    &[&["inputTokens"]],
    &[&["outputTokens"]],
    &[&["totalTokens"]],
    &[&["reasoningTokens"], &["outputTokenDetails", "reasoningTokens"]],
    &[&["cachedInputTokens"], &["inputTokenDetails", "cacheReadTokens"]],
    &[&["inputTokenDetails", "cacheWriteTokens"]],
];

/// `usage` of OpenAI's chat completions and responses, and of servers that speak like it.
const OPENAI: [Places; COUNTS] = [
    &[&["prompt_tokens"], &["input_tokens"]],
    &[&["completion_tokens"], &["output_tokens"]],
    &[&["total_tokens"]],
    &[&["completion_tokens_details", "reasoning_tokens"], &["output_tokens_details", "reasoning_tokens"]],
    &[
        &["prompt_tokens_details", "cached_tokens"],
        &["input_tokens_details", "cached_tokens"],
        &["prompt_cache_hit_tokens"], // DeepSeek
    ],
    &[&["prompt_tokens_details", "cache_write_tokens"], &["input_tokens_details", "cache_write_tokens"]],
];

/// `usage` of Anthropic. Its `input_tokens` do not contain those of the cache.
const ANTHROPIC: [Places; COUNTS] = [
    &[&["input_tokens"]],
    &[&["output_tokens"]],
    &[],
    &[&["output_tokens_details", "thinking_tokens"]],
    &[&["cache_read_input_tokens"]],
    &[&["cache_creation_input_tokens"]],
];

impl TokenUsage {
    /// Makes an entry from LangChain's `usage_metadata`; `None` if it holds no usable count.
    pub fn from_langchain(metadata: &Value, provider: Option<&str>, model: Option<&str>) -> Option<Self> {
        from_vendor(metadata, &LANGCHAIN, provider, model)
    }

    /// Makes an entry from the AI SDK's `usage`; `None` if it holds no usable count.
    pub fn from_ai_sdk(usage: &Value, provider: Option<&str>, model: Option<&str>) -> Option<Self> {
        from_vendor(usage, &AI_SDK, provider, model)
    }

    /// Makes an entry from OpenAI's `usage`; `None` if it holds no usable count.
    pub(crate) fn from_openai(usage: &Value) -> Option<Self> {
        from_vendor(usage, &OPENAI, None, None)
    }

    /// Makes an entry from Anthropic's `usage`; `None` if it holds no usable count.
    pub(crate) fn from_anthropic(usage: &Value) -> Option<Self> {
        let mut entry = from_vendor(usage, &ANTHROPIC, None, None)?;
        let cached = entry.cached_input_tokens.unwrap_or(0) + entry.cache_write_input_tokens.unwrap_or(0);
        entry.input_tokens = entry.input_tokens.map(|tokens| tokens.saturating_add(cached));
        entry.total_tokens =
            entry.input_tokens.zip(entry.output_tokens).map(|(input, output)| input + output);
        Some(entry)
    }

    /// One entry for each pair of provider and model, in order of first appearance, with summed counts. A count
    /// that no entry reports stays absent. A sum beyond 2^53-1 is an error, since no peer could read it.
    pub fn aggregate(entries: &[Self]) -> Result<Vec<Self>, Error> {
        let mut sums: Vec<Self> = Vec::new();
        for (index, entry) in entries.iter().enumerate() {
            let same = |sum: &Self| sum.provider == entry.provider && sum.model == entry.model;
            let Some(at) = sums.iter().position(same) else {
                sums.push(entry.clone());
                continue;
            };
            let mut entry = entry.clone();
            for (sum, count) in counts_mut(&mut sums[at]).into_iter().zip(counts_mut(&mut entry)) {
                let Some(count) = *count else { continue };
                let total = sum
                    .unwrap_or(0)
                    .checked_add(count)
                    .filter(|&total| total <= MAX_SAFE_INTEGER.unsigned_abs());
                *sum = Some(total.ok_or_else(|| Error::at(Code::CountTooLarge, format!("/{index}"), ""))?);
            }
        }
        Ok(sums)
    }
}

fn from_vendor(
    report: &Value,
    places: &[Places; COUNTS],
    provider: Option<&str>,
    model: Option<&str>,
) -> Option<TokenUsage> {
    let mut entry = TokenUsage {
        provider: provider.map(str::to_owned),
        model: model.map(str::to_owned),
        ..TokenUsage::default()
    };
    let mut any = false;
    for (count, places) in counts_mut(&mut entry).into_iter().zip(places) {
        *count = places.iter().find_map(|place| usable_count(report, place));
        any |= count.is_some();
    }
    any.then_some(entry)
}

/// A whole number from 0 to 2^53-1. Vendors also report strings, fractions or nothing. Such a count is dropped,
/// so that it does not fail a run at its last event.
fn usable_count(report: &Value, place: &[&str]) -> Option<u64> {
    let value = place.iter().try_fold(report, |value, key| value.as_object()?.get(key))?;
    let Value::Number(number) = value else { return None };
    number.as_int().filter(|count| (0..=MAX_SAFE_INTEGER).contains(count)).map(i64::unsigned_abs)
}

fn counts_mut(entry: &mut TokenUsage) -> [&mut Option<u64>; COUNTS] {
    [
        &mut entry.input_tokens,
        &mut entry.output_tokens,
        &mut entry.total_tokens,
        &mut entry.reasoning_tokens,
        &mut entry.cached_input_tokens,
        &mut entry.cache_write_input_tokens,
    ]
}
