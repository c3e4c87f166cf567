//! `if` and `match` as values and as statements.
#[kernel]
fn sign(x: f64) -> i32 {
    if x > 0.0 {
        1
    } else if x < 0.0 {
        -1
    } else {
        0
    }
}

#[kernel]
fn classify(n: i32, flag: bool) -> i32 {
    let base = match n {
        0 => 10,
        1 | 2 => 20,
        3..=9 => {
            if flag {
                return -1;
            }
            30
        }
        k if k > 100 => k,
        _ => 0,
    };
    base + match flag { true => 1, false => 0 }
}

// run: sign(2.5) == 1 && sign(-0.0) == 0 && sign(f64::NAN) == 0
// run: classify(5, true) == -1 && classify(5, false) == 30 && classify(200, true) == 201

/* translation
int gm_sign(double x_)
{
    if (x_ > 0x0p+0) {
        return 1;
    } else if (x_ < 0x0p+0) {
        return (-1);
    } else {
        return 0;
    }
}
int classify(int n_, int flag_)
{
    flag_ = flag_ != 0;
    int base_;
    int t1_ = n_;
    if (t1_ == 0) {
        base_ = 10;
    } else {
        if (t1_ == 1 || t1_ == 2) {
            base_ = 20;
        } else {
            if ((t1_ >= 3 && t1_ <= 9)) {
                {
                    if (flag_) {
                        return (-1);
                    }
                    base_ = 30;
                }
            } else {
                {
                    int k_ = t1_;
                    int t2_ = 1;
                    if (t2_) {
                        t2_ = k_ > 100;
                    }
                    if (t2_) {
                        base_ = k_;
                    } else {
                        base_ = 0;
                    }
                }
            }
        }
    }
    int t3_ = base_;
    int t4_;
    int t5_ = flag_;
    if (t5_ == 1) {
        t4_ = 1;
    } else {
        t4_ = 0;
    }
    return as_int(as_uint(t3_) + as_uint(t4_));
}
*/
