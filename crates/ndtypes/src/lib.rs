//! Scalar and dimension types, metadata, array views, assignment kernels, lifting and broadcasting.
