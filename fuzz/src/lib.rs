//! Damaged inputs for every reader and parser: which, how they are made, and under which limits they are read.
//!
//! Inputs are made from the seeds in `corpus/TARGET` by numbered, repeatable damage. The program `fuzz` reads them in a
//! child process under an allocator with a limit and a watchdog, so that nothing they do ends the run; what a child died
//! of is kept in `found/TARGET`.

pub mod allocator;
pub mod mutate;
pub mod run;
pub mod targets;
