"""Every coefficient and constant of crates/nmath/src/special's elementary functions."""
from fit import *

half_ln2 = m.log(2) / 2 * mpf("1.0001")
quarter_pi = pi / 4 * mpf("1.0001")
s_max = ((m.sqrt(2) - 1) / (m.sqrt(2) + 1)) * mpf("1.0001")
t_max = m.tan(pi / 8) * mpf("1.0001")

polynomial("exp_tail", series(lambda k: 1 / m.factorial(k + 2)), -half_ln2, half_ln2, 11)
polynomial("exp_cubic", series(lambda k: 2 / m.factorial(k + 3)), -half_ln2, half_ln2, 10)
polynomial("atanh_tail", series(lambda k: mpf(1) / (2 * k + 5)), 0, s_max**2, 8)
polynomial("atanh_rest", series(lambda k: mpf(2) / (2 * k + 7)), 0, s_max**2, 7)
polynomial("log_tail", series(lambda k: mpf(2) / (2 * k + 3)), 0, s_max**2, 7)
polynomial("sin_tail", series(lambda k: (-1) ** (k + 1) / m.factorial(2 * k + 3)), 0, quarter_pi**2, 6)
polynomial("cos_tail", series(lambda k: (-1) ** k / m.factorial(2 * k + 4)), 0, quarter_pi**2, 6)
polynomial("sinpi_tail", series(lambda k: (-1) ** (k + 1) * pi ** (2 * k + 3) / m.factorial(2 * k + 3)), 0, mpf(1) / 16, 6)
polynomial("cospi_tail", series(lambda k: (-1) ** k * pi ** (2 * k + 4) / m.factorial(2 * k + 4)), 0, mpf(1) / 16, 6)
polynomial("atan_tail", series(lambda k: mpf((-1) ** (k + 1)) / (2 * k + 3)), 0, t_max**2, 10)
polynomial("asin_tail", series(lambda k: m.binomial(2 * k + 2, k + 1) / mpf(4) ** (k + 1) / (2 * k + 3)), 0, mpf(1) / 4, 13)
polynomial("inverse_cbrt", lambda x: x ** (mpf(-1) / 3), 1, 2, 6)

pair("LN2", m.log(2))
A = m.floor(m.log(2) * 2**33) / 2**33
pair("LN2_A, B, C", A, 1), pair("", m.log(2) - A)
pair("2/3", mpf(2) / 3), pair("2/5", mpf(2) / 5)
pair("1/LN2", 1 / m.log(2))
pair("LOG10_E", 1 / m.log(10))
L = m.log10(2)
B = m.floor(L * 2**33) / 2**33
pair("LOG10_2 A", B, 1), pair("B", L - B)
pair("PI/2", pi / 2, 4)
pair("PI/4", pi / 4)
pair("PI", pi)
pair("2/PI", 2 / pi)
pair("PI^2/2", pi**2 / 2)
pair("2^(-1/3)", mpf(2) ** (mpf(-1) / 3)), pair("2^(-2/3)", mpf(2) ** (mpf(-2) / 3))

# 2/pi as 32-bit words after the binary point: exact integer arithmetic on 1400 bits of pi.
mp.prec = 1500
words = int(m.floor(2 / pi * mpf(2) ** (32 * 44)))
digits = [(words >> (32 * (43 - i))) & 0xFFFFFFFF for i in range(44)]
print("TWO_OVER_PI = [" + ", ".join(f"0x{w:08x}" for w in digits) + "]")
