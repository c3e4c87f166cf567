#![allow(warnings, overflowing_literals, clippy::all)]
// Random kernels, seed 1: see generate.rs.
use gristmill_kernel::{Function, kernel};

#[kernel]
struct S0 { f0: (f64, i32, i64), f1: (f64, bool, u64), f2: bool }

#[kernel]
struct S1 { f0: u32, f1: (f32, bool, i32), f2: S0, f3: [i64; 2] }

#[kernel]
struct S2 { f0: f64, f1: [f64; 2] }

#[kernel]
struct S3 { f0: u64, f1: S0, f2: (usize, u64, i64), f3: S1, f4: [i32; 4] }

#[kernel]
const C0: [f64; 3] = [1e-300, 1e300, 5e-324];

#[kernel]
const C1: f64 = f64::NAN;

#[kernel]
const C2: [f64; 6] = [9.3e18, 2.0, (-0.0), 9.3e18, (-1.0), 9.3e18];

#[kernel]
const C3: [[f32; 4]; 2] = [[3.0e38f32, 1.0f32, 0.0f32, 3.0e38f32], [f32::NAN, 3.0e38f32, 1.0f32, (-1.5f32)]];

#[kernel]
const C4: [[f64; 2]; 2] = [[5e-324, 0.0], [2.0, 9.3e18]];

#[kernel]
const C5: [[f64; 4]; 3] = [[f64::NAN, (-1.0), 9.3e18, 1e300], [(-0.0), f64::MAX, f64::NAN, f64::INFINITY], [(-1.0), f64::MAX, 1e300, f64::NAN]];

#[kernel]
const C6: u64 = 2u64;

#[kernel]
const C7: f64 = (-0.0);

#[kernel(inline)]
fn k0_in(p0: i32, p1: usize) -> bool {
    let mut dice: u64 = { let h: u64 = ({ let q1_0: usize = p1; (q1_0 as u64) } ^ { let h: u64 = ({ let q0_0: i32 = p0; (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    if (((dice >> 4) & 7u64) > 3u64) { let u1: i64; if (((if (((dice >> 35) & 7u64) != 2u64) {  p1 } else if (((dice >> 39) & 1u64) > 0u64) { return false; } else { p1 })) == (p1)) { u1 = {   ((dice >> 30) as i64) }; } else { u1 = ((dice >> 33) as i64); }   } else if true {    } else {   }
    ((((dice >> 40) & 1u64) <= 0u64) ^ ((dice >> 9) & 1u64 == 1u64))
}
#[kernel(inline)]
fn k0_main(p0: i32, p1: usize) -> i64 {
    let mut dice: u64 = { let h: u64 = ({ let q1_0: usize = p1; (q1_0 as u64) } ^ { let h: u64 = ({ let q0_0: i32 = p0; (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    let mut w1 = 0i32; 'l1: loop { w1 += 1; if w1 > 4 || (((dice >> 30) & 7u64) == 4u64) { break; } let mut w2 = 0i32; 'l2: loop { w2 += 1; if w2 > 2 || (((dice >> 9) & 3u64) == 3u64) { break; } if (((dice >> 23) & 7u64) == 7u64) { break; } let (mut v3, v4b): (i32, usize) = (((false) as i32), (((-1.5f32)) as usize)); if (true & false) { continue 'l1; }  } if (match (((dice >> 1) % 12) as u32) { 1 => ((p1) != (p1)), 4 | 6..=9 => { { (((dice >> 26) & 15u64) != 13u64) } }, x if x > 10u32 => { false } _ => ((p1) >= (p1)) }) { dice ^= dice >> 23; dice *= 0x2545F4914F6CDD1Du64;   } else if (if (((dice >> 38) & 3u64) > 0u64) { if (((dice >> 47) & 3u64) != 2u64) {    } ((((dice >> 6) as i64)) < ((-29i64))) } else {  true }) {    } else {   }  }
    (i64::wrapping_add({ let t5: (i64, u64) = (i64::min(((dice >> 37) as i64), 28i64), 48u64); t5.0 }, ((dice >> 21) as i64)) ^ ((dice >> 5) as i64))
}
#[kernel(inline)]
fn k0_rest_in(p0: i32, p1: usize) -> bool {
    let mut dice: u64 = { let h: u64 = ({ let q1_0: usize = p1; (q1_0 as u64) } ^ { let h: u64 = ({ let q0_0: i32 = p0; (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    'l2: for v1 in (u64::MIN..=u64::MIN + 0).rev() { let u5: bool; if (((dice >> 46) & 7u64) <= 0u64) { u5 = { if (((dice >> 9) & 3u64) == 2u64) {  let mut a3: (u64, i64) = (u64::MAX, i64::MAX);  } else if (((dice >> 51) & 1u64) != 1u64) {  let u4: f64; if (((dice >> 36) & 3u64) == 0u64) { u4 = {  1.0 }; } else { u4 = (-0.0); }  } else {   }  false }; } else { u5 = false; } if (((dice >> 0) & 1u64) <= 0u64) { continue 'l2; }  if (((dice >> 48) & 1u64) == 0u64) { break 'l2; } dice ^= dice >> 17; dice *= 0x9E3779B97F4A7C15u64;  }
    (((dice >> 10) & 3u64) > 0u64)
}
#[kernel(inline)]
fn k0_rest_main(p0: i32, p1: usize) -> i64 {
    let mut dice: u64 = { let h: u64 = ({ let q1_0: usize = p1; (q1_0 as u64) } ^ { let h: u64 = ({ let q0_0: i32 = p0; (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    let mut v5: f32 = (if ((((dice >> 42) & 3u64) <= 2u64) || ((((dice >> 26) & 3u64) > 0u64) || ((((dice >> 51) & 3u64) == 1u64) & true))) { f32::copysign((({ let mut n1 = 0u32; 'l1: loop { n1 += 1; if n1 > 3 { break i64::MIN; }    if true { break ((dice >> 54) as i64); } } }) as f32), f32::round_ties_even((if (((dice >> 24) & 15u64) <= 1u64) { ((dice >> 52) as f32) } else {  ((dice >> 49) as f32) }))) } else { let (mut v3, v4b): (f32, f32) = ((match (((dice >> 11) % 12) as usize) { 2 => { let t2: (f32, u64) = ((-0.0f32), ((dice >> 34) as u64)); t2.0 }, 4 | 6..=9 => {  if (((dice >> 16) & 3u64) <= 0u64) {    } else if (((dice >> 30) & 3u64) != 0u64) {    } else {   } 0.1f32 }, x if x > 10usize => { 3.0e38f32 } _ => 1.0f32 }), f32::INFINITY);  v4b });
    { let z6: f32 = v5; dice = (dice ^ (f32::to_bits(z6) as u64)).rotate_left(55) * 0x9E3779B97F4A7C15u64; }
    (i64::MAX ^ ((dice >> 4) as i64))
}
#[kernel]
fn k0_rest_rest(p0: i32, p1: usize) -> i64 {
    let mut dice: u64 = { let h: u64 = ({ let q1_0: usize = p1; (q1_0 as u64) } ^ { let h: u64 = ({ let q0_0: i32 = p0; (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    dice ^= dice >> 23; dice *= 0x2545F4914F6CDD1Du64;
    let mut v1: f32 = { let r: f32 = C3[(u32::wrapping_rem(u32::count_ones(37u32), 2) as usize)][(u32::wrapping_rem(f32::to_bits(((dice >> 48) as f32)), 4) as usize)]; r };
    { let z2: f32 = v1; dice = (dice ^ (f32::to_bits(z2) as u64)).rotate_left(9) * 0x9E3779B97F4A7C15u64; }
    ((({ let r: i64 = i64::min(((dice >> 37) as i64), (-16i64)); r } + { let r: i64 = i64::max(59i64, i64::MAX); r }) ^ ((!(-48i64)) | { let x3: i32 = p0; let x4: usize = p1; let r: i64 = k0_rest_main(x3, x4); r })) ^ ((dice >> 11) as i64))
}
#[kernel(masked)]
fn k0_rest(p0: i32, p1: usize) -> i64 {
    if k0_rest_in(p0, p1) { k0_rest_main(p0, p1) } else { k0_rest_rest(p0, p1) }
}
#[kernel(masked)]
pub fn k0(p0: i32, p1: usize) -> i64 {
    if k0_in(p0, p1) { k0_main(p0, p1) } else { k0_rest(p0, p1) }
}

#[kernel]
fn h1(p0: &mut S1, p1: &mut S2, p2: &mut (f64, i64)) -> S2 {
    let mut dice: u64 = { let h: u64 = ({ let q2_1: i64 = (*p2).1; (q2_1 as u64) } ^ { let h: u64 = ({ let q2_0: f64 = (*p2).0; f64::to_bits(q2_0) } ^ { let h: u64 = ({ let q1_1: f64 = (*p1).f1[0]; f64::to_bits(q1_1) } ^ { let h: u64 = ({ let q1_0: f64 = (*p1).f0; f64::to_bits(q1_0) } ^ { let h: u64 = ({ let q0_2: bool = ({ let w: (f32, bool, i32) = (*p0).f1; w }).1; (q0_2 as u64) } ^ { let h: u64 = ({ let q0_1: f32 = ({ let w: (f32, bool, i32) = (*p0).f1; w }).0; (f32::to_bits(q0_1) as u64) } ^ { let h: u64 = ({ let q0_0: u32 = (*p0).f0; (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    match (dice >> 11) & 7u64 { 0 | 1 => { 'l2: for v1 in usize::MAX - 5..=usize::MAX { let mut v3: usize = ({ let r: usize = v1; r } - { let r: usize = (({ let r: usize = v1; r }) >> ({ let r: usize = ((dice >> 33) as usize); r })); r }); (*p1).f1[usize::wrapping_rem(usize::wrapping_shl(v1, ((dice >> 32) as u32)), 2)] += { let r: f64 = ({ let r: f64 = (*p1).f0; r } - ('l4: { if true { break 'l4 (1e300); }   0.0 })); r }; dice ^= dice >> 17; dice *= 0x9E3779B97F4A7C15u64;  } let mut v6: f64 = ({ let t5: (f64, f64) = ((((dice >> 33) as f64) - 0.5), (0.5 / ((dice >> 48) as f64))); t5.1 } + ((((dice >> 7) as i32)) as f64));  } 2 => { return S2 { f0: f64::NAN, f1: [0.5; 2] }; } x if x > 5 => {   } _ => {} }
    { let z7: u32 = (*p0).f0; dice = (dice ^ (z7 as u64)).rotate_left(58) * 0x9E3779B97F4A7C15u64; }
    { let z8: i64 = (*p0).f3[(((dice >> 38) % 2) as usize)]; dice = (dice ^ (z8 as u64)).rotate_left(17) * 0x9E3779B97F4A7C15u64; }
    { let z9: f64 = (*p1).f0; dice = (dice ^ f64::to_bits(z9)).rotate_left(60) * 0x9E3779B97F4A7C15u64; }
    { let z10: f64 = (*p1).f1[1]; dice = (dice ^ f64::to_bits(z10)).rotate_left(36) * 0x9E3779B97F4A7C15u64; }
    { let z11: f64 = (*p2).0; dice = (dice ^ f64::to_bits(z11)).rotate_left(6) * 0x9E3779B97F4A7C15u64; }
    { let z12: i64 = (*p2).1; dice = (dice ^ (z12 as u64)).rotate_left(21) * 0x9E3779B97F4A7C15u64; }
    S2 { f1: [{ let t13: (f64, f64) = (((dice >> 35) as f64), 1e300); t13.1 }, 3.75], f0: ((dice >> 56) as f64) }
}
#[kernel]
fn k1_setup(p0: i32) -> S0 {
    let mut dice: u64 = { let h: u64 = ({ let q0_0: i32 = p0; (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    'l2: for v1 in u64::MAX - 3..=u64::MAX { if { let mut n3 = 0u32; 'l3: loop { n3 += 1; if n3 > 3 { break ((((dice >> 15) & 1u64) != 1u64) | (((dice >> 51) & 15u64) == 10u64)); }    if ((((dice >> 3) as i32)) >= (p0)) { break (!true); } } } { break; } 'l5: for v4 in u64::MAX - 2..=u64::MAX { let mut a6: [u64; 4] = [({ let r: u64 = u64::MAX; r } / { let r: u64 = v4; r }), v1, { let r: u64 = C6; r }, v1]; if { dice = dice * 6364136223846793005u64 + 1442695040888963407u64; (((dice >> 42) & 7u64) != 3u64) } { continue; }   }  }
    S0 { f1: (((1.0f32) as f64), ((((dice >> 5) as usize)) != (usize::MIN)), 68u64), f2: (((dice >> 39) & 15u64) != 9u64), f0: (1e-300, p0, i64::MAX) }
}
#[kernel(inline)]
fn k1_eval(p0: usize, p1: S0, p2: i32) -> f64 {
    let mut dice: u64 = { let h: u64 = ({ let q2_0: i32 = p2; (q2_0 as u64) } ^ { let h: u64 = ({ let q1_2: i64 = ({ let w: (f64, i32, i64) = p1.f0; w }).2; (q1_2 as u64) } ^ { let h: u64 = ({ let q1_1: i32 = ({ let w: (f64, i32, i64) = p1.f0; w }).1; (q1_1 as u64) } ^ { let h: u64 = ({ let q1_0: f64 = ({ let w: (f64, i32, i64) = p1.f0; w }).0; f64::to_bits(q1_0) } ^ { let h: u64 = ({ let q0_0: usize = p0; (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    let mut w1 = 0i32; 'l1: while w1 < 4 && (match (((dice >> 26) % 12) as i32) { 1 => true, 4 | 6..=9 => {   false }, x if x > 10i32 => { true } _ => false }) { w1 += 1; let u8: f32; if (((dice >> 56) & 1u64) <= 0u64) { u8 = { if ((((dice >> 51) as f32)) < (((dice >> 44) as f32))) { let mut w2 = 0i32; 'l2: while w2 < 3 { w2 += 1;   dice ^= dice >> 17; dice *= 0x9E3779B97F4A7C15u64;  } if (((dice >> 41) & 7u64) == 3u64) { continue 'l1; }  } else if (((dice >> 56) & 3u64) != 1u64) { let (mut v3, v4b): (i64, f64) = (((dice >> 48) as i64), 0.0); v3 += { let r: i64 = i64::wrapping_mul(((dice >> 52) as i64), ((dice >> 56) as i64)); r };  } else { let mut w5 = 0i32; 'l5: while w5 < 2 { w5 += 1;   if (((dice >> 49) & 7u64) > 6u64) { continue; }  }  } let mut v6: i64 = ((3.75) as i64); { let t7: (f32, u32) = (f32::max(((dice >> 40) as f32), 3.0e38f32), ((dice >> 13) as u32)); t7.0 } }; } else { u8 = 0.1f32; }  if (((dice >> 33) & 7u64) <= 1u64) { break; }  }
    (if (((dice >> 20) & 1u64) <= 0u64) { { let t9: (u64, f64) = (((dice >> 38) as u64), (f64::copysign(((dice >> 40) as f64), 1e300) / ((dice >> 53) as f64))); t9.1 } } else { (dice >> 14) as f64 })
}
#[kernel(split)]
pub fn k1(p0: usize, p1: i32, p2: i32) -> f64 {
    k1_eval(p0, k1_setup(p1), p2)
}

#[kernel(inline)]
pub fn k2(p0: f64, p1: i32, p2: i64, p3: f64) -> (bool, i64, usize) {
    let mut dice: u64 = { let h: u64 = ({ let q3_0: f64 = p3; f64::to_bits(q3_0) } ^ { let h: u64 = ({ let q2_0: i64 = p2; (q2_0 as u64) } ^ { let h: u64 = ({ let q1_0: i32 = p1; (q1_0 as u64) } ^ { let h: u64 = ({ let q0_0: f64 = p0; f64::to_bits(q0_0) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    let (mut v4, v5b): (f64, f64) = ({ let r: f64 = C2[(u32::wrapping_rem(u32::rotate_left(12u32, 17u32), 6) as usize)]; r }, ({ let x1: usize = 52usize; let x2: S0 = S0 { f1: (p3, true, 36u64), f2: true, f0: (p3, 13i32, 9i64) }; let x3: i32 = ({ let r: i32 = p1; r } % { let r: i32 = p1; r }); let r: f64 = k1_eval(x1, x2, x3); r } + (p0 + f64::signum(1e300))));
    let mut v9: i32 = ({ let r: i32 = ({ let r: i32 = i32::wrapping_abs((p1 ^ p1)); r } % { let r: i32 = ({ let r: i32 = (p1 ^ i32::MAX); r } * { let r: i32 = ('l6: { if (((dice >> 6) & 1u64) <= 0u64) { break 'l6 (p1); }   p1 }); r }); r }); r } + { let r: i32 = i32::min(i32::max((if { dice = dice * 6364136223846793005u64 + 1442695040888963407u64; (((dice >> 4) & 3u64) != 0u64) } {  p1 } else { p1 }), ((p2) as i32)), (if f32::is_sign_negative(((dice >> 45) as f32)) { if { dice = dice * 6364136223846793005u64 + 1442695040888963407u64; (((dice >> 21) & 7u64) <= 4u64) } { return ((((dice >> 12) & 1u64) != 1u64), p2, 2usize); } let mut a8: [f64; 4] = [1.0, p3, 3.75, p0]; i32::wrapping_sub(p1, p1) } else { 64i32 })); r });
    { let z10: f64 = v4; dice = (dice ^ f64::to_bits(z10)).rotate_left(35) * 0x9E3779B97F4A7C15u64; }
    { let z11: i32 = v9; dice = (dice ^ (z11 as u64)).rotate_left(55) * 0x9E3779B97F4A7C15u64; }
    ({ let x12: i32 = i32::wrapping_div((v9 | v9), p1); let x13: usize = ((dice >> 17) as usize); let r: bool = k0_rest_in(x12, x13); r }, (p2 ^ ((dice >> 11) as i64)), (54usize ^ ((dice >> 19) as usize)))
}

#[kernel]
pub fn k3(p0: f32, p1: u64, p2: u64, p3: f32) -> (u32, i64, i64) {
    let mut dice: u64 = { let h: u64 = ({ let q3_0: f32 = p3; (f32::to_bits(q3_0) as u64) } ^ { let h: u64 = ({ let q2_0: u64 = p2; (q2_0 as u64) } ^ { let h: u64 = ({ let q1_0: u64 = p1; (q1_0 as u64) } ^ { let h: u64 = ({ let q0_0: f32 = p0; (f32::to_bits(q0_0) as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    { let z1: u64 = p2; dice = (dice ^ (z1 as u64)).rotate_left(49) * 0x9E3779B97F4A7C15u64; }
    'l3: for v2 in 2i64..(((dice >> 14) % 6) as i64) { let mut v9: f64 = ({ let t5: (f64, u32) = ({ let mut n6 = 0u32; 'l6: loop { n6 += 1; if n6 > 0 { break 3.75; }    if { dice = dice * 6364136223846793005u64 + 1442695040888963407u64; (((dice >> 46) & 7u64) > 5u64) } { break 1.0; } } }, ({ let r: u32 = 27u32; r } * { let r: u32 = ((dice >> 50) as u32); r })); t5.0 } + { let t7: (f64, u64) = ((0.0 * (-1.0)), { let r: u64 = C6; r }); t7.0 }); if ((usize::wrapping_shl(68usize, 6u32)) == (usize::rotate_right(usize::MAX, ((dice >> 58) as u32)))) { let mut v11: f32 = { let r: f32 = C3[(u32::wrapping_rem(({ let r: u32 = u32::MAX; r } * { let r: u32 = 30u32; r }), 2) as usize)][usize::wrapping_rem((({ let r: usize = 11usize; r }) << ({ let r: i32 = ((dice >> 5) as i32); r })), 4)]; r };   } else { if { dice = dice * 6364136223846793005u64 + 1442695040888963407u64; (((dice >> 47) & 7u64) != 0u64) } { continue; } let mut v15: f64 = { let x12: usize = ({ let r: usize = ((dice >> 23) as usize); r } / { let r: usize = usize::MAX; r }); let x13: S0 = S0 { f0: (v9, i32::MAX, v2), f1: (v9, true, p1), f2: (((dice >> 49) & 1u64) <= 0u64) }; let x14: i32 = i32::MAX; let r: f64 = k1_eval(x12, x13, x14); r };  } if (((dice >> 57) & 7u64) <= 0u64) { continue 'l3; } dice ^= dice >> 17; dice *= 0x9E3779B97F4A7C15u64;  }
    ((u32::wrapping_div((({ let r: u32 = u32::max(u32::MIN, ((dice >> 29) as u32)); r }) << ({ let r: i32 = (((dice >> 57) as i32) | i32::MIN); r })), 31u32) ^ ((dice >> 0) as u32)), ({ let r: i64 = (match (((dice >> 22) % 12) as i64) { 0 => (({ let r: i64 = ((dice >> 27) as i64); r }) << ({ let r: i32 = ((dice >> 25) as i32); r })), 4 | 6..=9 => { ({ let r: i64 = (-63i64); r } / { let r: i64 = ((dice >> 20) as i64); r }) }, x if x > 10i64 => { return (u32::MIN, ((dice >> 3) as i64), 13i64); } _ => ({ let r: i64 = 69i64; r } % { let r: i64 = (-49i64); r }) }); r } - { let r: i64 = 43i64; r }), i64::MIN)
}

#[kernel]
fn h2(p0: (u64, u64, f64), p1: &mut S2) -> (u32, f64, u32) {
    let mut dice: u64 = { let h: u64 = ({ let q1_1: f64 = (*p1).f1[0]; f64::to_bits(q1_1) } ^ { let h: u64 = ({ let q1_0: f64 = (*p1).f0; f64::to_bits(q1_0) } ^ { let h: u64 = ({ let q0_2: f64 = p0.2; f64::to_bits(q0_2) } ^ { let h: u64 = ({ let q0_1: u64 = p0.1; (q0_1 as u64) } ^ { let h: u64 = ({ let q0_0: u64 = p0.0; (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    if { if (((dice >> 41) & 7u64) <= 3u64) { match (dice >> 26) & 7u64 { 0 | 1 => {    } 2 => { return (10u32, 4503599627370497.5, 54u32); } x if x > 5 => {   } _ => {} } (*p1).f1[(u32::wrapping_rem(50u32, 2) as usize)] = { let r: f64 = (if (((dice >> 48) & 3u64) == 2u64) { ((dice >> 15) as f64) } else { ((dice >> 40) as f64) }); r };  } else if (((dice >> 39) & 1u64) == 1u64) { let mut v1: f64 = (if (((dice >> 43) & 3u64) <= 2u64) {   2.0 } else {  (-2147483648.5) }); v1 = { let r: f64 = ('l2: { if (((dice >> 41) & 3u64) > 1u64) { break 'l2 (v1); }   v1 }); r };  } else {   }  true } {    }
    { let z3: f64 = (*p1).f0; dice = (dice ^ f64::to_bits(z3)).rotate_left(13) * 0x9E3779B97F4A7C15u64; }
    { let z4: f64 = (*p1).f1[(((dice >> 4) % 2) as usize)]; dice = (dice ^ f64::to_bits(z4)).rotate_left(58) * 0x9E3779B97F4A7C15u64; }
    ((((dice >> 3) as u32) ^ ((dice >> 1) as u32)), (if (((dice >> 27) & 15u64) != 14u64) { 1e-300 } else { (dice >> 11) as f64 }), (u32::MIN ^ ((dice >> 18) as u32)))
}
#[kernel(inline)]
fn k4_in(p0: f64) -> bool {
    let mut dice: u64 = { let h: u64 = ({ let q0_0: f64 = p0; f64::to_bits(q0_0) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    if (((dice >> 12) & 15u64) != 1u64) {    } else { if { dice = dice * 6364136223846793005u64 + 1442695040888963407u64; (((dice >> 5) & 15u64) == 9u64) } { return ('l1: { if (((dice >> 49) & 1u64) > 0u64) { break 'l1 ((if (((dice >> 29) & 1u64) != 1u64) { true } else { false })); }   (((dice >> 41) & 1u64) <= 0u64) }); }   }
    (f64::is_finite(((p0 * p0) + (-(p0)))) ^ ((dice >> 17) & 1u64 == 1u64))
}
#[kernel(inline)]
fn k4_main(p0: f64) -> i32 {
    let mut dice: u64 = { let h: u64 = ({ let q0_0: f64 = p0; f64::to_bits(q0_0) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    let (mut v6, v7b): (f64, f64) = (f64::mul_add({ let x1: usize = ({ let r: usize = ((dice >> 3) as usize); r } % { let r: usize = 10usize; r }); let x2: S0 = S0 { f0: (p0, (-12i32), i64::MIN), f1: (p0, true, ((dice >> 53) as u64)), f2: true }; let x3: i32 = (((dice >> 13) as i32) ^ i32::MAX); let r: f64 = k1_eval(x1, x2, x3); r }, (-(f64::min(p0, p0))), { let r: f64 = C5[(((dice >> 0) % 3) as usize)][(((dice >> 1) % 4) as usize)]; r }), (({ let x4: i32 = i32::MAX; let x5: usize = 41usize; let r: i64 = k0_main(x4, x5); r }) as f64));
    dice ^= dice >> 23; dice *= 0x2545F4914F6CDD1Du64;
    let (mut v8, v9b): (f64, usize) = ({ let r: f64 = C1; r }, usize::max((!({ let r: usize = ((dice >> 39) as usize); r } % { let r: usize = ((dice >> 20) as usize); r })), (({ let r: usize = { 64usize }; r }) << ({ let r: i64 = 54i64; r }))));
    { let z10: f64 = v6; dice = (dice ^ f64::to_bits(z10)).rotate_left(8) * 0x9E3779B97F4A7C15u64; }
    { let z11: f64 = v8; dice = (dice ^ f64::to_bits(z11)).rotate_left(59) * 0x9E3779B97F4A7C15u64; }
    ((!('l12: { if (((dice >> 52) & 1u64) <= 0u64) { break 'l12 (i32::MAX); } let mut v14: usize = { let t13: (i64, usize) = (59i64, v9b); t13.1 };  i32::MIN })) ^ ((dice >> 15) as i32))
}
#[kernel]
fn k4_rest(p0: f64) -> i32 {
    let mut dice: u64 = { let h: u64 = ({ let q0_0: f64 = p0; f64::to_bits(q0_0) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    let u6: f64; if (((dice >> 14) & 1u64) == 0u64) { u6 = { { let z1: f64 = p0; dice = (dice ^ f64::to_bits(z1)).rotate_left(29) * 0x9E3779B97F4A7C15u64; } { let r: f64 = C2[(u32::wrapping_rem(f32::to_bits(f32::NAN), 6) as usize)]; r } }; } else { u6 = { let t2: (f64, f64) = ({ let x3: usize = { 26usize }; let x4: i32 = (if (((dice >> 12) & 3u64) != 2u64) {   ((dice >> 52) as i32) } else {  i32::MAX }); let x5: i32 = i32::rotate_left(i32::MAX, ((dice >> 20) as u32)); let r: f64 = k1(x3, x4, x5); r }, 1.0); t2.1 }; }
    if (((dice >> 37) & 15u64) == 13u64) { return ({ let r: i32 = (({ let r: i32 = ((dice >> 52) as i32); r }) << ({ let r: u32 = 64u32; r })); r } + { let r: i32 = i32::min(i32::MAX, ((dice >> 41) as i32)); r }); }
    let mut a7: [bool; 3] = [{ let x8: i32 = ((dice >> 18) as i32); let x9: usize = ((dice >> 30) as usize); let r: bool = k0_in(x8, x9); r }, false, (((dice >> 10) & 1u64) <= 0u64)];
    { let z10: bool = a7[usize::wrapping_rem(45usize, 3)]; dice = (dice ^ (z10 as u64)).rotate_left(62) * 0x9E3779B97F4A7C15u64; }
    (((f64::to_bits(((dice >> 60) as f64)) ^ (!17u64))) as i32)
}
#[kernel(masked)]
pub fn k4(p0: f64) -> i32 {
    if k4_in(p0) { k4_main(p0) } else { k4_rest(p0) }
}

#[kernel]
pub fn k5(p0: u64, p1: f64, p2: f64) -> f64 {
    let mut dice: u64 = { let h: u64 = ({ let q2_0: f64 = p2; f64::to_bits(q2_0) } ^ { let h: u64 = ({ let q1_0: f64 = p1; f64::to_bits(q1_0) } ^ { let h: u64 = ({ let q0_0: u64 = p0; (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    if true { return (((p0) as f64) / { let x1: usize = 41usize; let x2: i32 = i32::MAX; let x3: i32 = i32::MIN; let r: f64 = k1(x1, x2, x3); r }); }
    { let z4: u64 = p0; dice = (dice ^ (z4 as u64)).rotate_left(35) * 0x9E3779B97F4A7C15u64; }
    let mut w5 = 0i32; 'l5: while w5 < 5 && (((dice >> 28) & 1u64) > 0u64) { w5 += 1;  if (((dice >> 39) & 15u64) == 4u64) { break 'l5; } let mut a6: [u32; 5] = [f32::to_bits((-1.5f32)); 5];  }
    let mut v7: f64 = { let r: f64 = C1; r };
    let mut v8: f64 = f64::from_bits(f64::to_bits(((p2 * p1) + { let r: f64 = C4[0][(((dice >> 12) % 2) as usize)]; r })));
    { let z9: f64 = v7; dice = (dice ^ f64::to_bits(z9)).rotate_left(5) * 0x9E3779B97F4A7C15u64; }
    { let z10: f64 = v8; dice = (dice ^ f64::to_bits(z10)).rotate_left(50) * 0x9E3779B97F4A7C15u64; }
    (if (((dice >> 41) & 3u64) != 2u64) { (match (((dice >> 49) % 12) as i32) { 0 => f64::max({ let t11: (f64, f32) = (v8, ((dice >> 55) as f32)); t11.0 }, (p2 + v7)), 4 | 6..=9 => { let u13: u64; if (((dice >> 54) & 15u64) == 7u64) { u13 = { let mut v12: u32 = (({ let r: u32 = ((dice >> 27) as u32); r }) << ({ let r: i32 = 31i32; r })); v7 /= { let r: f64 = { v7 }; r }; { let r: u64 = C6; r } }; } else { u13 = 60u64; } let mut w14 = 0i32; 'l14: while w14 < 3 && (((dice >> 32) & 1u64) <= 0u64) { w14 += 1; let mut a15: [bool; 4] = [true; 4]; let mut v16: i64 = (({ let r: i64 = i64::MAX; r }) << ({ let r: usize = ((dice >> 19) as usize); r }));  } (-(v7)) }, x if x > 10i32 => { return { let mut n17 = 0u32; 'l17: loop { n17 += 1; if n17 > 2 { break ((v7) as f64); } if (((dice >> 49) & 1u64) > 0u64) { break (p1); } let u18: f32; if (((dice >> 44) & 7u64) != 2u64) { u18 = {   (-0.0f32) }; } else { u18 = 3.0e38f32; }  if true { break p1; } } }; } _ => v7 }) } else { (dice >> 15) as f64 })
}

#[kernel(inline)]
pub fn k6(p0: i32, p1: f64, p2: f64, p3: f64) -> f64 {
    let mut dice: u64 = { let h: u64 = ({ let q3_0: f64 = p3; f64::to_bits(q3_0) } ^ { let h: u64 = ({ let q2_0: f64 = p2; f64::to_bits(q2_0) } ^ { let h: u64 = ({ let q1_0: f64 = p1; f64::to_bits(q1_0) } ^ { let h: u64 = ({ let q0_0: i32 = p0; (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    let mut w1 = 0i32; 'l1: loop { w1 += 1; if w1 > 4 || ({ dice = dice * 6364136223846793005u64 + 1442695040888963407u64; (((dice >> 3) & 1u64) == 1u64) } ^ (((dice >> 3) & 1u64) == 0u64)) { break; } 'l3: for v2 in 1u32..(((dice >> 38) % 6) as u32) {   if (((dice >> 22) & 1u64) != 1u64) { continue; }  } let mut a4: [f32; 4] = [f32::mul_add(3.0e38f32, f32::NAN, ((dice >> 57) as f32)), {  ((dice >> 56) as f32) }, (1.0f32 / (-1.5f32)), ((dice >> 54) as f32)];  }
    let mut v5: f32 = f32::copysign(3.0e38f32, (f32::copysign(f32::copysign(1.0f32, (-1.5f32)), ((-1.5f32) * ((dice >> 52) as f32))) + (((((dice >> 5) as u32)) as f32) - (-(1.0f32)))));
    { let z6: f32 = v5; dice = (dice ^ (f32::to_bits(z6) as u64)).rotate_left(1) * 0x9E3779B97F4A7C15u64; }
    (if (((dice >> 34) & 1u64) != 0u64) { p2 } else { (if (((dice >> 27) & 7u64) <= 4u64) { if false {    }  f64::round_ties_even((-0.0)) } else { (1e-300 + f64::INFINITY) }) })
}

#[kernel]
fn h3(p0: &mut (u64, f64)) -> [u64; 3] {
    let mut dice: u64 = { let h: u64 = ({ let q0_1: f64 = (*p0).1; f64::to_bits(q0_1) } ^ { let h: u64 = ({ let q0_0: u64 = (*p0).0; (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    'l2: for v1 in (((dice >> 27) % 4) as i32)..=2i32 { if ((((dice >> 41) & 3u64) != 0u64) && true) { let mut w3 = 0i32; 'l3: while w3 < 1 { w3 += 1; let mut v2: f64 = { let t4: (f64, f64) = ((-0.0), ((dice >> 40) as f64)); t4.0 }; let mut v6: usize = (({ let r: usize = usize::MAX; r }) >> ({ let r: i32 = v1; r }));  } if (((dice >> 15) & 1u64) != 1u64) { { let z7: u64 = (*p0).0; dice = (dice ^ (z7 as u64)).rotate_left(43) * 0x9E3779B97F4A7C15u64; } (*p0) = { let y: (u64, f64) = (*p0); y };  } else { let mut w8 = 0i32; 'l8: loop { w8 += 1; if w8 > 3 || (((dice >> 55) & 1u64) > 0u64) { break; }   dice ^= dice >> 17; dice *= 0x9E3779B97F4A7C15u64;  } if (((dice >> 25) & 7u64) <= 4u64) {    } else {    }  }  } else if false {    } else {   } if (((dice >> 4) & 7u64) != 7u64) { break; }  dice ^= dice >> 17; dice *= 0x9E3779B97F4A7C15u64;  }
    { let z9: u64 = (*p0).0; dice = (dice ^ (z9 as u64)).rotate_left(23) * 0x9E3779B97F4A7C15u64; }
    { let z10: f64 = (*p0).1; dice = (dice ^ f64::to_bits(z10)).rotate_left(26) * 0x9E3779B97F4A7C15u64; }
    [13u64, ((dice >> 10) as u64), 18u64]
}
#[kernel(inline)]
pub fn k7(p0: f32, p1: i64, p2: u32, p3: f32) -> (f64, usize) {
    let mut dice: u64 = { let h: u64 = ({ let q3_0: f32 = p3; (f32::to_bits(q3_0) as u64) } ^ { let h: u64 = ({ let q2_0: u32 = p2; (q2_0 as u64) } ^ { let h: u64 = ({ let q1_0: i64 = p1; (q1_0 as u64) } ^ { let h: u64 = ({ let q0_0: f32 = p0; (f32::to_bits(q0_0) as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    'l2: for v1 in 2i64..3i64 {  if (((dice >> 52) & 3u64) == 0u64) { break 'l2; } let mut a3: S1 = S1 { f3: [{ let x4: i32 = (-13i32); let x5: usize = ((dice >> 17) as usize); let r: i64 = k0_rest_main(x4, x5); r }, (!((dice >> 43) as i64))], f0: p2, f1: (f32::from_bits(p2), { let x6: i32 = 25i32; let x7: usize = usize::MIN; let r: bool = k0_rest_in(x6, x7); r }, (if (((dice >> 10) & 7u64) != 2u64) {   i32::MIN } else if true { break; } else {   46i32 })), f2: S0 { f0: ((-0.0), ((dice >> 32) as i32), p1), f1: (0.5, true, ((dice >> 58) as u64)), f2: (((dice >> 45) & 3u64) > 0u64) } };  }
    let u8: u32; if (((dice >> 21) & 1u64) > 0u64) { u8 = { 22u32 }; } else { u8 = ((i32::min((-40i32), ((-4i32) ^ ((dice >> 9) as i32)))) as u32); }
    if ((((dice >> 57) as f64)) != ({ let t9: (f64, i32) = (('l10: { if { dice = dice * 6364136223846793005u64 + 1442695040888963407u64; (((dice >> 30) & 3u64) > 1u64) } { break 'l10 ((-0.0)); }   ((dice >> 14) as f64) }), ((dice >> 42) as i32)); t9.0 })) {  let mut a11: [bool; 4] = [(if true { (((dice >> 40) & 7u64) <= 3u64) } else if { dice = dice * 6364136223846793005u64 + 1442695040888963407u64; (((dice >> 34) & 1u64) == 1u64) } { return (3.75, 20usize); } else {  true }); 4];  } else {    }
    ((if (((dice >> 53) & 15u64) != 6u64) { ((dice >> 50) as f64) } else { (dice >> 25) as f64 }), (({ let r: usize = ((dice >> 51) as usize); r }) >> ({ let r: i64 = i64::min(p1, i64::max(p1, p1)); r })))
}

#[kernel(inline)]
fn h4(p0: &mut (i32, i32, f64), p1: &mut (usize, i64, u64)) -> (u32, f64) {
    let mut dice: u64 = { let h: u64 = ({ let q1_2: u64 = (*p1).2; (q1_2 as u64) } ^ { let h: u64 = ({ let q1_1: i64 = (*p1).1; (q1_1 as u64) } ^ { let h: u64 = ({ let q1_0: usize = (*p1).0; (q1_0 as u64) } ^ { let h: u64 = ({ let q0_2: f64 = (*p0).2; f64::to_bits(q0_2) } ^ { let h: u64 = ({ let q0_1: i32 = (*p0).1; (q0_1 as u64) } ^ { let h: u64 = ({ let q0_0: i32 = (*p0).0; (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    let mut a1: S0 = S0 { f2: ((((dice >> 18) as f64)) != ((-0.0))), f0: ((1.0 / std::f64::consts::PI), (!((dice >> 26) as i32)), ('l2: { if { dice = dice * 6364136223846793005u64 + 1442695040888963407u64; (((dice >> 1) & 3u64) == 2u64) } { break 'l2 (33i64); }   (-97i64) })), f1: ({ let r: f64 = C1; r }, { let x3: f64 = 0.1; let r: bool = k4_in(x3); r }, { u64::MAX }) };
    let mut v3: f64 = { let mut n4 = 0u32; 'l4: loop { n4 += 1; if n4 > 4 { break f64::mul_add({ let r: f64 = C0[(((dice >> 3) % 3) as usize)]; r }, (f64::NAN + (-(((dice >> 25) as f64)))), { let t5: (f32, f64) = (0.0f32, f64::min(((dice >> 59) as f64), 3.75)); t5.1 }); }    if true { break f64::MAX; } } };
    { let z8: i32 = (*p0).0; dice = (dice ^ (z8 as u64)).rotate_left(32) * 0x9E3779B97F4A7C15u64; }
    { let z9: i32 = (*p0).1; dice = (dice ^ (z9 as u64)).rotate_left(10) * 0x9E3779B97F4A7C15u64; }
    { let z10: f64 = (*p0).2; dice = (dice ^ f64::to_bits(z10)).rotate_left(17) * 0x9E3779B97F4A7C15u64; }
    { let z11: usize = (*p1).0; dice = (dice ^ (z11 as u64)).rotate_left(40) * 0x9E3779B97F4A7C15u64; }
    { let z12: i64 = (*p1).1; dice = (dice ^ (z12 as u64)).rotate_left(47) * 0x9E3779B97F4A7C15u64; }
    { let z13: u64 = (*p1).2; dice = (dice ^ (z13 as u64)).rotate_left(5) * 0x9E3779B97F4A7C15u64; }
    { let z14: bool = a1.f2; dice = (dice ^ (z14 as u64)).rotate_left(1) * 0x9E3779B97F4A7C15u64; }
    { let z15: f64 = v3; dice = (dice ^ f64::to_bits(z15)).rotate_left(58) * 0x9E3779B97F4A7C15u64; }
    ((u32::MIN ^ ((dice >> 0) as u32)), (if (((dice >> 19) & 3u64) <= 2u64) { v3 } else { (dice >> 28) as f64 }))
}
#[kernel]
pub fn k8(p0: f64) -> (i32, i32) {
    let mut dice: u64 = { let h: u64 = ({ let q0_0: f64 = p0; f64::to_bits(q0_0) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    let mut v3: f64 = ((usize::wrapping_shr(({ let r: usize = ({ let r: usize = usize::MAX; r } % { let r: usize = ((dice >> 33) as usize); r }); r } % { let r: usize = (!1usize); r }), ('l1: { if { dice = dice * 6364136223846793005u64 + 1442695040888963407u64; (((dice >> 39) & 3u64) != 0u64) } { break 'l1 (u32::wrapping_div(u32::MAX, 33u32)); } let mut a2: S0 = S0 { f2: true, f0: (p0, (-8i32), ((dice >> 22) as i64)), f1: (p0, true, 34u64) };  (match (((dice >> 16) % 12) as u32) { 2 => ((dice >> 30) as u32), 4 | 6..=9 => {  u32::MIN }, x if x > 10u32 => { u32::MAX } _ => 15u32 }) }))) as f64);
    let mut a4: [f64; 4] = [f64::mul_add(p0, p0, ((dice >> 26) as f64)), { let r: f64 = C0[1]; r }, (-((-2147483648.5))), (-(v3))];
    let mut w6 = 0i32; 'l6: while w6 < 5 { w6 += 1; if true { let _ = { let mut m7: S1 = S1 { f1: ((-1.5f32), false, ((dice >> 23) as i32)), f2: S0 { f2: false, f0: (p0, ((dice >> 58) as i32), ((dice >> 51) as i64)), f1: (((dice >> 35) as f64), false, ((dice >> 35) as u64)) }, f3: [i64::MAX, ((dice >> 53) as i64)], f0: u32::MIN }; let mut m8: S2 = S2 { f0: p0, f1: [v3; 2] }; let mut m9: (f64, i64) = ((p0 * 1e-300), (-90i64)); let r: S2 = h1(&mut m7, &mut m8, &mut m9); r };   } else if true {    } else {   } if false { return (((dice >> 37) as i32), (-64i32)); }  dice ^= dice >> 17; dice *= 0x9E3779B97F4A7C15u64;  }
    { let z10: f64 = v3; dice = (dice ^ f64::to_bits(z10)).rotate_left(38) * 0x9E3779B97F4A7C15u64; }
    { let z11: f64 = a4[(u32::wrapping_rem(((dice >> 1) as u32), 4) as usize)]; dice = (dice ^ f64::to_bits(z11)).rotate_left(44) * 0x9E3779B97F4A7C15u64; }
    ((-90i32), ((dice >> 30) as i32))
}

#[kernel(inline)]
fn h5(p0: &mut bool, p1: [i32; 3], p2: &mut f64) -> S3 {
    let mut dice: u64 = { let h: u64 = ({ let q2_0: f64 = (*p2); f64::to_bits(q2_0) } ^ { let h: u64 = ({ let q1_0: i32 = p1[0]; (q1_0 as u64) } ^ { let h: u64 = ({ let q0_0: bool = (*p0); (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    (*p2) += { let r: f64 = (*p2); r };
    let mut w1 = 0i32; 'l1: while w1 < 3 { w1 += 1; if (((dice >> 36) & 1u64) > 0u64) { if (((dice >> 28) & 3u64) <= 2u64) { if (*p0) {    } if { dice = dice * 6364136223846793005u64 + 1442695040888963407u64; (((dice >> 0) & 7u64) != 1u64) } {    } else {    }  } else if (*p0) { let mut v2: f32 = ((dice >> 49) as f32); match (dice >> 12) & 7u64 { 0 | 1 => {    } 2 => { break; } x if x > 5 => {   } _ => {} }  } else { let u3: f32; if (((dice >> 44) & 15u64) != 7u64) { u3 = { 1.0f32 }; } else { u3 = ((dice >> 56) as f32); }  } { let z4: f64 = (*p2); dice = (dice ^ f64::to_bits(z4)).rotate_left(26) * 0x9E3779B97F4A7C15u64; }  } else {    } if (*p0) { break 'l1; }  if (((dice >> 4) & 3u64) <= 0u64) { break; } dice ^= dice >> 17; dice *= 0x9E3779B97F4A7C15u64;  }
    { let z5: bool = (*p0); dice = (dice ^ (z5 as u64)).rotate_left(7) * 0x9E3779B97F4A7C15u64; }
    { let z6: f64 = (*p2); dice = (dice ^ f64::to_bits(z6)).rotate_left(51) * 0x9E3779B97F4A7C15u64; }
    S3 { f0: (({ let r: u64 = 34u64; r }) << ({ let r: i64 = 37i64; r })), f1: S0 { f2: (*p0), f0: ((*p2), ((dice >> 53) as i32), 0i64), f1: ((*p2), (*p0), 7u64) }, f2: (usize::MIN, 59u64, 14i64), f3: S1 { f2: S0 { f2: (*p0), f0: (0.1, i32::MAX, ((dice >> 54) as i64)), f1: ((*p2), (*p0), u64::MAX) }, f3: [(-17i64), i64::MAX], f0: ((dice >> 52) as u32), f1: ((-0.0f32), (*p0), ((dice >> 33) as i32)) }, f4: [(-74i32); 4] }
}
#[kernel]
pub fn k9(p0: i64, p1: f64) -> i64 {
    let mut dice: u64 = { let h: u64 = ({ let q1_0: f64 = p1; f64::to_bits(q1_0) } ^ { let h: u64 = ({ let q0_0: i64 = p0; (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    dice ^= dice >> 23; dice *= 0x2545F4914F6CDD1Du64;
    let mut a1: [u64; 4] = [u64::wrapping_rem(((dice >> 56) as u64), 29u64); 4];
    { let z2: u64 = a1[(u32::wrapping_rem(u32::MAX, 4) as usize)]; dice = (dice ^ (z2 as u64)).rotate_left(22) * 0x9E3779B97F4A7C15u64; }
    i64::min({ let t3: (i64, i32) = (({ let r: i64 = p0; r } + { let r: i64 = p0; r }), { let x4: f64 = f64::MAX; let r: i32 = k4_main(x4); r }); t3.0 }, (if { dice = dice * 6364136223846793005u64 + 1442695040888963407u64; (((dice >> 12) & 1u64) > 0u64) } { dice ^= dice >> 23; dice *= 0x2545F4914F6CDD1Du64; let (mut v5, v6b): (f32, u64) = ((-0.0f32), u64::MIN); i64::min(p0, (-36i64)) } else { a1[(((dice >> 26) % 4) as usize)] |= { let r: u64 = 37u64; r }; let mut w7 = 0i32; 'l7: while w7 < 5 { w7 += 1;   if (((dice >> 15) & 15u64) != 9u64) { return i64::MIN; }  } ({ let r: i64 = 51i64; r } * { let r: i64 = p0; r }) }))
}

#[kernel]
fn h6(p0: &mut u32, p1: f64, p2: &mut f64) -> S3 {
    let mut dice: u64 = { let h: u64 = ({ let q2_0: f64 = (*p2); f64::to_bits(q2_0) } ^ { let h: u64 = ({ let q1_0: f64 = p1; f64::to_bits(q1_0) } ^ { let h: u64 = ({ let q0_0: u32 = (*p0); (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    (*p0) <<= { let r: u32 = (!(({ let r: u32 = ({ let r: u32 = (*p0); r } / { let r: u32 = { let mut n1 = 0u32; 'l1: loop { n1 += 1; if n1 > 4 { break (*p0); }    if true { break (*p0); } } }; r }); r }) >> ({ let r: u32 = ({ let r: u32 = ({ let r: u32 = 45u32; r } * { let r: u32 = (*p0); r }); r } - { let r: u32 = { let y2: (u32, f64) = { let mut m3: (i32, i32, f64) = ({ let t4: (usize, i32) = (usize::MIN, 57i32); t4.1 }, ((dice >> 3) as i32), ((p1) as f64)); let mut m5: (usize, i64, u64) = (({ let r: usize = usize::MIN; r } / { let r: usize = 12usize; r }), i64::MAX, u64::rotate_right(42u64, (*p0))); let r: (u32, f64) = h4(&mut m3, &mut m5); r }; let r: u32 = y2.0; r }; r }); r }))); r };
    let mut a6: S0 = S0 { f0: ((*p2), ((dice >> 33) as i32), ((dice >> 34) as i64)), f1: ((*p2), (((dice >> 8) & 7u64) == 4u64), 21u64), f2: false };
    { let z7: u32 = (*p0); dice = (dice ^ (z7 as u64)).rotate_left(18) * 0x9E3779B97F4A7C15u64; }
    { let z8: f64 = (*p2); dice = (dice ^ f64::to_bits(z8)).rotate_left(19) * 0x9E3779B97F4A7C15u64; }
    { let z9: bool = a6.f2; dice = (dice ^ (z9 as u64)).rotate_left(18) * 0x9E3779B97F4A7C15u64; }
    { let mut m10: bool = { let r: bool = a6.f2; r }; let x11: [i32; 3] = [((dice >> 59) as i32), ((dice >> 56) as i32), 62i32]; let r: S3 = h5(&mut m10, x11, &mut (*p2)); r }
}
#[kernel(inline)]
pub fn k10(p0: u32, p1: f64) -> u32 {
    let mut dice: u64 = { let h: u64 = ({ let q1_0: f64 = p1; f64::to_bits(q1_0) } ^ { let h: u64 = ({ let q0_0: u32 = p0; (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    if (((dice >> 15) & 3u64) <= 0u64) { if (((dice >> 25) & 1u64) != 0u64) { return u32::max((({ let r: u32 = p0; r }) << ({ let r: usize = 11usize; r })), ((0.1f32) as u32)); } let u4: f64; if ((((-69i32)) <= (((dice >> 37) as i32))) ^ { let t1: (f64, bool) = (p1, true); t1.1 }) { u4 = { let v3: i32 = i32::max(i32::wrapping_shr(((dice >> 30) as i32), u32::MIN), (({ let r: i32 = ((dice >> 14) as i32); r }) << ({ let r: u32 = 49u32; r }))); ((p1 + ((dice >> 33) as f64)) / f64::max(p1, 4503599627370497.5)) }; } else { u4 = f64::from_bits({ let r: u64 = C6; r }); }  } else {  'l6: for v5 in (u64::MIN..=u64::MIN + 4).rev() {  if (((dice >> 27) & 3u64) <= 2u64) { break; } let u9: f32; if { dice = dice * 6364136223846793005u64 + 1442695040888963407u64; (((dice >> 36) & 7u64) != 2u64) } { u9 = { let mut a7: S1 = S1 { f1: (((dice >> 44) as f32), (((dice >> 23) & 15u64) == 8u64), ((dice >> 53) as i32)), f2: S0 { f0: (p1, ((dice >> 2) as i32), ((dice >> 42) as i64)), f1: (p1, (((dice >> 24) & 1u64) != 0u64), v5), f2: (((dice >> 4) & 15u64) > 5u64) }, f3: [((dice >> 25) as i64), (-34i64)], f0: p0 }; let mut a8: (f32, u32, usize) = ((-1.5f32), p0, usize::MIN); 3.0e38f32 }; } else { u9 = 0.0f32; } if (((dice >> 42) & 1u64) != 1u64) { break; } dice ^= dice >> 17; dice *= 0x9E3779B97F4A7C15u64;  }  }
    ('l10: { if (((dice >> 19) & 1u64) <= 0u64) { break 'l10 ({ let mut a11: S3 = S3 { f4: [((dice >> 21) as i32), ((dice >> 54) as i32), (-27i32), (-35i32)], f0: u64::MAX, f1: S0 { f0: ((-1.0), ((dice >> 51) as i32), ((dice >> 16) as i64)), f1: (p1, false, u64::MIN), f2: (((dice >> 33) & 3u64) > 2u64) }, f2: (67usize, ((dice >> 39) as u64), i64::MAX), f3: S1 { f0: 30u32, f1: (0.1f32, true, 10i32), f2: S0 { f1: (p1, (((dice >> 54) & 15u64) != 14u64), 10u64), f2: (((dice >> 46) & 1u64) <= 0u64), f0: (p1, ((dice >> 58) as i32), ((dice >> 52) as i64)) }, f3: [12i64, ((dice >> 52) as i64)] } }; p0 }); }   p0 })
}

#[kernel(inline)]
fn h7(p0: (i64, f64, u32), p1: &mut (u32, bool), p2: &mut S1) -> f64 {
    let mut dice: u64 = { let h: u64 = ({ let q2_2: bool = ({ let w: (f32, bool, i32) = (*p2).f1; w }).1; (q2_2 as u64) } ^ { let h: u64 = ({ let q2_1: f32 = ({ let w: (f32, bool, i32) = (*p2).f1; w }).0; (f32::to_bits(q2_1) as u64) } ^ { let h: u64 = ({ let q2_0: u32 = (*p2).f0; (q2_0 as u64) } ^ { let h: u64 = ({ let q1_1: bool = (*p1).1; (q1_1 as u64) } ^ { let h: u64 = ({ let q1_0: u32 = (*p1).0; (q1_0 as u64) } ^ { let h: u64 = ({ let q0_2: u32 = p0.2; (q0_2 as u64) } ^ { let h: u64 = ({ let q0_1: f64 = p0.1; f64::to_bits(q0_1) } ^ { let h: u64 = ({ let q0_0: i64 = p0.0; (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    let mut v10: bool = (({ if (((dice >> 8) & 15u64) > 3u64) { return f64::copysign(3.75, (-2147483648.5)); } ('l1: { if ((((dice >> 28) as f64)) == (f64::INFINITY)) { break 'l1 ({ let x2: usize = usize::MIN; let x3: S0 = S0 { f2: (((dice >> 40) & 3u64) <= 2u64), f0: (((dice >> 13) as f64), i32::MIN, i64::MAX), f1: (1.0, false, 48u64) }; let x4: i32 = 20i32; let r: f64 = k1_eval(x2, x3, x4); r }); } let mut w5 = 0i32; 'l5: while w5 < 5 && false { w5 += 1;  if (((dice >> 14) & 3u64) != 1u64) { break; }   }  { let x6: i32 = 36i32; let x7: f64 = 9.3e18; let x8: f64 = ((dice >> 37) as f64); let x9: f64 = ((dice >> 14) as f64); let r: f64 = k6(x6, x7, x8, x9); r } }) }) == (((dice >> 32) as f64)));
    { let z11: u32 = (*p1).0; dice = (dice ^ (z11 as u64)).rotate_left(4) * 0x9E3779B97F4A7C15u64; }
    { let z12: bool = (*p1).1; dice = (dice ^ (z12 as u64)).rotate_left(9) * 0x9E3779B97F4A7C15u64; }
    { let z13: u32 = (*p2).f0; dice = (dice ^ (z13 as u64)).rotate_left(2) * 0x9E3779B97F4A7C15u64; }
    { let z14: i64 = (*p2).f3[(((dice >> 26) % 2) as usize)]; dice = (dice ^ (z14 as u64)).rotate_left(46) * 0x9E3779B97F4A7C15u64; }
    { let z15: bool = v10; dice = (dice ^ (z15 as u64)).rotate_left(27) * 0x9E3779B97F4A7C15u64; }
    { { let mut n16 = 0u32; 'l16: loop { n16 += 1; if n16 > 2 { break (((dice >> 54) as f64) + 0.1); }    if v10 { break 5e-324; } } } }
}
#[kernel(inline)]
fn k11_setup(p0: bool, p1: bool) -> S0 {
    let mut dice: u64 = { let h: u64 = ({ let q1_0: bool = p1; (q1_0 as u64) } ^ { let h: u64 = ({ let q0_0: bool = p0; (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    'l2: for v1 in 1i64..3i64 { if { dice = dice * 6364136223846793005u64 + 1442695040888963407u64; (((dice >> 40) & 3u64) <= 1u64) } { return S0 { f0: (5e-324, (({ let r: i32 = i32::MAX; r }) << ({ let r: u32 = 51u32; r })), ({ let r: i64 = v1; r } + { let r: i64 = v1; r })), f1: (f64::floor(((dice >> 32) as f64)), (p0 ^ p0), (53u64 | u64::MAX)), f2: ((i32::MAX) <= (((dice >> 6) as i32))) }; }  if (((dice >> 37) & 7u64) > 5u64) { break; }  }
    S0 { f2: ('l3: { if { dice = dice * 6364136223846793005u64 + 1442695040888963407u64; (((dice >> 7) & 1u64) != 1u64) } { break 'l3 (p1); }   p0 }), f0: (f64::copysign(1e300, 0.0), i32::MAX, i64::MIN), f1: (1e-300, p0, ((dice >> 21) as u64)) }
}
#[kernel(inline)]
fn k11_eval_in(p0: f64, p1: S0, p2: bool) -> bool {
    let mut dice: u64 = { let h: u64 = ({ let q2_0: bool = p2; (q2_0 as u64) } ^ { let h: u64 = ({ let q1_2: i64 = ({ let w: (f64, i32, i64) = p1.f0; w }).2; (q1_2 as u64) } ^ { let h: u64 = ({ let q1_1: i32 = ({ let w: (f64, i32, i64) = p1.f0; w }).1; (q1_1 as u64) } ^ { let h: u64 = ({ let q1_0: f64 = ({ let w: (f64, i32, i64) = p1.f0; w }).0; f64::to_bits(q1_0) } ^ { let h: u64 = ({ let q0_0: f64 = p0; f64::to_bits(q0_0) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    if (((dice >> 23) & 1u64) > 0u64) { let mut w1 = 0i32; 'l1: loop { w1 += 1; if w1 > 5 || (((dice >> 6) & 1u64) == 0u64) { break; } 'l3: for v2 in (0u64..1u64).rev() { let mut a4: [f64; 4] = [p0, p0, (-2147483648.5), p0]; if (((dice >> 28) & 3u64) == 0u64) { continue 'l3; } let mut v5: i32 = 41i32;  }   }   } else {    }
    (f64::is_infinite({ let r: f64 = C0[(((dice >> 33) % 3) as usize)]; r }) ^ ((dice >> 11) & 1u64 == 1u64))
}
#[kernel(inline)]
fn k11_eval_main(p0: f64, p1: S0, p2: bool) -> (f64, usize) {
    let mut dice: u64 = { let h: u64 = ({ let q2_0: bool = p2; (q2_0 as u64) } ^ { let h: u64 = ({ let q1_2: i64 = ({ let w: (f64, i32, i64) = p1.f0; w }).2; (q1_2 as u64) } ^ { let h: u64 = ({ let q1_1: i32 = ({ let w: (f64, i32, i64) = p1.f0; w }).1; (q1_1 as u64) } ^ { let h: u64 = ({ let q1_0: f64 = ({ let w: (f64, i32, i64) = p1.f0; w }).0; f64::to_bits(q1_0) } ^ { let h: u64 = ({ let q0_0: f64 = p0; f64::to_bits(q0_0) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    let u7: u64; if { let mut n1 = 0u32; 'l1: loop { n1 += 1; if n1 > 2 { break (if (((dice >> 48) & 7u64) <= 6u64) { let mut w2 = 0i32; 'l2: while w2 < 4 && { dice = dice * 6364136223846793005u64 + 1442695040888963407u64; (((dice >> 46) & 15u64) <= 10u64) } { w2 += 1;   if (((dice >> 13) & 1u64) == 0u64) { continue 'l2; } dice ^= dice >> 17; dice *= 0x9E3779B97F4A7C15u64;  } ((((dice >> 42) as usize)) > (usize::MAX)) } else { (((dice >> 43) & 3u64) <= 1u64) }); } let v4: f32 = 0.0f32; match (dice >> 1) & 7u64 { 0 | 1 => { let (mut v5, v3b): (i64, i64) = (i64::MAX, i64::MIN); if p2 {    } else if p2 {    } else {   }  } 2 => { break (((67u64) <= (21u64))); } x if x > 5 => { if (((dice >> 40) & 3u64) <= 1u64) {    }  } _ => {} }  if (((dice >> 23) & 3u64) == 3u64) { break p2; } } } { u7 = {  ((dice >> 16) as u64) }; } else { u7 = 22u64; }
    ((if (((dice >> 18) & 3u64) != 1u64) { ({ let r: f64 = ({ let w: (f64, bool, u64) = p1.f1; w }).0; r } + ({ let t8: (usize, f64) = (((dice >> 31) as usize), p0); t8.1 } - { let x9: (i64, f64, u32) = (((dice >> 37) as i64), p0, u32::MAX); let mut m10: (u32, bool) = (((dice >> 55) as u32), p2); let mut m11: S1 = S1 { f1: (0.1f32, p2, ((dice >> 10) as i32)), f2: p1, f3: [((dice >> 2) as i64), 39i64], f0: 10u32 }; let r: f64 = h7(x9, &mut m10, &mut m11); r })) } else { (dice >> 25) as f64 }), (30usize ^ ((dice >> 7) as usize)))
}
#[kernel]
fn k11_eval_rest(p0: f64, p1: S0, p2: bool) -> (f64, usize) {
    let mut dice: u64 = { let h: u64 = ({ let q2_0: bool = p2; (q2_0 as u64) } ^ { let h: u64 = ({ let q1_2: i64 = ({ let w: (f64, i32, i64) = p1.f0; w }).2; (q1_2 as u64) } ^ { let h: u64 = ({ let q1_1: i32 = ({ let w: (f64, i32, i64) = p1.f0; w }).1; (q1_1 as u64) } ^ { let h: u64 = ({ let q1_0: f64 = ({ let w: (f64, i32, i64) = p1.f0; w }).0; f64::to_bits(q1_0) } ^ { let h: u64 = ({ let q0_0: f64 = p0; f64::to_bits(q0_0) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    'l2: for v1 in (((dice >> 13) % 4) as i32)..=2i32 { if ((((((dice >> 24) & 3u64) > 0u64) | p2)) <= (((i64::MIN) <= (43i64)))) {  let mut a7: S3 = S3 { f2: (usize::MAX, 26u64, 19i64), f3: S1 { f2: S0 { f0: (p0, v1, i64::MIN), f1: (p0, p2, 8u64), f2: p2 }, f3: [16i64, ((dice >> 26) as i64)], f0: ((dice >> 45) as u32), f1: (((dice >> 54) as f32), p2, 50i32) }, f4: [((dice >> 12) as i32), 68i32, v1, v1], f0: ((dice >> 14) as u64), f1: S0 { f1: (p0, p2, u64::MAX), f2: p2, f0: (f64::INFINITY, v1, 65i64) } };  } else {    }   }
    ((if (((dice >> 56) & 15u64) > 12u64) { p0 } else { (dice >> 26) as f64 }), (((dice >> 51) as usize) ^ ((dice >> 18) as usize)))
}
#[kernel(masked)]
fn k11_eval(p0: f64, p1: S0, p2: bool) -> (f64, usize) {
    if k11_eval_in(p0, p1, p2) { k11_eval_main(p0, p1, p2) } else { k11_eval_rest(p0, p1, p2) }
}
#[kernel(split)]
pub fn k11(p0: bool, p1: bool, p2: f64, p3: bool) -> (f64, usize) {
    k11_eval(p2, k11_setup(p3, p0), p1)
}

#[kernel]
fn k12_setup(p0: f64) -> S0 {
    let mut dice: u64 = { let h: u64 = ({ let q0_0: f64 = p0; f64::to_bits(q0_0) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    let mut v9: f64 = ('l1: { if { dice = dice * 6364136223846793005u64 + 1442695040888963407u64; (((dice >> 41) & 7u64) == 2u64) } { break 'l1 (p0); }   { let x2: u64 = (({ let r: u64 = { let r: u64 = C6; r }; r }) >> ({ let r: u32 = u32::wrapping_shl(u32::MAX, u32::MAX); r })); let x3: f64 = (f64::from_bits(55u64) - { let x4: i32 = i32::MAX; let x5: f64 = ((dice >> 36) as f64); let x6: f64 = p0; let x7: f64 = p0; let r: f64 = k6(x4, x5, x6, x7); r }); let x8: f64 = { let r: f64 = C7; r }; let r: f64 = k5(x2, x3, x8); r } });
    { let z10: f64 = v9; dice = (dice ^ f64::to_bits(z10)).rotate_left(51) * 0x9E3779B97F4A7C15u64; }
    { let x11: bool = (((if (((dice >> 16) & 15u64) <= 2u64) {   ((dice >> 26) as i64) } else if (((dice >> 56) & 1u64) == 1u64) { return S0 { f1: ((-0.0), true, 61u64), f2: false, f0: (v9, 8i32, 58i64) }; } else {  ((dice >> 27) as i64) })) != (28i64)); let x12: bool = false; let r: S0 = k11_setup(x11, x12); r }
}
#[kernel(inline)]
fn k12_eval(p0: u32, p1: S0) -> bool {
    let mut dice: u64 = { let h: u64 = ({ let q1_2: i64 = ({ let w: (f64, i32, i64) = p1.f0; w }).2; (q1_2 as u64) } ^ { let h: u64 = ({ let q1_1: i32 = ({ let w: (f64, i32, i64) = p1.f0; w }).1; (q1_1 as u64) } ^ { let h: u64 = ({ let q1_0: f64 = ({ let w: (f64, i32, i64) = p1.f0; w }).0; f64::to_bits(q1_0) } ^ { let h: u64 = ({ let q0_0: u32 = p0; (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    dice ^= dice >> 23; dice *= 0x2545F4914F6CDD1Du64;
    let mut v1: bool = (((true ^ ((0.1f32) != (((dice >> 57) as f32))))) == (false));
    'l3: for v2 in 1usize..(((dice >> 42) % 6) as usize) { if (((dice >> 1) & 3u64) == 2u64) { let (mut v4, v9b): (usize, f64) = ((v2 & v2), { let x4: i32 = 49i32; let x5: f64 = 1.0; let x6: f64 = 1.0; let x7: f64 = 9.3e18; let r: f64 = k6(x4, x5, x6, x7); r }); if { dice = dice * 6364136223846793005u64 + 1442695040888963407u64; (((dice >> 33) & 1u64) > 0u64) } { continue; }  } else if { dice = dice * 6364136223846793005u64 + 1442695040888963407u64; (((dice >> 23) & 1u64) > 0u64) } { let v10: u64 = u64::wrapping_add((match p0 { 1 => ((dice >> 32) as u64), 4 | 6..=9 => {   18u64 }, x if x > 10u32 => { break; } _ => ((dice >> 39) as u64) }), f64::to_bits(((dice >> 40) as f64))); 'l12: for v11 in (1u32..2u32).rev() { if (((dice >> 49) & 3u64) == 3u64) { return v1; } let u13: usize; if v1 { u13 = { ((dice >> 0) as usize) }; } else { u13 = v2; } dice ^= dice >> 17; dice *= 0x9E3779B97F4A7C15u64;  }  } else {   }   }
    { let z14: bool = v1; dice = (dice ^ (z14 as u64)).rotate_left(20) * 0x9E3779B97F4A7C15u64; }
    (!f64::is_sign_positive((((dice >> 51) as f64) * ((dice >> 48) as f64))))
}
#[kernel(split)]
pub fn k12(p0: u32, p1: f64) -> bool {
    k12_eval(p0, k12_setup(p1))
}

#[kernel]
fn h8(p0: &mut [bool; 5], p1: u32, p2: [u32; 2]) -> S1 {
    let mut dice: u64 = { let h: u64 = ({ let q2_0: u32 = p2[0]; (q2_0 as u64) } ^ { let h: u64 = ({ let q1_0: u32 = p1; (q1_0 as u64) } ^ { let h: u64 = ({ let q0_0: bool = (*p0)[0]; (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    let mut a1: [u32; 4] = [({ let r: u32 = p1; r } * { let r: u32 = p1; r }), (({ let r: u32 = u32::MAX; r }) >> ({ let r: u32 = p1; r })), ((dice >> 13) as u32), u32::wrapping_shl(p1, 45u32)];
    let _ = { let mut m2: S1 = S1 { f0: p1, f1: ((-0.0f32), false, ((dice >> 58) as i32)), f2: S0 { f2: false, f0: (3.75, ((dice >> 8) as i32), ((dice >> 26) as i64)), f1: (5e-324, false, u64::MIN) }, f3: [i64::MIN, ((dice >> 55) as i64)] }; let mut m3: S2 = S2 { f0: ((dice >> 53) as f64), f1: [0.0, 1e300] }; let mut m4: (f64, i64) = (f64::from_bits(u64::MIN), i64::MAX); let r: S2 = h1(&mut m2, &mut m3, &mut m4); r };
    { let z5: bool = (*p0)[(((dice >> 41) % 5) as usize)]; dice = (dice ^ (z5 as u64)).rotate_left(62) * 0x9E3779B97F4A7C15u64; }
    { let z6: u32 = a1[1]; dice = (dice ^ (z6 as u64)).rotate_left(44) * 0x9E3779B97F4A7C15u64; }
    S1 { f0: { let x7: u32 = p1; let x8: f64 = (-1.0); let r: u32 = k10(x7, x8); r }, f1: (f32::from_bits(p1), { let r: bool = (*p0)[(u32::wrapping_rem(p1, 5) as usize)]; r }, (-18i32)), f2: { let x9: bool = false; let x10: bool = true; let r: S0 = k11_setup(x9, x10); r }, f3: [11i64, ((dice >> 10) as i64)] }
}
#[kernel]
fn k13_setup(p0: f64) -> S2 {
    let mut dice: u64 = { let h: u64 = ({ let q0_0: f64 = p0; f64::to_bits(q0_0) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    let mut w1 = 0i32; 'l1: while w1 < 3 { w1 += 1; match (dice >> 14) & 7u64 { 0 | 1 => { if (((dice >> 51) & 15u64) == 5u64) { let mut a2: S2 = S2 { f1: [p0, p0], f0: p0 }; a2.f1[(u32::wrapping_rem(((dice >> 8) as u32), 2) as usize)] /= { let r: f64 = (if (((dice >> 5) & 1u64) == 1u64) {   p0 } else {   0.0 }); r };  } else {    }   } 2 => { continue; } x if x > 5 => {   } _ => {} }   }
    { let mut m3: S1 = S1 { f2: S0 { f1: (p0, false, u64::MIN), f2: true, f0: (p0, (-56i32), ((dice >> 46) as i64)) }, f3: [54i64, (-23i64)], f0: 4u32, f1: (0.1f32, (((dice >> 23) & 3u64) != 1u64), 33i32) }; let mut m4: S2 = S2 { f0: p0, f1: [p0; 2] }; let mut m5: (f64, i64) = (p0, ((dice >> 39) as i64)); let r: S2 = h1(&mut m3, &mut m4, &mut m5); r }
}
#[kernel(inline)]
fn k13_eval_in(p0: u64, p1: S2) -> bool {
    let mut dice: u64 = { let h: u64 = ({ let q1_1: f64 = p1.f1[0]; f64::to_bits(q1_1) } ^ { let h: u64 = ({ let q1_0: f64 = p1.f0; f64::to_bits(q1_0) } ^ { let h: u64 = ({ let q0_0: u64 = p0; (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    dice ^= dice >> 23; dice *= 0x2545F4914F6CDD1Du64;
    f64::is_sign_positive({ let r: f64 = C0[(u32::wrapping_rem({ let t1: (u32, u32) = (((dice >> 4) as u32), 54u32); t1.0 }, 3) as usize)]; r })
}
#[kernel(inline)]
fn k13_eval_main(p0: u64, p1: S2) -> bool {
    let mut dice: u64 = { let h: u64 = ({ let q1_1: f64 = p1.f1[0]; f64::to_bits(q1_1) } ^ { let h: u64 = ({ let q1_0: f64 = p1.f0; f64::to_bits(q1_0) } ^ { let h: u64 = ({ let q0_0: u64 = p0; (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    let v1: f32 = f32::INFINITY;
    let mut a2: (i64, u64, bool) = ((({ let r: i64 = { { let t3: (i64, f64) = ((-62i64), 9.3e18); t3.0 } }; r }) >> ({ let r: i32 = ((((dice >> 52) as i32) & ((dice >> 33) as i32)) | { let t4: (i32, f32) = (21i32, v1); t4.0 }); r })), (p0 ^ u64::rotate_right(({ let r: u64 = p0; r } - { let r: u64 = p0; r }), (47u32 & 34u32))), { let x5: f64 = { let r: f64 = p1.f1[0]; r }; let r: bool = k4_in(x5); r });
    { let z6: i64 = a2.0; dice = (dice ^ (z6 as u64)).rotate_left(4) * 0x9E3779B97F4A7C15u64; }
    { let z7: u64 = a2.1; dice = (dice ^ (z7 as u64)).rotate_left(25) * 0x9E3779B97F4A7C15u64; }
    { let z8: bool = a2.2; dice = (dice ^ (z8 as u64)).rotate_left(63) * 0x9E3779B97F4A7C15u64; }
    ((!(false | { let x9: i32 = 30i32; let x10: usize = 48usize; let r: bool = k0_rest_in(x9, x10); r })) ^ ((dice >> 1) & 1u64 == 1u64))
}
#[kernel(inline)]
fn k13_eval_rest_in(p0: u64, p1: S2) -> bool {
    let mut dice: u64 = { let h: u64 = ({ let q1_1: f64 = p1.f1[0]; f64::to_bits(q1_1) } ^ { let h: u64 = ({ let q1_0: f64 = p1.f0; f64::to_bits(q1_0) } ^ { let h: u64 = ({ let q0_0: u64 = p0; (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    { let z1: f64 = p1.f0; dice = (dice ^ f64::to_bits(z1)).rotate_left(60) * 0x9E3779B97F4A7C15u64; }
    'l3: for v2 in (0i32..=(((dice >> 54) % 5) as i32)).rev() { let (mut v4, v2b): (i32, i64) = (({ let r: i32 = (({ let r: i32 = v2; r }) >> ({ let r: i64 = ((dice >> 53) as i64); r })); r } - { let r: i32 = i32::wrapping_sub(v2, 32i32); r }), i64::min(i64::MIN, i64::MAX));  if (((dice >> 55) & 3u64) == 2u64) { break; }  }
    ((((dice >> 7) & 3u64) != 3u64) ^ ((dice >> 6) & 1u64 == 1u64))
}
#[kernel(inline)]
fn k13_eval_rest_main(p0: u64, p1: S2) -> bool {
    let mut dice: u64 = { let h: u64 = ({ let q1_1: f64 = p1.f1[0]; f64::to_bits(q1_1) } ^ { let h: u64 = ({ let q1_0: f64 = p1.f0; f64::to_bits(q1_0) } ^ { let h: u64 = ({ let q0_0: u64 = p0; (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    let u3: f64; if (((dice >> 26) & 7u64) != 4u64) { u3 = { let mut a1: [i64; 3] = [({ let r: i64 = ((dice >> 8) as i64); r } % { let r: i64 = 65i64; r }), { let mut n2 = 0u32; 'l2: loop { n2 += 1; if n2 > 2 { break i64::MAX; }    if true { break i64::MAX; } } }, i64::max((-25i64), (-83i64))]; (-({ let r: f64 = p1.f0; r })) }; } else { u3 = (((({ let r: u64 = (((dice >> 47) as u64) ^ p0); r }) >> ({ let r: i32 = i32::min(i32::MIN, i32::MIN); r }))) as f64); }
    if (((dice >> 46) & 3u64) <= 0u64) { return { let mut n4 = 0u32; 'l4: loop { n4 += 1; if n4 > 2 { break {   (((dice >> 37) & 15u64) > 14u64) }; } let u5: f64; if (((dice >> 5) & 3u64) == 2u64) { u5 = {   u3 }; } else { u5 = 4503599627370497.5; }   if false { break false; } } }; }
    (((u64::wrapping_div(({ let r: u64 = p0; r } - { let r: u64 = p0; r }), p0)) >= (p0)) ^ ((dice >> 5) & 1u64 == 1u64))
}
#[kernel]
fn k13_eval_rest_rest(p0: u64, p1: S2) -> bool {
    let mut dice: u64 = { let h: u64 = ({ let q1_1: f64 = p1.f1[0]; f64::to_bits(q1_1) } ^ { let h: u64 = ({ let q1_0: f64 = p1.f0; f64::to_bits(q1_0) } ^ { let h: u64 = ({ let q0_0: u64 = p0; (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    let (mut v4, v5b): (f32, f64) = (('l1: { if { dice = dice * 6364136223846793005u64 + 1442695040888963407u64; (((dice >> 30) & 3u64) != 1u64) } { break 'l1 (((if true {  (-1.5f32) } else {  (-0.0f32) }) * { let mut n2 = 0u32; 'l2: loop { n2 += 1; if n2 > 0 { break 0.0f32; }    if true { break f32::INFINITY; } } })); } let mut a3: (u64, bool, f32) = (f64::to_bits((-2147483648.5)), ((((dice >> 30) & 3u64) <= 0u64) && true), (1.0f32 * (-0.0f32)));  (match (((dice >> 15) % 12) as usize) { 1 => (((dice >> 51) as f32) / 0.0f32), 4 | 6..=9 => { a3 = { let y: (u64, bool, f32) = a3; y }; f32::floor(((dice >> 56) as f32)) }, x if x > 10usize => { f32::NAN } _ => { let r: f32 = C3[usize::wrapping_rem(usize::MAX, 2)][(u32::wrapping_rem(((dice >> 19) as u32), 4) as usize)]; r } }) }), ((dice >> 25) as f64));
    { let z6: f32 = v4; dice = (dice ^ (f32::to_bits(z6) as u64)).rotate_left(53) * 0x9E3779B97F4A7C15u64; }
    ({ dice = dice * 6364136223846793005u64 + 1442695040888963407u64; (((dice >> 24) & 15u64) > 12u64) } | ((((((dice >> 42) & 7u64) <= 0u64)) > (false)) || (((dice >> 11) & 15u64) <= 3u64)))
}
#[kernel(masked)]
fn k13_eval_rest(p0: u64, p1: S2) -> bool {
    if k13_eval_rest_in(p0, p1) { k13_eval_rest_main(p0, p1) } else { k13_eval_rest_rest(p0, p1) }
}
#[kernel(masked)]
fn k13_eval(p0: u64, p1: S2) -> bool {
    if k13_eval_in(p0, p1) { k13_eval_main(p0, p1) } else { k13_eval_rest(p0, p1) }
}
#[kernel(split)]
pub fn k13(p0: f64, p1: u64) -> bool {
    k13_eval(p1, k13_setup(p0))
}

#[kernel]
fn h9(p0: [usize; 3]) -> i32 {
    let mut dice: u64 = { let h: u64 = ({ let q0_0: usize = p0[0]; (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    let mut a1: [usize; 4] = [{ let r: usize = p0[usize::wrapping_rem(29usize, 3)]; r }, ({ let r: usize = ((dice >> 5) as usize); r } / { let r: usize = 42usize; r }), (((dice >> 36) as usize) & ((dice >> 15) as usize)), ((0.5) as usize)];
    a1[3] *= { let r: usize = (({ let r: usize = { let t2: (usize, u64) = ({ let r: usize = a1[(((dice >> 1) % 4) as usize)]; r }, u64::wrapping_div(((dice >> 7) as u64), ((dice >> 13) as u64))); t2.0 }; r } / { let r: usize = { let mut n3 = 0u32; 'l3: loop { n3 += 1; if n3 > 1 { break {   43usize }; } 'l5: for v4 in 1usize..(((dice >> 30) % 6) as usize) {  if true { return ((dice >> 26) as i32); }   } if (((dice >> 54) & 1u64) > 0u64) { break (40usize); }  if (((dice >> 41) & 15u64) != 10u64) { break ((dice >> 45) as usize); } } }; r }) & ((dice >> 22) as usize)); r };
    { let z6: usize = a1[(u32::wrapping_rem(((dice >> 34) as u32), 4) as usize)]; dice = (dice ^ (z6 as u64)).rotate_left(62) * 0x9E3779B97F4A7C15u64; }
    ((if (((dice >> 17) & 1u64) == 1u64) { match (dice >> 14) & 7u64 { 0 | 1 => {    } 2 => { return (-31i32); } x if x > 5 => {   } _ => {} }  i32::MIN } else { 63i32 }) ^ ((dice >> 0) as i32))
}
#[kernel(inline)]
pub fn k14(p0: i32, p1: f64) -> bool {
    let mut dice: u64 = { let h: u64 = ({ let q1_0: f64 = p1; f64::to_bits(q1_0) } ^ { let h: u64 = ({ let q0_0: i32 = p0; (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    if (((dice >> 26) & 1u64) == 0u64) { 'l2: for v1 in 0i64..(((dice >> 42) % 6) as i64) { let u3: usize; if { dice = dice * 6364136223846793005u64 + 1442695040888963407u64; (((dice >> 7) & 1u64) <= 0u64) } { u3 = { usize::wrapping_rem(((dice >> 51) as usize), ((dice >> 15) as usize)) }; } else { u3 = (({ let r: usize = 1usize; r }) << ({ let r: u32 = ((dice >> 22) as u32); r })); } match (dice >> 20) & 7u64 { 0 | 1 => {  let mut v4: u64 = ({ let r: u64 = u64::MAX; r } % { let r: u64 = u64::MAX; r });  } 2 => { break; } x if x > 5 => {   } _ => {} }  }   } else {    }
    if (((dice >> 32) & 7u64) > 4u64) { return ((u64::min(((dice >> 55) as u64), u64::MAX)) >= (({ let r: u64 = ((dice >> 44) as u64); r } + { let r: u64 = u64::MIN; r }))); }
    ((!{ let mut n5 = 0u32; 'l5: loop { n5 += 1; if n5 > 4 { break ((65u64) != (u64::MIN)); }  let v6: bool = (!false);  if (((dice >> 6) & 1u64) > 0u64) { break { let t7: (usize, bool) = (47usize, v6); t7.1 }; } } }) ^ ((dice >> 12) & 1u64 == 1u64))
}

#[kernel(inline)]
pub fn k15(p0: f32, p1: f64) -> u32 {
    let mut dice: u64 = { let h: u64 = ({ let q1_0: f64 = p1; f64::to_bits(q1_0) } ^ { let h: u64 = ({ let q0_0: f32 = p0; (f32::to_bits(q0_0) as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    if { let mut n1 = 0u32; 'l1: loop { n1 += 1; if n1 > 1 { break f64::is_sign_negative((p1 + p1)); } 'l3: for v2 in (((dice >> 26) % 4) as i32)..=1i32 { if { dice = dice * 6364136223846793005u64 + 1442695040888963407u64; (((dice >> 6) & 1u64) == 0u64) } {    } else {    } let mut a4: S3 = S3 { f0: 55u64, f1: S0 { f1: (p1, true, ((dice >> 44) as u64)), f2: (((dice >> 24) & 15u64) <= 13u64), f0: (p1, v2, (-7i64)) }, f2: (usize::MIN, u64::MAX, 53i64), f3: S1 { f0: u32::MIN, f1: (p0, false, v2), f2: S0 { f1: (p1, (((dice >> 38) & 3u64) > 0u64), ((dice >> 47) as u64)), f2: true, f0: (p1, v2, i64::MIN) }, f3: [34i64, ((dice >> 31) as i64)] }, f4: [v2, v2, v2, i32::MIN] };  } let mut a5: [f64; 4] = [(p1 - p1), (if (((dice >> 39) & 1u64) != 1u64) {  4503599627370497.5 } else {   p1 }), ('l6: { if false { break 'l6 (p1); }   p1 }), (p1 - p1)];  if (((dice >> 13) & 7u64) == 0u64) { break true; } } } {    } else if { dice = dice * 6364136223846793005u64 + 1442695040888963407u64; (((dice >> 2) & 3u64) > 1u64) } {    } else {   }
    ((({ let r: u32 = 2u32; r }) << ({ let r: u32 = ((dice >> 40) as u32); r })) ^ ((dice >> 16) as u32))
}

#[kernel(inline)]
fn h10(p0: (bool, f64, f64)) -> S2 {
    let mut dice: u64 = { let h: u64 = ({ let q0_2: f64 = p0.2; f64::to_bits(q0_2) } ^ { let h: u64 = ({ let q0_1: f64 = p0.1; f64::to_bits(q0_1) } ^ { let h: u64 = ({ let q0_0: bool = p0.0; (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    { let z1: f64 = p0.2; dice = (dice ^ f64::to_bits(z1)).rotate_left(21) * 0x9E3779B97F4A7C15u64; }
    S2 { f1: [(match (((dice >> 48) % 12) as u64) { 0 => (-2147483648.5), 4 | 6..=9 => {   ((dice >> 14) as f64) }, x if x > 10u64 => { f64::NAN } _ => ((dice >> 45) as f64) }), (-1.0)], f0: { let mut n2 = 0u32; 'l2: loop { n2 += 1; if n2 > 0 { break 4503599627370497.5; }    if (((dice >> 26) & 1u64) <= 0u64) { break 0.5; } } } }
}
#[kernel(inline)]
pub fn k16(p0: f64, p1: f64) -> (f32, f64, usize) {
    let mut dice: u64 = { let h: u64 = ({ let q1_0: f64 = p1; f64::to_bits(q1_0) } ^ { let h: u64 = ({ let q0_0: f64 = p0; f64::to_bits(q0_0) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    let (mut v3, v8b): (u64, f64) = (u64::MAX, { let x1: (i64, f64, u32) = (((dice >> 42) as i64), (-({ ((dice >> 35) as f64) })), 24u32); let mut m2: (u32, bool) = ({ let t3: (u32, u64) = (((dice >> 7) as u32), 69u64); t3.0 }, ((p1) >= (p1))); let mut m4: S1 = S1 { f0: 65u32, f1: (((dice >> 55) as f32), false, i32::MAX), f2: { let x5: bool = false; let x6: bool = false; let r: S0 = k11_setup(x5, x6); r }, f3: [i64::MIN; 2] }; let r: f64 = h7(x1, &mut m2, &mut m4); r });
    v3 = { let r: u64 = { let r: u64 = C6; r }; r };
    let u18: i64; if (((dice >> 8) & 3u64) == 3u64) { u18 = { v3 = { let r: u64 = { let y9: S3 = { let mut m10: bool = f64::is_nan(v8b); let x11: [i32; 3] = [33i32, (match (((dice >> 40) % 12) as usize) { 1 => ((dice >> 3) as i32), 4 | 6..=9 => { i32::MAX }, x if x > 10usize => { i32::MAX } _ => ((dice >> 31) as i32) }), ('l12: { if (((dice >> 54) & 15u64) <= 4u64) { break 'l12 ((-35i32)); }   ((dice >> 50) as i32) })]; let mut m13: f64 = { ((dice >> 45) as f64) }; let r: S3 = h5(&mut m10, x11, &mut m13); r }; let r: u64 = ({ let w: (usize, u64, i64) = y9.f2; w }).1; r }; r }; i64::min({ let x14: i32 = (!(-37i32)); let x15: usize = usize::wrapping_shl(1usize, u32::MAX); let r: i64 = k0_main(x14, x15); r }, ({ let r: i64 = i64::MIN; r } / { let r: i64 = ((dice >> 20) as i64); r })) }; } else { u18 = { let t16: (u64, i64) = (v3, i64::max((i64::MAX | 62i64), ('l17: { if { dice = dice * 6364136223846793005u64 + 1442695040888963407u64; (((dice >> 29) & 1u64) > 0u64) } { break 'l17 (((dice >> 41) as i64)); }   ((dice >> 55) as i64) }))); t16.1 }; }
    { let z19: u64 = v3; dice = (dice ^ (z19 as u64)).rotate_left(59) * 0x9E3779B97F4A7C15u64; }
    ((if (((dice >> 21) & 1u64) == 0u64) { 0.0f32 } else { (dice >> 22) as f32 }), ({ let x20: usize = usize::min(((dice >> 16) as usize), 55usize); let x21: S0 = { let x22: bool = (if (((dice >> 4) & 3u64) > 0u64) { (((dice >> 35) & 1u64) != 1u64) } else {  (((dice >> 57) & 7u64) == 5u64) }); let x23: bool = false; let r: S0 = k11_setup(x22, x23); r }; let x24: i32 = ((dice >> 50) as i32); let r: f64 = k1_eval(x20, x21, x24); r } + p1), ((dice >> 53) as usize))
}

#[kernel]
fn h11(p0: &mut bool) -> f32 {
    let mut dice: u64 = { let h: u64 = ({ let q0_0: bool = (*p0); (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    let mut v2: i32 = i32::wrapping_sub(({ let r: i32 = (-({ let r: i32 = ({ let r: i32 = (-18i32); r } / { let r: i32 = 2i32; r }); r })); r } + { let r: i32 = { let x1: f64 = f64::trunc(((dice >> 28) as f64)); let r: i32 = k4(x1); r }; r }), (((dice >> 36) as i32) | 66i32));
    let v3: f64 = 0.1;
    { let z4: bool = (*p0); dice = (dice ^ (z4 as u64)).rotate_left(34) * 0x9E3779B97F4A7C15u64; }
    { let z5: i32 = v2; dice = (dice ^ (z5 as u64)).rotate_left(61) * 0x9E3779B97F4A7C15u64; }
    (if (((dice >> 44) & 1u64) != 0u64) { ((if (((dice >> 7) & 3u64) == 3u64) { if (((dice >> 17) & 7u64) <= 4u64) {    } { let r: f32 = C3[0][0]; r } } else { f32::mul_add(1.0f32, ((dice >> 51) as f32), 1.0f32) }) / (-((((dice >> 52) as f32) * 1.0f32)))) } else { (dice >> 15) as f32 })
}
#[kernel(inline)]
fn k17_in(p0: f64) -> bool {
    let mut dice: u64 = { let h: u64 = ({ let q0_0: f64 = p0; f64::to_bits(q0_0) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    ((({ let t1: (f64, f32) = ({ let r: f64 = C2[(u32::wrapping_rem(29u32, 6) as usize)]; r }, ((-0.0f32) * (-1.5f32))); t1.1 }) != (((({ let r: i64 = i64::MIN; r } % { let r: i64 = (-49i64); r })) as f32))) ^ ((dice >> 15) & 1u64 == 1u64))
}
#[kernel(inline)]
fn k17_main(p0: f64) -> f64 {
    let mut dice: u64 = { let h: u64 = ({ let q0_0: f64 = p0; f64::to_bits(q0_0) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    let mut v5: usize = usize::min((usize::min(usize::wrapping_div(usize::MIN, 59usize), (2usize ^ usize::MIN)) & usize::min(usize::wrapping_sub(35usize, ((dice >> 40) as usize)), (((dice >> 26) as usize) | 45usize))), (({ let r: usize = (!('l3: { if (((dice >> 41) & 7u64) != 5u64) { break 'l3 (((dice >> 54) as usize)); }   24usize })); r }) << ({ let r: usize = usize::min((match (((dice >> 7) % 12) as i32) { 1 => ((dice >> 50) as usize), 4 | 6..=9 => { 12usize }, x if x > 10i32 => { usize::MAX } _ => 1usize }), usize::min(((dice >> 18) as usize), ((dice >> 0) as usize))); r })));
    { let z6: usize = v5; dice = (dice ^ (z6 as u64)).rotate_left(16) * 0x9E3779B97F4A7C15u64; }
    (if (((dice >> 38) & 3u64) <= 1u64) { ('l7: { if (((dice >> 28) & 15u64) == 1u64) { break 'l7 ((if (((dice >> 25) & 15u64) <= 9u64) { let u8: u64; if (((dice >> 18) & 1u64) <= 0u64) { u8 = {   69u64 }; } else { u8 = u64::MAX; }  p0 } else if false { break 'l7 (p0); } else {  p0 })); }   p0 }) } else { (dice >> 29) as f64 })
}
#[kernel(inline)]
fn k17_rest(p0: f64) -> f64 {
    let mut dice: u64 = { let h: u64 = ({ let q0_0: f64 = p0; f64::to_bits(q0_0) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    let u6: usize; if (!(((dice >> 31) & 1u64) > 0u64)) { u6 = { match (dice >> 58) & 7u64 { 0 | 1 => { if (((dice >> 52) & 3u64) != 0u64) {  let mut w1 = 0i32; 'l1: loop { w1 += 1; if w1 > 2 || (((dice >> 37) & 1u64) != 0u64) { break; }    }  } else if ((((dice >> 9) & 7u64) != 0u64) & false) { let u2: f64; if { dice = dice * 6364136223846793005u64 + 1442695040888963407u64; (((dice >> 25) & 3u64) != 3u64) } { u2 = { p0 }; } else { u2 = p0; } let mut w3 = 0i32; 'l3: loop { w3 += 1; if w3 > 1 || true { break; }    }  } else { let mut a4: [f32; 2] = [((dice >> 53) as f32), ((dice >> 44) as f32)];  } let mut a5: S1 = S1 { f3: [i64::MIN, ((dice >> 34) as i64)], f0: 68u32, f1: (((dice >> 45) as f32), true, ((dice >> 9) as i32)), f2: S0 { f1: (p0, false, u64::MAX), f2: (((dice >> 18) & 1u64) != 1u64), f0: (1e-300, ((dice >> 56) as i32), (-51i64)) } };  } 2 => { return p0; } x if x > 5 => {   } _ => {} } 23usize }; } else { u6 = ((dice >> 16) as usize); }
    (if (((dice >> 6) & 1u64) > 0u64) { p0 } else { (dice >> 28) as f64 })
}
#[kernel(masked)]
pub fn k17(p0: f64) -> f64 {
    if k17_in(p0) { k17_main(p0) } else { k17_rest(p0) }
}

#[kernel(inline)]
fn k18_in(p0: u64, p1: i64) -> bool {
    let mut dice: u64 = { let h: u64 = ({ let q1_0: i64 = p1; (q1_0 as u64) } ^ { let h: u64 = ({ let q0_0: u64 = p0; (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    if (match (((dice >> 14) % 12) as i32) { 2 => { let t1: (bool, u64) = (false, ('l2: { if { dice = dice * 6364136223846793005u64 + 1442695040888963407u64; (((dice >> 27) & 1u64) != 0u64) } { break 'l2 (25u64); }   p0 })); t1.0 }, 4 | 6..=9 => { (!f64::is_sign_positive(((dice >> 26) as f64))) }, x if x > 10i32 => { return true; } _ => false }) { return (((dice >> 49) & 7u64) <= 5u64); }
    ('l3: { if (((dice >> 22) & 15u64) <= 14u64) { break 'l3 ((((p0) >= (p0)) || false)); }   false })
}
#[kernel(inline)]
fn k18_main(p0: u64, p1: i64) -> f64 {
    let mut dice: u64 = { let h: u64 = ({ let q1_0: i64 = p1; (q1_0 as u64) } ^ { let h: u64 = ({ let q0_0: u64 = p0; (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    dice ^= dice >> 23; dice *= 0x2545F4914F6CDD1Du64;
    let mut a1: S2 = { let x2: (bool, f64, f64) = (((((dice >> 2) & 1u64) > 0u64) & f64::is_infinite(0.0)), (if (((dice >> 24) & 3u64) != 2u64) { ((34i32) as f64) } else { ('l3: { if (((dice >> 52) & 7u64) <= 1u64) { break 'l3 (9.3e18); }   2.0 }) }), { let mut a4: [f64; 3] = [((dice >> 25) as f64), 3.75, ((dice >> 60) as f64)]; ((((dice >> 31) as f64)) as f64) }); let r: S2 = h10(x2); r };
    let mut v3: bool = (!((p1) == ((({ let r: i64 = i64::wrapping_shl((-10i64), ((dice >> 39) as u32)); r }) << ({ let r: i64 = p1; r })))));
    { let z7: f64 = a1.f0; dice = (dice ^ f64::to_bits(z7)).rotate_left(49) * 0x9E3779B97F4A7C15u64; }
    { let z8: f64 = a1.f1[(u32::wrapping_rem(((dice >> 6) as u32), 2) as usize)]; dice = (dice ^ f64::to_bits(z8)).rotate_left(52) * 0x9E3779B97F4A7C15u64; }
    { let z9: bool = v3; dice = (dice ^ (z9 as u64)).rotate_left(7) * 0x9E3779B97F4A7C15u64; }
    (if (((dice >> 11) & 3u64) != 0u64) { { let r: f64 = C7; r } } else { (dice >> 16) as f64 })
}
#[kernel(inline)]
fn k18_rest_in(p0: u64, p1: i64) -> bool {
    let mut dice: u64 = { let h: u64 = ({ let q1_0: i64 = p1; (q1_0 as u64) } ^ { let h: u64 = ({ let q0_0: u64 = p0; (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    match (dice >> 28) & 7u64 { 0 | 1 => { if (((dice >> 12) & 7u64) != 7u64) { return (((if (((dice >> 33) & 3u64) > 2u64) {   ((dice >> 35) as u32) } else { ((dice >> 48) as u32) })) <= (({ let r: u32 = u32::MAX; r } + { let r: u32 = ((dice >> 40) as u32); r }))); }   } 2 => { return false; } x if x > 5 => {   } _ => {} }
    ('l1: { if (((dice >> 32) & 1u64) == 0u64) { break 'l1 (((((dice >> 56) & 7u64) > 6u64) | (if { dice = dice * 6364136223846793005u64 + 1442695040888963407u64; (((dice >> 37) & 1u64) == 1u64) } {  false } else { true }))); }   true })
}
#[kernel(inline)]
fn k18_rest_main(p0: u64, p1: i64) -> f64 {
    let mut dice: u64 = { let h: u64 = ({ let q1_0: i64 = p1; (q1_0 as u64) } ^ { let h: u64 = ({ let q0_0: u64 = p0; (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    dice ^= dice >> 23; dice *= 0x2545F4914F6CDD1Du64;
    match (dice >> 44) & 7u64 { 0 | 1 => {  if { let t1: (bool, u32) = ((if (((dice >> 33) & 15u64) != 1u64) {   true } else {  (((dice >> 6) & 1u64) > 0u64) }), u32::wrapping_shl(u32::MAX, 66u32)); t1.0 } { return (f64::min(((dice >> 43) as f64), 0.1) * f64::copysign((-1.0), ((dice >> 44) as f64))); }  } 2 => { return f64::floor((f64::NAN * 0.1)); } x if x > 5 => {   } _ => {} }
    { { let x2: usize = 66usize; let x3: S0 = { let x4: bool = (match (((dice >> 18) % 12) as i32) { 2 => true, 4 | 6..=9 => {  (((dice >> 32) & 1u64) <= 0u64) }, x if x > 10i32 => { (((dice >> 52) & 3u64) > 1u64) } _ => false }); let x5: bool = ((0.1f32) == (f32::NAN)); let r: S0 = k11_setup(x4, x5); r }; let x6: i32 = ({ let r: i32 = ((dice >> 47) as i32); r } + { let r: i32 = 65i32; r }); let r: f64 = k1_eval(x2, x3, x6); r } }
}
#[kernel(inline)]
fn k18_rest_rest(p0: u64, p1: i64) -> f64 {
    let mut dice: u64 = { let h: u64 = ({ let q1_0: i64 = p1; (q1_0 as u64) } ^ { let h: u64 = ({ let q0_0: u64 = p0; (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    let mut w1 = 0i32; 'l1: loop { w1 += 1; if w1 > 5 || {   true } { break; } if { dice = dice * 6364136223846793005u64 + 1442695040888963407u64; (((dice >> 50) & 3u64) != 2u64) } { continue 'l1; } if (if ((p0) > (p0)) { ((((dice >> 52) & 7u64) != 0u64) || (((dice >> 36) & 7u64) != 0u64)) } else if (((dice >> 48) & 3u64) != 3u64) { return f64::min((-2147483648.5), 1e300); } else { ((12i32) < (i32::MIN)) }) { continue; }  }
    dice ^= dice >> 23; dice *= 0x2545F4914F6CDD1Du64;
    (if (((dice >> 11) & 1u64) <= 0u64) { { let mut n2 = 0u32; 'l2: loop { n2 += 1; if n2 > 1 { break (-(f64::from_bits(p0))); } if (((dice >> 33) & 7u64) == 6u64) { break (2.0); } let mut w3 = 0i32; 'l3: while w3 < 4 && ({ dice = dice * 6364136223846793005u64 + 1442695040888963407u64; (((dice >> 9) & 15u64) <= 12u64) } || false) { w3 += 1; match (dice >> 55) & 7u64 { 0 | 1 => {    } 2 => { continue 'l2; } x if x > 5 => {   } _ => {} } if (((dice >> 35) & 3u64) > 0u64) { continue 'l3; }   }  if (((dice >> 28) & 7u64) != 3u64) { break { let r: f64 = C4[(u32::wrapping_rem((u32::MAX ^ 63u32), 2) as usize)][(((dice >> 14) % 2) as usize)]; r }; } } } } else { (dice >> 14) as f64 })
}
#[kernel(masked)]
fn k18_rest(p0: u64, p1: i64) -> f64 {
    if k18_rest_in(p0, p1) { k18_rest_main(p0, p1) } else { k18_rest_rest(p0, p1) }
}
#[kernel(masked)]
pub fn k18(p0: u64, p1: i64) -> f64 {
    if k18_in(p0, p1) { k18_main(p0, p1) } else { k18_rest(p0, p1) }
}

#[kernel]
fn h12(p0: (u32, f64), p1: S0, p2: &mut S2) -> i32 {
    let mut dice: u64 = { let h: u64 = ({ let q2_1: f64 = (*p2).f1[0]; f64::to_bits(q2_1) } ^ { let h: u64 = ({ let q2_0: f64 = (*p2).f0; f64::to_bits(q2_0) } ^ { let h: u64 = ({ let q1_2: i64 = ({ let w: (f64, i32, i64) = p1.f0; w }).2; (q1_2 as u64) } ^ { let h: u64 = ({ let q1_1: i32 = ({ let w: (f64, i32, i64) = p1.f0; w }).1; (q1_1 as u64) } ^ { let h: u64 = ({ let q1_0: f64 = ({ let w: (f64, i32, i64) = p1.f0; w }).0; f64::to_bits(q1_0) } ^ { let h: u64 = ({ let q0_1: f64 = p0.1; f64::to_bits(q0_1) } ^ { let h: u64 = ({ let q0_0: u32 = p0.0; (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    'l2: for v1 in (0usize..2usize).rev() { let mut v3: f32 = (((dice >> 55) as f32) - f32::abs(((-0.0f32) * ((dice >> 52) as f32)))); if ((({ let r: i32 = ((dice >> 43) as i32); r } * { let r: i32 = ((dice >> 42) as i32); r })) > (({ let r: i32 = 13i32; r } - { let r: i32 = ((dice >> 8) as i32); r }))) { continue 'l2; }  dice ^= dice >> 17; dice *= 0x9E3779B97F4A7C15u64;  }
    let v5: usize = (({ let r: usize = (if ((((dice >> 30) & 1u64) > 0u64) | (if true {  (((dice >> 41) & 1u64) > 0u64) } else if (((dice >> 39) & 1u64) <= 0u64) { return ((dice >> 20) as i32); } else {  true })) { ('l4: { if (((dice >> 32) & 1u64) <= 0u64) { break 'l4 (usize::MAX); }   43usize }) } else {  61usize }); r }) >> ({ let r: i32 = ((dice >> 55) as i32); r }));
    { let z6: f64 = (*p2).f0; dice = (dice ^ f64::to_bits(z6)).rotate_left(21) * 0x9E3779B97F4A7C15u64; }
    { let z7: f64 = (*p2).f1[1]; dice = (dice ^ f64::to_bits(z7)).rotate_left(48) * 0x9E3779B97F4A7C15u64; }
    (i32::wrapping_shr((if (((dice >> 45) & 1u64) <= 0u64) { i32::MIN } else { i32::MAX }), 64u32) ^ ((dice >> 15) as i32))
}
#[kernel(inline)]
fn k19_setup(p0: f64, p1: u64, p2: u32) -> S2 {
    let mut dice: u64 = { let h: u64 = ({ let q2_0: u32 = p2; (q2_0 as u64) } ^ { let h: u64 = ({ let q1_0: u64 = p1; (q1_0 as u64) } ^ { let h: u64 = ({ let q0_0: f64 = p0; f64::to_bits(q0_0) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    let mut v4: usize = { let t1: (usize, f64) = ((if (((dice >> 17) & 3u64) != 0u64) {  let mut a2: (i32, f64, u32) = ((-40i32), (if (((dice >> 5) & 7u64) > 4u64) {  p0 } else {   ((dice >> 26) as f64) }), (!p2)); usize::wrapping_rem({ let mut n3 = 0u32; 'l3: loop { n3 += 1; if n3 > 1 { break 60usize; }    if (((dice >> 4) & 1u64) > 0u64) { break ((dice >> 29) as usize); } } }, ((dice >> 15) as usize)) } else {   usize::MAX }), p0); t1.0 };
    { let z5: usize = v4; dice = (dice ^ (z5 as u64)).rotate_left(51) * 0x9E3779B97F4A7C15u64; }
    { let x6: (bool, f64, f64) = ((((dice >> 15) & 1u64) == 0u64), p0, p0); let r: S2 = h10(x6); r }
}
#[kernel(inline)]
fn k19_eval_in(p0: f64, p1: S2) -> bool {
    let mut dice: u64 = { let h: u64 = ({ let q1_1: f64 = p1.f1[0]; f64::to_bits(q1_1) } ^ { let h: u64 = ({ let q1_0: f64 = p1.f0; f64::to_bits(q1_0) } ^ { let h: u64 = ({ let q0_0: f64 = p0; f64::to_bits(q0_0) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    (((({ let r: i32 = (if (((dice >> 48) & 3u64) <= 0u64) {   i32::MAX } else {  i32::MAX }); r } / { let r: i32 = ((true) as i32); r })) != (i32::min((match usize::MIN { 2 => (-94i32), 4 | 6..=9 => {   ((dice >> 41) as i32) }, x if x > 10usize => { (-98i32) } _ => 39i32 }), ((dice >> 54) as i32)))) ^ ((dice >> 8) & 1u64 == 1u64))
}
#[kernel(inline)]
fn k19_eval_main(p0: f64, p1: S2) -> (u32, i32) {
    let mut dice: u64 = { let h: u64 = ({ let q1_1: f64 = p1.f1[0]; f64::to_bits(q1_1) } ^ { let h: u64 = ({ let q1_0: f64 = p1.f0; f64::to_bits(q1_0) } ^ { let h: u64 = ({ let q0_0: f64 = p0; f64::to_bits(q0_0) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    let mut w1 = 0i32; 'l1: while w1 < 1 { w1 += 1;  let mut w2 = 0i32; 'l2: loop { w2 += 1; if w2 > 4 || (((dice >> 40) & 15u64) == 1u64) { break; } 'l4: for v3 in (((dice >> 13) % 4) as i64)..=2i64 { let mut v5: u32 = u32::min(((dice >> 55) as u32), ((dice >> 2) as u32)); let mut a6: S2 = p1; if (((dice >> 26) & 7u64) <= 6u64) { break; }  } let mut v7: usize = 66usize;  } dice ^= dice >> 17; dice *= 0x9E3779B97F4A7C15u64;  }
    (((match ({ let r: i64 = ({ let r: i64 = 34i64; r } % { let r: i64 = i64::MAX; r }); r } * { let r: i64 = i64::wrapping_shr(i64::MIN, u32::MIN); r }) { 1 => ((dice >> 50) as u32), 4 | 6..=9 => { f32::to_bits(f32::trunc(((dice >> 48) as f32))) }, x if x > 10i64 => { ((dice >> 46) as u32) } _ => { let t8: (u32, i64) = ({ let x9: f32 = f32::INFINITY; let x10: f64 = p0; let r: u32 = k15(x9, x10); r }, i64::wrapping_div(5i64, 31i64)); t8.0 } }) ^ ((dice >> 6) as u32)), ((match (((dice >> 8) % 12) as u64) { 2 => ((dice >> 49) as i32), 4 | 6..=9 => { if (((dice >> 48) & 7u64) <= 2u64) { return ((((((dice >> 37) & 3u64) == 2u64)) as u32), ({ let r: i32 = 14i32; r } - { let r: i32 = ((dice >> 54) as i32); r })); } let mut a11: [bool; 4] = [{ let mut n12 = 0u32; 'l12: loop { n12 += 1; if n12 > 2 { break false; }    if (((dice >> 5) & 7u64) == 3u64) { break false; } } }, (((dice >> 48) & 3u64) == 2u64), false, (((dice >> 47) & 7u64) == 0u64)]; 64i32 }, x if x > 10u64 => { 7i32 } _ => 8i32 }) ^ ((dice >> 2) as i32)))
}
#[kernel(inline)]
fn k19_eval_rest(p0: f64, p1: S2) -> (u32, i32) {
    let mut dice: u64 = { let h: u64 = ({ let q1_1: f64 = p1.f1[0]; f64::to_bits(q1_1) } ^ { let h: u64 = ({ let q1_0: f64 = p1.f0; f64::to_bits(q1_0) } ^ { let h: u64 = ({ let q0_0: f64 = p0; f64::to_bits(q0_0) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    dice ^= dice >> 23; dice *= 0x2545F4914F6CDD1Du64;
    let mut v12: i64 = (if ((i64::max(i64::max(36i64, (-38i64)), ({ let r: i64 = 24i64; r } - { let r: i64 = ((dice >> 21) as i64); r }))) > (({ let r: i64 = i64::max((-32i64), i64::MAX); r } - { let r: i64 = ({ let r: i64 = ((dice >> 13) as i64); r } + { let r: i64 = ((dice >> 28) as i64); r }); r }))) {  let mut a1: S3 = { let mut m2: bool = { let x3: u64 = ((dice >> 36) as u64); let x4: S2 = p1; let r: bool = k13_eval_rest_main(x3, x4); r }; let x5: [i32; 3] = [({ let r: i32 = (-90i32); r } / { let r: i32 = (-99i32); r }), ({ let r: i32 = 12i32; r } % { let r: i32 = (-10i32); r }), i32::min(i32::MIN, ((dice >> 5) as i32))]; let mut m7: f64 = { let x8: i32 = i32::MIN; let x9: f64 = p0; let x10: f64 = (-0.0); let x11: f64 = p0; let r: f64 = k6(x8, x9, x10, x11); r }; let r: S3 = h5(&mut m2, x5, &mut m7); r }; ((dice >> 5) as i64) } else {  ((dice >> 22) as i64) });
    { let z13: i64 = v12; dice = (dice ^ (z13 as u64)).rotate_left(25) * 0x9E3779B97F4A7C15u64; }
    (((({ let r: u32 = { let t14: (u32, u32) = (({ let r: u32 = 46u32; r } / { let r: u32 = u32::MAX; r }), { let x15: f32 = ((dice >> 46) as f32); let x16: f64 = 3.75; let r: u32 = k15(x15, x16); r }); t14.0 }; r }) << ({ let r: i32 = 15i32; r })) ^ ((dice >> 10) as u32)), (i32::MIN ^ ((dice >> 8) as i32)))
}
#[kernel(masked)]
fn k19_eval(p0: f64, p1: S2) -> (u32, i32) {
    if k19_eval_in(p0, p1) { k19_eval_main(p0, p1) } else { k19_eval_rest(p0, p1) }
}
#[kernel(split)]
pub fn k19(p0: f64, p1: f64, p2: u64, p3: u32) -> (u32, i32) {
    k19_eval(p0, k19_setup(p1, p2, p3))
}

#[kernel(inline)]
pub fn k20(p0: f64, p1: f32) -> (u32, f64) {
    let mut dice: u64 = { let h: u64 = ({ let q1_0: f32 = p1; (f32::to_bits(q1_0) as u64) } ^ { let h: u64 = ({ let q0_0: f64 = p0; f64::to_bits(q0_0) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    let (mut v1, v2b): (f64, f32) = (p0, p1);
    v1 *= { let r: f64 = (p0 + f64::ceil(p0)); r };
    { let z3: f64 = v1; dice = (dice ^ f64::to_bits(z3)).rotate_left(33) * 0x9E3779B97F4A7C15u64; }
    ((u32::wrapping_shr(({ let r: u32 = { let x4: f32 = p1; let x5: f64 = p0; let r: u32 = k15(x4, x5); r }; r } * { let r: u32 = { let y6: S3 = { let mut m7: bool = ((((dice >> 14) as i64)) >= (((dice >> 45) as i64))); let x8: [i32; 3] = [i32::MIN, i32::MIN, i32::MIN]; let r: S3 = h5(&mut m7, x8, &mut v1); r }; let r: u32 = ({ let w: S1 = y6.f3; w }).f0; r }; r }), ({ let r: u32 = (({ let r: u32 = 29u32; r }) << ({ let r: u32 = 55u32; r })); r } % { let r: u32 = { let x10: f32 = v2b; let x11: f64 = v1; let r: u32 = k15(x10, x11); r }; r })) ^ ((dice >> 11) as u32)), (if (((dice >> 1) & 1u64) != 1u64) { (f64::sqrt(('l12: { if (((dice >> 57) & 1u64) != 1u64) { break 'l12 (p0); }   p0 })) + f64::mul_add(((v1) as f64), (p0 * p0), { let x13: usize = ((dice >> 47) as usize); let x14: S0 = S0 { f1: (((dice >> 50) as f64), true, 48u64), f2: true, f0: (v1, 44i32, 5i64) }; let x15: i32 = ((dice >> 26) as i32); let r: f64 = k1_eval(x13, x14, x15); r })) } else { (dice >> 29) as f64 }))
}

#[kernel]
fn h13(p0: [f64; 2]) -> [i32; 5] {
    let mut dice: u64 = { let h: u64 = ({ let q0_0: f64 = p0[0]; f64::to_bits(q0_0) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    let mut a1: S3 = { let mut m2: u32 = ({ let r: u32 = ((dice >> 25) as u32); r } + { let r: u32 = 40u32; r }); let x3: f64 = (({ let mut n4 = 0u32; 'l4: loop { n4 += 1; if n4 > 3 { break 1u64; }    if (((dice >> 7) & 15u64) != 9u64) { break u64::MIN; } } }) as f64); let mut m5: f64 = { let r: f64 = p0[(((dice >> 31) % 2) as usize)]; r }; let r: S3 = h6(&mut m2, x3, &mut m5); r };
    'l7: for v3 in (((dice >> 11) % 4) as i32)..=3i32 { if (((dice >> 19) & 1u64) == 1u64) { continue; } if { let r: bool = ({ let w: S0 = a1.f1; w }).f2; r } { let mut w8 = 0i32; 'l8: loop { w8 += 1; if w8 > 2 || (((dice >> 27) & 3u64) <= 2u64) { break; } if (((dice >> 53) & 1u64) <= 0u64) { return [v3, v3, i32::MIN, v3, v3]; } a1.f0 += { let r: u64 = (!u64::MIN); r };  } 'l10: for v9 in 0u32..4u32 {  if true { break; }   }  } else if (((dice >> 32) & 3u64) != 1u64) {    } else {   }  }
    { let z11: u64 = a1.f0; dice = (dice ^ (z11 as u64)).rotate_left(47) * 0x9E3779B97F4A7C15u64; }
    { let z12: i32 = a1.f4[(((dice >> 6) % 4) as usize)]; dice = (dice ^ (z12 as u64)).rotate_left(54) * 0x9E3779B97F4A7C15u64; }
    [(({ let r: i32 = i32::MIN; r }) << ({ let r: u64 = ((dice >> 22) as u64); r })); 5]
}
#[kernel]
pub fn k21(p0: f64) -> f64 {
    let mut dice: u64 = { let h: u64 = ({ let q0_0: f64 = p0; f64::to_bits(q0_0) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    let (mut v1, v2b): (usize, f64) = (usize::min(usize::max(usize::min(55usize, usize::MAX), { ((dice >> 17) as usize) }), ((dice >> 39) as usize)), p0);
    'l4: for v3 in 0i32..(((dice >> 40) % 6) as i32) { let mut w5 = 0i32; 'l5: while w5 < 3 && (((dice >> 42) & 15u64) == 7u64) { w5 += 1; if (((dice >> 52) & 1u64) != 0u64) { continue; } if { dice = dice * 6364136223846793005u64 + 1442695040888963407u64; (((dice >> 16) & 15u64) != 14u64) } { return p0; } 'l7: for v6 in (0usize..=(((dice >> 9) % 5) as usize)).rev() { v1 = { let r: usize = ({ let r: usize = v6; r } / { let r: usize = v1; r }); r }; if (((dice >> 31) & 7u64) == 2u64) {    } else {    } dice ^= dice >> 17; dice *= 0x9E3779B97F4A7C15u64;  } dice ^= dice >> 17; dice *= 0x9E3779B97F4A7C15u64;  } dice ^= dice >> 23; dice *= 0x2545F4914F6CDD1Du64; if (((dice >> 37) & 7u64) <= 1u64) { return { let x8: f64 = p0; let r: f64 = k17_rest(x8); r }; } dice ^= dice >> 17; dice *= 0x9E3779B97F4A7C15u64;  }
    { let z9: usize = v1; dice = (dice ^ (z9 as u64)).rotate_left(39) * 0x9E3779B97F4A7C15u64; }
    (if (((dice >> 9) & 3u64) != 1u64) { p0 } else { (dice >> 30) as f64 })
}

#[kernel(inline)]
fn k22_setup(p0: f32) -> S0 {
    let mut dice: u64 = { let h: u64 = ({ let q0_0: f32 = p0; (f32::to_bits(q0_0) as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    let mut w1 = 0i32; 'l1: while w1 < 3 { w1 += 1; let mut v2: bool = ((11usize) <= (usize::max((!usize::MIN), usize::max(usize::MIN, ((dice >> 30) as usize))))); if (((dice >> 35) & 15u64) == 12u64) { continue 'l1; } let mut a3: (i32, i64, usize) = (i32::wrapping_abs(({ let r: i32 = (-12i32); r } * { let r: i32 = i32::MIN; r })), i64::wrapping_mul((-49i64), ((dice >> 47) as i64)), usize::MAX); if { dice = dice * 6364136223846793005u64 + 1442695040888963407u64; (((dice >> 54) & 1u64) != 0u64) } { continue 'l1; } dice ^= dice >> 17; dice *= 0x9E3779B97F4A7C15u64;  }
    { let x4: bool = ('l5: { if (((dice >> 44) & 3u64) == 3u64) { break 'l5 (f32::is_nan(p0)); } let mut v3: u64 = (if (((dice >> 4) & 7u64) <= 0u64) { u64::MIN } else {   ((dice >> 59) as u64) });  (((dice >> 7) & 7u64) <= 0u64) }); let x7: bool = true; let r: S0 = k11_setup(x4, x7); r }
}
#[kernel]
fn k22_eval(p0: usize, p1: i64, p2: S0, p3: f64, p4: f64) -> f32 {
    let mut dice: u64 = { let h: u64 = ({ let q4_0: f64 = p4; f64::to_bits(q4_0) } ^ { let h: u64 = ({ let q3_0: f64 = p3; f64::to_bits(q3_0) } ^ { let h: u64 = ({ let q2_2: i64 = ({ let w: (f64, i32, i64) = p2.f0; w }).2; (q2_2 as u64) } ^ { let h: u64 = ({ let q2_1: i32 = ({ let w: (f64, i32, i64) = p2.f0; w }).1; (q2_1 as u64) } ^ { let h: u64 = ({ let q2_0: f64 = ({ let w: (f64, i32, i64) = p2.f0; w }).0; f64::to_bits(q2_0) } ^ { let h: u64 = ({ let q1_0: i64 = p1; (q1_0 as u64) } ^ { let h: u64 = ({ let q0_0: usize = p0; (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    if { let x1: u64 = u64::max((64u64 ^ u64::MAX), u64::wrapping_sub(u64::MIN, ((dice >> 45) as u64))); let x2: S2 = { let x3: (bool, f64, f64) = (((((dice >> 57) & 15u64) <= 7u64) ^ { let y5: S1 = { let mut m6: [bool; 5] = [(match (((dice >> 25) % 12) as usize) { 1 => true, 4 | 6..=9 => {   false }, x if x > 10usize => { return 1.0f32; } _ => (((dice >> 26) & 3u64) <= 1u64) }), (if (((dice >> 56) & 3u64) > 0u64) {   (((dice >> 50) & 1u64) == 1u64) } else {  true }), { (((dice >> 31) & 7u64) > 6u64) }, { let x7: u64 = u64::MAX; let x8: i64 = p1; let r: bool = k18_rest_in(x7, x8); r }, ((((dice >> 34) & 15u64) != 4u64) ^ true)]; let x9: u32 = 28u32; let x10: [u32; 2] = [((dice >> 47) as u32), u32::MIN]; let r: S1 = h8(&mut m6, x9, x10); r }; let r: bool = ({ let w: (f32, bool, i32) = y5.f1; w }).1; r }), ('l11: { if (((dice >> 26) & 1u64) == 0u64) { break 'l11 ({ p4 }); }   p3 }), p3); let r: S2 = h10(x3); r }; let r: bool = k13_eval_rest_rest(x1, x2); r } {    } else {    }
    (if (!(((dice >> 57) & 15u64) != 13u64)) { 3.0e38f32 } else {   ((dice >> 46) as f32) })
}
#[kernel(split)]
pub fn k22(p0: f64, p1: usize, p2: i64, p3: f32, p4: f64) -> f32 {
    k22_eval(p1, p2, k22_setup(p3), p4, p0)
}

#[kernel(inline)]
fn k23_in(p0: f64) -> bool {
    let mut dice: u64 = { let h: u64 = ({ let q0_0: f64 = p0; f64::to_bits(q0_0) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    ({ let x1: u64 = u64::MAX; let x2: S2 = S2 { f0: ('l3: { if true { break 'l3 (p0); }   p0 }), f1: [{ let r: f64 = C0[(u32::wrapping_rem(0u32, 3) as usize)]; r }, ('l4: { if (((dice >> 35) & 1u64) > 0u64) { break 'l4 (p0); }   p0 })] }; let r: bool = k13_eval_in(x1, x2); r } ^ ((dice >> 3) & 1u64 == 1u64))
}
#[kernel(inline)]
fn k23_main(p0: f64) -> f64 {
    let mut dice: u64 = { let h: u64 = ({ let q0_0: f64 = p0; f64::to_bits(q0_0) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    if true { return (-(f64::from_bits(((dice >> 12) as u64)))); }
    (if (((dice >> 34) & 3u64) != 3u64) { ({ let r: f64 = C1; r } + (match ({ let r: usize = ((dice >> 26) as usize); r } / { let r: usize = usize::MAX; r }) { 2 => ('l1: { if (((dice >> 3) & 3u64) == 0u64) { break 'l1 (p0); }   p0 }), 4 | 6..=9 => { if { dice = dice * 6364136223846793005u64 + 1442695040888963407u64; (((dice >> 10) & 15u64) <= 9u64) } {    } else {    } { let r: f64 = C5[(u32::wrapping_rem(2u32, 3) as usize)][(((dice >> 33) % 4) as usize)]; r } }, x if x > 10usize => { return { let x2: usize = 59usize; let x3: S0 = S0 { f2: true, f0: (p0, i32::MIN, ((dice >> 41) as i64)), f1: (f64::INFINITY, (((dice >> 32) & 3u64) != 3u64), ((dice >> 36) as u64)) }; let x4: i32 = i32::MIN; let r: f64 = k1_eval(x2, x3, x4); r }; } _ => f64::mul_add(f64::NAN, f64::NAN, 1.0) })) } else { (dice >> 18) as f64 })
}
#[kernel(inline)]
fn k23_rest(p0: f64) -> f64 {
    let mut dice: u64 = { let h: u64 = ({ let q0_0: f64 = p0; f64::to_bits(q0_0) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    let mut a1: [f32; 4] = [f32::from_bits(((dice >> 34) as u32)), (match (((dice >> 12) % 12) as u64) { 1 => ((dice >> 48) as f32), 4 | 6..=9 => { 0.1f32 }, x if x > 10u64 => { ((dice >> 59) as f32) } _ => ((dice >> 46) as f32) }), { let t2: (f32, f64) = (((dice >> 57) as f32), 0.5); t2.0 }, { let r: f32 = C3[(((dice >> 25) % 2) as usize)][0]; r }];
    let mut w3 = 0i32; 'l3: loop { w3 += 1; if w3 > 1 || (match 27u32 { 0 => true, 4 | 6..=9 => { false }, x if x > 10u32 => { true } _ => (((dice >> 6) & 3u64) != 2u64) }) { break; } let mut a4: S0 = S0 { f0: ((2.0 * p0), ((dice >> 48) as i32), { let t5: (i32, i64) = (((dice >> 17) as i32), ((dice >> 49) as i64)); t5.1 }), f1: ((p0 / p0), (false | false), { ((dice >> 30) as u64) }), f2: { let x6: u64 = ((dice >> 3) as u64); let x7: i64 = i64::MAX; let r: bool = k18_in(x6, x7); r } };  if (((dice >> 31) & 3u64) == 1u64) { break; } dice ^= dice >> 17; dice *= 0x9E3779B97F4A7C15u64;  }
    { let z8: f32 = a1[3]; dice = (dice ^ (f32::to_bits(z8) as u64)).rotate_left(17) * 0x9E3779B97F4A7C15u64; }
    { let r: f64 = C0[0]; r }
}
#[kernel(masked)]
pub fn k23(p0: f64) -> f64 {
    if k23_in(p0) { k23_main(p0) } else { k23_rest(p0) }
}

#[kernel(inline)]
fn h14(p0: S3) -> (f64, bool) {
    let mut dice: u64 = { let h: u64 = ({ let q0_2: i32 = ({ let w: (f64, i32, i64) = ({ let w: S0 = p0.f1; w }).f0; w }).1; (q0_2 as u64) } ^ { let h: u64 = ({ let q0_1: f64 = ({ let w: (f64, i32, i64) = ({ let w: S0 = p0.f1; w }).f0; w }).0; f64::to_bits(q0_1) } ^ { let h: u64 = ({ let q0_0: u64 = p0.f0; (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    dice ^= dice >> 23; dice *= 0x2545F4914F6CDD1Du64;
    if (if (((1.0f32 - ((dice >> 41) as f32))) == (f32::mul_add(((dice >> 60) as f32), f32::NAN, ((dice >> 60) as f32)))) { 'l4: for v3 in (2u64..5u64).rev() { match (dice >> 52) & 7u64 { 0 | 1 => {    } 2 => { continue; } x if x > 5 => {   } _ => {} } if (((dice >> 20) & 15u64) > 6u64) { return (((dice >> 33) as f64), false); } let (mut v2, v6b): (f64, f64) = (f64::INFINITY, f64::INFINITY); if (((dice >> 42) & 3u64) == 1u64) { return (v2, (((dice >> 51) & 1u64) != 1u64)); }  } let mut w7 = 0i32; 'l7: while w7 < 4 && (((dice >> 53) & 7u64) <= 3u64) { w7 += 1;  if (((dice >> 6) & 3u64) != 1u64) { continue 'l7; }  if { dice = dice * 6364136223846793005u64 + 1442695040888963407u64; (((dice >> 16) & 15u64) != 14u64) } { break; } dice ^= dice >> 17; dice *= 0x9E3779B97F4A7C15u64;  } true } else {   true }) {    }
    (f64::INFINITY, (false ^ ((dice >> 6) & 1u64 == 1u64)))
}
#[kernel(inline)]
pub fn k24(p0: usize, p1: usize, p2: f32) -> u32 {
    let mut dice: u64 = { let h: u64 = ({ let q2_0: f32 = p2; (f32::to_bits(q2_0) as u64) } ^ { let h: u64 = ({ let q1_0: usize = p1; (q1_0 as u64) } ^ { let h: u64 = ({ let q0_0: usize = p0; (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    let mut v1: i32 = 68i32;
    let mut a2: S1 = S1 { f3: [i64::min(32i64, (-86i64)), ({ let r: i64 = 69i64; r } * { let r: i64 = ((dice >> 43) as i64); r })], f0: u32::MAX, f1: (f32::min(p2, p2), (if (((dice >> 5) & 1u64) != 1u64) {  true } else if (((dice >> 33) & 3u64) != 3u64) { return 22u32; } else { (((dice >> 40) & 7u64) > 2u64) }), ((v1) as i32)), f2: { let x3: bool = { let x4: i32 = v1; let x5: f64 = f64::INFINITY; let r: bool = k14(x4, x5); r }; let x6: bool = (if (((dice >> 22) & 3u64) > 0u64) {  (((dice >> 38) & 3u64) > 1u64) } else if (((dice >> 45) & 3u64) > 2u64) { return 11u32; } else {   (((dice >> 34) & 7u64) == 3u64) }); let r: S0 = k11_setup(x3, x6); r } };
    v1 = { let r: i32 = ({ let x7: f64 = (match (((dice >> 24) % 12) as i32) { 0 => ((((dice >> 59) as u64)) as f64), 4 | 6..=9 => { a2.f0 |= { let r: u32 = { let x8: f32 = p2; let x9: f64 = ((dice >> 22) as f64); let r: u32 = k15(x8, x9); r }; r }; { let r: f64 = ({ let w: (f64, i32, i64) = ({ let w: S0 = a2.f2; w }).f0; w }).0; r } }, x if x > 10i32 => { return ((56usize) as u32); } _ => { let r: f64 = C2[1]; r } }); let r: i32 = k4_main(x7); r } & i32::max((match (if (((dice >> 52) & 7u64) > 0u64) { ((dice >> 26) as u64) } else {  ((dice >> 46) as u64) }) { 0 => ({ let r: i32 = v1; r } + { let r: i32 = 38i32; r }), 4 | 6..=9 => { ({ let r: i32 = v1; r } % { let r: i32 = v1; r }) }, x if x > 10u64 => { v1 } _ => v1 }), 60i32)); r };
    { let z10: i32 = v1; dice = (dice ^ (z10 as u64)).rotate_left(16) * 0x9E3779B97F4A7C15u64; }
    { let z11: u32 = a2.f0; dice = (dice ^ (z11 as u64)).rotate_left(47) * 0x9E3779B97F4A7C15u64; }
    { let z12: i64 = a2.f3[(((dice >> 51) % 2) as usize)]; dice = (dice ^ (z12 as u64)).rotate_left(48) * 0x9E3779B97F4A7C15u64; }
    (u32::wrapping_mul((!({ let r: u32 = ((dice >> 43) as u32); r } % { let r: u32 = 64u32; r })), 21u32) ^ ((dice >> 10) as u32))
}

#[kernel(inline)]
fn k25_setup(p0: f32, p1: f32) -> S1 {
    let mut dice: u64 = { let h: u64 = ({ let q1_0: f32 = p1; (f32::to_bits(q1_0) as u64) } ^ { let h: u64 = ({ let q0_0: f32 = p0; (f32::to_bits(q0_0) as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    'l2: for v1 in 0u32..2u32 { let mut v3: f64 = ((dice >> 15) as f64); match (dice >> 33) & 7u64 { 0 | 1 => { let mut v4: usize = usize::min(({ let r: usize = usize::MAX; r } / { let r: usize = ((dice >> 49) as usize); r }), (if (((dice >> 2) & 7u64) == 6u64) {   9usize } else {   35usize })); let mut v5: i32 = ({ let r: i32 = (({ let r: i32 = i32::MAX; r }) >> ({ let r: usize = v4; r })); r } * { let r: i32 = ((dice >> 22) as i32); r });  } 2 => { continue 'l2; } x if x > 5 => {   } _ => {} }  }
    S1 { f3: [{ let t6: (u32, i64) = (((dice >> 12) as u32), ((dice >> 7) as i64)); t6.1 }, { let x7: i32 = ((dice >> 43) as i32); let x8: usize = usize::MAX; let r: i64 = k0_rest_main(x7, x8); r }], f0: { let x9: u32 = u32::MIN; let x10: f64 = ((dice >> 36) as f64); let r: u32 = k10(x9, x10); r }, f1: (p0, true, i32::MAX), f2: S0 { f1: (((dice >> 35) as f64), true, ((dice >> 2) as u64)), f2: false, f0: (4503599627370497.5, ((dice >> 27) as i32), ((dice >> 58) as i64)) } }
}
#[kernel]
fn k25_eval(p0: usize, p1: usize, p2: S1) -> (u32, u64, f32) {
    let mut dice: u64 = { let h: u64 = ({ let q2_2: bool = ({ let w: (f32, bool, i32) = p2.f1; w }).1; (q2_2 as u64) } ^ { let h: u64 = ({ let q2_1: f32 = ({ let w: (f32, bool, i32) = p2.f1; w }).0; (f32::to_bits(q2_1) as u64) } ^ { let h: u64 = ({ let q2_0: u32 = p2.f0; (q2_0 as u64) } ^ { let h: u64 = ({ let q1_0: usize = p1; (q1_0 as u64) } ^ { let h: u64 = ({ let q0_0: usize = p0; (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    let mut v8: f64 = (if (((dice >> 15) & 1u64) <= 0u64) { if (((dice >> 16) & 3u64) == 0u64) { let (mut v1, v2b): (f64, i64) = ((match i64::MAX { 2 => ((dice >> 58) as f64), 4 | 6..=9 => {   9.3e18 }, x if x > 10i64 => { 1.0 } _ => f64::INFINITY }), (({ let r: i64 = ((dice >> 15) as i64); r }) >> ({ let r: i64 = i64::MIN; r }))); let mut v4: u32 = { let t3: (bool, u32) = ({   false }, ({ let r: u32 = u32::MIN; r } * { let r: u32 = 35u32; r })); t3.1 };  } else { if (!true) { if (((dice >> 14) & 15u64) != 7u64) {    }   } else { let mut a5: [i64; 4] = [43i64, ((dice >> 47) as i64), ((dice >> 43) as i64), i64::MIN]; 'l7: for v3 in 0i64..4i64 {  if false { continue; }  dice ^= dice >> 17; dice *= 0x9E3779B97F4A7C15u64;  }  }   } (-1.0) } else {  ((dice >> 26) as f64) });
    { let z9: f64 = v8; dice = (dice ^ f64::to_bits(z9)).rotate_left(15) * 0x9E3779B97F4A7C15u64; }
    (((if (((dice >> 21) & 7u64) == 1u64) { let mut v10: usize = p0;  10u32 } else {   ((dice >> 39) as u32) }) ^ ((dice >> 15) as u32)), (((dice >> 34) as u64) ^ ((dice >> 8) as u64)), (if (((dice >> 54) & 3u64) == 3u64) { (-1.5f32) } else { (dice >> 24) as f32 }))
}
#[kernel(split)]
pub fn k25(p0: f32, p1: f32, p2: usize, p3: usize) -> (u32, u64, f32) {
    k25_eval(p2, p3, k25_setup(p0, p1))
}

#[kernel(inline)]
pub fn k26(p0: f32, p1: u64) -> (u32, u64) {
    let mut dice: u64 = { let h: u64 = ({ let q1_0: u64 = p1; (q1_0 as u64) } ^ { let h: u64 = ({ let q0_0: f32 = p0; (f32::to_bits(q0_0) as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    match (dice >> 42) & 7u64 { 0 | 1 => { 'l2: for v1 in 0usize..2usize { let mut a3: [f64; 2] = [(((dice >> 53) as f64) - ((dice >> 51) as f64)); 2]; if (((dice >> 11) & 15u64) != 14u64) { 'l5: for v4 in 0u64..4u64 {    } dice ^= dice >> 23; dice *= 0x2545F4914F6CDD1Du64;  } else { a3[(u32::wrapping_rem(u32::MIN, 2) as usize)] -= { let r: f64 = { let r: f64 = C2[(((dice >> 40) % 6) as usize)]; r }; r }; let mut a6: [f64; 4] = [3.75, 4503599627370497.5, ((dice >> 35) as f64), 2.0];  }  }   } 2 => { return ({ let y7: S3 = { let mut m8: bool = { let t9: (bool, f32) = ((((dice >> 0) & 15u64) != 15u64), p0); t9.0 }; let x10: [i32; 3] = [('l11: { if false { break 'l11 (i32::MAX); }   ((dice >> 38) as i32) }); 3]; let mut m12: f64 = f64::fract(((dice >> 52) as f64)); let r: S3 = h5(&mut m8, x10, &mut m12); r }; let r: u32 = ({ let w: S1 = y7.f3; w }).f0; r }, p1); } x if x > 5 => { let v13: f64 = { let r: f64 = C7; r };  } _ => {} }
    'l15: for v14 in (u64::MIN..=u64::MIN + 4).rev() { let mut v16: f64 = ((if (((dice >> 36) & 1u64) > 0u64) { ((1u32) as f64) } else if (((dice >> 5) & 1u64) <= 0u64) { continue 'l15; } else { (-(0.0)) }) - (match (p1 ^ v14) { 2 => f64::copysign(0.0, f64::INFINITY), 4 | 6..=9 => {   {  ((dice >> 18) as f64) } }, x if x > 10u64 => { continue; } _ => f64::NAN }));   }
    (((match (((dice >> 39) % 12) as i64) { 2 => u32::MIN, 4 | 6..=9 => { let mut v18: bool = f64::is_sign_negative({ let mut n17 = 0u32; 'l17: loop { n17 += 1; if n17 > 3 { break (-1.0); }    if (((dice >> 54) & 3u64) == 3u64) { break ((dice >> 38) as f64); } } });  u32::MIN }, x if x > 10i64 => { ((dice >> 1) as u32) } _ => ((dice >> 48) as u32) }) ^ ((dice >> 9) as u32)), (32u64 ^ ((dice >> 13) as u64)))
}

#[kernel]
fn h15(p0: f32, p1: &mut S1, p2: &mut (i64, i64)) -> S0 {
    let mut dice: u64 = { let h: u64 = ({ let q2_1: i64 = (*p2).1; (q2_1 as u64) } ^ { let h: u64 = ({ let q2_0: i64 = (*p2).0; (q2_0 as u64) } ^ { let h: u64 = ({ let q1_2: bool = ({ let w: (f32, bool, i32) = (*p1).f1; w }).1; (q1_2 as u64) } ^ { let h: u64 = ({ let q1_1: f32 = ({ let w: (f32, bool, i32) = (*p1).f1; w }).0; (f32::to_bits(q1_1) as u64) } ^ { let h: u64 = ({ let q1_0: u32 = (*p1).f0; (q1_0 as u64) } ^ { let h: u64 = ({ let q0_0: f32 = p0; (f32::to_bits(q0_0) as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    'l2: for v1 in (0i64..5i64).rev() { match (dice >> 58) & 7u64 { 0 | 1 => { (*p1).f0 += { let r: u32 = u32::wrapping_add(u32::wrapping_shr(((dice >> 6) as u32), ((dice >> 14) as u32)), { let mut n3 = 0u32; 'l3: loop { n3 += 1; if n3 > 4 { break ((dice >> 54) as u32); }    if (((dice >> 55) & 7u64) > 5u64) { break u32::MIN; } } }); r }; let mut w4 = 0i32; 'l4: loop { w4 += 1; if w4 > 2 || { dice = dice * 6364136223846793005u64 + 1442695040888963407u64; (((dice >> 10) & 1u64) == 1u64) } { break; } (*p2).0 = { let r: i64 = { let r: i64 = (*p2).1; r }; r }; if (((dice >> 40) & 3u64) != 2u64) { break 'l4; } match (dice >> 22) & 7u64 { 0 | 1 => {    } 2 => { break 'l2; } x if x > 5 => {   } _ => {} } dice ^= dice >> 17; dice *= 0x9E3779B97F4A7C15u64;  }  } 2 => { continue; } x if x > 5 => { (*p2).0 >>= { let r: i64 = (i64::min(v1, v1) ^ ({ let r: i64 = v1; r } / { let r: i64 = v1; r })); r };  } _ => {} }   }
    { let z5: u32 = (*p1).f0; dice = (dice ^ (z5 as u64)).rotate_left(62) * 0x9E3779B97F4A7C15u64; }
    { let z6: i64 = (*p1).f3[(u32::wrapping_rem(((dice >> 13) as u32), 2) as usize)]; dice = (dice ^ (z6 as u64)).rotate_left(14) * 0x9E3779B97F4A7C15u64; }
    { let z7: i64 = (*p2).0; dice = (dice ^ (z7 as u64)).rotate_left(60) * 0x9E3779B97F4A7C15u64; }
    { let z8: i64 = (*p2).1; dice = (dice ^ (z8 as u64)).rotate_left(13) * 0x9E3779B97F4A7C15u64; }
    S0 { f1: (0.0, {  (((dice >> 49) & 3u64) != 2u64) }, ((dice >> 19) as u64)), f2: false, f0: (f64::MAX, ((dice >> 40) as i32), ((dice >> 43) as i64)) }
}
#[kernel(inline)]
fn k27_in(p0: usize, p1: bool) -> bool {
    let mut dice: u64 = { let h: u64 = ({ let q1_0: bool = p1; (q1_0 as u64) } ^ { let h: u64 = ({ let q0_0: usize = p0; (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    let mut v1: usize = ((((({ let r: u64 = (24u64 | u64::MAX); r } % { let r: u64 = u64::wrapping_shl(((dice >> 48) as u64), ((dice >> 21) as u32)); r })) == ((if (((dice >> 2) & 1u64) != 1u64) {  ((dice >> 57) as u64) } else { 11u64 })))) as usize);
    { let z2: usize = v1; dice = (dice ^ (z2 as u64)).rotate_left(43) * 0x9E3779B97F4A7C15u64; }
    (((((u64::MAX) as u64)) == (f64::to_bits(((dice >> 52) as f64)))) ^ ((dice >> 15) & 1u64 == 1u64))
}
#[kernel(inline)]
fn k27_main(p0: usize, p1: bool) -> i64 {
    let mut dice: u64 = { let h: u64 = ({ let q1_0: bool = p1; (q1_0 as u64) } ^ { let h: u64 = ({ let q0_0: usize = p0; (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    let (mut v4, v10b): (u64, usize) = ({ let y1: S0 = { let x2: bool = (match (((dice >> 31) % 12) as u64) { 2 => p1, 4 | 6..=9 => { let mut a3: S1 = S1 { f3: [i64::MAX, 50i64], f0: ((dice >> 36) as u32), f1: (f32::INFINITY, p1, ((dice >> 43) as i32)), f2: S0 { f0: (0.0, i32::MIN, ((dice >> 35) as i64)), f1: (4503599627370497.5, p1, 59u64), f2: true } }; f64::is_sign_positive(f64::MAX) }, x if x > 10u64 => { p1 } _ => { p1 } }); let x6: bool = { if p1 {    } 'l8: for v7 in usize::MAX - 3..=usize::MAX {  if (((dice >> 5) & 3u64) == 3u64) { return ((dice >> 14) as i64); }   } p1 }; let r: S0 = k11_setup(x2, x6); r }; let r: u64 = ({ let w: (f64, bool, u64) = y1.f1; w }).2; r }, p0);
    { let z11: u64 = v4; dice = (dice ^ (z11 as u64)).rotate_left(39) * 0x9E3779B97F4A7C15u64; }
    ((({ let r: i64 = ((-({ let r: i64 = ((dice >> 15) as i64); r })) | (match (((dice >> 19) % 12) as i32) { 1 => ((dice >> 37) as i64), 4 | 6..=9 => { 67i64 }, x if x > 10i32 => { return ((dice >> 4) as i64); } _ => ((dice >> 37) as i64) })); r }) << ({ let r: u32 = ((dice >> 21) as u32); r })) ^ ((dice >> 6) as i64))
}
#[kernel(inline)]
fn k27_rest_in(p0: usize, p1: bool) -> bool {
    let mut dice: u64 = { let h: u64 = ({ let q1_0: bool = p1; (q1_0 as u64) } ^ { let h: u64 = ({ let q0_0: usize = p0; (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    let mut w1 = 0i32; 'l1: loop { w1 += 1; if w1 > 1 || (((dice >> 3) & 7u64) == 5u64) { break; } let mut a2: S0 = S0 { f2: { true }, f0: (f64::signum((-0.0)), ({ let r: i32 = 60i32; r } - { let r: i32 = ((dice >> 48) as i32); r }), ({ let r: i64 = ((dice >> 16) as i64); r } % { let r: i64 = i64::MAX; r })), f1: (((dice >> 42) as f64), true, u64::MIN) };   }
    ((!false) ^ ((dice >> 12) & 1u64 == 1u64))
}
#[kernel(inline)]
fn k27_rest_main(p0: usize, p1: bool) -> i64 {
    let mut dice: u64 = { let h: u64 = ({ let q1_0: bool = p1; (q1_0 as u64) } ^ { let h: u64 = ({ let q0_0: usize = p0; (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    'l2: for v1 in (0u32..=(((dice >> 41) % 5) as u32)).rev() { if (((dice >> 22) & 3u64) != 2u64) { continue; }  if (((dice >> 52) & 1u64) <= 0u64) { break; }  }
    if (((dice >> 31) & 15u64) <= 7u64) { let mut w3 = 0i32; 'l3: while w3 < 1 && (((dice >> 47) & 7u64) != 2u64) { w3 += 1; { let z4: bool = p1; dice = (dice ^ (z4 as u64)).rotate_left(23) * 0x9E3779B97F4A7C15u64; }  if (((dice >> 6) & 15u64) <= 3u64) { break; } dice ^= dice >> 17; dice *= 0x9E3779B97F4A7C15u64;  }   } else { if ((!p1) & { let mut n5 = 0u32; 'l5: loop { n5 += 1; if n5 > 1 { break (((dice >> 21) & 7u64) != 7u64); }    if { dice = dice * 6364136223846793005u64 + 1442695040888963407u64; (((dice >> 27) & 7u64) == 4u64) } { break p1; } } }) { let mut a6: [f64; 4] = [{ let mut n7 = 0u32; 'l7: loop { n7 += 1; if n7 > 2 { break (-2147483648.5); }    if (((dice >> 42) & 1u64) == 1u64) { break ((dice >> 37) as f64); } } }, 0.1, ((dice >> 14) as f64), ((p0) as f64)];   } else {    }   }
    ((({ let x8: u32 = ({ let r: u32 = 62u32; r } - { let r: u32 = ((dice >> 54) as u32); r }); let x9: f64 = 1e-300; let r: u32 = k10(x8, x9); r }) as i64) ^ ((dice >> 18) as i64))
}
#[kernel(inline)]
fn k27_rest_rest(p0: usize, p1: bool) -> i64 {
    let mut dice: u64 = { let h: u64 = ({ let q1_0: bool = p1; (q1_0 as u64) } ^ { let h: u64 = ({ let q0_0: usize = p0; (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    let mut w1 = 0i32; 'l1: while w1 < 6 && { dice = dice * 6364136223846793005u64 + 1442695040888963407u64; (((dice >> 52) & 3u64) > 1u64) } { w1 += 1; 'l3: for v2 in u32::MAX - 0..=u32::MAX { let mut a4: S1 = S1 { f0: v2, f1: ((-1.5f32), p1, i32::MIN), f2: S0 { f1: (1.0, p1, 33u64), f2: p1, f0: (((dice >> 14) as f64), 50i32, 49i64) }, f3: [(-81i64), ((dice >> 23) as i64)] }; let mut v4: bool = { let mut v6: bool = ((i64::MAX) != (((dice >> 7) as i64))); a4.f3[0] *= { let r: i64 = ('l7: { if true { break 'l7 (((dice >> 40) as i64)); }   (-76i64) }); r }; ((v2) != (v2)) };  }   }
    ((if p1 { i64::wrapping_div({ let x9: i32 = (-89i32); let x10: usize = p0; let r: i64 = k0_main(x9, x10); r }, 26i64) } else if p1 { return i64::MAX; } else { let mut v5: f64 = f64::copysign((((dice >> 55) as f64) / (-0.0)), std::f64::consts::PI);  ((dice >> 14) as i64) }) ^ ((dice >> 4) as i64))
}
#[kernel(masked)]
fn k27_rest(p0: usize, p1: bool) -> i64 {
    if k27_rest_in(p0, p1) { k27_rest_main(p0, p1) } else { k27_rest_rest(p0, p1) }
}
#[kernel(masked)]
pub fn k27(p0: usize, p1: bool) -> i64 {
    if k27_in(p0, p1) { k27_main(p0, p1) } else { k27_rest(p0, p1) }
}

#[kernel(inline)]
fn k28_in(p0: f32, p1: f64, p2: u32) -> bool {
    let mut dice: u64 = { let h: u64 = ({ let q2_0: u32 = p2; (q2_0 as u64) } ^ { let h: u64 = ({ let q1_0: f64 = p1; f64::to_bits(q1_0) } ^ { let h: u64 = ({ let q0_0: f32 = p0; (f32::to_bits(q0_0) as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    dice ^= dice >> 23; dice *= 0x2545F4914F6CDD1Du64;
    let v1: f64 = ((p1 * { let r: f64 = C4[1][1]; r }) * { let r: f64 = C2[5]; r });
    if (((dice >> 9) & 3u64) <= 1u64) { let mut w2 = 0i32; 'l2: while w2 < 3 && (((dice >> 31) & 7u64) > 4u64) { w2 += 1; let mut w3 = 0i32; 'l3: while w3 < 4 && { dice = dice * 6364136223846793005u64 + 1442695040888963407u64; (((dice >> 6) & 1u64) != 1u64) } { w3 += 1;   dice ^= dice >> 17; dice *= 0x9E3779B97F4A7C15u64;  }  if (((dice >> 3) & 3u64) == 0u64) { continue; } dice ^= dice >> 17; dice *= 0x9E3779B97F4A7C15u64;  }   }
    ((((dice >> 29) & 3u64) <= 0u64) ^ ((dice >> 13) & 1u64 == 1u64))
}
#[kernel(inline)]
fn k28_main(p0: f32, p1: f64, p2: u32) -> i32 {
    let mut dice: u64 = { let h: u64 = ({ let q2_0: u32 = p2; (q2_0 as u64) } ^ { let h: u64 = ({ let q1_0: f64 = p1; f64::to_bits(q1_0) } ^ { let h: u64 = ({ let q0_0: f32 = p0; (f32::to_bits(q0_0) as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    if (match (((dice >> 3) % 12) as usize) { 1 => ((((dice >> 7) & 1u64) <= 0u64) & ((true) > ((((dice >> 23) & 1u64) != 0u64)))), 4 | 6..=9 => { if (((dice >> 57) & 3u64) <= 0u64) { return { let mut n1 = 0u32; 'l1: loop { n1 += 1; if n1 > 4 { break ((dice >> 31) as i32); }    if (((dice >> 48) & 1u64) <= 0u64) { break (-63i32); } } }; } (({ let mut n2 = 0u32; 'l2: loop { n2 += 1; if n2 > 4 { break false; }    if (((dice >> 13) & 1u64) != 0u64) { break (((dice >> 41) & 15u64) == 2u64); } } }) > (((u64::MIN) == (55u64)))) }, x if x > 10usize => { return i32::wrapping_mul(i32::MAX, (if { dice = dice * 6364136223846793005u64 + 1442695040888963407u64; (((dice >> 4) & 7u64) > 6u64) } { i32::MIN } else { (-87i32) })); } _ => true }) { let mut v3: f64 = ({ let r: f64 = C1; r } / p1);   }
    ({ let t4: (i32, i32) = (({ let r: i32 = (!((dice >> 19) as i32)); r } - { let r: i32 = ('l5: { if (((dice >> 12) & 1u64) <= 0u64) { break 'l5 (((dice >> 27) as i32)); }   (-75i32) }); r }), ((dice >> 31) as i32)); t4.0 } ^ ((dice >> 0) as i32))
}
#[kernel(inline)]
fn k28_rest(p0: f32, p1: f64, p2: u32) -> i32 {
    let mut dice: u64 = { let h: u64 = ({ let q2_0: u32 = p2; (q2_0 as u64) } ^ { let h: u64 = ({ let q1_0: f64 = p1; f64::to_bits(q1_0) } ^ { let h: u64 = ({ let q0_0: f32 = p0; (f32::to_bits(q0_0) as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    let mut a1: [f64; 4] = [(((dice >> 35) as f64) - 0.5); 4];
    let (mut v5, v6b): (f64, bool) = ({ let r: f64 = a1[usize::wrapping_rem(({ let r: usize = ((dice >> 44) as usize); r } + { let r: usize = ((dice >> 57) as usize); r }), 4)]; r }, f64::is_infinite(('l2: { if { dice = dice * 6364136223846793005u64 + 1442695040888963407u64; (((dice >> 15) & 1u64) == 0u64) } { break 'l2 ((match (((dice >> 29) % 12) as u32) { 1 => p1, 4 | 6..=9 => {   p1 }, x if x > 10u32 => { break 'l2 (p1); } _ => p1 })); } 'l4: for v3 in (u32::MIN..=u32::MIN + 2).rev() {   dice ^= dice >> 17; dice *= 0x9E3779B97F4A7C15u64;  }  { let r: f64 = C7; r } })));
    let mut v3: u32 = (({ let r: u32 = ({ let r: u32 = i32::leading_zeros(i32::abs(i32::MIN)); r } + { let r: u32 = u32::rotate_right(u32::min(p2, p2), (p2 | p2)); r }); r }) >> ({ let r: i64 = i64::MIN; r }));
    { let z8: f64 = a1[(((dice >> 44) % 4) as usize)]; dice = (dice ^ f64::to_bits(z8)).rotate_left(46) * 0x9E3779B97F4A7C15u64; }
    { let z9: f64 = v5; dice = (dice ^ f64::to_bits(z9)).rotate_left(50) * 0x9E3779B97F4A7C15u64; }
    { let z10: u32 = v3; dice = (dice ^ (z10 as u64)).rotate_left(49) * 0x9E3779B97F4A7C15u64; }
    (!{ let x11: f64 = (v5 / v5); let r: i32 = k4_main(x11); r })
}
#[kernel(masked)]
pub fn k28(p0: f32, p1: f64, p2: u32) -> i32 {
    if k28_in(p0, p1, p2) { k28_main(p0, p1, p2) } else { k28_rest(p0, p1, p2) }
}

#[kernel]
pub fn k29(p0: f64, p1: f32, p2: f64, p3: u32) -> u32 {
    let mut dice: u64 = { let h: u64 = ({ let q3_0: u32 = p3; (q3_0 as u64) } ^ { let h: u64 = ({ let q2_0: f64 = p2; f64::to_bits(q2_0) } ^ { let h: u64 = ({ let q1_0: f32 = p1; (f32::to_bits(q1_0) as u64) } ^ { let h: u64 = ({ let q0_0: f64 = p0; f64::to_bits(q0_0) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    let mut w1 = 0i32; 'l1: loop { w1 += 1; if w1 > 6 || (((dice >> 50) & 3u64) != 3u64) { break; } let u4: f32; if (((dice >> 51) & 7u64) <= 2u64) { u4 = { ({ let r: f32 = C3[0][(u32::wrapping_rem(p3, 4) as usize)]; r } + { let r: f32 = C3[(u32::wrapping_rem(p3, 2) as usize)][(((dice >> 33) % 4) as usize)]; r }) }; } else { u4 = { let t2: (i64, f32) = (({ let r: i64 = 13i64; r } + { let r: i64 = ((dice >> 19) as i64); r }), ('l3: { if (((dice >> 35) & 3u64) <= 0u64) { break 'l3 (p1); }   1.0f32 })); t2.1 }; } if (((dice >> 54) & 7u64) == 4u64) { break; } if (((dice >> 31) & 1u64) > 0u64) { let mut w5 = 0i32; 'l5: loop { w5 += 1; if w5 > 4 || (((dice >> 45) & 1u64) == 1u64) { break; }  if (((dice >> 12) & 3u64) <= 1u64) { break 'l1; } let u6: f64; if (((dice >> 23) & 3u64) <= 2u64) { u6 = {   p0 }; } else { u6 = 0.0; } dice ^= dice >> 17; dice *= 0x9E3779B97F4A7C15u64;  } if { let mut n7 = 0u32; 'l7: loop { n7 += 1; if n7 > 1 { break true; }    if (((dice >> 43) & 1u64) > 0u64) { break true; } } } { break; }  } if { dice = dice * 6364136223846793005u64 + 1442695040888963407u64; (((dice >> 32) & 1u64) <= 0u64) } { break 'l1; } dice ^= dice >> 17; dice *= 0x9E3779B97F4A7C15u64;  }
    let mut a8: S2 = { let x9: (bool, f64, f64) = (((usize::max(30usize, 6usize)) >= (33usize)), { let x10: f64 = { let mut n11 = 0u32; 'l11: loop { n11 += 1; if n11 > 4 { break p2; }    if (((dice >> 43) & 3u64) == 1u64) { break ((dice >> 31) as f64); } } }; let r: f64 = k17_main(x10); r }, { let t12: (f64, u32) = (f64::from_bits(28u64), (match ((dice >> 2) as i64) { 2 => p3, 4 | 6..=9 => {   p3 }, x if x > 10i64 => { p3 } _ => p3 })); t12.0 }); let r: S2 = h10(x9); r };
    { let z13: f64 = a8.f0; dice = (dice ^ f64::to_bits(z13)).rotate_left(12) * 0x9E3779B97F4A7C15u64; }
    { let z14: f64 = a8.f1[(u32::wrapping_rem(p3, 2) as usize)]; dice = (dice ^ f64::to_bits(z14)).rotate_left(29) * 0x9E3779B97F4A7C15u64; }
    (u32::wrapping_mul((if (((dice >> 38) & 1u64) == 1u64) { if false { return p3; } let mut v15: usize = ((dice >> 48) as usize); p3 } else {   p3 }), p3) ^ ((dice >> 17) as u32))
}

#[kernel(inline)]
fn h16(p0: [bool; 4]) -> usize {
    let mut dice: u64 = { let h: u64 = ({ let q0_0: bool = p0[0]; (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    if (((dice >> 55) & 7u64) <= 0u64) { let u6: f32; if (((dice >> 56) & 3u64) != 1u64) { u6 = { 'l2: for v1 in (((dice >> 1) % 4) as i64)..=4i64 { let (mut v3, v4b): (f32, f64) = (3.0e38f32, 2.0); if (((dice >> 7) & 7u64) != 0u64) {    } else if (((dice >> 46) & 7u64) != 2u64) {    } else {   } if false { return usize::MIN; } dice ^= dice >> 17; dice *= 0x9E3779B97F4A7C15u64;  } (-({ let mut n5 = 0u32; 'l5: loop { n5 += 1; if n5 > 3 { break (-1.5f32); }    if (((dice >> 34) & 3u64) == 2u64) { break f32::INFINITY; } } })) }; } else { u6 = f32::copysign({ let r: f32 = C3[1][(((dice >> 10) % 4) as usize)]; r }, f32::NAN); } let v7: u32 = (({ let r: u32 = u32::MIN; r }) >> ({ let r: u32 = ((dice >> 30) as u32); r }));  } else {    }
    ((match ('l8: { if (((dice >> 16) & 15u64) != 10u64) { break 'l8 (((dice >> 9) as i64)); }   i64::MAX }) { 0 => 13usize, 4 | 6..=9 => {   11usize }, x if x > 10i64 => { usize::MAX } _ => 34usize }) ^ ((dice >> 5) as usize))
}
#[kernel]
pub fn k30(p0: usize) -> (u64, f32) {
    let mut dice: u64 = { let h: u64 = ({ let q0_0: usize = p0; (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    let mut v14: f64 = (match (((dice >> 28) % 12) as i64) { 0 => (f64::from_bits(u64::wrapping_shl(((dice >> 35) as u64), 36u32)) / { let x1: f64 = ((-1.0) * 0.0); let r: f64 = k17(x1); r }), 4 | 6..=9 => { let (mut v4, v5b): (f32, bool) = (f32::from_bits((0u32 | 43u32)), { let t2: (bool, bool) = (((50i32) <= (48i32)), (!(((dice >> 24) & 3u64) > 0u64))); t2.1 }); let v7: f64 = f64::from_bits((!{ let mut n6 = 0u32; 'l6: loop { n6 += 1; if n6 > 1 { break 49u64; }    if (((dice >> 12) & 3u64) > 0u64) { break u64::MIN; } } })); { let mut n8 = 0u32; 'l8: loop { n8 += 1; if n8 > 1 { break f64::from_bits({ let r: u64 = C6; r }); } let mut v11: u64 = { let mut a9: (u32, u64) = (30u32, u64::MAX); let mut v10: f32 = f32::min(v4, v4); (if (((dice >> 23) & 7u64) > 4u64) {   u64::MAX } else { u64::MIN }) }; if (((dice >> 2) & 1u64) != 0u64) { v4 *= { let r: f32 = (if v5b { v4 } else {   v4 }); r }; let mut v6: usize = { let x12: [bool; 4] = [v5b, v5b, true, v5b]; let r: usize = h16(x12); r };  } else if v5b {    } else {   }  if (((dice >> 56) & 7u64) == 6u64) { break v7; } } } }, x if x > 10i64 => { f64::MAX } _ => ((dice >> 41) as f64) });
    { let z15: f64 = v14; dice = (dice ^ f64::to_bits(z15)).rotate_left(41) * 0x9E3779B97F4A7C15u64; }
    (u64::MIN, (if (((dice >> 14) & 7u64) != 6u64) { ((dice >> 53) as f32) } else { (dice >> 13) as f32 }))
}

#[kernel]
fn h17(p0: f64, p1: &mut f64) -> i32 {
    let mut dice: u64 = { let h: u64 = ({ let q1_0: f64 = (*p1); f64::to_bits(q1_0) } ^ { let h: u64 = ({ let q0_0: f64 = p0; f64::to_bits(q0_0) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    let (mut v9, v10b): (f64, i32) = (f64::fract((match (((dice >> 8) % 12) as i64) { 2 => (-((-0.0))), 4 | 6..=9 => { let mut a1: S1 = S1 { f3: [i64::MIN; 2], f0: u32::MAX, f1: ((-0.0f32), true, ((dice >> 53) as i32)), f2: { let x2: f32 = (-1.5f32); let mut m3: S1 = { let x4: f32 = (3.0e38f32 + ((dice >> 41) as f32)); let x5: f32 = (((dice >> 43) as f32) + ((dice >> 58) as f32)); let r: S1 = k25_setup(x4, x5); r }; let mut m6: (i64, i64) = (i64::wrapping_abs(((dice >> 45) as i64)), ((i32::MIN) as i64)); let r: S0 = h15(x2, &mut m3, &mut m6); r } }; let v8: f32 = { let t7: (bool, f32) = (false, 1.0f32); t7.1 }; ((((dice >> 55) as u32)) as f64) }, x if x > 10i64 => { p0 } _ => { let r: f64 = C1; r } })), (i32::MIN | i32::MIN));
    { let z11: f64 = (*p1); dice = (dice ^ f64::to_bits(z11)).rotate_left(3) * 0x9E3779B97F4A7C15u64; }
    { let z12: f64 = v9; dice = (dice ^ f64::to_bits(z12)).rotate_left(29) * 0x9E3779B97F4A7C15u64; }
    (i32::abs((i32::MIN ^ (({ let r: i32 = v10b; r }) << ({ let r: i64 = (-15i64); r })))) ^ ((dice >> 13) as i32))
}
#[kernel]
pub fn k31(p0: f64, p1: f64) -> (i32, i32) {
    let mut dice: u64 = { let h: u64 = ({ let q1_0: f64 = p1; f64::to_bits(q1_0) } ^ { let h: u64 = ({ let q0_0: f64 = p0; f64::to_bits(q0_0) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    if (((dice >> 28) & 3u64) > 0u64) { if false { if ({ dice = dice * 6364136223846793005u64 + 1442695040888963407u64; (((dice >> 17) & 1u64) > 0u64) } | false) { dice ^= dice >> 23; dice *= 0x2545F4914F6CDD1Du64;   } else { let mut a1: S1 = { let x2: f32 = f32::NAN; let x3: f32 = 0.1f32; let r: S1 = k25_setup(x2, x3); r }; let mut v4: i64 = ((dice >> 14) as i64);  } let mut a5: S2 = S2 { f0: p0, f1: [p0, p0] };  } 'l7: for v6 in (0u64..=(((dice >> 1) % 5) as u64)).rev() {  if (((dice >> 19) & 3u64) > 2u64) { break 'l7; } if (((dice >> 54) & 3u64) > 1u64) { break; } dice ^= dice >> 17; dice *= 0x9E3779B97F4A7C15u64;  }  } else { dice ^= dice >> 23; dice *= 0x2545F4914F6CDD1Du64; if (((dice >> 31) & 7u64) == 1u64) { if (((dice >> 31) & 1u64) == 1u64) {  let _ = { let mut m8: [bool; 5] = [((u32::MAX) != (u32::MIN)), { let x9: usize = 38usize; let x10: bool = (((dice >> 48) & 15u64) == 4u64); let r: bool = k27_rest_in(x9, x10); r }, ((((dice >> 44) & 15u64) == 15u64) && false), f32::is_sign_positive(((dice >> 56) as f32)), ((u32::MAX) != (6u32))]; let x11: u32 = u32::MAX; let x12: [u32; 2] = [68u32, ((dice >> 59) as u32)]; let r: S1 = h8(&mut m8, x11, x12); r };  } else { let mut a13: S0 = S0 { f2: false, f0: (p1, i32::MIN, (-59i64)), f1: (((dice >> 46) as f64), (((dice >> 1) & 7u64) <= 2u64), 56u64) }; if (((dice >> 50) & 7u64) > 0u64) {    } else if { dice = dice * 6364136223846793005u64 + 1442695040888963407u64; (((dice >> 42) & 1u64) != 1u64) } {    } else {   }  }   } else {    }  }
    (((({ let r: i32 = (!23i32); r }) >> ({ let r: u64 = 48u64; r })) ^ ((dice >> 10) as i32)), (34i32 ^ ((dice >> 16) as i32)))
}

#[kernel(inline)]
fn k32_setup(p0: f64, p1: i32) -> S0 {
    let mut dice: u64 = { let h: u64 = ({ let q1_0: i32 = p1; (q1_0 as u64) } ^ { let h: u64 = ({ let q0_0: f64 = p0; f64::to_bits(q0_0) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    let mut a1: S1 = S1 { f0: (({ let r: u32 = ((dice >> 56) as u32); r }) >> ({ let r: usize = ((dice >> 43) as usize); r })), f1: (((dice >> 40) as f32), (!false), ('l2: { if { dice = dice * 6364136223846793005u64 + 1442695040888963407u64; (((dice >> 33) & 15u64) == 14u64) } { break 'l2 (p1); }   44i32 })), f2: S0 { f1: (p0, (((dice >> 44) & 1u64) != 0u64), ((dice >> 23) as u64)), f2: false, f0: (p0, p1, ((dice >> 42) as i64)) }, f3: [1i64; 2] };
    { let z3: u32 = a1.f0; dice = (dice ^ (z3 as u64)).rotate_left(3) * 0x9E3779B97F4A7C15u64; }
    { let z4: i64 = a1.f3[(((dice >> 13) % 2) as usize)]; dice = (dice ^ (z4 as u64)).rotate_left(40) * 0x9E3779B97F4A7C15u64; }
    S0 { f1: (((23i64) as f64), false, u64::rotate_right(47u64, ((dice >> 7) as u32))), f2: ((47usize) >= (((dice >> 6) as usize))), f0: (p0, p1, 64i64) }
}
#[kernel(inline)]
fn k32_eval(p0: u32, p1: S0) -> i64 {
    let mut dice: u64 = { let h: u64 = ({ let q1_2: i64 = ({ let w: (f64, i32, i64) = p1.f0; w }).2; (q1_2 as u64) } ^ { let h: u64 = ({ let q1_1: i32 = ({ let w: (f64, i32, i64) = p1.f0; w }).1; (q1_1 as u64) } ^ { let h: u64 = ({ let q1_0: f64 = ({ let w: (f64, i32, i64) = p1.f0; w }).0; f64::to_bits(q1_0) } ^ { let h: u64 = ({ let q0_0: u32 = p0; (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    if (((dice >> 53) & 7u64) > 3u64) { 'l2: for v1 in (usize::MIN..=usize::MIN + 2).rev() { match (dice >> 4) & 7u64 { 0 | 1 => {  let mut w3 = 0i32; 'l3: loop { w3 += 1; if w3 > 1 || (((dice >> 23) & 1u64) <= 0u64) { break; }   if (((dice >> 23) & 7u64) <= 3u64) { continue 'l2; }  }  } 2 => { break 'l2; } x if x > 5 => {   } _ => {} } { let z4: i32 = ({ let w: (f64, i32, i64) = p1.f0; w }).1; dice = (dice ^ (z4 as u64)).rotate_left(50) * 0x9E3779B97F4A7C15u64; } dice ^= dice >> 17; dice *= 0x9E3779B97F4A7C15u64;  }   } else if (({ let mut n6 = 0u32; 'l6: loop { n6 += 1; if n6 > 3 { break (({ let r: usize = 28usize; r }) << ({ let r: u32 = p0; r })); } let v7: i32 = ({ let r: i32 = i32::MIN; r } / { let r: i32 = ((dice >> 8) as i32); r });   if (((dice >> 33) & 1u64) == 1u64) { break { let x8: [bool; 4] = [(((dice >> 40) & 3u64) == 1u64), false, (((dice >> 38) & 3u64) > 1u64), (((dice >> 14) & 1u64) <= 0u64)]; let r: usize = h16(x8); r }; } } }) < (66usize)) { dice ^= dice >> 23; dice *= 0x2545F4914F6CDD1Du64; let u9: f64; if (((!false)) == ((!false))) { u9 = {  ((dice >> 60) as f64) }; } else { u9 = 1e300; }  } else {   }
    ('l10: { if (((dice >> 57) & 1u64) > 0u64) { break 'l10 (49i64); } let mut a11: (i64, f32) = ((!((dice >> 55) as i64)), f32::copysign(((dice >> 56) as f32), f32::INFINITY));  i64::MAX })
}
#[kernel(split)]
pub fn k32(p0: f64, p1: i32, p2: u32) -> i64 {
    k32_eval(p2, k32_setup(p0, p1))
}

#[kernel(inline)]
fn h18(p0: [f64; 4]) -> f32 {
    let mut dice: u64 = { let h: u64 = ({ let q0_0: f64 = p0[0]; f64::to_bits(q0_0) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    match (dice >> 29) & 7u64 { 0 | 1 => { let u4: u64; if { dice = dice * 6364136223846793005u64 + 1442695040888963407u64; (((dice >> 21) & 7u64) <= 4u64) } { u4 = { let (mut v1, v2b): (f64, u64) = ((f64::MAX / 9.3e18), ((true) as u64)); u64::wrapping_mul(v2b, u64::wrapping_add(59u64, v2b)) }; } else { u4 = f64::to_bits((1e300 + 1e-300)); } let mut w5 = 0i32; 'l5: while w5 < 3 { w5 += 1; if false { if false {    } else {    }   } else { let (mut v6, v7b): (u64, f64) = (u4, 4503599627370497.5);   }  if (((dice >> 41) & 15u64) > 9u64) { break 'l5; }  }  } 2 => { return ((dice >> 47) as f32); } x if x > 5 => {   } _ => {} }
    f32::mul_add(f32::NAN, f32::INFINITY, ((dice >> 53) as f32))
}
#[kernel(inline)]
fn k33_setup(p0: usize, p1: u32) -> S1 {
    let mut dice: u64 = { let h: u64 = ({ let q1_0: u32 = p1; (q1_0 as u64) } ^ { let h: u64 = ({ let q0_0: usize = p0; (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    if (((dice >> 25) & 7u64) > 3u64) { if { let x1: u64 = (!1u64); let x2: i64 = ((dice >> 32) as i64); let r: bool = k18_in(x1, x2); r } { if (((dice >> 47) & 1u64) <= 0u64) {  if (((dice >> 49) & 3u64) > 0u64) {    } else {    }  } else { 'l4: for v3 in 0i32..4i32 {   dice ^= dice >> 17; dice *= 0x9E3779B97F4A7C15u64;  } 'l6: for v5 in 2i32..4i32 {    }  }   } else {    }   } else {    }
    S1 { f3: [i64::wrapping_rem(i64::MIN, ((dice >> 6) as i64)), ((dice >> 1) as i64)], f0: p1, f1: (0.0f32, (((dice >> 55) & 7u64) <= 5u64), 56i32), f2: S0 { f1: (((dice >> 30) as f64), (((dice >> 35) & 7u64) == 2u64), 53u64), f2: false, f0: (f64::NAN, 53i32, ((dice >> 0) as i64)) } }
}
#[kernel]
fn k33_eval(p0: f64, p1: usize, p2: S1) -> (f32, u32) {
    let mut dice: u64 = { let h: u64 = ({ let q2_2: bool = ({ let w: (f32, bool, i32) = p2.f1; w }).1; (q2_2 as u64) } ^ { let h: u64 = ({ let q2_1: f32 = ({ let w: (f32, bool, i32) = p2.f1; w }).0; (f32::to_bits(q2_1) as u64) } ^ { let h: u64 = ({ let q2_0: u32 = p2.f0; (q2_0 as u64) } ^ { let h: u64 = ({ let q1_0: usize = p1; (q1_0 as u64) } ^ { let h: u64 = ({ let q0_0: f64 = p0; f64::to_bits(q0_0) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    'l2: for v1 in (0u64..=(((dice >> 45) % 5) as u64)).rev() {  let mut a3: [f32; 4] = [f32::mul_add(f32::NAN, f32::INFINITY, f32::INFINITY), (((dice >> 43) as f32) - 1.0f32), { 0.0f32 }, f32::INFINITY]; if ((((dice >> 7) & 7u64) > 5u64) ^ { let x7: u64 = 19u64; let x8: i64 = ((dice >> 28) as i64); let r: bool = k18_rest_in(x7, x8); r }) { break 'l2; } dice ^= dice >> 17; dice *= 0x9E3779B97F4A7C15u64;  }
    let v11: f32 = ((if (((dice >> 27) & 3u64) != 1u64) { let mut a9: [f32; 4] = [f32::from_bits(((dice >> 3) as u32)); 4]; dice ^= dice >> 23; dice *= 0x2545F4914F6CDD1Du64; (match (((dice >> 6) % 12) as i32) { 2 => { let r: f32 = C3[1][usize::wrapping_rem(p1, 4)]; r }, 4 | 6..=9 => { a9[usize::wrapping_rem(p1, 4)] = { let r: f32 = f32::mul_add(1.0f32, 0.0f32, 0.1f32); r }; (-1.5f32) }, x if x > 10i32 => { ((dice >> 55) as f32) } _ => { let x10: [f64; 4] = [p0, p0, p0, p0]; let r: f32 = h18(x10); r } }) } else if false { return (1.0f32, u32::MAX); } else {   ((dice >> 55) as f32) }) + (-1.5f32));
    (v11, (15u32 ^ ((dice >> 16) as u32)))
}
#[kernel(split)]
pub fn k33(p0: u32, p1: f64, p2: usize, p3: usize) -> (f32, u32) {
    k33_eval(p1, p2, k33_setup(p3, p0))
}

#[kernel]
pub fn k34(p0: f64, p1: u64, p2: u32) -> f64 {
    let mut dice: u64 = { let h: u64 = ({ let q2_0: u32 = p2; (q2_0 as u64) } ^ { let h: u64 = ({ let q1_0: u64 = p1; (q1_0 as u64) } ^ { let h: u64 = ({ let q0_0: f64 = p0; f64::to_bits(q0_0) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    let (mut v10, v11b): (usize, u64) = (usize::rotate_right({ let x1: [bool; 4] = [(!(((dice >> 36) & 7u64) != 3u64)); 4]; let r: usize = h16(x1); r }, ('l3: { if ((((dice >> 51) as usize)) == (((dice >> 36) as usize))) { break 'l3 ({ let x4: f64 = 4503599627370497.5; let x5: f32 = 0.0f32; let x6: f64 = p0; let x7: u32 = p2; let r: u32 = k29(x4, x5, x6, x7); r }); } if (((dice >> 45) & 15u64) != 3u64) {    } else {    }  ((i64::MIN) as u32) })), { let t8: (u64, usize) = ({ let t9: (u64, i64) = ((if (((dice >> 19) & 3u64) != 2u64) {   p1 } else {   p1 }), i64::rotate_left(i64::MIN, p2)); t9.0 }, (!{  ((dice >> 4) as usize) })); t8.0 });
    let mut v15: i64 = i64::max(((match (((dice >> 28) % 12) as i32) { 2 => i64::max(i64::MAX, i64::MIN), 4 | 6..=9 => { let (mut v6, v13b): (f64, f64) = (p0, p0); let mut w14 = 0i32; 'l14: while w14 < 1 { w14 += 1;  if (((dice >> 20) & 3u64) <= 2u64) { continue; }   } (if (((dice >> 49) & 3u64) != 3u64) { i64::MIN } else { (-35i64) }) }, x if x > 10i32 => { 25i64 } _ => ((0i64) as i64) }) | 44i64), i64::MIN);
    { let z16: usize = v10; dice = (dice ^ (z16 as u64)).rotate_left(60) * 0x9E3779B97F4A7C15u64; }
    { let z17: i64 = v15; dice = (dice ^ (z17 as u64)).rotate_left(59) * 0x9E3779B97F4A7C15u64; }
    (if (((dice >> 53) & 1u64) == 1u64) { (-(f64::sqrt(3.75))) } else { (dice >> 29) as f64 })
}

#[kernel(inline)]
fn h19(p0: [f64; 5]) -> S3 {
    let mut dice: u64 = { let h: u64 = ({ let q0_0: f64 = p0[0]; f64::to_bits(q0_0) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    { let z1: f64 = p0[(u32::wrapping_rem(({ let r: u32 = 21u32; r } / { let r: u32 = 58u32; r }), 5) as usize)]; dice = (dice ^ f64::to_bits(z1)).rotate_left(39) * 0x9E3779B97F4A7C15u64; }
    S3 { f4: [{ let mut n2 = 0u32; 'l2: loop { n2 += 1; if n2 > 2 { break 42i32; }    if (((dice >> 30) & 1u64) <= 0u64) { break 59i32; } } }, (if (((dice >> 36) & 3u64) != 2u64) {  ((dice >> 15) as i32) } else { 53i32 }), i32::abs((-48i32)), (match ((dice >> 26) as usize) { 2 => ((dice >> 43) as i32), 4 | 6..=9 => { (-54i32) }, x if x > 10usize => { return { let mut m3: bool = { let mut n4 = 0u32; 'l4: loop { n4 += 1; if n4 > 0 { break (((dice >> 35) & 3u64) == 0u64); }    if (((dice >> 7) & 3u64) > 1u64) { break (((dice >> 43) & 1u64) == 1u64); } } }; let x5: [i32; 3] = [(-34i32), i32::MIN, i32::MIN]; let mut m6: f64 = f64::INFINITY; let r: S3 = h5(&mut m3, x5, &mut m6); r }; } _ => (-90i32) })], f0: { let r: u64 = C6; r }, f1: S0 { f0: (((dice >> 56) as f64), 2i32, ((dice >> 10) as i64)), f1: ((-2147483648.5), false, 15u64), f2: (((dice >> 56) & 15u64) != 3u64) }, f2: (usize::MIN, 65u64, (-50i64)), f3: S1 { f0: 62u32, f1: (((dice >> 53) as f32), false, (-53i32)), f2: S0 { f2: true, f0: (((dice >> 55) as f64), ((dice >> 31) as i32), (-75i64)), f1: (1e-300, true, ((dice >> 47) as u64)) }, f3: [59i64; 2] } }
}
#[kernel]
pub fn k35(p0: f64, p1: i32, p2: f64) -> (f32, f64) {
    let mut dice: u64 = { let h: u64 = ({ let q2_0: f64 = p2; f64::to_bits(q2_0) } ^ { let h: u64 = ({ let q1_0: i32 = p1; (q1_0 as u64) } ^ { let h: u64 = ({ let q0_0: f64 = p0; f64::to_bits(q0_0) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    let mut a1: S0 = { let x2: f32 = (-(f32::from_bits(62u32))); let mut m3: S1 = S1 { f2: { let x4: f32 = f32::NAN; let mut m5: S1 = S1 { f3: [56i64; 2], f0: ((dice >> 12) as u32), f1: (3.0e38f32, false, ((dice >> 28) as i32)), f2: S0 { f0: (p2, p1, 27i64), f1: (p2, false, 3u64), f2: (((dice >> 27) & 3u64) == 0u64) } }; let mut m6: (i64, i64) = (i64::max((-3i64), 66i64), { let mut n7 = 0u32; 'l7: loop { n7 += 1; if n7 > 0 { break (-10i64); }    if { dice = dice * 6364136223846793005u64 + 1442695040888963407u64; (((dice >> 22) & 1u64) != 1u64) } { break i64::MIN; } } }); let r: S0 = h15(x4, &mut m5, &mut m6); r }, f3: [i64::MIN; 2], f0: 64u32, f1: (((dice >> 60) as f32), true, 25i32) }; let mut m8: (i64, i64) = (3i64, (46i64 & ((dice >> 48) as i64))); let r: S0 = h15(x2, &mut m3, &mut m8); r };
    let mut a9: (bool, f64, usize) = ((match (((dice >> 40) % 12) as i32) { 2 => { let r: bool = a1.f2; r }, 4 | 6..=9 => { a1.f2 = { let r: bool = { let t10: (f64, bool) = ({ let x11: f64 = p0; let r: f64 = k17_rest(x11); r }, { let r: bool = ({ let w: (f64, bool, u64) = a1.f1; w }).1; r }); t10.1 }; r }; a1.f2 &= { let r: bool = { dice ^= dice >> 23; dice *= 0x2545F4914F6CDD1Du64; { let x12: usize = usize::MIN; let x13: bool = true; let r: bool = k27_rest_in(x12, x13); r } }; r }; { let r: bool = ({ let w: (f64, bool, u64) = a1.f1; w }).1; r } }, x if x > 10i32 => { false } _ => (!(match p1 { 1 => true, 4 | 6..=9 => { true }, x if x > 10i32 => { return (f32::NAN, p2); } _ => false })) }), { let t14: (f64, i32) = (p0, p1); t14.0 }, 57usize);
    { let z15: bool = a1.f2; dice = (dice ^ (z15 as u64)).rotate_left(60) * 0x9E3779B97F4A7C15u64; }
    { let z16: bool = a9.0; dice = (dice ^ (z16 as u64)).rotate_left(24) * 0x9E3779B97F4A7C15u64; }
    { let z17: f64 = a9.1; dice = (dice ^ f64::to_bits(z17)).rotate_left(56) * 0x9E3779B97F4A7C15u64; }
    { let z18: usize = a9.2; dice = (dice ^ (z18 as u64)).rotate_left(8) * 0x9E3779B97F4A7C15u64; }
    ({ let x19: [f64; 4] = [('l20: { if (((dice >> 37) & 3u64) == 1u64) { break 'l20 (p2); }   p0 }), (-1.0), f64::NAN, p0]; let r: f32 = h18(x19); r }, p2)
}

#[kernel(inline)]
fn k36_setup(p0: u32, p1: u32, p2: f64) -> S3 {
    let mut dice: u64 = { let h: u64 = ({ let q2_0: f64 = p2; f64::to_bits(q2_0) } ^ { let h: u64 = ({ let q1_0: u32 = p1; (q1_0 as u64) } ^ { let h: u64 = ({ let q0_0: u32 = p0; (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    let mut a1: (bool, usize, bool) = (f32::is_infinite(f32::max(0.1f32, (f32::INFINITY - (-1.5f32)))), ((usize::wrapping_rem((if (((dice >> 3) & 3u64) == 1u64) {   ((dice >> 18) as usize) } else {  32usize }), ('l2: { if (((dice >> 20) & 3u64) == 2u64) { break 'l2 (usize::MAX); }   ((dice >> 38) as usize) }))) as usize), false);
    { let z3: bool = a1.0; dice = (dice ^ (z3 as u64)).rotate_left(11) * 0x9E3779B97F4A7C15u64; }
    { let z4: usize = a1.1; dice = (dice ^ (z4 as u64)).rotate_left(28) * 0x9E3779B97F4A7C15u64; }
    { let z5: bool = a1.2; dice = (dice ^ (z5 as u64)).rotate_left(14) * 0x9E3779B97F4A7C15u64; }
    S3 { f1: { let x6: f64 = p2; let x7: i32 = i32::wrapping_shr(36i32, p0); let r: S0 = k32_setup(x6, x7); r }, f2: (usize::max(usize::MIN, ((dice >> 2) as usize)), u64::MIN, i64::MAX), f3: { let x8: f32 = ((dice >> 49) as f32); let x9: f32 = 1.0f32; let r: S1 = k25_setup(x8, x9); r }, f4: [((dice >> 20) as i32); 4], f0: ((dice >> 15) as u64) }
}
#[kernel(inline)]
fn k36_eval(p0: bool, p1: f64, p2: S3, p3: bool, p4: bool) -> f32 {
    let mut dice: u64 = { let h: u64 = ({ let q4_0: bool = p4; (q4_0 as u64) } ^ { let h: u64 = ({ let q3_0: bool = p3; (q3_0 as u64) } ^ { let h: u64 = ({ let q2_2: i32 = ({ let w: (f64, i32, i64) = ({ let w: S0 = p2.f1; w }).f0; w }).1; (q2_2 as u64) } ^ { let h: u64 = ({ let q2_1: f64 = ({ let w: (f64, i32, i64) = ({ let w: S0 = p2.f1; w }).f0; w }).0; f64::to_bits(q2_1) } ^ { let h: u64 = ({ let q2_0: u64 = p2.f0; (q2_0 as u64) } ^ { let h: u64 = ({ let q1_0: f64 = p1; f64::to_bits(q1_0) } ^ { let h: u64 = ({ let q0_0: bool = p0; (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    let mut a1: [f64; 2] = [f64::round_ties_even(p1), (p1 + p1)];
    { let z2: f64 = a1[(((dice >> 15) % 2) as usize)]; dice = (dice ^ f64::to_bits(z2)).rotate_left(22) * 0x9E3779B97F4A7C15u64; }
    (if (((dice >> 20) & 3u64) == 0u64) { ((({ let r: u32 = { let mut n3 = 0u32; 'l3: loop { n3 += 1; if n3 > 0 { break u32::MIN; }    if p3 { break 4u32; } } }; r } * { let r: u32 = { let r: u32 = ({ let w: S1 = p2.f3; w }).f0; r }; r })) as f32) } else { (dice >> 16) as f32 })
}
#[kernel(split)]
pub fn k36(p0: f64, p1: u32, p2: u32, p3: f64, p4: bool, p5: bool, p6: bool) -> f32 {
    k36_eval(p6, p0, k36_setup(p1, p2, p3), p4, p5)
}

#[kernel(inline)]
fn h20(p0: &mut S3, p1: i64) -> f64 {
    let mut dice: u64 = { let h: u64 = ({ let q1_0: i64 = p1; (q1_0 as u64) } ^ { let h: u64 = ({ let q0_2: i32 = ({ let w: (f64, i32, i64) = ({ let w: S0 = (*p0).f1; w }).f0; w }).1; (q0_2 as u64) } ^ { let h: u64 = ({ let q0_1: f64 = ({ let w: (f64, i32, i64) = ({ let w: S0 = (*p0).f1; w }).f0; w }).0; f64::to_bits(q0_1) } ^ { let h: u64 = ({ let q0_0: u64 = (*p0).f0; (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    (*p0).f0 -= { let r: u64 = f64::to_bits({ let r: f64 = C5[1][2]; r }); r };
    (*p0).f4[(((dice >> 29) % 4) as usize)] &= { let r: i32 = i32::wrapping_shr({ let r: i32 = ({ let w: (f64, i32, i64) = ({ let w: S0 = (*p0).f1; w }).f0; w }).1; r }, u32::min(u32::wrapping_sub({ let t1: (i64, u32) = (p1, 62u32); t1.1 }, { let mut n2 = 0u32; 'l2: loop { n2 += 1; if n2 > 0 { break 58u32; }    if (((dice >> 6) & 3u64) <= 2u64) { break 24u32; } } }), ((dice >> 34) as u32))); r };
    dice ^= dice >> 23; dice *= 0x2545F4914F6CDD1Du64;
    let mut v3: f64 = { let r: f64 = C1; r };
    let (mut v2, v6b): (f64, f32) = ((match (((dice >> 39) % 12) as i32) { 2 => (if (((dice >> 44) & 3u64) == 2u64) { (((dice >> 36) as f64) - v3) } else { { let r: f64 = C0[(((dice >> 6) % 3) as usize)]; r } }), 4 | 6..=9 => { let mut a4: (i32, f64) = (58i32, v3); v3 }, x if x > 10i32 => { v3 } _ => v3 }), (-0.0f32));
    { let z7: u64 = (*p0).f0; dice = (dice ^ (z7 as u64)).rotate_left(60) * 0x9E3779B97F4A7C15u64; }
    { let z8: i32 = (*p0).f4[(((dice >> 9) % 4) as usize)]; dice = (dice ^ (z8 as u64)).rotate_left(25) * 0x9E3779B97F4A7C15u64; }
    { let z9: f64 = v3; dice = (dice ^ f64::to_bits(z9)).rotate_left(35) * 0x9E3779B97F4A7C15u64; }
    { let z10: f64 = v2; dice = (dice ^ f64::to_bits(z10)).rotate_left(48) * 0x9E3779B97F4A7C15u64; }
    (if (((dice >> 24) & 7u64) <= 2u64) { { let mut n11 = 0u32; 'l11: loop { n11 += 1; if n11 > 2 { break f64::mul_add((-(((dice >> 57) as f64))), v2, v2); }    if (((dice >> 44) & 3u64) == 0u64) { break v3; } } } } else { (dice >> 17) as f64 })
}
#[kernel(inline)]
fn k37_in(p0: f64, p1: f64, p2: f32) -> bool {
    let mut dice: u64 = { let h: u64 = ({ let q2_0: f32 = p2; (f32::to_bits(q2_0) as u64) } ^ { let h: u64 = ({ let q1_0: f64 = p1; f64::to_bits(q1_0) } ^ { let h: u64 = ({ let q0_0: f64 = p0; f64::to_bits(q0_0) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    let (mut v3, v4b): (f64, f64) = (((({ let r: usize = (({ let r: usize = ((dice >> 55) as usize); r }) << ({ let r: usize = usize::MIN; r })); r } / { let r: usize = ('l1: { if true { break 'l1 (((dice >> 28) as usize)); }   usize::MIN }); r })) as f64), { let mut n2 = 0u32; 'l2: loop { n2 += 1; if n2 > 0 { break ((dice >> 33) as f64); }    if (((dice >> 19) & 3u64) > 1u64) { break p0; } } });
    { let z5: f64 = v3; dice = (dice ^ f64::to_bits(z5)).rotate_left(48) * 0x9E3779B97F4A7C15u64; }
    ((((dice >> 30) as i64)) < (((dice >> 49) as i64)))
}
#[kernel(inline)]
fn k37_main(p0: f64, p1: f64, p2: f32) -> (i64, f32, f32) {
    let mut dice: u64 = { let h: u64 = ({ let q2_0: f32 = p2; (f32::to_bits(q2_0) as u64) } ^ { let h: u64 = ({ let q1_0: f64 = p1; f64::to_bits(q1_0) } ^ { let h: u64 = ({ let q0_0: f64 = p0; f64::to_bits(q0_0) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    let mut a1: [f64; 4] = [(p1 + p0), (p1 + p0), { let r: f64 = C4[(((dice >> 50) % 2) as usize)][usize::wrapping_rem(usize::MAX, 2)]; r }, (match u32::MIN { 2 => p1, 4 | 6..=9 => { f64::INFINITY }, x if x > 10u32 => { return (i64::MIN, (-0.0f32), p2); } _ => p1 })];
    { let z2: f64 = a1[1]; dice = (dice ^ f64::to_bits(z2)).rotate_left(35) * 0x9E3779B97F4A7C15u64; }
    ((36i64 ^ ((dice >> 17) as i64)), (if (((dice >> 45) & 15u64) > 0u64) { ({ let mut n3 = 0u32; 'l3: loop { n3 += 1; if n3 > 1 { break (p2 + p2); } match (dice >> 19) & 7u64 { 0 | 1 => {    } 2 => { continue; } x if x > 5 => {   } _ => {} } match (dice >> 53) & 7u64 { 0 | 1 => {    } 2 => { return (((dice >> 17) as i64), p2, p2); } x if x > 5 => {   } _ => {} }  if (((dice >> 9) & 7u64) == 0u64) { break ((12u64) as f32); } } } - { let x4: bool = ((p0) != (p1)); let x5: f64 = p0; let x6: S3 = { let mut m7: bool = ((56u64) < (46u64)); let x8: [i32; 3] = [{ let t9: (i32, f32) = (((dice >> 3) as i32), p2); t9.0 }, i32::MAX, (-44i32)]; let r: S3 = h5(&mut m7, x8, &mut a1[1]); r }; let x11: bool = false; let x12: bool = (((dice >> 25) & 1u64) <= 0u64); let r: f32 = k36_eval(x4, x5, x6, x11, x12); r }) } else { (dice >> 24) as f32 }), p2)
}
#[kernel(inline)]
fn k37_rest_in(p0: f64, p1: f64, p2: f32) -> bool {
    let mut dice: u64 = { let h: u64 = ({ let q2_0: f32 = p2; (f32::to_bits(q2_0) as u64) } ^ { let h: u64 = ({ let q1_0: f64 = p1; f64::to_bits(q1_0) } ^ { let h: u64 = ({ let q0_0: f64 = p0; f64::to_bits(q0_0) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    let _ = { let x1: [bool; 4] = [{  true }; 4]; let r: usize = h16(x1); r };
    let mut v3: u64 = (if (({ let t2: (usize, f64) = ({   29usize }, p1); t2.0 }) > (((dice >> 28) as usize))) {   3u64 } else {  20u64 });
    { let z4: u64 = v3; dice = (dice ^ (z4 as u64)).rotate_left(15) * 0x9E3779B97F4A7C15u64; }
    (((v3) > (v3)) ^ ((dice >> 3) & 1u64 == 1u64))
}
#[kernel(inline)]
fn k37_rest_main(p0: f64, p1: f64, p2: f32) -> (i64, f32, f32) {
    let mut dice: u64 = { let h: u64 = ({ let q2_0: f32 = p2; (f32::to_bits(q2_0) as u64) } ^ { let h: u64 = ({ let q1_0: f64 = p1; f64::to_bits(q1_0) } ^ { let h: u64 = ({ let q0_0: f64 = p0; f64::to_bits(q0_0) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    if (((dice >> 41) & 1u64) > 0u64) { return (((dice >> 47) as i64), (if f64::is_sign_positive(p0) { if { dice = dice * 6364136223846793005u64 + 1442695040888963407u64; (((dice >> 43) & 15u64) > 13u64) } {    } else {    }  f32::max(p2, p2) } else { (p2 / p2) }), 3.0e38f32); }
    let (mut v4, v5b): (i32, f64) = ((({ let r: i32 = { { let mut n1 = 0u32; 'l1: loop { n1 += 1; if n1 > 1 { break ((dice >> 13) as i32); }    if false { break ((dice >> 14) as i32); } } } }; r }) << ({ let r: i64 = { let mut a2: [i64; 4] = [i64::MAX; 4]; let mut a3: [f64; 3] = [p1, ((dice >> 35) as f64), p0]; i64::MAX }; r })), p0);
    { let z6: i32 = v4; dice = (dice ^ (z6 as u64)).rotate_left(30) * 0x9E3779B97F4A7C15u64; }
    ((i64::wrapping_shl((!{ let x7: usize = 31usize; let x8: bool = false; let r: i64 = k27_rest_rest(x7, x8); r }), ((p1) as u32)) ^ ((dice >> 19) as i64)), (if (((dice >> 49) & 1u64) != 1u64) { p2 } else { (dice >> 12) as f32 }), (if (((dice >> 37) & 7u64) > 1u64) { f32::INFINITY } else { (dice >> 25) as f32 }))
}
#[kernel]
fn k37_rest_rest(p0: f64, p1: f64, p2: f32) -> (i64, f32, f32) {
    let mut dice: u64 = { let h: u64 = ({ let q2_0: f32 = p2; (f32::to_bits(q2_0) as u64) } ^ { let h: u64 = ({ let q1_0: f64 = p1; f64::to_bits(q1_0) } ^ { let h: u64 = ({ let q0_0: f64 = p0; f64::to_bits(q0_0) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    if (((dice >> 22) & 1u64) != 0u64) { let mut v2: f64 = ((((dice >> 38) as f64) + ('l1: { if (((dice >> 44) & 7u64) <= 3u64) { break 'l1 (p1); }   p1 })) - ((match (((dice >> 44) % 12) as i64) { 2 => p1, 4 | 6..=9 => { ((dice >> 55) as f64) }, x if x > 10i64 => { return ((-56i64), p2, p2); } _ => p1 }) - (p0 + p0))); let mut a3: S0 = { let x4: f64 = p0; let x5: i32 = i32::max(({ let r: i32 = (-10i32); r } * { let r: i32 = (-45i32); r }), { let x6: (u32, f64) = { let mut m7: (i32, i32, f64) = ({ let x8: f32 = p2; let x9: f64 = p1; let x10: u32 = 14u32; let r: i32 = k28_main(x8, x9, x10); r }, ({ let r: i32 = i32::MAX; r } - { let r: i32 = ((dice >> 24) as i32); r }), f64::copysign(p0, p0)); let mut m11: (usize, i64, u64) = (20usize, (-35i64), ((dice >> 31) as u64)); let r: (u32, f64) = h4(&mut m7, &mut m11); r }; let x12: S0 = S0 { f1: (p1, true, 15u64), f2: (((dice >> 17) & 1u64) > 0u64), f0: (p1, ((dice >> 31) as i32), 67i64) }; let mut m13: S2 = { let mut m14: S1 = { let x15: f32 = p2; let x16: f32 = p2; let r: S1 = k25_setup(x15, x16); r }; let mut m17: S2 = S2 { f0: 1.0, f1: [p0, p0] }; let mut m18: (f64, i64) = (((dice >> 22) as f64), (-40i64)); let r: S2 = h1(&mut m14, &mut m17, &mut m18); r }; let r: i32 = h12(x6, x12, &mut m13); r }); let r: S0 = k32_setup(x4, x5); r };  } else {    }
    ((5i64 ^ ((dice >> 19) as i64)), (if (((dice >> 52) & 1u64) <= 0u64) { p2 } else { (dice >> 21) as f32 }), (if (((dice >> 11) & 1u64) == 1u64) { p2 } else { (dice >> 29) as f32 }))
}
#[kernel(masked)]
fn k37_rest(p0: f64, p1: f64, p2: f32) -> (i64, f32, f32) {
    if k37_rest_in(p0, p1, p2) { k37_rest_main(p0, p1, p2) } else { k37_rest_rest(p0, p1, p2) }
}
#[kernel(masked)]
pub fn k37(p0: f64, p1: f64, p2: f32) -> (i64, f32, f32) {
    if k37_in(p0, p1, p2) { k37_main(p0, p1, p2) } else { k37_rest(p0, p1, p2) }
}

#[kernel(inline)]
pub fn k38(p0: bool, p1: i32, p2: f32, p3: i32) -> (f32, u64, i32) {
    let mut dice: u64 = { let h: u64 = ({ let q3_0: i32 = p3; (q3_0 as u64) } ^ { let h: u64 = ({ let q2_0: f32 = p2; (f32::to_bits(q2_0) as u64) } ^ { let h: u64 = ({ let q1_0: i32 = p1; (q1_0 as u64) } ^ { let h: u64 = ({ let q0_0: bool = p0; (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    dice ^= dice >> 23; dice *= 0x2545F4914F6CDD1Du64;
    let mut a1: [i64; 3] = [i64::wrapping_div(((dice >> 43) as i64), 53i64); 3];
    a1[0] %= { let r: i64 = (i64::wrapping_shl((i64::max(58i64, i64::MIN) | { let x2: usize = ((dice >> 11) as usize); let x3: bool = p0; let r: i64 = k27_rest_main(x2, x3); r }), { let t4: (u32, usize) = ({ let x5: u32 = 52u32; let x6: f64 = (-2147483648.5); let r: u32 = k10(x5, x6); r }, { let x7: [bool; 4] = [p0, p0, p0, p0]; let r: usize = h16(x7); r }); t4.0 }) ^ i64::rotate_right(i64::MAX, (if { dice = dice * 6364136223846793005u64 + 1442695040888963407u64; (((dice >> 56) & 15u64) <= 0u64) } { a1 = { let y: [i64; 3] = a1; y }; u32::rotate_left(49u32, 40u32) } else if ((((dice >> 46) & 3u64) != 3u64) || p0) { return (f32::min(p2, p2), ({ let r: u64 = ((dice >> 18) as u64); r } % { let r: u64 = u64::MIN; r }), (match usize::MAX { 1 => p3, 4 | 6..=9 => {  p3 }, x if x > 10usize => { p3 } _ => (-75i32) })); } else { { let x9: u32 = ((dice >> 18) as u32); let x10: f64 = ((dice >> 42) as f64); let r: u32 = k10(x9, x10); r } }))); r };
    { let z11: i64 = a1[2]; dice = (dice ^ (z11 as u64)).rotate_left(31) * 0x9E3779B97F4A7C15u64; }
    ((if (((dice >> 39) & 3u64) == 1u64) { { let mut n12 = 0u32; 'l12: loop { n12 += 1; if n12 > 4 { break (f32::INFINITY * p2); } let mut a13: [u32; 4] = [(63u32 | u32::MIN), { let mut n14 = 0u32; 'l14: loop { n14 += 1; if n14 > 1 { break 59u32; }    if p0 { break 18u32; } } }, u32::MIN, (!u32::MIN)]; a1 = { let y: [i64; 3] = a1; y };  if { dice = dice * 6364136223846793005u64 + 1442695040888963407u64; (((dice >> 40) & 1u64) <= 0u64) } { break (match (((dice >> 9) % 12) as u32) { 0 => { let mut n15 = 0u32; 'l15: loop { n15 += 1; if n15 > 2 { break p2; }    if (((dice >> 1) & 1u64) > 0u64) { break p2; } } }, 4 | 6..=9 => {  p2 }, x if x > 10u32 => { p2 } _ => p2 }); } } } } else { (dice >> 17) as f32 }), u64::MIN, p3)
}

#[kernel]
fn h21(p0: u32, p1: &mut [bool; 3]) -> S1 {
    let mut dice: u64 = { let h: u64 = ({ let q1_0: bool = (*p1)[0]; (q1_0 as u64) } ^ { let h: u64 = ({ let q0_0: u32 = p0; (q0_0 as u64) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    (*p1)[(u32::wrapping_rem(u32::MAX, 3) as usize)] ^= { let r: bool = ((({ let r: i32 = ('l1: { if { dice = dice * 6364136223846793005u64 + 1442695040888963407u64; (((dice >> 36) & 15u64) != 4u64) } { break 'l1 ({ let mut n2 = 0u32; 'l2: loop { n2 += 1; if n2 > 2 { break (-39i32); }    if { dice = dice * 6364136223846793005u64 + 1442695040888963407u64; (((dice >> 40) & 1u64) != 1u64) } { break ((dice >> 38) as i32); } } }); } let mut w3 = 0i32; 'l3: loop { w3 += 1; if w3 > 2 || false { break; }  if (((dice >> 53) & 1u64) != 0u64) { return { let mut m4: [bool; 5] = [{ let t5: (bool, f64) = (true, ((dice >> 28) as f64)); t5.0 }, { true }, ({ dice = dice * 6364136223846793005u64 + 1442695040888963407u64; (((dice >> 7) & 7u64) != 0u64) } && true), f64::is_finite(f64::MAX), ((p0) >= (p0))]; let x6: u32 = p0; let x7: [u32; 2] = [((dice >> 59) as u32), p0]; let r: S1 = h8(&mut m4, x6, x7); r }; }  if false { break; } dice ^= dice >> 17; dice *= 0x9E3779B97F4A7C15u64;  }  ((dice >> 27) as i32) }); r } - { let r: i32 = (-34i32); r })) > (39i32)); r };
    { let z8: bool = (*p1)[(((dice >> 28) % 3) as usize)]; dice = (dice ^ (z8 as u64)).rotate_left(1) * 0x9E3779B97F4A7C15u64; }
    S1 { f1: ((if (((dice >> 34) & 1u64) > 0u64) { f32::INFINITY } else {   ((dice >> 48) as f32) }), (((dice >> 21) & 1u64) != 1u64), (-83i32)), f2: S0 { f2: false, f0: (5e-324, (-24i32), 29i64), f1: (4503599627370497.5, (((dice >> 7) & 15u64) > 11u64), 3u64) }, f3: [((dice >> 39) as i64); 2], f0: p0 }
}
#[kernel]
fn k39_setup(p0: f64, p1: f64) -> S0 {
    let mut dice: u64 = { let h: u64 = ({ let q1_0: f64 = p1; f64::to_bits(q1_0) } ^ { let h: u64 = ({ let q0_0: f64 = p0; f64::to_bits(q0_0) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    if (((dice >> 57) & 7u64) != 1u64) { let mut v2: u32 = i64::trailing_zeros(i64::max(('l1: { if (((dice >> 55) & 3u64) == 0u64) { break 'l1 (11i64); }   ((dice >> 13) as i64) }), i64::max(((dice >> 49) as i64), i64::MAX))); if ((i64::MIN) > ((-12i64))) { return { let x7: f32 = f32::NAN; let mut m8: S1 = { let x9: f32 = 1.0f32; let x10: f32 = f32::INFINITY; let r: S1 = k25_setup(x9, x10); r }; let mut m11: (i64, i64) = (41i64, 59i64); let r: S0 = h15(x7, &mut m8, &mut m11); r }; }  } else {    }
    { let x12: f64 = p0; let x13: i32 = 13i32; let r: S0 = k32_setup(x12, x13); r }
}
#[kernel(inline)]
fn k39_eval(p0: f64, p1: S0, p2: bool) -> f64 {
    let mut dice: u64 = { let h: u64 = ({ let q2_0: bool = p2; (q2_0 as u64) } ^ { let h: u64 = ({ let q1_2: i64 = ({ let w: (f64, i32, i64) = p1.f0; w }).2; (q1_2 as u64) } ^ { let h: u64 = ({ let q1_1: i32 = ({ let w: (f64, i32, i64) = p1.f0; w }).1; (q1_1 as u64) } ^ { let h: u64 = ({ let q1_0: f64 = ({ let w: (f64, i32, i64) = p1.f0; w }).0; f64::to_bits(q1_0) } ^ { let h: u64 = ({ let q0_0: f64 = p0; f64::to_bits(q0_0) } ^ 0x243F6A8885A308D3u64.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) }.rotate_left(23)) * 0x9E3779B97F4A7C15u64; h ^ (h >> 32) };
    let v1: f64 = p0;
    match (dice >> 29) & 7u64 { 0 | 1 => { dice ^= dice >> 23; dice *= 0x2545F4914F6CDD1Du64; if { let r: bool = p1.f2; r } { dice ^= dice >> 23; dice *= 0x2545F4914F6CDD1Du64; let mut a2: S0 = S0 { f0: (v1, (-77i32), 50i64), f1: (v1, p2, 34u64), f2: p2 };  } else if (((dice >> 14) & 3u64) <= 1u64) { if (((dice >> 10) & 1u64) <= 0u64) { return { let mut m3: S3 = S3 { f1: S0 { f0: (v1, 53i32, i64::MIN), f1: (v1, p2, ((dice >> 28) as u64)), f2: true }, f2: (((dice >> 29) as usize), 5u64, ((dice >> 22) as i64)), f3: S1 { f2: S0 { f1: (p0, p2, 32u64), f2: false, f0: (v1, ((dice >> 39) as i32), 35i64) }, f3: [((dice >> 46) as i64), ((dice >> 26) as i64)], f0: 69u32, f1: (3.0e38f32, p2, ((dice >> 58) as i32)) }, f4: [((dice >> 12) as i32), i32::MAX, 38i32, i32::MAX], f0: ((dice >> 12) as u64) }; let x4: i64 = 25i64; let r: f64 = h20(&mut m3, x4); r }; }   } else {   }  } 2 => { return ((dice >> 35) as f64); } x if x > 5 => {   } _ => {} }
    (if (((dice >> 57) & 15u64) == 12u64) { (-0.0) } else { (dice >> 19) as f64 })
}
#[kernel(split)]
pub fn k39(p0: f64, p1: f64, p2: bool, p3: f64) -> f64 {
    k39_eval(p3, k39_setup(p0, p1), p2)
}

pub const KERNELS: &[Function] = &[k0::FUNCTION, k1::FUNCTION, k2::FUNCTION, k3::FUNCTION, k4::FUNCTION, k5::FUNCTION, k6::FUNCTION, k7::FUNCTION, k8::FUNCTION, k9::FUNCTION, k10::FUNCTION, k11::FUNCTION, k12::FUNCTION, k13::FUNCTION, k14::FUNCTION, k15::FUNCTION, k16::FUNCTION, k17::FUNCTION, k18::FUNCTION, k19::FUNCTION, k20::FUNCTION, k21::FUNCTION, k22::FUNCTION, k23::FUNCTION, k24::FUNCTION, k25::FUNCTION, k26::FUNCTION, k27::FUNCTION, k28::FUNCTION, k29::FUNCTION, k30::FUNCTION, k31::FUNCTION, k32::FUNCTION, k33::FUNCTION, k34::FUNCTION, k35::FUNCTION, k36::FUNCTION, k37::FUNCTION, k38::FUNCTION, k39::FUNCTION];
