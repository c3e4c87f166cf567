//! OpenCL opened at run time: devices, programs, caches, buffers and the runner.
