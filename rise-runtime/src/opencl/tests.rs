//! Tests that need a device say so and pass where there is none.

use super::*;
use crate::error::Error;

fn device() -> Option<Device> {
    match Device::default() {
        Ok(device) => Some(device),
        Err(error) => {
            eprintln!("WARNING: NOT TESTED, {error}");
            None
        }
    }
}

const DOUBLE: Program = Program {
    source: "kernel void twice(global float *restrict x, const ulong n) {\n    \
             for (size_t i = get_global_id(0); i < n; i += get_global_size(0)) {\n        \
             x[i] = 2.0f * x[i];\n    }\n}\n",
    doubles: false,
    local: 0,
};

#[test]
fn a_kernel_runs_on_what_is_on_the_device() {
    let Some(device) = device() else { return };
    for n in [0_usize, 1, 7, 1000] {
        let x: Vec<f32> = (0..n).map(|i| i as f32).collect();
        let buffer = Buffer::from_view(&device, &x).unwrap();
        let run = Run::new(&device, &DOUBLE).unwrap();
        let len = n as u64;
        for work in [Work::Items([n, 1, 1]), Work::Groups([3, 1, 1], [1 << 20, 1, 1])] {
            let args = [Arg::Memory(buffer.memory()), Arg::of(&len)];
            // SAFETY: the arguments are those of the kernel.
            unsafe { run.launch(c"twice", work, &args).unwrap() };
        }
        let expected: Vec<f32> = x.iter().map(|x| 4.0 * x).collect();
        assert_eq!(buffer.read().unwrap(), expected);
    }
}

#[test]
fn threads_share_kernels() {
    let Some(device) = device() else { return };
    std::thread::scope(|scope| {
        for start in 0..4 {
            scope.spawn(move || {
                for round in 0..20 {
                    let x = vec![(start * 100 + round) as f32; 33];
                    let buffer = Buffer::from_view(&device, &x).unwrap();
                    let run = Run::new(&device, &DOUBLE).unwrap();
                    let args = [Arg::Memory(buffer.memory()), Arg::of(&33_u64)];
                    // SAFETY: the arguments are those of the kernel.
                    unsafe { run.launch(c"twice", Work::Items([33, 1, 1]), &args).unwrap() };
                    assert_eq!(buffer.read().unwrap(), vec![2.0 * x[0]; 33]);
                }
            });
        }
    });
}

#[test]
fn what_goes_wrong_is_a_value() {
    let Some(device) = device() else { return };
    let broken = Program { source: "kernel void broken(", doubles: false, local: 0 };
    assert!(matches!(Run::new(&device, &broken), Err(Error::Build { log }) if !log.is_empty()));
    let greedy =
        Program { source: "kernel void greedy() { local int x[1 << 38]; }", local: 1 << 40, ..DOUBLE };
    assert!(matches!(Run::new(&device, &greedy), Err(Error::DeviceLimit { .. })));
    let wanted = usize::MAX / 2;
    assert!(matches!(Memory::new(&device, wanted), Err(Error::DeviceLimit { wanted: w, .. }) if w == wanted));
    assert!(matches!(Buffer::<f64, 2>::new(&device, [usize::MAX, 2]), Err(Error::Overflow { .. })));
    let unknown = Device::by_name("no such device").unwrap_err();
    assert!(unknown.to_string().contains(device.name()), "{unknown}");
    let run = Run::new(&device, &DOUBLE).unwrap();
    // SAFETY: refused before anything runs.
    let refused = unsafe { run.launch(c"twice", Work::Items([1; 3]), &[Arg::Local(1 << 40)]) };
    assert!(matches!(refused, Err(Error::DeviceLimit { .. })));
}

#[test]
fn buffers_begin_with_zeros() {
    let Some(device) = device() else { return };
    let buffer = Buffer::<(u8, f64), 2>::new(&device, [3, 2]).unwrap();
    assert_eq!(buffer.read_array().unwrap().shape(), [3, 2]);
    assert_eq!(buffer.read().unwrap(), vec![(0, 0.0); 6]);
    let empty = Buffer::<f32, 2>::new(&device, [0, usize::MAX]).unwrap();
    assert!(empty.read().unwrap().is_empty());
}
