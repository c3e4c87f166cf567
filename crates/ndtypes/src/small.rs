//! A small vector: the first `N` items lie on the stack.

/// At most `N` items without the heap.
#[derive(Clone, Debug)]
pub(crate) struct Small<T: Copy, const N: usize> {
    few: [T; N],
    many: Vec<T>,
    len: usize,
}

impl<T: Copy, const N: usize> Small<T, N> {
    /// Empty; `filler` is never seen.
    #[inline]
    pub(crate) fn new(filler: T) -> Self {
        Self { few: [filler; N], many: Vec::new(), len: 0 }
    }

    /// A copy of a slice.
    #[inline]
    pub(crate) fn copy(filler: T, items: &[T]) -> Self {
        let mut small = Self::new(filler);
        if items.len() <= N {
            small.few[..items.len()].copy_from_slice(items);
        } else {
            small.many.extend_from_slice(items);
        }
        small.len = items.len();
        small
    }

    pub(crate) fn push(&mut self, item: T) {
        if self.len < N {
            self.few[self.len] = item;
        } else {
            if self.len == N {
                self.many.clear();
                self.many.extend_from_slice(&self.few);
            }
            self.many.push(item);
        }
        self.len += 1;
    }

    #[inline]
    pub(crate) fn get(&self) -> &[T] {
        if self.len <= N { &self.few[..self.len] } else { &self.many }
    }

    #[inline]
    pub(crate) fn get_mut(&mut self) -> &mut [T] {
        if self.len <= N { &mut self.few[..self.len] } else { &mut self.many }
    }

    /// Keeps the first `len` items.
    pub(crate) fn truncate(&mut self, len: usize) {
        let len = len.min(self.len);
        if self.len > N && len <= N {
            self.few[..len].copy_from_slice(&self.many[..len]);
        }
        self.many.truncate(len);
        self.len = len;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_survive_the_way_to_the_heap_and_back() {
        let mut small = Small::<u32, 3>::new(0);
        for i in 0..7 {
            small.push(i);
            assert_eq!(small.get(), (0..=i).collect::<Vec<_>>());
        }
        small.truncate(2);
        assert_eq!(small.get(), [0, 1]);
        small.push(9);
        small.push(10);
        assert_eq!(small.get(), [0, 1, 9, 10]);
    }
}
