//! Writes include/gristmill_ckernel.h from the Rust source; with `--check` it compares instead.

use gristmill_ckernel::type_id;
use std::collections::HashMap;
use std::path::Path;
use std::process::ExitCode;

/// Rust's names and C's: the C names are those of the documents that the interface comes from.
const NAMES: &[(&str, &str)] = &[
    ("ABI_VERSION", "CKERNEL_ABI_VERSION"),
    ("BUILTIN_TYPE_LIMIT", "CKERNEL_BUILTIN_TYPE_LIMIT"),
    ("Byte", "char"),
    ("CKernelPrefix", "ckernel_prefix"),
    ("CKernelDestructor", "ckernel_destructor_t"),
    ("CKernelBuilder", "ckernel_builder"),
    ("CKernelType", "ckernel_type"),
    ("CKernelError", "ckernel_error"),
    ("DeferredCKernel", "deferred_ckernel"),
    ("UnarySingle", "unary_single_operation_t"),
    ("UnaryStrided", "unary_strided_operation_t"),
    ("ExprSingle", "expr_single_operation_t"),
    ("ExprStrided", "expr_strided_operation_t"),
    ("BinaryPredicate", "binary_single_predicate_t"),
    ("InstantiateFn", "instantiate_fn_t"),
    ("KernelRequest", "kernel_request"),
    ("FuncProto", "kernel_funcproto"),
    ("ErrorKind", "ckernel_error_kind"),
];

const HEADER: &str = "\
/* Gristmill's ckernel ABI: kernels as movable blocks of memory, their builder, deferred kernels.
 * The rules, the layouts and examples are in docs/ckernel-abi.md.
 * Generated from crates/ckernel/src by `cargo xtask generate`: change it there.
 * SPDX-License-Identifier: MIT OR Apache-2.0 */";

const DEFINITIONS: &str = "
/** The element of an error that belongs to no element. */
#define CKERNEL_NO_ELEMENT SIZE_MAX

/** The names of kernel_funcproto in the document that introduced deferred kernels. */
#define unary_operation_funcproto_id kernel_funcproto_unary
#define expr_operation_funcproto_id kernel_funcproto_expr
#define binary_predicate_funcproto_id kernel_funcproto_predicate

/**
 * A data type, seen through a pointer only. A pointer whose value is less than CKERNEL_BUILTIN_TYPE_LIMIT is the id
 * of a builtin type, as in `(const ckernel_type *)int32_type_id`.
 */
typedef struct ckernel_type ckernel_type;

/** The ids of the builtin types. */
enum builtin_type_id {
";

fn config() -> cbindgen::Config {
    let rename: HashMap<String, String> = NAMES.iter().map(|(rust, c)| (rust.to_string(), c.to_string())).collect();
    let strings = |names: &[&str]| names.iter().map(|s| s.to_string()).collect::<Vec<_>>();
    cbindgen::Config {
        language: cbindgen::Language::C,
        header: Some(HEADER.to_owned()),
        include_guard: Some("GRISTMILL_CKERNEL_H".to_owned()),
        no_includes: true,
        sys_includes: strings(&["stddef.h", "stdint.h"]),
        after_includes: Some(definitions()),
        cpp_compat: true,
        usize_is_size_t: true,
        documentation_style: cbindgen::DocumentationStyle::Doxy,
        line_length: 110,
        style: cbindgen::Style::Both,
        export: cbindgen::ExportConfig {
            rename,
            include: strings(&[
                "CKernelDestructor",
                "InstantiateFn",
                "UnarySingle",
                "UnaryStrided",
                "ExprSingle",
                "ExprStrided",
                "BinaryPredicate",
                "KernelRequest",
                "FuncProto",
                "ErrorKind",
            ]),
            exclude: type_id_constants()
                .chain(["Byte", "CKernelType", "INLINE_CAPACITY", "MESSAGE_CAPACITY", "NO_ELEMENT"].map(str::to_owned))
                .collect(),
            ..Default::default()
        },
        enumeration: cbindgen::EnumConfig {
            prefix_with_name: true,
            rename_variants: cbindgen::RenameRule::SnakeCase,
            ..Default::default()
        },
        ..Default::default()
    }
}

/// The constants of `type_id`, which become an enum instead.
fn type_id_constants() -> impl Iterator<Item = String> {
    (0..=type_id::VOID).map(|id| c_name(id).to_uppercase())
}

fn c_name(id: usize) -> String {
    type_id::name(id).replace('[', "_").replace(']', "")
}

/// What has no Rust item of its own. The ids come from the library's own table.
fn definitions() -> String {
    let mut text = DEFINITIONS.to_owned();
    for id in 0..=type_id::VOID {
        text += &format!("  {}_type_id = {id},\n", c_name(id));
    }
    text + "};"
}

/// Makes the text read as C: no links, no Rust paths, `self` without the underscore.
fn polish(text: &str) -> String {
    let mut text = text.replace("ptrdiff_t", "intptr_t").replace("# Safety", "Rules:");
    for end in [')', ',', '`', ' '] {
        text = text.replace(&format!("self_{end}"), &format!("self{end}"));
    }
    while let Some(start) = text.find("[`") {
        let Some(length) = text[start..].find("`]") else { break };
        let mut end = start + length + 2;
        if text[end..].starts_with('(') {
            end += text[end..].find(')').map_or(0, |n| n + 1);
        }
        let path = &text[start + 2..start + length];
        let name = path.rsplit("::").next().unwrap_or(path);
        let name = NAMES.iter().find(|(rust, _)| *rust == name).map_or(name, |(_, c)| c);
        text.replace_range(start..end, &format!("`{name}`"));
    }
    let mut lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.dedup_by(|line, before| line.is_empty() && before.is_empty());
    lines.join("\n") + "\n"
}

fn main() -> ExitCode {
    let crate_dir = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = crate_dir.join("include/gristmill_ckernel.h");
    let mut builder = cbindgen::Builder::new().with_config(config());
    for file in ["abi", "builder", "error", "scratch", "capi"] {
        builder = builder.with_src(crate_dir.join(format!("src/{file}.rs")));
    }
    let bindings = match builder.generate() {
        Ok(bindings) => bindings,
        Err(error) => {
            eprintln!("error: could not read the interface from crates/ckernel/src: {error}");
            return ExitCode::from(2);
        }
    };
    let mut bytes = Vec::new();
    bindings.write(&mut bytes);
    let text = polish(&String::from_utf8_lossy(&bytes));
    let current = std::fs::read_to_string(&path).unwrap_or_default();
    if text == current {
        return ExitCode::SUCCESS;
    }
    if std::env::args().any(|arg| arg == "--check") {
        eprintln!("error: crates/ckernel/include/gristmill_ckernel.h is not current; run `cargo xtask generate`");
        return ExitCode::FAILURE;
    }
    if let Err(error) = std::fs::write(&path, text) {
        eprintln!("error: could not write {}: {error}", path.display());
        return ExitCode::from(2);
    }
    ExitCode::SUCCESS
}
