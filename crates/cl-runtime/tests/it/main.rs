//! Tests on a real device: PoCL in CI. They are never ignored: without a device they fail.

mod run;
