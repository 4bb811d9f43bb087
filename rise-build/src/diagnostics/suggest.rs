//! The nearest known name to a misspelt one.

/// The candidate nearest to `name` by edit distance, if it is near enough to be meant; the first of equals.
pub fn suggest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (name.chars().count() / 3).max(1);
    let mut best: Option<(usize, &'a str)> = None;
    for candidate in candidates {
        if candidate == name {
            continue;
        }
        let distance = if candidate.eq_ignore_ascii_case(name) { 0 } else { distance(name, candidate) };
        // Two names of one letter have nothing in common.
        if distance >= name.chars().count() {
            continue;
        }
        if distance <= limit && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Edit distance in which a swap of two neighbouring letters counts as one step.
fn distance(from: &str, to: &str) -> usize {
    let from: Vec<char> = from.chars().collect();
    let to: Vec<char> = to.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=to.len()).collect();
    for i in 0..from.len() {
        let mut row = vec![i + 1];
        for j in 0..to.len() {
            let changed = last[j] + usize::from(from[i] != to[j]);
            let mut least = changed.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && from[i] == to[j - 1] && from[i - 1] == to[j] {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_name_is_found() {
        let names = ["map", "mapSeq", "reduce", "transpose", "zip"];
        assert_eq!(suggest("redcue", names), Some("reduce"));
        assert_eq!(suggest("mapseq", names), Some("mapSeq"));
        assert_eq!(suggest("tranpose", names), Some("transpose"));
        assert_eq!(suggest("mpa", names), Some("map"));
        assert_eq!(suggest("gather", names), None);
        assert_eq!(suggest("", names), None);
        assert_eq!(suggest("m", ["n", "x"]), None);
        assert_eq!(suggest("N", ["n", "x"]), Some("n"));
    }

    #[test]
    fn first_of_equals_wins_and_the_name_itself_is_no_answer() {
        assert_eq!(suggest("ab", ["ac", "ad"]), Some("ac"));
        assert_eq!(suggest("zip", ["zip"]), None);
    }
}
