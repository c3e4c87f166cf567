//! The structures and function types that cross the C ABI.
//!
//! Their layout is the contract; docs/ckernel-abi.md gives every offset. A structure only ever grows at its end, and
//! [`ABI_VERSION`] rises when it does.
//!
//! # Contract of a kernel call
//! Every prototype in this module is called under these numbered rules; `SAFETY` comments lean on the numbers.
//! 1. `self_` is the prefix of a completely built kernel that was built for this prototype.
//! 2. `src` (and `src_stride`) of the expr prototypes have one entry for each source of the kernel.
//! 3. For every `i < count` (`i = 0` for the single forms), `dst + i*dst_stride` and `src[k] + i*src_stride[k]` are
//!    valid places of the kernel's element types. They are aligned, unless the kernel says that it does not care.
//! 4. A source is disjoint from the destination, or shares its start and its stride.
//! 5. No other thread writes to the sources or touches the destination meanwhile.
//! 6. The kernel changes neither its own block, nor the arrays `src` and `src_stride`.
//! 7. The kernel does not unwind. It records an error in the calling thread's error slot and returns.

use crate::builder::CKernelBuilder;
use core::ffi::{c_int, c_void};
use core::mem::{align_of, offset_of, size_of};

/// The version of the layouts and functions that this describes.
pub const ABI_VERSION: u32 = 1;

/// The version of the layouts and functions in the library that is linked; compare with `CKERNEL_ABI_VERSION`.
#[unsafe(no_mangle)]
pub extern "C" fn ckernel_abi_version() -> u32 {
    ABI_VERSION
}

/// The version of the ABI that this library speaks.
pub fn abi_version() -> u32 {
    ABI_VERSION
}

/// One byte of an element: `char` in C.
pub type Byte = u8;

/// The start of every kernel: what to call, and how to free what the kernel owns.
///
/// The prototype behind `function` is not stored: the caller knows what it asked for. The kernel's own data follows the
/// prefix, then its children, each of which starts with a prefix again. A block may be moved by `memcpy` between calls.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct CKernelPrefix {
    /// The kernel function: has one of the five prototypes.
    pub function: *mut c_void,
    /// Frees what the kernel and its children own; null if there is nothing to free.
    pub destructor: Option<unsafe extern "C" fn(self_: *mut CKernelPrefix)>,
}

/// Frees what the kernel at this prefix owns, its children included. It must accept a partly built kernel: every field
/// that was not set yet is zero.
pub type CKernelDestructor = unsafe extern "C" fn(self_: *mut CKernelPrefix);

/// One element: `*dst = f(*src)`.
pub type UnarySingle = unsafe extern "C" fn(dst: *mut Byte, src: *const Byte, self_: *mut CKernelPrefix);

/// `count` elements; strides are in bytes, and may be zero or negative.
pub type UnaryStrided = unsafe extern "C" fn(
    dst: *mut Byte,
    dst_stride: isize,
    src: *const Byte,
    src_stride: isize,
    count: usize,
    self_: *mut CKernelPrefix,
);

/// One element from several sources: `*dst = f(*src[0], *src[1], ...)`.
pub type ExprSingle = unsafe extern "C" fn(dst: *mut Byte, src: *const *const Byte, self_: *mut CKernelPrefix);

/// `count` elements from several sources; strides are in bytes, and may be zero or negative.
pub type ExprStrided = unsafe extern "C" fn(
    dst: *mut Byte,
    dst_stride: isize,
    src: *const *const Byte,
    src_stride: *const isize,
    count: usize,
    self_: *mut CKernelPrefix,
);

/// A predicate over two elements: nonzero is true. It has no strided form.
pub type BinaryPredicate =
    unsafe extern "C" fn(src0: *const Byte, src1: *const Byte, self_: *mut CKernelPrefix) -> c_int;

impl CKernelPrefix {
    /// The empty prefix: nothing to call, nothing to free.
    pub const ZERO: Self = Self { function: core::ptr::null_mut(), destructor: None };

    /// Sets the function of a unary single kernel.
    pub fn set_unary_single(&mut self, f: UnarySingle) {
        self.function = f as *mut c_void;
    }

    /// Sets the function of a unary strided kernel.
    pub fn set_unary_strided(&mut self, f: UnaryStrided) {
        self.function = f as *mut c_void;
    }

    /// Sets the function of an expr single kernel.
    pub fn set_expr_single(&mut self, f: ExprSingle) {
        self.function = f as *mut c_void;
    }

    /// Sets the function of an expr strided kernel.
    pub fn set_expr_strided(&mut self, f: ExprStrided) {
        self.function = f as *mut c_void;
    }

    /// Sets the function of a binary predicate.
    pub fn set_predicate(&mut self, f: BinaryPredicate) {
        self.function = f as *mut c_void;
    }

    /// The function as a unary single kernel.
    /// # Safety
    /// 1. `function` was set, and has this prototype.
    #[inline]
    pub unsafe fn unary_single(&self) -> UnarySingle {
        // SAFETY: (1); a non-null data pointer and a function pointer have one representation.
        unsafe { core::mem::transmute::<*mut c_void, UnarySingle>(self.function) }
    }

    /// The function as a unary strided kernel.
    /// # Safety
    /// 1. `function` was set, and has this prototype.
    #[inline]
    pub unsafe fn unary_strided(&self) -> UnaryStrided {
        // SAFETY: (1), as in `unary_single`.
        unsafe { core::mem::transmute::<*mut c_void, UnaryStrided>(self.function) }
    }

    /// The function as an expr single kernel.
    /// # Safety
    /// 1. `function` was set, and has this prototype.
    #[inline]
    pub unsafe fn expr_single(&self) -> ExprSingle {
        // SAFETY: (1), as in `unary_single`.
        unsafe { core::mem::transmute::<*mut c_void, ExprSingle>(self.function) }
    }

    /// The function as an expr strided kernel.
    /// # Safety
    /// 1. `function` was set, and has this prototype.
    #[inline]
    pub unsafe fn expr_strided(&self) -> ExprStrided {
        // SAFETY: (1), as in `unary_single`.
        unsafe { core::mem::transmute::<*mut c_void, ExprStrided>(self.function) }
    }

    /// The function as a binary predicate.
    /// # Safety
    /// 1. `function` was set, and has this prototype.
    #[inline]
    pub unsafe fn predicate(&self) -> BinaryPredicate {
        // SAFETY: (1), as in `unary_single`.
        unsafe { core::mem::transmute::<*mut c_void, BinaryPredicate>(self.function) }
    }

    /// Calls the destructor, if there is one.
    /// # Safety
    /// 1. `this` is the prefix of a kernel in a block, completely or partly built by the rules, and not destroyed yet.
    pub unsafe fn destroy(this: *mut CKernelPrefix) {
        // SAFETY: (1).
        unsafe {
            if let Some(destructor) = (*this).destructor {
                destructor(this);
            }
        }
    }

    /// The kernel `offset` bytes behind this one: a child, addressed relative to its parent.
    /// # Safety
    /// 1. `this + offset` lies in the same block and is the prefix of a kernel.
    #[inline]
    pub unsafe fn child(this: *mut CKernelPrefix, offset: usize) -> *mut CKernelPrefix {
        // SAFETY: (1).
        unsafe { this.byte_add(offset) }
    }

    /// Destroys the child at `offset` behind this kernel; 0 means that the child was never placed.
    /// # Safety
    /// 1. `offset` is 0, or `this + offset` is the (perhaps still zeroed) prefix of a child that was not destroyed yet.
    pub unsafe fn destroy_child(this: *mut CKernelPrefix, offset: usize) {
        if offset != 0 {
            // SAFETY: (1).
            unsafe { Self::destroy(Self::child(this, offset)) }
        }
    }
}

/// Rounds a size or an offset up to the 8 bytes to which every kernel in a block is aligned.
#[inline]
pub const fn round_up(bytes: usize) -> usize {
    (bytes + 7) & !7
}

/// Which form of a kernel the caller wants.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KernelRequest {
    /// A function that does one element.
    Single = 0,
    /// A function that does `count` elements with strides.
    Strided = 1,
}

impl KernelRequest {
    /// The request behind a number from C; `None` if there is no such request.
    pub const fn from_raw(request: u32) -> Option<Self> {
        match request {
            0 => Some(Self::Single),
            1 => Some(Self::Strided),
            _ => None,
        }
    }
}

/// Which family of prototypes a deferred kernel instantiates.
#[repr(usize)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FuncProto {
    /// [`UnarySingle`] and [`UnaryStrided`].
    Unary = 0,
    /// [`ExprSingle`] and [`ExprStrided`].
    Expr = 1,
    /// [`BinaryPredicate`].
    Predicate = 2,
}

impl FuncProto {
    /// The family behind a number from C; `None` if there is no such family.
    pub const fn from_raw(funcproto: usize) -> Option<Self> {
        match funcproto {
            0 => Some(Self::Unary),
            1 => Some(Self::Expr),
            2 => Some(Self::Predicate),
            _ => None,
        }
    }
}

/// A data type, seen through a pointer only. A pointer whose value is less than [`BUILTIN_TYPE_LIMIT`] is not an
/// address: it is the id of a builtin type (see [`type_id`]). What other pointers mean is agreed between those who make
/// and those who use a deferred kernel; this crate passes them on unseen.
#[repr(C)]
#[derive(Debug)]
pub struct CKernelType {
    _opaque: [u8; 0],
}

/// Type pointers below this value are the ids of builtin types.
pub const BUILTIN_TYPE_LIMIT: usize = 64;

/// The ids of the builtin types.
pub mod type_id {
    /// No type.
    pub const UNINITIALIZED: usize = 0;
    /// One byte, 0 or 1.
    pub const BOOL: usize = 1;
    /// Signed, 8 bits.
    pub const INT8: usize = 2;
    /// Signed, 16 bits.
    pub const INT16: usize = 3;
    /// Signed, 32 bits.
    pub const INT32: usize = 4;
    /// Signed, 64 bits.
    pub const INT64: usize = 5;
    /// Signed, 128 bits.
    pub const INT128: usize = 6;
    /// Unsigned, 8 bits.
    pub const UINT8: usize = 7;
    /// Unsigned, 16 bits.
    pub const UINT16: usize = 8;
    /// Unsigned, 32 bits.
    pub const UINT32: usize = 9;
    /// Unsigned, 64 bits.
    pub const UINT64: usize = 10;
    /// Unsigned, 128 bits.
    pub const UINT128: usize = 11;
    /// IEEE 754 binary16.
    pub const FLOAT16: usize = 12;
    /// IEEE 754 binary32.
    pub const FLOAT32: usize = 13;
    /// IEEE 754 binary64.
    pub const FLOAT64: usize = 14;
    /// IEEE 754 binary128.
    pub const FLOAT128: usize = 15;
    /// Two binary32: real part, imaginary part.
    pub const COMPLEX_FLOAT32: usize = 16;
    /// Two binary64: real part, imaginary part.
    pub const COMPLEX_FLOAT64: usize = 17;
    /// Nothing.
    pub const VOID: usize = 18;

    // `usize` stands for `uint64` at the ABI.
    const _: () = assert!(size_of::<usize>() == size_of::<u64>());

    /// The id of a kernel's scalar type.
    pub fn of(scalar: gristmill_scalar::Scalar) -> usize {
        use gristmill_scalar::Scalar;
        match scalar {
            Scalar::F64 => FLOAT64,
            Scalar::F32 => FLOAT32,
            Scalar::I32 => INT32,
            Scalar::I64 => INT64,
            Scalar::U32 => UINT32,
            Scalar::U64 | Scalar::Usize => UINT64,
            Scalar::Bool => BOOL,
        }
    }

    const TABLE: [(&str, Option<usize>); 19] = [
        ("uninitialized", None),
        ("bool", Some(1)),
        ("int8", Some(1)),
        ("int16", Some(2)),
        ("int32", Some(4)),
        ("int64", Some(8)),
        ("int128", Some(16)),
        ("uint8", Some(1)),
        ("uint16", Some(2)),
        ("uint32", Some(4)),
        ("uint64", Some(8)),
        ("uint128", Some(16)),
        ("float16", Some(2)),
        ("float32", Some(4)),
        ("float64", Some(8)),
        ("float128", Some(16)),
        ("complex[float32]", Some(8)),
        ("complex[float64]", Some(16)),
        ("void", Some(0)),
    ];

    /// The size of an element of a builtin type, in bytes; `None` for an id that is no type with a size.
    pub const fn size(id: usize) -> Option<usize> {
        if id < TABLE.len() { TABLE[id].1 } else { None }
    }

    /// The name of a builtin type. Other ids and addresses have none: "an extended type".
    pub const fn name(id: usize) -> &'static str {
        if id < TABLE.len() { TABLE[id].0 } else { "an extended type" }
    }
}

/// The type pointer that stands for a builtin type.
pub const fn builtin_type(id: usize) -> *const CKernelType {
    core::ptr::without_provenance(id)
}

/// Places a kernel in a builder.
///
/// Returns the offset just after the kernel, counted from the start of the builder's memory, so that siblings can be
/// placed one after another; or a negative number, with the reason in the calling thread's error slot. In that case the
/// builder still holds what was built so far, ready for its destructor.
///
/// # Safety
/// 1. `self_data_ptr` is the `data_ptr` of the deferred kernel, which was not freed.
/// 2. `out_ckb` is a constructed builder; `ckb_offset` is a multiple of 8, and the 16 bytes there exist and are zero.
/// 3. `dynd_metadata` has one entry for each data type; an entry may be null where the type needs no metadata.
/// 4. The metadata outlives the kernel.
pub type InstantiateFn = unsafe extern "C" fn(
    self_data_ptr: *mut c_void,
    out_ckb: *mut CKernelBuilder,
    ckb_offset: isize,
    dynd_metadata: *const *const Byte,
    kerntype: u32,
) -> isize;

/// A typed factory of kernels, by value. Freed by `free_func(data_ptr)`, if neither is null.
#[repr(C)]
#[derive(Debug)]
pub struct DeferredCKernel {
    /// Which prototypes the kernels have: 0 unary, 1 expr, 2 binary predicate.
    pub ckernel_funcproto: usize,
    /// The number of entries of `data_dynd_types`.
    pub data_types_size: usize,
    /// The types of the destination and then of the sources. A value below 64 is the id of a builtin type. The array
    /// is static, or part of the memory behind `data_ptr`.
    pub data_dynd_types: *const *const CKernelType,
    /// What the deferred kernel owns: the first argument of both functions.
    pub data_ptr: *mut c_void,
    /// Places a kernel in a builder. May be called by several threads at once. Null in an empty deferred kernel.
    pub instantiate_func: Option<
        unsafe extern "C" fn(
            self_data_ptr: *mut c_void,
            out_ckb: *mut CKernelBuilder,
            ckb_offset: isize,
            dynd_metadata: *const *const Byte,
            kerntype: u32,
        ) -> isize,
    >,
    /// Frees `data_ptr`; null if there is nothing to free.
    pub free_func: Option<unsafe extern "C" fn(self_data_ptr: *mut c_void)>,
}

impl DeferredCKernel {
    /// The empty deferred kernel: it instantiates nothing and frees nothing.
    pub const EMPTY: Self = Self {
        ckernel_funcproto: 0,
        data_types_size: 0,
        data_dynd_types: core::ptr::null(),
        data_ptr: core::ptr::null_mut(),
        instantiate_func: None,
        free_func: None,
    };
}

// The layout is ABI: see docs/ckernel-abi.md.
const WORD: usize = size_of::<usize>();
const _: () = {
    assert!(size_of::<*mut c_void>() == WORD && size_of::<UnarySingle>() == WORD);

    assert!(size_of::<CKernelPrefix>() == 2 * WORD && align_of::<CKernelPrefix>() == WORD);
    assert!(offset_of!(CKernelPrefix, function) == 0);
    assert!(offset_of!(CKernelPrefix, destructor) == WORD);

    assert!(size_of::<CKernelBuilder>() == 18 * WORD && align_of::<CKernelBuilder>() == WORD);
    assert!(offset_of!(CKernelBuilder, data) == 0);
    assert!(offset_of!(CKernelBuilder, capacity) == WORD);
    assert!(offset_of!(CKernelBuilder, static_data) == 2 * WORD);

    assert!(size_of::<DeferredCKernel>() == 6 * WORD && align_of::<DeferredCKernel>() == WORD);
    assert!(offset_of!(DeferredCKernel, ckernel_funcproto) == 0);
    assert!(offset_of!(DeferredCKernel, data_types_size) == WORD);
    assert!(offset_of!(DeferredCKernel, data_dynd_types) == 2 * WORD);
    assert!(offset_of!(DeferredCKernel, data_ptr) == 3 * WORD);
    assert!(offset_of!(DeferredCKernel, instantiate_func) == 4 * WORD);
    assert!(offset_of!(DeferredCKernel, free_func) == 5 * WORD);

    assert!(size_of::<KernelRequest>() == 4 && size_of::<FuncProto>() == WORD);
};
