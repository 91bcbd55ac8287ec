//! The addresses of runs and threads, in the form of a query on the address of the agent.

use std::borrow::Cow;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// The characters of ids that stay as they are in addresses and headers (RFC 3986, section 2.3).
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The members of a query that are about runs; all others belong to the agent's own address.
const MEMBERS: [&str; 4] = ["thread", "run", "cancel", "after"];

/// Returns the address of an agent, from the path and the query of a request to it.
pub fn agent_address(path: &str, query: &str) -> String {
    let own: Vec<&str> =
        query.split('&').filter(|member| !member.is_empty() && !is_about_runs(member)).collect();
    if own.is_empty() { path.to_owned() } else { format!("{path}?{}", own.join("&")) }
}

/// Returns the address of an agent, relative to its own URL: empty, or the query.
pub fn relative_address(url: &str) -> String {
    let (url, _) = url.split_once('#').unwrap_or((url, ""));
    agent_address("", url.split_once('?').map_or("", |(_, query)| query))
}

/// Returns the address from which a run is read. Ids are percent-encoded.
pub fn run_location(agent: &str, thread_id: &str, run_id: &str) -> String {
    joined(agent, &format!("thread={}&run={}", escaped(thread_id), escaped(run_id)))
}

/// Returns the address by which a run is cancelled.
pub fn cancel_location(agent: &str, thread_id: &str, run_id: &str) -> String {
    joined(agent, &format!("thread={}&cancel={}", escaped(thread_id), escaped(run_id)))
}

/// Returns the address from which a thread is read.
pub fn thread_location(agent: &str, thread_id: &str) -> String {
    joined(agent, &format!("thread={}", escaped(thread_id)))
}

/// An id as it stands in addresses and headers.
pub fn escaped(id: &str) -> Cow<'_, str> {
    utf8_percent_encode(id, ESCAPED).into()
}

fn joined(agent: &str, members: &str) -> String {
    format!("{agent}{}{members}", if agent.contains('?') { '&' } else { '?' })
}

fn is_about_runs(member: &str) -> bool {
    let (name, _) = member.split_once('=').unwrap_or((member, ""));
    MEMBERS.iter().any(|known| percent_decode_str(name).eq(known.bytes()))
}
