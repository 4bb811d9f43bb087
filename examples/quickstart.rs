//! Reads a photograph, runs three kernels on it, writes the results, and times each kernel beside the
//! same loops written by hand.
//!
//! `cargo run --release --example quickstart`

use std::path::Path;
use std::time::Instant;

use rise::rise;

#[path = "../benches/src/by_hand.rs"]
#[allow(dead_code)]
mod by_hand;

rise! {
    /// Luminance of an RGB image.
    pub fn grey<h: Nat, w: Nat>(image: [[[u8; 3]; w]; h]) -> [[f32; w]; h] {
        image |> map2D(|p| 0.299 * (p[0] as f32) + 0.587 * (p[1] as f32) + 0.114 * (p[2] as f32))
    }

    fn taps(w: [f32; 5]) -> f32 {
        (w[0] + 4.0 * w[1] + 6.0 * w[2] + 4.0 * w[3] + w[4]) / 16.0
    }

    /// 5×5 binomial filter with clamped borders, separated.
    pub fn blur<h: Nat, w: Nat>(image: [[f32; w]; h]) -> [[f32; w]; h] {
        image
          |> map(|row| row |> padClamp(2, 2) |> slide(5, 1) |> map(taps))
          |> padClamp(2, 2) |> slide(5, 1)
          |> map(|rows| transpose(rows) |> map(taps))
    }

    /// Magnitude of the Sobel gradient with clamped borders.
    pub fn sobel<h: Nat, w: Nat>(image: [[f32; w]; h]) -> [[f32; w]; h] {
        image |> padClamp2D(1, 1) |> slide2D(3, 1) |> map2D(|w| {
            let x = (w[0][2] - w[0][0]) + 2.0 * (w[1][2] - w[1][0]) + (w[2][2] - w[2][0]);
            let y = (w[2][0] - w[0][0]) + 2.0 * (w[2][1] - w[0][1]) + (w[2][2] - w[0][2]);
            sqrt(x * x + y * y)
        })
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/data/coffee.png");
    let photo = image::open(data)?.to_rgb8();
    let (h, w) = (photo.height() as usize, photo.width() as usize);
    let pixels: &'static [[u8; 3]] = photo.into_raw().as_chunks().0.to_vec().leak();
    let rgb = (pixels.as_flattened(), [h, w, 3]);

    let grey_image: &'static [f32] = grey(rgb)?.into_vec().leak();
    let blurred: &'static [f32] = blur((grey_image, [h, w]))?.into_vec().leak();
    let edges = sobel((blurred, [h, w]))?;

    println!("{h}×{w} pixels on {}, one thread; microseconds, medians", grey_variant()?);
    println!("{:<8} {:>8} {:>8} {:>7}", "kernel", "rise", "by hand", "ratio");
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    one.install(|| -> Result<(), rise::Error> {
        report("grey", by_hand::grey(), pixels, [h, w], |out| grey_into((out, [h, w]), rgb))?;
        report("blur", by_hand::blur(), grey_image, [h, w], |out| {
            blur_into((out, [h, w]), (grey_image, [h, w]))
        })?;
        report("sobel", by_hand::sobel(), blurred, [h, w], |out| sobel_into((out, [h, w]), (blurred, [h, w])))
    })?;

    let folder = Path::new("target/quickstart");
    std::fs::create_dir_all(folder)?;
    for (name, values) in [("grey", grey_image), ("blur", blurred), ("sobel", &edges)] {
        let bytes = values.iter().map(|value| value.round().clamp(0.0, 255.0) as u8).collect();
        let image = image::GrayImage::from_raw(w as u32, h as u32, bytes).ok_or("the image has its size")?;
        image.save(folder.join(format!("{name}.png")))?;
    }
    println!("wrote grey.png, blur.png and sobel.png to {}", folder.display());
    Ok(())
}

/// Times a kernel and all hand-written forms of it in turn and prints the best of these beside it.
fn report<I: ?Sized>(
    name: &str,
    forms: Vec<by_hand::Form<&'static I>>,
    input: &'static I,
    shape: [usize; 2],
    kernel: impl Fn(&mut [f32]) -> Result<(), rise::Error>,
) -> Result<(), rise::Error> {
    let mut ours = Vec::new();
    let mut theirs = vec![Vec::new(); forms.len()];
    let mut out = vec![0.0; shape[0] * shape[1]];
    for _ in 0..200 {
        let start = Instant::now();
        kernel(&mut out)?;
        ours.push(start.elapsed());
        for ((_, form), times) in forms.iter().zip(&mut theirs) {
            let start = Instant::now();
            form(input, shape, &mut out);
            times.push(start.elapsed());
        }
    }
    let median = |times: &mut Vec<std::time::Duration>| {
        times.sort();
        times[times.len() / 2].as_secs_f64() * 1e6
    };
    let ours = median(&mut ours);
    let best = theirs.iter_mut().map(median).fold(f64::INFINITY, f64::min);
    println!("{name:<8} {ours:>8.1} {best:>8.1} {:>7.2}", best / ours);
    Ok(())
}
