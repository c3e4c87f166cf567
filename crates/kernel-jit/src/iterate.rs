//! The functions of a text as a list.

use crate::source::KernelSource;
use gristmill_kernel::Function;

/// Its functions from scalars to scalars, in order: what an engine's `with_kernels` takes.
impl IntoIterator for &KernelSource {
    type Item = Function;
    type IntoIter = std::vec::IntoIter<Function>;

    fn into_iter(self) -> Self::IntoIter {
        self.functions().collect::<Vec<_>>().into_iter()
    }
}
