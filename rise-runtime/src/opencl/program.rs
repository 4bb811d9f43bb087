//! Programs: text that is built for a device when it is first run there.

use super::api::{Code, Handle, api, check, info};
use super::device::Device;
use crate::error::Error;
use std::collections::BTreeMap;
use std::ffi::{CStr, CString};
use std::ptr::null_mut;
use std::sync::{Arc, Mutex, PoisonError};

/// The text of some kernels.
#[derive(Debug, Clone, Copy)]
pub struct Program {
    /// OpenCL C.
    pub source: &'static str,
    /// Whether it computes in double precision.
    pub doubles: bool,
    /// Bytes of local memory that a kernel of it declares, at most.
    pub local: usize,
}

/// What a device may have too little of.
pub(super) const LOCAL: &str = "bytes of local memory";

/// A program for one device, with the kernels asked for so far.
pub(super) struct Built {
    program: Handle,
    kernels: Mutex<BTreeMap<&'static CStr, Kernel>>,
}

/// A kernel and what the device says of it.
#[derive(Clone, Copy)]
pub(super) struct Kernel {
    pub(super) handle: Handle,
    /// How many work-items a group may have.
    pub(super) group: usize,
    /// Bytes of local memory that the kernel declares.
    pub(super) local: usize,
}

// SAFETY: programs may be used from any thread; kernels are behind the lock.
unsafe impl Send for Built {}
// SAFETY: as above.
unsafe impl Sync for Built {}

impl Program {
    /// The program for this device, built if it has not been.
    pub(super) fn built(&self, device: &Device) -> Result<Arc<Built>, Error> {
        let mut programs = device.programs();
        if let Some(built) = programs.get(self.source) {
            return Ok(built.clone());
        }
        let built = Arc::new(self.build(device)?);
        programs.insert(self.source, built.clone());
        Ok(built)
    }

    fn build(&self, device: &Device) -> Result<Built, Error> {
        if self.doubles && !device.offers("cl_khr_fp64") {
            return Err(Error::Build { log: format!("{} has no double precision", device.name()) });
        }
        // Some compilers refuse more than there is, in words of their own.
        let (wanted, limit) = (self.local, device.limits().local);
        if wanted > limit {
            return Err(Error::DeviceLimit { what: LOCAL, wanted, limit });
        }
        let (api, state, mut code) = (api()?, device.state()?, 0);
        let (text, len) = (self.source.as_ptr().cast(), self.source.len());
        // SAFETY: one text of this length.
        let program =
            unsafe { (api.create_program)(state.context, 1, &raw const text, &raw const len, &raw mut code) };
        check("clCreateProgramWithSource", code, 0)?;
        let built = Built { program, kernels: Mutex::new(BTreeMap::new()) };
        let options = options(device);
        let id = device.id();
        // SAFETY: one device, and options that end with 0.
        let code = unsafe { (api.build)(program, 1, &raw const id, options.as_ptr(), None, null_mut()) };
        match code {
            0 => Ok(built),
            _ => Err(Error::Build { log: log(program, device, code)? }),
        }
    }
}

/// Nothing that would change results, and what makes them exact.
fn options(device: &Device) -> CString {
    let rounding = if device.rounds_correctly() { " -cl-fp32-correctly-rounded-divide-sqrt" } else { "" };
    CString::new(format!("-cl-std=CL1.2{rounding}")).unwrap_or_default()
}

fn log(program: Handle, device: &Device, code: Code) -> Result<String, Error> {
    let (api, mut len) = (api()?, 0);
    let ask = |bytes: usize, place: *mut u8, len: *mut usize| {
        // SAFETY: there is room for `bytes`.
        unsafe { (api.build_info)(program, device.id(), info::PROGRAM_BUILD_LOG, bytes, place.cast(), len) }
    };
    ask(0, null_mut(), &raw mut len);
    let mut text = vec![0_u8; len];
    ask(len, text.as_mut_ptr(), null_mut());
    let text = String::from_utf8_lossy(&text);
    Ok(format!("code {code}\n{}", text.trim_matches(['\0', '\n', ' '])))
}

impl Built {
    /// Runs `body` with the kernel, which nobody else uses meanwhile: arguments are part of it.
    pub(super) fn with_kernel<T>(
        &self,
        device: &Device,
        name: &'static CStr,
        body: impl FnOnce(Kernel) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut kernels = self.kernels.lock().unwrap_or_else(PoisonError::into_inner);
        let kernel = match kernels.get(name) {
            Some(kernel) => *kernel,
            None => {
                let kernel = self.kernel(device, name)?;
                kernels.insert(name, kernel);
                kernel
            }
        };
        body(kernel)
    }

    fn kernel(&self, device: &Device, name: &'static CStr) -> Result<Kernel, Error> {
        let (api, mut code) = (api()?, 0);
        // SAFETY: the program is built.
        let handle = unsafe { (api.create_kernel)(self.program, name.as_ptr(), &raw mut code) };
        check("clCreateKernel", code, 0)?;
        let ask = |what: u32| {
            let mut answer = 0_u64;
            let place = (&raw mut answer).cast();
            // SAFETY: there is room for 8 bytes, which is what both questions want.
            unsafe { (api.kernel_info)(handle, device.id(), what, size_of::<u64>(), place, null_mut()) };
            usize::try_from(answer).unwrap_or(usize::MAX)
        };
        let (group, local) = (ask(info::KERNEL_WORK_GROUP_SIZE), ask(info::KERNEL_LOCAL_MEMORY));
        let group = if group == 0 { device.limits().group } else { group };
        Ok(Kernel { handle, group, local })
    }
}

impl Drop for Built {
    fn drop(&mut self) {
        let kernels = std::mem::take(self.kernels.get_mut().unwrap_or_else(PoisonError::into_inner));
        let Ok(api) = api() else { return };
        // SAFETY: the handles are this value's own.
        unsafe {
            kernels.values().for_each(|kernel| _ = (api.release_kernel)(kernel.handle));
            (api.release_program)(self.program);
        }
    }
}
