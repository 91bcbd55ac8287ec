//! The file of a store: its format, its permissions, its connections.

use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, Transaction, TransactionBehavior};

use super::clock::Clock;
use super::failure::{Failure, unavailable};
use super::options::{SqliteOptions, Synchronous};
use super::tables::nanos;
use crate::error::{Code, Error};

/// The format that this version writes, as `user_version`.
const FORMAT: i64 = 1;
/// "AGUI", as `application_id`.
const APPLICATION: i64 = 0x4147_5549;
/// The number of statements whose compiled form is kept.
const STATEMENTS: usize = 64;
/// The bytes of the write-ahead log that stay on disk when it is empty.
const WAL_BYTES: i64 = 16 << 20;

/// Opens the connection that writes. A new file gets its tables.
pub fn open_writer(path: &Path, options: &SqliteOptions, clock: &Clock) -> Result<Connection, Error> {
    create_private(path)?;
    let connection = connect(path, options)?;
    // A file of another application stays as it is.
    check_format(&connection)?;
    use_write_ahead_log(&connection, options.busy_timeout)?;
    prepare_tables(&connection, clock)?;
    Ok(connection)
}

/// Opens the connection that reads. The file has its tables already.
pub fn open_reader(path: &Path, options: &SqliteOptions) -> Result<Connection, Error> {
    let connection = connect(path, options)?;
    connection.pragma_update(None, "query_only", true).map_err(Failure::from)?;
    Ok(connection)
}

/// Creates the file for its owner alone. SQLite gives the files beside it the same permissions.
fn create_private(path: &Path) -> Result<(), Error> {
    let mut options = OpenOptions::new();
    // A file that exists is not opened: closing it would end the locks of this process.
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => {
            Err(unavailable(format!("{}: {error}", path.display())))
        }
        _ => Ok(()),
    }
}

fn connect(path: &Path, options: &SqliteOptions) -> Result<Connection, Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    configure(Connection::open_with_flags(path, flags), options).map_err(|error| Failure::from(error).into())
}

fn configure(opened: rusqlite::Result<Connection>, options: &SqliteOptions) -> rusqlite::Result<Connection> {
    let connection = opened?;
    connection.busy_timeout(options.busy_timeout)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    // A child after a fork closes the connections of its parent, and must not touch their files.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    let synchronous = match options.synchronous {
        Synchronous::Normal => "NORMAL",
        Synchronous::Full => "FULL",
    };
    connection.pragma_update(None, "synchronous", synchronous)?;
    // On macOS the disk has the bytes only then.
    connection.pragma_update(None, "fullfsync", options.synchronous == Synchronous::Full)?;
    if let Some(bytes) = options.max_bytes {
        let page: i64 = connection.pragma_query_value(None, "page_size", |row| row.get(0))?;
        let pages = i64::try_from(bytes).unwrap_or(i64::MAX) / page.max(1);
        connection.pragma_update_and_check(None, "max_page_count", pages.max(1), |_| Ok(()))?;
    }
    Ok(connection)
}

/// Two processes that change the mode at once do not wait for each other by themselves.
fn use_write_ahead_log(connection: &Connection, patience: Duration) -> Result<(), Error> {
    let begin = Instant::now();
    loop {
        match connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get::<_, String>(0)) {
            Ok(mode) if mode == "wal" => break,
            Ok(_) => {
                return Err(unavailable(
                    "SQLite cannot use a write-ahead log here; expected a file on a local disk",
                ));
            }
            Err(error)
                if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
                    && begin.elapsed() < patience =>
            {
                std::thread::sleep(Duration::from_millis(2));
            }
            Err(error) => return Err(Failure::from(error).into()),
        }
    }
    connection
        .pragma_update_and_check(None, "journal_size_limit", WAL_BYTES, |_| Ok(()))
        .map_err(Failure::from)?;
    Ok(())
}

fn prepare_tables(connection: &Connection, clock: &Clock) -> Result<(), Error> {
    let fail = |error| Error::from(Failure::Sqlite(error));
    let transaction = Transaction::new_unchecked(connection, TransactionBehavior::Immediate).map_err(fail)?;
    check_format(&transaction)?;
    if is_empty(&transaction).map_err(fail)? {
        create_tables(&transaction).map_err(fail)?;
    }
    begin_boot(&transaction, clock).map_err(fail)?;
    transaction.commit().map_err(fail)
}

fn is_empty(connection: &Connection) -> rusqlite::Result<bool> {
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0))?;
    let [application, format] = marks(connection)?;
    Ok(tables == 0 && application == 0 && format == 0)
}

fn create_tables(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    transaction.execute_batch(include_str!("schema.sql"))?;
    transaction.pragma_update(None, "application_id", APPLICATION)?;
    transaction.pragma_update(None, "user_version", FORMAT)
}

fn marks(connection: &Connection) -> rusqlite::Result<[i64; 2]> {
    let mark = |name| connection.pragma_query_value(None, name, |row| row.get(0));
    Ok([mark("application_id")?, mark("user_version")?])
}

/// Refuses a file that has something, but not the tables of this format.
fn check_format(connection: &Connection) -> Result<(), Error> {
    if is_empty(connection).map_err(Failure::from)? {
        return Ok(());
    }
    let [application, format] = marks(connection).map_err(Failure::from)?;
    if application != APPLICATION {
        return Err(Error::new(Code::LogUnreadable, "the file is a database of another application"));
    }
    if format != FORMAT {
        let detail = format!("the file has format {format}; this version reads format {FORMAT}");
        return Err(Error::new(Code::LogUnreadable, detail));
    }
    Ok(())
}

/// Once for each start of the machine: leases of an earlier one are over, and what is kept begins its time anew. A run without an end
/// may have lost its last frames with the machine's power: its log gets another identity, so that their numbers do not mean others.
fn begin_boot(transaction: &Transaction<'_>, clock: &Clock) -> rusqlite::Result<()> {
    let known =
        transaction.query_row("SELECT count(*) FROM boot WHERE id = ?1", [&clock.boot], |row| row.get(0));
    if known? {
        return Ok(());
    }
    transaction.execute("UPDATE logs SET incarnation = randomblob(16) WHERE NOT is_closed", [])?;
    transaction.execute("DELETE FROM boot", [])?;
    transaction.execute("INSERT INTO boot VALUES (?1)", [&clock.boot])?;
    // The sum of two such numbers is none that SQLite makes inexact.
    let (now, longest) = (nanos(clock.now()).min(i64::MAX / 2), i64::MAX / 2);
    transaction
        .execute("UPDATE logs SET lease_until = 0, expires_at = ?1 + min(keep, ?2)", [now, longest])?;
    transaction.execute("UPDATE threads SET expires_at = ?1 + min(keep, ?2)", [now, longest])?;
    Ok(())
}
