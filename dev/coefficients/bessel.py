"""Every table of the Bessel functions: `python3 dev/coefficients/bessel.py > crates/nmath/src/special/bessel/tables.rs`.

Debye's polynomials are exact rationals; the rest is evaluated with 80 digits (the functions of the Airy-type expansion, which cancel
next to the transition, with 250), interpolated at Chebyshev's points and written as monomials.
"""
from fractions import Fraction
import mpmath as m
from mpmath import mp, mpf

mp.dps = 80
TERMS = 24          # Debye's sums end at u_24
AIRY_ORDER = 25     # least order of the Airy-type expansion
AIRY_PHASE = 22.6   # its largest phase or exponent: the border is at 20, by bounds that are up to 12 % low

def number(v):
    return repr(float(v))

def parts(v):
    high = mpf(float(v))
    return high, mpf(float(v - high))

def array(doc, name, values, rows=None):
    values = list(values)
    print(f"\n/// {doc}\n#[kernel]")
    if rows is None:
        print(f"pub(crate) const {name}: [f64; {len(values)}] = [" + ", ".join(number(v) for v in values) + "];")
    else:
        print(f"pub(crate) const {name}: [[f64; {rows}]; {len(values)}] = [")
        for row in values:
            print("    [" + ", ".join(number(v) for v in row) + "],")
        print("];")

def pairs(doc, name, values):
    values = list(values)
    array(doc + ", leading parts.", name + "_HIGH", [parts(v)[0] for v in values])
    array(doc + ", the rests.", name + "_LOW", [parts(v)[1] for v in values])

def fit(f, low, high, degree):
    """Monomial coefficients in t = (v - centre), lowest first, of the interpolant at Chebyshev's points."""
    n = degree + 1
    centre, half = (mpf(low) + high) / 2, (mpf(high) - low) / 2
    nodes = [m.cos(m.pi * (2 * i + 1) / (2 * n)) for i in range(n)]
    values = [f(centre + half * t) for t in nodes]
    cheb = [2 * sum(values[i] * m.cos(k * m.pi * (2 * i + 1) / (2 * n)) for i in range(n)) / n for k in range(n)]
    cheb[0] /= 2
    # to monomials
    a, b = [mpf(1)], [mpf(0), mpf(1)]
    out = [mpf(0)] * n
    for k in range(n):
        poly = a if k == 0 else b
        for i, c in enumerate(poly):
            out[i] += cheb[k] * c
        if k >= 1:
            nxt = [mpf(0)] + [2 * c for c in b]
            for i, c in enumerate(a):
                nxt[i] -= c
            a, b = b, nxt
    return [c / half**i for i, c in enumerate(out)], cheb

print("//! Tables of the Bessel functions, written by dev/coefficients/bessel.py.")
print("#![allow(clippy::excessive_precision, clippy::unreadable_literal, clippy::approx_constant)]")
print("\nuse gristmill_kernel::kernel;")

# ---------------------------------------------------------------- Debye: U_k(p) = p^k u_k(p^2)   (dlmf 10.41.9)
U = [[Fraction(1)]]  # coefficients of U_k in p
for k in range(TERMS):
    u = U[k]
    d = [Fraction(0)] * (len(u) + 3)
    for i, c in enumerate(u):           # (1/2) p^2 (1 - p^2) U'
        if i:
            d[i + 1] += c * i / 2
            d[i + 3] -= c * i / 2
    for i, c in enumerate(u):           # (1/8) int (1 - 5 p^2) U
        d[i + 1] += c / 8 / (i + 1)
        d[i + 3] -= 5 * c / 8 / (i + 3)
    U.append(d)

def u_small(k, j):
    """Coefficient of p^(2 j) in u_k."""
    i = k + 2 * j
    return U[k][i] if i < len(U[k]) else Fraction(0)

# sum_k u_k(V)/w^k = sum_j b^j sum_i c(i + j, j) a^i with a = 1/w, b = V/w: for each j the coefficients of a^i, highest first
def debye(n, name):
    flat = []
    for j in range(n, -1, -1):
        even = [u_small(i + j, j) for i in range(0, n - j + 1, 2)]
        odd = [u_small(i + j, j) for i in range(1, n - j + 1, 2)]
        flat.append((even, odd))
    return flat

def debye_code(n, name, doc):
    rows = debye(n, name)
    print(f"\n/// {doc}")
    print("#[kernel]")
    print(f"pub(crate) fn {name}(a: f64, b: f64, sigma: f64) -> (f64, f64) {{")
    print("    let s = sigma * a * a;")
    print("    let t = sigma * a;")
    print("    let c = sigma * b;")
    print("    let mut even: f64 = 0.0;")
    print("    let mut odd: f64 = 0.0;")
    last = len(rows) - 1
    def horner(cs):
        text = None
        for c in reversed(cs):
            v = number(mpf(c.numerator) / c.denominator)
            text = v if text is None else (f"({text}f64).mul_add(s, {v})" if text.startswith(("-", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9")) else f"{text}.mul_add(s, {v})")
        return text
    for index, (even, odd) in enumerate(rows):
        if index == last:
            even = [Fraction(0)] + even[1:]   # the leading 1 is the caller's
        e = horner(even)
        o = horner(odd) if odd else None
        print(f"    let p: f64 = {e};")
        print(f"    let e = c.mul_add(odd, p);")
        if o:
            print(f"    let q: f64 = {o};")
            print(f"    odd = b.mul_add(even, t * q);")
        else:
            print(f"    odd = b * even;")
        print(f"    even = e;")
    # b * even in the last row must not see the missing 1: it does not, because rows go from high j to low
    print("    (even, odd)")
    print("}")

debye_code(TERMS, "debye_long", "Debye's sum to `u_24`, less its leading 1: even and odd part, see `debye_sums`.")
debye_code(9, "debye_short", "Debye's sum to `u_9`, less its leading 1: even and odd part, see `debye_sums`.")

# ---------------------------------------------------------------- Airy-type expansion (dlmf 10.20)
mp.dps = 250
# singular coefficients u_k, v_k of Airy's asymptotic series (dlmf 9.7.2)
def airy_u(k):
    return m.gamma(3 * k + mpf(1) / 2) / (54**k * m.factorial(k) * m.gamma(k + mpf(1) / 2))
def airy_v(k):
    return mpf(6 * k + 1) / (1 - 6 * k) * airy_u(k) if k else mpf(1)

def zeta_of(z):
    """zeta and its square root, complex where zeta < 0."""
    root = m.sqrt(m.mpc(1 - z * z))
    if z > 1:
        root = m.mpc(0, -1) * m.sqrt(z * z - 1)   # either branch: results are real
    f = m.log((1 + root) / z) - root
    return f, root

def poly_u(k, p):
    return sum(mpf(c.numerator) / c.denominator * p**i for i, c in enumerate(U[k]) if c)

def airy_parts(y):
    z = (1 - y) / (1 + y)
    f, root = zeta_of(z)               # (2/3) zeta^(3/2) = f
    if z < 1:
        zeta = (f.real * 3 / 2) ** (mpf(2) / 3)
        half = m.mpc(m.sqrt(zeta))
    else:
        zeta = -((abs(f) * 3 / 2) ** (mpf(2) / 3))
        half = 3 * f / 2 / zeta        # zeta^(1/2) on the same branch as f
    return z, zeta, half, f, 1 / root

cache = {}
def airy_at(y):
    key = m.nstr(y, 60)
    if key not in cache:
        cache[key] = airy_parts(y)
    return cache[key]

def big_a(k, y):
    z, zeta, half, f, p = airy_at(y)
    return sum((mpf(3) / 2)**j * airy_v(j) * (3 * f / 2)**(-j) * poly_u(2 * k - j, p) for j in range(2 * k + 1)).real

def big_b(k, y):
    z, zeta, half, f, p = airy_at(y)
    return (-sum((mpf(3) / 2)**j * airy_u(j) * (3 * f / 2)**(-j) * poly_u(2 * k + 1 - j, p) for j in range(2 * k + 2)) / half).real

def root(function, low, high):
    low, high = mpf(low), mpf(high)
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if function(middle) < 0 else (low, middle)
    return low
mp.dps = 30
ratio = mpf(AIRY_PHASE) / AIRY_ORDER
p_end, t_end = root(lambda t: m.atanh(t) - t - ratio, 0, mpf(1) - mpf(2)**-90), root(lambda t: t - m.atan(t) - ratio, 0, 100)
mp.dps = 250
z_low, z_high = m.sqrt(1 - p_end**2), m.sqrt(1 + t_end**2)
y_high, y_low = (1 - z_low) / (1 + z_low), (1 - z_high) / (1 + z_high)
centre = mpf(float(round((y_low + y_high) / 2 * 1024))) / 1024
half_width = max(y_high - centre, centre - y_low) * mpf("1.005")
low, high = centre - half_width, centre + half_width
import sys
print("airy y in", m.nstr(low, 8), m.nstr(high, 8), "z in", m.nstr(z_low, 6), m.nstr(z_high, 6), file=sys.stderr)
print(f"\n/// The centre of `y = (nu - x)/(nu + x)` in the Airy-type expansion.\n#[kernel]\npub(crate) const AIRY_CENTRE: f64 = {number(centre)};")

def cut(coefficients, cheb, tolerance):
    keep = max((i for i, c in enumerate(cheb) if abs(c) > tolerance), default=0)
    return keep

def fitted(f, degree, tolerance):
    _, cheb = fit(f, low, high, degree)
    keep = cut(None, cheb, tolerance)
    return fit(f, low, high, keep + 1)[0]

zeta_over_y = lambda y: airy_at(y)[1] / y
c = fitted(zeta_over_y, 48, mpf(2)**-72)
print("zeta", len(c), file=sys.stderr)
pairs("`zeta/y` in powers of `y - AIRY_CENTRE`, lowest first", "ZETA", c)
def airy_sum(function, ks, leading, name, doc):
    """A polynomial in `1/nu^2` whose coefficients are polynomials in `v = y - AIRY_CENTRE`, by Horner's rule in both."""
    print(f"\n/// {doc}\n#[kernel]\npub(crate) fn {name}(v: f64, inverse: f64) -> f64 {{")
    for k in ks:
        scale = mpf(AIRY_ORDER) ** (-2 * k)
        c = fitted(lambda y: function(k, y), 40, mpf(2)**-60 / scale / leading)
        print(name, k, len(c), m.nstr(abs(c[0]) * scale, 3), file=sys.stderr)
        print(f"    let p: f64 = {number(c[-1])};")
        for value in reversed(c[1:-1]):
            print(f"    let p = p.mul_add(v, {number(value)});")
        print(f"    let p{k} = p.mul_add(v, {number(c[0])});")
    text = f"p{ks[-1]}"
    for k in reversed(ks[:-1]):
        text = f"{text}.mul_add(inverse, p{k})"
    print(f"    {text}\n}}")

airy_sum(big_a, range(1, 6), mpf(1), "airy_a", "`A_1 + A_2/nu^2 + ...` of the Airy-type expansion in `v = y - AIRY_CENTRE`, `inverse = 1/nu^2`.")
# the term of the derivative is nu^(-4/3) of the other, and |Ai'/Ai| up to 3.4
airy_sum(big_b, range(0, 5), 4 * mpf(AIRY_ORDER) ** (-mpf(4) / 3), "airy_b", "`B_0 + B_1/nu^2 + ...` of the Airy-type expansion in `v = y - AIRY_CENTRE`, `inverse = 1/nu^2`.")
mp.dps = 80

points = [mpf(i) / 4 for i in range(-47, 48)]
for name, function in (("AI", m.airyai), ("BI", m.airybi)):
    pairs(f"`{name.title()}(i/4)`, i = -47, ..., 47", name, [function(p) for p in points])
    pairs(f"`{name.title()}'(i/4)`, i = -47, ..., 47", name + "_SLOPE", [function(p, derivative=1) for p in points])

# ---------------------------------------------------------------- trapezoidal rules
def nodes_k(h, x):
    k = 0
    while x * (m.cosh(k * h) - 1) < 43:
        k += 1
    return k
K_STEPS = [(mpf("0.21875"), 1), (mpf("0.140625"), 6)]
for i, (h, x) in enumerate(K_STEPS):
    n = nodes_k(h, x) + 1
    array(f"`cosh(k h) - 1`, h = {number(h)}, k = 0, 1, ...", f"K_NODES_{i}", [m.cosh(k * h) - 1 for k in range(n)])
    array(f"`sinh(k h)`, h = {number(h)}, k = 0, 1, ...", f"K_SINH_{i}", [m.sinh(k * h) for k in range(n)])
H_STEPS = [(mpf("0.125"), 1), (mpf("0.0859375"), 8)]
for i, (h, x) in enumerate(H_STEPS):
    n = 0
    while x * m.sinh(n * h) * m.tanh(n * h) < 43:
        n += 1
    n += 1
    s = [k * h for k in range(n)]
    doc = f"at `s = k h`, h = {number(h)}, k = 0, 1, ..."
    array(f"`sinh(s) tanh(s)` {doc}", f"H_DECAY_{i}", [m.sinh(v) * m.tanh(v) for v in s])
    array(f"The Gudermannian of `s` {doc}", f"H_ANGLE_{i}", [2 * m.atan(m.tanh(v / 2)) for v in s])
    array(f"`1/cosh(s)` {doc}", f"H_SECH_{i}", [1 / m.cosh(v) for v in s])
    array(f"`tanh(s)` {doc}", f"H_TANH_{i}", [m.tanh(v) for v in s])
    array(f"`sinh(s)` {doc}", f"H_SINH_{i}", [m.sinh(v) for v in s])

# ---------------------------------------------------------------- Temme's gamma functions, |nu| <= 1/2, in nu^2
def gamma_1(q):
    nu = m.sqrt(q)
    return (m.rgamma(1 - nu) - m.rgamma(1 + nu)) / (2 * nu)
def gamma_2(q):
    nu = m.sqrt(q)
    return (m.rgamma(1 - nu) + m.rgamma(1 + nu)) / 2
def versine(q):
    return (1 - m.cos(m.pi * m.sqrt(q))) / q
for name, function, degree in (("GAMMA_1", gamma_1, 11), ("GAMMA_2", gamma_2, 11), ("VERSINE", versine, 11)):
    c, cheb = fit(function, mpf("1e-40"), mpf("0.2505"), degree)
    print(name, len(c), m.nstr(cheb[-1], 3), file=sys.stderr)
    # about 0 instead of the centre: entire functions, the change costs nothing
    t = (mpf("0.2505") + mpf("1e-40")) / 2
    shifted = [sum(c[i] * m.binomial(i, j) * (-t)**(i - j) for i in range(j, len(c))) for j in range(len(c))]
    doc = "`(1 - cos(pi nu))/nu^2`" if name == "VERSINE" else f"Temme's `{name.title()}`"
    pairs(f"{doc} in powers of `nu^2`, lowest first", name, shifted)

# ---------------------------------------------------------------- arc tangents
pairs("`atan(j/16)/pi`, j = 0, ..., 16", "ATAN_OVER_PI", [m.atan(mpf(j) / 16) / m.pi for j in range(17)])
