#!/usr/bin/env python3
"""Writes crates/nmath/src/special/error_tables.rs: the error functions as polynomials in sixteen cells each.

Needs mpmath. Usage: dev/coefficients/error_tables.py > crates/nmath/src/special/error_tables.rs
"""
import textwrap

from mpmath import cos, erf, erfc, exp, log, mp, mpf, pi, sqrt

mp.dps = 60
out = []


def interpolate(f, low, high, node, count):
    """Coefficients, lowest first, in d = x - node of the polynomial through f at the Chebyshev nodes of [low, high]."""
    xs = [(low + high) / 2 + (high - low) / 2 * cos(pi * (2 * k + 1) / (2 * count)) for k in range(count)]
    divided = [f(x) for x in xs]
    for j in range(1, count):
        for i in range(count - 1, j - 1, -1):
            divided[i] = (divided[i] - divided[i - 1]) / (xs[i] - xs[i - j])
    p = [divided[-1]]
    for i in range(count - 2, -1, -1):
        p = [(p[k - 1] if k else divided[i]) - (p[k] * (xs[i] - node) if k < len(p) else 0) for k in range(len(p) + 1)]
    return p


def error(f, low, high, node, p):
    worst = mpf(0)
    for k in range(61):
        x = low + (high - low) * k / 60
        v = mpf(0)
        for c in reversed(p):
            v = v * (x - node) + c
        worst = max(worst, abs(v / f(x) - 1))
    return worst


def cells(name, doc, f, borders, nodes, count, low_argument=False, fine=False):
    """Tables of the coefficients in each cell, and the kernel that evaluates them as a pair; `low_argument`: at `d + dl`; `fine`: and one with a
    term more as a pair."""
    columns = [interpolate(f, mpf(a), mpf(b), mpf(n), count) for a, b, n in zip(borders, borders[1:], nodes)]
    worst = max(error(f, mpf(a), mpf(b), mpf(n), p) for a, b, n, p in zip(borders, borders[1:], nodes, columns))
    upper = name.upper()

    def table(suffix, values):
        out.append(f"#[kernel]\n#[rustfmt::skip]\nconst {upper}_{suffix}: [f64; 16] = [\n    "
                   + ",\n    ".join(", ".join(repr(float(v)) for v in values[i:i + 4]) for i in range(0, 16, 4)) + ",\n];\n")

    for k in range(count):
        table(k, [p[k] for p in columns])
        if k < (3 if fine else 2):
            table(f"{k}_LOW", [p[k] - mpf(float(p[k])) for p in columns])

    def c(k):
        return f"{upper}_{k}[i as usize]"

    def horner(first):
        """The terms from the first on, in blocks of four."""
        starts = list(range(first, count, 4))
        return [f"let p = {block(starts[-1])};"] + [f"let p = p.mul_add(d4, {block(k)});" for k in reversed(starts[:-1])]

    def block(k):
        """Four terms from the k-th on, or as many as there are."""
        if k + 1 == count:
            return c(k)
        pair = f"{c(k + 1)}.mul_add(d, {c(k)})"
        if k + 2 == count:
            return pair
        upper_pair = c(k + 2) if k + 3 == count else f"{c(k + 3)}.mul_add(d, {c(k + 2)})"
        return f"{upper_pair}.mul_add(d2, {pair})"

    lines = horner(2)
    rest = f"d.mul_add({c('1_LOW')}, {c('0_LOW')})"
    if low_argument:
        rest = f"dl.mul_add((d + d).mul_add({c(2)}, {c(1)}), {rest})"
    lines += [f"let (m, e) = two_prod(d, {c(1)});", f"let (s, se) = fast_two_sum({c(0)}, m);",
              f"(s, d2.mul_add(p, {rest} + (se + e)))"]
    bits = int(-log(worst, 2))
    doc = textwrap.fill(f"{doc} As a loose pair; the polynomials are good to 2^-{bits}.", 116, break_on_hyphens=False)
    doc = "/// " + doc.replace("\n", "\n/// ")
    out.append(f"{doc}\n#[kernel(inline)]\n#[rustfmt::skip]\n"
               f"pub(crate) fn {name}(i: u64, d: f64{', dl: f64' if low_argument else ''}) -> (f64, f64) {{\n    let d2 = d * d;\n    let d4 = d2 * d2;\n    "
               + "\n    ".join(lines) + "\n}\n")

    if fine:
        lines = horner(3)
        lines += [f"let (m, e) = two_prod(d, p);", f"let (b, be) = fast_two_sum({c(2)}, m);", f"let bl = {c('2_LOW')} + (be + e);"]
        lines += [f"let (m, e) = two_prod(d, b);", f"let (a, ae) = fast_two_sum({c(1)}, m);", f"let al = d.mul_add(bl, {c('1_LOW')}) + (ae + e);"]
        lines += [f"let (m, e) = two_prod(d, a);", f"let (s, se) = fast_two_sum({c(0)}, m);",
                  f"let slope = d.mul_add(d.mul_add(p, b), a);", f"(s, dl.mul_add(slope, d.mul_add(al, {c('0_LOW')})) + (se + e))"]
        out.append(f"/// [`{name}`] with a term more as a pair.\n#[kernel(inline)]\n#[rustfmt::skip]\n"
                   f"pub(crate) fn {name}_fine(i: u64, d: f64, dl: f64) -> (f64, f64) {{\n    let d2 = d * d;\n    let d4 = d2 * d2;\n    "
                   + "\n    ".join(lines) + "\n}\n")


def quarters(start, count):
    """Numbers with two bits after the leading one."""
    nodes = [mpf(start)]
    while len(nodes) < count:
        x, power = nodes[-1], mpf(1)
        while power * 2 <= x:
            power *= 2
        while power > x:
            power /= 2
        nodes.append(x + power / 4)
    return nodes


def middles(nodes):
    return [(a + b) / 2 for a, b in zip(nodes, nodes[1:])]


def ratio(x):
    return 2 / sqrt(pi) if x == 0 else erf(x) / x


def scaled(x):
    return exp(x * x) * erfc(x)


def inverse_of_log(t):
    """x with log erfc(x) = -t, by Newton's iteration."""
    x = sqrt(t)
    while True:
        m = scaled(x)
        step = (log(m) - x * x + t) * m * sqrt(pi) / 2
        x += step
        if abs(step) < mpf(10) ** -50:
            return x


def inverse_ratio(p):
    return sqrt(pi) / 2 if p == 0 else inverse_of_log(-log(1 - p)) / p


width = mpf(25) / 64
nodes = [i * width for i in range(16)]
cells("erf_in_cell", "`erf(x)/x` at `x = 25 i/64 + d`, `0 <= x <= 6.02`.", ratio, [mpf(0)] + middles(nodes) + [mpf("6.02")],
      nodes, 14)

nodes = quarters(2, 17)
cells("scaled_in_cell", "`exp(x^2) erfc(x)` at the node `i` plus `d + dl`, `0 <= x < 28`; `x + 2` at the nodes is a number of three bits from 2 on.",
      scaled, [mpf(0)] + [m - 2 for m in middles(nodes)], [n - 2 for n in nodes[:16]], 16, True, True)

nodes = quarters(mpf(5) / 64, 16)[::-1]
cells("inverse_in_cell", "`erfinv(p)/p` at the node `i` plus `d`, `0 <= p <= 0.9361`; `1 - p` at the nodes is a number of three bits from 1 down.",
      inverse_ratio, [mpf(0)] + [1 - m for m in middles(nodes)] + [mpf("0.9361")], [1 - n for n in nodes], 15)

nodes = quarters(3, 16)
cells("inverse_of_log_in_cell", "`x` with `-log erfc(x) = t` at the node `i` plus `d + dl`, `2.75 <= t <= 44`; the nodes are numbers of three bits from 3 on.",
      inverse_of_log, [mpf("2.7499")] + middles(nodes) + [mpf(44)], nodes, 13, True)

nodes = quarters(48, 16)
cells("inverse_of_far_log_in_cell", "The same for `44 <= t <= 765`, from 48 on.",
      inverse_of_log, [mpf(44)] + middles(nodes) + [mpf(765)], nodes, 15, True)

print("//! The error functions as polynomials in sixteen cells each. Written by dev/coefficients/error_tables.py from their definitions\n"
      "//! (60 digits). On lanes a table of sixteen is one permutation, so a polynomial of this kind costs little more than one with\n"
      "//! the same coefficients everywhere, and is half as long.\n"
      "#![allow(clippy::excessive_precision)]\n\nuse super::double_double::{fast_two_sum, two_prod};\nuse gristmill_kernel::kernel;\n\n"
      + "\n".join(out), end="")
