//! What #[kernel] emits into a crate: shards, signatures, exact operations, native lowerings.
