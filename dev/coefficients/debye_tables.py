#!/usr/bin/env python3
"""Writes the polynomials of crates/nmath/src/special/debye_remainder.rs: `u_k(p)/p^k` of Debye's expansion in `p^2`, exactly
from the recurrence `u_(k+1) = p^2 (1-p^2)/2 u_k' + 1/8 integral_0^p (1 - 5 t^2) u_k dt` (DLMF 10.41.9), rounded once.
"""
from fractions import Fraction

TERMS = 19


def rows():
    u = {0: Fraction(1)}
    for k in range(TERMS):
        yield [u.get(k + 2 * i, Fraction(0)) for i in range(k + 1)]
        following = {}
        for e, c in u.items():
            for power, value in ((e + 1, c * e / 2 + c / 8 / (e + 1)), (e + 3, -c * e / 2 - 5 * c / 8 / (e + 3))):
                following[power] = following.get(power, Fraction(0)) + value
        u = following


for k, row in enumerate(rows()):
    if k == 0:
        continue
    digits = [repr(float(c)) for c in reversed(row)]
    first = len(digits) % 4 or 4
    blocks = [digits[:first]] + [digits[i:i + 4] for i in range(first, len(digits), 4)]
    print('polynomial! {')
    print(f'    /// Term {k}.')
    print(f'    fn debye_{k} = ' + ' '.join('[' + ', '.join(b) + ']' for b in blocks) + ';')
    print('}')
