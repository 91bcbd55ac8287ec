//! The head of a request for a run.

use super::cors::{Cors, Headers};
use super::frames::Transport;
use super::refusal::{Answer, Refusal};
use super::request_body::check_length;
use crate::error::{Code, Error};
use crate::limits::Limits;
use crate::media_type::is_json;
use crate::protobuf::accepts;

/// The parts of a request's head that matter.
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
    /// The header `Origin`.
    pub origin: Option<&'r str>,
    /// The header `Access-Control-Request-Method`, which only a preflight has.
    pub requested_method: Option<&'r str>,
    /// The header `Access-Control-Request-Headers`.
    pub requested_headers: Option<&'r str>,
}

/// A request that is accepted, before its body is received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// The transport of its events.
    pub transport: Transport,
    /// The CORS headers, which every response to the request has.
    pub cors: Headers,
}

impl Request<'_> {
    /// Checks the head of a request.
    ///
    /// # Errors
    /// The whole response: to a preflight of an allowed page, or a refusal before the body is received.
    pub fn accept(
        &self,
        cors: Option<&Cors>,
        accept_wildcards: bool,
        limits: &Limits,
    ) -> Result<Accepted, Answer> {
        let header = |name: &str| match name {
            "origin" => self.origin,
            "access-control-request-method" => self.requested_method,
            "access-control-request-headers" => self.requested_headers,
            _ => None,
        };
        if let Some(headers) = cors.and_then(|cors| cors.preflight(self.method, header)) {
            return Err(Answer { status: 204, headers, body: String::new() });
        }
        let cors = cors.map(|cors| cors.headers(self.origin)).unwrap_or_default();
        match self.transport(accept_wildcards, limits) {
            Ok(transport) => Ok(Accepted { transport, cors }),
            Err(refusal) => Err(refusal.answer(cors)),
        }
    }

    /// Chooses the transport of the response. Clients that name protobuf in `Accept` get it; with `accept_wildcards`, clients
    /// that accept any type get it too. All other clients get text.
    ///
    /// # Errors
    /// The refusals that do not need the body.
    pub fn transport(&self, accept_wildcards: bool, limits: &Limits) -> Result<Transport, Refusal> {
        if !self.method.eq_ignore_ascii_case("POST") {
            return Err(Error::new(Code::MethodNotAllowed, "").into());
        }
        let is_binary = accepts(self.accept.unwrap_or_default(), accept_wildcards);
        let transport = if is_binary { Transport::Binary } else { Transport::Text };
        // Browsers send a preflight for JSON across origins, but not for other content types: those are refused.
        if !is_json(self.content_type.unwrap_or_default()) {
            return Err(Error::new(Code::UnsupportedMediaType, "").into());
        }
        let length = self.content_length.and_then(|length| length.trim().parse().ok()).unwrap_or(0);
        check_length(length, limits)?;
        Ok(transport)
    }
}
