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

/// The names of all files that ship.
pub fn names() -> String {
    FILES.map(|(name, _)| name).join(", ")
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_folder_of_that_name_in_the_package_is_the_users() {
        assert!(super::ships("rise/blas.rise") && !super::ships("rise/own.rise"));
    }
}
