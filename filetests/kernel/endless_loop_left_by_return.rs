//! PoCL 3.1 miscompiles some of these: they get one way out.
#[kernel]
fn steps(x: f64) -> i32 {
    let mut n = 0;
    let mut y = x;
    loop {
        for _ in 0..2 {
            y *= 0.5;
            if y < 1.0 {
                return n;
            }
        }
        n += 1;
        if n > 50 {
            return -1;
        }
    }
}

// run: steps(0.5) == 0 && steps(16.0) == 2 && steps(f64::INFINITY) == -1

/* translation
int steps(double x_)
{
    int done_ = 0;
    int result_;
    int n_ = 0;
    double y_ = x_;
    while (1) {
        {
            for (int t1_ = 0; t1_ < 2; t1_ = t1_ + 1) {
                y_ = y_ * 0x1p-1;
                if (y_ < 0x1p+0) {
                    result_ = n_;
                    done_ = 1;
                    break;
                }
            }
            if (done_) break;
        }
        n_ = as_int(as_uint(n_) + as_uint(1));
        if (n_ > 50) {
            result_ = (-1);
            done_ = 1;
            break;
        }
    }
    return result_;
}
*/
