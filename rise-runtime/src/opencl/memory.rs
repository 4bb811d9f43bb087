//! Memory of a device, without types.

use super::api::{Handle, api, check};
use super::device::Device;
use crate::error::Error;
use std::ffi::c_void;
use std::ptr::{null, null_mut};

/// Memory of a device, given back when dropped; commands that still use it keep it.
#[derive(Debug)]
pub struct Memory {
    pub(super) handle: Handle,
    device: Device,
    bytes: usize,
}

// SAFETY: OpenCL's memory objects may be used from any thread.
unsafe impl Send for Memory {}
// SAFETY: as above; writes go through commands, which run in order.
unsafe impl Sync for Memory {}

/// The size of `len` values of type `T`.
pub fn bytes<T>(len: usize) -> Result<usize, Error> {
    len.checked_mul(size_of::<T>()).ok_or(Error::overflow("the memory of a buffer"))
}

impl Memory {
    /// Memory whose contents are not defined.
    pub fn new(device: &Device, bytes: usize) -> Result<Self, Error> {
        let limit = device.limits().allocation;
        if bytes > limit {
            return Err(Error::DeviceLimit { what: "bytes of one buffer", wanted: bytes, limit });
        }
        const READ_WRITE: u64 = 1;
        let (api, state, mut code) = (api()?, device.state()?, 0);
        // Memory of no size does not exist.
        let size = bytes.max(16);
        // SAFETY: no memory of the host is given.
        let handle =
            unsafe { (api.create_buffer)(state.context, READ_WRITE, size, null_mut(), &raw mut code) };
        check("clCreateBuffer", code, bytes)?;
        Ok(Self { handle, device: *device, bytes })
    }

    /// Where it lies.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// The size.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Copies `bytes` bytes here, at most all, and waits.
    ///
    /// # Safety
    /// They can be read at `from`.
    pub unsafe fn write(&self, from: *const c_void, bytes: usize) -> Result<(), Error> {
        let bytes = bytes.min(self.bytes);
        if bytes == 0 {
            return Ok(());
        }
        let (api, state) = (api()?, self.device.state()?);
        // SAFETY: the range lies inside; the command has finished when the call returns.
        let code = unsafe { (api.write)(state.queue, self.handle, 1, 0, bytes, from, 0, null(), null_mut()) };
        check("clEnqueueWriteBuffer", code, bytes)
    }

    /// Copies `bytes` bytes from here, at most all, after all commands given before.
    ///
    /// # Safety
    /// They can be written at `to`.
    pub unsafe fn read(&self, to: *mut c_void, bytes: usize) -> Result<(), Error> {
        let bytes = bytes.min(self.bytes);
        if bytes == 0 {
            return Ok(());
        }
        let (api, state) = (api()?, self.device.state()?);
        // SAFETY: the range lies inside; the command has finished when the call returns.
        let code = unsafe { (api.read)(state.queue, self.handle, 1, 0, bytes, to, 0, null(), null_mut()) };
        check("clEnqueueReadBuffer", code, bytes)
    }

    /// Makes all bytes 0.
    pub fn clear(&self) -> Result<(), Error> {
        if self.bytes == 0 {
            return Ok(());
        }
        let (api, state, zero) = (api()?, self.device.state()?, 0_u8);
        let pattern = (&raw const zero).cast();
        // SAFETY: the range lies inside; the pattern is copied by the call.
        let code =
            unsafe { (api.fill)(state.queue, self.handle, pattern, 1, 0, self.bytes, 0, null(), null_mut()) };
        check("clEnqueueFillBuffer", code, self.bytes)
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        if let Ok(api) = api() {
            // SAFETY: the handle is this value's own.
            unsafe { (api.release_memory)(self.handle) };
        }
    }
}
