//! Tokens to a tree, with R's precedences.

use super::lexer::{Token, tokens};
use super::{Argument, BinaryOp, Expr, ExprError, ExprKind, Span, Statement, UnaryOp};

/// Brackets and operators nested deeper than this are refused, so that no input can exhaust the stack.
const DEEPEST: usize = 200;
/// A chain `a + b + c + …` is a tree as high as the chain is long: bounded for the same reason.
const MOST_OPERATORS: usize = 1000;

/// Parses `name = expression`, `name <- expression` or an expression alone.
pub fn parse(source: &str) -> Result<Statement, ExprError> {
    let mut parser = Parser::new(source)?;
    let name = match (parser.peek(), parser.peek_second()) {
        (Token::Name { text, .. }, Token::Symbol("=" | "<-")) => {
            let name = text.clone();
            parser.at += 2;
            Some(name)
        }
        _ => None,
    };
    let value = parser.whole()?;
    let name = name.unwrap_or_else(|| source[value.span.start..value.span.end].to_string());
    Ok(Statement { name, value, source: source.to_string() })
}

/// Parses a condition: an expression alone, in which `=` is a slip for `==`.
pub fn parse_condition(source: &str) -> Result<Statement, ExprError> {
    let parser = Parser::new(source)?;
    if let [(Token::Name { .. }, _), (Token::Symbol("=" | "<-"), at), ..] = parser.tokens[..] {
        return Err(ExprError::new(source, at, "a condition has no name").help("`==` compares"));
    }
    parse(source)
}

/// Parses an expression that stands alone.
pub fn parse_expression(source: &str) -> Result<Expr, ExprError> {
    Parser::new(source)?.whole()
}

struct Parser<'a> {
    source: &'a str,
    tokens: Vec<(Token, Span)>,
    at: usize,
    depth: usize,
    operators: usize,
}

/// The operator, how strongly it holds the operands on its left and on its right. As in R's `?Syntax`, weakest first.
fn binary(symbol: &str) -> Option<(BinaryOp, u8, u8)> {
    Some(match symbol {
        "|" | "||" => (BinaryOp::Or, 1, 2),
        "&" | "&&" => (BinaryOp::And, 3, 4),
        "==" => (BinaryOp::Equal, COMPARISON, COMPARISON + 1),
        "!=" => (BinaryOp::NotEqual, COMPARISON, COMPARISON + 1),
        "<" => (BinaryOp::Less, COMPARISON, COMPARISON + 1),
        "<=" => (BinaryOp::LessEqual, COMPARISON, COMPARISON + 1),
        ">" => (BinaryOp::Greater, COMPARISON, COMPARISON + 1),
        ">=" => (BinaryOp::GreaterEqual, COMPARISON, COMPARISON + 1),
        "+" => (BinaryOp::Add, 9, 10),
        "-" => (BinaryOp::Subtract, 9, 10),
        "*" => (BinaryOp::Multiply, 11, 12),
        "/" => (BinaryOp::Divide, 11, 12),
        "%%" => (BinaryOp::Modulo, 13, 14),
        "%/%" => (BinaryOp::FloorDivide, 13, 14),
        "%in%" => (BinaryOp::In, 13, 14),
        // To the right: 2^3^2 is 2^9. Its right operand may carry a sign: 2^-1.
        "^" | "**" => (BinaryOp::Power, 17, SIGN),
        _ => return None,
    })
}
const NOT: u8 = 5;
const COMPARISON: u8 = 7;
/// Between `^` and `%%`: -2^2 is -4, and -7 %% 3 is (-7) %% 3.
const SIGN: u8 = 15;

impl<'a> Parser<'a> {
    fn new(source: &'a str) -> Result<Parser<'a>, ExprError> {
        Ok(Parser { source, tokens: tokens(source)?, at: 0, depth: 0, operators: 0 })
    }

    fn peek(&self) -> &Token {
        &self.tokens[self.at].0
    }

    fn peek_second(&self) -> &Token {
        &self.tokens[(self.at + 1).min(self.tokens.len() - 1)].0
    }

    fn span(&self) -> Span {
        self.tokens[self.at].1
    }

    fn error<T>(&self, message: impl Into<String>) -> Result<T, ExprError> {
        Err(ExprError::new(self.source, self.span(), message))
    }

    /// What stands here, for messages.
    fn found(&self) -> String {
        match self.peek() {
            Token::End => "the end".to_string(),
            _ => format!("`{}`", &self.source[self.span().start..self.span().end]),
        }
    }

    fn take(&mut self, symbol: &str) -> bool {
        let here = matches!(self.peek(), Token::Symbol(s) if *s == symbol);
        self.at += usize::from(here);
        here
    }

    fn whole(mut self) -> Result<Expr, ExprError> {
        let value = self.expression(0)?;
        match self.peek() {
            Token::End => Ok(value),
            Token::Symbol("=" | "<-") => Err(ExprError::new(
                self.source,
                self.span(),
                format!("{} stands in the middle of an expression", self.found()),
            )
            .help("write `name = expression` to name a result, `==` to compare")),
            _ => Err(self.with_help(self.unexpected("an operator"))),
        }
    }

    fn unexpected(&self, expected: &str) -> ExprError {
        ExprError::new(self.source, self.span(), format!("expected {expected}, found {}", self.found()))
    }

    /// Says how the words of other languages are written, if one of them is what could not be read on.
    fn with_help(&self, error: ExprError) -> ExprError {
        let word = |token: &Token| match token {
            Token::Name { text, quoted: false } => text.to_lowercase(),
            _ => String::new(),
        };
        let is_if = |pair: &[(Token, Span)]| word(&pair[0].0) == "if" && pair[1].0 == Token::Symbol("(");
        match word(self.peek()).as_str() {
            "and" => error.help(format!("{} is written `&`", self.found())),
            "or" => error.help(format!("{} is written `|`", self.found())),
            _ if self.tokens[..=self.at].windows(2).any(is_if) => error.help("use `ifelse(test, yes, no)`"),
            _ => error,
        }
    }

    /// An expression whose operators all hold more strongly than `weakest`.
    fn expression(&mut self, weakest: u8) -> Result<Expr, ExprError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(ExprError::new(
                self.source,
                self.span(),
                format!("the expression is nested deeper than {DEEPEST}"),
            )
            .help("compute a part of it as a result of its own first"));
        }
        let mut left = self.operand()?;
        let mut compared = false;
        while let Token::Symbol(symbol) = *self.peek() {
            let Some((op, left_strength, right_strength)) = binary(symbol) else { break };
            if left_strength < weakest {
                break;
            }
            if left_strength == COMPARISON && compared {
                return Err(ExprError::new(self.source, self.span(), format!("`{symbol}` follows another comparison"))
                    .help("write `a < b & b < c`"));
            }
            compared = left_strength == COMPARISON;
            self.operators += 1;
            if self.operators > MOST_OPERATORS {
                return Err(ExprError::new(
                    self.source,
                    self.span(),
                    format!("the expression has more than {MOST_OPERATORS} operators"),
                )
                .help("compute a part of it as a result of its own first"));
            }
            self.at += 1;
            let right = self.expression(right_strength)?;
            let span = left.span.to(right.span);
            left = Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), span };
        }
        self.depth -= 1;
        Ok(left)
    }

    fn operand(&mut self) -> Result<Expr, ExprError> {
        let span = self.span();
        let kind = match self.peek().clone() {
            Token::Number(value) => ExprKind::Number(value),
            Token::Text(text) => ExprKind::Text(text),
            Token::Name { text, quoted } => {
                self.at += 1;
                let called = self.take("(");
                let kind = if called {
                    ExprKind::Call { function: text, function_span: span, arguments: self.arguments()? }
                } else {
                    keyword(&text).filter(|_| !quoted).unwrap_or(ExprKind::Name(text))
                };
                let end = self.tokens[self.at - 1].1;
                return Ok(Expr { kind, span: span.to(end) });
            }
            Token::Symbol("(") => {
                self.at += 1;
                let inner = self.expression(0)?;
                if !self.take(")") {
                    let help = format!("the bracket opened at character {} is not closed", span.start + 1);
                    return Err(self.with_help(self.unexpected("`)`").help(help)));
                }
                return Ok(Expr { kind: inner.kind, span: span.to(self.tokens[self.at - 1].1) });
            }
            Token::Symbol(symbol @ ("-" | "+" | "!")) => {
                self.at += 1;
                let (op, strength) = match symbol {
                    "-" => (UnaryOp::Negate, SIGN),
                    "+" => (UnaryOp::Plus, SIGN),
                    _ => (UnaryOp::Not, NOT),
                };
                let inner = self.expression(strength)?;
                let span = span.to(inner.span);
                return Ok(Expr { kind: ExprKind::Unary(op, Box::new(inner)), span });
            }
            Token::Symbol(_) | Token::End => {
                return self.error(format!("expected a number, a column or a call, found {}", self.found()));
            }
        };
        self.at += 1;
        Ok(Expr { kind, span })
    }

    /// What stands between the brackets of a call; the opening one is taken already.
    fn arguments(&mut self) -> Result<Vec<Argument>, ExprError> {
        let mut arguments = Vec::new();
        if self.take(")") {
            return Ok(arguments);
        }
        loop {
            let name = match (self.peek(), self.peek_second()) {
                (Token::Name { text, .. }, Token::Symbol("=")) => {
                    let name = (text.clone(), self.span());
                    self.at += 2;
                    Some(name)
                }
                _ => None,
            };
            arguments.push(Argument { name, value: self.expression(0)? });
            if self.take(")") {
                return Ok(arguments);
            }
            if !self.take(",") {
                return Err(self.with_help(self.unexpected("`,` or `)` in the arguments of a call")));
            }
        }
    }
}

fn keyword(name: &str) -> Option<ExprKind> {
    Some(match name {
        "TRUE" | "T" => ExprKind::Bool(true),
        "FALSE" | "F" => ExprKind::Bool(false),
        "NA" | "NA_real_" => ExprKind::Missing,
        "NaN" => ExprKind::Number(f64::NAN),
        "Inf" => ExprKind::Number(f64::INFINITY),
        "pi" => ExprKind::Number(std::f64::consts::PI),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every bracket that the tree implies, written out.
    fn explicit(expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Number(x) => format!("{x}"),
            ExprKind::Bool(b) => if *b { "TRUE" } else { "FALSE" }.to_string(),
            ExprKind::Missing => "NA".to_string(),
            ExprKind::Text(text) => format!("{text:?}"),
            ExprKind::Name(name) => name.clone(),
            ExprKind::Call { function, arguments, .. } => {
                let arguments: Vec<String> = arguments
                    .iter()
                    .map(|a| match &a.name {
                        Some((name, _)) => format!("{name} = {}", explicit(&a.value)),
                        None => explicit(&a.value),
                    })
                    .collect();
                format!("{function}({})", arguments.join(", "))
            }
            ExprKind::Unary(op, inner) => {
                let symbol = match op {
                    UnaryOp::Negate => "-",
                    UnaryOp::Plus => "+",
                    UnaryOp::Not => "!",
                };
                format!("({symbol}{})", explicit(inner))
            }
            ExprKind::Binary(op, a, b) => format!("({} {} {})", explicit(a), op.symbol(), explicit(b)),
        }
    }

    #[track_caller]
    fn reads_as(source: &str, brackets: &str) {
        let expr = parse_expression(source).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(explicit(&expr), brackets, "{source}");
    }

    #[test]
    fn precedences_are_those_of_r() {
        reads_as("-2^2", "(-(2 ^ 2))");
        reads_as("2^3^2", "(2 ^ (3 ^ 2))");
        reads_as("2^-1^2", "(2 ^ (-(1 ^ 2)))");
        reads_as("-7 %% 3", "((-7) %% 3)");
        reads_as("a * b %% c", "(a * (b %% c))");
        reads_as("a %/% b * c", "((a %/% b) * c)");
        reads_as("a - b - c", "((a - b) - c)");
        reads_as("a / b / c", "((a / b) / c)");
        reads_as("!a == b", "(!(a == b))");
        reads_as("!a & b", "((!a) & b)");
        reads_as("a & !b | c", "((a & (!b)) | c)");
        reads_as("a | b & c", "(a | (b & c))");
        reads_as("a && b || c", "((a & b) | c)");
        reads_as("a + b < c * d", "((a + b) < (c * d))");
        reads_as("- - x", "(-(-x))");
        reads_as("2 ** 3", "(2 ^ 3)");
        reads_as("(a + b) * c", "((a + b) * c)");
    }

    #[test]
    fn numbers_names_and_calls_are_read_as_in_r() {
        reads_as("0x1F + 10L + .5 + 1e-3", "(((31 + 10) + 0.5) + 0.001)");
        reads_as("`my column` + T", "(my column + TRUE)");
        reads_as("`T`", "T");
        reads_as("pnorm(x, lower.tail = FALSE)", "pnorm(x, lower.tail = FALSE)");
        reads_as("f()", "f()");
        reads_as("a # the rest is a comment", "a");
        reads_as("größe * 2", "(größe * 2)");
        reads_as("NA + Inf", "(NA + inf)");
        reads_as(r#"sex == "m" | x %in% c('a "b"', "\"c\n")"#, r#"((sex == "m") | (x %in% c("a \"b\"", "\"c\n")))"#);
        reads_as("a + b %in% c(1, 2) * 2", "(a + ((b %in% c(1, 2)) * 2))");
    }

    #[test]
    fn a_statement_has_the_given_name_or_its_text() {
        let name = |source| parse(source).unwrap().name;
        assert_eq!(name("z = (x - m) / s"), "z");
        assert_eq!(name("z <- x"), "z");
        assert_eq!(name("`a b` = x"), "a b");
        assert_eq!(name(" dnorm(x) "), "dnorm(x)");
        assert_eq!(name("x == y"), "x == y");
    }

    #[test]
    fn wrong_text_is_an_error_at_the_right_place() {
        let shown = |source: &str| parse(source).unwrap_err().to_string();
        assert_eq!(shown("1 + "), "expected a number, a column or a call, found the end\n  1 + \n      ^");
        assert_eq!(shown("a b"), "expected an operator, found `b`\n  a b\n    ^");
        assert!(shown("(a + b").contains("the bracket opened at character 1 is not closed"));
        assert!(shown("f(a b)").contains("expected `,` or `)`"));
        assert!(shown("a > 2 and b < 3").contains("help: `and` is written `&`"));
        assert!(shown("sum(a OR b)").contains("help: `OR` is written `|`"));
        assert!(shown("1 + (if (a) 1 else 0)").contains("help: use `ifelse(test, yes, no)`"));
        assert!(shown("2x").contains("`2x` is not a number"));
        assert!(shown("a < b < c").contains("a < b & b < c"));
        assert!(shown("a + b = c").contains("`==` to compare"));
        assert!(shown("x[1]").contains("columns are used by their name only"));
        assert!(shown("`abc").contains("a backtick is open"));
        assert!(shown("").contains("found the end"));
        assert!(shown("'a").contains("a quote is open to the end"));
    }

    #[test]
    fn deep_nesting_is_refused_and_not_a_crash() {
        let brackets = "(".repeat(100_000);
        assert!(parse(&brackets).unwrap_err().message.contains("nested deeper than 200"));
        let minus = "-".repeat(100_000);
        assert!(parse(&minus).unwrap_err().message.contains("nested deeper than 200"));
        let tower = "2^".repeat(100_000) + "1";
        assert!(parse(&tower).unwrap_err().message.contains("nested deeper than 200"));
        let chain = "1+".repeat(100_000) + "1";
        assert!(parse(&chain).unwrap_err().message.contains("more than 1000 operators"));
        assert!(parse(&("1+".repeat(1000) + "1")).is_ok());
    }
}
