//! What a compiled kernel takes: names, types and address spaces, asked of the driver or given by the macro.

use crate::constants::argument as cl;
use crate::element::ElementType;
use crate::raw;
use std::fmt;

/// What a kernel takes, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelSignature {
    /// The kernel's name.
    pub name: String,
    /// Its parameters.
    pub params: Vec<KernelParam>,
}

/// One parameter of a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelParam {
    /// Its name; empty if the driver does not know it.
    pub name: String,
    /// What may be given for it.
    pub kind: ParamKind,
    /// The type that a pointer points to, or of the value.
    pub ty: ParamType,
}

/// What may be given for a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParamKind {
    /// A number.
    Value,
    /// A buffer; `read_only` if it is declared `const`.
    Global {
        /// Declared `const`.
        read_only: bool,
    },
    /// A buffer in constant memory.
    Constant,
    /// A size of local memory.
    Local,
    /// The driver does not say.
    Unknown,
}

/// The type of a parameter, as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParamType {
    /// A number, or a vector of 2, 3, 4, 8 or 16 of them.
    Number {
        /// Of what.
        scalar: ElementType,
        /// How many; 1 for a plain number.
        lanes: u8,
    },
    /// A typedef or struct: checked by the driver only, by its size.
    Named(String),
}

impl ParamType {
    /// Reads a type as the driver prints it, without `*`.
    pub(crate) fn parse(text: &str) -> ParamType {
        let text = text.trim();
        let digits = text.trim_end_matches(|c: char| c.is_ascii_digit());
        let lanes = text[digits.len()..].parse().ok();
        match (ElementType::parse(text), ElementType::parse(digits), lanes) {
            (Some(scalar), _, _) => ParamType::Number { scalar, lanes: 1 },
            (None, Some(scalar), Some(lanes @ (2 | 3 | 4 | 8 | 16))) => ParamType::Number { scalar, lanes },
            _ => ParamType::Named(text.to_string()),
        }
    }

    /// The alignment that the compiler may assume, if known.
    pub(crate) fn alignment(&self) -> Option<usize> {
        match self {
            ParamType::Number { scalar, lanes } => Some(scalar.size() * usize::from(*lanes).next_power_of_two()),
            ParamType::Named(_) => None,
        }
    }
}

impl fmt::Display for ParamType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParamType::Number { scalar, lanes: 1 } => f.write_str(scalar.c_name()),
            ParamType::Number { scalar, lanes } => write!(f, "{}{lanes}", scalar.c_name()),
            ParamType::Named(name) => f.write_str(name),
        }
    }
}

impl fmt::Display for KernelParam {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            ParamKind::Value => write!(f, "{}", self.ty)?,
            ParamKind::Global { read_only: true } => write!(f, "__global const {}*", self.ty)?,
            ParamKind::Global { read_only: false } => write!(f, "__global {}*", self.ty)?,
            ParamKind::Constant => write!(f, "__constant {}*", self.ty)?,
            ParamKind::Local => write!(f, "__local {}*", self.ty)?,
            ParamKind::Unknown => write!(f, "(unknown)")?,
        }
        if self.name.is_empty() { Ok(()) } else { write!(f, " {}", self.name) }
    }
}

impl KernelParam {
    /// A number passed by value.
    pub fn value(name: &str, scalar: ElementType) -> KernelParam {
        KernelParam { name: name.into(), kind: ParamKind::Value, ty: ParamType::Number { scalar, lanes: 1 } }
    }

    /// A buffer that the kernel only reads.
    pub fn input(name: &str, scalar: ElementType) -> KernelParam {
        KernelParam {
            name: name.into(),
            kind: ParamKind::Global { read_only: true },
            ty: ParamType::Number { scalar, lanes: 1 },
        }
    }

    /// A buffer that the kernel writes.
    pub fn output(name: &str, scalar: ElementType) -> KernelParam {
        KernelParam {
            name: name.into(),
            kind: ParamKind::Global { read_only: false },
            ty: ParamType::Number { scalar, lanes: 1 },
        }
    }
}

impl KernelSignature {
    /// Asks the driver. What it does not know (a binary without argument information) stays [`ParamKind::Unknown`].
    pub(crate) fn of(kernel: &raw::Kernel, name: &str) -> crate::Result<KernelSignature> {
        let count = kernel.argument_count()?;
        let params = (0..count)
            .map(|i| {
                let unknown =
                    KernelParam { name: String::new(), kind: ParamKind::Unknown, ty: ParamType::Named(String::new()) };
                let Some(ty) = kernel.argument_text(i, cl::TYPE_NAME) else { return unknown };
                let Some(address) = kernel.argument_number(i, cl::ADDRESS_QUALIFIER) else {
                    return unknown;
                };
                // A qualifier of 8 bytes, of which `const` is bit 0.
                let qualifier = kernel.argument_number(i, cl::TYPE_QUALIFIER).unwrap_or(0);
                let pointer = ty.trim_end().ends_with('*');
                let kind = match address as u32 {
                    cl::ADDRESS_GLOBAL => ParamKind::Global { read_only: qualifier & cl::TYPE_CONST != 0 },
                    cl::ADDRESS_CONSTANT => ParamKind::Constant,
                    cl::ADDRESS_LOCAL => ParamKind::Local,
                    cl::ADDRESS_PRIVATE if !pointer => ParamKind::Value,
                    _ => ParamKind::Unknown,
                };
                let ty = ParamType::parse(ty.trim_end().trim_end_matches('*').trim_end().trim_start_matches("const "));
                KernelParam { name: kernel.argument_text(i, cl::NAME).unwrap_or_default(), kind, ty }
            })
            .collect();
        Ok(KernelSignature { name: name.to_string(), params })
    }
}

impl fmt::Display for KernelSignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let params: Vec<String> = self.params.iter().map(ToString::to_string).collect();
        write!(f, "{}({})", self.name, params.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_read_as_drivers_print_them() {
        let number = |scalar, lanes| ParamType::Number { scalar, lanes };
        for (text, ty) in [
            ("double", number(ElementType::F64, 1)),
            ("double4", number(ElementType::F64, 4)),
            ("unsigned long", number(ElementType::U64, 1)),
            ("uchar16", number(ElementType::U8, 16)),
            ("double5", ParamType::Named("double5".into())),
            ("struct point", ParamType::Named("struct point".into())),
        ] {
            assert_eq!(ParamType::parse(text), ty, "{text}");
        }
        assert_eq!(number(ElementType::F64, 3).alignment(), Some(32), "a double3 is aligned as a double4");
    }
}
