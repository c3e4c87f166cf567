//! Every kind of loop; ranges that end at the type's limits; labels.
#[kernel]
fn ranges(n: i32) -> i32 {
    let mut s = 0;
    for i in 0..n {
        s += i;
    }
    for i in (0..=n).rev() {
        s ^= i;
    }
    for k in u32::MAX - 2..=u32::MAX {
        s += (k & 1) as i32;
    }
    while s > 100 {
        s /= 2;
    }
    s
}

#[kernel]
fn labels(n: u64) -> u64 {
    let mut found = 0;
    'outer: for i in 0..n {
        for j in 0..n {
            if i * j == 12 {
                found = i;
                break 'outer;
            }
            if j > i {
                continue 'outer;
            }
        }
    }
    found
}

#[kernel]
fn value_of_loop(x: f64) -> f64 {
    let mut y = x;
    let z = loop {
        y *= 0.5;
        if y < 1.0 {
            break y;
        }
    };
    'block: {
        if z > 0.75 {
            break 'block z;
        }
        -z
    }
}

// run: ranges(5) == (10 ^ 5 ^ 4 ^ 3 ^ 2 ^ 1) + 2
// run: labels(10u64) == 3u64
// run: value_of_loop(3.5) == 0.875 && value_of_loop(4.0) == -0.5

/* translation
int ranges(int n_)
{
    int s_ = 0;
    {
        int t1_ = n_;
        for (int t2_ = 0; t2_ < t1_; t2_ = t2_ + 1) {
            int i_ = t2_;
            s_ = as_int(as_uint(s_) + as_uint(i_));
        }
    }
    {
        int t3_ = n_;
        int t4_ = t3_;
        int t5_ = 0 <= t3_;
        for (; t5_; t5_ = t4_ > 0, t4_ = t4_ - (int)t5_) {
            int i_2 = t4_;
            s_ = s_ ^ i_2;
        }
    }
    {
        uint t6_ = 4294967295u - 2u;
        uint t7_ = t6_;
        int t8_ = t6_ <= 4294967295u;
        for (; t8_; t8_ = t7_ < 4294967295u, t7_ = t7_ + (uint)t8_) {
            uint k_ = t7_;
            s_ = as_int(as_uint(s_) + as_uint(as_int((uint)(k_ & 1u))));
        }
    }
    while (s_ > 100) {
        s_ = gm_div_i32(s_, 2);
    }
    return s_;
}
ulong labels(ulong n_)
{
    ulong found_ = 0UL;
    {
        ulong t1_ = n_;
        for (ulong t2_ = 0UL; t2_ < t1_; t2_ = t2_ + 1UL) {
            ulong i_ = t2_;
            {
                {
                    ulong t3_ = n_;
                    for (ulong t4_ = 0UL; t4_ < t3_; t4_ = t4_ + 1UL) {
                        ulong j_ = t4_;
                        if ((i_ * j_) == 12UL) {
                            found_ = i_;
                            goto break_0;
                        }
                        if (j_ > i_) {
                            goto continue_0;
                        }
                    }
                }
            }
            continue_0: ;
        }
        break_0: ;
    }
    return found_;
}
double value_of_loop(double x_)
{
    double y_ = x_;
    double z_;
    while (1) {
        y_ = y_ * 0x1p-1;
        if (y_ < 0x1p+0) {
            z_ = y_;
            break;
        }
    }
    double t1_;
    {
        if (z_ > 0x1.8p-1) {
            t1_ = z_;
            goto break_1;
        }
        t1_ = -z_;
    }
    break_1: ;
    return t1_;
}
*/
