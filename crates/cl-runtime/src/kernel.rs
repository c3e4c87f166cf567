use crate::buffer::DeviceBuffer;
use crate::context::{Device, Queue};
use crate::error::{Result, RuntimeError};
use crate::raw;
use crate::scalar::{Element, Scalar, ScalarType, as_bytes, as_bytes_mut};
use crate::signature::{KernelParam, KernelSignature, ParamKind, ParamType};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// A kernel of a built program. Cheap to clone; usable from every thread.
#[derive(Debug, Clone)]
pub struct Kernel {
    pub(crate) device: Device,
    pub(crate) inner: Arc<KernelInner>,
}

#[derive(Debug)]
pub(crate) struct KernelInner {
    /// Arguments are state of the `cl_kernel`: the lock is held from the first argument until the launch is in the queue.
    raw: Mutex<raw::Kernel>,
    signature: KernelSignature,
    max_work_group: usize,
    required_work_group: [usize; 3],
}

impl KernelInner {
    pub(crate) fn new(raw: raw::Kernel, signature: KernelSignature, device: raw::DeviceId) -> KernelInner {
        let max_work_group = raw.work_group_size(device).unwrap_or(1).max(1);
        let required_work_group = raw.required_work_group_size(device).unwrap_or_default();
        KernelInner { raw: Mutex::new(raw), signature, max_work_group, required_work_group }
    }
}

/// An array of the host that a kernel reads.
#[derive(Debug, Clone, Copy)]
pub struct HostSlice<'a> {
    bytes: &'a [u8],
    ty: ScalarType,
}

/// An array of the host that a kernel writes.
#[derive(Debug)]
pub struct HostSliceMut<'a> {
    bytes: &'a mut [u8],
    ty: ScalarType,
}

impl<'a> HostSlice<'a> {
    /// Elements of a type known at run time only.
    ///
    /// # Errors
    /// [`RuntimeError::BufferMismatch`] if the bytes are not whole elements.
    pub fn from_bytes(bytes: &'a [u8], ty: ScalarType) -> Result<HostSlice<'a>> {
        whole(bytes.len(), ty)?;
        Ok(HostSlice { bytes, ty })
    }
}

impl<'a> HostSliceMut<'a> {
    /// Elements of a type known at run time only.
    ///
    /// # Errors
    /// [`RuntimeError::BufferMismatch`] if the bytes are not whole elements.
    pub fn from_bytes(bytes: &'a mut [u8], ty: ScalarType) -> Result<HostSliceMut<'a>> {
        whole(bytes.len(), ty)?;
        Ok(HostSliceMut { bytes, ty })
    }
}

fn whole(bytes: usize, ty: ScalarType) -> Result<()> {
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
    Value(Scalar),
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
    /// The number of elements of this launch; only in [`Kernel::run_elementwise`].
    Count,
    /// A host array that is not walked along with the others (a table, a uniform value); only in
    /// [`Kernel::run_elementwise`], which hands it whole to every piece.
    Whole(HostSlice<'a>),
}

impl<'a> Arg<'a> {
    /// A number.
    pub fn value(x: impl Into<Scalar>) -> Arg<'a> {
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
        let same = |ty: ScalarType, bytes: usize| match param.ty {
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
                        scalar: ScalarType::I32 | ScalarType::U32 | ScalarType::I64 | ScalarType::U64,
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

fn number(x: Scalar) -> String {
    match x {
        Scalar::I8(x) => x.to_string(),
        Scalar::I16(x) => x.to_string(),
        Scalar::I32(x) => x.to_string(),
        Scalar::I64(x) => x.to_string(),
        Scalar::U8(x) => x.to_string(),
        Scalar::U16(x) => x.to_string(),
        Scalar::U32(x) => x.to_string(),
        Scalar::U64(x) => x.to_string(),
        Scalar::F32(x) => x.to_string(),
        Scalar::F64(x) => x.to_string(),
    }
}

/// How many work-items, in up to three dimensions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    global: Vec<usize>,
    local: Option<Vec<usize>>,
    offset: Vec<usize>,
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

impl Kernel {
    /// What it takes.
    pub fn signature(&self) -> &KernelSignature {
        &self.inner.signature
    }

    /// Its device.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Work-items that one work-group of this kernel may have.
    pub fn max_work_group(&self) -> usize {
        self.inner.max_work_group
    }

    /// Checks the arguments, launches, waits, and brings the outputs back, on the device's own queue.
    ///
    /// Nothing is launched for a size of 0. Outputs are undefined where the kernel does not write them.
    ///
    /// # Errors
    /// Arguments that do not fit the kernel, sizes that the device cannot run, or what the driver says.
    pub fn run(&self, launch: &Launch, args: &mut [Arg<'_>]) -> Result<RunTimes> {
        self.run_raw(&self.device.0.queue, launch, args)
    }

    /// As [`Kernel::run`], on another queue of the same device.
    ///
    /// # Errors
    /// As [`Kernel::run`].
    pub fn run_on(&self, queue: &Queue, launch: &Launch, args: &mut [Arg<'_>]) -> Result<RunTimes> {
        if !queue.device.is(&self.device) {
            return Err(self.bad_launch(format!(
                "the queue belongs to {}, the kernel to {}",
                queue.device.info().label(),
                self.device.info().label()
            )));
        }
        self.run_raw(&queue.raw, launch, args)
    }

    fn run_raw(&self, queue: &raw::Queue, launch: &Launch, args: &mut [Arg<'_>]) -> Result<RunTimes> {
        self.check_args(args, false)?;
        self.check_launch(launch)?;
        let mut times = RunTimes::default();
        if launch.global.contains(&0) {
            return Ok(times);
        }
        self.launch_once(queue, launch, args, &mut times)?;
        Ok(times)
    }

    fn bad_launch(&self, why: String) -> RuntimeError {
        RuntimeError::BadLaunch { kernel: self.inner.signature.name.clone(), why }
    }

    fn check_args(&self, args: &[Arg<'_>], elementwise: bool) -> Result<()> {
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
            let only_elementwise = matches!(arg, Arg::Count | Arg::Whole(_)) && !elementwise;
            if only_elementwise || !arg.fits(param) {
                return Err(RuntimeError::ArgumentType {
                    kernel: kernel(),
                    index: i + 1,
                    parameter: param.to_string(),
                    given: arg.describe(),
                });
            }
            if let Arg::Buffer(buffer) = arg
                && !buffer.device.is(&self.device)
            {
                return Err(RuntimeError::ForeignBuffer {
                    kernel: kernel(),
                    index: i + 1,
                    device: buffer.device.info().label(),
                });
            }
        }
        Ok(())
    }

    fn check_launch(&self, launch: &Launch) -> Result<()> {
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
                    self.device.info().label()
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
            if launch.local.as_deref().is_some_and(|l| l != required) {
                return Err(self.bad_launch(format!(
                    "the local size is {:?}, but the kernel requires {required:?}",
                    launch.local
                )));
            }
            if let Some((global, local)) = launch.global.iter().zip(required).find(|(g, l)| !g.is_multiple_of(**l)) {
                return Err(self.bad_launch(format!(
                    "the global size is {global}, but must be a multiple of {local}, which the kernel requires"
                )));
            }
        }
        Ok(())
    }

    fn launch_once(
        &self,
        queue: &raw::Queue,
        launch: &Launch,
        args: &mut [Arg<'_>],
        times: &mut RunTimes,
    ) -> Result<()> {
        let device = &self.device;
        let mut mems: Vec<Option<raw::Mem>> = Vec::with_capacity(args.len());
        for arg in args.iter() {
            let (bytes, upload): (usize, Option<&[u8]>) = match arg {
                Arg::In(s) | Arg::Whole(s) => (s.bytes.len(), Some(s.bytes)),
                Arg::InOut(s) => (s.bytes.len(), Some(s.bytes)),
                Arg::Out(s) => (s.bytes.len(), None),
                _ => {
                    mems.push(None);
                    continue;
                }
            };
            if bytes as u64 > device.max_allocation() {
                return Err(device.too_large(arg.describe(), bytes as u128));
            }
            let mem = raw::Mem::new(&device.0.context, bytes.max(1))?;
            if let Some(data) = upload
                && !data.is_empty()
            {
                add(&mut times.upload, &queue.write(&mem, 0, data)?);
            }
            mems.push(Some(mem));
        }
        let event = {
            let mut kernel = self.inner.raw.lock().unwrap_or_else(PoisonError::into_inner);
            for (i, (arg, mem)) in args.iter().zip(&mems).enumerate() {
                match (arg, mem) {
                    (_, Some(mem)) => kernel.set_mem(i, mem)?,
                    (Arg::Buffer(buffer), None) => kernel.set_mem(i, &buffer.mem)?,
                    // SAFETY: `check_args` compared the type with the parameter's (or the driver compares the size).
                    (Arg::Value(x), None) => unsafe { kernel.set_value(i, &x.bytes()[..x.ty().size()])? },
                    (Arg::Local(bytes), None) => kernel.set_local(i, *bytes)?,
                    (Arg::Count, None) => {}
                    _ => unreachable!("every host array has its buffer"),
                }
            }
            // SAFETY: all arguments are set just above and live until the wait below; the text is trusted (Device::build).
            unsafe { queue.launch(&kernel, &launch.offset, &launch.global, launch.local.as_deref())? }
        };
        event.wait()?;
        add(&mut times.kernel, &event);
        times.launches += 1;
        for (arg, mem) in args.iter_mut().zip(&mems) {
            if let (Arg::Out(s) | Arg::InOut(s), Some(mem)) = (arg, mem)
                && !s.bytes.is_empty()
            {
                add(&mut times.download, &queue.read(mem, 0, s.bytes)?);
            }
        }
        Ok(())
    }
}

fn add(total: &mut Duration, event: &raw::Event) {
    *total += Duration::from_nanos(event.nanoseconds().unwrap_or(0));
}
