//! Pages of other origins: the headers that tell browsers which pages may send requests.

use crate::origin::{is_origin, origin_of};

/// The origins of web pages that may send requests. Without it, browsers allow only pages of the server's own origin.
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
    /// These origins, such as `https://a.example`. A slash at the end, upper case and the default port make no
    /// difference.
    Origins(Vec<String>),
}

/// True if the origin that the application has configured is the origin that the browser has sent.
fn names(allowed: &str, origin: &str) -> bool {
    allowed == origin || is_origin(allowed) && origin_of(allowed).is_some_and(|allowed| allowed == origin)
}

pub(crate) type Headers = Vec<(&'static str, String)>;

const ALLOW_ORIGIN: &str = "access-control-allow-origin";

impl Cors {
    /// True if pages of this `origin` may send requests.
    pub(super) fn allows(&self, origin: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Origins(allowed) => allowed.iter().any(|each| names(each, origin)),
        }
    }

    /// The headers of a response to a page of this `origin`. Refusals have them too.
    pub fn headers(&self, origin: Option<&str>) -> Headers {
        match (self, origin) {
            (Self::Any, _) => vec![(ALLOW_ORIGIN, "*".into())],
            (Self::Origins(_), Some(origin)) if self.allows(origin) => {
                vec![(ALLOW_ORIGIN, origin.into()), ("vary", "Origin".into())]
            }
            // Caches must know that the response depends on the origin.
            _ => vec![("vary", "Origin".into())],
        }
    }

    /// The headers of a response of which a page may read these headers, too.
    #[cfg(feature = "durable")]
    pub(crate) fn headers_exposing(&self, origin: Option<&str>, exposed: &str) -> Headers {
        let mut headers = self.headers(origin);
        if headers.iter().any(|(name, _)| *name == ALLOW_ORIGIN) {
            headers.push(("access-control-expose-headers", exposed.into()));
        }
        headers
    }

    /// The headers of the response (204, without a body) to a preflight request. `None` if the request is no preflight,
    /// or its page may not send requests. `header` returns a header of the request by its lowercase name.
    ///
    /// ```
    /// use ag_ui_native::server::Cors;
    ///
    /// let header = |name: &str| (name.eq_ignore_ascii_case("origin")).then_some("https://example.org");
    /// assert!(Cors::Any.preflight("POST", header).is_none());
    /// ```
    pub fn preflight<'r>(&self, method: &str, header: impl Fn(&str) -> Option<&'r str>) -> Option<Headers> {
        self.preflight_for("POST", method, header)
    }

    /// The same for requests of these methods.
    pub(crate) fn preflight_for<'r>(
        &self,
        methods: &str,
        method: &str,
        header: impl Fn(&str) -> Option<&'r str>,
    ) -> Option<Headers> {
        let mut said = self.headers(header("origin"));
        let is_allowed = said.iter().any(|(name, _)| *name == ALLOW_ORIGIN);
        if method != "OPTIONS" || header("access-control-request-method").is_none() || !is_allowed {
            return None;
        }
        said.push(("access-control-allow-methods", methods.into()));
        said.push(("access-control-max-age", "86400".into()));
        let requested = header("access-control-request-headers");
        said.extend(requested.map(|requested| ("access-control-allow-headers", requested.into())));
        Some(said)
    }
}
