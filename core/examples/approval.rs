//! A tool that needs approval: the run ends with an interrupt, and the next run brings the answer.
//! `cargo run --features server --example approval`

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use ag_ui_native::server::axum::{RunOptions, begin, stream};
use ag_ui_native::server::{Refusal, Run};
use ag_ui_native::types::{Interrupt, ResumeStatus};
use ag_ui_native::{Error, Object, Value};
use axum::extract::{Request, State};
use axum::response::Response;
use axum::{Router, routing::post};

/// The pending interrupt of each conversation; a database in a real application.
type Pending = Arc<Mutex<HashMap<String, Interrupt>>>;

// --8<-- [start:agent]
fn agent(run: &Run, asked: Option<Interrupt>, pending: &Pending) -> Result<Option<Value>, Error> {
    let Some(asked) = asked else {
        let id = run.call_tool("delete_files", &Object::from([("folder", "/tmp")]).into())?;
        let open = Interrupt::new(&id, "tool_call").with_message("Delete?").with_tool_call_id(&id);
        let mut pending = pending.lock().unwrap_or_else(PoisonError::into_inner);
        pending.insert(run.input().thread_id.clone(), open.clone());
        run.interrupt(vec![open])?;
        return Ok(None);
    };
    let yes = Value::from(Object::from([("approved", true)]));
    let agrees = run.input().resume.iter().flatten().any(|answer| {
        answer.interrupt_id == asked.id
            && answer.status == ResumeStatus::Resolved
            && answer.payload.as_ref() == Some(&yes)
    });
    run.tool_result(&asked.id, if agrees { "deleted" } else { "refused" })?;
    run.text_message()?.write(if agrees { "They are gone." } else { "They stay." })?;
    Ok(None)
}
// --8<-- [end:agent]

// --8<-- [start:handler]
async fn handler(State(pending): State<Pending>, request: Request) -> Result<Response, Refusal> {
    let run = begin(request, &RunOptions::default()).await?;
    let mut waiting = pending.lock().unwrap_or_else(PoisonError::into_inner);
    let asked = waiting.get(&run.input().thread_id).cloned();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis());
    run.input().check_resume(asked.as_slice(), i64::try_from(now).unwrap_or(i64::MAX))?; // 422 without an answer
    waiting.remove(&run.input().thread_id);
    drop(waiting);
    let work = async move |run: Run| agent(&run, asked, &pending);
    Ok(stream(run, work, &RunOptions::default()))
}
// --8<-- [end:handler]

/// Makes the application.
pub fn app() -> Router {
    Router::new().route("/", post(handler)).with_state(Pending::default())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> std::io::Result<()> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:8000").await?;
    axum::serve(listener, app()).await
}
