//! Devices: which there are, and what each offers. A device is found once and stays for the whole process.

use super::api::{Api, Handle, api, check, info};
use super::program::Built;
use crate::error::Error;
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The variable that names the default device: a number in [`Device::list`], or a part of its name.
pub const VARIABLE: &str = "RISE_OPENCL_DEVICE";

/// What a device is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// A processor.
    Cpu,
    /// A graphics processor.
    Gpu,
    /// Anything else.
    Other,
}

/// A device that runs kernels.
#[derive(Clone, Copy)]
pub struct Device(&'static Inner);

struct Inner {
    id: Handle,
    name: String,
    kind: Kind,
    /// Double precision and the like.
    extensions: String,
    /// Whether division and square root can be rounded correctly.
    rounds: bool,
    limits: Limits,
    state: OnceLock<Result<State, Error>>,
    pub(super) programs: Mutex<BTreeMap<&'static str, Arc<Built>>>,
}

/// What a device can do at most.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Work-items of a group.
    pub(super) group: usize,
    /// The same in each dimension.
    pub(super) items: [usize; 3],
    /// Bytes of one buffer.
    pub(super) allocation: usize,
    /// Bytes of local memory.
    pub(super) local: usize,
}

/// Made when a device is first used.
#[derive(Clone, Copy)]
pub(super) struct State {
    pub(super) context: Handle,
    pub(super) queue: Handle,
}

// SAFETY: OpenCL's objects may be used from any thread; kernels, the exception, are behind a lock.
unsafe impl Send for Inner {}
// SAFETY: as above.
unsafe impl Sync for Inner {}

impl std::fmt::Debug for Device {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Device").field("name", &self.name()).field("kind", &self.kind()).finish()
    }
}

impl PartialEq for Device {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Device {}

impl Device {
    /// All devices of all platforms; none is no error.
    pub fn list() -> Result<Vec<Device>, Error> {
        static DEVICES: OnceLock<Result<Vec<Device>, Error>> = OnceLock::new();
        DEVICES.get_or_init(|| find(api()?)).clone()
    }

    /// The device that kernels run on if none is given: what `RISE_OPENCL_DEVICE` names, else the first
    /// graphics processor, else the first device.
    #[allow(clippy::should_implement_trait)]
    pub fn default() -> Result<Device, Error> {
        static DEFAULT: OnceLock<Result<Device, Error>> = OnceLock::new();
        DEFAULT.get_or_init(|| choose(std::env::var(VARIABLE).ok().as_deref())).clone()
    }

    /// The device with this number, or else the first whose name contains the text.
    pub fn by_name(name: &str) -> Result<Device, Error> {
        let devices = Device::list()?;
        if let Some(device) = name.parse::<usize>().ok().and_then(|at| devices.get(at)) {
            return Ok(*device);
        }
        match devices.iter().find(|device| device.name().contains(name)) {
            Some(device) => Ok(*device),
            None if devices.is_empty() => Err(Error::NoDevice),
            None => Err(Error::UnknownDevice {
                requested: name.to_owned(),
                available: devices.iter().map(|device| device.name().to_owned()).collect(),
            }),
        }
    }

    /// What its maker calls it.
    pub fn name(&self) -> &'static str {
        &self.0.name
    }

    /// What it is.
    pub fn kind(&self) -> Kind {
        self.0.kind
    }

    /// Waits until all commands have run.
    pub fn finish(&self) -> Result<(), Error> {
        let state = self.state()?;
        // SAFETY: the queue is the device's own.
        check("clFinish", unsafe { (api()?.finish)(state.queue) }, 0)
    }

    /// Whether kernels may use this extension.
    pub(super) fn offers(&self, extension: &str) -> bool {
        self.0.extensions.split_whitespace().any(|offered| offered == extension)
    }

    pub(super) fn rounds_correctly(&self) -> bool {
        self.0.rounds
    }

    pub(super) fn limits(&self) -> Limits {
        self.0.limits
    }

    pub(super) fn id(&self) -> Handle {
        self.0.id
    }

    /// The programs built so far.
    pub(super) fn programs(&self) -> std::sync::MutexGuard<'static, BTreeMap<&'static str, Arc<Built>>> {
        self.0.programs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Context and queue.
    pub(super) fn state(&self) -> Result<State, Error> {
        self.0.state.get_or_init(|| State::new(self.0.id)).clone()
    }
}

impl State {
    fn new(device: Handle) -> Result<Self, Error> {
        let (api, mut code) = (api()?, 0);
        // SAFETY: one device, no properties, nobody to notify.
        let context =
            unsafe { (api.create_context)(null(), 1, &raw const device, None, null_mut(), &raw mut code) };
        check("clCreateContext", code, 0)?;
        const PROFILING: u64 = 2;
        // SAFETY: the context is of this device. Commands run in order.
        let queue = unsafe { (api.create_queue)(context, device, PROFILING, &raw mut code) };
        check("clCreateCommandQueue", code, 0)?;
        Ok(Self { context, queue })
    }
}

fn choose(wanted: Option<&str>) -> Result<Device, Error> {
    if let Some(wanted) = wanted.filter(|wanted| !wanted.is_empty()) {
        return Device::by_name(wanted);
    }
    let devices = Device::list()?;
    let gpu = devices.iter().find(|device| device.kind() == Kind::Gpu);
    gpu.or(devices.first()).copied().ok_or(Error::NoDevice)
}

fn find(api: &'static Api) -> Result<Vec<Device>, Error> {
    const NO_PLATFORM: i32 = -1001;
    const NO_DEVICE: i32 = -1;
    const ALL: u64 = 0xFFFF_FFFF;
    let mut count = 0;
    // SAFETY: asks for the number alone.
    match unsafe { (api.platforms)(0, null_mut(), &raw mut count) } {
        NO_PLATFORM => return Ok(Vec::new()),
        code => check("clGetPlatformIDs", code, 0)?,
    }
    let mut platforms = vec![null_mut(); count as usize];
    // SAFETY: there is room for `count`.
    check("clGetPlatformIDs", unsafe { (api.platforms)(count, platforms.as_mut_ptr(), null_mut()) }, 0)?;
    let mut devices = Vec::new();
    for platform in platforms {
        // SAFETY: asks for the number alone.
        match unsafe { (api.devices)(platform, ALL, 0, null_mut(), &raw mut count) } {
            NO_DEVICE => continue,
            code => check("clGetDeviceIDs", code, 0)?,
        }
        let mut ids: Vec<Handle> = vec![null_mut(); count as usize];
        // SAFETY: there is room for `count`.
        let code = unsafe { (api.devices)(platform, ALL, count, ids.as_mut_ptr(), null_mut()) };
        check("clGetDeviceIDs", code, 0)?;
        devices.extend(ids.into_iter().filter_map(|id| describe(api, id)));
    }
    Ok(devices)
}

/// The device with all that is asked of it, if it can be used.
fn describe(api: &Api, id: Handle) -> Option<Device> {
    const CORRECTLY_ROUNDED: u64 = 1 << 7;
    if number(api, id, info::DEVICE_AVAILABLE) & 0xFFFF_FFFF == 0 {
        return None;
    }
    let mut items = [1_usize; 3];
    // SAFETY: three dimensions; a device with more is asked for too little and leaves them alone.
    unsafe {
        let place = (&raw mut items).cast::<c_void>();
        (api.device_info)(id, info::DEVICE_MAX_WORK_ITEM_SIZES, size_of_val(&items), place, null_mut());
    }
    let limits = Limits {
        group: (number(api, id, info::DEVICE_MAX_WORK_GROUP_SIZE) as usize).max(1),
        items: items.map(|items| items.max(1)),
        allocation: usize::try_from(number(api, id, info::DEVICE_MAX_ALLOCATION)).unwrap_or(usize::MAX),
        local: usize::try_from(number(api, id, info::DEVICE_LOCAL_MEMORY)).unwrap_or(usize::MAX),
    };
    let kind = match number(api, id, info::DEVICE_TYPE) {
        kind if kind & 4 != 0 => Kind::Gpu,
        kind if kind & 2 != 0 => Kind::Cpu,
        _ => Kind::Other,
    };
    Some(Device(Box::leak(Box::new(Inner {
        id,
        name: text(api, id, info::DEVICE_NAME),
        kind,
        extensions: text(api, id, info::DEVICE_EXTENSIONS),
        rounds: number(api, id, info::DEVICE_SINGLE_FLOATS) & CORRECTLY_ROUNDED != 0,
        limits,
        state: OnceLock::new(),
        programs: Mutex::new(BTreeMap::new()),
    }))))
}

/// A number of up to 8 bytes.
fn number(api: &Api, id: Handle, what: u32) -> u64 {
    let mut value = 0_u64;
    // SAFETY: there is room for 8 bytes; on little-endian machines shorter numbers lie in front.
    unsafe { (api.device_info)(id, what, 8, (&raw mut value).cast(), null_mut()) };
    value
}

fn text(api: &Api, id: Handle, what: u32) -> String {
    let mut len = 0;
    // SAFETY: asks for the length alone.
    unsafe { (api.device_info)(id, what, 0, null_mut(), &raw mut len) };
    let mut text = vec![0_u8; len];
    // SAFETY: there is room for `len` bytes.
    unsafe { (api.device_info)(id, what, len, text.as_mut_ptr().cast(), null_mut()) };
    String::from_utf8_lossy(&text).trim_matches(['\0', ' ']).to_owned()
}
