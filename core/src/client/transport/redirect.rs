//! Redirects of requests.

use crate::defaults::MAX_REDIRECTS;
use crate::error::{Code, Error};
use crate::origin::origin_of;

/// Which redirects are followed: those of the statuses 307 and 308, to these addresses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Redirects {
    /// Of the same scheme, host and port; any other one is refused, since headers may hold credentials.
    #[default]
    SameOrigin,
    /// All. `authorization`, `cookie` and `proxy-authorization` stay behind where the origin changes.
    Any,
    /// None: the answer is the refusal that its status says.
    None,
}

/// Headers that say who asks. They stay behind where a redirect leads to another origin, and wherever it leads from there.
pub const CREDENTIALS: [&str; 3] = ["authorization", "cookie", "proxy-authorization"];

/// Decides if a redirect is followed: an answer of this status points `from` one absolute URL `to` another. `followed` redirects have been
/// before; `any_origin` says that scheme, host and port need not stay. Returns whether they do: else [`CREDENTIALS`] stay behind.
///
/// # Errors
/// `redirect_refused` for another origin, since headers may hold credentials; for a status that makes a POST a GET (all but 307 and 308),
/// since there is no run behind a GET, unless it is a WebSocket; for what is no address of HTTP, or of a WebSocket where it was one; and for the sixth.
pub fn check_redirect(
    status: u16,
    followed: usize,
    from: &str,
    to: &str,
    any_origin: bool,
) -> Result<bool, Error> {
    let refused = |detail: String| Err(Error::new(Code::RedirectRefused, detail));
    let is_socket = is_socket(from);
    // A WebSocket is asked for by GET, whatever the status.
    if !is_socket && !matches!(status, 307 | 308) {
        return refused(format!("status {status} asks for a GET"));
    }
    let here = origin_of(from).unwrap_or_default();
    let schemes = if is_socket { ["ws:", "wss:"] } else { ["http:", "https:"] };
    let is_known = |origin: &String| schemes.iter().any(|scheme| origin.starts_with(scheme));
    let Some(there) = origin_of(to).filter(is_known) else {
        return refused(format!("to no address of {}", schemes[0].trim_end_matches(':')));
    };
    let same_origin = here == there;
    if !same_origin && !any_origin {
        return refused("to another origin".to_owned());
    }
    if followed >= MAX_REDIRECTS {
        return refused(format!("the {}th in a row", followed + 1));
    }
    Ok(same_origin)
}

/// True if it is the address of a WebSocket.
pub(in crate::client) fn is_socket(url: &str) -> bool {
    origin_of(url).is_some_and(|origin| origin.starts_with("ws"))
}
