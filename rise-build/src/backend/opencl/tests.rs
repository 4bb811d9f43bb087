//! Texts of small programs.
