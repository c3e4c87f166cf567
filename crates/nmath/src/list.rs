//! The list of all functions, from which tests, the command line, the documentation and the exported library are made.

use gristmill_kernel::{EmittedShard, Function, KernelItem};

/// `FOLDER:`, and `MODULE: FUNCTION...;` for the modules of this folder: re-exports the functions, and lists them in this order as `LIST`.
///
/// The modules themselves are declared beside it, because rustfmt does not follow what a macro declares.
macro_rules! functions {
    ($folder:ident: $($module:ident: $($name:ident)+;)+) => {
        // Within the crate some are called by their short path.
        $(#[allow(unused_imports)] pub use self::$module::{$($name),+};)+

        /// The functions alone, without their modules: what the crate's root re-exports.
        pub(crate) mod functions {
            crate::list::only_functions! { $folder: $($module: $($name)+;)+ }
        }

        /// The functions of these modules as data, in order.
        // Not for this crate's own tests of its parts: they need no block loops, which take longest to compile.
        #[cfg(not(test))]
        pub(crate) const LIST: &[gristmill_kernel::Function] = &[$($(self::$module::$name::FUNCTION),+),+];
        #[cfg(test)]
        pub(crate) const LIST: &[gristmill_kernel::Function] = &[];
    };
}
pub(crate) use functions;

/// `FOLDER: MODULE: NAME...; ...`: re-exports kernels so that rustdoc shows the functions and constants, and not the types of the
/// same names beside them, which are hidden: of these it would list each as a `pub use` without a text.
///
/// Two levels, because that line goes where the re-export itself is hidden, and what is named through it is shown by its own text.
macro_rules! only_functions {
    ($folder:ident: $($module:ident: $($name:ident)+;)+) => {
        mod hidden {
            $(#[doc(hidden)] pub use crate::$folder::$module::{$($name),+};)+
        }
        pub use hidden::{$($($name),+),+};
    };
}
pub(crate) use only_functions;

const PARTS: [&[Function]; 3] = [crate::special::LIST, crate::dist::LIST, crate::random::LIST];
const COUNT: usize = PARTS[0].len() + PARTS[1].len() + PARTS[2].len();

const fn joined() -> [Function; COUNT] {
    let mut all = [crate::sqrt::FUNCTION; COUNT];
    let (mut part, mut at) = (0, 0);
    while part < PARTS.len() {
        let mut i = 0;
        while i < PARTS[part].len() {
            all[at] = PARTS[part][i];
            at += 1;
            i += 1;
        }
        part += 1;
    }
    all
}

// A static, so that the block loops are compiled here once and not again in every crate that names them.
static ALL: [Function; COUNT] = joined();

/// Every public function of the crate as data, once, in the order of its group: elementary functions, special functions,
/// then the distributions, then random numbers.
pub static KERNELS: &[Function] = &ALL;

/// What works on slices instead of scalars: part of the exported library, but not of [`KERNELS`].
pub static ENTRIES: &[&EmittedShard] = &[
    <crate::special::log_sum::logspace_sums as KernelItem>::SHARD,
    <crate::dist::multinomial::rmultinoms as KernelItem>::SHARD,
];

/// The function of that name.
pub fn kernel(name: &str) -> Option<Function> {
    KERNELS.iter().find(|f| f.name() == name).copied()
}
