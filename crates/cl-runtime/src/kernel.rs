//! Launches: arguments against the compiled signature, arrays in place, copied or split, times measured.

use crate::buffer::DeviceBuffer;
use crate::context::{Device, Queue};
use crate::device::DeviceKind;
use crate::element::{Element, ElementType, ElementValue, as_bytes, as_bytes_mut};
use crate::error::{Result, RuntimeError};
use crate::program::Program;
use crate::quirks::ELEMENTWISE_GROUP;
use crate::raw;
use crate::signature::{KernelParam, KernelSignature, ParamKind, ParamType};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// A kernel of a built program. Cheap to clone; usable from every thread.
#[derive(Debug, Clone)]
pub struct DeviceKernel {
    pub(crate) program: Program,
    pub(crate) inner: Arc<KernelInner>,
}

#[derive(Debug)]
pub(crate) struct KernelInner {
    /// Arguments are state of the `cl_kernel`: the lock is held from the first argument until the launch is in the queue.
    pub(crate) raw: Arc<Mutex<raw::Kernel>>,
    signature: KernelSignature,
    max_work_group: usize,
    required_work_group: [usize; 3],
}

impl KernelInner {
    pub(crate) fn new(raw: raw::Kernel, signature: KernelSignature, device: raw::DeviceId) -> KernelInner {
        let max_work_group = raw.work_group_size(device).unwrap_or(1).max(1);
        let required_work_group = raw.required_work_group_size(device).unwrap_or_default();
        KernelInner { raw: Arc::new(Mutex::new(raw)), signature, max_work_group, required_work_group }
    }

    pub(crate) fn with_signature(&self, signature: KernelSignature) -> KernelInner {
        KernelInner { raw: Arc::clone(&self.raw), signature, ..*self }
    }
}

/// An array of the host that a kernel reads.
#[derive(Debug, Clone, Copy)]
pub struct HostSlice<'a> {
    pub(crate) bytes: &'a [u8],
    ty: ElementType,
}

/// An array of the host that a kernel writes.
#[derive(Debug)]
pub struct HostSliceMut<'a> {
    pub(crate) bytes: &'a mut [u8],
    ty: ElementType,
}

impl<'a> HostSlice<'a> {
    /// Elements of a type known at run time only.
    ///
    /// # Errors
    /// [`RuntimeError::BufferMismatch`] if the bytes are not whole elements.
    pub fn from_bytes(bytes: &'a [u8], ty: ElementType) -> Result<HostSlice<'a>> {
        whole(bytes.len(), ty)?;
        Ok(HostSlice { bytes, ty })
    }
}

impl<'a> HostSliceMut<'a> {
    /// Elements of a type known at run time only.
    ///
    /// # Errors
    /// [`RuntimeError::BufferMismatch`] if the bytes are not whole elements.
    pub fn from_bytes(bytes: &'a mut [u8], ty: ElementType) -> Result<HostSliceMut<'a>> {
        whole(bytes.len(), ty)?;
        Ok(HostSliceMut { bytes, ty })
    }
}

fn whole(bytes: usize, ty: ElementType) -> Result<()> {
    if bytes.is_multiple_of(ty.size()) {
        return Ok(());
    }
    Err(RuntimeError::BufferMismatch {
        buffer: format!("whole {ty} of {} bytes", ty.size()),
        host: format!("{bytes} bytes"),
    })
}

/// One argument of a launch.
#[derive(Debug)]
pub enum Arg<'a> {
    /// A number.
    Value(ElementValue),
    /// An array that is on the device already.
    Buffer(&'a DeviceBuffer),
    /// A host array that the kernel reads.
    In(HostSlice<'a>),
    /// A host array that the kernel fills; what it held before does not matter.
    Out(HostSliceMut<'a>),
    /// A host array that the kernel reads and writes.
    InOut(HostSliceMut<'a>),
    /// Bytes of local memory per work-group.
    Local(usize),
    /// The number of elements of this launch; only in [`DeviceKernel::run_elementwise`].
    Count,
    /// A host array that is not walked along with the others (a table, a uniform value); only in
    /// [`DeviceKernel::run_elementwise`], which hands it whole to every piece.
    Whole(HostSlice<'a>),
}

impl<'a> Arg<'a> {
    /// A number.
    pub fn value(x: impl Into<ElementValue>) -> Arg<'a> {
        Arg::Value(x.into())
    }

    /// A host array that the kernel reads.
    pub fn input<T: Element>(data: &'a [T]) -> Arg<'a> {
        Arg::In(HostSlice { bytes: as_bytes(data), ty: T::TYPE })
    }

    /// A host array that the kernel fills.
    pub fn output<T: Element>(data: &'a mut [T]) -> Arg<'a> {
        Arg::Out(HostSliceMut { bytes: as_bytes_mut(data), ty: T::TYPE })
    }

    /// A host array that the kernel reads and writes.
    pub fn in_out<T: Element>(data: &'a mut [T]) -> Arg<'a> {
        Arg::InOut(HostSliceMut { bytes: as_bytes_mut(data), ty: T::TYPE })
    }

    /// A host array that every piece of an elementwise launch gets whole.
    pub fn whole<T: Element>(data: &'a [T]) -> Arg<'a> {
        Arg::Whole(HostSlice { bytes: as_bytes(data), ty: T::TYPE })
    }

    fn describe(&self) -> String {
        match self {
            Arg::Value(x) => format!("the {} value {}", x.ty().c_name(), number(*x)),
            Arg::Buffer(b) => format!("a device buffer of {} {}", b.len, b.ty.c_name()),
            Arg::In(s) | Arg::Whole(s) => format!("an input array of {}", s.ty.c_name()),
            Arg::Out(s) | Arg::InOut(s) => format!("an output array of {}", s.ty.c_name()),
            Arg::Local(bytes) => format!("{bytes} bytes of local memory"),
            Arg::Count => "the number of elements".to_string(),
        }
    }

    /// Whether the parameter takes it.
    fn fits(&self, param: &KernelParam) -> bool {
        let same = |ty: ElementType, bytes: usize| match param.ty {
            ParamType::Number { scalar, lanes } => {
                // A vector of three occupies four.
                scalar == ty && bytes.is_multiple_of(ty.size() * usize::from(lanes).next_power_of_two())
            }
            ParamType::Named(_) => true,
        };
        match (param.kind, self) {
            (ParamKind::Unknown, _) => true,
            (ParamKind::Value, Arg::Value(x)) => match param.ty {
                ParamType::Number { scalar, lanes } => scalar == x.ty() && lanes == 1,
                ParamType::Named(_) => true,
            },
            (ParamKind::Value, Arg::Count) => {
                matches!(
                    param.ty,
                    ParamType::Number {
                        scalar: ElementType::I32 | ElementType::U32 | ElementType::I64 | ElementType::U64,
                        lanes: 1
                    }
                )
            }
            (ParamKind::Global { .. } | ParamKind::Constant, Arg::Buffer(b)) => same(b.ty, b.len * b.ty.size()),
            (ParamKind::Global { .. } | ParamKind::Constant, Arg::In(s) | Arg::Whole(s)) => same(s.ty, s.bytes.len()),
            (ParamKind::Global { read_only: false }, Arg::Out(s) | Arg::InOut(s)) => same(s.ty, s.bytes.len()),
            (ParamKind::Local, Arg::Local(_)) => true,
            _ => false,
        }
    }
}

fn number(x: ElementValue) -> String {
    match x {
        ElementValue::I8(x) => x.to_string(),
        ElementValue::I16(x) => x.to_string(),
        ElementValue::I32(x) => x.to_string(),
        ElementValue::I64(x) => x.to_string(),
        ElementValue::U8(x) => x.to_string(),
        ElementValue::U16(x) => x.to_string(),
        ElementValue::U32(x) => x.to_string(),
        ElementValue::U64(x) => x.to_string(),
        ElementValue::F32(x) => x.to_string(),
        ElementValue::F64(x) => x.to_string(),
    }
}

/// How many work-items, in up to three dimensions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    pub(crate) global: Vec<usize>,
    pub(crate) local: Option<Vec<usize>>,
    pub(crate) offset: Vec<usize>,
}

impl Launch {
    /// `n` work-items in a row.
    pub fn linear(n: usize) -> Launch {
        Launch::grid(&[n])
    }

    /// One to three dimensions.
    pub fn grid(global: &[usize]) -> Launch {
        Launch { global: global.to_vec(), local: None, offset: vec![0; global.len()] }
    }

    /// The size of a work-group; the driver chooses otherwise.
    #[must_use]
    pub fn local(mut self, local: &[usize]) -> Launch {
        self.local = Some(local.to_vec());
        self
    }

    /// What the first work-item's `get_global_id` gives.
    #[must_use]
    pub fn offset(mut self, offset: &[usize]) -> Launch {
        self.offset = offset.to_vec();
        self
    }
}

/// Where the time of a run went, as the device measured it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RunTimes {
    /// Copies to the device.
    pub upload: Duration,
    /// The kernel.
    pub kernel: Duration,
    /// Copies back.
    pub download: Duration,
    /// Launches: more than one if the work was split.
    pub launches: usize,
    /// Host arrays that were used in place, over all launches.
    pub in_place: usize,
}

impl DeviceKernel {
    /// What it takes.
    pub fn signature(&self) -> &KernelSignature {
        &self.inner.signature
    }

    /// The program that it is part of.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Its device.
    pub fn device(&self) -> &Device {
        &self.program.device
    }

    /// Work-items that one work-group of this kernel may have.
    pub fn max_work_group(&self) -> usize {
        self.inner.max_work_group
    }

    /// Checks the arguments, launches, waits, and brings the outputs back, on the device's own queue. Arrays are used in
    /// place where they can be.
    ///
    /// Nothing is launched for a size of 0. Outputs are undefined where the kernel does not write them.
    ///
    /// [`DeviceKernel::with_bounds`] makes a kernel of this one that is safe to run as fast; [`DeviceKernel::run_guarded`] is safe for
    /// text of unknown origin, on copies.
    ///
    /// # Safety
    /// For this launch and these arguments
    /// 1. the kernel reads and writes only elements of the arrays, and of the local memory, that it is given;
    /// 2. it writes to no array that it declares `const`.
    ///
    /// # Errors
    /// Arguments that do not fit the kernel, sizes that the device cannot run, or what the driver says.
    pub unsafe fn run(&self, launch: &Launch, args: &mut [Arg<'_>]) -> Result<RunTimes> {
        // SAFETY: the caller's (1) and (2).
        unsafe { self.run_raw(&self.device().0.queue, launch, args, &|_, _| Ok(())) }
    }

    /// As [`DeviceKernel::run`], on another queue of the same device.
    ///
    /// # Safety
    /// As [`DeviceKernel::run`].
    ///
    /// # Errors
    /// As [`DeviceKernel::run`].
    pub unsafe fn run_on(&self, queue: &Queue, launch: &Launch, args: &mut [Arg<'_>]) -> Result<RunTimes> {
        self.check_queue(queue)?;
        // SAFETY: the caller's (1) and (2).
        unsafe { self.run_raw(&queue.raw, launch, args, &|_, _| Ok(())) }
    }

    /// Runs a kernel that treats element `i` of all its arrays alike, over `n` elements.
    ///
    /// Host arrays ([`Arg::In`], [`Arg::Out`], [`Arg::InOut`]) have `n` elements and are walked together; where they are
    /// larger than the device allows they are done in pieces. [`Arg::Count`] is the number of elements of the piece: with
    /// it the number of work-items is rounded up to whole work-groups, so the kernel must compare its index with it.
    /// [`Arg::Whole`] arrays go to every piece unchanged.
    ///
    /// # Safety
    /// As [`DeviceKernel::run`], for each piece.
    ///
    /// # Errors
    /// As [`DeviceKernel::run`], and [`RuntimeError::ArgumentLength`] for arrays of another length.
    pub unsafe fn run_elementwise(&self, n: usize, args: &mut [Arg<'_>]) -> Result<RunTimes> {
        // SAFETY: the caller's (1) and (2).
        unsafe { self.elementwise_raw(&self.device().0.queue, n, args, &|_, _| Ok(())) }
    }

    /// # Safety
    /// As [`DeviceKernel::run`], for launches that `check` lets pass.
    pub(crate) unsafe fn run_raw(
        &self,
        queue: &raw::Queue,
        launch: &Launch,
        args: &mut [Arg<'_>],
        check: &Check<'_>,
    ) -> Result<RunTimes> {
        self.check_args(args, None)?;
        self.check_launch(launch)?;
        let mut times = RunTimes::default();
        if launch.global.contains(&0) {
            return Ok(times);
        }
        let mut pieces = self.pieces(args, 0, usize::MAX);
        check(launch, &pieces)?;
        // SAFETY: the caller's; `check` let it pass.
        unsafe { self.launch_once(queue, launch, &mut pieces, &mut times)? };
        self.program.launched()?;
        Ok(times)
    }

    /// # Safety
    /// As [`DeviceKernel::run`], for launches that `check` lets pass.
    pub(crate) unsafe fn elementwise_raw(
        &self,
        queue: &raw::Queue,
        n: usize,
        args: &mut [Arg<'_>],
        check: &Check<'_>,
    ) -> Result<RunTimes> {
        self.check_args(args, Some(n))?;
        let mut times = RunTimes::default();
        if n == 0 {
            return Ok(times);
        }
        let step = self.elements_per_piece(n, args)?;
        let mut start = 0;
        while start < n {
            let end = n.min(start.saturating_add(step));
            let count = end - start;
            let required = self.inner.required_work_group[0];
            let launch = if args.iter().any(|a| matches!(a, Arg::Count)) {
                let group = if required > 0 { required } else { ELEMENTWISE_GROUP.min(self.inner.max_work_group) };
                Launch::linear(count.div_ceil(group) * group).local(&[group])
            } else {
                Launch::linear(count)
            };
            self.check_launch(&launch)?;
            let mut pieces = self.pieces(args, start, end);
            check(&launch, &pieces)?;
            // SAFETY: the caller's; `check` let it pass.
            unsafe { self.launch_once(queue, &launch, &mut pieces, &mut times)? };
            start = end;
        }
        self.program.launched()?;
        Ok(times)
    }

    /// As many elements as fit into every buffer, and all buffers together into the device.
    fn elements_per_piece(&self, n: usize, args: &[Arg<'_>]) -> Result<usize> {
        let device = self.device();
        let (mut step, mut per_element) = (n as u64, 0u64);
        for (arg, param) in args.iter().zip(&self.inner.signature.params) {
            match arg {
                Arg::In(HostSlice { ty, .. })
                | Arg::Out(HostSliceMut { ty, .. })
                | Arg::InOut(HostSliceMut { ty, .. }) => {
                    step = step.min(device.max_allocation() / ty.size() as u64);
                    per_element += ty.size() as u64;
                }
                Arg::Count => {
                    let most = match param.ty {
                        ParamType::Number { scalar: ElementType::I32, .. } => i32::MAX as u64,
                        ParamType::Number { scalar: ElementType::U32, .. } => u64::from(u32::MAX),
                        _ => i64::MAX as u64,
                    };
                    step = step.min(most);
                }
                _ => {}
            }
        }
        // An eighth is left to the driver, and to the program.
        let room = device.info().memory - device.info().memory / 8;
        step = step.min(room.checked_div(per_element).unwrap_or(step));
        if step >= n as u64 {
            return Ok(n);
        }
        // Whole groups of elements, so that every piece starts as well aligned as the array.
        step -= step % ELEMENTWISE_GROUP as u64;
        let fixed = args.iter().any(|a| matches!(a, Arg::Buffer(_)));
        if step == 0 || fixed {
            let bytes = u128::from(per_element) * n as u128;
            let what = if fixed { "an elementwise launch over device buffers" } else { "an elementwise launch" };
            return Err(device.too_large(format!("{what} of {n} elements"), bytes));
        }
        Ok(step as usize)
    }

    fn pieces<'a>(&self, args: &'a mut [Arg<'_>], start: usize, end: usize) -> Vec<LaunchArgument<'a>> {
        args.iter_mut().zip(&self.inner.signature.params).map(|(a, p)| a.piece(start, end, p)).collect()
    }

    fn bad_launch(&self, why: String) -> RuntimeError {
        RuntimeError::BadLaunch { kernel: self.inner.signature.name.clone(), why }
    }

    pub(crate) fn check_queue(&self, queue: &Queue) -> Result<()> {
        if queue.device.is(self.device()) {
            return Ok(());
        }
        let (queue, kernel) = (queue.device.info().label(), self.device().info().label());
        Err(self.bad_launch(format!(
            "the queue is one of device {queue}, in another context than the kernel, which is on {kernel}"
        )))
    }

    pub(crate) fn check_args(&self, args: &[Arg<'_>], elements: Option<usize>) -> Result<()> {
        let signature = &self.inner.signature;
        let kernel = || signature.name.clone();
        if args.len() != signature.params.len() {
            return Err(RuntimeError::ArgumentCount {
                kernel: kernel(),
                given: args.len(),
                expected: signature.params.iter().map(ToString::to_string).collect(),
            });
        }
        for (i, (arg, param)) in args.iter().zip(&signature.params).enumerate() {
            let index = i + 1;
            let only_elementwise = matches!(arg, Arg::Count | Arg::Whole(_)) && elements.is_none();
            if only_elementwise || !arg.fits(param) {
                return Err(RuntimeError::ArgumentType {
                    kernel: kernel(),
                    index,
                    parameter: param.to_string(),
                    given: arg.describe(),
                });
            }
            if let Arg::Buffer(buffer) = arg
                && !buffer.device.is(self.device())
            {
                return Err(RuntimeError::ForeignBuffer {
                    kernel: kernel(),
                    index,
                    device: buffer.device.info().label(),
                });
            }
            if let Some(expected) = elements {
                let given = match arg {
                    Arg::In(s) => s.bytes.len() / s.ty.size(),
                    Arg::Out(s) | Arg::InOut(s) => s.bytes.len() / s.ty.size(),
                    _ => expected,
                };
                if given != expected {
                    return Err(RuntimeError::ArgumentLength { kernel: kernel(), index, given, expected });
                }
            }
        }
        Ok(())
    }

    pub(crate) fn check_launch(&self, launch: &Launch) -> Result<()> {
        let dims = launch.global.len();
        if !(1..=3).contains(&dims) {
            return Err(self.bad_launch(format!("{dims} dimensions were given, but there must be 1 to 3")));
        }
        if launch.offset.len() != dims || launch.local.as_ref().is_some_and(|l| l.len() != dims) {
            return Err(self.bad_launch(format!("global, local and offset must have the same {dims} dimensions")));
        }
        if let Some(local) = &launch.local {
            let items = local.iter().try_fold(1usize, |a, b| a.checked_mul(*b)).unwrap_or(usize::MAX);
            if items == 0 || items > self.inner.max_work_group {
                return Err(self.bad_launch(format!(
                    "the work-group has {items} work-items, but must have 1 to {} on {}",
                    self.inner.max_work_group,
                    self.device().info().label()
                )));
            }
            if let Some((global, local)) = launch.global.iter().zip(local).find(|(g, l)| !g.is_multiple_of(**l)) {
                return Err(self.bad_launch(format!(
                    "the global size is {global}, but must be a multiple of the local size {local}"
                )));
            }
        }
        let required = &self.inner.required_work_group[..dims];
        if required.iter().any(|r| *r != 0) {
            if let Some(local) = launch.local.as_deref().filter(|l| *l != required) {
                return Err(
                    self.bad_launch(format!("the local size is {local:?}, but the kernel requires {required:?}"))
                );
            }
            if let Some((global, local)) = launch.global.iter().zip(required).find(|(g, l)| !g.is_multiple_of(**l)) {
                return Err(self.bad_launch(format!(
                    "the global size is {global}, but must be a multiple of {local}, which the kernel requires"
                )));
            }
        }
        Ok(())
    }

    /// # Safety
    /// As [`DeviceKernel::run`].
    unsafe fn launch_once(
        &self,
        queue: &raw::Queue,
        launch: &Launch,
        pieces: &mut [LaunchArgument<'_>],
        times: &mut RunTimes,
    ) -> Result<()> {
        let device = self.device();
        let params = &self.inner.signature.params;
        let may_share =
            device.0.options.in_place && device.info().kind == DeviceKind::Cpu && device.info().unified_memory;
        let mut bound: Vec<Bound> = Vec::with_capacity(pieces.len());
        for (i, param) in params.iter().enumerate() {
            let (earlier, rest) = pieces.split_at_mut(i);
            let next = match &mut rest[0] {
                LaunchArgument::Value(..) | LaunchArgument::Local(_) | LaunchArgument::Buffer(_) => Bound::None,
                LaunchArgument::In(data) => {
                    // Only memory that the kernel cannot write (`const`) may be lent from a shared slice.
                    let read_only = matches!(param.kind, ParamKind::Global { read_only: true } | ParamKind::Constant);
                    match overlap(data, earlier) {
                        // Two buffers over one piece of memory are undefined (OpenCL 1.2, 5.2.1): the same array is one buffer.
                        Overlap::Same(j) if matches!(bound[j], Bound::InPlace(_)) && read_only => Bound::As(j),
                        Overlap::None
                            if may_share && read_only && aligned(data.as_ptr(), param) && !data.is_empty() =>
                        {
                            check_size(device, data.len())?;
                            times.in_place += 1;
                            // SAFETY: `data` is borrowed until the end of this function, which waits for the launch; by (2) the
                            // kernel does not write through a `const` parameter, nor does anybody else while it is borrowed.
                            Bound::InPlace(unsafe {
                                raw::Mem::in_place(
                                    &device.0.context,
                                    data.as_ptr().cast_mut().cast(),
                                    data.len(),
                                    true,
                                )?
                            })
                        }
                        _ => {
                            let mem = room(device, data.len())?;
                            if !data.is_empty() {
                                add(&mut times.upload, &queue.write(&mem, 0, data)?);
                            }
                            Bound::Copy(mem)
                        }
                    }
                }
                LaunchArgument::Out { data, read_first } => {
                    if may_share && aligned(data.as_ptr(), param) && !data.is_empty() {
                        check_size(device, data.len())?;
                        times.in_place += 1;
                        // SAFETY: `data` is borrowed mutably until the end of this function, which waits for the launch.
                        Bound::InPlace(unsafe {
                            raw::Mem::in_place(&device.0.context, data.as_mut_ptr().cast(), data.len(), false)?
                        })
                    } else {
                        let mem = room(device, data.len())?;
                        if *read_first && !data.is_empty() {
                            add(&mut times.upload, &queue.write(&mem, 0, data)?);
                        }
                        Bound::Copy(mem)
                    }
                }
            };
            bound.push(next);
        }
        let event = {
            let mut kernel = self.inner.raw.lock().unwrap_or_else(PoisonError::into_inner);
            for (i, piece) in pieces.iter().enumerate() {
                match piece {
                    // SAFETY: `check_args` compared the type with the parameter's (or the driver compares the size).
                    LaunchArgument::Value(bytes, len) => unsafe { kernel.set_value(i, &bytes[..*len])? },
                    LaunchArgument::Local(bytes) => kernel.set_local(i, *bytes)?,
                    LaunchArgument::Buffer(buffer) => kernel.set_mem(i, &buffer.mem)?,
                    LaunchArgument::In(_) | LaunchArgument::Out { .. } => {
                        let at = if let Bound::As(j) = bound[i] { j } else { i };
                        if let Bound::InPlace(mem) | Bound::Copy(mem) = &bound[at] {
                            kernel.set_mem(i, mem)?;
                        }
                    }
                }
            }
            // SAFETY: all arguments are set just above and live until the wait below; the kernel stays within them by (1).
            unsafe { queue.launch(&kernel, &launch.offset, &launch.global, launch.local.as_deref())? }
        };
        let done = event.wait().and_then(|()| {
            add(&mut times.kernel, &event);
            times.launches += 1;
            for (piece, bound) in pieces.iter_mut().zip(&bound) {
                if let LaunchArgument::Out { data, .. } = piece
                    && !data.is_empty()
                {
                    match bound {
                        Bound::InPlace(mem) => queue.sync_to_host(mem, data.len())?,
                        Bound::Copy(mem) => add(&mut times.download, &queue.read(mem, 0, data)?),
                        Bound::As(_) | Bound::None => {}
                    }
                }
            }
            Ok(())
        });
        if done.is_err() {
            // Whatever still runs must not outlive the borrowed arrays.
            let _ = queue.finish();
        }
        done
    }
}

/// Looks at a launch before it; an error is why it must not be.
type Check<'a> = dyn Fn(&Launch, &[LaunchArgument<'_>]) -> Result<()> + 'a;

/// One argument of one launch.
#[derive(Debug)]
pub(crate) enum LaunchArgument<'a> {
    Value([u8; 8], usize),
    Local(usize),
    Buffer(&'a DeviceBuffer),
    In(&'a [u8]),
    Out { data: &'a mut [u8], read_first: bool },
}

impl LaunchArgument<'_> {
    /// Of the array or local memory.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            LaunchArgument::Value(..) => 0,
            LaunchArgument::Local(bytes) => *bytes,
            LaunchArgument::Buffer(buffer) => buffer.len * buffer.ty.size(),
            LaunchArgument::In(data) => data.len(),
            LaunchArgument::Out { data, .. } => data.len(),
        }
    }
}

impl Arg<'_> {
    /// Elements `start..end` of it, as far as they exist.
    fn piece(&mut self, start: usize, end: usize, param: &KernelParam) -> LaunchArgument<'_> {
        let range = |len: usize, size: usize| start * size..end.saturating_mul(size).min(len);
        match self {
            Arg::Value(x) => LaunchArgument::Value(x.bytes(), x.ty().size()),
            Arg::Local(bytes) => LaunchArgument::Local(*bytes),
            Arg::Buffer(buffer) => LaunchArgument::Buffer(buffer),
            Arg::In(s) => LaunchArgument::In(&s.bytes[range(s.bytes.len(), s.ty.size())]),
            Arg::Whole(s) => LaunchArgument::In(s.bytes),
            Arg::Out(s) => {
                let range = range(s.bytes.len(), s.ty.size());
                LaunchArgument::Out { data: &mut s.bytes[range], read_first: false }
            }
            Arg::InOut(s) => {
                let range = range(s.bytes.len(), s.ty.size());
                LaunchArgument::Out { data: &mut s.bytes[range], read_first: true }
            }
            // `elements_per_piece` sees to it that the count fits.
            Arg::Count => {
                let count = end - start;
                let x = match param.ty {
                    ParamType::Number { scalar: ElementType::I32 | ElementType::U32, .. } => {
                        ElementValue::U32(count as u32)
                    }
                    _ => ElementValue::U64(count as u64),
                };
                LaunchArgument::Value(x.bytes(), x.ty().size())
            }
        }
    }
}

/// How one argument of a launch is held.
enum Bound {
    /// Not by us.
    None,
    /// The host's own memory.
    InPlace(raw::Mem),
    /// A copy on the device.
    Copy(raw::Mem),
    /// The buffer of an earlier argument.
    As(usize),
}

enum Overlap {
    None,
    Same(usize),
    Part,
}

/// Whether an earlier input is the same memory.
fn overlap(data: &[u8], earlier: &[LaunchArgument<'_>]) -> Overlap {
    let range = data.as_ptr_range();
    for (j, piece) in earlier.iter().enumerate() {
        if let LaunchArgument::In(other) = piece {
            let other = other.as_ptr_range();
            if other == range {
                return Overlap::Same(j);
            }
            if other.start < range.end && range.start < other.end {
                return Overlap::Part;
            }
        }
    }
    Overlap::None
}

/// Whether memory is aligned as the compiler may assume for this parameter.
fn aligned(data: *const u8, param: &KernelParam) -> bool {
    param.ty.alignment().is_some_and(|a| data.addr().is_multiple_of(a))
}

pub(crate) fn check_size(device: &Device, bytes: usize) -> Result<()> {
    if bytes as u64 > device.max_allocation() {
        return Err(device.too_large(format!("an array of {bytes} bytes"), bytes as u128));
    }
    Ok(())
}

fn room(device: &Device, bytes: usize) -> Result<raw::Mem> {
    check_size(device, bytes)?;
    // OpenCL has no empty buffers.
    raw::Mem::new(&device.0.context, bytes.max(1))
}

pub(crate) fn add(total: &mut Duration, event: &raw::Event) {
    *total += Duration::from_nanos(event.nanoseconds().unwrap_or(0));
}
