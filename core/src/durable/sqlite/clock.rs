//! The time of the machine.

use std::time::Duration;

/// A clock that all processes of the machine share, and the start of the machine from which it counts.
///
/// On Linux it counts the time since the start, sleep included, so a change of the wall clock has no effect. Elsewhere it is the wall
/// clock: leases and times to keep move when it is set.
pub struct Clock {
    /// The id of the start; empty where there is none.
    pub boot: String,
    now: Box<dyn Fn() -> Duration + Send + Sync>,
}

impl Clock {
    pub fn new(boot: &str, now: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        Self { boot: boot.into(), now: Box::new(now) }
    }

    pub fn of_machine() -> Self {
        match boot_id() {
            Some(boot) => Self::new(&boot, time_since_boot),
            None => Self::new("", wall_time),
        }
    }

    pub fn now(&self) -> Duration {
        (self.now)()
    }
}

fn wall_time() -> Duration {
    std::time::UNIX_EPOCH.elapsed().unwrap_or_default()
}

#[cfg(target_os = "linux")]
fn boot_id() -> Option<String> {
    let id = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    Some(id.trim().to_owned()).filter(|id| !id.is_empty())
}

#[cfg(not(target_os = "linux"))]
fn boot_id() -> Option<String> {
    None
}

#[cfg(target_os = "linux")]
fn time_since_boot() -> Duration {
    use rustix::time::{ClockId, clock_gettime};

    Duration::try_from(clock_gettime(ClockId::Boottime)).unwrap_or_default()
}

#[cfg(not(target_os = "linux"))]
fn time_since_boot() -> Duration {
    wall_time()
}
