//! GLM families and links over a grid of coefficient vectors.
#![forbid(unsafe_code)]
