//! Deferred kernels: typed factories that lower to a single or a strided kernel when asked.

use crate::abi::{
    BUILTIN_TYPE_LIMIT, CKernelPrefix, CKernelType, DeferredCKernel, FuncProto, KernelRequest, builtin_type, type_id,
};
use crate::builder::CKernelBuilder;
use crate::error::{self, Aside, ErrorKind, KernelError};
use crate::function::{Element, Outcome, ScalarFn, guard, record_panic};
use crate::kernel::{Kernel, try_collect};
use crate::typed::{Builder, Leaf, PrototypedFunction, Slot};
use core::ffi::{c_int, c_void};
use core::fmt;
use core::marker::PhantomData;
use core::ptr::NonNull;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// The metadata of a kernel's operands: one pointer for the destination and one for each source.
#[derive(Debug, Clone, Copy)]
pub struct Metadata<'a> {
    /// Null: there is none, for any operand.
    pointers: *const *const u8,
    life: PhantomData<&'a [*const u8]>,
}

impl<'a> Metadata<'a> {
    /// No metadata: right for builtin types.
    pub const NONE: Metadata<'static> = Metadata { pointers: core::ptr::null(), life: PhantomData };

    /// One pointer for each operand.
    /// # Safety
    /// 1. There is one for each data type of the deferred kernel that they are used with.
    pub unsafe fn new(pointers: &'a [*const u8]) -> Self {
        Self { pointers: pointers.as_ptr(), life: PhantomData }
    }

    /// True if no operand has metadata.
    pub fn is_none(&self) -> bool {
        self.pointers.is_null()
    }

    /// The pointer for operand `index`: 0 is the destination. Null if that operand has no metadata.
    /// # Safety
    /// 1. `index` is less than the number of data types of the deferred kernel.
    pub unsafe fn get(&self, index: usize) -> *const u8 {
        // SAFETY: (1), and (1) of `new`.
        if self.pointers.is_null() { core::ptr::null() } else { unsafe { *self.pointers.add(index) } }
    }
}

/// A typed factory of kernels. Cloning shares it; it may be used by many threads at once.
///
/// ```
/// use gristmill_ckernel::{Deferred, KernelRequest, Operand, OperandMut};
///
/// let hypot2 = Deferred::expr(|x: f64, y: f64| x * x + y * y);
/// let kernel = hypot2.instantiate(KernelRequest::Strided)?;
/// let mut dst = [0.0; 3];
/// kernel.run(OperandMut::slice(&mut dst), &[Operand::slice(&[3.0, 5.0, 8.0]), Operand::repeat(&4.0)])?;
/// assert_eq!(dst, [25.0, 41.0, 80.0]);
/// # Ok::<(), gristmill_ckernel::KernelError>(())
/// ```
#[derive(Clone)]
pub struct Deferred(Arc<Inner>);

struct Inner {
    proto: FuncProto,
    types: Box<[*const CKernelType]>,
    factory: Factory,
}

// SAFETY: the types are ids or pointers that are only passed on; a Rust factory is `Send + Sync` by its bound, a C one
// by rule 3 of `Deferred::from_raw`.
unsafe impl Send for Inner {}
// SAFETY: as for Send.
unsafe impl Sync for Inner {}

type RustFactory =
    dyn for<'b> Fn(&mut Builder<'b>, Slot<'b>, Metadata<'_>, KernelRequest) -> Result<(), KernelError> + Send + Sync;

enum Factory {
    Rust(Box<RustFactory>),
    C(DeferredCKernel),
}

impl Drop for Inner {
    fn drop(&mut self) {
        if let Factory::C(raw) = &mut self.factory {
            // SAFETY: `from_raw` took ownership, and this is the last owner.
            unsafe { raw.free() }
        }
    }
}

impl DeferredCKernel {
    /// Frees what the deferred kernel owns, and leaves it empty.
    /// # Safety
    /// 1. The caller owns it, and no kernel is being instantiated from it.
    pub unsafe fn free(&mut self) {
        let owned = core::mem::replace(self, Self::EMPTY);
        if let Some(free) = owned.free_func.filter(|_| !owned.data_ptr.is_null()) {
            // SAFETY: (1); it is forgotten in the same step, so it is freed once.
            unsafe { free(owned.data_ptr) }
        }
    }
}

impl fmt::Debug for Deferred {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let types: Vec<_> = self.0.types.iter().map(|t| type_id::name(t.addr())).collect();
        f.debug_struct("Deferred").field("proto", &self.0.proto).field("types", &types).finish_non_exhaustive()
    }
}

fn builtin_types(ids: &[usize]) -> Box<[*const CKernelType]> {
    ids.iter().map(|&id| builtin_type(id)).collect()
}

impl Deferred {
    /// A deferred kernel whose kernels are placed by `factory`.
    ///
    /// `types` are the destination's type and then the sources' types; a predicate has its two sources only.
    /// # Safety
    /// 1. `factory` fills the slot, for either request, with a kernel of `proto` for elements of `types`; or fails.
    /// 2. It accepts [`Metadata::NONE`] if all types are builtin.
    pub unsafe fn new(
        proto: FuncProto,
        types: impl Into<Box<[*const CKernelType]>>,
        factory: impl for<'b> Fn(&mut Builder<'b>, Slot<'b>, Metadata<'_>, KernelRequest) -> Result<(), KernelError>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        Self(Arc::new(Inner { proto, types: types.into(), factory: Factory::Rust(Box::new(factory)) }))
    }

    /// A unary kernel from a closure of one scalar. The closure may return a `Result`.
    pub fn unary<A: Element, F: ScalarFn<(A,)>>(f: F) -> Self {
        // SAFETY: the functions read and write the types that the closure has, and `F` is `Send + Sync`.
        unsafe {
            Self::new(FuncProto::Unary, builtin_types(F::TYPES), move |builder, slot, _, request| {
                let function = PrototypedFunction::unary(request, unary_single::<A, F>, unary_strided::<A, F>);
                builder.push::<Leaf<F>>(slot, function, f.clone()).map(drop)
            })
        }
    }

    /// An expr kernel from a closure of one to six scalars. The closure may return a `Result`.
    pub fn expr<Args: 'static, F: ScalarFn<Args>>(f: F) -> Self {
        // SAFETY: as in `unary`.
        unsafe {
            Self::new(FuncProto::Expr, builtin_types(F::TYPES), move |builder, slot, _, request| {
                let function = PrototypedFunction::expr(request, expr_single::<Args, F>, expr_strided::<Args, F>);
                builder.push::<Leaf<F>>(slot, function, f.clone()).map(drop)
            })
        }
    }

    /// A binary predicate from a closure of two scalars that returns a `bool`, or a `Result` of one.
    pub fn predicate<A, B, R, F>(f: F) -> Self
    where
        A: Element,
        B: Element,
        R: Outcome<Element = bool>,
        F: Fn(A, B) -> R + Clone + Send + Sync + 'static,
    {
        // SAFETY: as in `unary`.
        unsafe {
            Self::new(FuncProto::Predicate, builtin_types(&[A::TYPE_ID, B::TYPE_ID]), move |builder, slot, _, _| {
                let function = PrototypedFunction::Predicate(predicate::<A, B, R, F>);
                builder.push::<Leaf<F>>(slot, function, f.clone()).map(drop)
            })
        }
    }

    /// Takes a deferred kernel from C; it will be freed when the last clone and the last kernel are gone.
    ///
    /// # Errors
    /// When it is empty or malformed; it is freed then.
    /// # Safety
    /// 1. `raw` keeps what the documentation of its fields says, and the caller owns it.
    /// 2. Its kernels have the prototype and the types that it names, and they never unwind.
    /// 3. `instantiate_func` and the kernels may be called by several threads at once, `free_func` by any thread.
    pub unsafe fn from_raw(mut raw: DeferredCKernel) -> Result<Self, KernelError> {
        let proto = FuncProto::from_raw(raw.ckernel_funcproto);
        let problem = if raw.instantiate_func.is_none() {
            Some((ErrorKind::Uninitialized, "the deferred kernel has no instantiate function".to_owned()))
        } else if proto.is_none() {
            Some((
                ErrorKind::InvalidArgument,
                format!(
                    "ckernel_funcproto is {}, but must be 0 (unary), 1 (expr) or 2 (predicate)",
                    raw.ckernel_funcproto
                ),
            ))
        } else if raw.data_dynd_types.is_null() && raw.data_types_size > 0 {
            Some((
                ErrorKind::InvalidArgument,
                format!("data_dynd_types is null, but data_types_size is {}", raw.data_types_size),
            ))
        } else {
            let size = raw.data_types_size;
            let expected = match proto {
                Some(FuncProto::Expr) => (size < 1 || size > isize::MAX as usize / 8).then_some("at least 1"),
                _ => (size != 2).then_some("2 for this prototype"),
            };
            expected.map(|e| (ErrorKind::InvalidArgument, format!("data_types_size is {size}, but must be {e}")))
        };
        match (problem, proto) {
            (None, Some(proto)) => {
                // SAFETY: (1); not null, and of this size.
                let types = unsafe { core::slice::from_raw_parts(raw.data_dynd_types, raw.data_types_size) }.into();
                Ok(Self(Arc::new(Inner { proto, types, factory: Factory::C(raw) })))
            }
            (problem, _) => {
                // SAFETY: (1).
                unsafe { raw.free() };
                let (kind, message) = problem.unwrap_or((ErrorKind::InvalidArgument, String::new()));
                Err(KernelError::new(kind, message))
            }
        }
    }

    /// Hands the deferred kernel to C, which frees it by `free_func(data_ptr)`.
    pub fn into_raw(self) -> DeferredCKernel {
        DeferredCKernel {
            ckernel_funcproto: self.0.proto as usize,
            data_types_size: self.0.types.len(),
            data_dynd_types: self.0.types.as_ptr(),
            instantiate_func: Some(instantiate_for_c),
            free_func: Some(free_for_c),
            data_ptr: Arc::into_raw(self.0).cast_mut().cast(),
        }
    }

    /// Which prototypes its kernels have.
    pub fn proto(&self) -> FuncProto {
        self.0.proto
    }

    /// The types of the destination and then of the sources; of the two sources for a predicate.
    pub fn types(&self) -> &[*const CKernelType] {
        &self.0.types
    }

    /// Builds a kernel for builtin types, which need no metadata.
    ///
    /// # Errors
    /// Those of the factory; also when a type is not builtin.
    pub fn instantiate(&self, request: KernelRequest) -> Result<Kernel, KernelError> {
        if let Some(index) = self.0.types.iter().position(|t| t.addr() >= BUILTIN_TYPE_LIMIT) {
            return Err(KernelError::new(
                ErrorKind::InvalidArgument,
                format!("type {index} is not builtin, so the kernel needs metadata; use `instantiate_with`"),
            ));
        }
        // SAFETY: builtin types have no metadata.
        unsafe { self.instantiate_with(Metadata::NONE, request) }
    }

    /// Builds a kernel for operands with this metadata.
    ///
    /// # Errors
    /// Those of the factory.
    /// # Safety
    /// 1. The metadata fits the types, and outlives the kernel.
    pub unsafe fn instantiate_with(
        &self,
        metadata: Metadata<'_>,
        request: KernelRequest,
    ) -> Result<Kernel, KernelError> {
        let kernel = Kernel::build(self.0.proto, request, |builder, slot| {
            // SAFETY: (1); the kernel is labelled with this deferred kernel's prototype.
            unsafe { builder.deferred(slot, self, metadata, request) }
        })?;
        Ok(kernel.with_source(self.clone()))
    }

    /// Fills a slot.
    /// # Safety
    /// 1. As for [`Builder::deferred`].
    pub(crate) unsafe fn place<'b>(
        &self,
        builder: &mut Builder<'b>,
        slot: Slot<'b>,
        metadata: Metadata<'_>,
        request: KernelRequest,
    ) -> Result<(), KernelError> {
        match &self.0.factory {
            Factory::Rust(factory) => factory(builder, slot, metadata, request),
            // SAFETY: (1), and the contract of `from_raw`.
            Factory::C(raw) => unsafe {
                builder.raw(slot, |ckb, offset| instantiate_c(raw, self.0.types.len(), ckb, offset, metadata, request))
            },
        }
    }
}

/// C expects an array of metadata pointers, also when they are all null.
const NO_METADATA: [usize; 16] = [0; 16];

/// Calls a C instantiate function, and turns what it recorded into a result.
unsafe fn instantiate_c(
    raw: &DeferredCKernel,
    types: usize,
    ckb: *mut CKernelBuilder,
    offset: usize,
    metadata: Metadata<'_>,
    request: KernelRequest,
) -> Result<usize, KernelError> {
    let Some(instantiate) = raw.instantiate_func else {
        return Err(KernelError::new(ErrorKind::Uninitialized, "the deferred kernel has no instantiate function"));
    };
    let many;
    let pointers = if !metadata.pointers.is_null() {
        metadata.pointers
    } else if types <= NO_METADATA.len() {
        NO_METADATA.as_ptr().cast()
    } else {
        many = try_collect(core::iter::repeat_n(core::ptr::null(), types))?;
        many.as_ptr()
    };
    let _aside = Aside::new();
    // SAFETY: the contract of `InstantiateFn`, by (1) and (3) of `from_raw` and those of the caller.
    let end = unsafe { instantiate(raw.data_ptr, ckb, offset as isize, pointers, request as u32) };
    // An error counts even if the function returned an offset.
    match (error::take(), usize::try_from(end)) {
        (Some(error), _) => Err(error),
        (None, Ok(end)) => Ok(end),
        (None, Err(_)) => Err(KernelError::new(
            ErrorKind::Foreign,
            format!("the instantiate function returned {end} without recording an error"),
        )),
    }
}

/// The `instantiate_func` of a Rust deferred kernel in C's hands.
/// # Safety
/// 1. The contract of [`crate::InstantiateFn`]; `self_data_ptr` comes from `Deferred::into_raw`.
unsafe extern "C" fn instantiate_for_c(
    self_data_ptr: *mut c_void,
    out_ckb: *mut CKernelBuilder,
    ckb_offset: isize,
    dynd_metadata: *const *const u8,
    kerntype: u32,
) -> isize {
    let result = catch_unwind(AssertUnwindSafe(|| {
        let invalid = |message: String| Err(KernelError::new(ErrorKind::InvalidArgument, message));
        let Some(request) = KernelRequest::from_raw(kerntype) else {
            return invalid(format!("kernel request is {kerntype}, but must be 0 (single) or 1 (strided)"));
        };
        let (Some(raw), false) = (NonNull::new(out_ckb), self_data_ptr.is_null()) else {
            return invalid("out_ckb or self_data_ptr is null".to_owned());
        };
        // SAFETY: (1): a constructed builder.
        let (data, capacity) = unsafe { ((*out_ckb).data, (*out_ckb).capacity) };
        let room = capacity - size_of::<CKernelPrefix>() as isize;
        if data.is_null() || ckb_offset < 0 || ckb_offset % 8 != 0 || ckb_offset > room {
            return invalid(format!(
                "ckb_offset is {ckb_offset}, but must be a multiple of 8 from 0 to {room}, with room for a prefix"
            ));
        }
        // SAFETY: (1); the call borrows the Arc that C owns.
        let deferred = core::mem::ManuallyDrop::new(Deferred(unsafe { Arc::from_raw(self_data_ptr.cast()) }));
        let metadata = Metadata { pointers: dynd_metadata, life: PhantomData };
        build_at(raw, ckb_offset as usize, |builder, slot| {
            // SAFETY: (1).
            unsafe { builder.deferred(slot, &deferred, metadata, request) }
        })
    }));
    match result {
        Ok(Ok(end)) => end as isize,
        Ok(Err(error)) => {
            let _ = error.record();
            -1
        }
        Err(payload) => {
            record_panic(payload, error::NO_ELEMENT);
            -1
        }
    }
}

/// Gives `f` a typed view of a raw builder with a brand of its own, and returns the end of what it placed.
fn build_at(
    raw: NonNull<CKernelBuilder>,
    offset: usize,
    f: impl for<'b> FnOnce(&mut Builder<'b>, Slot<'b>) -> Result<(), KernelError>,
) -> Result<usize, KernelError> {
    // SAFETY: the caller checked the builder and the offset; the memory there is zero by the contract of
    // `InstantiateFn`; `f` works for every brand, so this one is new.
    let (mut builder, slot) = unsafe { Builder::from_raw(raw, offset) };
    f(&mut builder, slot)?;
    Ok(builder.end())
}

/// The `free_func` of a Rust deferred kernel in C's hands.
/// # Safety
/// 1. `self_data_ptr` comes from `Deferred::into_raw`, and was not freed.
unsafe extern "C" fn free_for_c(self_data_ptr: *mut c_void) {
    // SAFETY: (1).
    let owned = unsafe { Arc::<Inner>::from_raw(self_data_ptr.cast()) };
    crate::function::swallow(catch_unwind(AssertUnwindSafe(|| drop(owned))));
}

// The kernel functions of closures. Safety of all: the call contract in `crate::abi`; the block is a `Leaf<F>`.

unsafe extern "C" fn unary_single<A: Element, F: ScalarFn<(A,)>>(
    dst: *mut u8,
    src: *const u8,
    self_: *mut CKernelPrefix,
) {
    // SAFETY: rules 1 and 3; with one element the strides do not matter.
    guard(|at| unsafe { Leaf::<F>::of(self_).data.strided(dst, 0, &src, &0, 1, at) });
}

unsafe extern "C" fn unary_strided<A: Element, F: ScalarFn<(A,)>>(
    dst: *mut u8,
    dst_stride: isize,
    src: *const u8,
    src_stride: isize,
    count: usize,
    self_: *mut CKernelPrefix,
) {
    // SAFETY: rules 1 and 3 to 5.
    guard(|at| unsafe { Leaf::<F>::of(self_).data.strided(dst, dst_stride, &src, &src_stride, count, at) });
}

unsafe extern "C" fn expr_single<Args, F: ScalarFn<Args>>(
    dst: *mut u8,
    src: *const *const u8,
    self_: *mut CKernelPrefix,
) {
    const STRIDES: [isize; 6] = [0; 6];
    // SAFETY: rules 1 to 3; with one element the strides do not matter, and a closure has at most six sources.
    guard(|at| unsafe { Leaf::<F>::of(self_).data.strided(dst, 0, src, STRIDES.as_ptr(), 1, at) });
}

unsafe extern "C" fn expr_strided<Args, F: ScalarFn<Args>>(
    dst: *mut u8,
    dst_stride: isize,
    src: *const *const u8,
    src_stride: *const isize,
    count: usize,
    self_: *mut CKernelPrefix,
) {
    // SAFETY: rules 1 to 5.
    guard(|at| unsafe { Leaf::<F>::of(self_).data.strided(dst, dst_stride, src, src_stride, count, at) });
}

unsafe extern "C" fn predicate<A, B, R, F>(src0: *const u8, src1: *const u8, self_: *mut CKernelPrefix) -> c_int
where
    A: Element,
    B: Element,
    R: Outcome<Element = bool>,
    F: Fn(A, B) -> R + Clone + Send + Sync + 'static,
{
    let answer = guard(|_| {
        // SAFETY: rules 1, 3 and 5.
        let (f, a, b) = unsafe { (&Leaf::<F>::of(self_).data, src0.cast::<A>().read(), src1.cast::<B>().read()) };
        f(a, b).into_result()
    });
    c_int::from(answer.unwrap_or(false))
}
