//! One kernel from end to end.

use rise::Error;
use rise::opencl::Buffer;
use rise_opencl_tests::kernels::*;
use rise_opencl_tests::{device, inputs};

#[test]
fn scal_runs() {
    let Some(device) = device() else { return };
    for n in [0, 1, 7, 1000, 1024] {
        let x = inputs(n, 0);
        let expected: Vec<f32> = x.iter().map(|x| 3.0 * x).collect();
        assert_eq!(scal(3.0, &x).unwrap(), expected);
        let on_device = Buffer::from_view(&device, &x).unwrap();
        let mut out = Buffer::new(&device, [n]).unwrap();
        scal_on(&device, &mut out, 3.0, &on_device).unwrap();
        assert_eq!(out.read().unwrap(), expected);
    }
}

#[test]
fn work_items_are_chosen() {
    if device().is_none() {
        return;
    }
    for n in [0, 1, 7, 100, 1000] {
        let x = inputs(n, 0);
        let expected: Vec<f32> = x.iter().map(|x| 3.0 * x).collect();
        assert_eq!(scal_in_groups(3.0, &x).unwrap(), expected);
        assert_eq!(scal_by_few(3.0, &x).unwrap(), expected);
        assert_eq!(scal_by_many(3.0, &x).unwrap(), expected);
        assert_eq!(scal_in_one_group(3.0, &x).unwrap(), expected);
        let error = scal_in_vain(3.0, &x).expect_err("no device has such groups");
        assert!(matches!(error, Error::DeviceLimit { wanted: 1_000_000_000, .. }), "{error}");
    }
    for n in [0, 1, 9] {
        let a = inputs(n * 128, 3);
        let turned_row = |row: &[f32]| row.iter().rev().map(|x| (x + 1.0) * 2.0).collect::<Vec<f32>>();
        let expected: Vec<f32> = a.chunks(128).flat_map(turned_row).collect();
        for found in [turned, turned_by_few, turned_by_many].map(|turned| turned((&a, [n, 128]))) {
            assert_eq!(found.unwrap().into_vec(), expected);
        }
    }
}

#[test]
fn mv_runs() {
    if device().is_none() {
        return;
    }
    for (n, m) in [(32, 7), (128, 100), (0, 3)] {
        let (a, x) = (inputs(n * m, 0), inputs(m, 4));
        let expected: Vec<f32> = (0..n).map(|i| (0..m).map(|j| a[i * m + j] * x[j]).sum()).collect();
        assert_eq!(mvOpt((&a, [n, m]), &x).unwrap(), expected);
    }
}

#[test]
fn results_with_gaps_are_cleared() {
    if device().is_none() {
        return;
    }
    for n in [0, 1, 5, 100] {
        let x = inputs(n, 2);
        let mut expected: Vec<f32> = x.iter().map(|x| x + 1.0).collect();
        assert_eq!(with_room(&x).unwrap(), [&expected[..], &[0.0; 3]].concat());
        let mut out = vec![7.0; n + 3];
        with_room_into(&mut out, &x).unwrap();
        assert_eq!(out, [&expected[..], &[7.0; 3]].concat());
        expected.reverse();
        assert_eq!(mirrored(&x).unwrap(), expected);
    }
}

#[test]
fn an_index_is_a_parameter_and_says_what_is_updated() {
    if device().is_none() {
        return;
    }
    for (n, k) in [(1, 0), (7, 3), (1000, 999)] {
        let x = inputs(n, 4);
        let expected: Vec<f32> = x.iter().map(|v| v - x[k]).collect();
        assert_eq!(from_one(&x, k as u32).unwrap(), expected);
    }
    for (n, m) in [(1, 5), (9, 0), (40, 100)] {
        let x: Vec<u32> = (0..n * m).map(|i| (i * i % 37 % 32) as u32).collect();
        let mut expected = vec![0; n * 32];
        x.iter().enumerate().for_each(|(i, v)| expected[i / m * 32 + *v as usize] += 1);
        assert_eq!(row_counts((&x[..], [n, m])).unwrap().into_vec(), expected);
    }
}

#[test]
fn kernels_follow_each_other() {
    if device().is_none() {
        return;
    }
    for n in [0, 1, 5, 1000] {
        let x = inputs(n, 2);
        let sum: f32 = x.iter().map(|x| x * x).sum();
        let expected: Vec<f32> = x.iter().map(|x| x / sum).collect();
        assert_eq!(normalised(&x).unwrap(), expected);
    }
}
