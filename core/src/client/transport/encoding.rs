//! The content encodings of an answer.

use crate::error::{Code, Error, quoted};

/// The value of the header `Accept-Encoding`.
pub const ACCEPT_ENCODING: &str = "gzip, identity";

/// The encoding of a body. Others, and several layers, are refused: a few hundred bytes could expand to gigabytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContentEncoding {
    /// Not encoded.
    Identity,
    /// One layer of gzip.
    Gzip,
}

impl ContentEncoding {
    /// Reads the header `Content-Encoding`; several lines of it are joined by commas.
    ///
    /// # Errors
    /// `unsupported_content_encoding` for any other encoding, and for more than one.
    pub fn of(header: &str) -> Result<Self, Error> {
        let names = header.split(',').map(|name| name.trim_matches([' ', '\t']));
        let mut names = names.filter(|name| !name.is_empty() && !name.eq_ignore_ascii_case("identity"));
        let is_gzip = |name: &str| name.eq_ignore_ascii_case("gzip") || name.eq_ignore_ascii_case("x-gzip");
        match (names.next(), names.next()) {
            (None, _) => Ok(Self::Identity),
            (Some(name), None) if is_gzip(name) => Ok(Self::Gzip),
            _ => Err(Error::new(Code::UnsupportedContentEncoding, quoted(header))),
        }
    }

    /// The encoding as HTTP spells it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Identity => "identity",
            Self::Gzip => "gzip",
        }
    }
}
