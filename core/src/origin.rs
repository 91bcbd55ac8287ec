//! Origins of URLs.

/// The origin of an absolute URL in the form of browsers: scheme and host in lower case, without the default port. `None` for a URL
/// without a host.
pub fn origin_of(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host).to_ascii_lowercase();
    let scheme = scheme.to_ascii_lowercase();
    let (name, port) = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => (name, port),
        _ => (host.as_str(), ""),
    };
    let default = match scheme.as_str() {
        "http" | "ws" => "80",
        "https" | "wss" => "443",
        _ => "",
    };
    if name.is_empty() {
        return None;
    }
    Some(if port == default || port.is_empty() {
        format!("{scheme}://{name}")
    } else {
        format!("{scheme}://{name}:{port}")
    })
}

/// True if a URL is only an origin, with or without a slash at the end.
pub fn is_origin(url: &str) -> bool {
    let rest = url.split_once("://").map_or("", |(_, rest)| rest.strip_suffix('/').unwrap_or(rest));
    !rest.is_empty() && !rest.contains(['/', '?', '#', '@'])
}
