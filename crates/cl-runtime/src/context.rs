//! A device that is open: its context and queue, and what is built and allocated on it.

use crate::buffer::DeviceBuffer;
use crate::cache::ProgramCache;
use crate::device::{DeviceInfo, devices};
use crate::element::{Element, ElementType, as_bytes};
use crate::error::{Result, RuntimeError};
use crate::program::ProgramInner;
use crate::raw;
use crate::select::Selector;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// How to open a device.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct DeviceOptions {
    /// Bytes that one buffer may have; `None`: what the device says. For tests, and for drivers that promise too much.
    pub max_allocation: Option<u64>,
    /// Use host arrays in place where device and host share memory.
    pub in_place: bool,
    /// Which programs on disk to use.
    pub cache: CacheSetting,
}

/// Which programs on disk a device uses.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum CacheSetting {
    /// What [`ProgramCache::from_env`] gives at each build.
    #[default]
    Environment,
    /// None.
    Off,
    /// Those of this folder.
    At(ProgramCache),
}

impl Default for DeviceOptions {
    fn default() -> DeviceOptions {
        DeviceOptions { max_allocation: None, in_place: true, cache: CacheSetting::Environment }
    }
}

/// An open device: its context, a queue, and the programs built for it. Cheap to clone; usable from every thread.
#[derive(Debug, Clone)]
pub struct Device(pub(crate) Arc<DeviceInner>);

#[derive(Debug)]
pub(crate) struct DeviceInner {
    pub(crate) info: DeviceInfo,
    pub(crate) options: DeviceOptions,
    // Dropped in this order; OpenCL counts references, so any order is right.
    pub(crate) programs: Mutex<HashMap<[u8; 32], Slot>>,
    pub(crate) queue: raw::Queue,
    pub(crate) context: raw::Context,
}

/// One program of the in-process cache. Its lock is held while it is built, so that two threads build it once.
pub(crate) type Slot = Arc<Mutex<Option<Arc<ProgramInner>>>>;

/// The devices that this process has opened with default options: one context each, so that programs are built once.
static OPEN: Mutex<Vec<Device>> = Mutex::new(Vec::new());

impl Device {
    /// The device that GRISTMILL_DEVICE names, or the best one. The same context for every caller in the process.
    ///
    /// # Errors
    /// As [`choose_device`](crate::choose_device), and if the driver refuses a context.
    pub fn from_env() -> Result<Device> {
        Device::open(&crate::choose_device()?)
    }

    /// The device that `text` selects: see [`Selector`].
    ///
    /// # Errors
    /// As [`Device::from_env`].
    pub fn named(text: &str) -> Result<Device> {
        Device::open(&Selector::parse(text, "the caller")?.choose(&devices()?, "the caller")?)
    }

    /// Opens a device, or returns the open one.
    ///
    /// # Errors
    /// If the driver refuses a context or a queue.
    pub fn open(info: &DeviceInfo) -> Result<Device> {
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(device) = open.iter().find(|d| d.0.info.id == info.id) {
            return Ok(device.clone());
        }
        let device = Device::open_with(info, DeviceOptions::default())?;
        open.push(device.clone());
        Ok(device)
    }

    /// Opens a device with a context of its own, released when the last clone is dropped.
    ///
    /// # Errors
    /// If the driver refuses a context or a queue.
    pub fn open_with(info: &DeviceInfo, options: DeviceOptions) -> Result<Device> {
        let context = raw::Context::new(info.id)?;
        let queue = raw::Queue::new(&context, info.id)?;
        Ok(Device(Arc::new(DeviceInner { info: info.clone(), options, programs: Mutex::default(), queue, context })))
    }

    /// What is known of it.
    pub fn info(&self) -> &DeviceInfo {
        &self.0.info
    }

    /// A queue of its own: launches on different queues may overlap.
    ///
    /// # Errors
    /// If the driver refuses it.
    pub fn new_queue(&self) -> Result<Queue> {
        Ok(Queue { raw: raw::Queue::new(&self.0.context, self.0.info.id)?, device: self.clone() })
    }

    /// Bytes that one buffer may have.
    pub fn max_allocation(&self) -> u64 {
        self.0.options.max_allocation.unwrap_or(self.0.info.max_allocation)
    }

    /// Room for `len` elements on the device; what it holds is not defined.
    ///
    /// # Errors
    /// [`RuntimeError::TooLarge`], or what the driver says.
    pub fn allocate(&self, ty: ElementType, len: usize) -> Result<DeviceBuffer> {
        let bytes = len as u128 * ty.size() as u128;
        if bytes > u128::from(self.max_allocation()) {
            return Err(self.too_large(format!("a buffer of {len} {ty}"), bytes));
        }
        let mem = raw::Mem::new(&self.0.context, (bytes as usize).max(ty.size()))?;
        Ok(DeviceBuffer { mem, ty, len, device: self.clone() })
    }

    /// Copies an array to the device, to stay there.
    ///
    /// # Errors
    /// As [`Device::allocate`].
    pub fn upload<T: Element>(&self, data: &[T]) -> Result<DeviceBuffer> {
        let buffer = self.allocate(T::TYPE, data.len())?;
        if !data.is_empty() {
            self.0.queue.write(&buffer.mem, 0, as_bytes(data))?;
        }
        Ok(buffer)
    }

    /// How many references the driver counts on the context: this device's, and one for every object made in it. For
    /// tests that nothing leaks.
    ///
    /// # Errors
    /// If the driver does not answer.
    pub fn context_references(&self) -> Result<u64> {
        self.0.context.references()
    }

    pub(crate) fn too_large(&self, what: String, bytes: u128) -> RuntimeError {
        RuntimeError::TooLarge { what, bytes, limit: self.max_allocation(), device: self.info().label() }
    }

    pub(crate) fn cache(&self) -> Option<ProgramCache> {
        match &self.0.options.cache {
            CacheSetting::Environment => ProgramCache::from_env(),
            CacheSetting::Off => None,
            CacheSetting::At(cache) => Some(cache.clone()),
        }
    }

    pub(crate) fn is(&self, other: &Device) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// A queue of launches, done in order.
#[derive(Debug)]
pub struct Queue {
    pub(crate) raw: raw::Queue,
    pub(crate) device: Device,
}

impl Queue {
    /// Its device.
    pub fn device(&self) -> &Device {
        &self.device
    }
}
