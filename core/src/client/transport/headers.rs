//! Headers of requests: the application's and the client's.

use crate::error::{Code, Error, push_token, quoted};
use crate::{protobuf, sse};

/// The headers that the client sets: they describe the request and the accepted answers.
const RESERVED: [&str; 4] = ["accept", "content-length", "content-type", "transfer-encoding"];

/// The value of the header `Accept`. With `protobuf`, protobuf is preferred.
pub fn accept(protobuf: bool) -> String {
    if protobuf {
        format!("{}, {};q=0.5", protobuf::MEDIA_TYPE, sse::MEDIA_TYPE)
    } else {
        sse::MEDIA_TYPE.to_owned()
    }
}

/// True if the client sets this header itself, whatever the application gives.
pub fn is_reserved(name: &str) -> bool {
    RESERVED.iter().any(|reserved| name.eq_ignore_ascii_case(reserved))
}

/// Checks a header before it is sent. Values are never quoted: they may be secrets.
///
/// # Errors
/// `invalid_header` for a name that is no token (RFC 9110, 5.6.2), and for a value with control characters or with characters outside of
/// ISO-8859-1. The path is `/headers/` and the name.
pub fn check_header(name: &str, value: &str) -> Result<(), Error> {
    let refused = |detail: String| {
        let mut path = "/headers".to_owned();
        push_token(&mut path, name);
        Err(Error::at(Code::InvalidHeader, path, detail))
    };
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    if name.is_empty() || !name.bytes().all(is_token) {
        return refused(format!("the name {}", quoted(name)));
    }
    let cannot_be_sent = |character: char| (character.is_control() && character != '\t') || character > 'ÿ';
    if value.contains(cannot_be_sent) {
        return refused(format!("the value of {}", quoted(name)));
    }
    if value.starts_with([' ', '\t']) || value.ends_with([' ', '\t']) {
        return refused(format!("the value of {} begins or ends with a space", quoted(name)));
    }
    Ok(())
}
