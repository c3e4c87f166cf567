//! What one element's assignment moves: a flat list, from the two types and their metadata.

use super::Refused;
use crate::assign::build::{Operand, field};
use crate::assign::{is_plain, scalar};
use crate::metadata::extent_of;
use crate::types::{Primitive, Type};

/// A scalar in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// Bytes from the element's start.
    pub(super) offset: isize,
    pub(super) scalar: Primitive,
    /// In the other byte order.
    pub(super) swapped: bool,
}

/// One step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Move {
    /// Bytes as they are.
    Bytes { dst: isize, src: isize, size: usize },
    /// Another scalar type, or another byte order.
    Primitive { dst: Place, src: Place },
}

impl Move {
    fn dst(&self) -> (isize, usize) {
        match *self {
            Move::Bytes { dst, size, .. } => (dst, size),
            Move::Primitive { dst, .. } => (dst.offset, dst.scalar.size()),
        }
    }

    fn src(&self) -> (isize, usize) {
        match *self {
            Move::Bytes { src, size, .. } => (src, size),
            Move::Primitive { src, .. } => (src.offset, src.scalar.size()),
        }
    }
}

/// The steps of one element, in the tree's order.
#[derive(Debug)]
pub(super) struct Moves {
    pub(super) list: Vec<Move>,
    /// The bytes that are written and read, from the element's start: first, and behind the last.
    pub(super) dst: (isize, isize),
    pub(super) src: (isize, isize),
}

/// Longer inner dimensions are faster as the tree's vector loops.
const LONGEST_DIMENSION: usize = 16;
/// More steps would make the loop's code longer than it is worth.
const MOST_MOVES: usize = 128;
/// What the tree refuses with a better message.
const MISFIT: &str = "the types or sizes do not fit";
/// As many are looked at before neighbours are joined.
const MOST_PARTS: usize = 4096;

impl Moves {
    /// Those of one element of `dst` from one of `src`. Errors say why no loop is compiled; whether the types can be assigned
    /// at all is the tree's to say.
    pub(super) fn of(dst: &Operand<'_>, src: &Operand<'_>) -> Result<Moves, Refused> {
        let mut list = Vec::new();
        walk(&mut list, dst, 0, src, 0)?;
        if list.len() > MOST_MOVES {
            return Err(format!("an element has {} parts, but at most {MOST_MOVES} are compiled", list.len()));
        }
        let span = |of: fn(&Move) -> (isize, usize)| {
            let ends = list.iter().map(of).map(|(start, size)| (start, start.saturating_add_unsigned(size)));
            ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap_or((0, 0))
        };
        let (written, read) = (span(Move::dst), span(Move::src));
        if [written.0, written.1, read.0, read.1].iter().any(|&end| i32::try_from(end).is_err()) {
            return Err("an element is longer than 2 GiB".into());
        }
        // Steps are reordered, checks first: where one wrote over another, their order would be part of the result.
        let mut order: Vec<(isize, usize)> = list.iter().map(Move::dst).collect();
        order.sort_unstable();
        if order.windows(2).any(|pair| pair[0].0.saturating_add_unsigned(pair[0].1) > pair[1].0) {
            return Err("parts of the destination's element overlap".into());
        }
        Ok(Moves { list, dst: written, src: read })
    }
}

fn push(list: &mut Vec<Move>, next: Move) -> Result<(), Refused> {
    if let Move::Bytes { dst, src, size } = next
        && let Some(Move::Bytes { dst: last_dst, src: last_src, size: last }) = list.last_mut()
        && last_dst.saturating_add_unsigned(*last) == dst
        && last_src.saturating_add_unsigned(*last) == src
    {
        *last += size;
        return Ok(());
    }
    if list.len() == MOST_PARTS {
        return Err(format!("an element has more than {MOST_PARTS} parts"));
    }
    list.push(next);
    Ok(())
}

fn walk(list: &mut Vec<Move>, dst: &Operand<'_>, to: isize, src: &Operand<'_>, from: isize) -> Result<(), Refused> {
    if matches!(dst.ty, Type::Var(_) | Type::Pointer(_)) || matches!(src.ty, Type::Var(_) | Type::Pointer(_)) {
        return Err("elements hold addresses".into());
    }
    if let (Some((d, to_swapped)), Some((s, from_swapped))) = (scalar(dst.ty), scalar(src.ty)) {
        // Bool to bool is a conversion: it makes 0 or 1 of any byte.
        if d == s && to_swapped == from_swapped && d != Primitive::Bool {
            return push(list, Move::Bytes { dst: to, src: from, size: d.size() });
        }
        let wide = |s: Primitive| matches!(s, Primitive::Int128 | Primitive::UInt128);
        if d != s && (wide(d) || wide(s)) {
            return Err(format!("`{s}` is converted to `{d}`, which is not compiled"));
        }
        let (dst, src) = (
            Place { offset: to, scalar: d, swapped: to_swapped },
            Place { offset: from, scalar: s, swapped: from_swapped },
        );
        return push(list, Move::Primitive { dst, src });
    }
    match (dst.ty, src.ty) {
        (Type::Fixed(_, inner) | Type::Strided(inner), _) => {
            let (size, stride) = (usize::try_from(dst.words[0]).map_err(|_| MISFIT)?, dst.words[1]);
            let element = Operand { ty: inner, words: &dst.words[2..] };
            // A source with fewer dimensions repeats, and so does one of size 1.
            let (source, step) = match src.ty {
                Type::Fixed(_, own) | Type::Strided(own) if src.ty.ndim() == dst.ty.ndim() => {
                    if src.words[0] != 1 && src.words[0] != dst.words[0] {
                        return Err(MISFIT.into());
                    }
                    let step = if src.words[0] == 1 { 0 } else { src.words[1] };
                    (Operand { ty: own, words: &src.words[2..] }, step)
                }
                _ => (*src, 0),
            };
            let before = list.len();
            for i in 0..size as isize {
                let at =
                    |start: isize, step: isize| i.checked_mul(step).and_then(|d| start.checked_add(d)).ok_or(MISFIT);
                walk(list, &element, at(to, stride)?, &source, at(from, step)?)?;
            }
            if size > LONGEST_DIMENSION && list.len() > before + 1 {
                return Err(format!(
                    "an element has a dimension of {size} inside, which the tree's loops serve better"
                ));
            }
            Ok(())
        }
        (Type::Bytes(d), Type::Bytes(s)) if d.size() == s.size() => {
            push(list, Move::Bytes { dst: to, src: from, size: d.size() })
        }
        (Type::Struct(_), Type::Struct(_)) if dst.ty == src.ty && is_plain(dst.ty) && super::same_words(dst, src) => {
            // As the tree: with what lies between the fields.
            let size = extent_of(dst.ty, dst.words).size;
            push(list, Move::Bytes { dst: to, src: from, size })
        }
        (Type::Struct(fields), _) => {
            let fields = fields.fields();
            for (i, f) in fields.iter().enumerate() {
                let (inner, offset) = field(fields, dst.words, i);
                let (source, source_offset) = match src.ty {
                    Type::Struct(own) => field(own.fields(), src.words, own.position(&f.name).ok_or(MISFIT)?),
                    _ => (*src, 0),
                };
                let at = |start: isize, offset: isize| start.checked_add(offset).ok_or(MISFIT);
                walk(list, &inner, at(to, offset)?, &source, at(from, source_offset)?)?;
            }
            Ok(())
        }
        _ => Err(format!("`{}` is assigned to `{}`, which is not compiled", src.ty, dst.ty)),
    }
}
