//! The native side of a kernel: instruction sets, lanes, and what block loops are made of.
//!
//! Kernels use fused multiply-adds everywhere. On x86-64 without FMA in the target each is a library call, so every
//! kernel exists twice: for the target's own instruction set ([`Base`]) and for AVX2 with FMA ([`V3`]). A [`V3`] value is
//! the proof that the machine has them: it can only be got from [`V3::get`]. Code that is inlined into [`V3::enter`]
//! is compiled for them, and no caller needs `unsafe`.

use core::marker::PhantomData;

mod sealed {
    pub trait Sealed {}
}

/// Work to be done with some instruction set. `run` must be `#[inline(always)]`, or it keeps the baseline.
pub trait Body {
    /// What it gives.
    type Out;
    /// Does it.
    fn run<I: Isa>(self, isa: I) -> Self::Out;
}

/// An instruction set that this machine has.
pub trait Isa: Copy + sealed::Sealed {
    /// It fuses multiply-adds: loops are worth versions of their own.
    const FAST: bool;
    /// Runs `body`, compiled for this instruction set.
    fn enter<B: Body>(self, body: B) -> B::Out;
    /// This set, if it is AVX2 with FMA.
    fn v3(self) -> Option<V3>;
}

/// What the target of this build has.
#[derive(Debug, Clone, Copy)]
pub struct Base;

/// AVX2 and FMA (x86-64-v3), seen on this machine.
#[derive(Debug, Clone, Copy)]
pub struct V3(PhantomData<()>);

impl sealed::Sealed for Base {}
impl sealed::Sealed for V3 {}

impl Isa for Base {
    const FAST: bool = !cfg!(target_arch = "x86_64") || cfg!(target_feature = "fma");
    #[inline(always)]
    fn enter<B: Body>(self, body: B) -> B::Out {
        body.run(self)
    }
    #[inline(always)]
    fn v3(self) -> Option<V3> {
        None
    }
}

#[cfg(all(target_arch = "x86_64", not(all(target_feature = "avx2", target_feature = "fma"))))]
mod detect {
    use core::sync::atomic::{AtomicU8, Ordering};

    static FOUND: AtomicU8 = AtomicU8::new(0); // 0: not looked yet, 1: no, 2: yes

    #[inline(always)]
    pub(super) fn has_v3() -> bool {
        // Relaxed: the answer never changes, so it does not matter who stores it first.
        match FOUND.load(Ordering::Relaxed) {
            0 => look(),
            found => found == 2,
        }
    }

    #[cold]
    fn look() -> bool {
        let found = std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("fma");
        FOUND.store(1 + u8::from(found), Ordering::Relaxed);
        found
    }
}

impl V3 {
    /// The proof, if this machine has AVX2 and FMA.
    #[inline(always)]
    pub fn get() -> Option<V3> {
        #[cfg(all(target_arch = "x86_64", target_feature = "avx2", target_feature = "fma"))]
        return Some(V3(PhantomData));
        #[cfg(all(target_arch = "x86_64", not(all(target_feature = "avx2", target_feature = "fma"))))]
        return detect::has_v3().then_some(V3(PhantomData));
        #[cfg(not(target_arch = "x86_64"))]
        None
    }
}

impl Isa for V3 {
    const FAST: bool = true;
    #[inline(always)]
    fn enter<B: Body>(self, body: B) -> B::Out {
        /// # Safety
        /// 1. The machine has AVX2 and FMA.
        #[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma"))]
        unsafe fn compiled_for_v3<B: Body>(isa: V3, body: B) -> B::Out {
            body.run(isa)
        }
        // SAFETY: (1): a `V3` exists only where `V3::get` has seen both.
        unsafe { compiled_for_v3(self, body) }
    }
    #[inline(always)]
    fn v3(self) -> Option<V3> {
        Some(self)
    }
}

/// What a kernel returns. `#[kernel]` implements it.
pub trait Returns {
    /// The type.
    type Out;
}

/// Which of the native versions to run: a choice at run time.
#[derive(Debug, Clone, Copy)]
pub enum Level {
    /// The target's own instruction set.
    Base,
    /// AVX2 with FMA.
    V3(V3),
}

impl Level {
    /// The best one of this machine.
    #[inline(always)]
    pub fn best() -> Level {
        match V3::get() {
            Some(t) => Level::V3(t),
            None => Level::Base,
        }
    }

    /// All that this machine has.
    pub fn all() -> impl Iterator<Item = Level> {
        core::iter::once(Level::Base).chain(V3::get().map(Level::V3))
    }

    /// For reports.
    pub fn name(self) -> &'static str {
        match self {
            Level::Base => "baseline",
            Level::V3(_) => "AVX2+FMA",
        }
    }
}

/// One argument of a block loop: a value for each element, or one for all.
pub trait Lane<T>: Copy {
    /// One value for all elements.
    const UNIFORM: bool;
    /// The value for element `i`.
    fn at(self, i: usize) -> T;
    /// The argument for the elements from `start` on, `len` of them.
    fn part(self, start: usize, len: usize) -> Self;
    /// The value for element `i`, or for the last one if there is no such element: a loop over indices from a table
    /// vectorises with it.
    #[inline(always)]
    fn pick(self, i: usize) -> T {
        self.at(i)
    }
}

impl<T: Copy> Lane<T> for &[T] {
    const UNIFORM: bool = false;
    #[inline(always)]
    fn at(self, i: usize) -> T {
        self[i]
    }
    #[inline(always)]
    fn part(self, start: usize, len: usize) -> Self {
        &self[start..start + len]
    }
    #[inline(always)]
    fn pick(self, i: usize) -> T {
        let last = self.len() - 1;
        self[if i < last { i } else { last }]
    }
}

/// One value for all elements.
#[derive(Debug, Clone, Copy)]
pub struct Uniform<T>(pub T);

impl<T: Copy> Lane<T> for Uniform<T> {
    const UNIFORM: bool = true;
    #[inline(always)]
    fn at(self, _: usize) -> T {
        self.0
    }
    #[inline(always)]
    fn part(self, _: usize, _: usize) -> Self {
        self
    }
}

/// A bool that is the same for all elements and known when the loop is compiled, so that dead branches vanish.
#[derive(Debug, Clone, Copy)]
pub struct Flag<const B: bool>;

impl<const B: bool> Lane<bool> for Flag<B> {
    const UNIFORM: bool = true;
    #[inline(always)]
    fn at(self, _: usize) -> bool {
        B
    }
    #[inline(always)]
    fn part(self, _: usize, _: usize) -> Self {
        self
    }
}

/// A `#[kernel] struct`. Its bool fields can be made constants of a loop.
pub trait Struct: Copy {
    /// How many bool fields it has.
    const FLAGS: u32;
    /// The bool fields as bits, the first one lowest.
    fn flags(self) -> u32;
    /// The same with the bool fields from these bits.
    fn with_flags(self, flags: u32) -> Self;
}

/// How many bool fields the struct has.
#[inline(always)]
pub fn flag_count<S: Struct>(_: S) -> u32 {
    S::FLAGS
}

/// One struct for all elements, its bool fields known when the loop is compiled.
#[derive(Debug, Clone, Copy)]
pub struct Flagged<S, const FLAGS: u32>(pub S);

impl<S: Struct, const FLAGS: u32> Lane<S> for Flagged<S, FLAGS> {
    const UNIFORM: bool = true;
    #[inline(always)]
    fn at(self, _: usize) -> S {
        self.0.with_flags(FLAGS)
    }
    #[inline(always)]
    fn part(self, _: usize, _: usize) -> Self {
        self
    }
}

/// Some elements of another argument, by index.
#[derive(Debug, Clone, Copy)]
pub struct Gather<'a, L> {
    lane: L,
    index: &'a [u32],
}

impl<'a, L> Gather<'a, L> {
    /// Element `j` is element `index[j]` of `lane`.
    #[inline(always)]
    pub fn new(lane: L, index: &'a [u32]) -> Self {
        Gather { lane, index }
    }
}

impl<T, L: Lane<T>> Lane<T> for Gather<'_, L> {
    const UNIFORM: bool = L::UNIFORM;
    #[inline(always)]
    fn at(self, i: usize) -> T {
        self.lane.pick(if L::UNIFORM { 0 } else { self.index[i] as usize })
    }
    #[inline(always)]
    fn part(self, start: usize, len: usize) -> Self {
        Gather { lane: self.lane, index: &self.index[start..start + len] }
    }
}

/// A column that has either one value or one for each element: for loops that are not worth a version of their own.
#[derive(Debug, Clone, Copy)]
pub struct Strided<'a, T> {
    data: &'a [T],
    step: usize,
}

impl<'a, T> Strided<'a, T> {
    /// `data` has `n` values or one.
    #[inline(always)]
    pub fn new(data: &'a [T], n: usize) -> Self {
        if data.len() == n { Strided { data, step: 1 } } else { Strided { data: &data[..1], step: 0 } }
    }
}

impl<T: Copy> Lane<T> for Strided<'_, T> {
    const UNIFORM: bool = false;
    #[inline(always)]
    fn at(self, i: usize) -> T {
        self.data[i * self.step]
    }
    #[inline(always)]
    fn part(self, start: usize, len: usize) -> Self {
        if self.step == 0 { self } else { Strided { data: &self.data[start..start + len], step: 1 } }
    }
}

/// Elements per step where columns have to be spread, or lanes to be redone: they stay in the first-level cache.
pub const CHUNK: usize = 256;

/// A column as a run of values for each chunk; one value is spread over a buffer once.
#[derive(Debug)]
pub struct Spread<'a, T> {
    data: &'a [T],
    buffer: Option<[T; CHUNK]>,
}

impl<'a, T: Copy> Spread<'a, T> {
    /// `data` has `n` values or one.
    #[inline(always)]
    pub fn new(data: &'a [T], n: usize) -> Self {
        if data.len() == n { Spread { data, buffer: None } } else { Spread { data, buffer: Some([data[0]; CHUNK]) } }
    }

    /// The values for the elements from `start` on; `len` is at most [`CHUNK`].
    #[inline(always)]
    pub fn part(&self, start: usize, len: usize) -> &[T] {
        match &self.buffer {
            None => &self.data[start..start + len],
            Some(b) => &b[..len],
        }
    }
}
