//! Redirects of requests.

use crate::defaults::MAX_REDIRECTS;
use crate::error::{Code, Error};
use crate::origin::origin_of;

/// The redirects that are followed: of the statuses 307 and 308, to these addresses.
///
/// ```
/// use ag_ui_native::client::{HttpAgent, Redirects};
///
/// let agent = HttpAgent::new("http://127.0.0.1:8000/").with_redirects(Redirects::None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Redirects {
    /// Addresses of the same scheme, host and port. Others are refused, since headers may hold credentials.
    #[default]
    SameOrigin,
    /// All addresses. `authorization`, `cookie` and `proxy-authorization` are not sent to another origin.
    Any,
    /// No addresses: a redirect is a refusal with its status.
    None,
}

/// The headers with credentials. They are not sent after a redirect has led to another origin.
pub const CREDENTIALS: [&str; 3] = ["authorization", "cookie", "proxy-authorization"];

/// Decides if a redirect is followed. An answer of this status points `from` one absolute URL `to` another, after `followed` redirects.
/// With `any_origin`, the origin may change. An invalid URL is empty. Returns true if the origin stays; otherwise credentials are not sent.
///
/// # Errors
/// `redirect_refused`: the origin changes, since headers may hold credentials; the status turns the POST into a GET (all but 307 and 308),
/// except for a WebSocket; the target is no address of HTTP, or of a WebSocket if the request is for one; or it is the sixth redirect.
pub fn check_redirect(
    status: u16,
    followed: usize,
    from: &str,
    to: &str,
    any_origin: bool,
) -> Result<bool, Error> {
    let refused = |detail: String| Err(Error::new(Code::RedirectRefused, detail));
    let is_socket = is_socket(from);
    // The request for a WebSocket is always a GET.
    if !is_socket && !matches!(status, 307 | 308) {
        return refused(format!("status {status} asks for a GET request, which has no input"));
    }
    let here = origin_of(from).unwrap_or_default();
    let schemes = if is_socket { ["ws:", "wss:"] } else { ["http:", "https:"] };
    let is_known = |origin: &String| schemes.iter().any(|scheme| origin.starts_with(scheme));
    if to.is_empty() {
        return Err(invalid_location());
    }
    let Some(there) = origin_of(to).filter(is_known) else {
        return refused(format!("to an address that is not {}", schemes[0].trim_end_matches(':')));
    };
    let same_origin = here == there;
    if !same_origin && !any_origin {
        return refused("to another origin".to_owned());
    }
    if followed >= MAX_REDIRECTS {
        return refused(format!("{} redirects in a row", followed + 1));
    }
    Ok(same_origin)
}

/// The error of a redirect whose target is no valid URL.
pub fn invalid_location() -> Error {
    let detail = "its header `Location` is not a valid URL";
    Error::new(Code::RedirectRefused, detail).advise("repair the header `Location` of the server's response")
}

/// True if it is the address of a WebSocket.
pub(in crate::client) fn is_socket(url: &str) -> bool {
    origin_of(url).is_some_and(|origin| origin.starts_with("ws"))
}
