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

/// The file that ships with a function or strategy of that name.
pub fn file_of(name: &str) -> Option<&'static str> {
    FILES.iter().find(|(_, text)| declared(text).any(|declared| declared == name)).map(|(file, _)| *file)
}

/// The names of a file's items, each of which begins a line.
fn declared(text: &str) -> impl Iterator<Item = &str> {
    let items = text.lines().filter_map(|line| {
        ["fn ", "pub fn ", "strategy ", "rule "].iter().find_map(|word| line.strip_prefix(word))
    });
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
                let name = match &item {
                    ast::Item::Kernel(item) => &item.name,
                    ast::Item::Strategy(item) => &item.name,
                    ast::Item::Rule(item) => &item.name,
                    _ => continue,
                };
                assert_eq!(super::file_of(name.as_str()), Some(file), "{name}");
            }
        }
        assert_eq!(super::file_of("axp"), None);
    }
}
