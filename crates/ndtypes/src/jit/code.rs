//! The compiled loop over elements.

use std::sync::OnceLock;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{AbiParam, InstBuilder, MemFlagsData, Type as Ty, Value, types};
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Linkage, Module as _};

use super::Refused;
use super::convert::{Emit, Number};
use super::moves::{Move, Moves, Place};
use crate::convert::ErrorMode;
use crate::types::Primitive;

/// `fn(dst, dst_stride, src, src_stride, count)`: how many elements were assigned before one that is the tree's, or `count`.
type Entry = unsafe extern "C" fn(*mut u8, isize, *const u8, isize, usize) -> usize;

/// The code's memory, which goes with it: also when compiling fails half way.
struct Memory(Option<JITModule>);

impl Drop for Memory {
    fn drop(&mut self) {
        if let Some(module) = self.0.take() {
            // SAFETY: the code is called through `&Code` only, so nobody is in it now.
            unsafe { module.free_memory() };
        }
    }
}

/// A compiled loop.
pub(crate) struct Code {
    entry: Entry,
    /// The bytes of an element that are written and read, from its start.
    dst: (isize, isize),
    src: (isize, isize),
    _memory: Memory,
}

// SAFETY: the code is only read after it was made; its memory is touched by `drop` alone.
unsafe impl Send for Code {}
// SAFETY: as above.
unsafe impl Sync for Code {}

impl std::fmt::Debug for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Code").field("dst", &self.dst).field("src", &self.src).finish_non_exhaustive()
    }
}

/// Addresses may be anything.
const ANYWHERE: MemFlagsData = MemFlagsData::new().with_notrap();
/// Longer runs of bytes are copied by a call.
const LONGEST_INLINE: usize = 128;

fn refused(e: impl std::fmt::Display) -> Refused {
    e.to_string()
}

/// What the machine has.
fn target() -> Result<OwnedTargetIsa, Refused> {
    static TARGET: OnceLock<Result<OwnedTargetIsa, String>> = OnceLock::new();
    let target = TARGET.get_or_init(|| {
        if cfg!(target_endian = "big") {
            return Err("words are kept with their low bytes first".into());
        }
        let mut flags = settings::builder();
        let verify = if cfg!(debug_assertions) { "true" } else { "false" };
        let all = [
            ("opt_level", "speed"),
            ("is_pic", "false"),
            ("use_colocated_libcalls", "false"),
            ("enable_verifier", verify),
        ];
        for (name, value) in all {
            flags.set(name, value).map_err(refused)?;
        }
        cranelift_native::builder()?.finish(settings::Flags::new(flags)).map_err(refused)
    });
    target.clone()
}

/// What the code calls for long runs of bytes.
/// # Safety
/// 1. Both are valid for `size` bytes, and disjoint.
unsafe extern "C" fn copy(dst: *mut u8, src: *const u8, size: usize) {
    // SAFETY: (1).
    unsafe { std::ptr::copy_nonoverlapping(src, dst, size) }
}

impl Code {
    /// Runs the loop.
    /// # Safety
    /// 1. The call contract of a strided kernel for the layout that this was compiled for. 2. Source and destination are disjoint.
    pub(super) unsafe fn run(
        &self,
        dst: *mut u8,
        dst_stride: isize,
        src: *const u8,
        src_stride: isize,
        count: usize,
    ) -> usize {
        // SAFETY: (1), (2).
        unsafe { (self.entry)(dst, dst_stride, src, src_stride, count) }
    }

    /// Whether the bytes that are read and those that are written lie among each other.
    pub(super) fn may_overlap(
        &self,
        dst: *mut u8,
        dst_stride: isize,
        src: *const u8,
        src_stride: isize,
        count: usize,
    ) -> bool {
        let range = |start: usize, stride: isize, (first, end): (isize, isize)| {
            let (start, last) = (start as i128, stride as i128 * count.saturating_sub(1) as i128);
            (start + last.min(0) + first as i128, start + last.max(0) + end as i128)
        };
        let (to, from) = (range(dst.addr(), dst_stride, self.dst), range(src.addr(), src_stride, self.src));
        to.0 < from.1 && from.0 < to.1
    }

    /// Compiles the loop.
    pub(super) fn compile(moves: Moves, mode: ErrorMode) -> Result<Code, Refused> {
        let module = JITModule::new(JITBuilder::with_isa(target()?, cranelift_module::default_libcall_names()));
        let mut memory = Memory(Some(module));
        let Some(module) = &mut memory.0 else { return Err("there is no memory for code".into()) };
        let mut signature = module.make_signature();
        signature.params.extend([AbiParam::new(types::I64); 5]);
        signature.returns.push(AbiParam::new(types::I64));
        let id = module.declare_function("assign", Linkage::Export, &signature).map_err(refused)?;
        let mut context = module.make_context();
        context.func.signature = signature;
        let mut functions = FunctionBuilderContext::new();
        let mut builder = FunctionBuilder::new(&mut context.func, &mut functions);
        let mut copying = module.make_signature();
        copying.params.extend([AbiParam::new(types::I64); 3]);
        Loop { e: Emit { b: &mut builder, mode }, copying }.write(&moves.list);
        builder.finalize(module.target_config());
        module.define_function(id, &mut context).map_err(|e| match e {
            cranelift_module::ModuleError::Compilation(e) => format!("{e:?}"),
            other => refused(other),
        })?;
        // The platform may forbid executable memory: then this is where it says so.
        module.finalize_definitions().map_err(|e| format!("the system gives no executable memory: {e}"))?;
        let entry = module.get_finalized_function(id);
        // SAFETY: the function was made with this signature, for the platform's own calling convention.
        let entry = unsafe { std::mem::transmute::<*const u8, Entry>(entry) };
        Ok(Code { entry, dst: moves.dst, src: moves.src, _memory: memory })
    }
}

struct Loop<'e, 'b> {
    e: Emit<'e, 'b>,
    /// Of [`copy`].
    copying: cranelift_codegen::ir::Signature,
}

impl Loop<'_, '_> {
    fn write(mut self, moves: &[Move]) {
        let start = self.e.b.create_block();
        self.e.b.append_block_params_for_function_params(start);
        self.e.b.switch_to_block(start);
        self.e.b.seal_block(start);
        let &[dst, dst_stride, src, src_stride, count] = self.e.b.block_params(start) else { return };
        let [header, body, good, done] = std::array::from_fn(|_| self.e.b.create_block());
        let [i, to, from] = std::array::from_fn(|_| self.e.b.append_block_param(header, types::I64));
        let result = self.e.b.append_block_param(done, types::I64);
        let zero = self.e.b.ins().iconst(types::I64, 0);
        self.e.b.ins().jump(header, &[zero.into(), dst.into(), src.into()]);

        self.e.b.switch_to_block(header);
        let more = self.e.b.ins().icmp(IntCC::UnsignedLessThan, i, count);
        self.e.b.ins().brif(more, body, &[], done, &[i.into()]);

        self.e.b.switch_to_block(body);
        self.e.b.seal_block(body);
        // First all that may be the tree's: nothing of an element is written before it is known that all of it can be.
        let mut doubts: Option<Value> = None;
        let mut ready = Vec::with_capacity(moves.len());
        for step in moves {
            ready.push(match step {
                Move::Primitive { dst: to, src: place } if self.e.may_stop(to.scalar, place.scalar) => {
                    let (value, doubt) = self.converted(from, *place, to.scalar);
                    doubts = match (doubts, doubt) {
                        (Some(a), Some(b)) => Some(self.e.b.ins().bor(a, b)),
                        (a, b) => a.or(b),
                    };
                    Some(value)
                }
                _ => None,
            });
        }
        match doubts {
            Some(doubts) => self.e.b.ins().brif(doubts, done, &[i.into()], good, &[]),
            None => self.e.b.ins().jump(good, &[]),
        };

        self.e.b.switch_to_block(good);
        self.e.b.seal_block(good);
        for (step, ready) in moves.iter().zip(ready) {
            match (*step, ready) {
                (Move::Primitive { dst: place, .. }, Some(value)) => self.store(to, place, value),
                (Move::Primitive { dst: place, src }, None) => {
                    let (value, _) = self.converted(from, src, place.scalar);
                    self.store(to, place, value);
                }
                (Move::Bytes { dst, src, size }, _) => self.copy(to, dst, from, src, size),
            }
        }
        let one = self.e.b.ins().iconst(types::I64, 1);
        let next = self.e.b.ins().iadd(i, one);
        let next_to = self.e.b.ins().iadd(to, dst_stride);
        let next_from = self.e.b.ins().iadd(from, src_stride);
        self.e.b.ins().jump(header, &[next.into(), next_to.into(), next_from.into()]);
        self.e.b.seal_block(header);

        self.e.b.switch_to_block(done);
        self.e.b.seal_block(done);
        self.e.b.ins().return_(&[result]);
    }

    fn converted(&mut self, from: Value, place: Place, to: Primitive) -> (Number, Option<Value>) {
        let value = self.load(from, place);
        self.e.convert(value, place.scalar, to)
    }

    /// The words of a scalar: integers of the size that swaps together.
    fn words(scalar: Primitive) -> (Ty, i32, usize) {
        match scalar.word() {
            1 => (types::I8, 1, 1),
            2 => (types::I16, 2, 1),
            4 => (types::I32, 4, scalar.size() / 4),
            // 16 bytes are two words, the low one first.
            _ => (types::I64, 8, scalar.size() / 8),
        }
    }

    fn load(&mut self, from: Value, place: Place) -> Number {
        let (word, size, count) = Self::words(place.scalar);
        let mut values = [None; 2];
        for (k, value) in values.iter_mut().enumerate().take(count) {
            let v = self.e.b.ins().load(word, ANYWHERE, from, place.offset as i32 + k as i32 * size);
            *value = Some(if place.swapped { self.e.b.ins().bswap(v) } else { v });
        }
        let [first, second] = values;
        let both = match (first, second) {
            (Some(first), Some(second)) if place.swapped && !place.scalar.is_complex() => (second, Some(first)),
            (Some(first), second) => (first, second),
            (None, _) => unreachable!("a scalar has a word"),
        };
        self.e.number(place.scalar, both)
    }

    fn store(&mut self, to: Value, place: Place, number: Number) {
        let (_, size, _) = Self::words(place.scalar);
        let (mut first, mut second) = self.e.words(number);
        if place.swapped {
            first = self.e.b.ins().bswap(first);
            second = second.map(|v| self.e.b.ins().bswap(v));
            if let (Some(high), false) = (second, place.scalar.is_complex()) {
                (first, second) = (high, Some(first));
            }
        }
        self.e.b.ins().store(ANYWHERE, first, to, place.offset as i32);
        if let Some(second) = second {
            self.e.b.ins().store(ANYWHERE, second, to, place.offset as i32 + size);
        }
    }

    fn copy(&mut self, to: Value, dst: isize, from: Value, src: isize, size: usize) {
        if size > LONGEST_INLINE {
            let signature = self.e.b.import_signature(self.copying.clone());
            let function = self.e.b.ins().iconst(types::I64, copy as *const () as i64);
            let offset = |l: &mut Self, start: Value, by: isize| {
                let by = l.e.b.ins().iconst(types::I64, by as i64);
                l.e.b.ins().iadd(start, by)
            };
            let (to, from) = (offset(self, to, dst), offset(self, from, src));
            let size = self.e.b.ins().iconst(types::I64, size as i64);
            self.e.b.ins().call_indirect(signature, function, &[to, from, size]);
            return;
        }
        let mut at = 0;
        for (ty, bytes) in [(types::I8X16, 16), (types::I64, 8), (types::I32, 4), (types::I16, 2), (types::I8, 1)] {
            while size - at >= bytes {
                let v = self.e.b.ins().load(ty, ANYWHERE, from, src as i32 + at as i32);
                self.e.b.ins().store(ANYWHERE, v, to, dst as i32 + at as i32);
                at += bytes;
            }
        }
    }
}
