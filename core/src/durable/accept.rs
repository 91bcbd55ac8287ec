//! The heads of requests to a server with a log.

use super::request::{LogRequest, LogRequestHead};
use super::response::EXPOSED_HEADERS;
use crate::client::bindings::agent_address;
use crate::limits::Limits;
use crate::server::{Cors, PlainResponse, Refusal, RequestHead, WireFormat};

/// The head of a request to a server with a log.
#[derive(Clone, Copy, Debug, Default)]
pub struct LogHead<'r> {
    /// The parts that every server reads.
    pub request: RequestHead<'r>,
    /// The path of its address, percent-encoded.
    pub path: &'r str,
    /// The query, without the question mark.
    pub query: &'r str,
    /// The header `Last-Event-ID`.
    pub last_event_id: Option<&'r str>,
}

/// A request that is accepted, before its body is received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogAccepted {
    /// The thing that the client asks for.
    pub request: LogRequest,
    /// The wire format of its events.
    pub wire_format: WireFormat,
    /// The CORS headers, which every response to the request has.
    pub cors: Vec<(&'static str, String)>,
    /// The agent's address, relative to that of the request: its path, or nothing, and its own query.
    pub address: String,
}

impl LogHead<'_> {
    /// Checks the head of a request.
    ///
    /// # Errors
    /// The whole response: to a preflight of an allowed page, or a refusal before the body is received.
    pub fn accept(
        &self,
        cors: Option<&Cors>,
        accept_wildcards: bool,
        limits: &Limits,
    ) -> Result<LogAccepted, PlainResponse> {
        let request = &self.request;
        let preflight =
            |cors: &Cors| cors.preflight_for("GET, POST", request.method, |name| request.header(name));
        if let Some(headers) = cors.and_then(preflight) {
            return Err(PlainResponse { status: 204, headers, body: String::new() });
        }
        let cors =
            cors.map(|cors| cors.headers_exposing(request.origin, EXPOSED_HEADERS)).unwrap_or_default();
        let (address, path) = split_path(request.method, self.path);
        match self.read(path, accept_wildcards, limits) {
            Ok((request, wire_format)) => {
                // Behind a proxy the agent may have another path: where the request came to the agent itself, the
                // address is relative to that of the request.
                let address = agent_address(if path.is_empty() { "" } else { address }, self.query);
                Ok(LogAccepted { request, wire_format, cors, address })
            }
            Err(refusal) => Err(refusal.response(cors)),
        }
    }

    fn read(
        &self,
        path: &str,
        accept_wildcards: bool,
        limits: &Limits,
    ) -> Result<(LogRequest, WireFormat), Refusal> {
        let Self { request: head, query, last_event_id, .. } = *self;
        let request = LogRequest::read(LogRequestHead { method: head.method, path, query, last_event_id })?;
        let wire_format = match request {
            LogRequest::Run { .. } | LogRequest::Cancel { .. } => {
                head.wire_format(accept_wildcards, limits)?
            }
            LogRequest::Read { .. } | LogRequest::Thread { .. } => head.accepted_format(accept_wildcards),
        };
        Ok((request, wire_format))
    }
}

/// Splits a path into that of the agent's address, and the part below it that names a run or a thread. A server does not know
/// where an application is mounted, so the form of the end decides.
fn split_path<'r>(method: &str, path: &'r str) -> (&'r str, &'r str) {
    let is_post = method.eq_ignore_ascii_case("POST");
    let starts: Vec<usize> = path.match_indices('/').map(|(start, _)| start).collect();
    let forms: &[&[&str]] = if is_post {
        &[&["threads", "", "runs", "", "cancel"]]
    } else {
        &[&["threads", ""], &["threads", "", "runs", ""]]
    };
    for form in forms {
        let Some(first) = starts.len().checked_sub(form.len()) else { continue };
        let (address, below) = path.split_at(starts[first]);
        let is_form = below[1..]
            .split('/')
            .zip(*form)
            .all(|(segment, name)| if name.is_empty() { !segment.is_empty() } else { segment == *name });
        if is_form {
            return (address, below);
        }
    }
    (path, "")
}
