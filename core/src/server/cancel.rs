//! The cancellation of an agent, and the tasks that wait for it.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

/// The tasks that wait for the cancellation. They hold no reference to the run, so waiting does not keep it alive.
#[derive(Debug, Default)]
pub(super) struct Waiters(Mutex<WaiterList>);

#[derive(Debug, Default)]
struct WaiterList {
    are_released: bool,
    last: u64,
    wakers: BTreeMap<u64, Waker>,
}

impl Waiters {
    pub fn are_released(&self) -> bool {
        self.lock().are_released
    }

    /// Wakes all waiting tasks; later ones do not wait.
    pub fn release(&self) {
        let mut waiting = self.lock();
        waiting.are_released = true;
        let wakers = std::mem::take(&mut waiting.wakers);
        drop(waiting);
        wakers.into_values().for_each(Waker::wake);
    }

    fn lock(&self) -> MutexGuard<'_, WaiterList> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A future that completes when the waiters are released.
#[derive(Debug)]
pub(super) struct Cancelled {
    waiters: Arc<Waiters>,
    /// The key of this waiter.
    place: Option<u64>,
}

impl Cancelled {
    pub fn new(waiters: Arc<Waiters>) -> Self {
        Self { waiters, place: None }
    }
}

impl Future for Cancelled {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let waiters = Arc::clone(&self.waiters);
        let mut waiting = waiters.lock();
        if waiting.are_released {
            return Poll::Ready(());
        }
        let place = *self.place.get_or_insert_with(|| {
            waiting.last += 1;
            waiting.last
        });
        waiting.wakers.insert(place, context.waker().clone());
        Poll::Pending
    }
}

impl Drop for Cancelled {
    fn drop(&mut self) {
        if let Some(place) = self.place {
            self.waiters.lock().wakers.remove(&place);
        }
    }
}
