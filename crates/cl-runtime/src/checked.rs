//! Kernels that say what they touch: every launch is compared with the arrays before it, so that running them is safe.

use crate::context::{Device, Queue};
use crate::error::{Result, RuntimeError};
use crate::kernel::{Arg, DeviceKernel, Launch, LaunchArgument, RunTimes};
use crate::program::Program;
use crate::signature::{KernelSignature, ParamType};
use std::sync::Arc;

/// How many elements of one array a launch touches: those from 0 to `elements`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Touched {
    /// Which argument, from 0.
    pub argument: usize,
    /// How many elements of the parameter's type; bytes for local memory.
    pub elements: u128,
}

/// One launch, as the function sees it that says what the kernel touches.
#[derive(Debug)]
pub struct Request<'a> {
    launch: &'a Launch,
    pieces: &'a [LaunchArgument<'a>],
    signature: &'a KernelSignature,
}

impl Request<'_> {
    /// Work-items of each dimension.
    pub fn global(&self) -> &[usize] {
        &self.launch.global
    }

    /// Work-items of a work-group; `None` if the driver chooses.
    pub fn local(&self) -> Option<&[usize]> {
        self.launch.local.as_deref()
    }

    /// What the first work-item's `get_global_id` gives.
    pub fn offset(&self) -> &[usize] {
        &self.launch.offset
    }

    /// The value of an integer argument, from 0; `None` if it is none.
    pub fn integer(&self, argument: usize) -> Option<i128> {
        let ParamType::Number { scalar, lanes: 1 } = self.signature.params.get(argument)?.ty else { return None };
        match self.pieces.get(argument)? {
            LaunchArgument::Value(bytes, _) => scalar.read_integer(*bytes),
            _ => None,
        }
    }

    /// As [`Request::integer`], but an argument that is no integer, or below 0, is why the launch is refused.
    ///
    /// # Errors
    /// The reason.
    pub fn count(&self, argument: usize) -> Result<u128, String> {
        let value = self.integer(argument).and_then(|x| u128::try_from(x).ok());
        value.ok_or_else(|| format!("argument {} is not a count", argument + 1))
    }
}

/// What a kernel touches in a launch, or why it must not be launched so.
type Bounds = dyn Fn(&Request<'_>) -> Result<Vec<Touched>, String> + Send + Sync;

/// A kernel whose launches are compared with its arrays beforehand. Cheap to clone; usable from every thread.
#[derive(Clone)]
pub struct CheckedKernel {
    kernel: DeviceKernel,
    bounds: Arc<Bounds>,
}

impl std::fmt::Debug for CheckedKernel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CheckedKernel").field("kernel", &self.kernel).finish_non_exhaustive()
    }
}

impl DeviceKernel {
    /// The kernel with what it touches, as a function of the launch: safe to run from then on, with arrays in place.
    ///
    /// # Safety
    /// For every launch that `bounds` does not refuse,
    /// 1. the kernel reads and writes only elements that `bounds` names, and local memory of its own;
    /// 2. it writes to no array that it declares `const`;
    /// 3. it ends.
    pub unsafe fn with_bounds(
        self,
        bounds: impl Fn(&Request<'_>) -> Result<Vec<Touched>, String> + Send + Sync + 'static,
    ) -> CheckedKernel {
        CheckedKernel { kernel: self, bounds: Arc::new(bounds) }
    }
}

impl CheckedKernel {
    /// What it takes.
    pub fn signature(&self) -> &KernelSignature {
        self.kernel.signature()
    }

    /// The program that it is part of.
    pub fn program(&self) -> &Program {
        self.kernel.program()
    }

    /// Its device.
    pub fn device(&self) -> &Device {
        self.kernel.device()
    }

    /// As [`DeviceKernel::run`].
    ///
    /// # Errors
    /// As [`DeviceKernel::run`], and [`RuntimeError::TooShort`] if the launch would touch more than an array has.
    pub fn run(&self, launch: &Launch, args: &mut [Arg<'_>]) -> Result<RunTimes> {
        // SAFETY: `check` compares every launch with what `DeviceKernel::with_bounds` (1) and (2) say.
        unsafe { self.kernel.run_raw(&self.device().0.queue, launch, args, &|l, p| self.check(l, p)) }
    }

    /// As [`CheckedKernel::run`], on another queue of the same device.
    ///
    /// # Errors
    /// As [`CheckedKernel::run`].
    pub fn run_on(&self, queue: &Queue, launch: &Launch, args: &mut [Arg<'_>]) -> Result<RunTimes> {
        self.kernel.check_queue(queue)?;
        // SAFETY: as in `run`.
        unsafe { self.kernel.run_raw(&queue.raw, launch, args, &|l, p| self.check(l, p)) }
    }

    /// As [`DeviceKernel::run_elementwise`].
    ///
    /// # Errors
    /// As [`DeviceKernel::run_elementwise`], and [`RuntimeError::TooShort`].
    pub fn run_elementwise(&self, n: usize, args: &mut [Arg<'_>]) -> Result<RunTimes> {
        // SAFETY: as in `run`; every piece is checked.
        unsafe { self.kernel.elementwise_raw(&self.device().0.queue, n, args, &|l, p| self.check(l, p)) }
    }

    fn check(&self, launch: &Launch, pieces: &[LaunchArgument<'_>]) -> Result<()> {
        let signature = self.signature();
        let request = Request { launch, pieces, signature };
        let touched =
            (self.bounds)(&request).map_err(|why| RuntimeError::BadLaunch { kernel: signature.name.clone(), why })?;
        for Touched { argument, elements: needed } in touched {
            let Some((piece, param)) = pieces.get(argument).zip(signature.params.get(argument)) else { continue };
            // A type of unknown size is compared by the byte: never too few.
            let size = if matches!(piece, LaunchArgument::Local(_)) { 1 } else { param.ty.alignment().unwrap_or(1) };
            let elements = piece.bytes() / size;
            if needed > elements as u128 {
                return Err(RuntimeError::TooShort {
                    kernel: signature.name.clone(),
                    index: argument + 1,
                    parameter: param.to_string(),
                    elements,
                    needed,
                });
            }
        }
        Ok(())
    }
}
