//! Random nests of maps with memory and layouts in between, as text: what work-groups are for.

use rise_semantics::values::Numbers;

/// A kernel of stages over the rows of matrices; each stage reads what the one before has stored.
pub fn nest(numbers: &mut Numbers) -> String {
    let mut pick =
        |alternatives: &[&'static str]| alternatives[numbers.below(alternatives.len() as u64) as usize];
    let mut shape = [pick(&["m", "4", "8", "3"]), pick(&["k", "4", "3", "2"])];
    let [rows, columns] = shape;
    let mut body = "matrix".to_owned();
    for stage in 0..pick(&["1", "22", "22", "333"]).len() {
        if stage > 0 {
            body.push_str(" |> toMem");
        }
        match pick(&["as it is", "transposed", "upside down", "transposed"]) {
            "transposed" => {
                body.push_str(" |> transpose");
                shape.swap(0, 1);
            }
            "upside down" => {
                let last = match shape[0].parse::<u32>() {
                    Ok(len) => (len - 1).to_string(),
                    Err(_) => format!("{} - 1", shape[0]),
                };
                body.push_str(&format!(" |> reorder(|i| {last} - i, |i| {last} - i)"));
            }
            _ => {}
        }
        let element = pick(&["x + 1", "x * 3", "x - y", "y * x"]);
        body.push_str(&format!(" |> map(|row| row |> map(|x| {element}))"));
    }
    if pick(&["", "", "sum"]) == "sum" {
        body.push_str(" |> toMem |> map(|row| row |> reduceSeq(|a, x| a + x, y))");
        return kernel([rows, columns], &format!("[i32; {}]", shape[0]), &body);
    }
    kernel([rows, columns], &format!("[[i32; {}]; {}]", shape[1], shape[0]), &body)
}

fn kernel([rows, columns]: [&str; 2], result: &str, body: &str) -> String {
    format!(
        "pub fn nest<n: Nat, m: Nat, k: Nat>(x: [[[i32; {columns}]; {rows}]; n], y: i32, unused: [(i32, i32); m + k]) -> [{result}; n] {{
            x |> map(|matrix| {body})
        }}
        compile nest to opencl with id;"
    )
}
