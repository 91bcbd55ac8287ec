//! The rules of a client. Texts and bytes cross the border.

pub mod delivery;
pub mod request;
pub mod resumable;
pub mod runs;
pub mod thread;

use std::time::Duration;

use ag_ui_native::bindings::Rules;
use ag_ui_native::bindings::client::{self, Address, Payload, ResponseHead, Timeout, ToolCallFilter};
use ag_ui_native::bindings::decode::{DeclaredType, DocumentReader};
use ag_ui_native::bindings::decoder::Warning;
use ag_ui_native::bindings::json::{Input, ParseOptions, Tape};
use ag_ui_native::bindings::validate::TypedBuild;
use ag_ui_native::types::{Interrupt, ResumeEntry, RunAgentInput};
use ag_ui_native::{Code, Error, Issue, Limits, Object, ProtocolVersion, Value};

use crate::error;
use crate::events::json_of;
use crate::options::{ReaderOptions, version};

/// Prepares an input to be sent. Returns `{"warnings": ...}` and, on a line of its own, the body.
pub fn prepare(
    members: &str,
    pending: &str,
    peer: Option<&str>,
    options: &str,
    now: i64,
) -> Result<String, Error> {
    prepare_with(members, peer, options, |input, _, peer| {
        client::prepare_checked(input, &read::<Vec<Interrupt>>(pending)?, peer, now)
    })
}

/// Prepares an input with a function that returns the warnings.
pub fn prepare_with(
    members: &str,
    peer: Option<&str>,
    options: &str,
    make: impl FnOnce(&mut RunAgentInput, Limits, Option<ProtocolVersion>) -> Result<Vec<Issue>, Error>,
) -> Result<String, Error> {
    let limits = ReaderOptions::parse(options)?.limits;
    let mut input = client::read_members(members, limits)?;
    let issues = make(&mut input, limits, peer.map(version).transpose()?)?;
    let warnings: Vec<Warning> = issues.into_iter().map(|issue| Warning { event_index: 0, issue }).collect();
    Ok(format!("{{\"warnings\":{}}}\n{}", error::warnings(&warnings), json_of(&input)))
}

/// Returns the answers in the order of the pending interrupts, as JSON text.
pub fn build_resume(pending: &str, answers: &str, now: i64) -> Result<String, Error> {
    let pending: Vec<Interrupt> = read(pending)?;
    let answers: Vec<ResumeEntry> = read_by(Rules::sending(), answers)?;
    let built = client::build_resume(&pending, answers, now)?;
    let entries: Vec<String> = built.iter().map(json_of).collect();
    Ok(format!("[{}]", entries.join(",")))
}

/// Checks that a header can be sent. Returns true if the client sets it itself.
pub fn check_header(name: &str, value: &str) -> Result<bool, Error> {
    client::check_header(name, value).map(|()| client::is_reserved(name))
}

/// Returns the request to an address as JSON text: `{"url", "authorization"}`. `before` is the authorization of the address that redirected to it.
pub fn address_of(url: &str, before: Option<String>, same_origin: bool) -> String {
    let before = Address { url: String::new(), authorization: before };
    let address = before.redirected(url, same_origin);
    let authorization = address.authorization.map_or(Value::Null, Into::into);
    format!(
        "{{\"url\":{},\"authorization\":{}}}",
        error::text(&address.url.into()),
        error::text(&authorization)
    )
}

/// Describes the error of a server that closes a socket before its first message.
pub fn close_failure(code: u32, reason: &str) -> Option<String> {
    client::close_failure(short(code), reason).map(|failure| error::describe(&failure))
}

/// Converts a status; one that is out of range becomes an invalid one.
fn short(status: u32) -> u16 {
    u16::try_from(status).unwrap_or(u16::MAX)
}

/// Makes the filter that keeps the calls of these tools, or removes them. `names` is a list as JSON text.
pub fn tool_filter(names: &str, allows: bool) -> ToolCallFilter {
    let mut tape = Tape::default();
    let parsed =
        tape.parse(names, ParseOptions { depth: 2, replace_invalid_text: true }).map(Input::to_value);
    let names = if let Ok(Value::Array(names)) = parsed { names } else { Vec::new() };
    let names = names.iter().filter_map(Value::as_str);
    if allows { ToolCallFilter::allow(names) } else { ToolCallFilter::deny(names) }
}

/// Describes the failure of an answer without events: `{"error": ..., "payload": ...}`.
pub fn response_failure(status: u32, content_type: Option<&str>, body: &[u8]) -> String {
    let head = ResponseHead { status: short(status), content_type };
    let (failure, payload) = head.failure(body);
    format!("{{\"error\":{},\"payload\":{}}}", error::describe(&failure), error::text(&payload_of(payload)))
}

/// Returns the body of a server's answer as a value.
pub fn payload_of(payload: Payload) -> Value {
    match payload {
        Payload::Json(value) => value,
        Payload::Text(text) => text.into(),
    }
}

/// Describes an error of a client. `limit` names the timeout or setting that was exceeded.
pub fn describe(code: &str, detail: &str, limit: Option<&str>) -> String {
    let timeout = limit.and_then(timeout_named);
    let failure = match (code_named(code), timeout) {
        // The duration of the wait in milliseconds, if it is known.
        (Code::TimedOut, Some(timeout)) => {
            match detail.parse().map(|waited: f64| Duration::try_from_secs_f64(waited / 1000.0)) {
                Ok(Ok(limit)) => timeout.error_after(limit),
                _ => timeout.error(),
            }
        }
        (Code::TooManyRuns, _) => Error { limit: Some("max_runs"), ..Error::new(Code::TooManyRuns, detail) },
        (code, _) => Error::new(code, detail),
    };
    error::describe(&failure)
}

/// Describes the error of an outcome.
pub fn describe_outcome(outcome: &str, agent_code: Option<&str>) -> Option<String> {
    client::outcome_error(outcome, agent_code).map(|error| error::describe(&error))
}

/// Converts a message of a socket to a frame of a stream.
pub fn frame_message(
    message: &[u8],
    is_binary: bool,
    is_first_binary: bool,
    options: &str,
) -> Result<Vec<u8>, Error> {
    client::frame_message(message, is_binary, is_first_binary, &ReaderOptions::parse(options)?.limits)
}

/// The message that answers a tool's call, as JSON text.
pub fn answer_tool(tool_call_id: &str, answer: String, failed: bool, options: &str) -> Result<String, Error> {
    let limits = ReaderOptions::parse(options)?.limits;
    Ok(json_of(&client::answer_tool(tool_call_id, if failed { Err(answer) } else { Ok(answer) }, &limits)))
}

pub fn read<T: DeclaredType>(json: &str) -> Result<T, Error> {
    read_by(Rules::default(), json)
}

fn read_by<T: DeclaredType>(rules: Rules, json: &str) -> Result<T, Error> {
    let mut reader = DocumentReader::default();
    reader.rules = rules;
    let decoded = reader.value(json, T::DECLARED_KIND, &mut TypedBuild)?;
    Ok(T::from_validated(decoded.value))
}

pub fn code_named(name: &str) -> Code {
    Code::ALL.iter().copied().find(|code| code.as_str() == name).unwrap_or(Code::Internal)
}

pub fn timeout_named(name: &str) -> Option<Timeout> {
    Timeout::ALL.iter().copied().find(|timeout| error::camel_case(timeout.as_str()) == name)
}

/// Members of an object that JavaScript has written.
pub struct Members(Object);

/// Reads the members of JSON text.
pub fn object(json: &str) -> Members {
    let mut tape = Tape::default();
    let parsed = tape.parse(json, ParseOptions { depth: 4, replace_invalid_text: true }).map(Input::to_value);
    Members(if let Ok(Value::Object(object)) = parsed { object } else { Object::default() })
}

impl Members {
    /// A string.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.as_str()
    }

    /// A list of strings.
    pub fn texts(&self, name: &str) -> Vec<&str> {
        let Some(Value::Array(list)) = self.0.get(name) else { return Vec::new() };
        list.iter().filter_map(Value::as_str).collect()
    }

    /// A number.
    pub fn number(&self, name: &str) -> Option<f64> {
        if let Value::Number(number) = self.0.get(name)? { Some(number.as_f64()) } else { None }
    }

    /// True if it is `true`.
    pub fn flag(&self, name: &str) -> bool {
        self.0.get(name) == Some(&Value::Bool(true))
    }

    /// An object.
    pub fn object(&self, name: &str) -> Option<Self> {
        self.0.get(name)?.as_object().cloned().map(Self)
    }

    /// A number of milliseconds; one that is out of range means no limit.
    pub fn time(&self, name: &str) -> Option<Duration> {
        self.number(name).map(duration)
    }

    /// The milliseconds of a clock. They may be negative, if the clock was set back.
    pub fn clock_time(&self, name: &str) -> Duration {
        duration(self.number(name).unwrap_or_default().max(0.0))
    }

    /// Converts a status; one that is out of range becomes an invalid one.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // It saturates.
    pub fn status(&self) -> Option<u16> {
        self.number("status").map(|status| status as u16)
    }
}

fn duration(milliseconds: f64) -> Duration {
    Duration::try_from_secs_f64(milliseconds / 1000.0).unwrap_or(Duration::MAX)
}
