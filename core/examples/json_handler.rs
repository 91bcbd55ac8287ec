//! An agent in a handler of your own: it takes `Json<RunAgentInput>` and returns server-sent events.

use std::convert::Infallible;

use ag_ui_native::ids::IdKind;
use ag_ui_native::types::{RunAgentInput, RunFinishedEvent, RunStartedEvent, TextMessageChunkEvent};
use ag_ui_native::{Event, PROTOCOL_VERSION, sse, to_sse};
use axum::body::Body;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::routing::post;
use axum::{Json, Router};
use futures_util::stream::{self, Stream, StreamExt};

/// Makes the answer of the agent. A real agent asks a model, and yields events as the words arrive.
fn answer(input: RunAgentInput) -> impl Stream<Item = Event> {
    let RunAgentInput { thread_id, run_id, messages, .. } = input;
    let message_id = IdKind::Message.new_id();
    let words = [format!("{} messages", messages.len()), " so far.".to_owned()];
    let chunk = move |word| TextMessageChunkEvent::new().with_message_id(&message_id).with_delta(word).into();
    let started = RunStartedEvent::new(&thread_id, &run_id).with_protocol_version(PROTOCOL_VERSION);
    let finished = RunFinishedEvent::new(thread_id, run_id);
    stream::iter([Event::from(started)].into_iter().chain(words.map(chunk)).chain([finished.into()]))
}

async fn run(Json(input): Json<RunAgentInput>) -> impl IntoResponse {
    let frames = answer(input).map(|event| Ok::<_, Infallible>(to_sse(&event)));
    ([(CONTENT_TYPE, sse::MEDIA_TYPE)], Body::from_stream(frames))
}

/// Makes the application, to be served alone or beside other routes.
pub fn app() -> Router {
    Router::new().route("/", post(run))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> std::io::Result<()> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:8000").await?;
    axum::serve(listener, app()).await
}
