//! OpenCL objects as owned handles: made by one function, released on drop, counted. The only module that calls OpenCL.
//!
//! Contract of every handle: (1) it came from a successful `clCreate…`, so it holds one reference; (2) it is released once,
//! by `Drop`; (3) OpenCL objects may be used from any thread (OpenCL 1.2, appendix A.2), except `clSetKernelArg` on one
//! `cl_kernel`, which [`Kernel`] therefore gives out only through `&mut self`.

use crate::error::{Named, Result};
use cl3::types::{
    cl_bool, cl_command_queue, cl_context, cl_device_id, cl_event, cl_kernel, cl_map_flags, cl_mem, cl_mem_flags,
    cl_program, cl_uint,
};
use std::ffi::{CStr, c_void};
use std::ptr;
use std::sync::atomic::Ordering;

macro_rules! handle {
    ($name:ident, $cl:ty, $counter:ident, $release:path, $what:literal) => {
        #[derive(Debug)]
        pub(crate) struct $name($cl);

        // SAFETY: (3).
        unsafe impl Send for $name {}
        // SAFETY: (3).
        unsafe impl Sync for $name {}

        impl $name {
            fn own(handle: $cl) -> $name {
                crate::live_objects::$counter.fetch_add(1, Ordering::Relaxed);
                $name(handle)
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                crate::live_objects::$counter.fetch_sub(1, Ordering::Relaxed);
                // SAFETY: (1) and (2).
                if let Err(code) = unsafe { $release(self.0) } {
                    crate::warning::warn_once(format!("{} failed: {} ({code})", $what, failure_name(code)));
                }
            }
        }
    };
}

handle!(Context, cl_context, CONTEXTS, cl3::context::release_context, "clReleaseContext");
handle!(Queue, cl_command_queue, QUEUES, cl3::command_queue::release_command_queue, "clReleaseCommandQueue");
handle!(Program, cl_program, PROGRAMS, cl3::program::release_program, "clReleaseProgram");
handle!(Kernel, cl_kernel, KERNELS, cl3::kernel::release_kernel, "clReleaseKernel");
handle!(Mem, cl_mem, BUFFERS, cl3::memory::release_mem_object, "clReleaseMemObject");
handle!(Event, cl_event, EVENTS, cl3::event::release_event, "clReleaseEvent");

/// The name of a failure in OpenCL's header.
pub(crate) fn failure_name(code: i32) -> &'static str {
    cl3::error_codes::error_text(code)
}

/// Why no library could be opened.
pub(crate) fn why_no_library() -> String {
    match cl3::load_library() {
        Err(error) => error.to_string().replace('\n', " "),
        Ok(_) => "opened, but without the functions of OpenCL 1.2".into(),
    }
}

/// A device. Platforms and root devices live as long as the process, so there is nothing to release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct DeviceId(cl_device_id);
// SAFETY: an identifier; see (3).
unsafe impl Send for DeviceId {}
// SAFETY: an identifier; see (3).
unsafe impl Sync for DeviceId {}

/// A platform.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlatformId(cl3::platform::cl_platform_id);

impl PlatformId {
    pub(crate) fn all() -> std::result::Result<Vec<PlatformId>, i32> {
        Ok(cl3::platform::get_platform_ids()?.into_iter().map(PlatformId).collect())
    }

    pub(crate) fn devices(self) -> std::result::Result<Vec<DeviceId>, i32> {
        Ok(cl3::device::get_device_ids(self.0, cl3::device::CL_DEVICE_TYPE_ALL)?.into_iter().map(DeviceId).collect())
    }

    pub(crate) fn text(self, what: cl_uint) -> std::result::Result<String, i32> {
        cl3::platform::get_platform_data(self.0, what).map(|b| to_text(&b))
    }
}

impl DeviceId {
    pub(crate) fn text(self, what: cl_uint) -> std::result::Result<String, i32> {
        cl3::device::get_device_data(self.0, what).map(|b| to_text(&b))
    }

    /// An unsigned number of 4 or 8 bytes.
    pub(crate) fn number(self, what: cl_uint) -> std::result::Result<u64, i32> {
        cl3::device::get_device_data(self.0, what).map(|b| to_number(&b))
    }
}

/// A C string, without what follows its end.
fn to_text(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).trim().to_string()
}

fn to_number(bytes: &[u8]) -> u64 {
    match bytes.len() {
        4 => u64::from(u32::from_ne_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])),
        8 => u64::from_ne_bytes([bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7]]),
        _ => 0,
    }
}

impl Context {
    pub(crate) fn new(device: DeviceId) -> Result<Context> {
        cl3::context::create_context(&[device.0], ptr::null(), None, ptr::null_mut())
            .map(Context::own)
            .named("clCreateContext")
    }

    /// How many references the driver counts: one of ours, and one for every object made in the context.
    pub(crate) fn references(&self) -> Result<u64> {
        cl3::context::get_context_data(self.0, cl3::context::CL_CONTEXT_REFERENCE_COUNT)
            .map(|b| to_number(&b))
            .named("clGetContextInfo")
    }
}

impl Queue {
    /// In order, with profiling.
    pub(crate) fn new(context: &Context, device: DeviceId) -> Result<Queue> {
        // SAFETY: both handles are alive; the properties are a plain flag. (clCreateCommandQueue exists in every version.)
        unsafe {
            cl3::command_queue::create_command_queue(context.0, device.0, cl3::command_queue::CL_QUEUE_PROFILING_ENABLE)
        }
        .map(Queue::own)
        .named("clCreateCommandQueue")
    }

    pub(crate) fn finish(&self) -> Result<()> {
        cl3::command_queue::finish(self.0).named("clFinish")
    }

    /// Copies into a buffer and waits.
    pub(crate) fn write(&self, mem: &Mem, offset: usize, data: &[u8]) -> Result<Event> {
        // SAFETY: the call blocks, so `data` outlives it; the driver checks offset and length against the buffer.
        unsafe {
            cl3::command_queue::enqueue_write_buffer(
                self.0,
                mem.0,
                BLOCKING,
                offset,
                data.len(),
                data.as_ptr().cast(),
                0,
                ptr::null(),
            )
        }
        .map(Event::own)
        .named("clEnqueueWriteBuffer")
    }

    /// Copies out of a buffer and waits.
    pub(crate) fn read(&self, mem: &Mem, offset: usize, data: &mut [u8]) -> Result<Event> {
        // SAFETY: as `write`; `data` is ours alone while the call blocks.
        unsafe {
            cl3::command_queue::enqueue_read_buffer(
                self.0,
                mem.0,
                BLOCKING,
                offset,
                data.len(),
                data.as_mut_ptr().cast(),
                0,
                ptr::null(),
            )
        }
        .map(Event::own)
        .named("clEnqueueReadBuffer")
    }

    /// Copies between two different buffers; does not wait.
    pub(crate) fn copy(&self, from: &Mem, to: &Mem, bytes: usize) -> Result<Event> {
        // SAFETY: two live, different buffers; the driver checks the sizes.
        unsafe { cl3::command_queue::enqueue_copy_buffer(self.0, from.0, to.0, 0, 0, bytes, 0, ptr::null()) }
            .map(Event::own)
            .named("clEnqueueCopyBuffer")
    }

    /// Makes what the device wrote visible in the host memory that the buffer uses in place, and waits.
    pub(crate) fn sync_to_host(&self, mem: &Mem, bytes: usize) -> Result<()> {
        let mut at: *mut c_void = ptr::null_mut();
        let flags: cl_map_flags = cl3::memory::CL_MAP_READ;
        // SAFETY: the call blocks; the mapped place is the buffer's own host memory, which nobody touches before the unmapping.
        let mapped = unsafe {
            cl3::command_queue::enqueue_map_buffer(self.0, mem.0, BLOCKING, flags, 0, bytes, &mut at, 0, ptr::null())
        }
        .map(Event::own)
        .named("clEnqueueMapBuffer")?;
        drop(mapped);
        // SAFETY: `at` was mapped just now.
        let unmapped = unsafe { cl3::command_queue::enqueue_unmap_mem_object(self.0, mem.0, at, 0, ptr::null()) }
            .map(Event::own)
            .named("clEnqueueUnmapMemObject")?;
        unmapped.wait()
    }

    /// Puts one launch into the queue; does not wait.
    ///
    /// # Safety
    /// 1. Every argument of the kernel is set, with a value of the parameter's type, and lives until the event is complete.
    /// 2. The kernel stays within its buffers for these work sizes.
    pub(crate) unsafe fn launch(
        &self,
        kernel: &Kernel,
        offset: &[usize],
        global: &[usize],
        local: Option<&[usize]>,
    ) -> Result<Event> {
        let local = local.map_or(ptr::null(), <[usize]>::as_ptr);
        // SAFETY: (1) and (2); the three slices have one entry per dimension (the callers build them so).
        unsafe {
            cl3::command_queue::enqueue_nd_range_kernel(
                self.0,
                kernel.0,
                global.len() as cl_uint,
                offset.as_ptr(),
                global.as_ptr(),
                local,
                0,
                ptr::null(),
            )
        }
        .map(Event::own)
        .named("clEnqueueNDRangeKernel")
    }
}

const BLOCKING: cl_bool = 1;

impl Event {
    pub(crate) fn wait(&self) -> Result<()> {
        cl3::event::wait_for_events(&[self.0]).named("clWaitForEvents")
    }

    /// Nanoseconds between start and end of the command, if the driver measured them.
    pub(crate) fn nanoseconds(&self) -> Option<u64> {
        let at = |what| cl3::event::get_event_profiling_data(self.0, what).ok().map(|b| to_number(&b));
        let (start, end) = (at(cl3::event::CL_PROFILING_COMMAND_START)?, at(cl3::event::CL_PROFILING_COMMAND_END)?);
        Some(end.saturating_sub(start))
    }
}

impl Mem {
    /// Memory of the device. `bytes` must not be 0.
    pub(crate) fn new(context: &Context, bytes: usize) -> Result<Mem> {
        // SAFETY: no host memory is involved.
        unsafe { cl3::memory::create_buffer(context.0, cl3::memory::CL_MEM_READ_WRITE, bytes, ptr::null_mut()) }
            .map(Mem::own)
            .named("clCreateBuffer")
    }

    /// A part of it, which shares its memory. `start` must be aligned as the device wants it, `bytes` not be 0.
    pub(crate) fn part(&self, start: usize, bytes: usize) -> Result<Mem> {
        let region = cl3::types::cl_buffer_region { origin: start, size: bytes };
        let kind = cl3::memory::CL_BUFFER_CREATE_TYPE_REGION;
        // SAFETY: the region is what this kind of part is described by, and alive during the call; the driver checks it
        // against the buffer, which it keeps as long as the part.
        unsafe { cl3::memory::create_sub_buffer(self.0, 0, kind, (&raw const region).cast()) }
            .map(Mem::own)
            .named("clCreateSubBuffer")
    }

    /// Host memory used in place.
    ///
    /// # Safety
    /// 1. `host` is valid for `bytes` bytes, for reads, and for writes too unless `read_only`, until the buffer is dropped
    ///    and all commands on it are complete. 2. Nobody else writes to it meanwhile, or reads it unless `read_only`.
    pub(crate) unsafe fn in_place(context: &Context, host: *mut c_void, bytes: usize, read_only: bool) -> Result<Mem> {
        let access: cl_mem_flags =
            if read_only { cl3::memory::CL_MEM_READ_ONLY } else { cl3::memory::CL_MEM_READ_WRITE };
        // SAFETY: (1) and (2).
        unsafe { cl3::memory::create_buffer(context.0, access | cl3::memory::CL_MEM_USE_HOST_PTR, bytes, host) }
            .map(Mem::own)
            .named("clCreateBuffer")
    }
}

impl Program {
    pub(crate) fn from_source(context: &Context, text: &str) -> Result<Program> {
        cl3::program::create_program_with_source(context.0, &[text])
            .map(Program::own)
            .named("clCreateProgramWithSource")
    }

    /// From what [`Program::binary`] gave for the same device and driver. A driver checks what it is given.
    pub(crate) fn from_binary(context: &Context, device: DeviceId, binary: &[u8]) -> Result<Program> {
        // SAFETY: one device, one binary, both alive during the call.
        unsafe { cl3::program::create_program_with_binary(context.0, &[device.0], &[binary]) }
            .map(Program::own)
            .named("clCreateProgramWithBinary")
    }

    pub(crate) fn build(&self, device: DeviceId, options: &CStr) -> std::result::Result<(), i32> {
        cl3::program::build_program(self.0, &[device.0], options, None, ptr::null_mut())
    }

    pub(crate) fn log(&self, device: DeviceId) -> String {
        cl3::program::get_program_build_data(self.0, device.0, cl3::program::CL_PROGRAM_BUILD_LOG)
            .map(|b| to_text(&b))
            .unwrap_or_default()
    }

    pub(crate) fn kernel_names(&self) -> Result<Vec<String>> {
        let names =
            cl3::program::get_program_data(self.0, cl3::program::CL_PROGRAM_KERNEL_NAMES).named("clGetProgramInfo")?;
        let mut names: Vec<String> = to_text(&names).split(';').filter(|n| !n.is_empty()).map(str::to_string).collect();
        names.sort();
        Ok(names)
    }

    pub(crate) fn binary(&self) -> Result<Vec<u8>> {
        match cl3::program::get_program_info(self.0, cl3::program::CL_PROGRAM_BINARIES).named("clGetProgramInfo")? {
            cl3::info_type::InfoType::VecVecUchar(mut all) if all.len() == 1 => Ok(all.swap_remove(0)),
            _ => Ok(Vec::new()),
        }
    }
}

impl Kernel {
    pub(crate) fn new(program: &Program, name: &CStr) -> Result<Kernel> {
        cl3::kernel::create_kernel(program.0, name).map(Kernel::own).named("clCreateKernel")
    }

    /// By value.
    ///
    /// # Safety
    /// 1. `value` has the size of the parameter's type and holds a value of it.
    pub(crate) unsafe fn set_value(&mut self, index: usize, value: &[u8]) -> Result<()> {
        // SAFETY: (1); the driver copies the value during the call. `&mut self`: see the module's (3).
        unsafe { cl3::kernel::set_kernel_arg(self.0, index as cl_uint, value.len(), value.as_ptr().cast()) }
            .named("clSetKernelArg")
    }

    /// A buffer.
    pub(crate) fn set_mem(&mut self, index: usize, mem: &Mem) -> Result<()> {
        // SAFETY: the value is one cl_mem, as for every pointer parameter; the driver refuses it for others.
        unsafe { cl3::kernel::set_kernel_arg(self.0, index as cl_uint, size_of::<cl_mem>(), (&raw const mem.0).cast()) }
            .named("clSetKernelArg")
    }

    /// Local memory of this many bytes per work-group.
    pub(crate) fn set_local(&mut self, index: usize, bytes: usize) -> Result<()> {
        // SAFETY: a null value with a size is how local memory is given; the driver refuses it for other parameters.
        unsafe { cl3::kernel::set_kernel_arg(self.0, index as cl_uint, bytes, ptr::null()) }.named("clSetKernelArg")
    }

    pub(crate) fn argument_count(&self) -> Result<usize> {
        let bytes = cl3::kernel::get_kernel_data(self.0, cl3::kernel::CL_KERNEL_NUM_ARGS).named("clGetKernelInfo")?;
        Ok(to_number(&bytes) as usize)
    }

    pub(crate) fn argument_text(&self, index: usize, what: cl_uint) -> Option<String> {
        cl3::kernel::get_kernel_arg_data(self.0, index as cl_uint, what).ok().map(|b| to_text(&b))
    }

    pub(crate) fn argument_number(&self, index: usize, what: cl_uint) -> Option<u64> {
        cl3::kernel::get_kernel_arg_data(self.0, index as cl_uint, what).ok().map(|b| to_number(&b))
    }

    pub(crate) fn work_group_size(&self, device: DeviceId) -> Option<usize> {
        cl3::kernel::get_kernel_work_group_data(self.0, device.0, cl3::kernel::CL_KERNEL_WORK_GROUP_SIZE)
            .ok()
            .map(|b| to_number(&b) as usize)
    }

    /// What `reqd_work_group_size` fixes; zeros if nothing.
    pub(crate) fn required_work_group_size(&self, device: DeviceId) -> Option<[usize; 3]> {
        let bytes =
            cl3::kernel::get_kernel_work_group_data(self.0, device.0, cl3::kernel::CL_KERNEL_COMPILE_WORK_GROUP_SIZE)
                .ok()?;
        let mut sizes = bytes.chunks_exact(size_of::<usize>()).map(|c| to_number(c) as usize);
        Some([sizes.next()?, sizes.next()?, sizes.next()?])
    }
}
