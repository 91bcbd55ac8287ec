//! Snippets of docs/: an agent over HTTP is asked, through a middleware; an event is read in three ways.

use ag_ui_native::client::{ClientError, Events, HttpAgent, Next};
use ag_ui_native::server::{Run, axum::agent};
use ag_ui_native::types::{CustomEvent, RawEvent, RunAgentInput};
use ag_ui_native::{Error, Event, Value};
use axum::Router;

// --8<-- [start:middleware]
fn quiet(input: RunAgentInput, next: Next) -> Events {
    Events::generate(|sink| async move {
        let mut events = next.run(input);
        while let Some(event) = events.next().await {
            match event? {
                Event::Raw(_) => {}
                other => sink.send(other).await,
            }
        }
        Ok(())
    })
}
// --8<-- [end:middleware]

async fn answer(run: Run) -> Result<Option<Value>, Error> {
    run.send(RawEvent::new("unseen"))?;
    run.send(CustomEvent::new("seen", 1))?;
    run.text_message()?.write("Swim.")?;
    Ok(None)
}

async fn ask(url: &str, token: &str) -> Result<(), ClientError> {
    // --8<-- [start:ask]
    let mut agent = HttpAgent::new(url).with_header("authorization", token);
    let reply = agent.ask("What is to be done?").await?;
    assert_eq!(reply.text(), "Swim.");
    // --8<-- [end:ask]
    Ok(())
}

#[tokio::test(flavor = "current_thread")]
async fn the_snippets_of_the_client_do_what_they_say() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    tokio::spawn(async { axum::serve(listener, Router::new().route("/", agent(answer))).await });
    ask(&url, "secret").await.unwrap();

    let mut agent = HttpAgent::new(&url).with_middleware(quiet);
    let mut run = agent.run(ag_ui_native::client::RunParameters::default());
    let mut kinds = Vec::new();
    while let Some(event) = run.next().await {
        kinds.push(event.unwrap().tag().to_owned());
    }
    assert!(kinds.iter().any(|kind| kind == "CUSTOM"), "{kinds:?}");
    assert!(!kinds.iter().any(|kind| kind == "RAW"), "{kinds:?}");
}

#[test]
fn an_event_is_read_in_three_ways() -> Result<(), Error> {
    // --8<-- [start:profiles]
    use ag_ui_native::{Code, Event, Profile, from_json, to_json};

    let text = r#"{"type":"STEP_STARTED","stepName":"plan","color":"red"}"#;
    assert!(from_json::<Event>(text, Profile::Strict).is_err());

    let (event, warnings) = from_json::<Event>(text, Profile::Tolerant)?;
    assert_eq!((warnings[0].code, &*warnings[0].path), (Code::UnknownField, "/color"));
    assert_eq!(to_json(&event), r#"{"type":"STEP_STARTED","stepName":"plan"}"#);

    let (event, _) = from_json::<Event>(text, Profile::Relay)?;
    assert_eq!(to_json(&event), text);
    // --8<-- [end:profiles]
    Ok(())
}
