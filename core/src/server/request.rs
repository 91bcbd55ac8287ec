//! The head of a request for a run.

use super::frames::Transport;
use super::refusal::Refusal;
use super::request_body::check_length;
use crate::error::{Code, Error};
use crate::limits::Limits;
use crate::protobuf::accepts;

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
        check_length(length, limits)?;
        Ok(transport)
    }
}

/// Browsers ask before they send JSON across origins; what is not called JSON they send without.
fn is_json(content_type: &str) -> bool {
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    let subtype = essence.split_once('/').map_or("", |(_, subtype)| subtype);
    essence.eq_ignore_ascii_case("application/json") || subtype.to_ascii_lowercase().ends_with("+json")
}
