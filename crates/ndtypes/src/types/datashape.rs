//! The text form of types: reading and printing.
//!
//! ```text
//! type   = { dim "*" } dtype
//! dim    = INTEGER | "strided" | "var"
//! dtype  = SCALAR | "unaligned" "[" SCALAR "]" | "byteswap" "[" SCALAR "]" | "pointer" "[" type "]"
//!        | "bytes" "[" INTEGER [ "," "align" "=" INTEGER ] "]" | "{" field { "," field } [ "," ] "}"
//! field  = NAME ":" type            NAME = identifier, or any text in single quotes with \' and \\
//! ```
//! `pointer<T>` is read, too. White space between tokens does not matter.

use std::fmt;
use std::str::FromStr;

use super::{Field, MAX_DEPTH, Primitive, Type};
use crate::error::{Error, Result};

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Primitive(s) => write!(f, "{s}"),
            Type::Unaligned(s) => write!(f, "unaligned[{s}]"),
            Type::Swapped(s) => write!(f, "byteswap[{s}]"),
            Type::Bytes(b) if b.align() == 1 => write!(f, "bytes[{}]", b.size()),
            Type::Bytes(b) => write!(f, "bytes[{}, align={}]", b.size(), b.align()),
            Type::Pointer(target) => write!(f, "pointer[{}]", **target),
            Type::Struct(s) => {
                f.write_str("{")?;
                for (i, field) in s.fields().iter().enumerate() {
                    if i > 0 {
                        f.write_str(", ")?;
                    }
                    print_name(&field.name, f)?;
                    write!(f, ": {}", field.ty)?;
                }
                f.write_str("}")
            }
            Type::Fixed(size, e) => write!(f, "{size} * {}", **e),
            Type::Strided(e) => write!(f, "strided * {}", **e),
            Type::Var(e) => write!(f, "var * {}", **e),
        }
    }
}

fn is_identifier(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

fn print_name(name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if is_identifier(name) {
        return f.write_str(name);
    }
    write!(f, "'{}'", name.replace('\\', r"\\").replace('\'', r"\'"))
}

impl FromStr for Type {
    type Err = Error;

    fn from_str(text: &str) -> Result<Type> {
        let mut parser = Parser { text, at: 0 };
        let ty = parser.parse_type(0)?;
        parser.skip_space();
        if parser.at < text.len() {
            return Err(parser.unexpected(if matches!(ty, Type::Primitive(_)) {
                "the end of the text"
            } else {
                "the end"
            }));
        }
        Ok(ty)
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn skip_space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    fn unexpected(&self, expected: &str) -> Error {
        let found = match self.rest().chars().next() {
            None => "the end of the text".to_owned(),
            Some(_) if !self.word().is_empty() => format!("`{}`", self.word()),
            Some(c) => format!("`{c}`"),
        };
        self.error_at(self.at, found, expected)
    }

    fn error_at(&self, position: usize, found: String, expected: &str) -> Error {
        Error::Parse { text: self.text.to_owned(), position, found, expected: expected.to_owned() }
    }

    /// The letters, digits and underscores that come next.
    fn word(&self) -> &'a str {
        let rest = self.rest();
        &rest[..rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len())]
    }

    fn take_word(&mut self) -> &'a str {
        let word = self.word();
        self.at += word.len();
        word
    }

    /// Takes this punctuation if it comes next.
    fn accept(&mut self, token: char) -> bool {
        self.skip_space();
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len_utf8();
        }
        found
    }

    fn expect(&mut self, token: char) -> Result<()> {
        if self.accept(token) { Ok(()) } else { Err(self.unexpected(&format!("`{token}`"))) }
    }

    fn integer(&mut self, what: &str) -> Result<usize> {
        self.skip_space();
        let word = self.word();
        if word.is_empty() || !word.bytes().all(|b| b.is_ascii_digit()) {
            return Err(self.unexpected(what));
        }
        let value: usize = word.parse().map_err(|_| self.unexpected(&format!("{what} of at most {}", isize::MAX)))?;
        self.at += word.len();
        Ok(value)
    }

    /// Turns an error of a constructor into one that says where.
    fn built(&self, start: usize, result: Result<Type>) -> Result<Type> {
        result.map_err(|error| match error {
            Error::Type(reason) => {
                let found = format!("`{}` ({reason})", self.text[start..self.at].trim());
                self.error_at(start, found, "a type that can exist")
            }
            other => other,
        })
    }

    fn parse_type(&mut self, depth: usize) -> Result<Type> {
        const DTYPE: &str = "a type: a size, `strided`, `var`, a scalar such as `float64`, `bytes[n]`, `pointer[type]`, \
                             `unaligned[scalar]`, `byteswap[scalar]` or `{name: type}`";
        self.skip_space();
        let start = self.at;
        if depth >= MAX_DEPTH {
            return Err(self.error_at(start, "another level".into(), &format!("at most {MAX_DEPTH} levels")));
        }
        if self.accept('{') {
            return self.parse_struct(start, depth);
        }
        let word = self.take_word();
        if word.starts_with(|c: char| c.is_ascii_digit()) || word == "strided" || word == "var" {
            self.at = start;
            let size = match word {
                "strided" | "var" => {
                    self.at += word.len();
                    0
                }
                _ => self.integer("a dimension size")?,
            };
            self.expect('*')?;
            let element = self.parse_type(depth + 1)?;
            let ty = match word {
                "strided" => Type::strided(element),
                "var" => Type::var(element),
                _ => Type::fixed(size, element),
            };
            return self.built(start, ty);
        }
        match word {
            "complex" => {
                let (start_part, part) = self.bracketed_word()?;
                let name = format!("complex[{part}]");
                let name = name.replace("[f32]", "[float32]").replace("[f64]", "[float64]");
                Primitive::parse(&name)
                    .map(Type::Primitive)
                    .ok_or_else(|| self.error_at(start_part, format!("`{part}`"), "`float32` or `float64`"))
            }
            "unaligned" | "byteswap" => {
                self.expect('[')?;
                let start_scalar = self.at;
                let Type::Primitive(scalar) = self.parse_type(depth + 1)? else {
                    let found = format!("`{}`", self.text[start_scalar..self.at].trim());
                    return Err(self.error_at(start_scalar, found, "a scalar type"));
                };
                self.expect(']')?;
                Ok(if word == "unaligned" { Type::Unaligned(scalar) } else { Type::Swapped(scalar) })
            }
            "pointer" => {
                let close = if self.accept('<') {
                    '>'
                } else {
                    self.expect('[')?;
                    ']'
                };
                let target = self.parse_type(depth + 1)?;
                self.expect(close)?;
                self.built(start, Type::pointer(target))
            }
            "bytes" => {
                self.expect('[')?;
                let size = self.integer("a number of bytes")?;
                let mut align = 1;
                if self.accept(',') {
                    self.skip_space();
                    if self.word() != "align" {
                        return Err(self.unexpected("`align=`"));
                    }
                    self.at += "align".len();
                    self.expect('=')?;
                    align = self.integer("an alignment")?;
                }
                self.expect(']')?;
                self.built(start, Type::bytes(size, align))
            }
            _ => Primitive::parse(word).map(Type::Primitive).ok_or_else(|| {
                self.at = start;
                self.unexpected(DTYPE)
            }),
        }
    }

    fn bracketed_word(&mut self) -> Result<(usize, &'a str)> {
        self.expect('[')?;
        self.skip_space();
        let start = self.at;
        let word = self.take_word();
        self.expect(']')?;
        Ok((start, word))
    }

    fn parse_struct(&mut self, start: usize, depth: usize) -> Result<Type> {
        let mut fields = Vec::new();
        loop {
            let name = self.parse_name()?;
            self.expect(':')?;
            let ty = self.parse_type(depth + 1)?;
            fields.push(Field { name, ty });
            let more = self.accept(',');
            if self.accept('}') {
                break;
            }
            if !more {
                return Err(self.unexpected("`,` or `}`"));
            }
        }
        self.built(start, Type::structure(fields))
    }

    fn parse_name(&mut self) -> Result<String> {
        self.skip_space();
        if !self.rest().starts_with('\'') {
            if !is_identifier(self.word()) {
                return Err(self.unexpected("a field name"));
            }
            return Ok(self.take_word().to_owned());
        }
        let start = self.at;
        self.at += 1;
        let mut name = String::new();
        let mut chars = self.rest().char_indices();
        while let Some((i, c)) = chars.next() {
            match c {
                '\'' => {
                    self.at += i + 1;
                    return Ok(name);
                }
                '\\' => name.extend(chars.next().map(|(_, escaped)| escaped)),
                _ => name.push(c),
            }
        }
        Err(self.error_at(start, "a quoted name without its end".into(), "`'`"))
    }
}
