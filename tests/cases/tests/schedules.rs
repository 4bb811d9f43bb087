//! Schedules of the literature against the naive programs under `lower`.

#![allow(missing_docs)]

use rise::rise;
use rise_cases::inputs;

rise! {
    use "schedules.rise";

    compile smooth to rust with lower;
    compile smooth to rust with in_two_passes as smooth_scheduled;
    compile filtered to rust with in_two_passes as filtered_scheduled;
    compile around to rust with lower;
    compile around to rust with in_overlapped_tiles as around_scheduled;
    compile twice to rust with lower;
    compile twice to rust with in_lines as twice_scheduled;
    compile total to rust with lower;
    compile total to rust with in_two_stages as total_scheduled;
}

const SHAPES: [[usize; 2]; 7] = [[1, 1], [2, 3], [3, 2], [5, 16], [7, 33], [20, 80], [41, 50]];

#[test]
fn separated_convolutions() {
    for shape in SHAPES {
        let image = inputs(shape[0] * shape[1], 0);
        let expected = smooth((&image, shape)).unwrap();
        assert_eq!(smooth_scheduled((&image, shape)).unwrap(), expected, "{shape:?}");
        let weights = [[1.0, 2.0, 1.0], [2.0, 4.0, 2.0], [1.0, 2.0, 1.0]];
        assert_eq!(filtered_scheduled((&image, shape), &weights).unwrap(), expected, "{shape:?}");
    }
}

#[test]
fn overlapped_tiles() {
    for n in [0, 1, 2, 5] {
        let x = inputs(64 * n + 2, 3);
        assert_eq!(around_scheduled(&x), around(&x), "{n}");
    }
}

#[test]
fn line_buffers() {
    for [h, w] in SHAPES.into_iter().chain([[0, 3], [4, 0]]) {
        let image = inputs((h + 2) * w, 1);
        assert_eq!(twice_scheduled((&image, [h + 2, w])), twice((&image, [h + 2, w])), "{h} {w}");
    }
}

#[test]
fn two_stages() {
    for n in [0, 1, 1000, 1024, 5000, 100_000] {
        let x = inputs(n, 2);
        assert_eq!(total_scheduled(&x), total(&x), "{n}");
    }
}
