//! Typed calls: `dnorm::map((&x, 0.0, 1.0, false), &mut y)`, on threads with `par_map`, on a device with `on`.

use crate::function::{Column, ColumnError, ColumnMut, Function, Native, Stopped};
use core::fmt;
use core::marker::PhantomData;

/// An argument of a typed call: a value for each element (`&[T]`, `&Vec<T>`, `&[T; N]`), or one for all (`T`).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no argument for a parameter of type `{T}`",
    note = "pass a slice of `{T}` with a value for each element, or one `{T}` for all"
)]
pub trait Argument<T> {
    /// The values: one, or one for each element.
    fn values(&self) -> &[T];
}

macro_rules! arguments {
    ($($t:ty)*) => {$(
        impl Argument<$t> for $t {
            fn values(&self) -> &[$t] {
                core::slice::from_ref(self)
            }
        }
        impl Argument<$t> for &[$t] {
            fn values(&self) -> &[$t] {
                self
            }
        }
        impl Argument<$t> for &Vec<$t> {
            fn values(&self) -> &[$t] {
                self
            }
        }
        impl<const N: usize> Argument<$t> for &[$t; N] {
            fn values(&self) -> &[$t] {
                &self[..]
            }
        }
    )*};
}
arguments!(f64 f32 i32 i64 u32 u64 usize bool);

/// All arguments of a typed call, for parameters of the types `P`: a tuple of [`Argument`]s.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not fit the parameters `{P}`",
    note = "pass a tuple with a slice or a number for each parameter: `(&x, 0.0, 1.0, false)`; for one parameter `(&x,)`"
)]
pub trait Arguments<P> {
    /// Hands the arguments over as columns.
    fn with_columns<R>(&self, then: impl FnOnce(&[Column<'_>]) -> R) -> R;
}

macro_rules! tuples {
    ($(($($A:ident $P:ident $i:tt)+))+) => {$(
        impl<$($A: Argument<$P>, $P),+> Arguments<($($P,)+)> for ($($A,)+)
        where
            $(for<'a> Column<'a>: From<&'a [$P]>),+
        {
            fn with_columns<R>(&self, then: impl FnOnce(&[Column<'_>]) -> R) -> R {
                then(&[$(Column::from(self.$i.values())),+])
            }
        }
    )+};
}
// As far as the traits of the standard library know tuples: a kernel with more parameters is called as data, by its `FUNCTION`.
tuples! {
    (A0 P0 0)
    (A0 P0 0 A1 P1 1)
    (A0 P0 0 A1 P1 1 A2 P2 2)
    (A0 P0 0 A1 P1 1 A2 P2 2 A3 P3 3)
    (A0 P0 0 A1 P1 1 A2 P2 2 A3 P3 3 A4 P4 4)
    (A0 P0 0 A1 P1 1 A2 P2 2 A3 P3 3 A4 P4 4 A5 P5 5)
    (A0 P0 0 A1 P1 1 A2 P2 2 A3 P3 3 A4 P4 4 A5 P5 5 A6 P6 6)
    (A0 P0 0 A1 P1 1 A2 P2 2 A3 P3 3 A4 P4 4 A5 P5 5 A6 P6 6 A7 P7 7)
    (A0 P0 0 A1 P1 1 A2 P2 2 A3 P3 3 A4 P4 4 A5 P5 5 A6 P6 6 A7 P7 7 A8 P8 8)
    (A0 P0 0 A1 P1 1 A2 P2 2 A3 P3 3 A4 P4 4 A5 P5 5 A6 P6 6 A7 P7 7 A8 P8 8 A9 P9 9)
    (A0 P0 0 A1 P1 1 A2 P2 2 A3 P3 3 A4 P4 4 A5 P5 5 A6 P6 6 A7 P7 7 A8 P8 8 A9 P9 9 A10 P10 10)
    (A0 P0 0 A1 P1 1 A2 P2 2 A3 P3 3 A4 P4 4 A5 P5 5 A6 P6 6 A7 P7 7 A8 P8 8 A9 P9 9 A10 P10 10 A11 P11 11)
}

/// A kernel from scalars to scalars, with the types of its typed call. `#[kernel]` implements it.
pub trait TypedCall: Native {
    /// The types of the parameters, as a tuple.
    type Params;
    /// Where results go: `&mut [f64]`, or a tuple of slices for a kernel that returns several.
    type Out<'a>;
    /// Hands the results over as columns.
    fn with_places<R>(out: Self::Out<'_>, then: impl FnOnce(&mut [ColumnMut<'_>]) -> R) -> R;
}

/// Where kernels can run that is not this process's own code: the OpenCL devices of gristmill-cl-runtime.
pub trait Target {
    /// A function that is built for it.
    type Built;
    /// Why a function could not be built or run.
    type Error;
    /// Builds a function.
    ///
    /// # Errors
    /// When it cannot be built.
    fn build_function(&self, function: &Function) -> Result<Self::Built, Self::Error>;
    /// Evaluates every element, with the bits of [`Function::map`].
    ///
    /// # Errors
    /// When the columns do not fit the function, or the target fails.
    fn map_function(built: &Self::Built, ins: &[Column<'_>], outs: &mut [ColumnMut<'_>]) -> Result<(), Self::Error>;
}

/// The kernel `K` built for a target: what `K::on(&device)?` gives. Keep it: building takes longer than most calls.
pub struct On<K, T: Target> {
    built: T::Built,
    kernel: PhantomData<fn() -> K>,
}

impl<K: TypedCall, T: Target> On<K, T> {
    /// Builds the kernel; `#[kernel]` calls it.
    ///
    /// # Errors
    /// When the target refuses it.
    pub fn new(target: &T) -> Result<Self, T::Error> {
        let built = target.build_function(&Function::of::<K>())?;
        Ok(On { built, kernel: PhantomData })
    }

    /// Evaluates every element on the target, with the bits of the function itself: as `K::map`, elsewhere.
    ///
    /// # Errors
    /// When a slice has another length than the results, or the target fails.
    pub fn map(&self, args: impl Arguments<K::Params>, out: K::Out<'_>) -> Result<(), T::Error> {
        args.with_columns(|ins| K::with_places(out, |outs| T::map_function(&self.built, ins, outs)))
    }

    /// What the target built.
    pub fn built(&self) -> &T::Built {
        &self.built
    }
}

impl<K: Native, T: Target<Built: fmt::Debug>> fmt::Debug for On<K, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("On").field("kernel", &K::SHARD.name).field("built", &self.built).finish()
    }
}

/// Elements of one task on threads: more work than handing it to another thread, few enough to share out evenly.
const TASK: usize = 4096;

impl Function {
    /// As [`Function::map`], on the threads of the current rayon pool: the bits are the same, whatever their number.
    ///
    /// # Errors
    /// When the columns do not fit the signature; nothing was written then.
    pub fn par_map(&self, ins: &[Column<'_>], outs: &mut [ColumnMut<'_>]) -> Result<(), ColumnError> {
        let n = self.check(ins, outs)?;
        if n <= TASK {
            return self.map(ins, outs);
        }
        let outs = outs.iter_mut().map(|column| column.part(0, n)).collect();
        self.halves(ins, outs).map_err(|Stopped| ColumnError::Stopped { kernel: self.name() })
    }

    /// The halves of the columns, and theirs, on as many threads as are free.
    fn halves(&self, ins: &[Column<'_>], mut outs: Vec<ColumnMut<'_>>) -> Result<(), Stopped> {
        let n = outs.first().map_or(0, ColumnMut::len);
        if n <= TASK {
            return self.block_unchecked(crate::Level::best(), ins, &mut outs);
        }
        let half = (n / 2).next_multiple_of(crate::lanes::MAX_LANES);
        let (first, second): (Vec<_>, Vec<_>) = outs.into_iter().map(|column| column.split_at(half)).unzip();
        let part = |start, len| ins.iter().map(|column| column.part(start, len)).collect::<Vec<_>>();
        let (one, other) =
            rayon::join(|| self.halves(&part(0, half), first), || self.halves(&part(half, n - half), second));
        one.and(other)
    }
}
