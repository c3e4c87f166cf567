//! A NaN loses, -0 is below +0.
#[kernel]
fn smaller(x: f64, y: f64) -> f64 {
    x.min(y)
}

#[kernel]
fn larger(x: f64, y: f64) -> f64 {
    f64::max(x, y)
}

// run: smaller(0.0, -0.0).is_sign_negative() && smaller(-0.0, 0.0).is_sign_negative()
// run: larger(0.0, -0.0).is_sign_positive() && larger(-0.0, 0.0).is_sign_positive()
// run: smaller(f64::NAN, 1.0) == 1.0 && larger(1.0, f64::NAN) == 1.0

/* translation
double smaller(double x_, double y_)
{
    return gm_min_f64(x_, y_);
}
double larger(double x_, double y_)
{
    return gm_max_f64(x_, y_);
}
*/
