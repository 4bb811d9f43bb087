//! Data-parallel idealised Algol: the functional language with read and write access (stage 4) and the
//! imperative one made from it (stage 5). RISE & Shine, section V.

pub mod functional;
pub mod imperative;
mod notation;

#[cfg(test)]
mod tests;
