//! The attribute macro #[kernel], thin over gristmill-kernel-lang.
#![forbid(unsafe_code)]
