//! The address of an agent: splits the URL from its credentials.

/// The parts of an address: credentials become a header, and the fragment is not sent.
#[derive(Clone, PartialEq, Eq)]
pub struct Address {
    /// The URL of the request.
    pub url: String,
    /// The credentials as a value of the header `authorization` (`Basic`). A header that the application sets takes precedence.
    pub authorization: Option<String>,
}

impl Address {
    /// Splits an absolute URL.
    ///
    /// ```
    /// use ag_ui_native::bindings::client::Address;
    ///
    /// let address = Address::of("https://user:p%40ss@a.example/run?x=1#part");
    /// assert_eq!(address.url, "https://a.example/run?x=1");
    /// assert_eq!(address.authorization.as_deref(), Some("Basic dXNlcjpwQHNz"));
    /// ```
    pub fn of(url: &str) -> Self {
        let (url, _) = url.split_once('#').unwrap_or((url, ""));
        let start = url.find("://").map_or(0, |colon| colon + "://".len());
        let (scheme, rest) = url.split_at(start);
        let (authority, path) = rest.split_at(rest.find(['/', '?', '\\']).unwrap_or(rest.len()));
        match authority.rsplit_once('@') {
            Some((credentials, host)) if start > 0 => {
                Self { url: [scheme, host, path].concat(), authorization: basic(credentials) }
            }
            _ => Self { url: url.to_owned(), authorization: None },
        }
    }

    /// Splits the target of a redirect, an absolute URL. Without credentials of its own it gets those of this address, if the origin is the
    /// same.
    #[must_use]
    pub fn redirected(self, to: &str, same_origin: bool) -> Self {
        let there = Self::of(to);
        let kept = self.authorization.filter(|_| same_origin);
        Self { authorization: there.authorization.or(kept), ..there }
    }
}

impl std::fmt::Debug for Address {
    /// Leaves out the URL and the credentials: they may hold secrets.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let is_authorized = self.authorization.is_some();
        formatter.debug_struct("Address").field("is_authorized", &is_authorized).finish_non_exhaustive()
    }
}

/// Converts `user:password`, both percent-encoded, to a value of the header (RFC 7617).
fn basic(credentials: &str) -> Option<String> {
    let (user, password) = credentials.split_once(':').unwrap_or((credentials, ""));
    if user.is_empty() && password.is_empty() {
        return None;
    }
    let bytes = [decoded(user), vec![b':'], decoded(password)].concat();
    Some(format!("Basic {}", base64(&bytes)))
}

/// Decodes percent-encoding.
fn decoded(text: &str) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, behind)) = rest.split_first() {
        let digit = |at: usize| behind.get(at).and_then(|&byte| char::from(byte).to_digit(16));
        if let (b'%', Some(high), Some(low)) = (first, digit(0), digit(1)) {
            decoded.extend(u8::try_from(high << 4 | low));
            rest = &behind[2..];
        } else {
            decoded.push(first);
            rest = behind;
        }
    }
    decoded
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let at = |index: usize| usize::from(group.get(index).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for place in 0..4 {
            let digit = char::from(DIGITS[bits >> (18 - 6 * place) & 63]);
            text.push(if place <= group.len() { digit } else { '=' });
        }
    }
    text
}
