//! The rules of the client, on the cases that all three languages read; and what their numbers may be.

use std::time::Duration;

use ag_ui_native::bindings::client::{
    Address, Attempt, Limit, Payload, ResponseHead, Retry, Timeout, ToolCallFilter, answer_tool,
    build_resume, check_header, check_redirect, frame_message, is_reserved, prepare, read_members,
};
use ag_ui_native::types::{Interrupt, ResumeEntry, ResumeStatus};
use ag_ui_native::{Code, Event, Limits, Profile, ProtocolVersion, from_json, to_json};
use serde_json::{Value, json};

fn cases(section: &str) -> Vec<Value> {
    let text = include_str!("../../../tests/fixtures/client/client_rules.json");
    let cases: Value = serde_json::from_str(text).unwrap();
    cases[section].as_array().unwrap().clone()
}

/// A time in 2026, between the expired and the unexpired entries of the cases.
const NOW: i64 = 1_767_225_600_000;

#[test]
fn headers() {
    for case in cases("headers") {
        let checked = check_header(case["name"].as_str().unwrap(), case["value"].as_str().unwrap());
        assert_eq!(checked.is_ok(), case["valid"], "{case}");
        if let Err(error) = checked {
            assert_eq!(error.code(), Code::InvalidHeader);
            assert_eq!(error.path(), format!("/headers/{}", case["name"].as_str().unwrap()));
        }
    }
    let text = include_str!("../../../tests/fixtures/client/client_rules.json");
    let all: Value = serde_json::from_str(text).unwrap();
    for (answer, expected) in [("yes", true), ("no", false)] {
        for name in all["reserved"][answer].as_array().unwrap() {
            assert_eq!(is_reserved(name.as_str().unwrap()), expected, "{name}");
        }
    }
}

#[test]
fn addresses() {
    for case in cases("addresses") {
        let address = Address::of(case["of"].as_str().unwrap());
        assert_eq!(address.url, case["url"], "{case}");
        assert_eq!(address.authorization.as_deref(), case["authorization"].as_str(), "{case}");
        assert!(!format!("{address:?}").contains("Basic"));
    }
    for case in cases("redirectedAddresses") {
        let before = case["before"].as_str().map(str::to_owned);
        let before = Address { authorization: before, ..Address::of("https://a.example") };
        let there = before.redirected(case["to"].as_str().unwrap(), case["sameOrigin"].as_bool().unwrap());
        assert_eq!(there.url, case["url"], "{case}");
        assert_eq!(there.authorization.as_deref(), case["authorization"].as_str(), "{case}");
    }
}

#[test]
fn redirects() {
    for case in cases("redirects") {
        let number = |name: &str| case[name].as_u64().unwrap();
        let flag = |name: &str| case[name].as_bool().unwrap();
        let status = u16::try_from(number("status")).unwrap();
        let followed = usize::try_from(number("followed")).unwrap();
        let text = |name: &str| case[name].as_str().unwrap();
        let checked = check_redirect(status, followed, text("from"), text("to"), flag("anyOrigin"));
        assert_eq!(checked.as_ref().ok().copied(), case["sameOrigin"].as_bool(), "{case}");
        assert!(checked.err().is_none_or(|error| error.code() == Code::RedirectRefused));
    }
}

#[test]
fn calls_of_some_tools() {
    let text = include_str!("../../../tests/fixtures/client/tool_filter.json");
    let cases: Vec<Value> = serde_json::from_str(text).unwrap();
    for case in cases {
        let names = |member: &str| {
            case[member].as_array().map(|all| all.iter().map(|name| name.as_str().unwrap().to_owned()))
        };
        let mut filter = match (names("allow"), names("deny")) {
            (Some(names), None) => ToolCallFilter::allow(names),
            (_, names) => ToolCallFilter::deny(names.unwrap()),
        };
        let mut passed = Vec::new();
        for event in case["events"].as_array().unwrap() {
            let (event, _) = from_json::<Event>(event.to_string(), Profile::Relay).unwrap();
            for event in filter.push(event).unwrap() {
                passed.push(serde_json::from_str::<Value>(&to_json(&event)).unwrap());
            }
        }
        assert_eq!(Value::from(passed), case["passed"], "{}", case["name"]);
    }
}

#[test]
fn failures() {
    for case in cases("failures") {
        let status = u16::try_from(case["status"].as_u64().unwrap()).unwrap();
        let head = ResponseHead { status, content_type: case["contentType"].as_str() };
        let (error, payload) = head.failure(case["body"].as_str().unwrap().as_bytes());
        assert_eq!(error.code(), Code::HttpError);
        assert!(error.to_string().contains(case["says"].as_str().unwrap()), "{error}");
        let payload = match payload {
            Payload::Json(value) => serde_json::from_str(&to_json_value(&value)).unwrap(),
            Payload::Text(text) => Value::from(text),
        };
        assert_eq!(payload, case["payload"], "{case}");
    }
    let long = "x".repeat(ResponseHead::MOST_PAYLOAD + 1);
    let (_, payload) = ResponseHead { status: 500, content_type: None }.failure(long.as_bytes());
    assert_eq!(payload, Payload::Text("x".repeat(ResponseHead::MOST_PAYLOAD)));
}

fn to_json_value(value: &ag_ui_native::Value) -> String {
    serde_json::to_string(value).unwrap()
}

#[test]
fn limits() {
    let milliseconds = |value: &Value| value.as_u64().map(Duration::from_millis);
    for case in cases("limits") {
        let timeout =
            Timeout::ALL.iter().copied().find(|timeout| timeout.as_str() == case["timeout"]).unwrap();
        let own = milliseconds(&case["lasts"]).map(|lasts| Limit { lasts, timeout });
        // A clock that goes back has not passed anything.
        let (passed, total) =
            (milliseconds(&case["passed"]).unwrap_or_default(), milliseconds(&case["total"]));
        let (left, limit) = Limit::within(own, total, passed).unwrap();
        assert_eq!(
            (Some(left), limit.timeout.as_str().into()),
            (milliseconds(&case["left"]), case["limit"].clone())
        );
        assert_eq!(
            Some(limit.lasts),
            if limit.timeout == timeout { milliseconds(&case["lasts"]) } else { total }
        );
        // Without a limit of the call, the wait has its own.
        assert_eq!(Limit::within(own, None, passed), own.map(|own| (own.lasts, own)));
    }
}

#[test]
fn pauses() {
    for case in cases("pauses") {
        let milliseconds = |value: &Value| value.as_u64().map(Duration::from_millis);
        let (given, default) = (&case["retry"], Retry::default());
        let retry = Retry {
            attempts: given["attempts"].as_u64().map_or(default.attempts, |n| u32::try_from(n).unwrap()),
            first: milliseconds(&given["first"]).unwrap_or(default.first),
            longest: milliseconds(&given["longest"]).unwrap_or(default.longest),
            jitter: given["jitter"].as_f64().unwrap_or(default.jitter),
        };
        let attempt = Attempt {
            number: u32::try_from(case["attempt"].as_u64().unwrap()).unwrap(),
            code: *Code::ALL.iter().find(|code| code.as_str() == case["code"]).unwrap(),
            status: case["status"].as_u64().map(|status| u16::try_from(status).unwrap()),
            timeout: Timeout::ALL.iter().copied().find(|timeout| timeout.as_str() == case["timeout"]),
            retry_after: case["retryAfter"].as_str(),
            now: case["now"].as_i64().unwrap_or(NOW),
            chance: case["chance"].as_f64().unwrap(),
        };
        assert_eq!(retry.pause(&attempt), milliseconds(&case["pause"]), "{case}");
    }
}

#[test]
fn odd_numbers_make_no_odd_pauses() {
    for odd in [f64::NAN, f64::INFINITY, -1.0, 7.0] {
        let retry = Retry { attempts: u32::MAX, jitter: odd, ..Retry::default() };
        let attempt = Attempt {
            number: u32::MAX - 1,
            code: Code::ConnectionFailed,
            status: None,
            timeout: None,
            retry_after: None,
            now: i64::MIN,
            chance: odd,
        };
        assert!(retry.pause(&attempt).unwrap() <= retry.longest);
        let dated = Attempt { retry_after: Some("Fri, 31 Dec 9999 23:59:59 GMT"), ..attempt };
        assert_eq!(retry.pause(&dated), None);
    }
}

fn interrupts(case: &Value) -> Vec<Interrupt> {
    let given = case["pending"].as_array().into_iter().flatten();
    given.map(|interrupt| from_json(interrupt.to_string(), Profile::Strict).unwrap().0).collect()
}

#[test]
fn inputs() {
    for case in cases("inputs") {
        let mut input = read_members(&case["given"].to_string(), Limits::default()).unwrap();
        let peer = case["peer"].as_str().and_then(ProtocolVersion::parse);
        match prepare(&mut input, &interrupts(&case), peer, NOW) {
            Ok(_) => {
                let sent: Value = serde_json::from_str(&to_json(&input)).unwrap();
                assert_eq!(sent, case["sent"], "{case}");
            }
            Err(error) if case["rule"].is_null() => {
                assert_eq!(error.code().as_str(), case["code"], "{error}");
            }
            Err(error) => assert_eq!(error.rule().unwrap().as_str(), case["rule"], "{error}"),
        }
    }
}

#[test]
fn ids_are_made_where_they_are_empty() {
    let given = json!({"threadId": "", "runId": "", "parentRunId": "", "messages": []}).to_string();
    let made = || {
        let mut input = read_members(&given, Limits::default()).unwrap();
        prepare(&mut input, &[], None, NOW).unwrap();
        assert_eq!(input.parent_run_id, None);
        (input.thread_id, input.run_id)
    };
    let (first, second) = (made(), made());
    assert!(first.0.starts_with("thread-") && first.1.starts_with("run-"));
    assert!(first.0 != second.0 && first.1 != second.1);
}

#[test]
fn resumes() {
    for case in cases("resumes") {
        let ids = |name: &str| {
            let ids = case[name].as_array().unwrap().iter();
            ids.map(|id| id.as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        let pending: Vec<_> = ids("pending").iter().map(|id| Interrupt::new(id.as_str(), "ask")).collect();
        let answers =
            ids("answers").into_iter().map(|id| ResumeEntry::new(id, ResumeStatus::Resolved)).collect();
        match build_resume(&pending, answers, NOW) {
            Ok(built) => {
                let order: Vec<_> = built.into_iter().map(|entry| entry.interrupt_id).collect();
                assert_eq!(order, ids("order"), "{case}");
            }
            Err(error) => assert_eq!(error.code().as_str(), case["code"], "{error}"),
        }
    }
}

#[test]
fn messages_of_a_socket() {
    let limits = Limits::default();
    for case in cases("messages") {
        let frame = frame_message(case["text"].as_str().unwrap().as_bytes(), false, false, &limits).unwrap();
        assert_eq!(String::from_utf8(frame).unwrap(), case["frame"].as_str().unwrap());
    }
    assert_eq!(frame_message(b"ab", true, true, &limits).unwrap(), [0, 0, 0, 2, b'a', b'b']);
    let error = frame_message(b"abc", true, true, &limits.with_event_bytes(2)).unwrap_err();
    assert_eq!(error.limit, Some("event_bytes"));
}

#[test]
fn answers_of_tools() {
    let answer = |answer| -> Value {
        serde_json::from_str(&to_json(&answer_tool("call", answer, &Limits::default()))).unwrap()
    };
    let good = answer(Ok("7".to_owned()));
    assert_eq!((&good["role"], &good["content"], good.get("error")), (&json!("tool"), &json!("7"), None));
    let bad = answer(Err("no".to_owned()));
    assert_eq!(
        (&bad["toolCallId"], &bad["content"], &bad["error"]),
        (&json!("call"), &json!("no"), &json!("no"))
    );
}
