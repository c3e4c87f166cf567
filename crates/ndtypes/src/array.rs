//! Array views over borrowed memory, and owned arrays.

use std::marker::PhantomData;
use std::sync::Arc;

use half::f16;
use num_complex::Complex;

use crate::assign::build::Operand;
use crate::error::{Error, Result, Shape, argument};
use crate::memory::Buffer;
use crate::metadata::{Metadata, VarRow};
use crate::types::{Primitive, Type};

mod sealed {
    pub trait Sealed {}
}

/// A Rust type that is an element type. Sealed: the types of [`Primitive`].
pub trait Element: Copy + sealed::Sealed + 'static {
    /// The scalar type it is.
    const SCALAR: Primitive;
}

macro_rules! elements {
    ($($ty:ty => $scalar:ident),* $(,)?) => {$(
        impl sealed::Sealed for $ty {}
        impl Element for $ty {
            const SCALAR: Primitive = Primitive::$scalar;
        }
        const _: () = assert!(size_of::<$ty>() == Primitive::$scalar.size() && align_of::<$ty>() == Primitive::$scalar.align());
    )*};
}
elements! {
    bool => Bool, i8 => Int8, i16 => Int16, i32 => Int32, i64 => Int64, i128 => Int128,
    u8 => UInt8, u16 => UInt16, u32 => UInt32, u64 => UInt64, u128 => UInt128,
    f16 => Float16, f32 => Float32, f64 => Float64, Complex<f32> => Complex32, Complex<f64> => Complex64,
}

/// Metadata of a view: a place in that of the whole array. A scalar has none, and then nothing is allocated.
#[derive(Clone, Debug)]
pub(crate) struct Meta {
    owner: Option<Arc<Metadata>>,
    start: usize,
}

impl Meta {
    const NONE: Meta = Meta { owner: None, start: 0 };

    pub(crate) fn words(&self) -> &[isize] {
        self.owner.as_ref().map_or(&[], |m| &m.words()[self.start..])
    }

    fn skip(&self, words: usize) -> Meta {
        Meta { owner: self.owner.clone(), start: self.start + words }
    }
}

/// A shared view of an array.
///
/// # Invariant
/// 1. For every element that type and metadata describe, the memory at its place is valid for reads for `'a`, and it
///    is aligned unless the type says otherwise; a `bool` is 0 or 1.
/// 2. Every var row is null or a row that lies in memory that lives for `'a`; likewise every pointer.
#[derive(Clone, Debug)]
pub struct ArrayRef<'a> {
    pub(crate) ty: Type,
    pub(crate) meta: Meta,
    pub(crate) data: *const u8,
    life: PhantomData<&'a [u8]>,
}

/// A view of an array through which it can be written.
///
/// # Invariant
/// That of [`ArrayRef`], for writes, and: 3. no two elements overlap; 4. nobody else uses the memory for `'a`.
#[derive(Debug)]
pub struct ArrayMut<'a> {
    pub(crate) ty: Type,
    pub(crate) meta: Meta,
    pub(crate) data: *mut u8,
    life: PhantomData<&'a mut [u8]>,
}

// SAFETY: a shared view is a set of shared borrows of plain memory (1, 2).
unsafe impl Send for ArrayRef<'_> {}
// SAFETY: as above.
unsafe impl Sync for ArrayRef<'_> {}
// SAFETY: an exclusive borrow of plain memory (4); memory blocks lock their own state.
unsafe impl Send for ArrayMut<'_> {}

/// Checks shape and strides against a buffer, and the alignment; returns the metadata.
struct Checked {
    ty: Type,
    metadata: Metadata,
}

fn check_layout(bytes: &[u8], offset: usize, ty: &Type, shape: &[usize], strides: &[isize]) -> Result<Checked> {
    let (base, length) = (bytes.as_ptr(), bytes.len());
    if shape.len() != strides.len() {
        return Err(argument("the number of strides", strides.len(), format!("{}, the number of sizes", shape.len())));
    }
    if ty.has_addresses() {
        return Err(argument(
            "the type of a view of plain bytes",
            format!("`{ty}`"),
            "a type without var dimensions and pointers, whose elements would be addresses",
        ));
    }
    let mut element = ty;
    for (axis, &size) in shape.iter().enumerate() {
        element = match element {
            Type::Strided(e) => e,
            Type::Fixed(n, e) if *n == size => e,
            Type::Fixed(n, _) => {
                return Err(argument(format!("the size of axis {axis}"), size, format!("{n}, as in the type `{ty}`")));
            }
            _ => {
                return Err(argument("the number of sizes", shape.len(), format!("{}: the rank of `{ty}`", ty.ndim())));
            }
        };
    }
    let metadata = Metadata::strided(ty, shape, strides)?;
    let extent = metadata.extent();
    if shape.iter().all(|&n| n > 0) {
        let (mut low, mut high) = (offset as i128, offset as i128 + extent.size as i128);
        for (&size, &stride) in shape.iter().zip(strides) {
            let span = (size as i128 - 1).saturating_mul(stride as i128);
            if span < 0 { low = low.saturating_add(span) } else { high = high.saturating_add(span) }
        }
        if low < 0 || high > length as i128 {
            return Err(Error::OutOfBounds {
                shape: Shape(shape.iter().copied().map(Some).collect()),
                strides: strides.to_vec(),
                offset,
                low,
                high,
                length,
            });
        }
        if !(base as usize).wrapping_add(offset).is_multiple_of(extent.align) {
            return Err(argument(
                "the address of the first element",
                format!("{:p}", base.wrapping_add(offset)),
                format!("a multiple of {} for elements of `{}` (or use `unaligned[...]`)", extent.align, ty.dtype()),
            ));
        }
        for (axis, (&size, &stride)) in shape.iter().zip(strides).enumerate() {
            if size > 1 && stride % extent.align as isize != 0 {
                return Err(argument(
                    format!("the stride of axis {axis}"),
                    stride,
                    format!(
                        "a multiple of {} for elements of `{}` (or use `unaligned[...]`)",
                        extent.align,
                        ty.dtype()
                    ),
                ));
            }
        }
    }
    let mut bools = Vec::new();
    find_bools(element, &metadata.words()[2 * shape.len()..], 0, &mut bools);
    if !bools.is_empty() && shape.iter().all(|&n| n > 0) {
        let first = bytes.get(offset..).map_or(0, |_| offset as isize);
        check_bools(bytes, first, shape, strides, &bools)?;
    }
    Ok(Checked { ty: ty.clone(), metadata })
}

/// Where in an element bools lie. Kernels made of Rust closures read them as `bool`, for which only 0 and 1 are valid.
fn find_bools(ty: &Type, words: &[isize], at: isize, found: &mut Vec<isize>) {
    match ty {
        Type::Primitive(Primitive::Bool) => found.push(at),
        Type::Fixed(_, e) | Type::Strided(e) => {
            (0..words[0]).for_each(|i| find_bools(e, &words[2..], at + i * words[1], found));
        }
        Type::Struct(s) => {
            let (offsets, mut rest) = words.split_at(s.fields().len());
            for (field, offset) in s.fields().iter().zip(offsets) {
                find_bools(&field.ty, rest, at + offset, found);
                rest = &rest[crate::metadata::metadata_words(&field.ty)..];
            }
        }
        _ => {}
    }
}

fn check_bools(bytes: &[u8], at: isize, shape: &[usize], strides: &[isize], bools: &[isize]) -> Result<()> {
    let (Some((&size, inner_shape)), Some((&stride, inner_strides))) = (shape.split_first(), strides.split_first())
    else {
        let wrong = bools.iter().map(|b| (at + b) as usize).find(|&i| bytes[i] > 1);
        return wrong.map_or(Ok(()), |i| {
            Err(argument(
                format!("the bool at byte {i}"),
                bytes[i],
                "0 or 1 (or use `unaligned[bool]`, where any byte but 0 is true)",
            ))
        });
    };
    // What repeats is looked at once: a shape may say 2^60 times.
    let different = if stride == 0 { 1 } else { size as isize };
    (0..different).try_for_each(|i| check_bools(bytes, at + i * stride, inner_shape, inner_strides, bools))
}

/// Whether elements may share bytes: each axis, from the shortest stride on, must step over all that lies within it.
fn check_distinct(shape: &[usize], strides: &[isize], size: usize) -> Result<()> {
    if shape.contains(&0) {
        return Ok(());
    }
    let mut axes: Vec<usize> = (0..shape.len()).filter(|&a| shape[a] > 1).collect();
    axes.sort_by_key(|&a| strides[a].unsigned_abs());
    let mut inner = size as u128;
    for axis in axes {
        let stride = strides[axis].unsigned_abs() as u128;
        if stride < inner {
            return Err(argument(
                format!("the stride of axis {axis} of a destination"),
                strides[axis],
                format!("at least {inner} bytes away from zero, so that no two elements overlap"),
            ));
        }
        inner += stride.saturating_mul(shape[axis] as u128 - 1);
    }
    Ok(())
}

/// Strides of C order.
fn c_strides(shape: &[usize], size: usize) -> Vec<isize> {
    let mut strides = vec![0; shape.len()];
    let mut step = size as isize;
    for (stride, &n) in strides.iter_mut().zip(shape).rev() {
        *stride = if n <= 1 { 0 } else { step };
        step = step.saturating_mul(n.max(1) as isize);
    }
    strides
}

fn strided_type(dtype: Type, ndim: usize) -> Result<Type> {
    (0..ndim).try_fold(dtype, |ty, _| Type::strided(ty))
}

fn check_shape(length: usize, shape: &[usize]) -> Result<()> {
    let product = shape.iter().try_fold(1usize, |p, &n| p.checked_mul(n));
    if product == Some(length) {
        return Ok(());
    }
    let text = Shape(shape.iter().copied().map(Some).collect());
    Err(argument("the shape", text, format!("a shape of {length} elements, as many as the slice has")))
}

macro_rules! common {
    ($view:ident, $pointer:ty) => {
        impl<'a> $view<'a> {
            /// A view from its parts.
            ///
            /// # Safety
            /// 1. The invariant of this type holds for `ty`, `metadata` and `data`.
            pub unsafe fn from_raw(ty: Type, metadata: Arc<Metadata>, data: $pointer) -> Self {
                Self { ty, meta: Meta { owner: Some(metadata), start: 0 }, data, life: PhantomData }
            }

            /// The type.
            pub fn ty(&self) -> &Type {
                &self.ty
            }

            pub(crate) fn operand(&self) -> Operand<'_> {
                Operand { ty: &self.ty, words: self.meta.words() }
            }

            /// The metadata of this view: see [`Metadata`] for the words.
            pub fn metadata_words(&self) -> &[isize] {
                self.meta.words()
            }

            /// The size of every leading dimension; `var` dimensions have none.
            pub fn shape(&self) -> Shape {
                shape_of(&self.ty, self.meta.words(), 0)
            }
        }
    };
}
common!(ArrayRef, *const u8);
common!(ArrayMut, *mut u8);

/// The shape without the innermost `keep` dimensions.
pub(crate) fn shape_of(ty: &Type, mut words: &[isize], keep: usize) -> Shape {
    let mut shape = Vec::new();
    let mut ty = ty;
    while ty.ndim() > keep {
        let skip = match ty {
            Type::Fixed(..) | Type::Strided(_) => {
                shape.push(Some(words[0] as usize));
                2
            }
            Type::Var(_) => {
                shape.push(None);
                3
            }
            _ => 2,
        };
        words = &words[skip..];
        match ty.inner() {
            Some(inner) => ty = inner,
            None => break,
        }
    }
    Shape(shape)
}

impl<'a> ArrayRef<'a> {
    /// One scalar. Allocates nothing.
    pub fn from_scalar<T: Element>(value: &'a T) -> ArrayRef<'a> {
        let data = std::ptr::from_ref(value).cast();
        ArrayRef { ty: Type::Primitive(T::SCALAR), meta: Meta::NONE, data, life: PhantomData }
    }

    /// `strided * T` over a slice.
    ///
    /// # Errors
    /// None today; the signature leaves room.
    pub fn from_slice<T: Element>(slice: &'a [T]) -> Result<ArrayRef<'a>> {
        ArrayRef::from_shaped(slice, &[slice.len()])
    }

    /// `strided * ... * T` over a slice in C order.
    ///
    /// # Errors
    /// When the shape does not have as many elements as the slice.
    pub fn from_shaped<T: Element>(slice: &'a [T], shape: &[usize]) -> Result<ArrayRef<'a>> {
        check_shape(slice.len(), shape)?;
        let ty = strided_type(Type::Primitive(T::SCALAR), shape.len())?;
        let metadata = Metadata::strided(&ty, shape, &c_strides(shape, size_of::<T>()))?;
        // SAFETY: C order over exactly the slice's elements.
        Ok(unsafe { ArrayRef::from_raw(ty, Arc::new(metadata), slice.as_ptr().cast()) })
    }

    /// A view of bytes: `shape` and `strides` (in bytes) of the leading dimensions, the first element at `offset`.
    ///
    /// # Errors
    /// When the view would leave the bytes, is not aligned, or the type has var dimensions or pointers.
    pub fn from_bytes(
        bytes: &'a [u8],
        offset: usize,
        ty: &Type,
        shape: &[usize],
        strides: &[isize],
    ) -> Result<ArrayRef<'a>> {
        let Checked { ty, metadata } = check_layout(bytes, offset, ty, shape, strides)?;
        // SAFETY: `check_layout` found every element inside `bytes` and aligned. No element: never read.
        Ok(unsafe { ArrayRef::from_raw(ty, Arc::new(metadata), bytes.as_ptr().wrapping_add(offset)) })
    }

    /// The address of the first element, or of the row or pointer that this view is.
    pub fn as_ptr(&self) -> *const u8 {
        self.data
    }

    /// Element `index` of the outermost dimension. Pointers on the way are followed.
    ///
    /// # Errors
    /// When there is no dimension, the index is not below its size, or a row has not been initialised.
    pub fn index(&self, index: usize) -> Result<ArrayRef<'a>> {
        let view = self.follow()?;
        let words = view.meta.words();
        let (size, start, stride, skip) = match &view.ty {
            Type::Fixed(..) | Type::Strided(_) => (words[0] as usize, view.data, words[1], 2),
            Type::Var(_) => {
                // SAFETY: invariant 1.
                let row = unsafe { view.data.cast::<VarRow>().read() };
                if row.begin.is_null() {
                    return Err(argument("the row of a var dimension", "not initialised", "initialised"));
                }
                (row.size, row.begin.cast_const().wrapping_offset(words[2]), words[1], 3)
            }
            other => return Err(argument("an indexed array's type", format!("`{other}`"), "one with a dimension")),
        };
        if index >= size {
            return Err(argument("the index", index, format!("below {size}, the size of the dimension")));
        }
        let inner = view.ty.inner().unwrap_or(&view.ty).clone();
        // Wrapping: a later dimension of size 0 has no elements, and then a stride may be any number.
        let data = start.wrapping_offset(stride.wrapping_mul(index as isize));
        Ok(ArrayRef { ty: inner, meta: view.meta.skip(skip), data, life: PhantomData })
    }

    /// The target of a pointer.
    pub(crate) fn target(&self) -> Result<ArrayRef<'a>> {
        self.follow()
    }

    /// The target, if this is a pointer, and so on.
    fn follow(&self) -> Result<ArrayRef<'a>> {
        let mut view = self.clone();
        while let Type::Pointer(target) = &view.ty {
            // SAFETY: invariant 1.
            let address = unsafe { view.data.cast::<*const u8>().read() };
            if address.is_null() {
                return Err(argument("a pointer", "null", "the address of an element"));
            }
            let data = address.wrapping_offset(view.meta.words()[1]);
            view = ArrayRef { ty: (**target).clone(), meta: view.meta.skip(2), data, life: PhantomData };
        }
        Ok(view)
    }

    /// A field of a struct.
    ///
    /// # Errors
    /// When this is not a struct, or has no such field.
    pub fn field(&self, name: &str) -> Result<ArrayRef<'a>> {
        let view = self.follow()?;
        let Type::Struct(s) = &view.ty else {
            return Err(argument("the type of an array with fields", format!("`{}`", view.ty), "a struct"));
        };
        let position = s
            .position(name)
            .ok_or_else(|| argument("the field", format!("`{name}`"), format!("a field of `{}`", view.ty)))?;
        let before: usize = s.fields()[..position].iter().map(|f| crate::metadata::metadata_words(&f.ty)).sum();
        let data = view.data.wrapping_offset(view.meta.words()[position]);
        let meta = view.meta.skip(s.fields().len() + before);
        Ok(ArrayRef { ty: s.fields()[position].ty.clone(), meta, data, life: PhantomData })
    }

    /// The value of a scalar.
    ///
    /// # Errors
    /// When this is not a scalar of exactly this type.
    pub fn get<T: Element>(&self) -> Result<T> {
        let view = self.follow()?;
        if view.ty != Type::Primitive(T::SCALAR) {
            return Err(Error::TypeMismatch {
                argument: "the array".into(),
                given: view.ty.to_string(),
                expected: T::SCALAR.to_string(),
            });
        }
        if T::SCALAR == Primitive::Bool {
            // SAFETY: invariant 1; every byte is a u8, and true is any byte but 0.
            let byte = u8::from(unsafe { view.data.read() } != 0);
            // SAFETY: `T` is bool, for which 0 and 1 are valid.
            return Ok(unsafe { std::mem::transmute_copy(&byte) });
        }
        // SAFETY: invariant 1; every bit pattern is a value of the other types.
        Ok(unsafe { view.data.cast::<T>().read_unaligned() })
    }

    /// All elements in C order; rows of var dimensions follow one another.
    ///
    /// # Errors
    /// When the innermost type is not exactly this scalar, or a row has not been initialised.
    pub fn to_vec<T: Element>(&self) -> Result<Vec<T>> {
        fn walk<T: Element>(view: &ArrayRef<'_>, out: &mut Vec<T>) -> Result<()> {
            if view.ty.ndim() == 0 {
                out.push(view.get()?);
                return Ok(());
            }
            for i in 0..view.len()? {
                walk(&view.index(i)?, out)?;
            }
            Ok(())
        }
        let mut out = Vec::new();
        // Of nothing there may be 2^40 rows, which need not be walked.
        let shape = self.shape().0;
        if !shape.contains(&Some(0)) || shape.contains(&None) {
            walk(self, &mut out)?;
        }
        Ok(out)
    }

    /// The size of the outermost dimension.
    ///
    /// # Errors
    /// When there is none, or a row has not been initialised.
    pub fn len(&self) -> Result<usize> {
        let view = self.follow()?;
        match &view.ty {
            Type::Fixed(..) | Type::Strided(_) => Ok(view.meta.words()[0] as usize),
            Type::Var(_) => {
                // SAFETY: invariant 1.
                let row = unsafe { view.data.cast::<VarRow>().read() };
                if row.begin.is_null() {
                    Err(argument("the row of a var dimension", "not initialised", "initialised"))
                } else {
                    Ok(row.size)
                }
            }
            other => Err(argument("the type of an array with a length", format!("`{other}`"), "one with a dimension")),
        }
    }

    /// Whether [`len`](Self::len) is 0.
    ///
    /// # Errors
    /// As [`len`](Self::len).
    pub fn is_empty(&self) -> Result<bool> {
        Ok(self.len()? == 0)
    }
}

impl<'a> ArrayMut<'a> {
    /// One scalar. Allocates nothing.
    pub fn from_scalar<T: Element>(value: &'a mut T) -> ArrayMut<'a> {
        let data = std::ptr::from_mut(value).cast();
        ArrayMut { ty: Type::Primitive(T::SCALAR), meta: Meta::NONE, data, life: PhantomData }
    }

    /// `strided * T` over a slice.
    ///
    /// # Errors
    /// None today; the signature leaves room.
    pub fn from_slice<T: Element>(slice: &'a mut [T]) -> Result<ArrayMut<'a>> {
        let shape = [slice.len()];
        ArrayMut::from_shaped(slice, &shape)
    }

    /// `strided * ... * T` over a slice in C order.
    ///
    /// # Errors
    /// When the shape does not have as many elements as the slice.
    pub fn from_shaped<T: Element>(slice: &'a mut [T], shape: &[usize]) -> Result<ArrayMut<'a>> {
        check_shape(slice.len(), shape)?;
        let ty = strided_type(Type::Primitive(T::SCALAR), shape.len())?;
        let metadata = Metadata::strided(&ty, shape, &c_strides(shape, size_of::<T>()))?;
        // SAFETY: C order over exactly the slice's elements, which are borrowed exclusively. Kernels write bools as 0 or 1.
        Ok(unsafe { ArrayMut::from_raw(ty, Arc::new(metadata), slice.as_mut_ptr().cast()) })
    }

    /// A view of bytes, as [`ArrayRef::from_bytes`].
    ///
    /// # Errors
    /// As there, and when two elements would overlap.
    pub fn from_bytes(
        bytes: &'a mut [u8],
        offset: usize,
        ty: &Type,
        shape: &[usize],
        strides: &[isize],
    ) -> Result<ArrayMut<'a>> {
        let Checked { ty, metadata } = check_layout(bytes, offset, ty, shape, strides)?;
        check_distinct(shape, strides, metadata.extent().size)?;
        // SAFETY: as for `ArrayRef::from_bytes`; the elements are distinct and borrowed exclusively.
        Ok(unsafe { ArrayMut::from_raw(ty, Arc::new(metadata), bytes.as_mut_ptr().wrapping_add(offset)) })
    }

    /// The address of the first element, or of the row or pointer that this view is.
    pub fn as_mut_ptr(&mut self) -> *mut u8 {
        self.data
    }

    /// The same view for reading.
    pub fn as_ref(&self) -> ArrayRef<'_> {
        ArrayRef { ty: self.ty.clone(), meta: self.meta.clone(), data: self.data, life: PhantomData }
    }

    /// The same view for a shorter time.
    pub fn reborrow(&mut self) -> ArrayMut<'_> {
        ArrayMut { ty: self.ty.clone(), meta: self.meta.clone(), data: self.data, life: PhantomData }
    }

    /// Element `index` of the outermost dimension, for writing.
    ///
    /// # Errors
    /// As [`ArrayRef::index`].
    pub fn index_mut(&mut self, index: usize) -> Result<ArrayMut<'_>> {
        let view = self.as_ref().index(index)?;
        // SAFETY of the cast: the element lies in memory that `self` borrows exclusively (4).
        Ok(ArrayMut { ty: view.ty, meta: view.meta, data: view.data.cast_mut(), life: PhantomData })
    }
}

/// An array that owns its memory; var rows and pointer targets live in its memory block.
#[derive(Debug)]
pub struct Array {
    ty: Type,
    metadata: Arc<Metadata>,
    buffer: Buffer,
}

impl Array {
    /// An array of zeros; var rows are not initialised, pointers are null. `sizes` as in [`Metadata::contiguous`].
    ///
    /// # Errors
    /// When the number of sizes is wrong, or the memory cannot be had.
    pub fn zeros(ty: &Type, sizes: &[usize]) -> Result<Array> {
        let metadata = Metadata::contiguous(ty, sizes)?;
        let extent = metadata.extent();
        let buffer = Buffer::zeroed(extent.size, extent.align)
            .ok_or_else(|| argument("the size of the array", format!("{} bytes", extent.size), "available memory"))?;
        Ok(Array { ty: ty.clone(), metadata: Arc::new(metadata), buffer })
    }

    /// The type.
    pub fn ty(&self) -> &Type {
        &self.ty
    }

    /// The metadata.
    pub fn metadata(&self) -> &Arc<Metadata> {
        &self.metadata
    }

    /// A view for reading.
    pub fn view(&self) -> ArrayRef<'_> {
        let meta = Meta { owner: Some(self.metadata.clone()), start: 0 };
        ArrayRef { ty: self.ty.clone(), meta, data: self.buffer.as_ptr(), life: PhantomData }
    }

    /// A view for writing.
    pub fn view_mut(&mut self) -> ArrayMut<'_> {
        let meta = Meta { owner: Some(self.metadata.clone()), start: 0 };
        ArrayMut { ty: self.ty.clone(), meta, data: self.buffer.as_ptr(), life: PhantomData }
    }
}
