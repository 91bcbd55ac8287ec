//! The reasons for which an operation has no reply.

use crate::error::{Code, Error};

/// The error of a file that cannot be used now.
pub fn unavailable(detail: impl Into<String>) -> Error {
    Error::new(Code::LogUnavailable, detail)
        .advise("repair the cause that the detail names; stored events stay")
}

/// The reason for which a table cannot be read or written.
#[derive(Debug)]
pub enum Failure {
    /// SQLite has failed: the disk is full, another process writes too long, the file is damaged.
    Sqlite(rusqlite::Error),
    /// The file has bytes that this engine does not write.
    Damaged,
    /// A read has to write, since it has found a run that is lost.
    MustWrite,
}

impl Failure {
    /// True if another process writes for longer than the time to wait.
    pub fn is_busy(&self) -> bool {
        let busy = rusqlite::ErrorCode::DatabaseBusy;
        matches!(self, Self::Sqlite(error) if error.sqlite_error_code() == Some(busy))
    }
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Sqlite(error) => {
                use rusqlite::ErrorCode::{DatabaseCorrupt, NotADatabase};
                let is_damaged = matches!(error.sqlite_error_code(), Some(DatabaseCorrupt | NotADatabase));
                let detail = format!("SQLite: {error}");
                if is_damaged { Self::new(Code::LogUnreadable, detail) } else { unavailable(detail) }
            }
            Failure::Damaged => Self::new(Code::LogUnreadable, "the file has unexpected bytes"),
            Failure::MustWrite => unavailable("a read cannot write"),
        }
    }
}
