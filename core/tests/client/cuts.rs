//! Answers that are cut off after each byte, and messages that the agent did not receive: the results are those of
//! every language.

use crate::scripted;

use ag_ui_native::client::{Agent, HttpAgent, Response, RunOutcome, RunParameters, RunRequest};
use ag_ui_native::stream::EventDecoder;
use ag_ui_native::types::{Message, Tool};
use ag_ui_native::{Code, Error, Limits, Profile};
use futures_util::stream;
use scripted::{calls, frame, says, scripted, started};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

/// Answers one connection after the other, each with one byte more than the one before.
async fn cut_everywhere(listener: TcpListener, run: Vec<u8>, way: &'static str) {
    for cut in 0..=run.len() {
        let (mut connection, _) = listener.accept().await.unwrap();
        let mut request = Vec::new();
        while !request.windows(4).any(|four| four == b"\r\n\r\n") {
            connection.read_buf(&mut request).await.unwrap();
        }
        let (length, body) = match way {
            "length" => ("Content-Length: 9000\r\n", run[..cut].to_vec()),
            "chunked" if cut > 0 => (
                "Transfer-Encoding: chunked\r\n",
                [format!("{cut:x}\r\n").as_bytes(), &run[..cut], b"\r\n"].concat(),
            ),
            "chunked" => ("Transfer-Encoding: chunked\r\n", Vec::new()),
            _ => ("", run[..cut].to_vec()),
        };
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n{length}\r\n"
        );
        connection.write_all(&[head.as_bytes(), &body].concat()).await.unwrap();
        // The sent bytes arrive before the end of the connection does.
        connection.shutdown().await.unwrap();
        let _ = connection.read_to_end(&mut request).await;
    }
}

#[tokio::test(flavor = "current_thread")]
async fn a_run_that_is_cut_behind_each_of_its_bytes() {
    let fixture: Value =
        serde_json::from_str(&std::fs::read_to_string("../tests/fixtures/client/cuts.json").unwrap())
            .unwrap();
    let run = fixture["run"].as_str().unwrap().as_bytes().to_vec();
    let ended = usize::try_from(fixture["ended"].as_u64().unwrap()).unwrap();
    for way in ["length", "chunked", "close"] {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        let serving = tokio::spawn(cut_everywhere(listener, run.clone(), way));
        let agent = HttpAgent::new(&url);
        // The scripted server does not know a run that is looked for.
        #[cfg(feature = "durable")]
        let agent = agent.with_reconnect(None);
        for cut in 0..=run.len() {
            let ran = agent.clone().run_to_end(RunParameters::default()).await;
            let said = match &ran {
                Ok(result) if matches!(result.outcome, Some(RunOutcome::Success { .. })) => "success",
                Ok(_) => "another outcome",
                Err(error) => error.error().code().as_str(),
            };
            let expected = if cut < ended { fixture["ways"][way].as_str().unwrap() } else { "success" };
            assert_eq!(said, expected, "{way}, {cut}: {}", String::from_utf8_lossy(&run[..cut]));
        }
        serving.await.unwrap();
    }
}

#[test]
fn an_event_that_is_whole_is_judged() {
    let deep = |close| format!(r#"{{"type":"CUSTOM","name":"n","value":{}{close}"#, "[".repeat(300));
    let cases = [
        (r#"{"type":"CUSTOM","name":"\ud83d"#.to_owned(), "stream_truncated"),
        (r#"{"type":"CUSTOM","name":"\ud83d x"#.to_owned(), "stream_truncated"),
        (r#"{"type":"CUSTOM","name":"\ud83d","value":1"#.to_owned(), "stream_truncated"),
        (r#"{"type":"CUSTOM","name":"\ud83d","value":1}"#.to_owned(), "lone_surrogate"),
        (r#"{"type":"CUSTOM","name":"}]\\"#.to_owned(), "stream_truncated"),
        (deep(""), "stream_truncated"),
        (deep(&format!("{}}}", "]".repeat(300))), "limit_exceeded"),
        (r#"{"type":"CUSTOM"}"#.to_owned(), "missing_field"),
    ];
    for (text, code) in cases {
        let mut decoder = EventDecoder::new().with_profile(Profile::Strict);
        assert_eq!(decoder.feed(format!("data: {text}").as_bytes()).count(), 0);
        let failure = decoder.close().last().unwrap().unwrap_err();
        assert_eq!(failure.code().as_str(), code, "{text}");
    }
}

#[tokio::test(flavor = "current_thread")]
async fn a_message_without_an_answer_is_removed() {
    let (nothing, begun) = (Vec::new(), vec![started()]);
    for first in [nothing, begun, vec![json!({"type": "TEXT_MESSAGE_END", "messageId": "m"})]] {
        let (mut agent, requests) = scripted(&[&first, &says("Ho")]);
        agent.ask("Hi").await.unwrap_err();
        assert!(agent.messages().unwrap().is_empty());
        assert_eq!(agent.ask("Hi").await.unwrap().text(), "Ho");
        assert_eq!(agent.messages().unwrap().len(), 2);
        assert_eq!(requests.lock().unwrap().last().unwrap()["messages"].as_array().unwrap().len(), 1);
    }
    // A message to which the agent began to answer stays.
    let mut events = says("Ho");
    events.truncate(2);
    let (mut agent, _) = scripted(&[&events]);
    agent.ask("Hi").await.unwrap_err();
    assert_eq!(agent.messages().unwrap().len(), 2);
}

#[tokio::test(flavor = "current_thread")]
async fn an_answer_of_a_tool_that_is_too_long_is_an_error() {
    for (length, is_too_long) in [(10_000, false), (30_000, true)] {
        let (agent, _) = scripted(&[&calls(&[("c", "look")]), &says("Ho")]);
        let mut agent = agent
            .with_limits(Limits::default().with_event_bytes(20_000))
            .with_tool(Tool::new("look", "Looks."), move |_: Value| async move {
                Ok::<_, String>("x".repeat(length))
            });
        agent.run_to_end(RunParameters::default()).await.unwrap();
        let messages = agent.messages().unwrap();
        let answer = messages.iter().find_map(|message| match message {
            Message::Tool(answer) => Some(answer),
            _ => None,
        });
        assert_eq!(answer.unwrap().error.is_some(), is_too_long);
    }
}

#[tokio::test(flavor = "current_thread")]
async fn what_breaks_explains_a_cut_and_who_waits_no_longer_hears_no_more() {
    let cases = [
        (r#"{"type":"CUSTOM""#, Code::ConnectionLost, Code::ConnectionLost),
        (r#"{"type":"CUSTOM"}"#, Code::ConnectionLost, Code::MissingField),
        (r#"{"type":"CUSTOM""#, Code::TimedOut, Code::TimedOut),
        (r#"{"type":"CUSTOM"}"#, Code::TimedOut, Code::TimedOut),
    ];
    for (last, reason, code) in cases {
        let agent = Agent::over(move |_: RunRequest| async move {
            let pieces = [Ok(frame(&started())), Ok(format!("data: {last}\n")), Err(Error::new(reason, ""))];
            Ok(Response::new(stream::iter(pieces)))
        });
        let mut agent = agent.with_profile(Profile::Strict).with_thread_id("t");
        let failed = agent.run_to_end(RunParameters::default().with_run_id("r")).await;
        assert_eq!(failed.unwrap_err().error().code(), code, "{last}, {reason:?}");
    }
}
