//! Memory of a device that outlives a launch: filled once, used by many.

use crate::context::Device;
use crate::element::{Element, ElementType, as_bytes, as_bytes_mut};
use crate::error::{Result, RuntimeError};
use crate::raw;

/// An array that lives on a device. Released on drop.
#[derive(Debug)]
pub struct DeviceBuffer {
    pub(crate) mem: raw::Mem,
    pub(crate) ty: ElementType,
    pub(crate) len: usize,
    pub(crate) device: Device,
}

impl DeviceBuffer {
    /// Elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// No elements.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// What it holds.
    pub fn element_type(&self) -> ElementType {
        self.ty
    }

    /// Where it lives.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Copies it to the host.
    ///
    /// # Errors
    /// [`RuntimeError::BufferMismatch`] if length or type differ, or what the driver says.
    pub fn read_into<T: Element>(&self, data: &mut [T]) -> Result<()> {
        self.check::<T>(data.len())?;
        if !data.is_empty() {
            self.device.0.queue.read(&self.mem, 0, as_bytes_mut(data))?;
        }
        Ok(())
    }

    /// Copies it into a new vector.
    ///
    /// # Errors
    /// As [`DeviceBuffer::read_into`].
    pub fn to_vec<T: Element + Default>(&self) -> Result<Vec<T>> {
        let mut data = vec![T::default(); self.len];
        self.read_into(&mut data)?;
        Ok(data)
    }

    /// Overwrites it from the host.
    ///
    /// # Errors
    /// As [`DeviceBuffer::read_into`].
    pub fn write_from<T: Element>(&mut self, data: &[T]) -> Result<()> {
        self.check::<T>(data.len())?;
        if !data.is_empty() {
            self.device.0.queue.write(&self.mem, 0, as_bytes(data))?;
        }
        Ok(())
    }

    /// A copy on the same device.
    ///
    /// # Errors
    /// If the device has no room.
    pub fn duplicate(&self) -> Result<DeviceBuffer> {
        let copy = self.device.allocate(self.ty, self.len)?;
        if self.len > 0 {
            self.device.0.queue.copy(&self.mem, &copy.mem, self.len * self.ty.size())?.wait()?;
        }
        Ok(copy)
    }

    fn check<T: Element>(&self, len: usize) -> Result<()> {
        if T::TYPE == self.ty && len == self.len {
            return Ok(());
        }
        Err(RuntimeError::BufferMismatch {
            buffer: format!("{} {}", self.len, self.ty),
            host: format!("{len} {}", T::TYPE),
        })
    }
}
