//! Arrays on a device, which stay there between kernels.

use super::device::Device;
use super::memory::{Memory, bytes};
use crate::array::Array;
use crate::error::Error;
use crate::memory::{assume_len, checked_len, uninit_vec};
use crate::view::View;
use std::marker::PhantomData;

/// What buffers may hold.
///
/// # Safety
/// All bytes 0 is a value; kernels write nothing else than values of the type; there is nothing to drop.
pub unsafe trait Element: Copy + Send + Sync + 'static {}

macro_rules! elements {
    ($($ty:ty)*) => {
        // SAFETY: numbers have no other values than bits; kernels write 0 and 1 where a truth value belongs.
        $(unsafe impl Element for $ty {})*
    };
}

elements!(bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);

// SAFETY: as their parts.
unsafe impl<T: Element, const N: usize> Element for [T; N] {}

// All tuples from pairs to those of 16 components.
macro_rules! tuples {
    ($first:ident $second:ident $($rest:ident)*) => {
        // SAFETY: as their parts; what lies between is never looked at.
        unsafe impl<$first: Element, $second: Element $(, $rest: Element)*> Element for ($first, $second $(, $rest)*) {}
        tuples!($second $($rest)*);
    };
    ($last:ident) => {};
}

tuples!(A B C D E F G H I J K L M N O P);

/// An array of rank `R` in the memory of a device.
#[derive(Debug)]
pub struct Buffer<T, const R: usize> {
    memory: Memory,
    shape: [usize; R],
    elements: PhantomData<T>,
}

impl<T: Element, const R: usize> Buffer<T, R> {
    /// An array whose bytes are all 0.
    pub fn new(device: &Device, shape: [usize; R]) -> Result<Self, Error> {
        let buffer = Self::uncleared(device, shape)?;
        buffer.memory.clear()?;
        Ok(buffer)
    }

    /// A copy of what the host has.
    pub fn from_view<'a>(device: &Device, view: impl Into<View<'a, T, R>>) -> Result<Self, Error> {
        let view = view.into();
        view.check("view")?;
        let buffer = Self::uncleared(device, view.shape())?;
        // SAFETY: slice and shape agree.
        unsafe { buffer.memory.write(view.as_ptr().cast(), buffer.memory.bytes())? };
        Ok(buffer)
    }

    fn uncleared(device: &Device, shape: [usize; R]) -> Result<Self, Error> {
        let memory = Memory::new(device, bytes::<T>(checked_len(&shape)?)?)?;
        Ok(Self { memory, shape, elements: PhantomData })
    }

    /// Where it lies.
    pub fn device(&self) -> &Device {
        self.memory.device()
    }

    /// The sizes of the dimensions, outermost first.
    pub fn shape(&self) -> [usize; R] {
        self.shape
    }

    /// The elements, row by row, after all kernels called before.
    pub fn read(&self) -> Result<Vec<T>, Error> {
        let len = checked_len(&self.shape)?;
        let mut data: Vec<T> = uninit_vec(len)?;
        // SAFETY: there is room for `len` elements, all of which are written.
        unsafe {
            self.memory.read(data.as_mut_ptr().cast(), bytes::<T>(len)?)?;
            Ok(assume_len(data, len))
        }
    }

    /// The same as an array.
    pub fn read_array(&self) -> Result<Array<T, R>, Error> {
        Array::from_vec(self.read()?, self.shape)
    }

    /// The memory. Nothing is checked: this is for generated code.
    #[doc(hidden)]
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// A buffer of another device cannot be used.
    #[doc(hidden)]
    pub fn check_device(&self, parameter: &'static str, device: &Device) -> Result<(), Error> {
        if self.device() == device { Ok(()) } else { Err(Error::OtherDevice { parameter }) }
    }

    /// There is nothing that could disagree.
    #[doc(hidden)]
    pub fn check(&self, _parameter: &'static str) -> Result<(), Error> {
        Ok(())
    }
}
