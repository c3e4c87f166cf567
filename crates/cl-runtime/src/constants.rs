//! The numbers by which OpenCL 1.2's header names what can be asked of a platform, a device and a kernel, and its failures.
//! Here, and not from the crate that opens the library: they are needed, and the same, where no library is opened.

pub(crate) mod platform {
    pub(crate) const VERSION: u32 = 0x0901;
    pub(crate) const NAME: u32 = 0x0902;
    pub(crate) const VENDOR: u32 = 0x0903;
}

pub(crate) mod device {
    pub(crate) const TYPE: u32 = 0x1000;
    pub(crate) const MAX_COMPUTE_UNITS: u32 = 0x1002;
    pub(crate) const MAX_WORK_GROUP_SIZE: u32 = 0x1004;
    pub(crate) const MAX_MEM_ALLOC_SIZE: u32 = 0x1010;
    pub(crate) const SINGLE_FP_CONFIG: u32 = 0x101b;
    pub(crate) const GLOBAL_MEM_SIZE: u32 = 0x101f;
    pub(crate) const LOCAL_MEM_SIZE: u32 = 0x1023;
    pub(crate) const AVAILABLE: u32 = 0x1027;
    pub(crate) const COMPILER_AVAILABLE: u32 = 0x1028;
    pub(crate) const NAME: u32 = 0x102b;
    pub(crate) const VENDOR: u32 = 0x102c;
    pub(crate) const DRIVER_VERSION: u32 = 0x102d;
    pub(crate) const VERSION: u32 = 0x102f;
    pub(crate) const DOUBLE_FP_CONFIG: u32 = 0x1032;
    pub(crate) const HOST_UNIFIED_MEMORY: u32 = 0x1035;
    pub(crate) const OPENCL_C_VERSION: u32 = 0x103d;

    pub(crate) const TYPE_CPU: u64 = 1 << 1;
    pub(crate) const TYPE_GPU: u64 = 1 << 2;
    pub(crate) const TYPE_ACCELERATOR: u64 = 1 << 3;

    pub(crate) const FP_DENORM: u64 = 1 << 0;
    pub(crate) const FP_INF_NAN: u64 = 1 << 1;
    pub(crate) const FP_ROUND_TO_NEAREST: u64 = 1 << 2;
    pub(crate) const FP_FMA: u64 = 1 << 5;
    pub(crate) const FP_CORRECTLY_ROUNDED_DIVIDE_SQRT: u64 = 1 << 7;
}

pub(crate) mod argument {
    pub(crate) const ADDRESS_QUALIFIER: u32 = 0x1196;
    pub(crate) const TYPE_NAME: u32 = 0x1198;
    pub(crate) const TYPE_QUALIFIER: u32 = 0x1199;
    pub(crate) const NAME: u32 = 0x119a;

    pub(crate) const ADDRESS_GLOBAL: u32 = 0x119b;
    pub(crate) const ADDRESS_LOCAL: u32 = 0x119c;
    pub(crate) const ADDRESS_CONSTANT: u32 = 0x119d;
    pub(crate) const ADDRESS_PRIVATE: u32 = 0x119e;

    pub(crate) const TYPE_CONST: u64 = 1 << 0;
}

pub(crate) mod failure {
    pub(crate) const DEVICE_NOT_FOUND: i32 = -1;
    pub(crate) const DEVICE_NOT_AVAILABLE: i32 = -2;
    pub(crate) const MEM_OBJECT_ALLOCATION_FAILURE: i32 = -4;
    pub(crate) const OUT_OF_RESOURCES: i32 = -5;
    pub(crate) const OUT_OF_HOST_MEMORY: i32 = -6;
    pub(crate) const BUILD_PROGRAM_FAILURE: i32 = -11;
    pub(crate) const PLATFORM_NOT_FOUND: i32 = -1001;

    /// Not OpenCL's: there is no library to open, or it lacks a function.
    pub(crate) const NO_LIBRARY: i32 = -2000;
    pub(crate) const NO_FUNCTION: i32 = -2001;
}
