//! Requests for a run: what is answered with a stream, and what is refused before one begins.

use super::frames::Transport;
use crate::Issue;
use crate::error::{Code, Error};
use crate::json::{NumberStyle, Object, Value, Writer};
use crate::limits::Limits;
use crate::profile::Profile;
use crate::protobuf::accepts;
use crate::run_input::read_run_input;
use crate::types::RunAgentInput;

/// The head of a request, as far as it matters.
#[derive(Clone, Copy, Debug, Default)]
pub struct Request<'r> {
    /// Its method.
    pub method: &'r str,
    /// The header `Content-Type`.
    pub content_type: Option<&'r str>,
    /// The header `Accept`; several are joined with commas.
    pub accept: Option<&'r str>,
    /// The header `Content-Length`.
    pub content_length: Option<&'r str>,
}

impl Request<'_> {
    /// How to answer. Protobuf is spoken to those who ask for it by its name; with `wildcards`, also to those who take anything. All
    /// others get text, whatever they accept.
    ///
    /// # Errors
    /// What can be refused before the body is read.
    pub fn transport(&self, wildcards: bool, limits: &Limits) -> Result<Transport, Refusal> {
        if !self.method.eq_ignore_ascii_case("POST") {
            return Err(Error::new(Code::MethodNotAllowed, "").into());
        }
        let is_binary = accepts(self.accept.unwrap_or_default(), wildcards);
        let transport = if is_binary { Transport::Binary } else { Transport::Text };
        if !is_json(self.content_type.unwrap_or_default()) {
            return Err(Error::new(Code::UnsupportedMediaType, "").into());
        }
        let length = self.content_length.and_then(|length| length.trim().parse().ok()).unwrap_or(0);
        Self::check_length(length, limits)?;
        Ok(transport)
    }

    /// Reads the body as [`read_run_input`] does, by the profile `tolerant`.
    ///
    /// # Errors
    /// What is no input, and what is longer than the limit `input_bytes` or has more values than `input_values`.
    pub fn read_input(body: &[u8], limits: &Limits) -> Result<(RunAgentInput, Vec<Issue>), Refusal> {
        Self::check_length(body.len(), limits)?;
        Ok(read_run_input(body, Profile::Tolerant, *limits)?)
    }

    /// Whether so many bytes of a body may come, under the limit `input_bytes`: to be asked while they arrive.
    pub fn check_length(length: usize, limits: &Limits) -> Result<(), Refusal> {
        if length > limits.input_bytes {
            return Err(Error::limit("input_bytes", limits.input_bytes).into());
        }
        Ok(())
    }
}

/// Browsers ask before they send JSON across origins; what is not called JSON they send without.
fn is_json(content_type: &str) -> bool {
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    let subtype = essence.split_once('/').map_or("", |(_, subtype)| subtype);
    essence.eq_ignore_ascii_case("application/json") || subtype.to_ascii_lowercase().ends_with("+json")
}

/// Why a request is refused, and with which answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal(pub Error);

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self(error)
    }
}

impl Refusal {
    /// The status of the answer.
    pub fn status(&self) -> u16 {
        match self.0.code() {
            Code::OriginRefused => 403,
            Code::MethodNotAllowed => 405,
            Code::RequestTimeout => 408,
            Code::LimitExceeded if matches!(self.0.limit, Some("input_bytes" | "input_values")) => 413,
            Code::UnsupportedMediaType => 415,
            Code::SequenceBroken => 422,
            Code::Internal | Code::AgentFailed => 500,
            _ => 400,
        }
    }

    /// The header `Allow`, which belongs to one status.
    pub fn allow(&self) -> Option<&'static str> {
        (self.0.code() == Code::MethodNotAllowed).then_some("POST")
    }

    /// The body of the answer, which is JSON: `code`, `message`, `path`, and all `issues` with theirs.
    pub fn body(&self) -> String {
        let issue = |issue: &Issue| {
            let members = [
                ("code", issue.code.as_str().to_owned()),
                ("path", issue.path.clone()),
                ("message", issue.message()),
            ];
            Object::from_iter(members)
        };
        let mut body = Object::from_iter([("code", self.0.code().as_str())]);
        body.insert("message", self.0.issues.first().map(Issue::message).unwrap_or_default());
        body.insert("path", self.0.path());
        if let Some(rule) = self.0.rule() {
            body.insert("rule", rule.as_str());
        }
        if let Some(limit) = self.0.limit {
            body.insert("limit", limit);
        }
        body.insert("issues", self.0.issues.iter().map(issue).collect::<Vec<_>>());
        let mut writer = Writer::new(NumberStyle::default());
        writer.value(&Value::from(body));
        writer.out
    }
}
