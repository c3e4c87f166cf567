//! Lifting: a deferred kernel over elements becomes one over arrays, with broadcasting.

use std::collections::{HashMap, HashSet};
use std::ptr::NonNull;
use std::sync::{LazyLock, PoisonError, RwLock};

use gristmill_ckernel::error::ErrorKind;
use gristmill_ckernel::{
    BUILTIN_TYPE_LIMIT, Builder, CKernelBuilder, CKernelType, Deferred, FuncProto, KernelError, KernelRequest,
    Metadata as RawMetadata, builtin_type, type_id,
};

use crate::array::{ArrayMut, ArrayRef};
use crate::assign::build::{Context, Leaves, Operand, Operands, build, operands};
use crate::assign::node::{Expr, Placed, Proto, Unary};
use crate::assign::{Assign, with_kernel};
use crate::convert::ErrorMode;
use crate::error::{Error, Result, argument};
use crate::metadata::metadata_words;
use crate::small::Small;
use crate::types::{Primitive, Type};

// ---- types across the C ABI

const BUILTIN: [usize; 16] = [
    type_id::BOOL,
    type_id::INT8,
    type_id::INT16,
    type_id::INT32,
    type_id::INT64,
    type_id::INT128,
    type_id::UINT8,
    type_id::UINT16,
    type_id::UINT32,
    type_id::UINT64,
    type_id::UINT128,
    type_id::FLOAT16,
    type_id::FLOAT32,
    type_id::FLOAT64,
    type_id::COMPLEX_FLOAT32,
    type_id::COMPLEX_FLOAT64,
];

/// Types that were handed out as pointers. They stay for the life of the process: one for each distinct type.
#[derive(Default)]
struct Interned {
    by_type: HashMap<Type, &'static Type>,
    addresses: HashSet<usize>,
}

static INTERNED: LazyLock<RwLock<Interned>> = LazyLock::new(RwLock::default);

impl Type {
    /// This type as a deferred kernel names it: the id of a builtin type, or an address that stays valid. Equal types
    /// have equal addresses.
    pub fn to_ckernel(&self) -> *const CKernelType {
        if let Type::Primitive(scalar) = self {
            return builtin_type(BUILTIN[*scalar as usize]);
        }
        if let Some(known) = INTERNED.read().unwrap_or_else(PoisonError::into_inner).by_type.get(self) {
            return std::ptr::from_ref::<Type>(known).cast();
        }
        let mut table = INTERNED.write().unwrap_or_else(PoisonError::into_inner);
        let known = *table.by_type.entry(self.clone()).or_insert_with(|| Box::leak(Box::new(self.clone())));
        table.addresses.insert(std::ptr::from_ref(known).addr());
        std::ptr::from_ref::<Type>(known).cast()
    }

    /// The type behind a deferred kernel's type pointer.
    ///
    /// # Errors
    /// When it is neither the id of a scalar type nor an address from [`Type::to_ckernel`].
    pub fn from_ckernel(pointer: *const CKernelType) -> Result<Type> {
        let address = pointer.addr();
        if address < BUILTIN_TYPE_LIMIT {
            return match BUILTIN.iter().position(|&id| id == address) {
                Some(i) => Ok(Type::Primitive(Primitive::ALL[i])),
                None => Err(argument(
                    "a type of the deferred kernel",
                    format!("the id {address}"),
                    "the id of a scalar type",
                )),
            };
        }
        if INTERNED.read().unwrap_or_else(PoisonError::into_inner).addresses.contains(&address) {
            // SAFETY: an address in the table is that of a leaked `Type`.
            return Ok(unsafe { &*pointer.cast::<Type>() }.clone());
        }
        Err(argument("a type of the deferred kernel", "an unknown address", "an address from `Type::to_ckernel`"))
    }
}

// ---- leaves that are deferred kernels

/// A deferred kernel as a leaf.
struct Lifted {
    kernel: Deferred,
    types: Vec<Type>,
}

/// Whether memory of type `given` can be read as `wanted` with the same metadata: a fixed dimension is a strided one.
fn views_as(given: &Type, wanted: &Type) -> bool {
    match (given, wanted) {
        (Type::Fixed(_, g), Type::Strided(w)) | (Type::Strided(g), Type::Strided(w)) => views_as(g, w),
        (Type::Fixed(n, g), Type::Fixed(m, w)) => n == m && views_as(g, w),
        (Type::Var(g), Type::Var(w)) | (Type::Pointer(g), Type::Pointer(w)) => views_as(g, w),
        _ => given == wanted,
    }
}

fn operand_name(k: usize) -> String {
    if k == 0 { "the destination".into() } else { format!("source {}", k - 1) }
}

impl Lifted {
    fn new(kernel: &Deferred) -> Result<Lifted> {
        if kernel.proto() == FuncProto::Predicate {
            return Err(argument("the kernel to lift", "a binary predicate", "a unary or an expr kernel"));
        }
        let types = kernel.types().iter().map(|&t| Type::from_ckernel(t)).collect::<Result<Vec<_>>>()?;
        Ok(Lifted { kernel: kernel.clone(), types })
    }

    /// Every operand type has the leaf's type inside its dimensions.
    fn check_types<'t>(&self, given: impl ExactSizeIterator<Item = &'t Type>) -> Result<()> {
        if given.len() != self.types.len() {
            return Err(Error::Count {
                what: "sources",
                given: given.len().saturating_sub(1),
                expected: self.types.len() - 1,
            });
        }
        for (k, (ty, wanted)) in given.zip(&self.types).enumerate() {
            let mut inside = Some(ty);
            while let Some(t) = inside
                && !views_as(t, wanted)
            {
                inside = t.inner();
            }
            if inside.is_none() {
                return Err(Error::TypeMismatch {
                    argument: operand_name(k),
                    given: ty.to_string(),
                    expected: wanted.to_string(),
                });
            }
        }
        Ok(())
    }
}

impl Leaves for Lifted {
    fn ndim(&self, k: usize) -> usize {
        self.types[k].ndim()
    }

    fn is_leaf(&self, k: usize, ty: &Type) -> bool {
        views_as(ty, &self.types[k])
    }

    fn may_fail(&self, _: &[Operand<'_>]) -> bool {
        true // whatever a deferred kernel does
    }

    unsafe fn place(
        &self,
        ckb: *mut CKernelBuilder,
        offset: usize,
        operands: &[Operand<'_>],
        request: KernelRequest,
        _: usize,
    ) -> Result<Placed> {
        let mut pointers = Small::<*const u8, 8>::new(std::ptr::null());
        for operand in operands {
            pointers.push(operand.words.as_ptr().cast());
        }
        let Some(raw) = NonNull::new(ckb) else {
            return Err(argument("the builder", "null", "a constructed builder"));
        };
        // SAFETY: the caller's contract; the types were checked, and there is one metadata pointer for each; the words
        // belong to arrays or to a caller's metadata that outlives the kernel. The brand is this call's own.
        unsafe {
            let (mut builder, slot) = Builder::from_raw(raw, offset);
            builder.deferred(slot, &self.kernel, RawMetadata::new(pointers.get()), request)?;
            Ok(Placed { end: builder.end(), fallible: true, leaves: 1 })
        }
    }
}

// ---- lifted deferred kernels

/// An error as kernels report it.
fn to_kernel_error(error: Error) -> KernelError {
    let kind = match &error {
        Error::Kernel(e) => return e.clone(),
        Error::Broadcast { .. } => ErrorKind::Broadcast,
        Error::TypeMismatch { .. } | Error::CannotAssign { .. } | Error::Type(_) => ErrorKind::Type,
        _ => ErrorKind::InvalidArgument,
    };
    KernelError::new(kind, error.to_string())
}

/// A deferred kernel whose kernels are built from leaves under dimensions.
fn deferred<P: Proto>(leaves: impl Leaves + Send + Sync + 'static, types: Vec<Type>, label: &'static str) -> Deferred {
    let pointers: Vec<_> = types.iter().map(Type::to_ckernel).collect();
    // SAFETY: the factory builds a kernel of the family `P` for these types, and reads as many words of metadata as each
    // type has: none for scalars.
    unsafe {
        Deferred::new(P::PROTO, pointers, move |builder, slot, metadata, request| {
            let mut whole = operands(&[]);
            for (k, ty) in types.iter().enumerate() {
                let (count, pointer) = (metadata_words(ty), metadata.get(k));
                let words: &[isize] = if count == 0 {
                    &[]
                } else if pointer.is_null() {
                    let message = format!("{} has no metadata, but its type `{ty}` needs it", operand_name(k));
                    return Err(KernelError::new(ErrorKind::InvalidArgument, message));
                } else {
                    std::slice::from_raw_parts(pointer.cast(), count)
                };
                whole.push(Operand { ty, words });
            }
            let context = Context { leaves: &leaves, whole: whole.get(), label };
            builder.raw(slot, |ckb, offset| {
                context
                    .check_ranks()
                    .and_then(|()| build::<P>(ckb, offset, &context, whole.get(), 0, request))
                    .map(|placed| placed.end)
                    .map_err(to_kernel_error)
            })
        })
    }
}

/// Lifts a deferred kernel over dimensions: `types` are those of the destination and of each source, each with the
/// kernel's own type inside its dimensions. The result instantiates with the metadata of arrays of these types.
///
/// A lifted kernel computes each element from its sources only; the order of elements is not defined, and after an error
/// an element may be computed again.
///
/// # Errors
/// When the number of types is wrong, a type does not contain the kernel's, a source has more dimensions than the
/// destination, or the kernel is a predicate.
pub fn lift(kernel: &Deferred, types: &[Type]) -> Result<Deferred> {
    let lifted = Lifted::new(kernel)?;
    lifted.check_types(types.iter())?;
    let dst = types[0].ndim() - lifted.ndim(0);
    for (k, ty) in types.iter().enumerate().skip(1) {
        let src = ty.ndim() - lifted.ndim(k);
        if src > dst {
            return Err(argument(
                format!("the number of dimensions of {}, `{ty}`,", operand_name(k)),
                src,
                format!("at most {dst}, as the destination `{}` has", types[0]),
            ));
        }
    }
    Ok(match kernel.proto() {
        FuncProto::Unary => deferred::<Unary>(lifted, types.to_vec(), "the source"),
        _ => deferred::<Expr>(lifted, types.to_vec(), "source"),
    })
}

/// See [`crate::assignment`].
pub(crate) fn assignment(dst: &Type, src: &Type, mode: ErrorMode) -> Result<Deferred> {
    if src.ndim() > dst.ndim() {
        return Err(argument(
            format!("the number of dimensions of the source, `{src}`,"),
            src.ndim(),
            format!("at most {}, as the destination `{dst}` has", dst.ndim()),
        ));
    }
    Ok(deferred::<Unary>(Assign { mode }, vec![dst.clone(), src.clone()], "the source"))
}

/// Runs a deferred kernel on arrays, lifted over their dimensions: `dst = kernel(src...)`, with broadcasting.
///
/// # Errors
/// Before anything is written: a wrong number of sources, another type, shapes that do not broadcast. While running:
/// what the kernel records, with the index of the element in C order of the destination.
pub fn apply(kernel: &Deferred, dst: &mut ArrayMut<'_>, src: &[&ArrayRef<'_>]) -> Result<()> {
    let lifted = Lifted::new(kernel)?;
    let whole = lifted.arrays(dst, src)?;
    let context = lifted.context(whole.get());
    context.check_ranks()?;
    let starts = sources(src);
    // SAFETY: types were checked, the words fit them, and the views outlive the kernel. It is called on the views' own
    // data: rules 3 to 5 are their invariants.
    unsafe {
        match kernel.proto() {
            FuncProto::Unary => with_kernel(
                |ckb| build::<Unary>(ckb, 0, &context, whole.get(), 0, KernelRequest::Single),
                |k| Unary::single(k, dst.data, starts.get().as_ptr()),
            ),
            _ => with_kernel(
                |ckb| build::<Expr>(ckb, 0, &context, whole.get(), 0, KernelRequest::Single),
                |k| Expr::single(k, dst.data, starts.get().as_ptr()),
            ),
        }
    }
}

/// Runs a deferred kernel once on arrays of exactly its types (a fixed dimension may stand for a strided one). Values
/// are never converted and dimensions never lifted over.
///
/// # Errors
/// When the number of sources or a type differs, or the kernel cannot be built or records an error.
pub fn call(kernel: &Deferred, dst: &mut ArrayMut<'_>, src: &[&ArrayRef<'_>]) -> Result<()> {
    let lifted = Lifted::new(kernel)?;
    let whole = lifted.arrays(dst, src)?;
    for (k, (operand, wanted)) in whole.get().iter().zip(&lifted.types).enumerate() {
        if !views_as(operand.ty, wanted) {
            return Err(Error::TypeMismatch {
                argument: operand_name(k),
                given: operand.ty.to_string(),
                expected: wanted.to_string(),
            });
        }
    }
    apply(kernel, dst, src)
}

/// Where the sources start.
pub(crate) fn sources(src: &[&ArrayRef<'_>]) -> Small<*const u8, 8> {
    let mut starts = Small::new(std::ptr::null());
    src.iter().for_each(|view| starts.push(view.data));
    starts
}

/// What a parallel call needs of a lifted kernel.
pub(crate) struct LiftedLeaves(Lifted);

impl LiftedLeaves {
    pub(crate) fn new(kernel: &Deferred) -> Result<LiftedLeaves> {
        Lifted::new(kernel).map(LiftedLeaves)
    }
    pub(crate) fn arrays<'v>(&self, dst: &'v ArrayMut<'_>, src: &[&'v ArrayRef<'_>]) -> Result<Operands<'v>> {
        self.0.arrays(dst, src)
    }
    pub(crate) fn leaves(&self) -> &(dyn Leaves + Sync) {
        &self.0
    }
}

impl Lifted {
    fn arrays<'v>(&self, dst: &'v ArrayMut<'_>, src: &[&'v ArrayRef<'_>]) -> Result<Operands<'v>> {
        let mut whole = operands(&[dst.operand()]);
        src.iter().for_each(|view| whole.push(view.operand()));
        let list: Vec<&Type> = whole.get().iter().map(|o| o.ty).collect();
        self.check_types(list.into_iter())?;
        Ok(whole)
    }

    fn context<'c>(&'c self, whole: &'c [Operand<'c>]) -> Context<'c> {
        Context { leaves: self, whole, label: if whole.len() > 2 { "source" } else { "the source" } }
    }
}
