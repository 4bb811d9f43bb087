//! The files that ship with the compiler, for `use "rise/blas.rise";`.

/// Names and texts.
const FILES: [(&str, &str); 4] = [
    ("rise/blas.rise", include_str!("blas.rise")),
    ("rise/image.rise", include_str!("image.rise")),
    ("rise/nn.rise", include_str!("nn.rise")),
    ("rise/particles.rise", include_str!("particles.rise")),
];

/// Whether the path is one of those that are not looked for in the package.
pub fn ships(path: &str) -> bool {
    path.starts_with("rise/")
}

/// The text of a file that ships, or why there is none.
pub fn text(path: &str) -> Result<String, String> {
    let found = FILES.iter().find(|(name, _)| *name == path);
    let names = || FILES.map(|(name, _)| name).join(", ");
    found
        .map(|(_, text)| (*text).to_owned())
        .ok_or_else(|| format!("what ships with the compiler is {}", names()))
}
