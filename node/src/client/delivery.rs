//! Plans the calls of subscribers, for JavaScript: the function that `DeliveryFunction` in `lib/native/native.cts` describes.

use std::cell::RefCell;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ag_ui_native::bindings::client::{
    Callback, CallbackResult, Callbacks, Counts, Delivered, Delivery, DeliveryStep, Notify, Plans, Reduce,
    Reduced,
};
use ag_ui_native::bindings::reduce::ChangeKind;
use ag_ui_native::types::EventType;
use ag_ui_native::{Object, Profile, Value, from_json};
use napi::bindgen_prelude::Unknown;
use napi::{Env, Result};

use crate::error;
use crate::node_api::{Handle, JsCall, function};

/// A delivery, and a buffer for texts that cross.
struct Machine {
    plans: Plans,
    room: Vec<u8>,
}

/// Makes the function. `subscribers` has the names of the callbacks of each, as JSON text. With `reports_changes`, results have the changes
/// of events, even if no subscriber is notified of them.
pub fn delivery_function(env: Env, subscribers: &str, reports_changes: bool) -> Result<Unknown<'static>> {
    let by_name: HashMap<String, Callback> =
        Callback::all().map(|callback| (error::camel_case(&callback.name()), callback)).collect();
    let given = from_json::<Value>(subscribers, Profile::Tolerant).map_or(Value::Null, |(value, _)| value);
    let known = |names: &Value| -> Callbacks {
        let names = names.as_array().unwrap_or_default().iter().filter_map(Value::as_str);
        names.filter_map(|name| by_name.get(name).copied()).collect()
    };
    let subscribers = given.as_array().unwrap_or_default().iter().map(known);
    let mut delivery = Delivery::new(subscribers);
    if reports_changes {
        delivery = delivery.reporting_changes();
    }
    let machine = Machine { plans: Plans::new(delivery), room: Vec::new() };
    let call = JsCall::of(&env);
    call.returned(function(&call, c"delivery", RefCell::new(machine), answer)?)
}

fn answer<'c>(
    call: &mut JsCall<'c>,
    machine: &RefCell<Machine>,
    [what, about, flags]: [Handle<'c>; 3],
) -> Option<Handle<'c>> {
    // No JavaScript runs during the borrow.
    let mut machine = machine.try_borrow_mut().ok()?;
    let what = call.text(what, &mut machine.room)?;
    let flags = call.int(flags).unwrap_or_default();
    let place = call.int(about);
    let about =
        if place.is_some() { String::new() } else { call.text(about, &mut machine.room).unwrap_or_default() };
    match what.as_str() {
        "plan" => return call.string(&written(machine.plans.plan())),
        "wantsEvents" => return call.uint(u32::from(machine.plans.delivery().wants_events())),
        _ => {}
    }
    let plan =
        catch_unwind(AssertUnwindSafe(|| machine.feed(&what, &about, place.unwrap_or_default(), flags)));
    match plan {
        Ok(Some(plan)) => call.uint(plan),
        Ok(None) => Some(call.null()),
        Err(_) => None,
    }
}

impl Machine {
    /// Gives an input to the delivery. Returns the number of the plan that follows; `None` if too many plans have one.
    fn feed(&mut self, what: &str, about: &str, place: i64, flags: i64) -> Option<u32> {
        let [stop, messages, state] = [1, 2, 4].map(|flag| flags & flag != 0);
        let kinds = || about.split(',').filter_map(ChangeKind::named);
        let reduced = || Reduced { messages, state, ..Reduced::default() }.with_kinds(kinds());
        let ticket = self.plans.ticket(u32::try_from(place).ok());
        self.plans.feed(|delivery| match what {
            "initialized" => delivery.initialized(),
            "failed" => delivery.failed(),
            "finalized" => delivery.finalized(),
            "event" => delivery.event(EventType::parse(about)),
            "changed" => delivery.changed(reduced()),
            "reduced" => delivery.reduced(reduced()),
            "answered" => delivery.answered(ticket, CallbackResult { stop, messages, state }),
            "raised" => delivery.raised(ticket),
            "absent" => delivery.absent(ticket),
            "left" => delivery.left(ticket),
            "cut" => delivery.cut(),
            _ => DeliveryStep::Wait,
        })
    }
}

fn written(plan: &[DeliveryStep]) -> String {
    let steps: Vec<Value> = plan.iter().map(|step| described(*step).into()).collect();
    error::text(&steps.into())
}

fn described(step: DeliveryStep) -> Object {
    match step {
        DeliveryStep::Notify(Notify { callback, subscriber, subject, .. }) => {
            let mut step = Object::from([("notify", Value::from(error::camel_case(&callback.name())))]);
            step.insert("subscriber", number(subscriber));
            if let Some(subject) = subject {
                step.insert("subject", number(subject));
            }
            step
        }
        DeliveryStep::Reduce(how) => {
            let how = match how {
                Reduce::Whole => "whole",
                Reduce::Begin => "begin",
                Reduce::End => "end",
            };
            Object::from([("reduce", Value::from(how))])
        }
        DeliveryStep::Done(Delivered { stopped, messages, state, counts }) => {
            let counts = match counts {
                Counts::Whole => "whole",
                Counts::End => "end",
                Counts::BareEnd => "bareEnd",
                Counts::Nothing => "nothing",
            };
            let mut done = Object::from([("done", Value::from(counts))]);
            done.insert("stopped", stopped);
            done.insert("messages", messages);
            done.insert("state", state);
            done
        }
        DeliveryStep::Raise => Object::from([("raise", Value::from(true))]),
        DeliveryStep::Wait => Object::from([("wait", Value::from(true))]),
    }
}

fn number(place: usize) -> Value {
    i64::try_from(place).unwrap_or(i64::MAX).into()
}
