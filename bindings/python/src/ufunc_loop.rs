//! A loop of a NumPy ufunc as a ckernel: of elements, or of arrays where the ufunc has core dimensions.

use crate::core_dimensions::CoreDimensions;
use gristmill_ckernel::error::ErrorKind;
use gristmill_ckernel::typed::{Leaf, Slot};
use gristmill_ckernel::{Builder, CKernelPrefix, KernelError, KernelRequest, Metadata, PrototypedFunction};
use numpy::npyffi::npy_intp;
use pyo3::prelude::*;
use std::ffi::{c_char, c_void};
use std::sync::Arc;

/// NumPy's most operands of a ufunc.
pub(crate) const MOST: usize = 64;

/// What NumPy's loops are.
pub(crate) type LoopFunction = unsafe extern "C" fn(*mut *mut c_char, *mut npy_intp, *mut npy_intp, *mut c_void);

/// One loop of a ufunc, and which of its results is wanted.
#[derive(Clone)]
pub(crate) struct UfuncLoop {
    pub(crate) function: LoopFunction,
    pub(crate) data: *mut c_void,
    pub(crate) wanted: usize,
    /// Of all operands: sources, then results.
    pub(crate) dimensions: CoreDimensions,
    /// How many of them are sources.
    pub(crate) inputs: usize,
    /// The bytes of an element of each result.
    pub(crate) result_sizes: Vec<usize>,
    /// Keeps the ufunc, and with it the data.
    #[allow(dead_code)] // only its life matters
    pub(crate) owner: Arc<Py<PyAny>>,
}

// SAFETY: loops of numbers touch nothing but their operands: NumPy calls them without its lock, on any thread.
unsafe impl Send for UfuncLoop {}
// SAFETY: as above.
unsafe impl Sync for UfuncLoop {}

impl UfuncLoop {
    /// Places a kernel that runs the loop.
    ///
    /// # Errors
    /// When sizes do not agree, or memory ran out.
    /// # Safety
    /// 1. The metadata is that of a destination and of sources with this loop's core dimensions, all of them `strided`.
    pub(crate) unsafe fn place<'b>(
        self: &Arc<Self>,
        builder: &mut Builder<'b>,
        slot: Slot<'b>,
        metadata: Metadata<'_>,
        request: KernelRequest,
    ) -> Result<(), KernelError> {
        if self.dimensions.is_none() {
            let function = PrototypedFunction::expr(request, single, strided);
            // SAFETY: the functions take the leaf that is pushed with them.
            return unsafe { builder.push::<Leaf<Arc<UfuncLoop>>>(slot, function, self.clone()) }.map(drop);
        }
        // SAFETY: (1).
        let call = unsafe { CoreCall::new(self, metadata) }?;
        let function = PrototypedFunction::expr(request, core_single, core_strided);
        // SAFETY: as above.
        unsafe { builder.push::<Leaf<CoreCall>>(slot, function, call) }.map(drop)
    }

    /// # Safety
    /// 1. As a strided call of the ABI, for this loop's types, which have no core dimensions.
    unsafe fn run(
        &self,
        dst: *mut u8,
        dst_stride: isize,
        src: *const *const u8,
        src_stride: *const isize,
        count: usize,
    ) {
        // Results that nobody wants go here, one over the other.
        let mut nowhere = [0u128; 2];
        let mut places = [std::ptr::null_mut::<c_char>(); MOST];
        let mut steps: [npy_intp; MOST] = [0; MOST];
        for k in 0..self.inputs {
            // SAFETY: (1): one entry for each source.
            unsafe {
                places[k] = (*src.add(k)).cast_mut().cast();
                steps[k] = *src_stride.add(k);
            }
        }
        for r in 0..self.result_sizes.len() {
            let k = self.inputs + r;
            (places[k], steps[k]) =
                if r == self.wanted { (dst.cast(), dst_stride) } else { (nowhere.as_mut_ptr().cast(), 0) };
        }
        let mut counts = [count as npy_intp];
        // SAFETY: (1); NumPy's contract for its loops is the same, with the results behind the arguments.
        unsafe { (self.function)(places.as_mut_ptr(), counts.as_mut_ptr(), steps.as_mut_ptr(), self.data) };
    }
}

/// # Safety
/// 1. The call rules of docs/ckernel-abi.md.
unsafe extern "C" fn single(dst: *mut u8, src: *const *const u8, this: *mut CKernelPrefix) {
    let strides = [0isize; MOST];
    // SAFETY: (1); `this` is the leaf that `place` pushed. One element: strides do not matter.
    unsafe { Leaf::<Arc<UfuncLoop>>::of(this).data.run(dst, 0, src, strides.as_ptr(), 1) };
}

/// # Safety
/// 1. The call rules of docs/ckernel-abi.md.
unsafe extern "C" fn strided(
    dst: *mut u8,
    dst_stride: isize,
    src: *const *const u8,
    src_stride: *const isize,
    count: usize,
    this: *mut CKernelPrefix,
) {
    // SAFETY: (1); as in `single`.
    unsafe { Leaf::<Arc<UfuncLoop>>::of(this).data.run(dst, dst_stride, src, src_stride, count) };
}

/// A loop with core dimensions, for arrays of certain sizes and strides.
struct CoreCall {
    of: Arc<UfuncLoop>,
    /// The number of calls, which a call fills in, and the sizes.
    counts: Vec<npy_intp>,
    /// Of each operand the way to the next array, which a call fills in; then the strides within the arrays.
    steps: Vec<npy_intp>,
    /// The bytes of one array of the largest result that nobody wants.
    nowhere: usize,
}

impl CoreCall {
    /// # Safety
    /// 1. As [`UfuncLoop::place`].
    unsafe fn new(of: &Arc<UfuncLoop>, metadata: Metadata<'_>) -> Result<CoreCall, KernelError> {
        let (inputs, operands) = (of.inputs, of.dimensions.operands());
        let destination = inputs + of.wanted;
        let invalid = |message: String| KernelError::new(ErrorKind::InvalidArgument, message);
        // Size and stride of each dimension of what is given: the sources, and the wanted result.
        let mut words: Vec<(usize, Vec<[npy_intp; 2]>)> = Vec::with_capacity(inputs + 1);
        for k in (0..inputs).chain([destination]) {
            // SAFETY: (1): the destination is the first operand there.
            let pointer = unsafe { metadata.get(if k == destination { 0 } else { k + 1 }) }.cast::<[npy_intp; 2]>();
            let count = operands[k].len();
            if count > 0 && pointer.is_null() {
                return Err(invalid(format!("an operand has no metadata, but has {count} dimensions")));
            }
            // SAFETY: (1): two words for each dimension.
            let its = (0..count).map(|d| unsafe { pointer.add(d).read() }).collect();
            words.push((k, its));
        }
        let given = words.iter().map(|(k, its)| (*k, its.iter().map(|word| word[0]).collect()));
        let sizes = of.dimensions.sizes(given).map_err(|text| KernelError::new(ErrorKind::Broadcast, text))?;
        let mut steps: Vec<npy_intp> = vec![0; operands.len()];
        let mut nowhere = 0;
        for (k, dimensions) in operands.iter().enumerate() {
            if let Some((_, its)) = words.iter().find(|(given, _)| *given == k) {
                steps.extend(its.iter().map(|word| word[1]));
                continue;
            }
            // In C order, one array over the other.
            let size = of.result_sizes[k - inputs];
            let mut strides: Vec<npy_intp> = Vec::with_capacity(dimensions.len());
            let mut bytes = size;
            for number in dimensions.iter().rev() {
                strides.push(bytes as npy_intp);
                let count = usize::try_from(sizes[*number]).unwrap_or(0);
                bytes = bytes.checked_mul(count).ok_or_else(|| invalid("a result is too large for memory".into()))?;
            }
            steps.extend(strides.into_iter().rev());
            nowhere = nowhere.max(bytes);
        }
        let counts = std::iter::once(0).chain(sizes).collect();
        Ok(CoreCall { of: of.clone(), counts, steps, nowhere })
    }

    /// # Safety
    /// 1. As a strided call of the ABI, for arrays with the metadata that the kernel was built with.
    unsafe fn run(
        &self,
        dst: *mut u8,
        dst_stride: isize,
        src: *const *const u8,
        src_stride: *const isize,
        count: usize,
    ) {
        let (inputs, operands) = (self.of.inputs, self.of.dimensions.operands().len());
        let (mut counts, mut steps) = (self.counts.clone(), self.steps.clone());
        let mut nowhere = vec![0u128; self.nowhere.div_ceil(size_of::<u128>()).max(2)];
        let mut places = [std::ptr::null_mut::<c_char>(); MOST];
        counts[0] = count as npy_intp;
        for k in 0..operands {
            // SAFETY: (1): one entry for each source.
            (places[k], steps[k]) = unsafe {
                if k < inputs {
                    ((*src.add(k)).cast_mut().cast(), *src_stride.add(k))
                } else if k == inputs + self.of.wanted {
                    (dst.cast(), dst_stride)
                } else {
                    (nowhere.as_mut_ptr().cast(), 0)
                }
            };
        }
        // SAFETY: (1); NumPy's contract for its loops: the count and the sizes, the steps of the operands and then the strides
        // of their dimensions. Results that nobody wants have room for one array each, and are not read.
        unsafe { (self.of.function)(places.as_mut_ptr(), counts.as_mut_ptr(), steps.as_mut_ptr(), self.of.data) };
    }
}

/// # Safety
/// 1. The call rules of docs/ckernel-abi.md.
unsafe extern "C" fn core_single(dst: *mut u8, src: *const *const u8, this: *mut CKernelPrefix) {
    let strides = [0isize; MOST];
    // SAFETY: (1); `this` is the leaf that `place` pushed. One array each: steps do not matter.
    unsafe { Leaf::<CoreCall>::of(this).data.run(dst, 0, src, strides.as_ptr(), 1) };
}

/// # Safety
/// 1. The call rules of docs/ckernel-abi.md.
unsafe extern "C" fn core_strided(
    dst: *mut u8,
    dst_stride: isize,
    src: *const *const u8,
    src_stride: *const isize,
    count: usize,
    this: *mut CKernelPrefix,
) {
    // SAFETY: (1); as in `core_single`.
    unsafe { Leaf::<CoreCall>::of(this).data.run(dst, dst_stride, src, src_stride, count) };
}
