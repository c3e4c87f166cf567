//! Several operations of arithmetic in one pass: a ckernel for `(a - b) * c + d` and the like.
//!
//! A kernel for each operation would write and read a block between any two of them, which takes longer than the operation.
//! Here they are done one after the other for a few vectors' worth of elements, so that what lies between them never leaves
//! the first cache. The operations are those of the kernels in [`crate::ops`] on each element, hence the same bits.
//!
//! The numbers in SAFETY comments are the rules of `gristmill_ckernel::abi`, or those of the function.

use crate::ops;
use crate::steps::{MOST_OPERANDS, copy};
use crate::strided::StridedLoop;
use gristmill_ckernel::typed::Leaf;
use gristmill_ckernel::{CKernelPrefix, CKernelType, builtin_type, guard, scratch, type_id};
use gristmill_kernel::vectors::{AnyLanes, Lanes};
use gristmill_kernel::{Function, Level};
use std::slice;

/// Elements that go through all operations together: enough that choosing an operation costs little, few enough that all
/// registers stay in the first cache.
const WIDTH: usize = 128;
/// The most registers of a group; a group that needs more is two.
pub(crate) const MOST_REGISTERS: usize = 16;
const _: () = assert!(MOST_REGISTERS <= MOST_OPERANDS);

/// What can be done in a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Add,
    Subtract,
    Multiply,
    Divide,
    Negate,
    Absolute,
}

/// One operation on registers. Those before the first operation's own hold the arguments; an operation of one operand has
/// it twice.
#[derive(Debug, Clone, Copy)]
struct Operation {
    kind: Kind,
    operands: [usize; 2],
}

/// The operations of a group; the last one gives its result.
#[derive(Debug, Clone)]
pub(crate) struct Group {
    arguments: usize,
    operations: Vec<Operation>,
}

/// An operand of an operation while groups are made.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Part<'a> {
    /// The argument of this number.
    Argument(usize),
    /// The result of another group, whose arguments have these numbers.
    Group(&'a Group, &'a [usize]),
}

/// Whether a kernel can be part of a group.
pub(crate) fn is_arithmetic(function: &Function) -> bool {
    kind_of(function).is_some()
}

fn kind_of(function: &Function) -> Option<Kind> {
    const KINDS: [(Function, Kind); 6] = [
        (ops::add::FUNCTION, Kind::Add),
        (ops::subtract::FUNCTION, Kind::Subtract),
        (ops::multiply::FUNCTION, Kind::Multiply),
        (ops::divide::FUNCTION, Kind::Divide),
        (ops::negate::FUNCTION, Kind::Negate),
        (ops::absolute::FUNCTION, Kind::Absolute),
    ];
    KINDS.iter().find(|(f, _)| std::ptr::eq(f.shard(), function.shard())).map(|(_, kind)| *kind)
}

impl Group {
    /// The group that applies `function` to parts, with `arguments` arguments in all. `None` if the function is no
    /// arithmetic, or the group would be too large.
    pub(crate) fn of(function: &Function, parts: &[Part<'_>], arguments: usize) -> Option<Group> {
        let mut operations = Vec::new();
        let mut operands = [0; 2];
        for (k, part) in parts.iter().enumerate() {
            operands[k] = match part {
                // The square of a group's result.
                Part::Group(inner, _) if matches!(parts[0], Part::Group(first, _) if k == 1 && std::ptr::eq(first, *inner)) => {
                    operands[0]
                }
                Part::Argument(number) => *number,
                Part::Group(inner, numbers) => {
                    let first = arguments + operations.len();
                    let moved = |register: usize| match register.checked_sub(inner.arguments) {
                        Some(operation) => first + operation,
                        None => numbers[register],
                    };
                    operations.extend(
                        inner.operations.iter().map(|o| Operation { kind: o.kind, operands: o.operands.map(moved) }),
                    );
                    arguments + operations.len() - 1
                }
            };
        }
        if parts.len() == 1 {
            operands[1] = operands[0];
        }
        operations.push(Operation { kind: kind_of(function)?, operands });
        (arguments + operations.len() <= MOST_REGISTERS).then_some(Group { arguments, operations })
    }

    /// More than a single operation: worth a kernel of its own.
    pub(crate) fn is_worthwhile(&self) -> bool {
        self.operations.len() > 1
    }
}

// SAFETY: (1) `strided` reads an f64 of as many sources as there are arguments, and writes one; (2) arguments are registers.
unsafe impl StridedLoop for Group {
    fn types(&self) -> Vec<*const CKernelType> {
        vec![builtin_type(type_id::FLOAT64); 1 + self.arguments]
    }

    unsafe extern "C" fn strided(
        dst: *mut u8,
        dst_stride: isize,
        src: *const *const u8,
        src_stride: *const isize,
        count: usize,
        self_: *mut CKernelPrefix,
    ) {
        guard(|_| {
            // SAFETY: rule 1: `StridedLoop::deferred` made the block.
            let group = unsafe { &Leaf::<Group>::of(self_).data };
            // SAFETY: rule 2.
            let (sources, strides) = unsafe {
                (slice::from_raw_parts(src, group.arguments), slice::from_raw_parts(src_stride, group.arguments))
            };
            let registers = group.arguments + group.operations.len();
            // When there was no memory, the error is in the slot already.
            let _ = scratch::with(registers * WIDTH * size_of::<f64>(), |memory| {
                let memory = memory.as_mut_ptr().cast::<f64>();
                // SAFETY: frames are aligned to cache lines and have room for as many values; zeroes are values.
                let memory = unsafe {
                    memory.write_bytes(0, registers * WIDTH);
                    slice::from_raw_parts_mut(memory, registers * WIDTH)
                };
                let run = Run { group, dst, dst_stride, sources, strides, count, memory };
                Level::best().on_lanes(run).unwrap_or_else(Run::one_by_one);
            });
            Ok(())
        });
    }
}

/// A call: the operands follow rules 3 to 5 of the ABI.
struct Run<'a> {
    group: &'a Group,
    dst: *mut u8,
    dst_stride: isize,
    sources: &'a [*const u8],
    strides: &'a [isize],
    count: usize,
    /// `WIDTH` values for each register.
    memory: &'a mut [f64],
}

impl Run<'_> {
    /// Does all operations for all elements. `apply` does one operation for some elements, a multiple of `lanes`: from and to
    /// places that have as many values. The result may lie where an operand does.
    #[inline(always)]
    fn all(self, lanes: usize, apply: impl Fn(Kind, *mut f64, [*const f64; 2], usize)) {
        let size = size_of::<f64>() as isize;
        let arguments = self.group.arguments;
        let mut registers: [*mut f64; MOST_REGISTERS] = [std::ptr::null_mut(); MOST_REGISTERS];
        for (register, values) in registers.iter_mut().zip(self.memory.chunks_exact_mut(WIDTH)) {
            *register = values.as_mut_ptr();
        }
        for k in (0..arguments).filter(|k| self.strides[*k] == 0) {
            for i in 0..WIDTH {
                // SAFETY: rule 3, and a register has `WIDTH` places.
                unsafe { *registers[k].add(i) = self.sources[k].cast::<f64>().read() };
            }
        }
        for start in (0..self.count).step_by(WIDTH) {
            let count = WIDTH.min(self.count - start);
            // Elements that fill no vector go through registers, which have places for more.
            let full = count.is_multiple_of(lanes);
            let rounded = count.next_multiple_of(lanes);
            let mut from = registers.map(<*mut f64>::cast_const);
            for k in (0..arguments).filter(|k| self.strides[*k] != 0) {
                let first = self.sources[k].wrapping_byte_offset(self.strides[k] * start as isize);
                if full && self.strides[k] == size {
                    from[k] = first.cast();
                } else {
                    // SAFETY: rule 3; `count` is at most `WIDTH`.
                    unsafe { copy(size_of::<f64>(), (first, self.strides[k]), (registers[k].cast(), size), count) };
                }
            }
            let to = self.dst.wrapping_byte_offset(self.dst_stride * start as isize);
            let direct = full && self.dst_stride == size;
            let last = arguments + self.group.operations.len() - 1;
            for (k, operation) in self.group.operations.iter().enumerate() {
                let register = arguments + k;
                let place = if register == last && direct { to.cast() } else { registers[register] };
                apply(operation.kind, place, operation.operands.map(|o| from[o]), rounded);
            }
            if !direct {
                // SAFETY: rule 3; the last register has been filled.
                unsafe { copy(size_of::<f64>(), (from[last].cast(), size), (to, self.dst_stride), count) };
            }
        }
    }

    /// All elements without lanes.
    fn one_by_one(self) {
        self.all(1, |kind, to, [a, b], count| {
            for i in 0..count {
                // SAFETY: `all` gives places for `count` values each.
                let (a, b) = unsafe { (*a.add(i), *b.add(i)) };
                let result = match kind {
                    Kind::Add => a + b,
                    Kind::Subtract => a - b,
                    Kind::Multiply => a * b,
                    Kind::Divide => a / b,
                    Kind::Negate => -a,
                    Kind::Absolute => a.abs(),
                };
                // SAFETY: as above.
                unsafe { *to.add(i) = result };
            }
        });
    }
}

impl AnyLanes for Run<'_> {
    type Out = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        self.all(
            L::N,
            #[inline(always)]
            |kind, to, operands, count| {
                // SAFETY: `all` gives places for `count` values each, and `count` is a multiple of `N`.
                unsafe {
                    match kind {
                        Kind::Add => each(l, to, operands, count, |a, b| l.f64_add(a, b)),
                        Kind::Subtract => each(l, to, operands, count, |a, b| l.f64_sub(a, b)),
                        Kind::Multiply => each(l, to, operands, count, |a, b| l.f64_mul(a, b)),
                        Kind::Divide => each(l, to, operands, count, |a, b| l.f64_div(a, b)),
                        Kind::Negate => each(l, to, operands, count, |a, _| l.f64_neg(a)),
                        Kind::Absolute => each(l, to, operands, count, |a, _| l.f64_abs(a)),
                    }
                }
            },
        );
    }
}

/// `to[i] = f(a[i], b[i])`, one vector after the other.
/// # Safety
/// 1. The places have `count` values, a multiple of the number of lanes. `to` may be the place of an operand, but overlaps
///    none otherwise.
#[inline(always)]
unsafe fn each<L: Lanes>(
    l: L,
    to: *mut f64,
    [a, b]: [*const f64; 2],
    count: usize,
    f: impl Fn(L::F64, L::F64) -> L::F64,
) {
    for i in (0..count).step_by(L::N) {
        // SAFETY: (1). No slice of an operand lives when that of the result is made.
        unsafe {
            let x = l.f64_load(slice::from_raw_parts(a.add(i), L::N));
            let y = l.f64_load(slice::from_raw_parts(b.add(i), L::N));
            l.f64_store(f(x, y), slice::from_raw_parts_mut(to.add(i), L::N));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `-((a - b) * |c|) / ((a - b) + c)^2`
    fn group() -> Group {
        let of = |function: Function, parts: &[Part<'_>], arguments| Group::of(&function, parts, arguments).unwrap();
        let difference = of(ops::subtract::FUNCTION, &[Part::Argument(0), Part::Argument(1)], 2);
        let size = of(ops::absolute::FUNCTION, &[Part::Argument(0)], 1);
        let product = of(ops::multiply::FUNCTION, &[Part::Group(&difference, &[0, 1]), Part::Group(&size, &[2])], 3);
        let sum = of(ops::add::FUNCTION, &[Part::Group(&difference, &[0, 1]), Part::Argument(2)], 3);
        let square = of(ops::multiply::FUNCTION, &[Part::Group(&sum, &[0, 1, 2]), Part::Group(&sum, &[0, 1, 2])], 3);
        let negative = of(ops::negate::FUNCTION, &[Part::Group(&product, &[0, 1, 2])], 3);
        of(ops::divide::FUNCTION, &[Part::Group(&negative, &[0, 1, 2]), Part::Group(&square, &[0, 1, 2])], 3)
    }

    #[test]
    fn every_layout_and_length_gives_the_bits_of_the_formula() {
        let group = group();
        // The difference twice, |c|, the product, the minus, the sum, its square, the quotient: a square needs its operand once.
        assert_eq!(group.operations.len(), 8);
        let value = |k: usize, i: usize| ((k + 1) * (i + 3)) as f64 * 0.7 - 20.0;
        let data: Vec<Vec<f64>> = (0..3).map(|k| (0..1000).map(|i| value(k, i)).collect()).collect();
        let sources: Vec<*const u8> = data.iter().map(|d| d.as_ptr().cast()).collect();
        for strides in [[8, 8, 8], [8, 0, 16], [16, 24, 0], [0, 0, 8]] {
            for dst_stride in [8, 16] {
                for count in [0, 1, 7, 8, 127, 128, 131, 300] {
                    let call = |level: Level| {
                        let mut result = vec![0.0_f64; 2 * count];
                        let mut memory = vec![0.0; MOST_REGISTERS * WIDTH];
                        let dst = result.as_mut_ptr().cast();
                        let run = Run {
                            group: &group,
                            dst,
                            dst_stride,
                            sources: &sources,
                            strides: &strides,
                            count,
                            memory: &mut memory,
                        };
                        level.on_lanes(run).unwrap_or_else(Run::one_by_one);
                        result
                    };
                    let at = |k: usize, i: usize| data[k][i * strides[k] as usize / 8];
                    for result in Level::all().map(call) {
                        for i in 0..count {
                            let (a, b, c) = (at(0, i), at(1, i), at(2, i));
                            let sum = (a - b) + c;
                            let expected = -((a - b) * c.abs()) / (sum * sum);
                            let found = result[i * dst_stride as usize / 8];
                            assert_eq!(found.to_bits(), expected.to_bits(), "{strides:?} {dst_stride} {count}: {i}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_group_that_needs_too_many_registers_is_refused() {
        let mut group = Group::of(&ops::add::FUNCTION, &[Part::Argument(0), Part::Argument(1)], 2).unwrap();
        while let Some(larger) =
            Group::of(&ops::multiply::FUNCTION, &[Part::Group(&group, &[0, 1]), Part::Argument(0)], 2)
        {
            group = larger;
            assert!(group.arguments + group.operations.len() <= MOST_REGISTERS);
        }
        assert_eq!(group.arguments + group.operations.len(), MOST_REGISTERS);
    }
}
