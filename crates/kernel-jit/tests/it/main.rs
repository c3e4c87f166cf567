//! Texts at run time against the interpreter, bit for bit; what is refused; what users do with them.

#![allow(unreachable_pub)]

mod calls;
mod data;
mod filetests;
mod fuzz;
mod limits;
mod source;

#[path = "../../../kernel/tests/it/fuzz/generate.rs"]
#[allow(dead_code)]
mod generate;
