//! The runs of one call of a client: the function of `Runs`, which `RunsFunction` in `lib/native/native.cts` describes.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ag_ui_native::bindings::client::{
    self, AgentMembers, Cause, EarlyEnd, NextStep, OutcomeKind, RunSum, Runs,
};
use ag_ui_native::types::{Interrupt, TokenUsage};
use ag_ui_native::{Code, Error, Object, Profile, Value, from_json, to_json};
use napi::bindgen_prelude::Unknown;
use napi::{Env, Result};

use crate::client::{object, prepare_with, read as listed};
use crate::error;
use crate::events::json_of;
use crate::node_api::{Handle, JsCall, function};
use crate::options::ReaderOptions;

/// The runs of a call, and a buffer for texts that cross.
struct Machine {
    runs: Runs,
    room: Vec<u8>,
}

/// Makes the function of an agent. `past` is the history of the agent that it copies, as JSON text.
pub fn runs_function(env: Env, past: &str) -> Result<Unknown<'static>> {
    let past = read(past);
    let runs = Runs::with_past(
        pairs(past.as_object().and_then(|past| past.get("used"))),
        strings(past.as_object().and_then(|past| past.get("left"))),
    );
    let machine = Machine { runs, room: Vec::new() };
    let call = JsCall::of(&env);
    call.returned(function(&call, c"runs", RefCell::new(machine), answer)?)
}

fn answer<'c>(
    call: &mut JsCall<'c>,
    machine: &RefCell<Machine>,
    [what, about, peer, options, now, parent, tools, pending]: [Handle<'c>; 8],
) -> Option<Handle<'c>> {
    // No JavaScript runs during the borrow.
    let mut machine = machine.try_borrow_mut().ok()?;
    let Machine { runs, room } = &mut *machine;
    let what = call.text(what, room)?;
    let about = call.text(about, room).unwrap_or_default();
    let answer = if what == "prepare" || what == "passed" {
        let peer = call.text(peer, room);
        let options = call.text(options, room).unwrap_or_default();
        let now = call.text(now, room).and_then(|now| now.parse().ok()).unwrap_or_default();
        let parent_run_id = call.text(parent, room);
        let tools = call.text(tools, room);
        let pending = call.text(pending, room);
        // The buffer of a long conversation is not kept.
        *room = Vec::new();
        catch_unwind(AssertUnwindSafe(|| {
            prepare_with(&about, peer.as_deref(), &options, |input, limits, peer| {
                if what == "passed" {
                    return runs.prepare_from_middleware(input, peer, now);
                }
                let tools =
                    tools.map_or_else(|| Ok(Vec::new()), |tools| client::read_tools(&tools, limits))?;
                let pending: Vec<Interrupt> =
                    pending.map_or_else(|| Ok(Vec::new()), |pending| listed(&pending))?;
                runs.prepare(input, AgentMembers { parent_run_id, tools, run_id: None }, &pending, peer, now)
            })
        }))
    } else {
        catch_unwind(AssertUnwindSafe(|| feed(runs, &what, &about)))
    };
    let answer = answer.unwrap_or_else(|_| Err(Error::new(Code::Internal, "panic")));
    call.string(&answer.unwrap_or_else(|error| format!("{{\"error\":{}}}", error::describe(&error))))
}

/// Gives an input to the machine, or asks it. Ids are plain text, everything else is JSON text.
fn feed(runs: &mut Runs, what: &str, about: &str) -> std::result::Result<String, Error> {
    match what {
        "next" => *runs = next(runs, about),
        "past" => return Ok(past(runs)),
        "observe" => runs.observe(),
        "opened" => opened(runs, about),
        "ended" => ended(runs, about)?,
        "answered" => runs.answered(about),
        "nameLater" => runs.name_later(&texts(about)),
        "end" => return Ok(end(runs, about)),
        "late" => runs.late().map_or(Ok(()), Err)?,
        "callbackDeadline" => return Ok(callback_deadline(runs, about)),
        "isHandled" => return Ok(runs.is_handled(about == "true").to_string()),
        "pending" => return Ok(list(&runs.pending())),
        "calls" => return Ok(list(&calls(runs, about))),
        "nextStep" => return next_step(runs, about == "true"),
        _ => {
            let sums: Vec<String> = runs.all().iter().map(written).collect();
            return Ok(format!("{{\"runs\":[{}],\"usage\":{}}}", sums.join(","), json_of(&runs.usage())));
        }
    }
    Ok("null".to_owned())
}

/// Begins the next call of the agent, which may run the agent this many times.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // What is too much is as much as can be.
fn next(runs: &Runs, max_runs: &str) -> Runs {
    runs.next(max_runs.parse().unwrap_or(f64::MAX) as usize)
}

/// Records that a thread without an active run was opened: `{"lastRunId": …, "waitsForAnswers": …}`.
fn opened(runs: &mut Runs, about: &str) {
    let given = object(about);
    runs.opened(given.text("lastRunId"), given.flag("waitsForAnswers"));
}

/// Ends the call early: `{"error": code, "isAborted": …, "isDetached": …, "hasChanges": …}`.
fn end(runs: &mut Runs, about: &str) -> String {
    let given = read(about);
    let member = |name| given.as_object().and_then(|given| given.get(name));
    let is = |name| member(name) == Some(&Value::from(true));
    let EarlyEnd { removes_message, notifies, raises, reports } = runs.end(Cause {
        error: member("error").and_then(Value::as_str),
        is_aborted: is("isAborted"),
        is_detached: is("isDetached"),
        has_changes: is("hasChanges"),
    });
    format!(
        r#"{{"removesMessage":{removes_message},"notifies":{notifies},"raises":{raises},"reports":{reports}}}"#
    )
}

/// Returns the moment until which the host waits for callbacks: `{"now": …, "ofEnd": …}`.
#[allow(clippy::cast_precision_loss)] // There are no moments of so many digits.
fn callback_deadline(runs: &mut Runs, about: &str) -> String {
    let given = object(about);
    let until = runs.callback_deadline(given.clock_time("now"), given.flag("ofEnd"));
    (until.as_nanos() as f64 / 1e6).to_string()
}

/// The next step: `{"step": …, "call": …}`.
fn next_step(runs: &mut Runs, is_stopped: bool) -> std::result::Result<String, Error> {
    let (step, call) = match runs.next_step(is_stopped)? {
        NextStep::Answer(call) => ("answer", Value::from(call)),
        NextStep::Ask => ("ask", Value::Null),
        NextStep::Finish => ("finish", Value::Null),
        NextStep::Stop => ("stop", Value::Null),
    };
    Ok(error::text(&Object::from([("step", Value::from(step)), ("call", call)]).into()))
}

/// Returns the history for a copy of the agent.
fn past(runs: &Runs) -> String {
    let (used, left) = runs.past();
    let used: Vec<Value> =
        used.into_iter().map(|(thread_id, run_id)| vec![thread_id, run_id].into()).collect();
    error::text(&Object::from([("used", Value::from(used)), ("left", left.into())]).into())
}

/// Returns the calls of `named` that functions answer: `{"named": [[id, name]], "functions": [name]}`.
fn calls(runs: &mut Runs, about: &str) -> Vec<String> {
    let Value::Object(given) = read(about) else { return Vec::new() };
    let functions = strings(given.get("functions"));
    let named = pairs(given.get("named"));
    let named = named.iter().map(|(id, name)| (id.as_str(), name.as_str()));
    let here = runs.calls(named, |name| functions.iter().any(|known| known == name));
    here.into_iter().map(str::to_owned).collect()
}

/// Records the end of the run from the value of a change, with its `outcome` if it has one.
fn ended(runs: &mut Runs, about: &str) -> std::result::Result<(), Error> {
    let Value::Object(end) = read(about) else { return Ok(()) };
    let outcome =
        end.get("outcome").and_then(Value::as_str).map_or(Some(OutcomeKind::Error), OutcomeKind::of);
    let usage = end.get("usage").map_or_else(|| "[]".to_owned(), to_json);
    let (usage, _) = from_json::<Vec<TokenUsage>>(usage, Profile::Tolerant)?;
    runs.ended(outcome.unwrap_or_default(), &usage, &strings(end.get("pendingToolCallIds")));
    Ok(())
}

fn written(run: &RunSum) -> String {
    let mut sum = Object::default();
    sum.insert("runId", run.run_id.as_str());
    sum.insert("outcome", run.outcome.as_str());
    sum.insert("pendingToolCallIds", run.pending_tool_call_ids());
    let sum = error::text(&sum.into());
    format!("{},\"usage\":{}}}", &sum[..sum.len() - 1], json_of(&run.usage))
}

/// Returns the arguments of a call unchanged if the JSON Schema `schema` allows them; otherwise the answer to the agent, as a JSON string.
pub fn read_arguments(
    arguments: &str,
    options: &str,
    schema: Option<&str>,
) -> std::result::Result<String, Error> {
    let limits = ReaderOptions::parse(options)?.limits;
    let given = client::read_arguments(arguments, limits).and_then(|given| {
        let Some(schema) = schema else { return Ok(()) };
        client::check_arguments(&client::read_schema(schema, limits)?, &given)
    });
    Ok(match given {
        Ok(()) => client::arguments_json(arguments).to_owned(),
        Err(wrong) => error::text(&wrong.into()),
    })
}

/// Returns the answer to the agent for arguments that a schema refuses, from places and reasons.
pub fn misfit(issues: &str) -> String {
    client::misfit(pairs(Some(&read(issues))))
}

/// JSON text that JavaScript has written.
fn read(json: &str) -> Value {
    from_json::<Value>(json, Profile::Tolerant).map_or(Value::Null, |(value, _)| value)
}

fn texts(json: &str) -> Vec<String> {
    strings(Some(&read(json)))
}

fn strings(list: Option<&Value>) -> Vec<String> {
    let items = list.and_then(Value::as_array).unwrap_or_default();
    items.iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

fn pairs(list: Option<&Value>) -> Vec<(String, String)> {
    let items = list.and_then(Value::as_array).unwrap_or_default();
    let pair = |item: &Value| {
        let pair = item.as_array()?;
        Some((pair.first()?.as_str()?.to_owned(), pair.get(1)?.as_str()?.to_owned()))
    };
    items.iter().filter_map(pair).collect()
}

fn list(texts: &[String]) -> String {
    error::text(&Value::from(texts.to_vec()))
}
