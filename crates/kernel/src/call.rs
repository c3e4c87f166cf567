//! What a typed call takes: `dnorm::map((&x, 0.0, 1.0, false), &mut y)`.

/// An argument of a typed call: a value for each element (`&[T]`, `&Vec<T>`, `&[T; N]`), or one for all (`T`).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no argument for a parameter of type `{T}`",
    note = "pass a slice of `{T}` with a value for each element, or one `{T}` for all"
)]
pub trait Argument<T> {
    /// The values: one, or one for each element.
    fn values(&self) -> &[T];
}

macro_rules! arguments {
    ($($t:ty)*) => {$(
        impl Argument<$t> for $t {
            fn values(&self) -> &[$t] {
                core::slice::from_ref(self)
            }
        }
        impl Argument<$t> for &[$t] {
            fn values(&self) -> &[$t] {
                self
            }
        }
        impl Argument<$t> for &Vec<$t> {
            fn values(&self) -> &[$t] {
                self
            }
        }
        impl<const N: usize> Argument<$t> for &[$t; N] {
            fn values(&self) -> &[$t] {
                &self[..]
            }
        }
    )*};
}
arguments!(f64 f32 i32 i64 u32 u64 usize bool);
