//! What a block of rows contributes to a fit: values and derivatives at their linear predictors, on lanes.

use crate::kernels::{self, each_row_kernel};
use crate::model::RowKernel;
use gristmill_kernel::Level;
use gristmill_kernel::vectors::Base;
use gristmill_kernel::vectors::{AnyLanes, Lanes};

/// Rows per block: their terms and, up to some thirty columns, their part of the matrix stay in the first-level cache.
pub(crate) const BLOCK: usize = 128;

/// The terms of up to [`BLOCK`] rows.
#[derive(Debug)]
pub(crate) struct Terms {
    /// Minus the log-likelihoods, without their constants.
    pub(crate) value: [f64; BLOCK],
    pub(crate) slope: [f64; BLOCK],
    pub(crate) hessian: [f64; BLOCK],
    pub(crate) fisher: [f64; BLOCK],
}

impl Terms {
    pub(crate) fn new() -> Terms {
        Terms { value: [0.0; BLOCK], slope: [0.0; BLOCK], hessian: [0.0; BLOCK], fisher: [0.0; BLOCK] }
    }

    /// Those of rows with these predictors (the model's shift included) and these inputs of the row kernel.
    pub(crate) fn compute(&mut self, level: Level, kernel: RowKernel, eta: &[f64], a: &[f64], b: &[f64]) {
        macro_rules! run {
            ($($kernel:ident => $row:ident, $curvature:ident;)*) => {
                match kernel {
                    $(RowKernel::$kernel => {
                        struct K;
                        impl RowFunctions for K {
                            #[inline(always)]
                            fn call(eta: f64, a: f64, b: f64) -> [f64; 4] {
                                let (value, slope) = kernels::$row::call(Base, eta, a, b);
                                let (hessian, fisher) = kernels::$curvature::call(Base, eta, a, b);
                                [value, slope, hessian, fisher]
                            }
                            #[inline(always)]
                            fn lanes<L: Lanes>(lanes: L, eta: L::F64, a: L::F64, b: L::F64) -> [L::F64; 4] {
                                let all = lanes.mask_splat(true);
                                let (value, slope) = kernels::$row::lanes_call(lanes, all, eta, a, b);
                                let (hessian, fisher) = kernels::$curvature::lanes_call(lanes, all, eta, a, b);
                                [value, slope, hessian, fisher]
                            }
                        }
                        let body = TermsBody::<K> { eta, a, b, terms: self, kernel: core::marker::PhantomData };
                        level.on_lanes(body).unwrap_or_else(|body| body.rest(0));
                    })*
                    RowKernel::Quasi(variance, link) => {
                        for (i, ((eta, a), b)) in eta.iter().zip(a).zip(b).enumerate() {
                            let curvature = kernels::quasi_curvature(*eta, *a, *b, variance, link);
                            (self.value[i], self.slope[i]) = kernels::quasi_row(*eta, *a, *b, variance, link);
                            (self.hessian[i], self.fisher[i]) = curvature;
                        }
                    }
                }
            };
        }
        each_row_kernel!(run);
    }
}

/// A row kernel and its curvature: for one element, and on lanes.
trait RowFunctions {
    fn call(eta: f64, a: f64, b: f64) -> [f64; 4];
    fn lanes<L: Lanes>(lanes: L, eta: L::F64, a: L::F64, b: L::F64) -> [L::F64; 4];
}

struct TermsBody<'a, K> {
    eta: &'a [f64],
    a: &'a [f64],
    b: &'a [f64],
    terms: &'a mut Terms,
    kernel: core::marker::PhantomData<K>,
}

impl<K: RowFunctions> AnyLanes for TermsBody<'_, K> {
    type Out = ();
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let whole = self.eta.len() / L::N * L::N;
        let mut i = 0;
        while i < whole {
            let [eta, a, b] = [self.eta, self.a, self.b].map(
                #[inline(always)]
                |v| lanes.f64_load(&v[i..]),
            );
            let [value, slope, hessian, fisher] = K::lanes(lanes, eta, a, b);
            lanes.f64_store(value, &mut self.terms.value[i..]);
            lanes.f64_store(slope, &mut self.terms.slope[i..]);
            lanes.f64_store(hessian, &mut self.terms.hessian[i..]);
            lanes.f64_store(fisher, &mut self.terms.fisher[i..]);
            i += L::N;
        }
        self.rest(whole);
    }
}

impl<K: RowFunctions> TermsBody<'_, K> {
    /// The rows from `first` on, one by one.
    #[inline(always)]
    fn rest(self, first: usize) {
        for i in first..self.eta.len() {
            let [value, slope, hessian, fisher] = K::call(self.eta[i], self.a[i], self.b[i]);
            self.terms.value[i] = value;
            self.terms.slope[i] = slope;
            self.terms.hessian[i] = hessian;
            self.terms.fisher[i] = fisher;
        }
    }
}
