//! Answers of some kilobytes that become gigabytes: the cases that all three languages read. They run in one process, so that its peak of
//! memory can be measured.

#[path = "support/peer.rs"]
mod peer;

use ag_ui_native::bindings::client::{ContentEncoding, HttpAgent, RunParameters};
use ag_ui_native::{Code, bindings};
use peer::Peer;
use serde_json::Value;

fn cases(text: &str) -> Vec<Value> {
    serde_json::from_str(text).unwrap()
}

/// Returns the peak memory of this process in bytes, if the system reports it.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? * 1024)
}

#[tokio::test(flavor = "current_thread")]
async fn bombs() {
    for case in cases(include_str!("../../tests/fixtures/client/client_bombs.json")) {
        let peer = Peer::follow(vec![case["script"].clone()]).await;
        let mut agent = HttpAgent::new(format!("http://{}/", peer.address));
        let error = agent.run_to_end(RunParameters::default()).await.unwrap_err();
        let expect = &case["expect"];
        assert_eq!(error.code().as_str(), expect["code"], "{}: {error}", case["name"]);
        assert_eq!(error.error().limit, expect["limit"].as_str(), "{}", case["name"]);
        assert_eq!(error.status().map(u64::from), expect["status"].as_u64(), "{}", case["name"]);
        let peak = peak();
        assert!(
            peak.is_none_or(|peak| peak < case["most_bytes"].as_u64().unwrap()),
            "{peak:?} {}",
            case["name"]
        );
    }
}

#[test]
fn headers() {
    for case in cases(include_str!("../../tests/fixtures/client/content_encodings.json")) {
        let lines = case["lines"].as_array().unwrap().iter();
        let lines: Vec<_> = lines.map(|line| line.as_str().unwrap()).collect();
        let found = ContentEncoding::of(&lines.join(","));
        assert_eq!(
            found.as_ref().ok().map(|encoding| encoding.as_str()),
            case["encoding"].as_str(),
            "{case}"
        );
        assert!(found.err().is_none_or(|error| error.code() == Code::UnsupportedContentEncoding));
    }
}

#[test]
fn a_step_is_of_bounded_length() {
    let zeros = vec![0; 1 << 20];
    let mut body = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
    body.extend(miniz_oxide::deflate::compress_to_vec(&zeros, 9));
    let mut gunzip = bindings::client::Gunzip::default();
    gunzip.feed(&body);
    let mut lengths = Vec::new();
    while let Some(made) = gunzip.step().unwrap() {
        lengths.push(made.len());
    }
    assert_eq!(lengths.iter().sum::<usize>(), zeros.len());
    assert!(lengths.iter().all(|length| *length <= 32 * 1024), "{lengths:?}");
}
