//! Runs in an answer whose ids are not those of the request.

use crate::peer;
use crate::scripted;

use ag_ui_native::Profile;
use ag_ui_native::client::{Events, HttpAgent, Next, RunParameters};
use ag_ui_native::types::RunAgentInput;
use peer::Peer;
use scripted::scripted;
use serde_json::{Value, json};

/// Events of a run with ids that the script of `scripted` leaves as they are.
fn run(thread_id: &str, run_id: &str) -> [Value; 2] {
    ["RUN_STARTED", "RUN_FINISHED"].map(|ty| json!({"type": ty, "threadId": thread_id, "runId": run_id}))
}

/// Returns the rule by which a run fails in the profile, and the rules of its warnings.
async fn outcome(
    events: &[Value],
    profile: Profile,
    wrapped: bool,
) -> (Option<String>, Vec<(usize, String)>) {
    let (agent, _) = scripted(&[events]);
    let mut agent = agent.with_profile(profile).with_thread_id("mine");
    if wrapped {
        agent = agent.with_middleware(|input: RunAgentInput, next: Next| -> Events { next.run(input) });
    }
    match agent.run_to_end(RunParameters::default().with_run_id("this")).await {
        Ok(run) => {
            assert!(run.is_success());
            let told = |w: &ag_ui_native::Warning| (w.event_index, w.issue.rule.unwrap().to_string());
            (None, run.warnings.iter().map(told).collect())
        }
        Err(error) => (error.error().rule().map(|rule| rule.to_string()), Vec::new()),
    }
}

#[tokio::test(flavor = "current_thread")]
async fn a_stream_is_compared_with_what_was_asked_for() {
    let before = run("mine", "before").to_vec();
    let cases = [
        (run("mine", "this").to_vec(), vec![]),
        ([before.clone(), run("mine", "this").to_vec()].concat(), vec![]),
        (run("other", "this").to_vec(), vec![(0, "V42")]),
        (run("mine", "that").to_vec(), vec![(2, "V44")]),
        ([run("mine", "this").to_vec(), before].concat(), vec![(4, "V44")]),
        (run("other", "that").to_vec(), vec![(0, "V42"), (2, "V44")]),
    ];
    for (events, expected) in cases {
        for wrapped in [false, true] {
            let expected: Vec<_> = expected.iter().map(|&(at, rule)| (at, rule.to_owned())).collect();
            let first = expected.first().map(|(_, rule)| rule.clone());
            assert_eq!(outcome(&events, Profile::Strict, wrapped).await, (first, vec![]), "{events:?}");
            assert_eq!(outcome(&events, Profile::Tolerant, wrapped).await, (None, expected), "{events:?}");
            assert_eq!(outcome(&events, Profile::Relay, wrapped).await, (None, vec![]), "{events:?}");
        }
    }
}

#[tokio::test(flavor = "current_thread")]
async fn so_is_one_that_comes_over_a_socket() {
    let cases = [
        (run("mine", "this"), None),
        (run("other", "this"), Some("V42")),
        (run("mine", "that"), Some("V44")),
    ];
    for (events, rule) in cases {
        let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
        let frames = events.each_ref().map(|event| format!("data: {event}\n\n")).concat();
        let script = json!([{"send": head}, {"send": frames}, {"close": true}]);
        for profile in [Profile::Strict, Profile::Tolerant, Profile::Relay] {
            let peer = Peer::follow(vec![script.clone()]).await;
            let agent = HttpAgent::new(format!("http://{}/", peer.address));
            let mut agent = agent.with_profile(profile).with_thread_id("mine");
            let ended = agent.run_to_end(RunParameters::default().with_run_id("this")).await;
            let told = match ended {
                Ok(run) => run.warnings.iter().find_map(|warning| warning.issue.rule),
                Err(error) => {
                    assert_eq!(profile, Profile::Strict);
                    error.error().rule()
                }
            };
            let expected = rule.filter(|_| profile != Profile::Relay).map(str::to_owned);
            assert_eq!(told.map(|rule| rule.to_string()), expected, "{events:?}, {profile}");
        }
    }
}
