//! Metadata: sizes, strides and offsets that belong to an array, not to its type.
//!
//! A row of machine words; those of an element follow directly behind those of its dimension:
//!
//! | type | words |
//! |---|---|
//! | scalar, bytes | none |
//! | fixed, strided | size, stride |
//! | var | memory block, stride, offset |
//! | pointer | memory block, offset |
//! | struct | offset of each field, then each field's words |

use std::sync::Arc;

use crate::error::{Error, Result, argument};
use crate::memory::MemoryBlock;
use crate::types::Type;

/// How many words of metadata a type has, those of its elements included.
pub fn metadata_words(ty: &Type) -> usize {
    match ty {
        Type::Primitive(_) | Type::Unaligned(_) | Type::Swapped(_) | Type::Bytes(_) => 0,
        Type::Fixed(_, e) | Type::Strided(e) | Type::Pointer(e) => 2 + metadata_words(e),
        Type::Var(e) => 3 + metadata_words(e),
        Type::Struct(s) => s.fields().iter().map(|f| 1 + metadata_words(&f.ty)).sum(),
    }
}

/// An element of a var dimension: where its row begins (null: no row yet), and how many elements it has.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct VarRow {
    pub(crate) begin: *mut u8,
    pub(crate) size: usize,
}

/// Size and alignment of data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Extent {
    pub(crate) size: usize,
    pub(crate) align: usize,
}

/// The metadata of an array, with the memory block of its var dimensions and pointers.
#[derive(Debug)]
pub struct Metadata {
    words: Box<[isize]>,
    block: Option<Arc<MemoryBlock>>,
    extent: Extent,
}

impl Metadata {
    /// The metadata of a new array: rows one after another in C order, fields at their C offsets.
    ///
    /// `sizes` has one entry for each `strided` dimension, in the order of the text form. A dimension of size 0 or 1 gets
    /// stride 0.
    ///
    /// # Errors
    /// When the number of sizes is wrong, or the array would be larger than memory.
    pub fn contiguous(ty: &Type, sizes: &[usize]) -> Result<Metadata> {
        let needed = count_strided(ty);
        if sizes.len() != needed {
            return Err(argument(
                "the number of sizes",
                sizes.len(),
                format!("{needed}: one for each `strided` dimension of `{ty}`"),
            ));
        }
        let block = ty.has_addresses().then(Arc::<MemoryBlock>::default);
        let mut words = vec![0; metadata_words(ty)].into_boxed_slice();
        let mut sizes = sizes.iter().copied();
        let address = block.as_ref().map_or(0, |b| Arc::as_ptr(b).expose_provenance() as isize);
        let extent = fill(ty, &mut words, &mut sizes, address)?;
        Ok(Metadata { words, block, extent })
    }

    /// Metadata of leading strided or fixed dimensions given in full, over an element type with contiguous metadata.
    pub(crate) fn strided(ty: &Type, shape: &[usize], strides: &[isize]) -> Result<Metadata> {
        let mut element = ty;
        for _ in shape {
            element =
                element.inner().ok_or_else(|| argument("the shape", shape.len(), format!("of the rank of `{ty}`")))?;
        }
        let inner = Metadata::contiguous(element, &[])?;
        let mut words = Vec::with_capacity(2 * shape.len() + inner.words.len());
        for (&size, &stride) in shape.iter().zip(strides) {
            let size = isize::try_from(size).map_err(|_| too_large(ty))?;
            words.extend([size, stride]);
        }
        words.extend_from_slice(&inner.words);
        Ok(Metadata { words: words.into(), block: inner.block, extent: inner.extent })
    }

    /// The words.
    pub fn words(&self) -> &[isize] {
        &self.words
    }

    pub(crate) fn extent(&self) -> Extent {
        self.extent
    }

    /// The memory block of the array's var dimensions and pointers.
    pub fn block(&self) -> Option<&Arc<MemoryBlock>> {
        self.block.as_ref()
    }
}

fn too_large(ty: &Type) -> Error {
    argument(format!("the size of an array of type `{ty}`"), "too large", format!("at most {} bytes", isize::MAX))
}

fn count_strided(ty: &Type) -> usize {
    match ty {
        Type::Strided(e) => 1 + count_strided(e),
        Type::Fixed(_, e) | Type::Var(e) | Type::Pointer(e) => count_strided(e),
        Type::Struct(s) => s.fields().iter().map(|f| count_strided(&f.ty)).sum(),
        _ => 0,
    }
}

fn fill(ty: &Type, words: &mut [isize], sizes: &mut dyn Iterator<Item = usize>, block: isize) -> Result<Extent> {
    Ok(match ty {
        Type::Primitive(s) => Extent { size: s.size(), align: s.align() },
        Type::Unaligned(s) | Type::Swapped(s) => Extent { size: s.size(), align: 1 },
        Type::Bytes(b) => Extent { size: b.size(), align: b.align() },
        Type::Fixed(_, e) | Type::Strided(e) => {
            let size = match ty {
                Type::Fixed(size, _) => *size,
                _ => sizes.next().unwrap_or(0),
            };
            let element = fill(e, &mut words[2..], sizes, block)?;
            let total =
                size.checked_mul(element.size).filter(|&n| isize::try_from(n).is_ok()).ok_or_else(|| too_large(ty))?;
            // Also for elements of size 0: a dimension's size has to fit a word.
            words[0] = isize::try_from(size).map_err(|_| too_large(ty))?;
            words[1] = if size <= 1 { 0 } else { element.size as isize };
            Extent { size: total, align: element.align }
        }
        Type::Var(e) => {
            let element = fill(e, &mut words[3..], sizes, block)?;
            words[..3].copy_from_slice(&[block, element.size as isize, 0]);
            Extent { size: size_of::<VarRow>(), align: align_of::<VarRow>() }
        }
        Type::Pointer(target) => {
            fill(target, &mut words[2..], sizes, block)?;
            words[..2].copy_from_slice(&[block, 0]);
            Extent { size: size_of::<*mut u8>(), align: align_of::<*mut u8>() }
        }
        Type::Struct(s) => {
            let (offsets, mut rest) = words.split_at_mut(s.fields().len());
            let mut whole = Extent { size: 0, align: 1 };
            for (field, offset) in s.fields().iter().zip(offsets) {
                let (own, others) = rest.split_at_mut(metadata_words(&field.ty));
                rest = others;
                let extent = fill(&field.ty, own, sizes, block)?;
                let start = whole.size.next_multiple_of(extent.align);
                *offset = start as isize;
                whole.align = whole.align.max(extent.align);
                whole.size = start
                    .checked_add(extent.size)
                    .filter(|&n| n < isize::MAX as usize - 16)
                    .ok_or_else(|| too_large(ty))?;
            }
            whole.size = whole.size.next_multiple_of(whole.align);
            whole
        }
    })
}

/// The size and alignment of one element of data under metadata that exists: what a var row allocates per element.
///
/// For dimensions this is the span that strides cover, which for contiguous metadata is size times element.
pub(crate) fn extent_of(ty: &Type, words: &[isize]) -> Extent {
    match ty {
        Type::Primitive(s) => Extent { size: s.size(), align: s.align() },
        Type::Unaligned(s) | Type::Swapped(s) => Extent { size: s.size(), align: 1 },
        Type::Bytes(b) => Extent { size: b.size(), align: b.align() },
        Type::Fixed(_, e) | Type::Strided(e) => {
            let element = extent_of(e, &words[2..]);
            let steps = (words[0] as usize).saturating_sub(1);
            let size = if words[0] == 0 { 0 } else { steps * words[1].unsigned_abs() + element.size };
            Extent { size, align: element.align }
        }
        Type::Var(_) => Extent { size: size_of::<VarRow>(), align: align_of::<VarRow>() },
        Type::Pointer(_) => Extent { size: size_of::<*mut u8>(), align: align_of::<*mut u8>() },
        Type::Struct(s) => {
            let (offsets, mut rest) = words.split_at(s.fields().len());
            let mut whole = Extent { size: 0, align: 1 };
            for (field, &offset) in s.fields().iter().zip(offsets) {
                let (own, others) = rest.split_at(metadata_words(&field.ty));
                rest = others;
                let extent = extent_of(&field.ty, own);
                whole.align = whole.align.max(extent.align);
                whole.size = whole.size.max(offset as usize + extent.size);
            }
            whole.size = whole.size.next_multiple_of(whole.align);
            whole
        }
    }
}
