//! Texts at run time against the interpreter, bit for bit; what is refused; what users do with them.

#![allow(unreachable_pub)]

mod calls;
mod code;
mod data;
mod filetests;
mod fuzz;
mod limits;
mod source;

#[path = "../../../kernel/tests/it/fuzz/generate.rs"]
#[allow(dead_code)]
mod generate;

/// Runs one test again in a process of its own, with a variable set by which it knows.
fn alone(test: &str, variable: &str) {
    let this = std::env::current_exe().expect("the test");
    let child =
        std::process::Command::new(this).args(["--exact", test]).env(variable, "1").output().expect("it starts");
    assert!(child.status.success(), "{}", String::from_utf8_lossy(&child.stdout));
}
