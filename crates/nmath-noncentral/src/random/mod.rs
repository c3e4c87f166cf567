//! Random numbers of the noncentral distributions: functions of seed, stream and index, as all others (docs/random-numbers.md).

mod noncentral_draw;

pub use noncentral_draw::{rnbeta, rnchisq, rnf};
