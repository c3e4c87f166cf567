//! Expressions and numbers as R prints them: names of coefficients are made of these.

/// Whether R would print the name without backticks.
fn is_syntactic(name: &str) -> bool {
    let mut chars = name.chars();
    let starts = match chars.next() {
        Some('.') => !chars.clone().next().is_some_and(|c| c.is_ascii_digit()),
        Some(c) => c.is_alphabetic(),
        None => false,
    };
    starts && name.chars().all(|c| c.is_alphanumeric() || c == '.' || c == '_') && !RESERVED.contains(&name)
}

/// R's reserved words: a column of this name is written in backticks.
const RESERVED: &[&str] = &[
    "if", "else", "repeat", "while", "function", "for", "next", "break", "TRUE", "FALSE", "NULL", "Inf", "NaN", "NA",
    "in",
];

/// A name, in backticks where R needs them.
pub(super) fn name(name: &str) -> String {
    if is_syntactic(name) { name.to_string() } else { format!("`{name}`") }
}

/// A number with at most 15 significant digits, in the shorter of R's two notations; fixed if they are equally long.
pub(super) fn number(x: f64) -> String {
    if x.is_nan() {
        return "NaN".to_string();
    }
    if x.is_infinite() {
        return if x > 0.0 { "Inf" } else { "-Inf" }.to_string();
    }
    if x == 0.0 {
        return "0".to_string();
    }
    // `{:e}` rounds correctly: digits and exponent are those of the 15-digit decimal.
    let text = format!("{:.14e}", x.abs());
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let digits = digits.trim_end_matches('0');
    let sign = if x < 0.0 { "-" } else { "" };
    let fixed = if exponent < 0 {
        format!("0.{}{digits}", "0".repeat((-exponent - 1) as usize))
    } else if digits.len() <= exponent as usize + 1 {
        format!("{digits}{}", "0".repeat(exponent as usize + 1 - digits.len()))
    } else {
        format!("{}.{}", &digits[..=exponent as usize], &digits[exponent as usize + 1..])
    };
    let point = if digits.len() > 1 { "." } else { "" };
    let exponent_sign = if exponent < 0 { '-' } else { '+' };
    let scientific = format!("{}{point}{}e{exponent_sign}{:02}", &digits[..1], &digits[1..], exponent.abs());
    format!("{sign}{}", if fixed.len() <= scientific.len() { fixed } else { scientific })
}

/// An expression's text with the spaces, numbers and backticks that R's `deparse` gives it. The text is one that the
/// expression parser accepts.
pub(super) fn expression(source: &str) -> String {
    let mut out = String::new();
    // Whether an operand has just ended: a sign after one is an operator between two.
    let mut after_operand = false;
    let mut rest = source;
    while let Some(c) = rest.chars().next() {
        let length;
        if c.is_whitespace() {
            length = c.len_utf8();
        } else if c == '#' {
            length = rest.find('\n').unwrap_or(rest.len());
        } else if c == '`' {
            length = rest[1..].find('`').map_or(rest.len(), |i| i + 2);
            out.push_str(&name(rest[..length].trim_matches('`')));
            after_operand = true;
        } else if c == '"' || c == '\'' {
            length = rest[1..].find(c).map_or(rest.len(), |i| i + 2);
            out.push_str(&format!("\"{}\"", rest[..length].trim_matches(c)));
            after_operand = true;
        } else if c.is_ascii_digit() || (c == '.' && rest[1..].starts_with(|d: char| d.is_ascii_digit())) {
            length = number_length(rest);
            out.push_str(&number_text(&rest[..length]));
            after_operand = true;
        } else if c.is_alphanumeric() || c == '.' || c == '_' {
            length = rest.find(|c: char| !(c.is_alphanumeric() || c == '.' || c == '_')).unwrap_or(rest.len());
            out.push_str(&rest[..length]);
            after_operand = true;
        } else {
            let operator = OPERATORS.iter().find(|o| rest.starts_with(**o)).copied();
            length = operator.map_or(c.len_utf8(), str::len);
            match operator {
                Some("**") => out.push('^'),
                Some(o @ ("^" | "/" | "%%" | "%/%" | "(" | ")" | "!")) => out.push_str(o),
                Some(",") => out.push_str(", "),
                Some(o) if after_operand => {
                    out.push(' ');
                    out.push_str(o);
                    out.push(' ');
                }
                Some(o) => out.push_str(o),
                None => out.push(c),
            }
            after_operand = operator == Some(")");
        }
        rest = &rest[length..];
    }
    out
}

/// Longest first.
const OPERATORS: &[&str] = &[
    "%/%", "%%", "<=", ">=", "==", "!=", "&&", "||", "**", "+", "-", "*", "/", "^", "<", ">", "&", "|", "!", "(", ")",
    ",", "=",
];

/// The bytes of the number at the start, with the `L` of an integer.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut end = 0;
    while let Some(&b) = bytes.get(end) {
        let sign_of_exponent = matches!(b, b'+' | b'-')
            && matches!(bytes[end - 1], b'e' | b'E')
            && !(text.starts_with("0x") || text.starts_with("0X"));
        if b.is_ascii_alphanumeric() || b == b'.' || sign_of_exponent {
            end += 1;
        } else {
            break;
        }
    }
    end
}

fn number_text(text: &str) -> String {
    let (digits, integer) = match text.strip_suffix('L') {
        Some(digits) => (digits, "L"),
        None => (text, ""),
    };
    let value = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => u64::from_str_radix(hex, 16).ok().map(|n| n as f64),
        None => digits.parse().ok(),
    };
    value.map_or_else(|| text.to_string(), |v| format!("{}{integer}", number(v)))
}

#[cfg(test)]
mod tests {
    use super::*;

    // Each pair is what R 4.2.2 prints for `deparse(quote(...))`.
    #[test]
    fn expressions_are_written_as_r_deparses_them() {
        for (source, printed) in [
            ("I( x ^ 2 *3.0)", "I(x^2 * 3)"),
            ("log( x+1 )", "log(x + 1)"),
            ("I(-x)", "I(-x)"),
            ("I(a- -b)", "I(a - -b)"),
            ("I(x%%2)", "I(x%%2)"),
            ("I(x %/% 2)", "I(x%/%2)"),
            ("I(x<3)", "I(x < 3)"),
            ("I( x / 2 )", "I(x/2)"),
            ("I((x+1)*2)", "I((x + 1) * 2)"),
            ("I(!l)", "I(!l)"),
            ("pnorm(x,lower.tail=FALSE)", "pnorm(x, lower.tail = FALSE)"),
            ("I(1e-3*x)", "I(0.001 * x)"),
            ("I(100000*x)", "I(1e+05 * x)"),
            ("I(123456*x)", "I(123456 * x)"),
            ("I(2L*x)", "I(2L * x)"),
            ("I(0x10*x)", "I(16 * x)"),
            ("I(`my col`+`x`)", "I(`my col` + x)"),
            ("I(x**2)", "I(x^2)"),
            ("I(2^-1)", "I(2^-1)"),
            ("relevel( g,ref='b c')", "relevel(g, ref = \"b c\")"),
            ("ns(x,df=3)", "ns(x, df = 3)"),
            ("I(a&b|c)", "I(a & b | c)"),
        ] {
            assert_eq!(expression(source), printed, "{source}");
        }
    }

    #[test]
    fn numbers_are_written_as_r_writes_them() {
        for (x, printed) in [
            (0.1, "0.1"),
            (100000.0, "1e+05"),
            (123456.0, "123456"),
            (1e-4, "1e-04"),
            (0.0001234, "0.0001234"),
            (1.0 / 3.0, "0.333333333333333"),
            (-2.5, "-2.5"),
            (1e300, "1e+300"),
            (1e15, "1e+15"),
            (123456789012.0, "123456789012"),
            (0.0, "0"),
        ] {
            assert_eq!(number(x), printed, "{x}");
        }
    }
}
