//! What a caller may do besides calling a kernel once with what fits.

use std::process::Command;

use rise::Error;
use rise::opencl::{Buffer, Device};
use rise_build::expr::interpret;
use rise_opencl_tests::cases::cases;
use rise_opencl_tests::execute::{execute, planned};
use rise_opencl_tests::kernels::*;
use rise_opencl_tests::values::{close, small_arguments};
use rise_opencl_tests::{device, inputs, simulator};

#[test]
fn local_memory_has_a_limit() {
    let Some(device) = device() else { return };
    let refused = |error: Error| matches!(error, Error::DeviceLimit { what: "bytes of local memory", .. });
    // Nothing is read: there is nothing in the buffers.
    let empty = Buffer::<f32, 2>::new(&device, [0, 100_000_000]).unwrap();
    let mut out = Buffer::new(&device, [0, 100_000_000]).unwrap();
    assert!(refused(too_near_on(&device, &mut out, &empty).expect_err("no device has so much")));
    let empty = Buffer::<f32, 2>::new(&device, [0, 1 << 40]).unwrap();
    let mut out = Buffer::new(&device, [0, 1 << 40]).unwrap();
    assert!(refused(near_on(&device, &mut out, &empty).expect_err("no device has so much")));
    // What fits still runs.
    for (n, m) in [(3, 5), (2, 1000), (0, 0), (4, 0), (1, 1)] {
        let a = inputs(n * m, 0);
        let row = |i: usize| a[i * m..][..m].iter().rev().map(|x| (x + 1.0) * 2.0).collect::<Vec<f32>>();
        let expected: Vec<f32> = (0..n).flat_map(row).collect();
        assert_eq!(near((&a, [n, m])).unwrap().into_vec(), expected);
    }
}

#[test]
fn buffers_are_used_again() {
    let Some(device) = device() else { return };
    let mut buffers =
        [Buffer::from_view(&device, &inputs(100, 0)).unwrap(), Buffer::new(&device, [100]).unwrap()];
    for _ in 0..10 {
        let [from, to] = &mut buffers;
        scal_on(&device, to, -1.0, from).unwrap();
        buffers.swap(0, 1);
    }
    assert_eq!(buffers[0].read().unwrap(), inputs(100, 0));
    let mut short = Buffer::new(&device, [99]).unwrap();
    let error = scal_on(&device, &mut short, 1.0, &buffers[0]).expect_err("it is one shorter");
    assert!(error.to_string().contains("99"), "{error}");
}

#[test]
fn threads_share_kernels_and_devices() {
    if device().is_none() {
        return;
    }
    std::thread::scope(|scope| {
        for thread in 0..4 {
            scope.spawn(move || {
                for round in 0..8 {
                    let x = inputs(thread * 37 + round, round);
                    let sum: f32 = x.iter().map(|x| x * x).sum();
                    let expected: Vec<f32> = x.iter().map(|x| x / sum).collect();
                    assert_eq!(normalised(&x).unwrap(), expected);
                    let n = 32 * thread;
                    let (a, x) = (inputs(n * 5, thread), inputs(5, round));
                    let row = |i: usize| (0..5).map(|j| a[i * 5 + j] * x[j]).sum::<f32>();
                    assert_eq!(mvOpt((&a, [n, 5]), &x).unwrap(), (0..n).map(row).collect::<Vec<f32>>());
                }
            });
        }
    });
}

#[test]
fn a_device_that_is_not_there_is_an_error() {
    if device().is_none() {
        return;
    }
    let output = Command::new(std::env::current_exe().expect("the test knows its own path"))
        .args(["--exact", "no_such_device", "--ignored"])
        .env("RISE_OPENCL_DEVICE", "abacus")
        .output()
        .expect("the test can start itself");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
}

#[test]
#[ignore = "started by `a_device_that_is_not_there_is_an_error`"]
fn no_such_device() {
    let error = scal(2.0, &[1.0]).expect_err("there is no such device");
    assert!(
        matches!(&error, Error::UnknownDevice { requested, available } if requested == "abacus" && !available.is_empty())
    );
    assert!(error.to_string().contains(Device::list().unwrap()[0].name()), "{error}");
}

/// Work-groups whose flow depends on data, on the group, and on steps before.
const FLOW: &str = "
    pub fn chosen<n: Nat>(x: [[i32; 16]; n], c: [i32; n]) -> [[i32; 16]; n] {
        zip(x, c) |> mapWorkGroup(|(row, c)| {
            let near = row |> mapLocal(|x| x + c) |> toMem(Local);
            if c > 0 {
                let turned = near |> reorder(|i| 15 - i, |i| 15 - i) |> mapLocal(|x| x * 2) |> toMem(Local);
                turned |> reorder(|i| 15 - i, |i| 15 - i) |> mapLocal(|x| x - 1)
            } else {
                near |> reorder(|i| 15 - i, |i| 15 - i) |> mapLocal(|x| x)
            }
        })
    }
    compile chosen to opencl with id;

    pub fn halved<n: Nat>(x: [[i32; 16]; n]) -> [[i32; 1]; n] {
        x |> mapWorkGroup(|row| row |> mapLocal(|x| x * 3) |> toMem(Local)
            |> iterate(4, |ys| ys |> split(2) |> mapLocal(|pair| pair[0] + pair[1])))
    }
    compile halved to opencl with id;

    pub fn halved_often<n: Nat, k: Nat>(x: [[i32; 2 ^ k]; n]) -> [[i32; 1]; n] {
        x |> mapWorkGroup(|row| row |> mapLocal(|x| x * 3) |> toMem(Local)
            |> iterate(k, |ys| ys |> split(2) |> mapLocal(|pair| pair[0] + pair[1])))
    }
    compile halved_often to opencl with id;

    pub fn smeared_often<n: Nat, k: Nat>(x: [[i32; 16]; n]) -> [[i32; 16]; n] {
        x |> mapWorkGroup(|row| row |> iterate(k, |ys|
            zip(ys, ys |> padCst(0, 1, 7) |> drop(1)) |> mapLocal(|(x, y)| x + y * 2)))
    }
    compile smeared_often to opencl with id;

    pub fn smeared_thrice<n: Nat>(x: [[i32; 16]; n]) -> [[i32; 16]; n] {
        x |> mapWorkGroup(|row| row |> iterate(3, |ys|
            zip(ys, ys |> padCst(0, 1, 7) |> drop(1)) |> mapLocal(|(x, y)| x + y * 2)))
    }
    compile smeared_thrice to opencl with id;

    pub fn several<n: Nat, k: Nat>(x: [[i32; 16]; n], steps: [i32; k]) -> [[i32; 16]; n] {
        x |> mapWorkGroup(|row| steps |> reduceSeq(Local, |acc, s|
            acc |> reorder(|i| 15 - i, |i| 15 - i) |> mapLocal(|x| x * 2 + s), row |> mapLocal(|x| x))
            |> mapLocal(|x| x))
    }
    compile several to opencl with id;
";

#[test]
fn groups_wait_where_all_come_by() {
    let Some(device) = device() else { return };
    flow(device);
}

#[test]
fn no_group_races() {
    simulator::clean("under_oclgrind");
}

#[test]
#[ignore = "started by `no_group_races` with Oclgrind as the only device"]
fn under_oclgrind() {
    flow(simulator::device());
}

fn flow(device: Device) {
    for case in cases(FLOW) {
        let plan = planned(&case.chosen).unwrap_or_else(|reason| panic!("{}: {reason}", case.name));
        assert!(plan.program.contains("barrier"), "{}", plan.program);
        for sizes in [[0, 2], [1, 0], [1, 1], [5, 3], [2, 4]] {
            let sizes = &sizes[..case.kernel.nats.len()];
            let args = small_arguments(&case.kernel, sizes);
            let expected = interpret(&case.kernel, sizes, &args).unwrap_or_else(|wrong| panic!("{wrong}"));
            match execute(&plan, sizes, &args, device) {
                Ok(found) if close(&expected, &found) => {}
                found => panic!("{} at {sizes:?}: {expected:?}, not {found:?}\n{}", case.name, plan.program),
            }
        }
    }
}
