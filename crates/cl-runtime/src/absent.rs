//! What `raw` is without the feature `opencl`: no library is opened, so there is no platform, and no handle can exist.
//!
//! The types are empty, so no method of theirs is ever called; the rest of the crate is compiled as if they were not.

use crate::constants::failure::NO_LIBRARY;
use crate::error::Result;
use std::ffi::{CStr, c_void};

type Code = i32;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Never {}

macro_rules! handles {
    ($($name:ident)*) => {$(
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub(crate) struct $name(Never);
    )*};
}
handles!(Context Queue Program Kernel Mem Event DeviceId PlatformId);

/// The name of a failure.
pub(crate) fn failure_name(_: Code) -> &'static str {
    "no OpenCL"
}

/// Why no library could be opened.
pub(crate) fn why_no_library() -> String {
    "gristmill was built without its feature `opencl`".into()
}

impl PlatformId {
    pub(crate) fn all() -> std::result::Result<Vec<PlatformId>, Code> {
        Err(NO_LIBRARY)
    }

    pub(crate) fn devices(self) -> std::result::Result<Vec<DeviceId>, Code> {
        match self.0 {}
    }

    pub(crate) fn text(self, _: u32) -> std::result::Result<String, Code> {
        match self.0 {}
    }
}

impl DeviceId {
    pub(crate) fn text(self, _: u32) -> std::result::Result<String, Code> {
        match self.0 {}
    }

    pub(crate) fn number(self, _: u32) -> std::result::Result<u64, Code> {
        match self.0 {}
    }
}

impl Context {
    pub(crate) fn new(device: DeviceId) -> Result<Context> {
        match device.0 {}
    }

    pub(crate) fn references(&self) -> Result<u64> {
        match self.0 {}
    }
}

impl Queue {
    pub(crate) fn new(context: &Context, _: DeviceId) -> Result<Queue> {
        match context.0 {}
    }

    pub(crate) fn finish(&self) -> Result<()> {
        match self.0 {}
    }

    pub(crate) fn write(&self, _: &Mem, _: usize, _: &[u8]) -> Result<Event> {
        match self.0 {}
    }

    pub(crate) fn read(&self, _: &Mem, _: usize, _: &mut [u8]) -> Result<Event> {
        match self.0 {}
    }

    pub(crate) fn copy(&self, _: &Mem, _: &Mem, _: usize) -> Result<Event> {
        match self.0 {}
    }

    pub(crate) fn sync_to_host(&self, _: &Mem, _: usize) -> Result<()> {
        match self.0 {}
    }

    /// # Safety
    /// None is needed: there is no queue.
    pub(crate) unsafe fn launch(&self, _: &Kernel, _: &[usize], _: &[usize], _: Option<&[usize]>) -> Result<Event> {
        match self.0 {}
    }
}

impl Event {
    pub(crate) fn wait(&self) -> Result<()> {
        match self.0 {}
    }

    pub(crate) fn nanoseconds(&self) -> Option<u64> {
        match self.0 {}
    }
}

impl Mem {
    pub(crate) fn new(context: &Context, _: usize) -> Result<Mem> {
        match context.0 {}
    }

    pub(crate) fn part(&self, _: usize, _: usize) -> Result<Mem> {
        match self.0 {}
    }

    /// # Safety
    /// None is needed: there is no context.
    pub(crate) unsafe fn in_place(context: &Context, _: *mut c_void, _: usize, _: bool) -> Result<Mem> {
        match context.0 {}
    }
}

impl Program {
    pub(crate) fn from_source(context: &Context, _: &str) -> Result<Program> {
        match context.0 {}
    }

    pub(crate) fn from_binary(context: &Context, _: DeviceId, _: &[u8]) -> Result<Program> {
        match context.0 {}
    }

    pub(crate) fn build(&self, _: DeviceId, _: &CStr) -> std::result::Result<(), Code> {
        match self.0 {}
    }

    pub(crate) fn log(&self, _: DeviceId) -> String {
        match self.0 {}
    }

    pub(crate) fn kernel_names(&self) -> Result<Vec<String>> {
        match self.0 {}
    }

    pub(crate) fn binary(&self) -> Result<Vec<u8>> {
        match self.0 {}
    }
}

impl Kernel {
    pub(crate) fn new(program: &Program, _: &CStr) -> Result<Kernel> {
        match program.0 {}
    }

    /// # Safety
    /// None is needed: there is no kernel.
    pub(crate) unsafe fn set_value(&mut self, _: usize, _: &[u8]) -> Result<()> {
        match self.0 {}
    }

    pub(crate) fn set_mem(&mut self, _: usize, _: &Mem) -> Result<()> {
        match self.0 {}
    }

    pub(crate) fn set_local(&mut self, _: usize, _: usize) -> Result<()> {
        match self.0 {}
    }

    pub(crate) fn argument_count(&self) -> Result<usize> {
        match self.0 {}
    }

    pub(crate) fn argument_text(&self, _: usize, _: u32) -> Option<String> {
        match self.0 {}
    }

    pub(crate) fn argument_number(&self, _: usize, _: u32) -> Option<u64> {
        match self.0 {}
    }

    pub(crate) fn work_group_size(&self, _: DeviceId) -> Option<usize> {
        match self.0 {}
    }

    pub(crate) fn required_work_group_size(&self, _: DeviceId) -> Option<[usize; 3]> {
        match self.0 {}
    }
}
