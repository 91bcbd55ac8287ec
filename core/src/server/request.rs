//! The head of a request for a run.

use super::cors::{Cors, Headers};
use super::refusal::{PlainResponse, Refusal};
use super::request_body::check_length;
use super::wire_format::WireFormat;
use crate::error::{Code, Error};
use crate::limits::Limits;
use crate::media_type::is_json;
use crate::protobuf::accepts;

/// The parts of a request's head that matter.
///
/// ```
/// use ag_ui_native::Limits;
/// use ag_ui_native::server::RequestHead;
///
/// let head = RequestHead { method: "GET", ..RequestHead::default() };
/// let refused = head.accept(None, false, &Limits::default()).err().unwrap();
/// assert_eq!(refused.status, 405);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct RequestHead<'r> {
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
///
/// ```
/// use ag_ui_native::Limits;
/// use ag_ui_native::server::{Accepted, RequestHead, WireFormat};
///
/// let head = RequestHead { method: "POST", content_type: Some("application/json"), ..RequestHead::default() };
/// let accepted: Accepted = head.accept(None, false, &Limits::default()).ok().unwrap();
/// assert_eq!(accepted.wire_format, WireFormat::Text);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// The wire format of its events.
    pub wire_format: WireFormat,
    /// The CORS headers, which every response to the request has.
    pub cors: Headers,
}

impl RequestHead<'_> {
    /// Checks the head of a request.
    ///
    /// # Errors
    /// The whole response: to a preflight of an allowed page, or a refusal before the body is received.
    pub fn accept(
        &self,
        cors: Option<&Cors>,
        accept_wildcards: bool,
        limits: &Limits,
    ) -> Result<Accepted, PlainResponse> {
        if let Some(headers) = cors.and_then(|cors| cors.preflight(self.method, |name| self.header(name))) {
            return Err(PlainResponse { status: 204, headers, body: String::new() });
        }
        let cors = cors.map(|cors| cors.headers(self.origin)).unwrap_or_default();
        match self.wire_format(accept_wildcards, limits) {
            Ok(wire_format) => Ok(Accepted { wire_format, cors }),
            Err(refusal) => Err(refusal.response(cors)),
        }
    }

    /// A header that a preflight has, by its name.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        match name {
            "origin" => self.origin,
            "access-control-request-method" => self.requested_method,
            "access-control-request-headers" => self.requested_headers,
            _ => None,
        }
    }

    /// Chooses the wire format of the response. Clients that name protobuf in `Accept` get it; with `accept_wildcards`, clients
    /// that accept any type get it too. All other clients get text.
    ///
    /// # Errors
    /// The refusals that do not need the body.
    pub(crate) fn wire_format(&self, accept_wildcards: bool, limits: &Limits) -> Result<WireFormat, Refusal> {
        if !self.method.eq_ignore_ascii_case("POST") {
            return Err(Error::new(Code::MethodNotAllowed, "").into());
        }
        let wire_format = self.accepted_format(accept_wildcards);
        // Browsers send a preflight for JSON across origins, but not for other content types: those are refused.
        if !is_json(self.content_type.unwrap_or_default()) {
            return Err(Error::new(Code::UnsupportedMediaType, "").into());
        }
        let length = self.content_length.and_then(|length| length.trim().parse().ok()).unwrap_or(0);
        check_length(length, limits)?;
        Ok(wire_format)
    }

    /// The wire format that `Accept` asks for.
    pub(crate) fn accepted_format(&self, accept_wildcards: bool) -> WireFormat {
        let is_binary = accepts(self.accept.unwrap_or_default(), accept_wildcards);
        if is_binary { WireFormat::Binary } else { WireFormat::Text }
    }
}
