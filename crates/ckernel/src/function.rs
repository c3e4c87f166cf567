//! Kernels from Rust closures over scalars.

use crate::abi::type_id;
use crate::error::{self, ErrorKind, KernelError};
use core::mem::size_of;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A Rust type with the layout of a builtin type.
///
/// # Safety
/// 1. The type has exactly the size, the alignment and the valid values of the builtin type `TYPE_ID`.
pub unsafe trait Element: Copy + Send + Sync + 'static {
    /// The id of the builtin type: see [`crate::type_id`].
    const TYPE_ID: usize;
}

macro_rules! elements {
    ($($type:ty => $id:ident),* $(,)?) => { $(
        // SAFETY: the id names this very type.
        unsafe impl Element for $type {
            const TYPE_ID: usize = type_id::$id;
        }
        const _: () = assert!(matches!(type_id::size(type_id::$id), Some(n) if n == size_of::<$type>()));
    )* };
}

elements! {
    bool => BOOL,
    i8 => INT8, i16 => INT16, i32 => INT32, i64 => INT64, i128 => INT128,
    u8 => UINT8, u16 => UINT16, u32 => UINT32, u64 => UINT64, u128 => UINT128,
    f32 => FLOAT32, f64 => FLOAT64,
}

/// What a kernel closure returns: an element, or a `Result` of one.
pub trait Outcome {
    /// The element.
    type Element: Element;
    /// The element, or why there is none.
    #[doc(hidden)]
    fn into_result(self) -> Result<Self::Element, KernelError>;
}

impl<E: Element> Outcome for E {
    type Element = E;
    #[inline(always)]
    fn into_result(self) -> Result<E, KernelError> {
        Ok(self)
    }
}

impl<E: Element> Outcome for Result<E, KernelError> {
    type Element = E;
    #[inline(always)]
    fn into_result(self) -> Result<E, KernelError> {
        self
    }
}

/// A closure over scalars: `Fn(A) -> R`, `Fn(A, B) -> R`, ... up to six sources, where `R` is an element or a `Result`.
pub trait ScalarFn<Args>: Clone + Send + Sync + 'static {
    /// The destination's type, then the sources' types.
    #[doc(hidden)]
    const TYPES: &'static [usize];

    /// Evaluates `count` elements; `at` is the element that is being evaluated.
    /// # Safety
    /// 1. Rules 2 to 5 of [`crate::abi`] hold for the types of the closure.
    #[doc(hidden)]
    unsafe fn strided(
        &self,
        dst: *mut u8,
        dst_stride: isize,
        src: *const *const u8,
        src_stride: *const isize,
        count: usize,
        at: &mut usize,
    ) -> Result<(), KernelError>;
}

macro_rules! scalar_fn {
    ($($arg:ident $p:ident $step:ident $k:literal),*) => {
        impl<F, Out, $($arg,)*> ScalarFn<($($arg,)*)> for F
        where
            F: Fn($($arg),*) -> Out + Clone + Send + Sync + 'static,
            Out: Outcome,
            $($arg: Element,)*
        {
            const TYPES: &'static [usize] = &[Out::Element::TYPE_ID, $($arg::TYPE_ID),*];

            #[inline]
            unsafe fn strided(
                &self,
                dst: *mut u8,
                dst_stride: isize,
                src: *const *const u8,
                src_stride: *const isize,
                count: usize,
                at: &mut usize,
            ) -> Result<(), KernelError> {
                let mut y = dst.cast::<Out::Element>();
                // SAFETY: (1), rule 2: one entry for each source.
                $( let (mut $p, $step) = unsafe { ((*src.add($k)).cast::<$arg>(), *src_stride.add($k)) }; )*
                if dst_stride == size_of::<Out::Element>() as isize $( && $step == size_of::<$arg>() as isize )* {
                    for i in 0..count {
                        *at = i;
                        // SAFETY: (1), rule 3: element `i` of every operand is valid and aligned; rules 4 and 5: reading
                        // all sources before writing is enough.
                        unsafe { y.add(i).write(self($( $p.add(i).read() ),*).into_result()?) };
                    }
                    return Ok(());
                }
                for i in 0..count {
                    *at = i;
                    // SAFETY: as above.
                    unsafe { y.write(self($( $p.read() ),*).into_result()?) };
                    // `wrapping`: the step after the last element may leave the block; that pointer is never read.
                    y = y.wrapping_byte_offset(dst_stride);
                    $( $p = $p.wrapping_byte_offset($step); )*
                }
                Ok(())
            }
        }
    };
}

scalar_fn!(A a a_step 0);
scalar_fn!(A a a_step 0, B b b_step 1);
scalar_fn!(A a a_step 0, B b b_step 1, C c c_step 2);
scalar_fn!(A a a_step 0, B b b_step 1, C c c_step 2, D d d_step 3);
scalar_fn!(A a a_step 0, B b b_step 1, C c c_step 2, D d d_step 3, E e e_step 4);
scalar_fn!(A a a_step 0, B b b_step 1, C c c_step 2, D d d_step 3, E e e_step 4, G g g_step 5);

/// Runs Rust code at the ABI: an `Err` and a panic are recorded in the calling thread's error slot.
///
/// `f` keeps the index of the element it is working on in its argument; an error that names no element gets that one.
#[inline]
pub fn guard<R>(f: impl FnOnce(&mut usize) -> Result<R, KernelError>) -> Option<R> {
    let mut at = 0;
    match catch_unwind(AssertUnwindSafe(|| f(&mut at))) {
        Ok(Ok(result)) => Some(result),
        Ok(Err(error)) => {
            let element = error.element().unwrap_or(at);
            let _ = error::record(error.kind(), element, format_args!("{}", error.message()));
            None
        }
        Err(payload) => {
            record_panic(payload, at);
            None
        }
    }
}

/// Records a panic that was caught at the ABI.
#[cold]
pub(crate) fn record_panic(payload: Box<dyn Any + Send>, element: usize) {
    let text = payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("(no message)");
    let _ = error::record(ErrorKind::Panic, element, format_args!("the kernel's code panicked: {text}"));
    swallow(Err(payload));
}

/// Ends a panic. Its payload may panic again when it is dropped; the payload of that panic is leaked.
pub(crate) fn swallow(result: std::thread::Result<()>) {
    if let Err(payload) = result
        && let Err(payload) = catch_unwind(AssertUnwindSafe(|| drop(payload)))
    {
        core::mem::forget(payload);
    }
}
