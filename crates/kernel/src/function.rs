//! A kernel as data: what an engine or a test needs to run it without knowing its type.

use crate::lanes::{LaneBody, Lanes, MAX_LANES};
use crate::native::{Body, Isa, Level};
use crate::shard::{EmittedShard, Item, KernelItem, Signature};
use core::fmt;
use gristmill_scalar::Scalar;

macro_rules! columns {
    ($($variant:ident $t:ty;)*) => {
        /// An argument: one value for each element, or one for all.
        #[derive(Debug, Clone, Copy)]
        #[expect(missing_docs, reason = "one variant for each scalar")]
        pub enum Column<'a> { $($variant(&'a [$t])),* }

        /// A result: one place for each element.
        #[derive(Debug)]
        #[expect(missing_docs, reason = "one variant for each scalar")]
        pub enum ColumnMut<'a> { $($variant(&'a mut [$t])),* }

        impl Column<'_> {
            /// The type of the values.
            pub fn scalar(&self) -> Scalar {
                match self { $(Column::$variant(_) => Scalar::$variant),* }
            }
            /// The number of values.
            #[allow(clippy::len_without_is_empty)]
            pub fn len(&self) -> usize {
                match self { $(Column::$variant(v) => v.len()),* }
            }
            /// As many values as there may be lanes: those from `start` on, and the last one for what is missing.
            /// One value for all stays as it is.
            fn padded(&self, start: usize) -> Padded {
                match self { $(Column::$variant(v) => Padded::$variant(match v {
                    [all] => [*all; MAX_LANES],
                    _ => core::array::from_fn(|i| v[(start + i).min(v.len() - 1)]),
                })),* }
            }
            /// `len` values from `start` on; one value for all stays as it is.
            pub fn part(&self, start: usize, len: usize) -> Self {
                match self { $(Column::$variant(v) => {
                    Column::$variant(if v.len() == 1 { v } else { &v[start..start + len] })
                }),* }
            }
        }

        /// The values of a column for one step over lanes.
        #[derive(Debug, Clone, Copy)]
        enum Padded { $($variant([$t; MAX_LANES])),* }

        impl Padded {
            fn zeros(scalar: Scalar) -> Padded {
                match scalar { $(Scalar::$variant => Padded::$variant([<$t>::default(); MAX_LANES])),* }
            }
            fn as_column(&self, len: usize) -> Column<'_> {
                match self { $(Padded::$variant(v) => Column::$variant(&v[..len])),* }
            }
            fn as_column_mut(&mut self, len: usize) -> ColumnMut<'_> {
                match self { $(Padded::$variant(v) => ColumnMut::$variant(&mut v[..len])),* }
            }
            /// Copies the first values to the places from `start` on.
            fn put(&self, to: &mut ColumnMut<'_>, start: usize) {
                match (self, to) {
                    $((Padded::$variant(v), ColumnMut::$variant(to)) => {
                        let places = &mut to[start..];
                        places.copy_from_slice(&v[..places.len()]);
                    })*
                    _ => unreachable!("of one scalar"),
                }
            }
        }

        impl ColumnMut<'_> {
            /// The type of the values.
            pub fn scalar(&self) -> Scalar {
                match self { $(ColumnMut::$variant(_) => Scalar::$variant),* }
            }
            /// The number of places.
            #[allow(clippy::len_without_is_empty)]
            pub fn len(&self) -> usize {
                match self { $(ColumnMut::$variant(v) => v.len()),* }
            }
            /// `len` places from `start` on.
            pub fn part(&mut self, start: usize, len: usize) -> ColumnMut<'_> {
                match self { $(ColumnMut::$variant(v) => ColumnMut::$variant(&mut v[start..start + len])),* }
            }
        }

        impl<'a> ColumnMut<'a> {
            /// The places before `at`, and the others.
            pub fn split_at(self, at: usize) -> (ColumnMut<'a>, ColumnMut<'a>) {
                match self { $(ColumnMut::$variant(v) => {
                    let (first, second) = v.split_at_mut(at);
                    (ColumnMut::$variant(first), ColumnMut::$variant(second))
                }),* }
            }
        }

        $(
            impl<'a> From<&'a [$t]> for Column<'a> {
                fn from(v: &'a [$t]) -> Self { Column::$variant(v) }
            }
            impl<'a> From<&'a mut [$t]> for ColumnMut<'a> {
                fn from(v: &'a mut [$t]) -> Self { ColumnMut::$variant(v) }
            }
        )*
    };
}
columns! {
    F64 f64;
    F32 f32;
    I32 i32;
    I64 i64;
    U32 u32;
    U64 u64;
    Usize usize;
    Bool bool;
}

/// The native versions of a kernel from scalars to scalars. `#[kernel]` implements it.
pub trait Native: KernelItem {
    /// Evaluates element `i`. The columns fit the signature.
    fn single<I: Isa>(isa: I, ins: &[Column<'_>], outs: &mut [ColumnMut<'_>], i: usize);
    /// Evaluates all elements, one after the other. The columns fit the signature.
    fn block<I: Isa>(isa: I, ins: &[Column<'_>], outs: &mut [ColumnMut<'_>]);
    /// Evaluates all elements, several at once. The columns fit the signature; the number of elements is a multiple of
    /// the number of lanes.
    fn lane_block<L: Lanes>(lanes: L, ins: &[Column<'_>], outs: &mut [ColumnMut<'_>]);
}

struct Single<'a, 'b, 'c, 'd, K> {
    ins: &'a [Column<'b>],
    outs: &'c mut [ColumnMut<'d>],
    i: usize,
    kernel: core::marker::PhantomData<K>,
}

impl<K: Native> Body for Single<'_, '_, '_, '_, K> {
    type Out = ();
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        K::single(isa, self.ins, self.outs, self.i);
    }
}

struct Block<'a, 'b, 'c, 'd, K> {
    ins: &'a [Column<'b>],
    outs: &'c mut [ColumnMut<'d>],
    kernel: core::marker::PhantomData<K>,
}

impl<K: Native> Body for Block<'_, '_, '_, '_, K> {
    type Out = ();
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        K::block(isa, self.ins, self.outs);
    }
}

impl<L: Lanes, K: Native> LaneBody<L> for Block<'_, '_, '_, '_, K> {
    type Out = ();
    #[inline(always)]
    fn run(self, lanes: L) {
        K::lane_block(lanes, self.ins, self.outs);
    }
}

/// The block loop of one kernel over full vectors.
type LaneLoop<L> = fn(L, &[Column<'_>], &mut [ColumnMut<'_>]);

/// The block loop of `K`, compiled for the instruction set.
fn lane_loop<L: Lanes, K: Native>(lanes: L, ins: &[Column<'_>], outs: &mut [ColumnMut<'_>]) {
    lanes.outline(Block::<K> { ins, outs, kernel: core::marker::PhantomData });
}

/// Evaluates all elements over lanes. Those that fill no vector are computed in a full one, whose other lanes repeat the
/// last of them: so the loops know only full vectors. One function for all kernels: it is as long as a small loop.
fn over_lanes<L: Lanes>(lanes: L, run: LaneLoop<L>, ins: &[Column<'_>], outs: &mut [ColumnMut<'_>]) {
    let n = outs.first().map_or(0, ColumnMut::len);
    let full = n - n % L::N;
    if full == n {
        run(lanes, ins, outs);
        return;
    }
    if full > 0 {
        let ins: Vec<Column<'_>> = ins.iter().map(|column| column.part(0, full)).collect();
        let mut outs: Vec<ColumnMut<'_>> = outs.iter_mut().map(|column| column.part(0, full)).collect();
        run(lanes, &ins, &mut outs);
    }
    let padded: Vec<Padded> = ins.iter().map(|column| column.padded(full)).collect();
    let ins: Vec<Column<'_>> =
        ins.iter().zip(&padded).map(|(column, all)| all.as_column(if column.len() == 1 { 1 } else { L::N })).collect();
    let mut places: Vec<Padded> = outs.iter().map(|column| Padded::zeros(column.scalar())).collect();
    let mut few: Vec<ColumnMut<'_>> = places.iter_mut().map(|place| place.as_column_mut(L::N)).collect();
    run(lanes, &ins, &mut few);
    drop(few);
    places.iter().zip(outs).for_each(|(place, out)| place.put(out, full));
}

/// A kernel function from scalars to scalars, as data: `dnorm::FUNCTION`.
#[derive(Clone, Copy)]
pub struct Function {
    shard: &'static EmittedShard,
    code: Code,
}

/// What computes a function.
#[derive(Clone, Copy)]
enum Code {
    /// What `#[kernel]` made and rustc compiled.
    Compiled {
        single: fn(Level, &[Column<'_>], &mut [ColumnMut<'_>], usize),
        block: fn(Level, &[Column<'_>], &mut [ColumnMut<'_>]),
    },
    /// What was made at run time.
    Loaded(&'static dyn LoadedCode),
}

/// The code of a kernel that was made at run time.
pub trait LoadedCode: Sync {
    /// Evaluates element `i`. The columns fit the signature.
    ///
    /// # Errors
    /// When it was told to stop.
    fn single(&self, ins: &[Column<'_>], outs: &mut [ColumnMut<'_>], i: usize) -> Result<(), Stopped>;
    /// Evaluates all elements, of which there is at least one. The columns fit the signature.
    ///
    /// # Errors
    /// When it was told to stop.
    fn block(&self, ins: &[Column<'_>], outs: &mut [ColumnMut<'_>]) -> Result<(), Stopped>;
    /// Makes the code, if it is not there, and keeps it as long as what this gives.
    fn hold(&self) -> HeldCode;
}

/// Keeps code in memory.
pub type HeldCode = std::sync::Arc<dyn core::any::Any + Send + Sync>;

/// A kernel made at run time ended before its results were complete: it was interrupted, or used up its fuel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stopped;

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Function({}::{})", self.shard.module, self.shard.name)
    }
}

/// Why a kernel cannot run over these columns. The caller has to fix them.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ColumnError {
    /// Too many or too few columns.
    Count {
        /// The kernel.
        kernel: &'static str,
        /// "arguments" or "results".
        what: &'static str,
        /// How many there are.
        given: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A column of another type.
    Type {
        /// The kernel.
        kernel: &'static str,
        /// The argument's name, or "result".
        what: &'static str,
        /// Its type.
        given: Scalar,
        /// The kernel's type.
        expected: Scalar,
    },
    /// A column of another length.
    Length {
        /// The kernel.
        kernel: &'static str,
        /// The argument's name, or "result".
        what: &'static str,
        /// Its length.
        given: usize,
        /// The number of elements.
        expected: usize,
    },
    /// A kernel made at run time was interrupted, or used up its fuel: some results were not computed.
    Stopped {
        /// The kernel.
        kernel: &'static str,
    },
}

impl fmt::Display for ColumnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ColumnError::Count { kernel, what, given, expected } => {
                write!(f, "`{kernel}` was given {given} {what}, but has {expected}")
            }
            ColumnError::Type { kernel, what, given, expected } => {
                write!(f, "`{what}` of `{kernel}` is a column of {given}, but must be {expected}")
            }
            ColumnError::Length { kernel, what, given, expected } => {
                write!(f, "`{what}` of `{kernel}` has {given} values, but must have {expected} or one")
            }
            ColumnError::Stopped { kernel } => {
                write!(f, "`{kernel}` was interrupted before its results were complete")
            }
        }
    }
}

impl std::error::Error for ColumnError {}

impl Function {
    /// The description of a kernel; `#[kernel]` calls it.
    pub const fn of<K: Native>() -> Function {
        let code = Code::Compiled {
            single: |level, ins, outs, i| {
                let body = Single::<K> { ins, outs, i, kernel: core::marker::PhantomData };
                match level {
                    Level::V4(isa) => isa.enter(body),
                    Level::V3(isa) => isa.enter(body),
                    Level::Base => crate::native::Base.enter(body),
                }
            },
            block: |level, ins, outs| match level {
                #[cfg(target_arch = "x86_64")]
                Level::V4(isa) => over_lanes(isa, lane_loop::<_, K>, ins, outs),
                #[cfg(target_arch = "x86_64")]
                Level::V3(isa) => over_lanes(isa, lane_loop::<_, K>, ins, outs),
                #[cfg(not(target_arch = "x86_64"))]
                Level::V3(_) | Level::V4(_) => unreachable!("seen on x86-64 only"),
                Level::Base => {
                    crate::native::Base.enter(Block::<K> { ins, outs, kernel: core::marker::PhantomData });
                }
            },
        };
        Function { shard: K::SHARD, code }
    }

    /// The description of a kernel that was made at run time.
    ///
    /// # Panics
    /// When the shard is not a function from scalars to scalars.
    pub fn loaded(shard: &'static EmittedShard, code: &'static dyn LoadedCode) -> Function {
        let scalars = match shard.item {
            Item::Fn(sig) => sig.results().is_some() && sig.params.iter().all(|p| p.ty.scalar().is_some()),
            _ => false,
        };
        assert!(scalars, "`{}` is not a function from scalars to scalars", shard.name);
        Function { shard, code: Code::Loaded(code) }
    }

    /// Keeps the code of a kernel made at run time in memory; a compiled one is always there.
    pub fn hold(&self) -> Option<HeldCode> {
        match self.code {
            Code::Compiled { .. } => None,
            Code::Loaded(code) => Some(code.hold()),
        }
    }

    /// Whether the kernel was made at run time.
    pub fn is_loaded(&self) -> bool {
        matches!(self.code, Code::Loaded(_))
    }

    /// Its text, place and everything it refers to.
    pub fn shard(&self) -> &'static EmittedShard {
        self.shard
    }

    /// The name in Rust.
    pub fn name(&self) -> &'static str {
        self.shard.name
    }

    /// The name in C.
    pub fn c_name(&self) -> String {
        self.shard.c_name()
    }

    /// The module in Rust, `crate::module`.
    pub fn module(&self) -> &'static str {
        self.shard.module
    }

    /// The documentation in the source.
    pub fn doc(&self) -> &'static str {
        self.shard.doc
    }

    /// Parameters and result.
    pub fn signature(&self) -> Signature {
        match self.shard.item {
            Item::Fn(sig) => sig,
            _ => unreachable!("`#[kernel]` describes functions only"),
        }
    }

    /// Names and types of the arguments.
    pub fn params(&self) -> impl ExactSizeIterator<Item = (&'static str, Scalar)> + use<> {
        self.signature().params.iter().map(|p| (p.name, p.ty.scalar().expect("`#[kernel]` describes scalars only")))
    }

    /// Types of the results: one, or the parts of a tuple.
    pub fn results(&self) -> Vec<Scalar> {
        self.signature().results().expect("`#[kernel]` describes scalars only")
    }

    /// Checks columns against the signature and gives the number of elements: the length of the results.
    ///
    /// # Errors
    /// When number, types or lengths do not fit.
    pub fn check(&self, ins: &[Column<'_>], outs: &[ColumnMut<'_>]) -> Result<usize, ColumnError> {
        let kernel = self.shard.name;
        let sig = self.signature();
        let results = self.results();
        for (what, given, expected) in
            [("arguments", ins.len(), sig.params.len()), ("results", outs.len(), results.len())]
        {
            if given != expected {
                return Err(ColumnError::Count { kernel, what, given, expected });
            }
        }
        let n = outs[0].len();
        for ((what, expected), column) in self.params().zip(ins) {
            if column.scalar() != expected {
                return Err(ColumnError::Type { kernel, what, given: column.scalar(), expected });
            }
            if column.len() != n && column.len() != 1 {
                return Err(ColumnError::Length { kernel, what, given: column.len(), expected: n });
            }
        }
        for (expected, column) in results.into_iter().zip(outs) {
            if column.scalar() != expected {
                return Err(ColumnError::Type { kernel, what: "result", given: column.scalar(), expected });
            }
            if column.len() != n {
                return Err(ColumnError::Length { kernel, what: "result", given: column.len(), expected: n });
            }
        }
        Ok(n)
    }

    /// Evaluates every element by the block loop of the best instruction set. An argument has one value for each element,
    /// or one for all; work that depends only on the latter is done once.
    ///
    /// # Errors
    /// When the columns do not fit the signature; nothing was written then.
    pub fn map(&self, ins: &[Column<'_>], outs: &mut [ColumnMut<'_>]) -> Result<(), ColumnError> {
        self.map_on(Level::best(), ins, outs)
    }

    /// As [`Function::map`], with the instruction set given.
    ///
    /// # Errors
    /// When the columns do not fit the signature; nothing was written then.
    pub fn map_on(&self, level: Level, ins: &[Column<'_>], outs: &mut [ColumnMut<'_>]) -> Result<(), ColumnError> {
        if self.check(ins, outs)? > 0 {
            self.block_unchecked(level, ins, outs).map_err(|Stopped| ColumnError::Stopped { kernel: self.name() })?;
        }
        Ok(())
    }

    /// Evaluates one element by the scalar function.
    ///
    /// # Errors
    /// When the columns do not fit the signature, or have no element `i`; nothing was written then.
    pub fn call_at(
        &self,
        level: Level,
        ins: &[Column<'_>],
        outs: &mut [ColumnMut<'_>],
        i: usize,
    ) -> Result<(), ColumnError> {
        let n = self.check(ins, outs)?;
        if i >= n {
            return Err(ColumnError::Length { kernel: self.shard.name, what: "result", given: n, expected: i + 1 });
        }
        self.single_unchecked(level, ins, outs, i).map_err(|Stopped| ColumnError::Stopped { kernel: self.name() })
    }

    /// For callers that checked once: as [`Function::map_on`], for at least one element. Columns that do not fit make it panic.
    ///
    /// # Errors
    /// When a kernel made at run time was told to stop.
    pub fn block_unchecked(&self, level: Level, ins: &[Column<'_>], outs: &mut [ColumnMut<'_>]) -> Result<(), Stopped> {
        match self.code {
            Code::Compiled { block, .. } => block(level, ins, outs),
            Code::Loaded(code) => return code.block(ins, outs),
        }
        Ok(())
    }

    /// For callers that checked once: as [`Function::call_at`]. Columns that do not fit make it panic.
    ///
    /// # Errors
    /// When a kernel made at run time was told to stop.
    pub fn single_unchecked(
        &self,
        level: Level,
        ins: &[Column<'_>],
        outs: &mut [ColumnMut<'_>],
        i: usize,
    ) -> Result<(), Stopped> {
        match self.code {
            Code::Compiled { single, .. } => single(level, ins, outs, i),
            Code::Loaded(code) => return code.single(ins, outs, i),
        }
        Ok(())
    }
}
