//! Shadowing gets new names; names that OpenCL C owns are out of the way.
#[kernel]
fn exp(double: f64, half: i32) -> f64 {
    let double = double + 1.0;
    let kernel = {
        let double = half as f64;
        double * 2.0
    };
    double * kernel
}

// run: exp(1.0, 3) == 12.0

/* translation
double gm_exp(double double_, int half_)
{
    double double_2 = double_ + 0x1p+0;
    double kernel_;
    {
        double double_3 = (double)(half_);
        kernel_ = double_3 * 0x1p+1;
    }
    return double_2 * kernel_;
}
*/
