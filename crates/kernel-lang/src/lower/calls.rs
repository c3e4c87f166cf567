//! Calls of kernels and of exact methods.

use super::types::add_reference;
use super::*;
use crate::builtins::{self, T};

impl Lower {
    pub(super) fn call(&mut self, c: &syn::ExprCall) -> Result<(Kind, Ty)> {
        let syn::Expr::Path(func) = &*c.func else {
            return err(c.func.span(), "only kernels can be called, by their path");
        };
        let path = &func.path;
        let args = self.exprs(&c.args)?;
        if builtins::is_builtin_path(path) {
            let ty = builtins::prim(&path.segments[0].ident.to_string()).expect("checked");
            let name = path.segments[1].ident.to_string();
            return match (&ty, name.as_str(), args.len()) {
                (&(Ty::F64 | Ty::F32), "from_bits", 1) => {
                    let bits = if ty == Ty::F64 { Ty::U64 } else { Ty::U32 };
                    self.same(&args[0].ty, &bits, args[0].span)?;
                    Ok((Kind::Method("from_bits", args), ty))
                }
                (_, "from", 1) => {
                    let arg = args.into_iter().next().expect("one");
                    if self.types.is_open(&arg.ty) {
                        return err(arg.span, "the type of this value is not known here: `let x: TYPE = ...`");
                    }
                    Ok((Kind::Cast(Box::new(arg)), ty))
                }
                _ => self.exact_method(&name, path.segments[1].ident.span(), ty, args),
            };
        }
        if path.is_ident(&self.name) && self.find(&self.name).is_none() {
            let span = path.segments[0].ident.span();
            return err(span, format!("`{}` calls itself: OpenCL has no recursion; write a loop", self.name));
        }
        if let Some(s) = path.segments.iter().find(|s| !s.arguments.is_none()) {
            return err(s.span(), "generic arguments are not part of the kernel language");
        }
        if let Some(environment) = self.environment.clone() {
            return self.known_call(&environment, path, args);
        }
        let index = add_reference(&mut self.references, path);
        args.iter().for_each(|arg| self.pass_field(arg));
        let ty = self.types.result_var(index);
        Ok((Kind::Call(index, args), ty))
    }

    /// A call of a kernel whose types are known.
    fn known_call(&mut self, environment: &Environment, path: &syn::Path, args: Vec<Expr>) -> Result<(Kind, Ty)> {
        let last = path.segments.last().expect("a path has a segment");
        let (name, span) = (last.ident.to_string(), last.ident.span());
        let (params, ret) = match environment.functions.get(&name) {
            Some(FunctionType::Entry) => return err(span, format!("`{name}` is an entry point: nothing calls it")),
            Some(FunctionType::Written(signature)) => {
                let mut params = vec![];
                for input in &signature.inputs {
                    let syn::FnArg::Typed(input) = input else {
                        return err(span, "a kernel is a free function: no `self`");
                    };
                    params.push(self.parse_type(&input.ty)?);
                }
                let ret = match &signature.output {
                    syn::ReturnType::Default => Ty::Unit,
                    syn::ReturnType::Type(_, ty) => self.parse_type(ty)?,
                };
                (params, ret)
            }
            None => match environment.externs.signature(&name) {
                Some(known) => known,
                None => {
                    let near = environment.did_you_mean(&name);
                    return err(span, format!("no kernel is called `{name}`{near}"));
                }
            },
        };
        if params.len() != args.len() {
            let (takes, given) = (params.len(), args.len());
            return err(span, format!("`{name}` takes {takes} argument(s), but {given} are given"));
        }
        for (k, (arg, param)) in args.iter().zip(&params).enumerate() {
            if !self.types.unify(&arg.ty, param) {
                let (given, wanted) = (self.types.resolve(&arg.ty).spell(), param.spell());
                return err(arg.span, format!("argument {} of `{name}` is `{given}`, but must be `{wanted}`", k + 1));
            }
        }
        let index = add_reference(&mut self.references, path);
        Ok((Kind::Call(index, args), ret))
    }

    pub(super) fn method_call(&mut self, m: &syn::ExprMethodCall) -> Result<(Kind, Ty)> {
        let receiver = self.expr(&m.receiver)?;
        let name = m.method.to_string();
        let mut ty = self.types.shallow(&receiver.ty);
        if let (Ty::Slice(..) | Ty::Array(..), "len") = (&ty, name.as_str()) {
            return Ok((Kind::Len(Box::new(receiver)), Ty::Usize));
        }
        if self.types.is_open(&ty) || self.types.is_float_var(&ty) {
            self.types.unify(&ty, &Ty::F64);
            ty = Ty::F64;
        }
        if self.types.is_int_var(&ty) {
            return err(
                receiver.span,
                format!("the integer type is not known here: write a suffix (`1u64.{name}(..)`)"),
            );
        }
        let mut args = vec![receiver];
        args.extend(self.exprs(&m.args)?);
        self.exact_method(&name, m.method.span(), ty, args)
    }

    pub(super) fn exact_method(&mut self, name: &str, span: Span, ty: Ty, args: Vec<Expr>) -> Result<(Kind, Ty)> {
        let Some((name, takes, gives)) = builtins::method(&ty, name) else {
            return match builtins::refused(&ty, name) {
                Some(way_out) => err(span, way_out),
                None => err(
                    span,
                    format!(
                        "`{}` has no method `{name}` in the kernel language (docs/kernel-language.md#methods)",
                        ty.spell()
                    ),
                ),
            };
        };
        if args.len() != takes.len() + 1 {
            return err(span, format!("`{name}` takes {} argument(s)", takes.len()));
        }
        let spell = |t: T| match t {
            T::S => ty.clone(),
            T::U32 => Ty::U32,
            T::Bits if ty == Ty::F32 => Ty::U32,
            T::Bits => Ty::U64,
            T::Bool => Ty::Bool,
        };
        self.same(&args[0].ty, &ty, args[0].span)?;
        for (arg, t) in args[1..].iter().zip(takes) {
            self.same(&arg.ty, &spell(*t), arg.span)?;
        }
        Ok((Kind::Method(name, args), spell(gives)))
    }
}
