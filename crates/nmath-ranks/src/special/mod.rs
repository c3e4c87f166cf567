//! What both rank distributions are made of, lowest layer first: [`scaled`], [`complex_pair`], [`rank_counts`],
//! [`rank_circle`], [`rank_masses`].

pub mod complex_pair;
pub mod rank_circle;
pub mod rank_counts;
pub mod rank_masses;
pub mod scaled;
