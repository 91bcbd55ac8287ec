//! The thread that notices writes of other processes at once. Only Linux has it; where the system refuses it, the file is
//! looked at from time to time.

#[cfg(target_os = "linux")]
pub use linux::{Notice, notice};

#[cfg(target_os = "linux")]
mod linux {
    use std::io;
    use std::os::fd::OwnedFd;
    use std::path::Path;
    use std::sync::Arc;
    use std::sync::mpsc::Sender;
    use std::thread;
    use std::time::Duration;

    use rustix::event::{EventfdFlags, PollFd, PollFlags, eventfd, poll};
    use rustix::fs::inotify;
    use rustix::io::Errno;

    use crate::durable::sqlite::job::Message;

    /// The time for which changes are gathered: a busy file wakes the process once in it.
    const GATHER: Duration = Duration::from_millis(1);

    /// Ends its thread when it is dropped.
    pub struct Notice {
        end: Arc<OwnedFd>,
    }

    impl Drop for Notice {
        fn drop(&mut self) {
            let _ = rustix::io::write(&self.end, &1_u64.to_ne_bytes());
        }
    }

    /// Sends [`Message::Look`] when a process writes to the write-ahead log of this database.
    pub fn notice(database: &Path, writer: Sender<Message>) -> io::Result<Notice> {
        let mut log = database.as_os_str().to_owned();
        log.push("-wal");
        let changes = inotify::init(inotify::CreateFlags::CLOEXEC | inotify::CreateFlags::NONBLOCK)?;
        inotify::add_watch(&changes, log.as_os_str(), inotify::WatchFlags::MODIFY)?;
        let end = Arc::new(eventfd(0, EventfdFlags::CLOEXEC)?);
        let ended = Arc::clone(&end);
        let run = move || {
            while wait(&changes, &ended) && writer.send(Message::Look).is_ok() {
                thread::sleep(GATHER);
            }
        };
        thread::Builder::new().name("ag-ui-log-notice".into()).spawn(run)?;
        Ok(Notice { end })
    }

    /// Waits for a change. Returns false at the end.
    fn wait(changes: &OwnedFd, end: &OwnedFd) -> bool {
        let mut both = [PollFd::new(changes, PollFlags::IN), PollFd::new(end, PollFlags::IN)];
        loop {
            match poll(&mut both, None) {
                Err(Errno::INTR) => {}
                Ok(_) if both[1].revents().is_empty() => break,
                _ => return false,
            }
        }
        // The kernel joins changes that are not read yet: one of them says as much as many.
        let mut events = [0_u8; 1024];
        while rustix::io::read(changes, &mut events).is_ok_and(|count| count > 0) {}
        true
    }
}

#[cfg(not(target_os = "linux"))]
pub struct Notice;

#[cfg(not(target_os = "linux"))]
pub fn notice(
    _: &std::path::Path,
    _: std::sync::mpsc::Sender<super::job::Message>,
) -> std::io::Result<Notice> {
    Err(std::io::ErrorKind::Unsupported.into())
}
