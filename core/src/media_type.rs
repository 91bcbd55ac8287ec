//! Media types (RFC 9110, 8.3.1) in headers `Content-Type`.

/// The media type itself, without parameters.
pub fn essence(content_type: &str) -> &str {
    content_type.split(';').next().unwrap_or_default().trim()
}

/// True for this media type, with or without parameters.
pub fn is_type(content_type: &str, media_type: &str) -> bool {
    essence(content_type).eq_ignore_ascii_case(media_type)
}

/// True for JSON: `application/json`, or a subtype that ends in `+json`.
pub fn is_json(content_type: &str) -> bool {
    let subtype = essence(content_type).split_once('/').map_or("", |(_, subtype)| subtype);
    is_type(content_type, "application/json") || subtype.to_ascii_lowercase().ends_with("+json")
}
