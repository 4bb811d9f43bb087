//! Launching kernels: arguments, numbers of work-items, and how long it took.

use super::api::{Handle, api, check, info};
use super::device::{Device, Kind};
use super::memory::Memory;
use super::program::{Built, Kernel, LOCAL, Program};
use crate::error::Error;
use std::cell::Cell;
use std::ffi::{CStr, c_void};
use std::marker::PhantomData;
use std::ptr::{null, null_mut};
use std::sync::Arc;

/// An argument of a kernel.
pub enum Arg<'a> {
    /// Memory of the device.
    Memory(&'a Memory),
    /// So many bytes of local memory.
    Local(usize),
    /// A value.
    Value(*const c_void, usize, PhantomData<&'a ()>),
}

impl<'a> Arg<'a> {
    /// A number, or a vector.
    pub fn of<T: Copy>(value: &'a T) -> Self {
        Self::Value((&raw const *value).cast(), size_of::<T>(), PhantomData)
    }
}

/// How many work-items a kernel wants. Kernels loop, so that any number is right.
#[derive(Debug, Clone, Copy)]
pub enum Work {
    /// Independent ones in three dimensions; the device forms groups as it likes.
    Items([usize; 3]),
    /// So many groups of so many.
    Groups([usize; 3], [usize; 3]),
    /// The same where the kernel was written for this size of groups and no other.
    Exactly([usize; 3], [usize; 3]),
}

/// A call of a program on a device.
pub struct Run {
    device: Device,
    built: Arc<Built>,
}

thread_local! {
    static TIMED: Cell<Option<u64>> = const { Cell::new(None) };
}

impl Run {
    /// The program, ready to run.
    pub fn new(device: &Device, program: &Program) -> Result<Self, Error> {
        Ok(Self { device: *device, built: program.built(device)? })
    }

    /// How many work-items of the device run in step, about: those of a CPU run one after the other.
    pub fn in_step(&self) -> usize {
        if self.device.kind() == Kind::Cpu { 1 } else { 32 }
    }

    /// Memory for the time of the call.
    pub fn memory(&self, bytes: usize) -> Result<Memory, Error> {
        Memory::new(&self.device, bytes)
    }

    /// Enqueues a kernel; it runs after all commands given before.
    ///
    /// # Safety
    /// The arguments are those that the kernel was written for, and the memory is as large as it thinks.
    pub unsafe fn launch(&self, name: &'static CStr, work: Work, args: &[Arg]) -> Result<(), Error> {
        let (device, state, api) = (&self.device, self.device.state()?, api()?);
        let local = args.iter().map(|arg| if let Arg::Local(bytes) = arg { *bytes } else { 0 });
        let local = local.fold(0, usize::saturating_add);
        let limit = device.limits().local;
        self.built.with_kernel(device, name, |kernel| {
            let wanted = local.saturating_add(kernel.local);
            if wanted > limit {
                return Err(Error::DeviceLimit { what: LOCAL, wanted, limit });
            }
            for (at, arg) in (0..).zip(args) {
                // SAFETY: the caller's promise.
                unsafe { set(kernel, at, arg)? };
            }
            let (global, local) = shape(work, device, kernel)?;
            let local = local.as_ref().map_or(null(), |local| local.as_ptr());
            let mut event = null_mut();
            // SAFETY: three dimensions; the arguments are set.
            let code = unsafe {
                let (queue, global) = (state.queue, global.as_ptr());
                (api.launch)(queue, kernel.handle, 3, null(), global, local, 0, null(), &raw mut event)
            };
            check("clEnqueueNDRangeKernel", code, 0)?;
            if TIMED.get().is_some() {
                note_time(device, event)?;
            }
            // SAFETY: the event came from the launch.
            unsafe {
                (api.release_event)(event);
                check("clFlush", (api.flush)(state.queue), 0)
            }
        })
    }

    /// The nanoseconds that the kernels called by `body` on this thread ran on their devices.
    pub fn timed<T>(body: impl FnOnce() -> T) -> (T, u64) {
        let before = TIMED.replace(Some(0));
        let result = body();
        let time = TIMED.replace(before).unwrap_or(0);
        (result, time)
    }
}

unsafe fn set(kernel: Kernel, at: u32, arg: &Arg) -> Result<(), Error> {
    let api = api()?;
    // SAFETY: the caller's promise; OpenCL copies the value.
    let code = unsafe {
        match arg {
            Arg::Memory(memory) => {
                let handle = (&raw const memory.handle).cast();
                (api.set_argument)(kernel.handle, at, size_of::<Handle>(), handle)
            }
            Arg::Local(bytes) => (api.set_argument)(kernel.handle, at, (*bytes).max(16), null()),
            Arg::Value(value, bytes, _) => (api.set_argument)(kernel.handle, at, *bytes, *value),
        }
    };
    check("clSetKernelArg", code, 0)
}

type Shape = ([usize; 3], Option<[usize; 3]>);

/// Global and local sizes that the device takes.
fn shape(work: Work, device: &Device, kernel: Kernel) -> Result<Shape, Error> {
    let limits = device.limits();
    match work {
        Work::Items(items) => Ok((items.map(rounded), None)),
        Work::Groups(groups, local) => {
            let local = fitted(local, kernel.group, limits.items);
            Ok((global(groups, local)?, Some(local)))
        }
        Work::Exactly(groups, local) => {
            let (wanted, limit) = (local.iter().product(), kernel.group);
            if wanted > limit {
                return Err(Error::DeviceLimit { what: "work-items of a group", wanted, limit });
            }
            if let Some(d) = (0..3).find(|d| local[*d] > limits.items[*d]) {
                let (what, limit) = ("work-items in one dimension of a group", limits.items[d]);
                return Err(Error::DeviceLimit { what, wanted: local[d], limit });
            }
            Ok((global(groups, local)?, Some(local)))
        }
    }
}

/// Sizes that have good divisors.
fn rounded(items: usize) -> usize {
    const WIDTH: usize = 64;
    if items <= WIDTH { items.max(1) } else { items.checked_next_multiple_of(WIDTH).unwrap_or(items) }
}

/// At most so many in a group: halves the largest dimension until it is so.
fn fitted(local: [usize; 3], group: usize, items: [usize; 3]) -> [usize; 3] {
    let mut local = [0, 1, 2].map(|d| local[d].clamp(1, items[d]));
    while local.iter().try_fold(1_usize, |all, size| all.checked_mul(*size)).is_none_or(|all| all > group) {
        let Some(largest) = local.iter_mut().max() else { break };
        if *largest == 1 {
            break;
        }
        *largest = largest.div_ceil(2);
    }
    local
}

fn global(groups: [usize; 3], local: [usize; 3]) -> Result<[usize; 3], Error> {
    let mut global = [1; 3];
    for d in 0..3 {
        let items = groups[d].max(1).checked_mul(local[d]);
        global[d] = items.ok_or(Error::overflow("the number of work-items"))?;
    }
    Ok(global)
}

/// Waits for the kernel and adds up how long it ran.
fn note_time(device: &Device, event: Handle) -> Result<(), Error> {
    device.finish()?;
    let api = api()?;
    let [start, end] = [info::EVENT_START, info::EVENT_END].map(|what| {
        let mut time = 0_u64;
        // SAFETY: there is room for 8 bytes.
        unsafe { (api.event_info)(event, what, 8, (&raw mut time).cast(), null_mut()) };
        time
    });
    TIMED.set(TIMED.get().map(|sum| sum + end.saturating_sub(start)));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_cut_down_to_what_the_device_takes() {
        assert_eq!(fitted([64, 16, 1], 256, [256, 256, 64]), [16, 16, 1]);
        assert_eq!(fitted([1000, 0, 1], 4096, [256, 256, 64]), [256, 1, 1]);
        assert_eq!(fitted([usize::MAX, usize::MAX, 2], 64, [1024; 3]), [8, 4, 2]);
        assert_eq!(rounded(0), 1);
        assert_eq!(rounded(65), 128);
        assert!(global([usize::MAX, 1, 1], [2, 1, 1]).is_err());
    }
}
