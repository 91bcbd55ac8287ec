//! The refusal of a request, as an HTTP response.

use super::cors::Headers;
use crate::Issue;
use crate::error::{Code, Error};
use crate::json::{NumberStyle, Object, Value, Writer};

/// An HTTP response that is not a stream.
///
/// ```
/// use ag_ui_native::Limits;
/// use ag_ui_native::server::{PlainResponse, RequestHead};
///
/// let head = RequestHead { method: "POST", content_type: Some("text/plain"), ..RequestHead::default() };
/// let response: PlainResponse = head.accept(None, false, &Limits::default()).err().unwrap();
/// assert_eq!(response.status, 415);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlainResponse {
    /// The status.
    pub status: u16,
    /// The headers, by their names in lower case.
    pub headers: Headers,
    /// The body.
    pub body: String,
}

/// The reason why a request is refused, which determines the response.
///
/// ```
/// use ag_ui_native::Profile;
/// use ag_ui_native::server::Refusal;
/// use ag_ui_native::types::RunAgentInput;
///
/// let error = ag_ui_native::from_json::<RunAgentInput>("{}", Profile::Strict).unwrap_err();
/// let refusal = Refusal::from(error);
/// assert_eq!(refusal.status(), 400);
/// assert!(refusal.body().contains("missing_field"));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal(pub Error);

/// True if the scope of the request has as many runs or readers as it may have.
pub(super) fn is_occupied(error: &Error) -> bool {
    matches!(error.limit, Some("max_active_runs" | "max_readers"))
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self(error)
    }
}

impl Refusal {
    /// The status of the response.
    pub fn status(&self) -> u16 {
        match self.0.code() {
            Code::OriginRefused => 403,
            Code::MethodNotAllowed => 405,
            Code::RequestTimeout => 408,
            Code::LimitExceeded if matches!(self.0.limit, Some("input_bytes" | "input_values")) => 413,
            Code::LimitExceeded if is_occupied(&self.0) => 429,
            Code::UnsupportedMediaType => 415,
            Code::RunUnknown => 404,
            Code::RunConflict | Code::ThreadBusy | Code::ThreadStale | Code::CursorAhead => 409,
            Code::LogTrimmed | Code::LogReplaced => 410,
            Code::SequenceBroken | Code::UnknownInterrupt => 422,
            Code::Internal | Code::AgentFailed => 500,
            Code::LogUnavailable | Code::ServerDraining => 503,
            _ => 400,
        }
    }

    /// The response, with the given CORS headers.
    pub fn response(&self, cors: Headers) -> PlainResponse {
        self.response_with(None, cors)
    }

    /// The response with one more member in its body.
    pub(crate) fn response_with(&self, member: Option<(&str, &str)>, cors: Headers) -> PlainResponse {
        let body = self.body_with(member);
        let mut headers =
            vec![("content-type", "application/json".to_owned()), ("content-length", body.len().to_string())];
        if self.0.code() == Code::MethodNotAllowed {
            headers.push(("allow", "POST".to_owned()));
        }
        headers.extend(cors);
        PlainResponse { status: self.status(), headers, body }
    }

    /// The body of the response as JSON: `code`, `message`, `path`, and all `issues` in the same form.
    pub fn body(&self) -> String {
        self.body_with(None)
    }

    fn body_with(&self, member: Option<(&str, &str)>) -> String {
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
        if let Some((name, value)) = member {
            body.insert(name, value);
        }
        body.insert("issues", self.0.issues.iter().map(issue).collect::<Vec<_>>());
        let mut writer = Writer::new(NumberStyle::default());
        writer.value(&Value::from(body));
        writer.out
    }
}
