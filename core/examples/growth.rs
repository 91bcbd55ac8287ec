//! Does one kind of work, for a tool that counts its cost: `cargo run --example growth -- NAME SIZE`. Without arguments
//! it lists the names.
#![allow(clippy::print_stdout)] // It is a command.

#[path = "../tests/support/growth.rs"]
mod growth;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, size] = &arguments[..] else {
        return growth::all().for_each(|(name, _)| println!("{name}"));
    };
    let (_, work) = growth::all().find(|(known, _)| known == name).expect("a name that is listed");
    work(size.parse().expect("a size"));
}
