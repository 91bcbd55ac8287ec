//! Numbers that JSON does not have are refused before they are sent. Once they were written as `null`, without an error.

use ag_ui_native::client::{Agent, ClientError, LocalAgent, Response, RunParameters, RunRequest};
use ag_ui_native::server::Run;
use ag_ui_native::types::{CustomEvent, Message, Tool};
use ag_ui_native::{Code, Error, Object, Value, try_to_json};

fn place(error: &Error) -> (Code, &str) {
    (error.code(), error.path())
}

#[tokio::test(flavor = "current_thread")]
async fn in_a_run() {
    let agent = |run: Run| async move {
        let value = Object::from([("heights", vec![1.5, f64::NAN])]);
        let error = run.send(CustomEvent::new("x", value)).unwrap_err();
        assert_eq!(place(&error), (Code::WrongType, "/value/heights/1"));
        let error = run.call_tool("t", &f64::INFINITY.into()).unwrap_err();
        assert_eq!(place(&error), (Code::WrongType, ""));
        let error = run.state_snapshot(f64::NAN).unwrap_err();
        assert_eq!(place(&error), (Code::WrongType, "/snapshot"));
        let id = run.call_tool("t", &1e300.into())?;
        let value = Value::from(Object::from([("heights", vec![1.5, f64::NAN])]));
        assert_eq!(place(&run.tool_result(&id, value).unwrap_err()), (Code::WrongType, "/heights/1"));
        assert_eq!(place(&run.tool_result(&id, Value::from(f64::NAN)).unwrap_err()), (Code::WrongType, ""));
        Ok::<Option<Value>, Error>(Some(f64::NAN.into()))
    };
    let mut agent = LocalAgent::new(agent);
    let run = agent.run_to_end(RunParameters::default()).await.unwrap();
    assert_eq!(run.outcome.map(|outcome| outcome.as_str()), Some("error"));
    let messages = agent.messages().unwrap();
    let [Message::Assistant(message)] = messages.as_slice() else { panic!("{messages:?}") };
    assert_eq!(message.tool_calls.as_ref().unwrap()[0].function.arguments, "1e+300");
    assert_eq!(message.tool_calls.as_ref().unwrap().len(), 1);
}

#[tokio::test(flavor = "current_thread")]
async fn in_what_a_run_is_asked_for_with() {
    let bad = || Value::from(Object::from([("x", f64::NAN)]));
    let asked = RunParameters::default;
    let at = |failure: ClientError| failure.error().path().to_owned();

    let mut agent = LocalAgent::new(|_: Run| async { Ok::<_, Error>(None) }).with_state(bad());
    let failure = agent.run_to_end(asked()).await.unwrap_err();
    assert_eq!((failure.code(), at(failure)), (Code::WrongType, "/state/x".to_owned()));
    agent.set_state(Object::default());
    let failure = agent.run_to_end(asked().with_forwarded_props(bad())).await.unwrap_err();
    assert_eq!((failure.code(), at(failure)), (Code::WrongType, "/forwardedProps/x".to_owned()));
    assert!(agent.run_to_end(asked()).await.unwrap().is_success());

    let mut http = ag_ui_native::client::HttpAgent::new("http://127.0.0.1:1/").with_state(bad());
    let failure = http.run_to_end(asked()).await.unwrap_err();
    assert_eq!((failure.code(), at(failure)), (Code::WrongType, "/state/x".to_owned()));
    let own = |request: RunRequest| async move {
        request.body().and(Err::<Response, _>(Error::new(Code::Internal, "asked")))
    };
    let mut own = Agent::over(own).with_state(bad());
    let failure = own.run_to_end(asked()).await.unwrap_err();
    assert_eq!((failure.code(), at(failure)), (Code::WrongType, "/state/x".to_owned()));
}

#[tokio::test(flavor = "current_thread")]
async fn in_the_answer_of_a_tool() {
    let calls = |run: Run| async move {
        if run.input().messages.is_empty() {
            run.call_tool("measure", &Object::default().into())?;
        }
        Ok::<Option<Value>, Error>(None)
    };
    let measure = |_: Value| async { Ok::<_, std::io::Error>(vec![f64::NEG_INFINITY]) };
    let mut agent = LocalAgent::new(calls).with_tool(Tool::new("measure", ""), measure);
    assert!(agent.run_to_end(RunParameters::default()).await.unwrap().is_success());
    let messages = agent.messages().unwrap();
    let Some(Message::Tool(answer)) = messages.last() else { panic!("{messages:?}") };
    assert_eq!(answer.error.as_deref(), Some("The result is not valid JSON."));
}

#[test]
fn in_text_that_is_asked_for() {
    let event = CustomEvent::new("x", vec![Value::from("NaN"), 1.5.into()]);
    assert_eq!(try_to_json(&event).unwrap(), r#"{"type":"CUSTOM","name":"x","value":["NaN",1.5]}"#);
    let deep = Object::from([("a/b", vec![Value::from(vec![f64::NAN])])]);
    assert_eq!(place(&try_to_json(&deep).unwrap_err()), (Code::WrongType, "/a~1b/0/0"));
    assert_eq!(place(&try_to_json(&Value::from(f64::NAN)).unwrap_err()), (Code::WrongType, ""));
    assert!(serde_json::to_string(&event).is_ok());
    assert!(serde_json::to_string(&CustomEvent::new("x", f64::NAN)).is_err());
}
