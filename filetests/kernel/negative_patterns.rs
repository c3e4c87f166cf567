//! Negative literals and the smallest integers, as values and as patterns.
#[kernel]
fn f(n: i32) -> i32 {
    match n {
        -1 => 5,
        -9..=-3 => 6,
        i32::MIN..=-10 => 7,
        _ => -2147483648,
    }
}

#[kernel]
fn g(n: i64) -> i64 {
    n ^ -9223372036854775808
}

// run: f(-1) == 5 && f(-4) == 6 && f(i32::MIN) == 7 && f(0) == i32::MIN
// run: g(0i64) == i64::MIN

/* translation
int f(int n_)
{
    int t1_ = n_;
    if (t1_ == (-1)) {
        return 5;
    } else {
        if ((t1_ >= (-9) && t1_ <= (-3))) {
            return 6;
        } else {
            if ((t1_ >= (-2147483647 - 1) && t1_ <= (-10))) {
                return 7;
            } else {
                return (-2147483647 - 1);
            }
        }
    }
}
long g(long n_)
{
    return n_ ^ (-9223372036854775807L - 1L);
}
*/
