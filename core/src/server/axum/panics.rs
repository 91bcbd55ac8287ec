//! Catches panics of agents: a panic ends only its run, and its place is logged.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

/// File, line and column, as far as they are known.
pub(super) type Place = String;

thread_local! {
    static IS_WATCHED: Cell<bool> = const { Cell::new(false) };
    static PLACE: RefCell<Option<Place>> = const { RefCell::new(None) };
}

/// Runs a function that may panic. The panic's message is not passed on, because it may contain anything.
pub(super) fn watch<R>(work: impl FnOnce() -> R) -> Result<R, Place> {
    note_places();
    let before = IS_WATCHED.replace(true);
    let done = catch_unwind(AssertUnwindSafe(work));
    IS_WATCHED.set(before);
    done.map_err(|_| PLACE.take().unwrap_or_else(|| "unknown".to_owned()))
}

/// Installs a panic hook, once: only a hook gets the place of a panic. The previous hook is still called. If the
/// application replaces this hook, panics are still caught, but without a place.
fn note_places() {
    static ONCE: Once = Once::new();
    if std::thread::panicking() {
        return;
    }
    ONCE.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |panic| {
            if IS_WATCHED.get() {
                PLACE.set(panic.location().map(ToString::to_string));
            }
            before(panic);
        }));
    });
}
