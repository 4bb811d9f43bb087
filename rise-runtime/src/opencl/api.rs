//! The functions of the library, looked up when first needed, and what their codes mean.

use crate::error::Error;
use libloading::Library;
use std::ffi::{c_char, c_void};
use std::sync::OnceLock;

/// A platform, device, context, queue, program, kernel, memory object or event.
pub(super) type Handle = *mut c_void;
pub(super) type Code = i32;
type Notify = Option<unsafe extern "C" fn()>;

/// What is asked for, by its number in the header.
pub(super) mod info {
    pub(in super::super) const DEVICE_TYPE: u32 = 0x1000;
    pub(in super::super) const DEVICE_MAX_WORK_GROUP_SIZE: u32 = 0x1004;
    pub(in super::super) const DEVICE_MAX_WORK_ITEM_SIZES: u32 = 0x1005;
    pub(in super::super) const DEVICE_MAX_ALLOCATION: u32 = 0x1010;
    pub(in super::super) const DEVICE_SINGLE_FLOATS: u32 = 0x101B;
    pub(in super::super) const DEVICE_LOCAL_MEMORY: u32 = 0x1023;
    pub(in super::super) const DEVICE_AVAILABLE: u32 = 0x1027;
    pub(in super::super) const DEVICE_NAME: u32 = 0x102B;
    pub(in super::super) const DEVICE_EXTENSIONS: u32 = 0x1030;
    pub(in super::super) const PROGRAM_BUILD_LOG: u32 = 0x1183;
    pub(in super::super) const KERNEL_WORK_GROUP_SIZE: u32 = 0x11B0;
    pub(in super::super) const KERNEL_LOCAL_MEMORY: u32 = 0x11B2;
    pub(in super::super) const EVENT_START: u32 = 0x1282;
    pub(in super::super) const EVENT_END: u32 = 0x1283;
}

macro_rules! functions {
    ($($(#[$doc:meta])* $field:ident = $name:literal: fn($($arg:ty),* $(,)?) -> $result:ty;)*) => {
        /// All functions that this module calls.
        pub(super) struct Api {
            $($(#[$doc])* pub(super) $field: unsafe extern "C" fn($($arg),*) -> $result,)*
        }

        impl Api {
            fn load(library: &'static Library) -> Result<Self, Error> {
                // SAFETY: the types are those of the OpenCL 1.2 header.
                unsafe {
                    Ok(Self {
                        $($field: *library.get(concat!($name, "\0").as_bytes()).map_err(|_| MISSING)?,)*
                    })
                }
            }
        }
    };
}

functions! {
    platforms = "clGetPlatformIDs": fn(u32, *mut Handle, *mut u32) -> Code;
    devices = "clGetDeviceIDs": fn(Handle, u64, u32, *mut Handle, *mut u32) -> Code;
    device_info = "clGetDeviceInfo": fn(Handle, u32, usize, *mut c_void, *mut usize) -> Code;
    create_context = "clCreateContext": fn(*const isize, u32, *const Handle, Notify, Handle, *mut Code) -> Handle;
    create_queue = "clCreateCommandQueue": fn(Handle, Handle, u64, *mut Code) -> Handle;
    create_buffer = "clCreateBuffer": fn(Handle, u64, usize, *mut c_void, *mut Code) -> Handle;
    release_memory = "clReleaseMemObject": fn(Handle) -> Code;
    read = "clEnqueueReadBuffer": fn(Handle, Handle, u32, usize, usize, *mut c_void, u32, *const Handle, *mut Handle) -> Code;
    write = "clEnqueueWriteBuffer": fn(Handle, Handle, u32, usize, usize, *const c_void, u32, *const Handle, *mut Handle) -> Code;
    fill = "clEnqueueFillBuffer": fn(Handle, Handle, *const c_void, usize, usize, usize, u32, *const Handle, *mut Handle) -> Code;
    create_program = "clCreateProgramWithSource": fn(Handle, u32, *const *const c_char, *const usize, *mut Code) -> Handle;
    build = "clBuildProgram": fn(Handle, u32, *const Handle, *const c_char, Notify, Handle) -> Code;
    build_info = "clGetProgramBuildInfo": fn(Handle, Handle, u32, usize, *mut c_void, *mut usize) -> Code;
    release_program = "clReleaseProgram": fn(Handle) -> Code;
    create_kernel = "clCreateKernel": fn(Handle, *const c_char, *mut Code) -> Handle;
    release_kernel = "clReleaseKernel": fn(Handle) -> Code;
    kernel_info = "clGetKernelWorkGroupInfo": fn(Handle, Handle, u32, usize, *mut c_void, *mut usize) -> Code;
    set_argument = "clSetKernelArg": fn(Handle, u32, usize, *const c_void) -> Code;
    launch = "clEnqueueNDRangeKernel": fn(Handle, Handle, u32, *const usize, *const usize, *const usize, u32, *const Handle, *mut Handle) -> Code;
    finish = "clFinish": fn(Handle) -> Code;
    flush = "clFlush": fn(Handle) -> Code;
    event_info = "clGetEventProfilingInfo": fn(Handle, u32, usize, *mut c_void, *mut usize) -> Code;
    release_event = "clReleaseEvent": fn(Handle) -> Code;
}

const MISSING: Error = Error::Library { missing: "libOpenCL" };

/// Names of the library, the likeliest first.
const NAMES: &[&str] = if cfg!(target_os = "macos") {
    &["/System/Library/Frameworks/OpenCL.framework/OpenCL"]
} else if cfg!(windows) {
    &["OpenCL.dll"]
} else {
    &["libOpenCL.so.1", "libOpenCL.so"]
};

/// The library, or that it is not there.
pub(super) fn api() -> Result<&'static Api, Error> {
    static API: OnceLock<Result<Api, Error>> = OnceLock::new();
    API.get_or_init(open).as_ref().map_err(Clone::clone)
}

fn open() -> Result<Api, Error> {
    // SAFETY: loading an OpenCL implementation runs its initialisers, which is what the caller asked for.
    let library = NAMES.iter().find_map(|name| unsafe { Library::new(name) }.ok()).ok_or(MISSING)?;
    // It stays loaded: its threads may outlive any owner.
    Api::load(Box::leak(Box::new(library)))
}

/// An error, unless the code says that all is well. `bytes` were asked for, if memory was.
pub(super) fn check(call: &'static str, code: Code, bytes: usize) -> Result<(), Error> {
    match code {
        0 => Ok(()),
        // Of the object, of the device's resources, of the host.
        -6..=-4 => Err(Error::out_of_memory(bytes)),
        _ => Err(Error::Foreign { call, code: i64::from(code) }),
    }
}
