//! Squares that are transposed in registers: a function for each type and number of rows.
//!
//! ```text
//! rows 0 and 1     a0 a1 a2 a3     b0 b1 b2 b3
//! distance 1   →   a0 b0 a2 b2     a1 b1 a3 b3
//! ```
//!
//! Rows that are some distance apart exchange as many lanes each, for all distances from half the rows down to one.
//! Larger squares are transposed quarter by quarter.

use super::types::{scalar, signed};
use super::vector::Vector;

impl Vector {
    /// The definition of `transpose`, which reads rows that are `s` apart and writes rows that are `t` apart.
    pub(super) fn transpose(self) -> Option<String> {
        let body = match (self.is_native(), self.lanes) {
            (true, _) => self.in_registers(),
            (false, 2) => self.one_by_one(),
            (false, _) => self.in_quarters(),
        };
        let ty = scalar(self.ty);
        let params = format!("const {ty} *from, ptrdiff_t s, {ty} *to, ptrdiff_t t");
        self.lanes.is_power_of_two().then(|| self.inline("void", "transpose", &params, &body))
    }

    fn in_registers(self) -> String {
        let (name, rows) = (self.name(), self.lanes);
        let mut body = String::new();
        for row in 0..rows {
            body.push_str(&format!("    {name} r{row} = {name}_load(from + {row} * s);\n"));
        }
        let distances = std::iter::successors(Some(rows / 2), |distance| Some(distance / 2));
        for distance in distances.take_while(|distance| *distance > 0) {
            for row in (0..rows).filter(|row| row & distance == 0) {
                let (a, b, old) = (row, row + distance, format!("old{distance}_{row}"));
                body.push_str(&format!(
                    "    const {name} {old} = r{a};\n    \
                     r{a} = {name}_even{distance}({old}, r{b});\n    r{b} = {name}_odd{distance}({old}, r{b});\n"
                ));
            }
        }
        for row in 0..rows {
            body.push_str(&format!("    {name}_store(to + {row} * t, r{row});\n"));
        }
        body
    }

    fn in_quarters(self) -> String {
        let (part, half) = (self.low().name(), self.lanes / 2);
        let quarter = |from: &str, to: &str| format!("    {part}_transpose(from{from}, s, to{to}, t);\n");
        [
            quarter("", ""),
            quarter(&format!(" + {half}"), &format!(" + {half} * t")),
            quarter(&format!(" + {half} * s"), &format!(" + {half}")),
            quarter(&format!(" + {half} * s + {half}"), &format!(" + {half} * t + {half}")),
        ]
        .concat()
    }

    fn one_by_one(self) -> String {
        "    to[0] = from[0];\n    to[1] = from[s];\n    to[t] = from[1];\n    to[t + 1] = from[s + 1];\n"
            .to_owned()
    }

    /// The definition of `even4` or `odd4`: of each eight lanes of both vectors the first or the last four.
    pub(super) fn exchange(self, op: &str) -> Option<String> {
        let (odd, distance) = match op.strip_prefix("odd") {
            Some(distance) => (1, distance),
            None => (0, op.strip_prefix("even")?),
        };
        let distance: u32 = distance.parse().ok()?;
        let lane = |lane: u32| match lane & distance {
            0 => lane + odd * distance,
            _ => self.lanes + lane - distance + odd * distance,
        };
        let lanes: Vec<String> = (0..self.lanes).map(|at| lane(at).to_string()).collect();
        let (name, lanes, mask) = (self.name(), lanes.join(", "), self.with(signed(self.ty)).name());
        let body = format!(
            "#if defined(__clang__)\n    return __builtin_shufflevector(a, b, {lanes});\n#else\n    \
             return __builtin_shuffle(a, b, ({mask}){{{lanes}}});\n#endif\n"
        );
        Some(self.inline(&name, op, &format!("{name} a, {name} b"), &body))
    }
}
