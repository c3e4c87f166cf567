//! The block loop over lanes: loads, the kernel, stores; and for kernels with a main path, the rest gathered together.

use super::{LaneType, Lanes};

/// Elements per step. Those off the main path are collected over a step, so that they fill vectors of their own.
const STEP: usize = 256;

/// Which elements the lanes are.
#[derive(Debug, Clone, Copy)]
pub enum At<'a> {
    /// As many as there are lanes, from this one on.
    Run(usize),
    /// Some elements of the step from `start` on.
    List {
        /// The first element of the step.
        start: usize,
        /// At least one, at most the number of lanes. The first one stands for lanes that are left.
        offsets: &'a [u16],
    },
}

/// An argument: a value for each element, or one for all.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a, T> {
    /// One for each element; what is the same for all is not read from here, but kept in `first`.
    data: &'a [T],
    /// The first value: in a register, because what a loop has stored might have changed it in memory.
    first: T,
    uniform: bool,
}

impl<'a, T: LaneType> Source<'a, T> {
    /// `data` has one value, or one for each of `n` elements: a loop over them then needs no test that they are there.
    #[inline(always)]
    pub fn new(data: &'a [T], n: usize) -> Self {
        let uniform = data.len() == 1;
        let first = if data.is_empty() { T::zero() } else { data[0] };
        Source { data: if uniform { data } else { &data[..n] }, first, uniform }
    }

    /// One value for all.
    #[inline(always)]
    pub fn uniform(self) -> bool {
        self.uniform
    }

    /// The values, if there is one for each element.
    #[inline(always)]
    pub fn each(self) -> Option<&'a [T]> {
        if self.uniform() { None } else { Some(self.data) }
    }

    /// The first value.
    #[inline(always)]
    pub fn first(self) -> T {
        self.first
    }

    /// The values of some elements.
    #[inline(always)]
    pub fn get<L: Lanes>(self, lanes: L, at: At<'_>) -> T::Of<L> {
        if self.uniform {
            return T::splat(lanes, self.first);
        }
        match at {
            At::Run(start) => T::load(lanes, &self.data[start..start + L::N]),
            At::List { start, offsets } => T::collect(
                lanes,
                #[inline(always)]
                |i| self.data[start + offsets[if i < offsets.len() { i } else { 0 }] as usize],
            ),
        }
    }
}

/// Puts the values of some elements to their places.
#[inline(always)]
pub fn put<L: Lanes, T: LaneType>(lanes: L, at: At<'_>, x: &T::Of<L>, to: &mut [T]) {
    match at {
        At::Run(start) => T::store(lanes, x, &mut to[start..start + L::N]),
        At::List { start, offsets } => {
            let mut i = 0;
            while i < offsets.len() {
                to[start + offsets[i] as usize] = T::get(lanes, x, i);
                i += 1;
            }
        }
    }
}

/// Fewer elements are not put in order.
const FEW: usize = 32;

/// Into how many groups of neighbours the elements of a step are put.
const GROUPS: usize = 64;

/// The offsets of the elements of a step in the order of their keys, nearly: by groups between the least and the largest. Where these
/// are infinite, in one group; so is what is no number.
#[inline(never)]
fn put_in_order(keys: &[f64], order: &mut [u16; STEP]) {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for &key in keys {
        low = if key < low { key } else { low };
        high = if key > high { key } else { high };
    }
    let scale = GROUPS as f64 / (high - low);
    // A conversion saturates, and that of a NaN gives 0.
    let group = |key: f64| (((key - low) * scale) as usize).min(GROUPS - 1);
    // How many there are in each group, then where each one begins.
    let mut place = [0u16; GROUPS];
    for &key in keys {
        place[group(key)] += 1;
    }
    let mut before = 0;
    for place in &mut place {
        (*place, before) = (before, before + *place);
    }
    for (i, &key) in keys.iter().enumerate() {
        let place = &mut place[group(key)];
        order[usize::from(*place)] = i as u16;
        *place += 1;
    }
}

/// Runs a kernel over `n` elements, a multiple of the number of lanes. `first` gives the values and for which lanes they
/// hold; `rest` the values of the others, called with as many of them together as there are lanes. `masked`: some may be
/// left for `rest`. `keys`: elements with similar ones run together.
#[inline(always)]
pub fn run<L: Lanes, V: Copy>(
    lanes: L,
    n: usize,
    masked: bool,
    keys: Option<&[f64]>,
    mut first: impl FnMut(L::Mask, At<'_>) -> (V, L::Mask),
    mut rest: impl FnMut(L::Mask, At<'_>) -> V,
    mut put: impl FnMut(At<'_>, V),
) {
    let all = lanes.mask_splat(true);
    // For a few elements the order takes as long as the kernel.
    let keys = if n < FEW { None } else { keys };
    if !masked && keys.is_none() {
        // Where the vector ends: in this form the compiler sees that it ends within the `n` elements.
        let mut end = L::N;
        while end <= n {
            let at = At::Run(end - L::N);
            put(at, first(all, at).0);
            end += L::N;
        }
        return;
    }
    let mut order = [0u16; STEP];
    let mut offsets = [0u16; STEP];
    let mut start = 0;
    while start < n {
        let len = if n - start < STEP { n - start } else { STEP };
        if let Some(keys) = keys {
            put_in_order(&keys[start..start + len], &mut order);
        }
        let (mut i, mut left) = (0, 0);
        while i < len {
            let at = match keys {
                Some(_) => At::List { start, offsets: &order[i..i + L::N] },
                None => At::Run(start + i),
            };
            let (value, done) = first(all, at);
            put(at, value);
            let mut bits = if masked { lanes.mask_bits(lanes.mask_without(all, done)) } else { 0 };
            while bits != 0 {
                let k = i + bits.trailing_zeros() as usize;
                offsets[left] = if keys.is_some() { order[k] } else { k as u16 };
                left += 1;
                bits &= bits - 1;
            }
            i += L::N;
        }
        let mut i = 0;
        while i < left {
            let count = if left - i < L::N { left - i } else { L::N };
            let at = At::List { start, offsets: &offsets[i..i + count] };
            put(at, rest(lanes.mask_first(count), at));
            i += L::N;
        }
        start += len;
    }
}

/// A scalar kernel on lanes, one lane after the other: for what has no form of its own.
#[inline(always)]
pub fn each<L: Lanes, R: LaneType>(lanes: L, mask: L::Mask, f: impl Fn(usize) -> R) -> R::Of<L> {
    let bits = lanes.mask_bits(mask);
    R::collect(
        lanes,
        #[inline(always)]
        |i| if bits >> i & 1 == 1 { f(i) } else { R::zero() },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_element_has_one_place_in_the_order_and_far_keys_are_apart() {
        let lists: [Vec<f64>; 5] = [
            (0..STEP).map(|i| ((i * 37) % STEP) as f64).collect(),
            vec![1.5; 8],
            vec![f64::NAN, 3.0, f64::NAN, -1.0, 0.0, 2.0, -0.0, 1.0],
            vec![f64::NEG_INFINITY, 3.0, f64::INFINITY, -1.0],
            vec![f64::MAX, f64::MIN, f64::NAN, 0.0],
        ];
        for keys in lists {
            let mut order = [u16::MAX; STEP];
            put_in_order(&keys, &mut order);
            let mut sorted = order[..keys.len()].to_vec();
            sorted.sort_unstable();
            assert!(sorted.iter().enumerate().all(|(i, k)| i == usize::from(*k)), "{keys:?}: {order:?}");
        }
        let keys: Vec<f64> = (0..STEP).map(|i| ((i * 37) % STEP) as f64).collect();
        let mut order = [0; STEP];
        put_in_order(&keys, &mut order);
        for (i, k) in order.iter().enumerate() {
            let distance = (keys[usize::from(*k)] - i as f64).abs();
            assert!(distance <= (STEP / GROUPS) as f64, "place {i}: {distance}");
        }
    }
}
