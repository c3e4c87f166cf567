#![allow(warnings, clippy::all)]
// Random kernels, seed 1: see generate.rs.
use gristmill_kernel::{Function, kernel};

#[kernel]
pub struct Pair {
    a: f64,
    b: i32,
    c: [f32; 3],
    d: bool,
}

#[kernel]
pub const TABLE: [f64; 5] = [0.0, -0.0, 1.5, f64::INFINITY, -2.25e-310];

#[kernel]
pub const ROWS: [[i32; 2]; 3] = [[i32::MIN, -1], [0, 7], [i32::MAX, 100]];

#[kernel]
pub const SCALE: f32 = 0.1;

#[kernel]
fn twist(p: Pair, x: f64) -> Pair {
    let mut c: [f32; 3] = p.c;
    c[1] = x as f32 * SCALE;
    Pair { a: x - p.a, b: p.b / 3, c, d: !p.d }
}

#[kernel]
fn poke(p: &mut Pair, x: &mut f64, n: i32) -> i32 {
    p.a += *x;
    *x = if p.d { -*x } else { p.a };
    let old: i32 = p.b;
    p.b = n % old;
    old
}

#[kernel]
pub fn k0(p0: u64, p1: f64) -> f32 {
    for v1 in (i64::MIN..=i64::MIN + 1).rev() { let mut a2: [f64; 4] = [{ let r: f64 = TABLE[(u32::wrapping_rem(19u32, 5) as usize)]; r }, { let mut n3 = 0u32; loop { n3 += 1; if n3 > 4 { break p1; }    if true { break p1; } } }, (p1 / p1), { let mut n4 = 0u32; loop { n4 += 1; if n4 > 4 { break p1; }    if true { break p1; } } }]; a2[(u32::wrapping_rem(({ let r: u32 = (!25u32); r } % { let r: u32 = (31u32 | 65u32); r }), 4) as usize)] = f64::trunc(f64::mul_add(0.1, 2.0, p1));  let v5: f64 = ((i32::MAX) as f64);  }
    if (match f64::to_bits(p1) { 2 => (!((48u32) != (5u32))), 4 | 6..=9 => { let v8: i32 = { let mut n6 = 0u32; loop { n6 += 1; if n6 > 3 { break i32::max((-70i32), i32::MIN); }    if (true ^ false) { break { let mut n7 = 0u32; loop { n7 += 1; if n7 > 1 { break (-40i32); }    if false { break i32::MIN; } } }; } } }; let mut p9s = Pair { a: p1, d: (!true), b: ((5i64) as i32), c: [f32::INFINITY, f32::NAN, (-0.0f32)] }; (if (true ^ false) { let mut v10: i64 = (if false { 60i64 } else {  i64::MAX }); let mut v11: f64 = { let r: f64 = p9s.a; r }; false } else {  false }) }, x if x > 40u64 => true, _ => { let t12: (bool, i32) = (((21i64) != (15i64)), i32::MIN); t12.0 } }) { return { let mut n13 = 0u32; loop { n13 += 1; if n13 > 3 { break (-(f32::from_bits(44u32))); } let v7: u32 = ({ let r: u32 = {   64u32 }; r } % { let r: u32 = ({ let r: u32 = u32::MIN; r } * { let r: u32 = 28u32; r }); r });   if (({ let mut n16 = 0u32; loop { n16 += 1; if n16 > 1 { break i64::MIN; }    if true { break i64::MAX; } } }) >= ((-81i64))) { break ({ let mut n15 = 0u32; loop { n15 += 1; if n15 > 2 { break 1.0f32; }    if true { break (-0.0f32); } } } * f32::mul_add(3.0e38f32, 0.0f32, (-1.5f32))); } } }; }
    if false { return (-0.0f32); }
    { let mut v18: i32 = ({  ('l17: { if false { break 'l17 (24i32); }   56i32 }) } & i32::max({  i32::MIN }, i32::min(42i32, i32::MIN))); f32::INFINITY }
}

#[kernel]
pub fn k1(p0: f64) -> f64 {
    let mut v1: bool = true;
    for v2 in (0i64..1i64).rev() { for v3 in 0u64..0u64 { let mut v4: bool = (v1 | ((v2) > (v2))); let (mut v5, v6b): (u32, u32) = (39u32, u32::MAX);   }  v1 &= ((f64::to_bits(1e300)) == (({ let r: u64 = { let mut n7 = 0u32; loop { n7 += 1; if n7 > 1 { break u64::MIN; }    if v1 { break u64::MAX; } } }; r } - { let r: u64 = (!u64::MAX); r })));  }
    v1 ^= v1;
    let mut v8: u32 = u32::trailing_zeros(u32::rotate_left({ if v1 { return p0; } if false { return p0; } (u32::MIN | 54u32) }, (((p0 / p0)) as u32)));
    f64::copysign((p0 * f64::NAN), ('l9: { if v1 { break 'l9 (f64::mul_add(f64::mul_add(p0, p0, p0), p0, {   4503599627370497.5 })); } let mut v10: f64 = p0;  (match v8 { 1 => v10, 4 | 6..=9 => { (p0 - p0) }, x if x > 40u32 => v10, _ => std::f64::consts::PI }) }))
}

#[kernel]
pub fn k2(p0: i32, p1: f64, p2: f64) -> f64 {
    ((f64::mul_add(p1, (p2 / p1), f64::max(p1, p1)) * {   p1 }) / { let t1: (f64, f32) = (((if true {  p2 } else {  9.3e18 }) + p2), { let r: f32 = k0({ let r: u64 = 67u64; r }, { let r: f64 = f64::fract(1e-300); r }); r }); t1.0 })
}

#[kernel]
pub fn k3(p0: bool) -> (f32, i32) {
    let (mut v1, v2b): (f64, f64) = ((0.0 / (1e-300 / f64::floor((-0.0)))), f64::NAN);
    ((f32::trunc(f32::NAN) / ({ let mut n3 = 0u32; loop { n3 += 1; if n3 > 2 { break (f32::INFINITY - 1.0f32); } for v4 in 2u64..3u64 {     } let mut v5: i32 = i32::min(i32::MIN, (-90i32));  if (p0 & p0) { break (f32::INFINITY * f32::INFINITY); } } } * (0.0f32 - {   (-1.5f32) }))), { let mut n6 = 0u32; loop { n6 += 1; if n6 > 3 { break (i32::rotate_left(i32::wrapping_shr(i32::MAX, 9u32), ('l7: { if p0 { break 'l7 (8u32); }   u32::MIN })) & i32::wrapping_abs(i32::wrapping_sub((-99i32), (-75i32)))); } let mut a8: [i64; 4] = [(i64::MIN ^ 54i64); 4]; a8[(u32::wrapping_rem(4u32, 4) as usize)] = ({ let r: i64 = ((0.1f32) as i64); r } * { let r: i64 = ({ let r: i64 = i64::MIN; r } + { let r: i64 = (-73i64); r }); r }); let mut p9s = Pair { a: f64::recip((v2b - v1)), d: ('l10: { if (((-0.0f32)) != (0.0f32)) { break 'l10 ((if false {   true } else {   false })); } let mut a11: [f32; 4] = [(-1.5f32), 0.1f32, 0.0f32, (-1.5f32)]; a11[(u32::wrapping_rem(u32::MAX, 4) as usize)] = (-1.5f32);  f64::is_finite(v1) }), b: (-83i32), c: [0.1f32, 0.0f32, 0.1f32] };  if { let r: bool = p9s.d; r } { break (-10i32); } } })
}

#[kernel]
pub fn k4(p0: f64) -> f32 {
    for v1 in (2u32..0u32).rev() {   let mut v2: u32 = (({ let r: u32 = v1; r }) << ({ let r: u32 = (((p0 / (-1.0))) as u32); r }));  }
    let (mut v4, v5b): (f64, bool) = ((({ let r: f64 = TABLE[(u32::wrapping_rem(68u32, 5) as usize)]; r } - f64::abs(0.0)) - ('l3: { if ((p0) > (0.0)) { break 'l3 (p0); }   {   p0 } })), ((f32::is_sign_positive(f32::INFINITY)) >= (((false) > ({  true })))));
    let mut v10: i64 = i64::wrapping_shl((({ let r: i64 = (({ let r: i64 = i64::MAX; r } / { let r: i64 = i64::MAX; r }) | { let t6: (i64, u32) = (i64::MIN, u32::MAX); t6.0 }); r }) << ({ let r: i32 = (({ let r: i32 = (-54i32); r }) >> ({ let r: u32 = u32::MAX; r })); r })), { let mut n7 = 0u32; loop { n7 += 1; if n7 > 4 { break { let t8: (f32, u32) = ((0.0f32 * 0.1f32), 13u32); t8.1 }; }  let mut v9: u32 = ((u32::MAX & u32::MIN) ^ u32::min(u32::MIN, 60u32));  if (((0u64 | 61u64)) > (u64::wrapping_mul(u64::MAX, u64::MIN))) { break f32::to_bits(((-1.5f32) / 0.1f32)); } } });
    ((match (i64::wrapping_rem(v10, v10) ^ { let t11: (f64, i64) = (f64::MAX, v10); t11.1 }) { 2 => ((match 68u32 { 0 => f32::NAN, 4 | 6..=9 => {  3.0e38f32 }, x if x > 40u32 => f32::INFINITY, _ => 0.1f32 }) + f32::NAN), 4 | 6..=9 => { if v5b { for v12 in 2u64..3u64 {     } let mut v13: f64 = f64::max(v4, p0);  } else {    } 0.1f32 }, x if x > 40i64 => (-1.5f32), _ => 1.0f32 }) / (0.1f32 * f32::from_bits({ let t14: (i32, u32) = (i32::MIN, 2u32); t14.1 })))
}

#[kernel]
pub fn k5(p0: u32) -> u32 {
    let mut v2: bool = (({ let r: f32 = k4({ let r: f64 = { let t1: (bool, f64) = ((true & true), 0.0); t1.1 }; r }); r }) <= ((-((-1.5f32)))));
    ({ let r: u32 = (!u32::max((p0 ^ p0), ((f32::INFINITY) as u32))); r } % { let r: u32 = (u32::MAX ^ f32::to_bits(0.1f32)); r })
}

#[kernel]
pub fn k6(p0: u64, p1: i64, p2: bool) -> bool {
    let mut v4: f64 = { let mut n1 = 0u32; loop { n1 += 1; if n1 > 2 { break 3.75; } let v2: f64 = f64::from_bits(((p0 & p0) ^ (({ let r: u64 = 44u64; r }) << ({ let r: i64 = p1; r }))));   if f64::is_nan({ let t3: (f64, u64) = (((36u32) as f64), u64::wrapping_shl(p0, u32::MAX)); t3.0 }) { break v2; } } };
    let mut v2: i64 = (18i64 ^ i64::wrapping_rem((-({ let r: i64 = ({ let r: i64 = p1; r } + { let r: i64 = p1; r }); r })), ({ let r: i64 = (match 27i32 { 2 => p1, 4 | 6..=9 => {  p1 }, x if x > 40i32 => p1, _ => p1 }); r } % { let r: i64 = p1; r })));
    true
}

#[kernel]
pub fn k7(p0: bool, p1: f64, p2: bool, p3: f64) -> u64 {
    let v2: f64 = { let t1: (f64, f32) = ((-0.0), f32::from_bits(({ let r: u32 = 18u32; r } - { let r: u32 = ((i64::MAX) as u32); r }))); t1.0 };
    let v3: bool = p0;
    let mut a4: [f64; 4] = [(p1 * v2), p3, (v2 - (-0.0)), (if p0 { p3 } else {   (-1.0) })]; a4[(u32::wrapping_rem(u32::MAX, 4) as usize)] = (p3 - { let t5: (f32, f64) = (f32::copysign(0.0f32, (-0.0f32)), { let t6: (f32, f64) = (1.0f32, p3); t6.1 }); t5.1 });
    let v12: i64 = i64::wrapping_shl(i64::min(({ let r: i64 = i64::abs(i64::MIN); r } / { let r: i64 = ((-66i64) & i64::MIN); r }), (({ let r: i64 = i64::MIN; r }) >> ({ let r: i32 = i32::max(i32::MIN, (-28i32)); r }))), { let t7: (u32, i32) = ({ let mut n8 = 0u32; loop { n8 += 1; if n8 > 2 { break (({ let r: u32 = u32::MIN; r }) << ({ let r: i32 = i32::MAX; r })); } let mut v9: u32 = ({ let r: u32 = u32::MAX; r } * { let r: u32 = 30u32; r }); if p2 {    } else {    }  if { let mut n11 = 0u32; loop { n11 += 1; if n11 > 0 { break v3; }    if p0 { break p2; } } } { break { let mut n10 = 0u32; loop { n10 += 1; if n10 > 1 { break v9; }    if v3 { break v9; } } }; } } }, (4i32 | i32::min((-13i32), i32::MAX))); t7.0 });
    u64::wrapping_div({ u64::MAX }, { let v13: f64 = f64::sqrt(f64::min(p1, p3));  49u64 })
}

#[kernel]
pub fn k8(p0: f32) -> (i32, u64) {
    let mut v4: f64 = ((if ((match (-67i64) { 1 => false, 4 | 6..=9 => {   true }, x if x > 40i64 => true, _ => true }) & true) { let mut p1s = Pair { a: (f64::INFINITY / (-0.0)), d: f32::is_sign_positive(p0), b: { let r: i32 = ROWS[(u32::wrapping_rem(u32::MIN, 3) as usize)][(u32::wrapping_rem(u32::MIN, 2) as usize)]; r }, c: [p0, p0, p0] }; p1s.c[(u32::wrapping_rem((({ let r: u32 = u32::MAX; r }) >> ({ let r: i64 = i64::MAX; r })), 3) as usize)] = { let mut n2 = 0u32; loop { n2 += 1; if n2 > 3 { break f32::NAN; }    if false { break p0; } } }; ((-2147483648.5) + (f64::INFINITY + 9.3e18)) } else { let mut p3s = Pair { a: 5e-324, d: ((i32::MAX) >= ((-83i32))), b: ((u32::MIN) as i32), c: [p0, p0, p0] }; { let r: f64 = k1({ let r: f64 = f64::from_bits(u64::MIN); r }); r } }) * 5e-324);
    for v2 in u64::MAX - 5..=u64::MAX { if f32::is_sign_positive((((-0.0f32)) as f32)) { return (({ let r: i32 = (((-39i64)) as i32); r } + { let r: i32 = i32::MIN; r }), ({ let r: u64 = f64::to_bits(v4); r } / { let r: u64 = (!v2); r })); } let v7: i64 = { let mut n6 = 0u32; loop { n6 += 1; if n6 > 3 { break i64::min(((i32::MIN) as i64), i64::MIN); }  v4 *= f64::trunc((1.0 - (-0.0)));  if false { break i64::MIN; } } }; let mut v4: f64 = f64::recip((-1.0));  }
    (i32::wrapping_shr((({ let r: i32 = i32::min((((-51i32)) as i32), (-({ let r: i32 = (-34i32); r }))); r }) << ({ let r: i32 = { let t9: (i64, i32) = (i64::MAX, i32::max(i32::MIN, 19i32)); t9.1 }; r })), ({ let r: u32 = 44u32; r } - { let r: u32 = (({ let r: u32 = (({ let r: u32 = 52u32; r }) >> ({ let r: u64 = u64::MIN; r })); r }) << ({ let r: u32 = ('l10: { if true { break 'l10 (51u32); }   u32::MAX }); r })); r })), u64::MIN)
}

#[kernel]
pub fn k9(p0: f64) -> u32 {
    let mut v3: i32 = ((i32::MAX | ('l1: { if true { break 'l1 (({ let r: i32 = i32::MIN; r } / { let r: i32 = (-44i32); r })); }   (match u64::MIN { 0 => i32::MIN, 4 | 6..=9 => {  64i32 }, x if x > 40u64 => (-42i32), _ => i32::MIN }) })) ^ (({ let r: i32 = (!48i32); r }) >> ({ let r: u64 = { let mut n2 = 0u32; loop { n2 += 1; if n2 > 4 { break u64::MIN; }    if (false ^ false) { break (16u64 | u64::MAX); } } }; r })));
    u32::rotate_left(u64::count_ones(u64::min((u64::MIN ^ u64::MAX), { let mut n4 = 0u32; loop { n4 += 1; if n4 > 3 { break 27u64; }    if true { break 37u64; } } })), (({ let r: u32 = ({ let r: u32 = ({ let r: u32 = 60u32; r } * { let r: u32 = 60u32; r }); r } * { let r: u32 = (28u32 & 26u32); r }); r }) << ({ let r: i64 = (41i64 | i64::max(i64::MIN, i64::MAX)); r })))
}

#[kernel]
pub fn k10(p0: i32) -> f32 {
    let mut a1: [u32; 4] = [({ let r: u32 = u32::MAX; r } - { let r: u32 = u32::MAX; r }); 4]; a1[2] = {  ({ let r: u32 = ((p0) as u32); r } / { let r: u32 = { let r: u32 = k9({ let r: f64 = 0.0; r }); r }; r }) };
    if (({ let mut v2: u64 = (({ let r: u64 = 52u64; r }) << ({ let r: u32 = u32::MIN; r })); f32::from_bits(40u32) }) < ((1.0f32 - (-(0.1f32))))) { let mut v3: f32 = f32::mul_add({ let mut n3 = 0u32; loop { n3 += 1; if n3 > 2 { break (f32::INFINITY * 3.0e38f32); } for v4 in (1i32..4i32).rev() {     } let v5: f32 = (3.0e38f32 * 0.1f32);  if f32::is_sign_negative(v5) { break (0.0f32 * (-0.0f32)); } } }, 0.0f32, f32::mul_add(f32::max(3.0e38f32, f32::INFINITY), (3.0e38f32 / (-1.5f32)), (f32::INFINITY * 1.0f32))); let v3: i64 = ({ let r: i64 = i64::max((-28i64), ((-2i64) & i64::MAX)); r } % { let r: i64 = i64::MIN; r });  } else {  let mut p8s = Pair { a: (f64::NAN * (-(std::f64::consts::PI))), d: ((if true {  false } else {  true }) & ((u64::MAX) != (61u64))), b: ({ let r: i32 = ({ let r: i32 = i32::MIN; r } / { let r: i32 = p0; r }); r } + { let r: i32 = p0; r }), c: [0.0f32, 0.0f32, 0.0f32] };  }
    let mut w9 = 0i32; while w9 < 2 { w9 += 1; let v12: i32 = ({ let r: i32 = ('l10: { if (!false) { break 'l10 (i32::MAX); } let mut a11: [i32; 4] = [p0, p0, p0, p0]; a11[1] = p0;  i32::max(p0, (-76i32)) }); r } + { let r: i32 = i32::max(((i64::MIN) as i32), ({ let r: i32 = p0; r } % { let r: i32 = p0; r })); r }); let v13: f64 = (-1.0);  }
    ((match { let t14: (i32, u32) = (i32::wrapping_rem(p0, p0), u32::MIN); t14.0 } { 2 => { let t15: (i64, f32) = (('l16: { if false { break 'l16 (i64::MIN); }   2i64 }), (f32::NAN / (-0.0f32))); t15.1 }, 4 | 6..=9 => { (f32::mul_add(f32::NAN, 1.0f32, f32::INFINITY) + f32::from_bits(u32::MAX)) }, x if x > 40i32 => 0.1f32, _ => { let mut n17 = 0u32; loop { n17 += 1; if n17 > 1 { break (if false {  0.1f32 } else {  f32::INFINITY }); } let mut p18s = Pair { a: std::f64::consts::PI, d: false, b: p0, c: [0.0f32, 0.0f32, 1.0f32] }; let mut v19: i64 = i64::max((-35i64), 32i64);  if ((p0) <= (p0)) { break (-(f32::NAN)); } } } }) * 1.0f32)
}

#[kernel]
pub fn k11(p0: i32, p1: f64, p2: u32, p3: i64) -> (f32, i64) {
    for v1 in (u64::MIN..=u64::MIN + 1).rev() {  for v2 in i32::MAX - 4..=i32::MAX { let mut a3: [f32; 4] = [(f32::NAN * f32::INFINITY), (if true { (-0.0f32) } else {  0.1f32 }), f32::copysign(f32::INFINITY, f32::NAN), (1.0f32 + f32::INFINITY)]; a3[2] = 0.1f32; let mut a4: [f64; 4] = [p1, (p1 / 0.0), p1, f64::from_bits(v1)]; a4[(u32::wrapping_rem(f32::to_bits(f32::NAN), 4) as usize)] = f64::floor(p1);   }   }
    let mut a5: [f32; 4] = [f32::from_bits(p2), (f32::NAN / 3.0e38f32), f32::from_bits(p2), 3.0e38f32]; a5[(u32::wrapping_rem((f32::to_bits({ let r: f32 = k4({ let r: f64 = p1; r }); r }) & 0u32), 4) as usize)] = f32::mul_add(1.0f32, (if ((p2) >= (p2)) {  (0.1f32 / 1.0f32) } else { let mut v6: u32 = u32::MIN; let mut a7: [u64; 4] = [4u64, u64::MAX, 29u64, u64::MIN]; a7[(u32::wrapping_rem(v6, 4) as usize)] = 14u64; f32::ceil(1.0f32) }), 0.1f32);
    let mut v9: u64 = ({ let t8: (bool, u64) = ((((({ let r: u32 = p2; r }) >> ({ let r: u64 = 25u64; r }))) <= (19u32)), ({ let r: u64 = 31u64; r } / { let r: u64 = u64::wrapping_div(7u64, 16u64); r })); t8.1 } ^ u64::MIN);
    ({ let mut v10: i32 = (p0 ^ (match p0 { 1 => (match v9 { 0 => p0, 4 | 6..=9 => {   p0 }, x if x > 40u64 => p0, _ => p0 }), 4 | 6..=9 => { ({ let r: i32 = p0; r } % { let r: i32 = p0; r }) }, x if x > 40i32 => p0, _ => (if true {   p0 } else {  p0 }) }));  ('l11: { if { let t12: (bool, bool) = (((v9) <= (0u64)), ('l13: { if true { break 'l13 (false); }   true })); t12.1 } { break 'l11 ({ let t14: (f32, u64) = (f32::max(f32::NAN, 1.0f32), f64::to_bits(p1)); t14.0 }); } let mut p15s = Pair { a: (p1 * p1), d: { let mut n16 = 0u32; loop { n16 += 1; if n16 > 3 { break true; }    if true { break false; } } }, b: (match v9 { 1 => p0, 4 | 6..=9 => {   i32::MIN }, x if x > 40u64 => p0, _ => v10 }), c: [(-0.0f32), f32::INFINITY, f32::INFINITY] };  { let t17: (f32, i64) = (((-0.0f32) * 3.0e38f32), p3); t17.0 } }) }, ({ let r: i64 = { let t18: (i64, i64) = ((-32i64), i64::wrapping_mul(46i64, { let t19: (i64, i64) = (p3, p3); t19.1 })); t18.1 }; r } + { let r: i64 = i64::MAX; r }))
}

#[kernel]
pub fn k12(p0: f64, p1: bool, p2: f64) -> u32 {
    let mut p1s = Pair { a: ((u32::wrapping_mul(({ let r: u32 = u32::MIN; r } + { let r: u32 = 14u32; r }), ({ let r: u32 = 49u32; r } / { let r: u32 = u32::MAX; r }))) as f64), d: (({ let mut n2 = 0u32; loop { n2 += 1; if n2 > 2 { break p1; }    if false { break p1; } } } && (p1 & p1)) || { let t3: (i64, bool) = (({ let r: i64 = (-71i64); r } % { let r: i64 = 5i64; r }), (p1 | true)); t3.1 }), b: i32::rotate_left(({ let r: i32 = i32::abs(i32::MIN); r } - { let r: i32 = (i32::MAX ^ i32::MAX); r }), u32::rotate_right((match i32::MIN { 1 => 2u32, 4 | 6..=9 => {  27u32 }, x if x > 40i32 => u32::MIN, _ => 56u32 }), (if false {   5u32 } else {  u32::MIN }))), c: [f32::INFINITY, 0.1f32, f32::NAN] };
    let mut a4: [bool; 4] = [(p1 | p1), p1, p1, ((0u32) <= (u32::MIN))]; a4[3] = (true & ((i32::min((-83i32), i32::MAX)) == ((({ let r: i32 = i32::MAX; r }) >> ({ let r: u32 = 4u32; r })))));
    u32::wrapping_shr(u32::wrapping_sub(({ let r: u32 = ({ let r: u32 = u32::MIN; r } - { let r: u32 = u32::MIN; r }); r } % { let r: u32 = (!16u32); r }), (match ({ let r: i64 = 64i64; r } - { let r: i64 = i64::MIN; r }) { 1 => { u32::MIN }, 4 | 6..=9 => { let mut v2: f32 = { let r: f32 = k4({ let r: f64 = p2; r }); r }; for v6 in u64::MAX - 0..=u64::MAX {     } ({ let r: u32 = u32::MIN; r } / { let r: u32 = u32::MAX; r }) }, x if x > 40i64 => u32::MAX, _ => ({ let r: u32 = u32::MAX; r } + { let r: u32 = 39u32; r }) })), u32::MIN)
}

#[kernel]
pub fn k13(p0: f64, p1: bool, p2: bool, p3: f64) -> f32 {
    let mut w1 = 0i32; while w1 < 3 { w1 += 1; let v2: u64 = ({ let r: u64 = ({ let r: u64 = ({ let r: u64 = u64::MIN; r } * { let r: u64 = 11u64; r }); r } + { let r: u64 = (match i32::MIN { 0 => 60u64, 4 | 6..=9 => {   40u64 }, x if x > 40i32 => 52u64, _ => u64::MIN }); r }); r } % { let r: u64 = 35u64; r }); if { let mut n3 = 0u32; loop { n3 += 1; if n3 > 4 { break (((-45i32)) >= (i32::MAX)); }  let mut v4: bool = {   p1 };  if f32::is_sign_positive((-0.0f32)) { break v4; } } } { break; }  }
    f32::trunc(((-0.0f32) + { let mut w5 = 0i32; while w5 < 2 { w5 += 1;    } 0.0f32 }))
}

#[kernel]
pub fn k14(p0: bool) -> (u64, u32) {
    let mut a1: [u64; 4] = [{ let t2: (u64, i64) = (u64::MIN, (-58i64)); t2.0 }, {   2u64 }, ({ let r: u64 = 26u64; r } * { let r: u64 = u64::MAX; r }), (u64::MIN | 15u64)]; a1[1] = u64::MIN;
    for v3 in (u32::MIN..=u32::MIN + 1).rev() { let mut w4 = 0i32; while w4 < 2 { w4 += 1;  let mut v5: i64 = { i64::wrapping_add(i64::MAX, i64::MIN) };  }  let mut v7: f64 = ({ let r: f64 = TABLE[(u32::wrapping_rem(v3, 5) as usize)]; r } - ({ let r: f64 = TABLE[(u32::wrapping_rem(v3, 5) as usize)]; r } * { let t6: (u64, f64) = (61u64, (-1.0)); t6.1 }));  }
    (({ let r: u64 = (u64::max(u64::MAX, f64::to_bits((-2147483648.5))) ^ 8u64); r } % { let r: u64 = ('l8: { if ({ let mut n9 = 0u32; loop { n9 += 1; if n9 > 3 { break p0; }    if false { break p0; } } } ^ p0) { break 'l8 (({ let r: u64 = ((p0) as u64); r } - { let r: u64 = ('l10: { if true { break 'l10 (u64::MIN); }   32u64 }); r })); } let (mut v6, v13b): (f64, u64) = ({ let t11: (f64, i32) = (f64::INFINITY, 54i32); t11.0 }, f64::to_bits(std::f64::consts::PI));  (if p0 { u64::max(u64::MAX, v13b) } else { { let t14: (i64, u64) = (i64::MIN, u64::MIN); t14.1 } }) }); r }), (!({ let r: u32 = ({ let r: u32 = ({ let r: u32 = u32::MIN; r } + { let r: u32 = u32::MIN; r }); r } + { let r: u32 = (30u32 & u32::MIN); r }); r } + { let r: u32 = u32::max(({ let r: u32 = 45u32; r } * { let r: u32 = u32::MIN; r }), ('l15: { if p0 { break 'l15 (u32::MAX); }   u32::MAX })); r })))
}

#[kernel]
pub fn k15(p0: f32, p1: f32, p2: u64) -> bool {
    let v1: f64 = (f64::min(f64::mul_add(f64::copysign((-2147483648.5), 1e-300), { let r: f64 = TABLE[3]; r }, f64::mul_add(f64::NAN, 3.75, 3.75)), ((-1.0) / f64::from_bits(p2))) + 4503599627370497.5);
    if ((f64::to_bits({ let r: f64 = k1({ let r: f64 = v1; r }); r })) > (u64::wrapping_shl(p2, { let t2: (u32, bool) = (17u32, false); t2.0 }))) { let mut v3: bool = false; v3 ^= (({ { let r: f64 = k1({ let r: f64 = v1; r }); r } }) == ((-((0.5 / v1)))));  } else {  let mut p4s = Pair { a: { let mut n5 = 0u32; loop { n5 += 1; if n5 > 3 { break ('l6: { if true { break 'l6 (v1); }   v1 }); } let v7: bool = false; let mut v4: u32 = u32::MAX;  if ((v1) >= (v1)) { break { let r: f64 = TABLE[(u32::wrapping_rem(u32::MAX, 5) as usize)]; r }; } } }, d: ((f64::copysign(3.75, v1)) <= (f64::max((-2147483648.5), v1))), b: i32::min((({ let r: i32 = 54i32; r }) << ({ let r: u64 = p2; r })), { let t9: (i32, f32) = (i32::MAX, p0); t9.0 }), c: [p1, p1, p0] };  }
    (!((('l10: { if (!false) { break 'l10 (f64::min(v1, 1.0)); }   f64::copysign(v1, v1) })) < ({ let r: f64 = k1({ let r: f64 = v1; r }); r })))
}

#[kernel]
pub fn k16(p0: bool, p1: u64, p2: i32) -> (i64, f64) {
    let mut v1: u32 = 4u32;
    let mut v2: f64 = (f64::from_bits(48u64) + (((1e-300 / std::f64::consts::PI) - (if false {   (-2147483648.5) } else { 0.5 })) - (((-2147483648.5) / 0.1) + (-1.0))));
    let mut v9: i32 = ('l3: { if { let v6: i64 = { let mut n4 = 0u32; loop { n4 += 1; if n4 > 0 { break 65i64; } for v5 in 0i64..5i64 {     } v1 = { let r: u32 = u32::MAX; r };  if p0 { break (-28i64); } } }; (('l7: { if p0 { break 'l7 (true); }   true }) & true) } { break 'l3 (i32::max({ let t8: (u64, i32) = (u64::rotate_right(p1, v1), i32::MAX); t8.1 }, i32::wrapping_div((match p2 { 1 => p2, 4 | 6..=9 => { p2 }, x if x > 40i32 => i32::MAX, _ => p2 }), {   p2 }))); } v1 &= { let r: u32 = u32::trailing_zeros(((if p0 {  66u32 } else { v1 }) ^ u32::MAX)); r };  (({ let r: i32 = i32::min(p2, p2); r } / { let r: i32 = p2; r }) & i32::max(i32::max(p2, p2), i32::wrapping_shl(p2, v1))) });
    (35i64, v2)
}

#[kernel]
pub fn k17(p0: f64, p1: i64, p2: i32, p3: f64) -> f64 {
    let (mut v2, v3b): (f64, bool) = ((p3 * f64::mul_add(f64::from_bits(53u64), ((u64::MIN) as f64), 2.0)), { let v1: u32 = ({ let r: u32 = ((p3) as u32); r } / { let r: u32 = ({ let r: u32 = 16u32; r } / { let r: u32 = u32::MAX; r }); r }); f64::is_finite(f64::max(std::f64::consts::PI, 4503599627370497.5)) });
    v2 /= { let mut v4: u64 = u64::min((f64::to_bits(p0) & ({ let r: u64 = 60u64; r } / { let r: u64 = 48u64; r })), u64::wrapping_mul((match u64::MAX { 0 => u64::MAX, 4 | 6..=9 => {   42u64 }, x if x > 40u64 => u64::MIN, _ => u64::MAX }), u64::rotate_right(22u64, 68u32))); f64::mul_add(p0, f64::max(p3, {   p0 }), { let t5: (u64, f64) = ((v4 | v4), f64::mul_add(p3, 5e-324, p3)); t5.1 }) };
    f64::mul_add(('l6: { if ((match u64::MIN { 2 => false, 4 | 6..=9 => { v3b }, x if x > 40u64 => v3b, _ => true }) & ((14u32) >= (u32::MAX))) { break 'l6 (({ let t7: (f64, f64) = (p3, p0); t7.1 } / { let r: f64 = TABLE[1]; r })); } v2 /= f64::from_bits(u64::MAX);  p0 }), ((match ('l8: { if v3b { break 'l8 (u64::MAX); }   u64::MIN }) { 1 => f64::min(f64::NAN, p0), 4 | 6..=9 => { let (mut v9, v10b): (bool, f64) = (v3b, p3); let (mut v11, v12b): (u32, i32) = (u32::MIN, p2); {  v2 } }, x if x > 40u64 => p0, _ => { let t13: (f64, u32) = (p3, 7u32); t13.0 } }) - ((f64::fract(v2)) as f64)), f64::max((match { p2 } { 2 => (match p2 { 2 => 9.3e18, 4 | 6..=9 => {  f64::MAX }, x if x > 40i32 => v2, _ => p3 }), 4 | 6..=9 => {  let (mut v14, v15b): (f64, f64) = (3.75, p0); f64::mul_add(v15b, p3, p3) }, x if x > 40i32 => 9.3e18, _ => {  p3 } }), f64::min((match p2 { 0 => p3, 4 | 6..=9 => {   p3 }, x if x > 40i32 => v2, _ => (-2147483648.5) }), f64::sqrt(1.0))))
}

#[kernel]
pub fn k18(p0: f64, p1: f64, p2: u64, p3: f64) -> f32 {
    let mut v8: f32 = (match { ('l1: { if true { break 'l1 (59i32); }   (26i32 | 19i32) }) } { 2 => (-(f32::mul_add((0.0f32 + f32::NAN), f32::from_bits(u32::MIN), (f32::NAN + (-1.5f32))))), 4 | 6..=9 => { ((if ((1.0f32) < (0.1f32)) { let mut v2: u64 = (({ let r: u64 = p2; r }) >> ({ let r: u64 = p2; r })); v2 += { let r: u64 = (if true {   66u64 } else {  u64::MAX }); r }; (f32::INFINITY * 3.0e38f32) } else { let mut w3 = 0i32; while w3 < 0 { w3 += 1;    } let mut p4s = Pair { a: p1, d: false, b: (-16i32), c: [f32::NAN, 1.0f32, f32::NAN] }; (-(f32::INFINITY)) }) * ('l5: { if ((p2) < (53u64)) { break 'l5 (f32::mul_add(f32::INFINITY, f32::NAN, 1.0f32)); } for v6 in (i64::MIN..=i64::MIN + 4).rev() {     }  f32::NAN })) }, x if x > 40i32 => 0.0f32, _ => f32::max(f32::recip({ let t7: (i64, f32) = (53i64, 0.1f32); t7.1 }), f32::mul_add(f32::NAN, (1.0f32 + 0.0f32), f32::min(1.0f32, 0.0f32))) });
    v8 = f32::from_bits((({ let r: u32 = ({ let r: u32 = f32::to_bits(v8); r } * { let r: u32 = ({ let r: u32 = u32::MIN; r } / { let r: u32 = 15u32; r }); r }); r }) >> ({ let r: u32 = u32::max((u32::MIN | 14u32), u32::max(37u32, u32::MIN)); r })));
    if (!((v8) < (f32::from_bits(67u32)))) { if ('l9: { if ((v8) != (f32::INFINITY)) { break 'l9 (((true) >= (false))); } let mut a10: [f64; 4] = [p3, p0, p3, 5e-324]; a10[(u32::wrapping_rem(u32::MIN, 4) as usize)] = p1;  ((i32::MIN) != (15i32)) }) {    } else { let mut p11s = Pair { a: p1, d: true, b: i32::MIN, c: [v8, v8, v8] };   }   }
    f32::INFINITY
}

#[kernel]
pub fn k19(p0: f64) -> u32 {
    for v1 in (u32::MIN..=u32::MIN + 1).rev() {     }
    let v3: bool = (((({ let v2: u32 = (({ let r: u32 = u32::MIN; r }) << ({ let r: u32 = u32::MIN; r })); (if false { 0.1f32 } else {   0.1f32 }) }) >= ((f32::mul_add((-0.0f32), 1.0f32, f32::NAN) - (match 31u32 { 0 => f32::INFINITY, 4 | 6..=9 => {   0.1f32 }, x if x > 40u32 => 0.0f32, _ => (-1.5f32) }))))) != (f64::is_sign_negative(f64::max((0.1 + f64::NAN), (p0 + p0)))));
    let v4: i64 = ((({ let r: f64 = k1({ let r: f64 = p0; r }); r } * f64::min(f64::fract(p0), f64::from_bits(18u64)))) as i64);
    ({ let r: u32 = u32::wrapping_sub(i32::leading_zeros(i32::rotate_left(45i32, 30u32)), 14u32); r } + { let r: u32 = { let r: u32 = k9({ let r: f64 = f64::max({ let mut n5 = 0u32; loop { n5 += 1; if n5 > 1 { break p0; }    if v3 { break p0; } } }, p0); r }); r }; r })
}

#[kernel]
pub fn k20(p0: f32, p1: i64, p2: u64) -> i64 {
    let v7: u64 = ((({ let r: u64 = (({ let mut n1 = 0u32; loop { n1 += 1; if n1 > 3 { break p2; }    if false { break p2; } } }) as u64); r }) << ({ let r: u64 = p2; r })) & { let r: u64 = k7({ let r: bool = true; r }, { let r: f64 = (if false { let mut p2s = Pair { a: std::f64::consts::PI, d: false, b: i32::MIN, c: [p0, 0.1f32, p0] }; let mut a3: [u64; 4] = [p2, p2, p2, u64::MAX]; a3[3] = u64::MAX; (f64::MAX - f64::INFINITY) } else { let mut a4: [u64; 4] = [p2, p2, p2, p2]; a4[0] = p2; { let mut n5 = 0u32; loop { n5 += 1; if n5 > 1 { break 9.3e18; }    if false { break 1.0; } } } }); r }, { let r: bool = f64::is_finite({ let t6: (f64, f32) = (4503599627370497.5, p0); t6.0 }); r }, { let r: f64 = 9.3e18; r }); r });
    for v8 in (i32::MIN..=i32::MIN + 1).rev() { let v5: f64 = { let t9: (u64, f64) = ((!p2), 3.75); t9.1 };    }
    let mut w11 = 0i32; while w11 < 2 { w11 += 1;  for v12 in (1u32..2u32).rev() { if true { continue; } if (false & true) { let mut v13: u64 = u64::min(v7, v7); v13 %= { let r: u64 = ({ let r: u64 = v13; r } + { let r: u64 = p2; r }); r };  } else { let v14: i32 = i32::min(i32::MAX, (-47i32)); let mut a15: [f64; 4] = [1e300, (-1.0), f64::INFINITY, 1.0]; a15[(u32::wrapping_rem(27u32, 4) as usize)] = 0.0;  }   }  }
    (!(({ let r: i64 = i64::max(p1, p1); r }) >> ({ let r: u64 = ('l16: { if ('l17: { if false { break 'l17 (true); }   true }) { break 'l16 ((({ let r: u64 = 17u64; r }) << ({ let r: i32 = 5i32; r }))); } let mut v18: bool = ((u32::MAX) <= (u32::MAX));  ((p1) as u64) }); r })))
}

#[kernel]
pub fn k21(p0: i32) -> f32 {
    let v4: f32 = (match (-64i64) { 1 => f32::mul_add({  (0.1f32 * 1.0f32) }, f32::floor({ let r: f32 = k18({ let r: f64 = 0.1; r }, { let r: f64 = std::f64::consts::PI; r }, { let r: u64 = u64::MIN; r }, { let r: f64 = (-1.0); r }); r }), ('l1: { if (if false { true } else {  false }) { break 'l1 (((-0.0f32) + 0.0f32)); }   (0.1f32 * f32::NAN) })), 4 | 6..=9 => { let v3: f64 = { let r: f64 = k1({ let r: f64 = { let t2: (f64, i64) = ({ let r: f64 = k1({ let r: f64 = 1e-300; r }); r }, ({ let r: i64 = i64::MAX; r } * { let r: i64 = i64::MAX; r })); t2.0 }; r }); r }; 0.0f32 }, x if x > 40i64 => f32::INFINITY, _ => f32::signum((f32::recip(0.0f32) - f32::min(f32::NAN, (-1.5f32)))) });
    (-(f32::max((f32::mul_add(f32::NAN, v4, (-1.5f32)) + f32::NAN), v4)))
}

#[kernel]
pub fn k22(p0: i64, p1: u32) -> (bool, u32) {
    let mut a1: [i64; 4] = [({ let r: i64 = p0; r } * { let r: i64 = p0; r }); 4]; a1[2] = i64::max(({ let r: i64 = (({ let r: i64 = p0; r }) << ({ let r: u64 = 39u64; r })); r } - { let r: i64 = p0; r }), ({ let r: i64 = i64::max(p0, p0); r } - { let r: i64 = { let mut n2 = 0u32; loop { n2 += 1; if n2 > 4 { break p0; }    if true { break p0; } } }; r }));
    let mut a3: [f32; 4] = [{ let t4: (f32, f64) = (3.0e38f32, 0.0); t4.0 }, (if false {   1.0f32 } else {  3.0e38f32 }), (1.0f32 / 1.0f32), ((-0.0f32) * f32::INFINITY)]; a3[3] = f32::min(((-0.0f32) / f32::abs((-1.5f32))), ((-0.0f32) + (f32::NAN / 0.1f32)));
    if ((0.0f32) != (((3.0e38f32 - f32::NAN) + (f32::INFINITY + 1.0f32)))) { let v7: f64 = f64::mul_add({ let r: f64 = k17({ let r: f64 = 3.75; r }, { let r: i64 = (({ let r: i64 = p0; r }) >> ({ let r: i32 = (-60i32); r })); r }, { let r: i32 = (if false {  (-40i32) } else {   i32::MAX }); r }, { let r: f64 = 0.0; r }); r }, (if f64::is_sign_positive(f64::MAX) { let mut p5s = Pair { a: (-1.0), d: true, b: i32::MIN, c: [1.0f32, (-0.0f32), f32::NAN] }; let v6: u32 = f32::to_bits(f32::INFINITY); ((9.3e18) as f64) } else { (-(1e300)) }), f64::mul_add(1.0, f64::from_bits(u64::MIN), f64::min(9.3e18, 5e-324)));   } else { let v8: u32 = u32::MIN; let mut p9s = Pair { a: (((-1.0) - 1e300) * 9.3e18), d: false, b: { let r: i32 = ROWS[1][(u32::wrapping_rem((({ let r: u32 = u32::MAX; r }) << ({ let r: u32 = p1; r })), 2) as usize)]; r }, c: [3.0e38f32, 0.0f32, (-0.0f32)] };  }
    ((((((false || true)) != ({ let r: bool = k6({ let r: u64 = 7u64; r }, { let r: i64 = p0; r }, { let r: bool = false; r }); r })) & ((false && true) && {   false })) && true), ('l10: { if false { break 'l10 (i64::leading_zeros(({ let r: i64 = a1[(u32::wrapping_rem(p1, 4) as usize)]; r } / { let r: i64 = ((p0) as i64); r }))); } let (mut v11, v12b): (u32, i64) = (({ let r: u32 = (24u32 | p1); r } - { let r: u32 = ({ let r: u32 = p1; r } / { let r: u32 = p1; r }); r }), a1[1]);  (if { (false ^ false) } { let (mut v6, v14b): (f32, u32) = ((-0.0f32), p1);  v11 } else {  p1 }) }))
}

#[kernel]
pub fn k23(p0: i32) -> u64 {
    for v1 in 1i32..1i32 { let (mut v3, v4b): (u64, f64) = (({ let r: u64 = { let mut n2 = 0u32; loop { n2 += 1; if n2 > 4 { break u64::MAX; }    if false { break u64::MIN; } } }; r } % { let r: u64 = 38u64; r }), (3.75 - (if false {   4503599627370497.5 } else { 2.0 }))); if { let t5: (bool, i64) = ({ let mut n6 = 0u32; loop { n6 += 1; if n6 > 2 { break true; }    if true { break false; } } }, { let mut n7 = 0u32; loop { n7 += 1; if n7 > 2 { break 62i64; }    if false { break (-13i64); } } }); t5.0 } { if ((i64::MIN) >= (0i64)) { continue; } let mut v11: i64 = (if true { let (mut v8, v9b): (f64, i32) = ((-0.0), p0); let mut v10: u32 = 40u32; i64::min(i64::MIN, i64::MIN) } else { i64::min(i64::MIN, i64::MAX) });  } else { let v6: f32 = f32::copysign(('l12: { if false { break 'l12 (f32::INFINITY); }   f32::NAN }), {   (-0.0f32) }); v3 |= { let r: u64 = v3; r };  } let mut v14: bool = (((((-1.5f32) - 1.0f32) - f32::sqrt(1.0f32))) <= ((-0.0f32)));  }
    let v22: u32 = { let mut n15 = 0u32; loop { n15 += 1; if n15 > 4 { break { let v16: bool = ((49u32) <= (({ let r: u32 = 20u32; r } + { let r: u32 = u32::MAX; r })));  10u32 }; } let (mut v17, v18b): (u32, f32) = (({ let r: u32 = (({ let r: u32 = 42u32; r }) << ({ let r: i32 = i32::MIN; r })); r } - { let r: u32 = f32::to_bits(f32::NAN); r }), (-1.5f32)); let v20: u64 = (((1.0 * { let t19: (f64, f64) = (0.0, f64::MAX); t19.0 })) as u64);  if ((((v17 & v17)) < ({ v17 })) ^ (({ let r: f64 = TABLE[1]; r }) >= ((f64::INFINITY * 4503599627370497.5)))) { break ({ let r: u32 = (u32::rotate_left(v17, v17) | { let t21: (u32, u32) = (v17, 14u32); t21.1 }); r } % { let r: u32 = v17; r }); } } };
    let mut v23: u32 = 43u32;
    u64::MIN
}

#[kernel]
pub fn k24(p0: f64, p1: f64, p2: f64) -> f64 {
    for v1 in (0u32..4u32).rev() {   for v2 in 1u32..2u32 { let mut v3: u64 = u64::wrapping_mul((if false {   68u64 } else {   8u64 }), {   u64::MIN }); v3 ^= { let r: u64 = ({ let r: u64 = u64::wrapping_shr(v3, v1); r } * { let r: u64 = (u64::MAX | u64::MIN); r }); r };   }  }
    if true { return p0; }
    { ((f32::copysign(f32::mul_add(0.0f32, 1.0f32, f32::INFINITY), ((u32::MAX) as f32))) as f64) }
}

#[kernel]
pub fn k25(p0: f64, p1: bool, p2: u32) -> bool {
    if ((f32::floor({ 0.0f32 })) >= ((f32::NAN + (f32::NAN - 0.0f32)))) { let mut w1 = 0i32; while w1 < 0 { w1 += 1; let mut v3: u64 = (!{ let t2: (u64, f64) = (u64::MAX, p0); t2.0 }); let (mut v4, v5b): (f64, f64) = (f64::max(p0, p0), (-(p0)));  }   } else {  for v6 in (i32::MIN..=i32::MIN + 4).rev() { for v7 in 0i64..4i64 { let mut v4: f64 = f64::mul_add(p0, p0, p0); let (mut v9, v10b): (f64, f64) = (p0, v4); let mut a11: [f64; 4] = [v4, p0, v10b, p0]; a11[(u32::wrapping_rem(p2, 4) as usize)] = 0.0;  } let mut v12: i64 = (-87i64); let v13: f64 = f64::copysign((-(p0)), (p0 - p0));  }  }
    { let mut n14 = 0u32; loop { n14 += 1; if n14 > 1 { break ((f64::is_sign_negative((match i64::MIN { 0 => (-2147483648.5), 4 | 6..=9 => {   (-2147483648.5) }, x if x > 40i64 => p0, _ => p0 }))) == (true)); }  if false {  if (((-25i32)) < ((-21i32))) { let v15: f64 = p0; let mut v17: f64 = ('l16: { if false { break 'l16 (p0); }   v15 });  } else { if p1 { return true; }   }  } else {  let v9: u64 = (((if false { 31i32 } else { i32::MIN })) as u64);  }  if (((if f64::is_infinite(f64::INFINITY) {  ({ let r: i64 = 46i64; r } - { let r: i64 = 5i64; r }) } else {  let v20: f64 = f64::min(1e300, p0); i64::min((-30i64), i64::MAX) })) == ((if {  p1 } { if true {    } let mut p21s = Pair { a: p0, d: p1, b: 59i32, c: [(-1.5f32), f32::NAN, 0.0f32] }; i64::MAX } else { let mut a22: [f64; 4] = [p0, p0, p0, 5e-324]; a22[(u32::wrapping_rem(p2, 4) as usize)] = p0; i64::MIN }))) { break ((!(((-97i32)) < (1i32))) || { let t19: (i32, bool) = ((!i32::MIN), p1); t19.1 }); } } }
}

#[kernel]
pub fn k26(p0: i64) -> (i32, i64) {
    let v1: f32 = f32::INFINITY;
    ({ let mut n2 = 0u32; loop { n2 += 1; if n2 > 0 { break i32::max(i32::MIN, ({ let r: i32 = ('l3: { if true { break 'l3 (i32::MIN); }   (-94i32) }); r } % { let r: i32 = i32::MAX; r })); }  let mut v4: f32 = { f32::NAN };  if false { break (i32::max(i32::rotate_right(i32::MIN, 16u32), ({ let r: i32 = 62i32; r } * { let r: i32 = 5i32; r })) & i32::min({ let t5: (u32, i32) = (u32::MAX, i32::MIN); t5.1 }, ({ let r: i32 = (-11i32); r } - { let r: i32 = 50i32; r }))); } } }, i64::min(('l6: { if ('l7: { if ((u64::MIN) == (44u64)) { break 'l7 (f64::is_sign_negative(1.0)); } let mut v8: i32 = (!(-84i32));  true }) { break 'l6 (i64::wrapping_shr(p0, (match p0 { 2 => 36u32, 4 | 6..=9 => {   8u32 }, x if x > 40i64 => 12u32, _ => u32::MIN }))); } let mut v9: f32 = (f32::mul_add(v1, 0.0f32, v1) + f32::copysign(1.0f32, v1));  ({ let r: i64 = i64::max(p0, p0); r } - { let r: i64 = (-30i64); r }) }), { let mut n10 = 0u32; loop { n10 += 1; if n10 > 0 { break { let t11: (u64, i64) = (u64::MIN, i64::abs(p0)); t11.1 }; } let mut a12: [bool; 4] = [(false & true), ((p0) != (p0)), f64::is_sign_negative(0.5), (true & false)]; a12[0] = (!false);   if (if { let mut n13 = 0u32; loop { n13 += 1; if n13 > 1 { break true; }    if true { break false; } } } {   {   false } } else { false }) { break i64::min(p0, p0); } } }))
}

#[kernel]
pub fn k27(p0: bool, p1: f64, p2: i64) -> bool {
    let mut w1 = 0i32; while w1 < 1 { w1 += 1;    }
    let v4: bool = f64::is_sign_positive(f64::floor(('l2: { if f32::is_sign_negative((-0.0f32)) { break 'l2 ((p1 / 1.0)); } let mut w3 = 0i32; while w3 < 3 { w3 += 1;    }  {  (-0.0) } })));
    ((({ let r: u64 = ({ let r: u64 = u64::MIN; r } % { let r: u64 = u64::MAX; r }); r } * { let r: u64 = (((0.1f32 / f32::NAN)) as u64); r })) != (f64::to_bits({ let t5: (u64, f64) = ((match 9i32 { 2 => 48u64, 4 | 6..=9 => {  u64::MIN }, x if x > 40i32 => 52u64, _ => 8u64 }), 1.0); t5.1 })))
}

#[kernel]
pub fn k28(p0: bool, p1: bool) -> f64 {
    let mut p1s = Pair { a: ((std::f64::consts::PI * 0.1) + { let r: f64 = k17({ let r: f64 = (-(1e300)); r }, { let r: i64 = ({ let r: i64 = (-18i64); r } % { let r: i64 = (-53i64); r }); r }, { let r: i32 = i32::min(i32::MAX, i32::MIN); r }, { let r: f64 = (5e-324 * (-2147483648.5)); r }); r }), d: ((f64::to_bits(f64::mul_add((-0.0), 0.0, 0.1))) == (({ let r: u64 = ({ let r: u64 = u64::MIN; r } + { let r: u64 = 51u64; r }); r } - { let r: u64 = (!58u64); r }))), b: { let mut w2 = 0i32; while w2 < 0 { w2 += 1; if p1 {    } let mut v3: i32 = ({ let r: i32 = i32::MAX; r } % { let r: i32 = i32::MAX; r });  } let mut v4: bool = ((4503599627370497.5) < ({ let r: f64 = k17({ let r: f64 = 1e-300; r }, { let r: i64 = 4i64; r }, { let r: i32 = i32::MIN; r }, { let r: f64 = 0.0; r }); r })); i32::wrapping_sub(i32::wrapping_shl(i32::MIN, u32::MAX), { let mut n5 = 0u32; loop { n5 += 1; if n5 > 1 { break 28i32; }    if v4 { break (-9i32); } } }) }, c: [f32::INFINITY, 0.0f32, 3.0e38f32] };
    for v3 in (u32::MIN..=u32::MIN + 4).rev() { if p1 { break; }  let mut v3: f64 = (-0.0);  }
    let (mut v9, v5b): (f64, i64) = ((-(({ let t8: (f64, f64) = (0.1, f64::NAN); t8.0 } / { let r: f64 = TABLE[(u32::wrapping_rem(39u32, 5) as usize)]; r }))), ((({ let r: i64 = ({ let r: i64 = (-92i64); r } * { let r: i64 = 2i64; r }); r }) >> ({ let r: i32 = (i32::MAX & i32::MIN); r })) & (({ let r: i64 = 39i64; r }) << ({ let r: i64 = ({ let r: i64 = 66i64; r } + { let r: i64 = (-96i64); r }); r }))));
    v9 += { let mut n11 = 0u32; loop { n11 += 1; if n11 > 4 { break 2.0; } v9 -= v9; let mut v12: f64 = (-(v9));  if ((((if p0 {  v12 } else {  v9 }) - (v9 / v9))) != ((v9 - { let t13: (i32, f64) = (54i32, v12); t13.1 }))) { break ({ let r: f64 = TABLE[(u32::wrapping_rem(f32::to_bits(3.0e38f32), 5) as usize)]; r } * { p1s.a = v9; v9 /= f64::mul_add(v9, v9, v9); (v12 + v9) }); } } };
    (if { let mut v14: u64 = ({ let r: u64 = ({ let r: u64 = u64::MAX; r } - { let r: u64 = u64::MIN; r }); r } * { let r: u64 = (!35u64); r }); if false {  let (mut v15, v16b): (i32, u32) = (i32::MIN, u32::MIN);  } { let r: bool = k27({ let r: bool = ((i32::MIN) != (i32::MAX)); r }, { let r: f64 = f64::from_bits(v14); r }, { let r: i64 = { let mut n17 = 0u32; loop { n17 += 1; if n17 > 3 { break v5b; }    if p0 { break v5b; } } }; r }); r } } {  v9 /= v9; v9 } else { v9 })
}

#[kernel]
pub fn k29(p0: i32, p1: f64) -> f32 {
    let (mut v3, v7b): (f64, f32) = ({ let mut n1 = 0u32; loop { n1 += 1; if n1 > 3 { break (p1 - { let r: f64 = TABLE[3]; r }); } let (mut v3, v4b): (f32, f64) = ({   0.0f32 }, ('l2: { if true { break 'l2 (p1); }   p1 })); let mut v5: bool = true;  if (!((67i64) == (i64::MIN))) { break v4b; } } }, ((((44u32) as f32) / (-0.0f32)) / f32::INFINITY));
    v3 = (-({ let t8: (f64, i32) = (v3, i32::min(p0, (({ let r: i32 = p0; r }) >> ({ let r: u64 = u64::MAX; r })))); t8.0 }));
    let mut p9s = Pair { a: (p1 * f64::copysign((p1 / v3), (f64::INFINITY * v3))), d: ('l12: { if ((('l13: { if true { break 'l13 (v3); }   v3 })) <= (f64::copysign(v3, 5e-324))) { break 'l12 (({ let mut n14 = 0u32; loop { n14 += 1; if n14 > 0 { break false; }    if false { break false; } } } & ((false) < (true)))); }   ((false || false) || f64::is_finite((-2147483648.5))) }), b: ({ let v10: bool = f32::is_sign_negative(v7b); let v11: u32 = u32::min(7u32, 18u32); p0 } ^ p0), c: [v7b, (-0.0f32), 3.0e38f32] };
    ((({ let r: f64 = p9s.a; r }) as f32) + (f32::trunc({ let r: f32 = k18({ let r: f64 = v3; r }, { let r: f64 = v3; r }, { let r: u64 = 48u64; r }, { let r: f64 = (-2147483648.5); r }); r }) + f32::copysign((if false {  3.0e38f32 } else {  v7b }), (-0.0f32))))
}

#[kernel]
pub fn k30(p0: f64) -> (f32, f64) {
    let mut w1 = 0i32; while w1 < 2 { w1 += 1; let mut a2: [i32; 4] = [i32::min((-79i32), i32::MIN), (match i64::MIN { 0 => i32::MAX, 4 | 6..=9 => {  i32::MIN }, x if x > 40i64 => (-58i32), _ => 1i32 }), ({ let r: i32 = 35i32; r } % { let r: i32 = (-78i32); r }), (-13i32)]; a2[(u32::wrapping_rem((match i64::min(68i64, 39i64) { 1 => u64::trailing_zeros(u64::MIN), 4 | 6..=9 => { let mut v3: i32 = (-46i32); (({ let r: u32 = u32::MAX; r }) << ({ let r: u64 = 11u64; r })) }, x if x > 40i64 => 22u32, _ => (u32::MIN | u32::MIN) }), 4) as usize)] = i32::MIN; for v4 in (i64::MIN..=i64::MIN + 2).rev() { let mut v5: f64 = (-((p0 + (-0.0)))); let mut v3: u32 = (if ((i32::MIN) == (i32::MIN)) {  ({ let r: u32 = u32::MIN; r } - { let r: u32 = u32::MAX; r }) } else { u32::wrapping_shl(u32::MAX, 18u32) }); v3 %= { let r: u32 = u32::wrapping_rem((44u32 & v3), ((p0) as u32)); r };  }  }
    ({ let mut n7 = 0u32; loop { n7 += 1; if n7 > 1 { break ({  let mut a8: [f64; 4] = [0.1; 4]; a8[(u32::wrapping_rem(54u32, 4) as usize)] = p0; {   (-0.0f32) } } + ((-(1.0f32)) + f32::INFINITY)); } let mut a9: [f32; 4] = [f32::max(f32::NAN, 0.1f32), 0.1f32, (f32::INFINITY * f32::NAN), (-1.5f32)]; a9[(u32::wrapping_rem(({ let r: u32 = (({ let r: u32 = u32::MAX; r }) >> ({ let r: u32 = u32::MIN; r })); r } - { let r: u32 = (({ let r: u32 = 18u32; r }) >> ({ let r: i32 = i32::MAX; r })); r }), 4) as usize)] = f32::INFINITY;   if { let mut n10 = 0u32; loop { n10 += 1; if n10 > 3 { break false; } let (mut v11, v6b): (i32, u64) = ((-91i32), f64::to_bits(p0)); v11 = { let r: i32 = v11; r };  if f32::is_nan(('l14: { if true { break 'l14 (1.0f32); }   (-1.5f32) })) { break ({ let t13: (bool, bool) = (true, true); t13.1 } || ((0.0f32) != (3.0e38f32))); } } } { break (a9[3] * ((f32::min(0.1f32, (-0.0f32))) as f32)); } } }, f64::INFINITY)
}

#[kernel]
pub fn k31(p0: u64, p1: i64, p2: u32) -> f64 {
    let mut p1s = Pair { a: f64::min((if false { f64::min(f64::MAX, 2.0) } else { let mut v2: u64 = u64::min(12u64, p0); 2.0 }), (-({  f64::INFINITY }))), d: { let t5: (bool, i32) = ({ let r: bool = k25({ let r: f64 = (f64::INFINITY + 3.75); r }, { let r: bool = ((27i32) == (i32::MIN)); r }, { let r: u32 = u32::min(p2, 4u32); r }); r }, (if (!true) {   (if false {   (-79i32) } else {  i32::MAX }) } else { i32::max(i32::MIN, 27i32) })); t5.0 }, b: (({ let r: i32 = i32::wrapping_shr((!(-56i32)), (p2 & p2)); r }) >> ({ let r: u32 = { let mut n3 = 0u32; loop { n3 += 1; if n3 > 4 { break {   40u32 }; } let mut a4: [bool; 4] = [true, true, true, true]; a4[1] = true;   if ((12u32) <= (p2)) { break p2; } } }; r })), c: [(-1.5f32), 3.0e38f32, 0.0f32] };
    let (mut v4, v10b): (f64, f64) = ((match p0 { 1 => ((0.0 / 1e-300) / (0.5 + 2.0)), 4 | 6..=9 => { ('l6: { if true { break 'l6 (f64::from_bits(p0)); } let (mut v7, v4b): (u32, u32) = (15u32, p2);  ((-0.0) * (-0.0)) }) }, x if x > 40u64 => f64::INFINITY, _ => (-((1.0 * 1.0))) }), { let r: f64 = p1s.a; r });
    let v14: f64 = { if (f32::is_sign_positive(0.1f32) ^ (true ^ false)) {  let mut v11: f64 = (-(1e-300));  } else { let mut v12: i64 = i64::wrapping_div(({ let r: i64 = p1; r } + { let r: i64 = p1; r }), i64::max(p1, p1)); v4 = f64::min(f64::ceil(v4), f64::max(1e300, v4));  } let mut w13 = 0i32; while w13 < 1 { w13 += 1; p1s = p1s; v4 = v10b;  } (-0.0) };
    v4
}

#[kernel]
pub fn k32(p0: f64, p1: f64, p2: f64, p3: f64) -> f64 {
    let mut v1: i32 = i32::MAX;
    v1 <<= { let r: i32 = v1; r };
    { let mut n2 = 0u32; loop { n2 += 1; if n2 > 4 { break f64::mul_add((f64::from_bits(3u64) / p2), f64::mul_add(f64::copysign((-0.0), p1), p1, { let mut n3 = 0u32; loop { n3 += 1; if n3 > 3 { break p3; }    if true { break p1; } } }), (p2 + (0.5 + 4503599627370497.5))); } let (mut v9, v10b): (i32, f64) = (('l4: { if (if false {  true } else { true }) { break 'l4 ((v1 ^ v1)); } let v5: f64 = f64::min(p0, (-1.0));  v1 }), { let mut n6 = 0u32; loop { n6 += 1; if n6 > 4 { break ('l7: { if false { break 'l7 (p3); }   p3 }); } let mut a8: [f64; 4] = [p0, p0, p1, p0]; a8[(u32::wrapping_rem(u32::MAX, 4) as usize)] = p2;   if true { break f64::mul_add(p3, p1, 1e300); } } }); let mut v11: f32 = (0.1f32 + f32::abs(0.1f32));  if {  f64::is_sign_positive(p0) } { break (p3 + (v10b * p0)); } } }
}

#[kernel]
pub fn k33(p0: f32) -> (i64, u32) {
    let mut v8: f64 = (f64::from_bits(u64::MIN) * { let mut n1 = 0u32; loop { n1 += 1; if n1 > 2 { break f64::INFINITY; } if f32::is_sign_positive((-0.0f32)) { if true { return (67i64, u32::MIN); } let v2: bool = true;  } else { let mut p3s = Pair { a: (-2147483648.5), d: false, b: i32::MAX, c: [p0, p0, p0] }; let (mut v4, v5b): (u32, i32) = (u32::MAX, (-98i32));  }   if { let mut n6 = 0u32; loop { n6 += 1; if n6 > 0 { break false; } let mut v3: bool = (true && false);   if f64::is_infinite(f64::NAN) { break {  v3 }; } } } { break { if false {    } f64::signum(0.0) }; } } });
    let mut v9: i32 = { i32::MIN };
    (i64::rotate_right(i64::MIN, u32::trailing_zeros(('l10: { if (match u64::MIN { 2 => true, 4 | 6..=9 => {  true }, x if x > 40u64 => false, _ => true }) { break 'l10 (({ let r: u32 = 44u32; r } % { let r: u32 = 35u32; r })); } v9 /= { let r: i32 = {   v9 }; r };  ({ let r: u32 = 56u32; r } / { let r: u32 = 44u32; r }) }))), ({ let r: u32 = { let r: u32 = k9({ let r: f64 = v8; r }); r }; r } % { let r: u32 = { let t11: (i64, u32) = (i64::min(61i64, { let t12: (f64, i64) = (0.5, i64::MAX); t12.1 }), ((v9) as u32)); t11.1 }; r }))
}

#[kernel]
pub fn k34(p0: u32, p1: f64, p2: f64, p3: bool) -> u64 {
    for v1 in (1u64..4u64).rev() { if ((v1) == ((({ let r: u64 = v1; r }) << ({ let r: i64 = (-64i64); r })))) { let mut p2s = Pair { a: { let t3: (f64, bool) = (0.0, p3); t3.0 }, d: ((v1) >= (u64::MAX)), b: 68i32, c: [3.0e38f32, (-1.5f32), 3.0e38f32] }; let v4: f64 = p2;  } else { let mut v5: f64 = {  (p1 / p2) }; let v6: f64 = f64::copysign(f64::max(v5, v5), p2);  } if { let mut v8: i32 = ('l7: { if p3 { break 'l7 (i32::MAX); }   67i32 }); { let mut n9 = 0u32; loop { n9 += 1; if n9 > 0 { break p3; }    if false { break p3; } } } } { if { let t10: (bool, u64) = (false, v1); t10.0 } { return {  u64::MAX }; } let v11: i32 = i32::MIN;  }   }
    let v12: f64 = 0.0;
    ({ let t13: (u64, u64) = (f64::to_bits(f64::max(p2, v12)), { let r: u64 = k23({ let r: i32 = i32::wrapping_rem(i32::MAX, (-10i32)); r }); r }); t13.0 } | ({ let r: u64 = u64::wrapping_mul(u64::min(u64::MAX, u64::MIN), ({ let r: u64 = 50u64; r } / { let r: u64 = u64::MIN; r })); r } * { let r: u64 = { let r: u64 = k7({ let r: bool = (!p3); r }, { let r: f64 = (p2 / p2); r }, { let r: bool = (p3 ^ p3); r }, { let r: f64 = (p1 - v12); r }); r }; r }))
}

#[kernel]
pub fn k35(p0: i32) -> bool {
    let mut w1 = 0i32; while w1 < 2 { w1 += 1;    }
    let mut v7: i64 = { let t2: (f32, i64) = ((({ let t5: (i32, i64) = ((({ let r: i32 = p0; r }) << ({ let r: i64 = i64::MAX; r })), { let t6: (f64, i64) = (1e-300, (-13i64)); t6.1 }); t5.1 }) as f32), i64::min(i64::wrapping_shr({ let t3: (i64, i64) = (3i64, (-94i64)); t3.0 }, { let t4: (u32, bool) = (u32::MIN, true); t4.0 }), ((u64::MAX) as i64))); t2.1 };
    v7 = { let r: i64 = ((!(i64::wrapping_shr(v7, 26u32) | ((p0) as i64))) | ({ let r: i64 = (({ let r: i64 = (({ let r: i64 = v7; r }) << ({ let r: i64 = v7; r })); r }) >> ({ let r: i32 = i32::min(p0, p0); r })); r } - { let r: i64 = (({ let r: i64 = v7; r } % { let r: i64 = v7; r }) & (({ let r: i64 = i64::MAX; r }) << ({ let r: u64 = u64::MAX; r }))); r })); r };
    let mut v6: i32 = ({ let r: i32 = ('l8: { if true { break 'l8 ({ let (mut v9, v10b): (bool, i32) = (true, p0); v9 = (v9 || v9); i32::MIN }); } if ('l11: { if false { break 'l11 (true); }   true }) { let v12: i32 = i32::abs(i32::MAX); if true {    } else {    }  }  p0 }); r } / { let r: i32 = ({ let r: i32 = p0; r } * { let r: i32 = i32::min(({ let r: i32 = p0; r } + { let r: i32 = 30i32; r }), (!16i32)); r }); r });
    (((({ let r: i32 = ({ let r: i32 = { let t14: (f32, i32) = (0.1f32, p0); t14.1 }; r } * { let r: i32 = ((u32::MIN) as i32); r }); r }) >> ({ let r: u64 = ((match u32::MAX { 0 => 59u64, 4 | 6..=9 => {  67u64 }, x if x > 40u32 => u64::MAX, _ => u64::MIN }) ^ f64::to_bits(0.0)); r }))) <= ({ let t15: (i32, bool) = ((({ let r: i32 = (if false {   v6 } else {   v6 }); r }) << ({ let r: i32 = v6; r })), (((!false)) >= (((i64::MIN) >= (v7))))); t15.0 }))
}

#[kernel]
pub fn k36(p0: i64, p1: u64, p2: f64) -> f64 {
    let mut w1 = 0i32; while w1 < 1 { w1 += 1; let mut p2s = Pair { a: f64::max({ let t3: (f64, u64) = (3.75, u64::MIN); t3.0 }, ('l4: { if true { break 'l4 (p2); }   p2 })), d: true, b: { let r: i32 = ROWS[1][0]; r }, c: [3.0e38f32, 3.0e38f32, 1.0f32] };   }
    for v5 in (u32::MIN..=u32::MIN + 4).rev() { let mut v7: i32 = i32::min(i32::MAX, { let t6: (i32, u32) = (((p1) as i32), { 23u32 }); t6.0 }); let mut w8 = 0i32; while w8 < 0 { w8 += 1; let v4: i64 = (p0 ^ (-({ let r: i64 = p0; r }))); let mut p10s = Pair { a: (p2 * 1.0), d: true, b: (-({ let r: i32 = 12i32; r })), c: [(-0.0f32), 0.1f32, (-1.5f32)] };  } let mut v11: i64 = ({ let r: i64 = ({ let r: i64 = i64::wrapping_shr(p0, v5); r } + { let r: i64 = p0; r }); r } / { let r: i64 = (p0 & (p0 & p0)); r });  }
    f64::max(('l12: { if ('l13: { if (if false { false } else {   true }) { break 'l13 (true); } if false {    } else {    }  true }) { break 'l12 ((if { let t14: (bool, bool) = (true, true); t14.0 } { ((-1.0) * p2) } else {  f64::from_bits(u64::MIN) })); }   (-(f64::abs(p2))) }), (0.5 - { let r: f64 = k17({ let r: f64 = { let mut n15 = 0u32; loop { n15 += 1; if n15 > 2 { break p2; }    if false { break p2; } } }; r }, { let r: i64 = (!p0); r }, { let r: i32 = ({ let r: i32 = (-66i32); r } - { let r: i32 = i32::MIN; r }); r }, { let r: f64 = { let r: f64 = TABLE[(u32::wrapping_rem(u32::MAX, 5) as usize)]; r }; r }); r }))
}

#[kernel]
pub fn k37(p0: f64, p1: f32) -> f64 {
    if ({  (((-26i32)) < (i32::MIN)) } ^ (((false) > (true)) && false)) { let mut v10: u32 = (match 22i32 { 2 => { let t1: (u32, f64) = ({ let mut n2 = 0u32; loop { n2 += 1; if n2 > 3 { break 16u32; }    if true { break 59u32; } } }, (p0 / p0)); t1.0 }, 4 | 6..=9 => { let (mut v3, v4b): (bool, f64) = (false, (p0 - (-0.0))); let mut a5: [f64; 4] = [{ let t6: (bool, f64) = (v3, v4b); t6.1 }, f64::copysign(p0, p0), p0, { f64::INFINITY }]; a5[(u32::wrapping_rem(18u32, 4) as usize)] = { let r: f64 = k32({ let r: f64 = v4b; r }, { let r: f64 = v4b; r }, { let r: f64 = p0; r }, { let r: f64 = v4b; r }); r }; (if (!v3) {  let mut v7: i64 = i64::MIN; ({ let r: u32 = 47u32; r } - { let r: u32 = 35u32; r }) } else { let mut a8: [f64; 4] = [v4b, p0, 4503599627370497.5, p0]; a8[1] = v4b; for v9 in 0i64..2i64 {     } (!53u32) }) }, x if x > 40i32 => 11u32, _ => u32::rotate_left((!u32::MIN), ({ let r: u32 = 28u32; r } - { let r: u32 = u32::MAX; r })) });   }
    for v11 in u64::MAX - 0..=u64::MAX { if (((57u32) <= (53u32)) ^ (if true {   false } else {   true })) { let mut v12: f64 = (f64::recip(p0) - (p0 + p0));   } let v6: f64 = f64::max((-(((20u32) as f64))), p0);   }
    let v17: i32 = i32::abs(({ let r: i32 = { let t14: (i32, f64) = (({ let r: i32 = 20i32; r } / { let r: i32 = i32::MIN; r }), f64::sqrt(p0)); t14.0 }; r } % { let r: i32 = { let t15: (i32, f64) = (i32::MAX, { let mut n16 = 0u32; loop { n16 += 1; if n16 > 2 { break p0; }    if true { break 0.0; } } }); t15.0 }; r }));
    (((3.75 - { let t18: (u32, f64) = (3u32, p0); t18.1 }) * ((p0 * p0) - ((-0.0) + p0))) + p0)
}

#[kernel]
pub fn k38(p0: u64, p1: f64, p2: f64) -> f64 {
    let mut v3: f64 = { let (mut v1, v2b): (i32, i32) = ({ let r: i32 = ROWS[0][(u32::wrapping_rem((match 4u32 { 0 => 7u32, 4 | 6..=9 => {   32u32 }, x if x > 40u32 => u32::MIN, _ => u32::MIN }), 2) as usize)]; r }, 37i32); (((-({ let r: i32 = v1; r }))) as f64) };
    (f64::floor(0.5) - (-(v3)))
}

#[kernel]
pub fn k39(p0: i32, p1: i64, p2: i32) -> (u32, i32) {
    let mut a1: [f64; 4] = [f64::mul_add(2.0, 4503599627370497.5, f64::NAN), f64::max(0.0, (-0.0)), 4503599627370497.5, (f64::NAN - 4503599627370497.5)]; a1[3] = ('l2: { if (({ let r: u64 = k7({ let r: bool = false; r }, { let r: f64 = (-0.0); r }, { let r: bool = false; r }, { let r: f64 = 0.1; r }); r }) > (({ let r: u64 = 22u64; r } / { let r: u64 = 20u64; r }))) { break 'l2 (0.0); } let mut a3: [u32; 4] = [f32::to_bits(f32::INFINITY); 4]; a3[(u32::wrapping_rem(u32::wrapping_shl(u32::MIN, 69u32), 4) as usize)] = (((-55i64)) as u32);  (((p2) as f64) * (if false {   4503599627370497.5 } else { (-0.0) })) });
    (45u32, (!({ let r: i32 = { let r: i32 = ROWS[(u32::wrapping_rem(({ let r: u32 = 16u32; r } % { let r: u32 = 8u32; r }), 3) as usize)][0]; r }; r } / { let r: i32 = p2; r })))
}

pub const KERNELS: &[Function] = &[k0::FUNCTION, k1::FUNCTION, k2::FUNCTION, k3::FUNCTION, k4::FUNCTION, k5::FUNCTION, k6::FUNCTION, k7::FUNCTION, k8::FUNCTION, k9::FUNCTION, k10::FUNCTION, k11::FUNCTION, k12::FUNCTION, k13::FUNCTION, k14::FUNCTION, k15::FUNCTION, k16::FUNCTION, k17::FUNCTION, k18::FUNCTION, k19::FUNCTION, k20::FUNCTION, k21::FUNCTION, k22::FUNCTION, k23::FUNCTION, k24::FUNCTION, k25::FUNCTION, k26::FUNCTION, k27::FUNCTION, k28::FUNCTION, k29::FUNCTION, k30::FUNCTION, k31::FUNCTION, k32::FUNCTION, k33::FUNCTION, k34::FUNCTION, k35::FUNCTION, k36::FUNCTION, k37::FUNCTION, k38::FUNCTION, k39::FUNCTION];
