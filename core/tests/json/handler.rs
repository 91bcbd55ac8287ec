//! The example of a handler, asked over loopback.

#[path = "../../examples/json_handler.rs"]
#[allow(dead_code)] // Its `main` is not called.
mod json_handler;

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};

use ag_ui_native::stream::EventPipeline;
use ag_ui_native::types::{Message, RunAgentInput, UserMessage};
use ag_ui_native::{Profile, to_json};

/// The head of the answer to a request, and its body.
fn ask(address: SocketAddr, body: &str) -> (String, Vec<u8>) {
    let mut connection = TcpStream::connect(address).unwrap();
    // In HTTP 1.0 the end of the connection is the end of the body.
    let head = format!("POST / HTTP/1.0\r\ncontent-type: application/json\r\ncontent-length: {}", body.len());
    connection.write_all(format!("{head}\r\n\r\n{body}").as_bytes()).unwrap();
    let mut answer = Vec::new();
    connection.read_to_end(&mut answer).unwrap();
    let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").unwrap();
    (String::from_utf8(answer[..end].to_vec()).unwrap(), answer.split_off(end + 4))
}

#[tokio::test(flavor = "current_thread")]
async fn a_request_is_answered_with_a_stream() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let serving = tokio::spawn(async { axum::serve(listener, json_handler::app()).await });
    let asked = tokio::task::spawn_blocking(move || {
        let input = RunAgentInput::new("t", "r", vec![UserMessage::new("u", "Hello?").into()]);
        (ask(address, &to_json(&input)), ask(address, r#"{"threadId":"t","runId":"r","messages":{}}"#))
    });
    let ((head, body), (refusal, reason)) = asked.await.unwrap();
    serving.abort();

    assert!(head.starts_with("HTTP/1.0 200") && head.contains("content-type: text/event-stream"), "{head}");
    let mut pipeline = EventPipeline::new().with_profile(Profile::Strict);
    let events: Result<Vec<_>, _> = pipeline.feed(&body).chain(pipeline.close()).collect();
    assert_eq!(events.unwrap().last().unwrap().tag(), "RUN_FINISHED");
    let messages = pipeline.conversation().messages().unwrap();
    let [Message::Assistant(message)] = messages.as_slice() else { panic!("{messages:?}") };
    assert_eq!(message.content.as_deref(), Some("1 messages so far."));

    assert!(refusal.starts_with("HTTP/1.0 422"), "{refusal}");
    let reason = String::from_utf8(reason).unwrap();
    assert!(reason.contains("wrong_type") && reason.contains("/messages"), "{reason}");
}
