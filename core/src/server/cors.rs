//! Pages of other origins: what browsers are told about who may ask.

use crate::origin::{is_origin, origin_of};

/// The origins whose pages may ask. Without it browsers let none but those of the server's own.
///
/// ```
/// use ag_ui_native::server::Cors;
///
/// let cors = Cors::Origins(vec!["https://a.example".into()]);
/// assert_eq!(cors.headers(Some("https://a.example"))[0], ("access-control-allow-origin", "https://a.example".into()));
/// assert_eq!(cors.headers(Some("https://b.example")), [("vary", "Origin".into())]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cors {
    /// Every origin.
    Any,
    /// These: `https://a.example`. A slash at the end, capitals and the port that goes without saying make no difference.
    Origins(Vec<String>),
}

/// True if what an application has written is an origin as a browser writes it.
fn names(allowed: &str, origin: &str) -> bool {
    allowed == origin || is_origin(allowed) && origin_of(allowed).is_some_and(|allowed| allowed == origin)
}

pub(super) type Headers = Vec<(&'static str, String)>;

const ALLOW_ORIGIN: &str = "access-control-allow-origin";

impl Cors {
    /// True if the pages of this `origin` may ask.
    pub fn allows(&self, origin: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Origins(allowed) => allowed.iter().any(|each| names(each, origin)),
        }
    }

    /// The headers of an answer, a refusal too, to a page of this `origin`.
    pub fn headers(&self, origin: Option<&str>) -> Headers {
        match (self, origin) {
            (Self::Any, _) => vec![(ALLOW_ORIGIN, "*".into())],
            (Self::Origins(_), Some(origin)) if self.allows(origin) => {
                vec![(ALLOW_ORIGIN, origin.into()), ("vary", "Origin".into())]
            }
            // Another origin would get another answer.
            _ => vec![("vary", "Origin".into())],
        }
    }

    /// The headers of the answer (204, without a body) to a browser that asks whether its page may ask. Nothing if the request is
    /// another, or the page may not. `header` finds a header of the request by its name in lower case.
    pub fn preflight<'r>(&self, method: &str, header: impl Fn(&str) -> Option<&'r str>) -> Option<Headers> {
        let mut said = self.headers(header("origin"));
        let is_allowed = said.iter().any(|(name, _)| *name == ALLOW_ORIGIN);
        if method != "OPTIONS" || header("access-control-request-method").is_none() || !is_allowed {
            return None;
        }
        said.push(("access-control-allow-methods", "POST".into()));
        said.push(("access-control-max-age", "86400".into()));
        let wanted = header("access-control-request-headers");
        said.extend(wanted.map(|wanted| ("access-control-allow-headers", wanted.into())));
        Some(said)
    }
}
