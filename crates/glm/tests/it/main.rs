//! The crate as its users meet it.

mod fit;
mod formula;
