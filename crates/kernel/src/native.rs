//! The native side of a kernel: instruction sets, and code compiled for one of them.
//!
//! Kernels use fused multiply-adds everywhere. On x86-64 without FMA in the target each is a library call, so every
//! kernel exists for the target's own instruction set ([`Base`]), for AVX2 with FMA ([`V3`]) and for AVX-512 ([`V4`]). A
//! [`V3`] value is the proof that the machine has its instructions: it can only be got from [`V3::get`]. Code that is
//! inlined into [`V3::enter`] is compiled for them, and no caller needs `unsafe`. A [`V4`] value is such a proof too.

pub use crate::lanes::V4;
use core::cell::Cell;
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use std::thread::LocalKey;

pub(crate) mod sealed {
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
    /// An inline kernel is called here, not inlined: without fused multiply-adds each of them is a call anyway, and the
    /// code of this set is rarely run.
    const CALLS: bool = false;
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
    const CALLS: bool = cfg!(all(target_arch = "x86_64", not(target_feature = "fma")));
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

/// The body of a kernel as a function of its arguments. `call` must be `#[inline(always)]`, or it keeps the baseline.
pub trait Call<Arguments> {
    /// What it gives.
    type Out;
    /// Calls it.
    fn call<I: Isa>(isa: I, arguments: Arguments) -> Self::Out;
}

/// Single calls with AVX2 and FMA. One entry for each number of arguments, so that they are passed in registers: a struct of three
/// numbers goes through memory, is stored number by number and read two at a time, for which a processor waits until
/// the stores are done: 10 ns of the 18 that `dcauchy` took.
macro_rules! entries {
    ($($entry:ident($($a:ident: $A:ident),*);)*) => {
        impl V3 {$(
            /// Calls a kernel with so many arguments, compiled for this instruction set.
            #[inline(always)]
            #[allow(clippy::too_many_arguments)]
            pub fn $entry<K: Call<($($A,)*)>, $($A),*>(self, $($a: $A),*) -> K::Out {
                /// # Safety
                /// 1. The machine has AVX2 and FMA.
                #[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma"))]
                #[allow(clippy::too_many_arguments)]
                unsafe fn compiled_for_v3<K: Call<($($A,)*)>, $($A),*>(isa: V3, $($a: $A),*) -> K::Out {
                    K::call(isa, ($($a,)*))
                }
                // SAFETY: (1): a `V3` exists only where `V3::get` has seen both.
                unsafe { compiled_for_v3::<K, $($A),*>(self, $($a),*) }
            }
        )*}
        const _: () = assert!([$(stringify!($entry)),*].len() == gristmill_scalar::REGISTER_ARGUMENTS + 1, "0 to REGISTER_ARGUMENTS");
    };
}
entries! {
    call0();
    call1(a: A);
    call2(a: A, b: B);
    call3(a: A, b: B, c: C);
    call4(a: A, b: B, c: C, d: D);
    call5(a: A, b: B, c: C, d: D, e: E);
    call6(a: A, b: B, c: C, d: D, e: E, f: F);
    call7(a: A, b: B, c: C, d: D, e: E, f: F, g: G);
    call8(a: A, b: B, c: C, d: D, e: E, f: F, g: G, h: H);
    call9(a: A, b: B, c: C, d: D, e: E, f: F, g: G, h: H, i: I);
    call10(a: A, b: B, c: C, d: D, e: E, f: F, g: G, h: H, i: I, j: J);
    call11(a: A, b: B, c: C, d: D, e: E, f: F, g: G, h: H, i: I, j: J, k: L);
    call12(a: A, b: B, c: C, d: D, e: E, f: F, g: G, h: H, i: I, j: J, k: L, l: M);
}

/// A setup of more operations is kept from one single call to the next: about what the look at its parameters costs, and the way to
/// the thread's own memory.
const KEPT_BETWEEN_CALLS: u32 = 60;
/// It takes at most this many bytes of each thread, from which it is copied: enough for the tables of the rank statistics, 10.3 KB,
/// which take 3 to 28 microseconds to make.
const MOST_KEPT_BYTES: usize = 12288;

/// Whether single calls of a split kernel keep its setup, a `T` of `cost` operations; `flagged`: it takes flags, and so does not need all
/// of its operations in one call. (Columns whose parameters vary keep setups too.)
pub const fn keeps<T>(cost: u32, flagged: bool) -> bool {
    cost > (if flagged { crate::lanes::KEPT } else { KEPT_BETWEEN_CALLS }) && size_of::<T>() <= MOST_KEPT_BYTES
}

/// The setup of the last single call of a split kernel in a thread, and its `N` parameters. Calls mostly have the parameters of the
/// one before, and then what they need of them is there. A setup is a function of the bits of its parameters: this changes no result.
#[derive(Debug)]
pub struct Kept<const N: usize, T: Copy> {
    /// Whether there is one.
    known: Cell<bool>,
    /// The bits of the parameters.
    key: [Cell<u64>; N],
    /// Written before `known` is set.
    setup: Cell<MaybeUninit<T>>,
}

impl<const N: usize, T: Copy> Kept<N, T> {
    /// Nothing yet.
    #[expect(clippy::new_without_default, reason = "it is made for a constant")]
    pub const fn new() -> Self {
        Kept { known: Cell::new(false), key: [const { Cell::new(0) }; N], setup: Cell::new(MaybeUninit::uninit()) }
    }

    /// Whether it is that of these parameters. One by one, in registers: two arrays would be compared in memory, and what was
    /// just stored number by number is then read two at a time, for which a processor waits (7 ns of the 13 that `dcauchy` took).
    #[inline(always)]
    fn is_of(&self, key: &[u64; N]) -> bool {
        let mut same = self.known.get();
        let mut i = 0;
        while i < N {
            same = same && self.key[i].get() == key[i];
            i += 1;
        }
        same
    }

    #[inline(always)]
    fn keep(&self, key: &[u64; N], setup: T) {
        self.setup.set(MaybeUninit::new(setup));
        let mut i = 0;
        while i < N {
            self.key[i].set(key[i]);
            i += 1;
        }
        self.known.set(true);
    }

    /// The setup of the last call.
    #[inline(always)]
    pub fn last(kept: &'static LocalKey<Self>) -> Option<T> {
        kept.with(
            #[inline(always)]
            // SAFETY: if it is known, `setup` was written before it was.
            |k| k.known.get().then(|| unsafe { k.setup.get().assume_init() }),
        )
    }

    /// The setup for these parameters, by `setup` if they are not those of the last call.
    #[inline(always)]
    pub fn of(kept: &'static LocalKey<Self>, key: [u64; N], setup: impl FnOnce() -> T) -> T {
        // What `with` calls only looks and copies: what it does not inline would lose its instruction set.
        let known = kept.with(
            #[inline(always)]
            |k| k.is_of(&key),
        );
        if known {
            return kept.with(
                #[inline(always)]
                // SAFETY: it is known, and `setup` was written before it was.
                |k| unsafe { k.setup.get().assume_init() },
            );
        }
        let value = setup();
        kept.with(
            #[inline(always)]
            |k| k.keep(&key, value),
        );
        value
    }
}

/// A number as a parameter of a setup.
pub trait KeyBits: Copy {
    /// Other bits for every other value, and for every NaN and zero.
    fn key_bits(self) -> u64;
}

macro_rules! key_bits {
    ($($t:ty: |$x:ident| $bits:expr;)*) => {$(
        impl KeyBits for $t {
            #[inline(always)]
            fn key_bits(self) -> u64 {
                let $x = self;
                $bits
            }
        }
    )*};
}
key_bits! {
    f64: |x| x.to_bits();
    f32: |x| u64::from(x.to_bits());
    i32: |x| x as u64;
    i64: |x| x as u64;
    u32: |x| u64::from(x);
    u64: |x| x;
    usize: |x| x as u64;
    bool: |x| u64::from(x);
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
    /// AVX2 with FMA: four lanes.
    V3(V3),
    /// AVX-512: eight lanes.
    V4(V4),
}

impl Level {
    /// The best one of this machine.
    #[inline(always)]
    pub fn best() -> Level {
        match (V4::get(), V3::get()) {
            (Some(isa), _) => Level::V4(isa),
            (None, Some(isa)) => Level::V3(isa),
            (None, None) => Level::Base,
        }
    }

    /// All that this machine has.
    pub fn all() -> impl Iterator<Item = Level> {
        core::iter::once(Level::Base).chain(V3::get().map(Level::V3)).chain(V4::get().map(Level::V4))
    }

    /// For reports.
    pub fn name(self) -> &'static str {
        match self {
            Level::Base => "baseline",
            Level::V3(_) => "AVX2+FMA",
            Level::V4(_) => "AVX-512",
        }
    }
}
