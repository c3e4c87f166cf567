//! Structs: fields are matched by name; a value that is no struct goes to every field.

use gristmill_ckernel::error;
use gristmill_ckernel::{CKernelBuilder, CKernelPrefix, KernelRequest};

use super::Assign;
use super::build::{Context, Operand, build, field};
use super::node::{self, HEADER, Header, Node, Placed, Proto, Unary};
use crate::error::{Error, Result};
use crate::types::{StructType, Type};

/// `[child offset, destination offset, source offset]`.
const WORDS: usize = 3;

/// The node: `counts[0]` fields, the address of the destination's `StructType` (for messages, owned), then the children.
#[derive(Debug)]
pub(crate) enum Fields {}

impl Fields {
    fn size(count: usize) -> usize {
        HEADER + (1 + count * WORDS) * size_of::<isize>()
    }
}

/// Places the assignment of `src` to the struct `dst`.
/// # Safety
/// As for `build`.
pub(super) unsafe fn place(
    assign: &Assign,
    ckb: *mut CKernelBuilder,
    offset: usize,
    dst: &Operand<'_>,
    to: &StructType,
    src: &Operand<'_>,
    request: KernelRequest,
) -> Result<Placed> {
    let fields = to.fields();
    let from = match src.ty {
        Type::Struct(from) => Some(from),
        _ => None,
    };
    if let Some(from) = from {
        let reason = if from.fields().len() != fields.len() {
            Some(format!("the source has {} fields, the destination {}", from.fields().len(), fields.len()))
        } else {
            fields
                .iter()
                .find(|f| from.position(&f.name).is_none())
                .map(|f| format!("the source has no field `{}`", f.name))
        };
        if let Some(reason) = reason {
            return Err(Error::CannotAssign { dst: dst.ty.to_string(), src: src.ty.to_string(), reason });
        }
    }
    // SAFETY: the caller's contract. `destroy` frees the name list if its word is set, and children that have an offset.
    unsafe {
        let mut end = offset + Fields::size(fields.len());
        node::place::<Unary, Fields>(ckb, offset, end - offset, 1, [fields.len(), 0], request)?;
        let names = Box::into_raw(Box::new(to.clone()));
        node::at::<*mut StructType>(ckb, offset + HEADER).write(names);
        let mut fallible = false;
        for (i, f) in fields.iter().enumerate() {
            let (inner, dst_offset) = field(fields, dst.words, i);
            let (source, src_offset) = match from {
                Some(from) => field(from.fields(), src.words, from.position(&f.name).unwrap_or(i)),
                None => (*src, 0),
            };
            CKernelBuilder::ensure_capacity(ckb, end as isize).map_err(gristmill_ckernel::KernelError::from)?;
            let words = node::at::<isize>(ckb, offset + HEADER).add(1 + i * WORDS);
            words.write((end - offset) as isize);
            words.add(1).write(dst_offset);
            words.add(2).write(src_offset);
            let whole = [inner, source];
            let label = format!("the source for the field `{}`", f.name);
            let context = Context { leaves: assign, whole: &whole, label: &label };
            context.check_ranks()?;
            let child = build::<Unary>(ckb, end, &context, &whole, 0, KernelRequest::Single)?;
            end = child.end;
            fallible |= child.fallible;
        }
        Ok(node::finish(ckb, offset, Placed { end, fallible, leaves: 1 }))
    }
}

impl Node for Fields {
    unsafe fn run<P: Proto>(node: *mut Header, dst: *mut u8, src: *const *const u8) {
        // SAFETY: rules 1 to 7.
        unsafe {
            let count = usize::from((*node).counts[0]);
            let words = &node::words(node, 1 + count * WORDS);
            for (i, field) in words[1..].chunks_exact(WORDS).enumerate() {
                let child = CKernelPrefix::child(node.cast(), field[0] as usize);
                let from = (*src).wrapping_offset(field[2]);
                Unary::single(child, dst.wrapping_offset(field[1]), &raw const from);
                if (*node).fallible != 0 && error::pending() {
                    let names = std::ptr::with_exposed_provenance::<StructType>(words[0] as usize);
                    return node::inside(format_args!("in the field `{}`", (*names).fields()[i].name));
                }
            }
        }
    }

    unsafe extern "C" fn destroy(node: *mut CKernelPrefix) {
        // SAFETY: the count is set with the destructor; other words are zero or complete.
        unsafe {
            let header: *mut Header = node.cast();
            let count = usize::from((*header).counts[0]);
            for i in 0..count {
                let offset = header.byte_add(HEADER).cast::<isize>().add(1 + i * WORDS).read();
                CKernelPrefix::destroy_child(node, offset as usize);
            }
            let names = header.byte_add(HEADER).cast::<*mut StructType>().read();
            if !names.is_null() {
                drop(Box::from_raw(names));
            }
        }
    }
}
