//! What generated code reads, writes and calls.

use std::sync::atomic::AtomicBool;

/// Rounds of loops between two questions whether to go on.
pub(crate) const ROUNDS: i64 = 4096;

/// One run of generated code. Its address is the first argument of every generated function.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct Context {
    /// Rounds of loops until the next question.
    pub(crate) ticks: i32,
    /// Rounds of loops that are left: [`ROUNDS`] fewer after each question, and none left is the end.
    pub(crate) fuel: i64,
    /// Told to stop, because `fuel` was used up or from outside. (Generated code writes 0 or 1.)
    pub(crate) stopped: bool,
    /// Set by whoever wants it to stop; it lives as long as the run.
    pub(crate) interrupt: *const AtomicBool,
    /// Memory of a block loop, as much as it needs.
    pub(crate) memory: *mut u8,
}

extern "C" fn fma64(x: f64, y: f64, z: f64) -> f64 {
    x.mul_add(y, z)
}

extern "C" fn fma32(x: f32, y: f32, z: f32) -> f32 {
    x.mul_add(y, z)
}

/// The address of the exact fused multiply-add, for machines without the instruction.
pub(crate) const FMA64: *const () = fma64 as *const ();
/// As [`FMA64`].
pub(crate) const FMA32: *const () = fma32 as *const ();

/// A compiled kernel that generated code may call over `n` elements: at each of `arguments` are `n` values (or one, where its bit in
/// `uniform` is set), at each of `results` is room for `n`.
pub(crate) type ExternCall =
    unsafe extern "C" fn(data: *const (), n: usize, uniform: u64, arguments: *const *const u8, results: *const *mut u8);

/// How to call one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Callee {
    /// Handed over.
    pub(crate) data: *const (),
    /// What is called.
    pub(crate) call: ExternCall,
}

/// The compiled kernels by name.
pub(crate) trait Callees {
    /// The one of this name.
    fn callee(&self, name: &str) -> Option<Callee>;
}
