//! Writes the files that are generated from the declaration: `make generate`. With `--check`, only lists the outdated
//! ones.
#![allow(clippy::print_stdout)] // It is a command.

mod examples;
mod proto;
mod python;
mod reference;
mod rust;
mod specification;
mod typescript;

use std::path::Path;
use std::process::ExitCode;

/// A generated file: its path below the project's root, and its text.
type File = (String, String);

/// Returns every generated file.
fn files() -> Vec<File> {
    let faces = [python::files(), typescript::files(), rust::files()];
    [faces.concat(), reference::files(), specification::files(), proto::files()].concat()
}

fn main() -> ExitCode {
    let check = std::env::args().any(|argument| argument == "--check");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut stale = 0;
    for (path, text) in files() {
        let target = root.join(&path);
        if std::fs::read_to_string(&target).is_ok_and(|current| current == text) {
            continue;
        }
        if check {
            println!("stale: {path}");
            stale += 1;
        } else {
            if let Some(folder) = target.parent() {
                std::fs::create_dir_all(folder).expect("the folder can be made");
            }
            std::fs::write(&target, text).expect("the file can be written");
            println!("wrote {path}");
        }
    }
    if stale > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
