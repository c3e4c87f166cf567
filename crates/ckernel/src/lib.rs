//! The ckernel ABI: kernels as movable blocks of memory, their builder, deferred kernels.
