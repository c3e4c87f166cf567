"""Writes crates/nmath/src/special/mills_tables.rs: Mills' ratio `exp(z^2/2) Q(z)` as polynomials in sixteen cells.

Usage: python3 dev/coefficients/mills_tables.py > crates/nmath/src/special/mills_tables.rs. Needs `pip install mpmath`.
"""
from mpmath import chebyfit, erfc, exp, log, mp, mpf, polyval, sqrt

mp.dps = 60
DEGREE = 13
# z + 2 at the nodes: numbers of three bits
NODES = [mpf(k) * 2**e / 4 for e in (1, 2, 3, 4) for k in (4, 5, 6, 7)]


def mills(z):
    return exp(z * z / 2) * erfc(z / sqrt(2)) / 2


cells, worst = [], mpf(0)
for i, node in enumerate(NODES):
    low = mpf(0) if i == 0 else (NODES[i - 1] - node) / 2
    high = ((NODES[i + 1] if i < 15 else mpf(32)) - node) / 2
    f = lambda d: mills(node - 2 + d)
    c = list(reversed(chebyfit(f, [low, high], DEGREE + 1)))
    cells.append(c)
    rounded = c[:2] + [mpf(float(x)) for x in c[2:]]
    for k in range(200):
        d = low + (high - low) * (k + mpf(1) / 3) / 200
        worst = max(worst, abs(polyval(list(reversed(rounded)), d) / f(d) - 1))

print(f"""//! Mills' ratio `exp(z^2/2) Q(z)` as polynomials in sixteen cells, in doubles: for sums of many, of which each needs no more than half
//! an ulp. Written by dev/coefficients/mills_tables.py from its definition (60 digits). On lanes a table of sixteen is one permutation.
#![allow(clippy::excessive_precision)]

use gristmill_kernel::kernel;
""")


def table(name, values):
    print("#[kernel]\n#[rustfmt::skip]")
    print(f"const {name}: [f64; 16] = [")
    for row in range(0, 16, 4):
        print("    " + ", ".join(repr(float(v)) for v in values[row : row + 4]) + ",")
    print("];\n")


for k in range(DEGREE + 1):
    table(f"MILLS_IN_CELL_{k}", [c[k] for c in cells])
    if k < 2:
        table(f"MILLS_IN_CELL_{k}_LOW", [c[k] - mpf(float(c[k])) for c in cells])

print(f"""/// Mills' ratio at the node `i` plus `d`, `0 <= z < 28`; `z + 2` at the nodes is a number of three bits from 2 on. The polynomials are good
/// to 2^{int(log(worst, 2)) if worst < 1 else 0}, the sum to 0.6 ulp.
#[kernel(inline)]
#[rustfmt::skip]
pub(crate) fn mills_in_cell(i: u64, d: f64) -> f64 {{
    let d2 = d * d;
    let d4 = d2 * d2;
    let p = MILLS_IN_CELL_13[i as usize].mul_add(d, MILLS_IN_CELL_12[i as usize]);
    let p = p.mul_add(d4, MILLS_IN_CELL_11[i as usize].mul_add(d, MILLS_IN_CELL_10[i as usize]).mul_add(d2, MILLS_IN_CELL_9[i as usize].mul_add(d, MILLS_IN_CELL_8[i as usize])));
    let p = p.mul_add(d4, MILLS_IN_CELL_7[i as usize].mul_add(d, MILLS_IN_CELL_6[i as usize]).mul_add(d2, MILLS_IN_CELL_5[i as usize].mul_add(d, MILLS_IN_CELL_4[i as usize])));
    let p = p.mul_add(d4, MILLS_IN_CELL_3[i as usize].mul_add(d, MILLS_IN_CELL_2[i as usize]).mul_add(d2, d.mul_add(MILLS_IN_CELL_1[i as usize], d.mul_add(MILLS_IN_CELL_1_LOW[i as usize], MILLS_IN_CELL_0_LOW[i as usize]))));
    MILLS_IN_CELL_0[i as usize] + p
}}""")
