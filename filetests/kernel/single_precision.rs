//! f32: division and square root through double, where one rounding remains.
#[kernel]
fn norm(x: f32, y: f32) -> f32 {
    (x * x + y * y).sqrt() / 3.0
}

#[kernel]
fn mixed(x: f32) -> f64 {
    let half = 0.1;
    (x + half) as f64 + x.floor().min(-0.0) as f64
}

// run: norm(3.0f32, 4.0f32) == 1.6666666f32
// run: mixed(0.5f32) == (0.5f32 + 0.1f32) as f64

/* translation
float norm(float x_, float y_)
{
    return gm_div_f32(gm_sqrt_f32((x_ * x_) + (y_ * y_)), 0x1.8p+1f);
}
double mixed(float x_)
{
    float half_ = 0x1.99999ap-4f;
    return ((double)(x_ + half_)) + ((double)(gm_min_f32(gm_floor_f32(x_), (-0x0p+0f))));
}
*/
