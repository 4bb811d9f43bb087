//! The files that ship with the compiler, for `use "rise/blas.rise";`.

/// Names and texts.
const FILES: [(&str, &str); 5] = [
    ("rise/blas.rise", include_str!("blas.rise")),
    ("rise/image.rise", include_str!("image.rise")),
    ("rise/nn.rise", include_str!("nn.rise")),
    ("rise/particles.rise", include_str!("particles.rise")),
    ("rise/schedules.rise", include_str!("schedules.rise")),
];

/// The text of a file that ships.
pub fn text(path: &str) -> Option<&'static str> {
    FILES.iter().find(|(name, _)| *name == path).map(|(_, text)| *text)
}

/// Whether the path is one of those that are not looked for in the package.
pub fn ships(path: &str) -> bool {
    text(path).is_some()
}

/// How the items begin that expressions name.
const OF_EXPRESSIONS: &[&str] = &["fn ", "pub fn "];

/// How the items begin that strategies name.
const OF_STRATEGIES: &[&str] = &["strategy ", "rule "];

/// The file that ships with a function of that name.
pub fn file_of(function: &str) -> Option<&'static str> {
    file_with(function, OF_EXPRESSIONS)
}

/// The file that ships with a strategy or rule of that name.
pub fn file_of_strategy(name: &str) -> Option<&'static str> {
    file_with(name, OF_STRATEGIES)
}

fn file_with(name: &str, words: &'static [&str]) -> Option<&'static str> {
    let found = FILES.iter().find(|(_, text)| declared(text, words).any(|declared| declared == name));
    found.map(|(file, _)| *file)
}

/// The names of all functions that ship.
pub fn functions() -> impl Iterator<Item = &'static str> {
    FILES.iter().flat_map(|(_, text)| declared(text, OF_EXPRESSIONS))
}

/// The names of a file's items that begin with one of the words, each of which begins a line.
fn declared(text: &'static str, words: &'static [&str]) -> impl Iterator<Item = &'static str> {
    let items = text.lines().filter_map(|line| words.iter().find_map(|word| line.strip_prefix(word)));
    items.filter_map(|item| item.split(['<', '(', ' ']).next())
}

/// The names of all files that ship.
pub fn names() -> String {
    FILES.map(|(name, _)| name).join(", ")
}

#[cfg(test)]
mod tests {
    use crate::syntax::{ast, parse_str};

    #[test]
    fn a_folder_of_that_name_in_the_package_is_the_users() {
        assert!(super::ships("rise/blas.rise") && !super::ships("rise/own.rise"));
    }

    #[test]
    fn the_file_of_every_item_is_known() {
        for (file, text) in super::FILES {
            for item in parse_str(text).0.items {
                let (name, found) = match &item {
                    ast::Item::Kernel(item) => (&item.name, super::file_of(item.name.as_str())),
                    ast::Item::Strategy(item) => (&item.name, super::file_of_strategy(item.name.as_str())),
                    ast::Item::Rule(item) => (&item.name, super::file_of_strategy(item.name.as_str())),
                    _ => continue,
                };
                assert_eq!(found, Some(file), "{name}");
            }
        }
        assert_eq!(super::file_of("axp"), None);
    }
}
