//! Translations as files: each case in filetests/kernel is Rust source, `// run:` lines for the interpreter, and the expected
//! OpenCL C at its end; cases named `lanes_*` also have the expected code on lanes. `BLESS=1` writes the translations; read
//! them in review.

use gristmill_kernel_lang::emit_lanes;
use gristmill_kernel_lang::interp::{Module, Val};
use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use std::path::PathBuf;

const MARK: &str = "\n/* translation\n";

/// Emitted Rust, one statement a line.
#[derive(Default)]
struct Printer {
    out: String,
    depth: usize,
    /// The next token is glued to the last one.
    glued: bool,
}

impl Printer {
    fn line(&mut self) {
        self.out.truncate(self.out.trim_end_matches(' ').len());
        if !self.out.ends_with('\n') {
            self.out.push('\n');
        }
        self.out.push_str(&"    ".repeat(self.depth));
        self.glued = true;
    }

    fn word(&mut self, text: &str) {
        if !self.glued {
            self.out.push(' ');
        }
        self.out.push_str(text);
        self.glued = false;
    }

    fn tokens(&mut self, tokens: TokenStream) {
        let mut tokens = tokens.into_iter().peekable();
        let mut before = ' ';
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Group(g) if g.delimiter() == Delimiter::Brace && self.out.ends_with(" const") => {
                    self.word("{");
                    self.tokens(g.stream());
                    self.word("}");
                    before = '}';
                }
                TokenTree::Group(g) if g.delimiter() == Delimiter::Brace => {
                    self.word("{");
                    self.depth += 1;
                    self.line();
                    self.tokens(g.stream());
                    self.depth -= 1;
                    self.line();
                    self.out.push('}');
                    self.glued = false;
                    let goes_on = match tokens.peek() {
                        Some(TokenTree::Ident(i)) => i == "else",
                        Some(TokenTree::Punct(p)) => matches!(p.as_char(), ';' | ','),
                        _ => false,
                    };
                    if !goes_on && tokens.peek().is_some() {
                        self.line();
                    }
                    before = '}';
                }
                TokenTree::Group(g) => {
                    let (open, close) = if g.delimiter() == Delimiter::Bracket { ("[", "]") } else { ("(", ")") };
                    // A call, an index or an attribute; otherwise a tuple, an array or plain parentheses.
                    self.glued |= before.is_alphanumeric() || matches!(before, '_' | '>' | ')' | ']' | '#');
                    self.word(open);
                    self.glued = true;
                    self.tokens(g.stream());
                    self.glued = true;
                    self.word(close);
                    before = if open == "[" { ']' } else { ')' };
                }
                TokenTree::Punct(p) => {
                    let c = p.as_char();
                    match c {
                        ';' => {
                            self.glued = true;
                            self.word(";");
                            if tokens.peek().is_some() && self.out.rfind('\n') >= self.out.rfind('[') {
                                self.line();
                            }
                        }
                        ',' => {
                            self.glued = true;
                            self.word(",");
                        }
                        '.' | ':' | '<' | '>' | '!' | '&' | '#' | '?' if c != '>' || before != '=' => {
                            let operator = matches!(c, '<' | '>' | '&') && before == ' ';
                            self.glued |= !operator && !matches!(c, '!' | '&' | '#') || before == c;
                            self.word(&c.to_string());
                            self.glued = c != '>' || p.spacing() == Spacing::Joint;
                        }
                        _ => {
                            self.word(&c.to_string());
                            self.glued = p.spacing() == Spacing::Joint;
                        }
                    }
                    before = c;
                }
                other => {
                    let text = other.to_string();
                    self.word(&text);
                    before = text.chars().last().unwrap_or(' ');
                    if matches!(text.as_str(), "if" | "in" | "let" | "mut" | "return" | "as") {
                        before = ' ';
                    }
                }
            }
        }
    }
}

/// Every function of the module on lanes.
fn on_lanes(module: &Module) -> String {
    let mut out = String::new();
    for name in module.function_names() {
        let func = module.function(name).expect("named by the module");
        let mut printer = Printer { depth: 1, ..Printer::default() };
        printer.line();
        match emit_lanes(func).body {
            Some(body) => printer.tokens(body),
            None => printer.word("// lane by lane"),
        }
        // Without the paths that a reader knows.
        let mut body = printer.out.replace("gm_lanes::", "").replace("::gristmill_kernel::", "~");
        for (from, to) in
            [(")<=", ") <="), ("as~", "as "), (",<", ", <"), ("=<", "= <"), (":GmL", ": GmL"), (":(", ": ("), ("~", "")]
        {
            body = body.replace(from, to);
        }
        let shape = format!("{:?}", func.shape);
        let shape = if shape == "Plain" { String::new() } else { format!("    // {shape}\n") };
        out.push_str(&format!("{name}:\n{shape}{}\n", body.trim_start_matches('\n').trim_end()));
    }
    out
}

#[test]
fn every_case_translates_as_its_file_says_and_its_run_lines_hold() {
    let dir = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../filetests/kernel"));
    let bless = std::env::var_os("BLESS").is_some();
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(&dir).expect("the cases").map(|e| e.expect("readable").path()).collect();
    paths.sort();
    let mut problems = vec![];
    let mut cases = 0;
    for path in paths.iter().filter(|p| p.extension().is_some_and(|e| e == "rs")) {
        cases += 1;
        let name = path.file_name().and_then(|n| n.to_str()).expect("ASCII").to_string();
        let text = std::fs::read_to_string(path).expect("readable");
        let (source, expected) = match text.split_once(MARK) {
            Some((source, rest)) => (source.trim_end().to_string(), rest.trim_end_matches("*/\n").to_string()),
            None => (text.trim_end().to_string(), String::new()),
        };
        let module = Module::parse(&source).unwrap_or_else(|e| panic!("{name}: {e}"));
        let mut translation = module.to_c().unwrap_or_else(|e| panic!("{name}: {e}"));
        if name.starts_with("lanes_") {
            translation.push_str(&format!("*/\n\n/* on lanes\n{}", on_lanes(&module)));
        }
        if translation != expected {
            if bless {
                std::fs::write(path, format!("{source}\n{MARK}{translation}*/\n")).expect("writable");
            } else {
                problems.push(format!("{name}: the translation is now\n{translation}"));
            }
        }
        for (line, run) in source.lines().enumerate().filter_map(|(i, l)| Some((i + 1, l.strip_prefix("// run: ")?))) {
            let claim = format!("{source}\n#[kernel]\nfn claim() -> bool {{ {run} }}\n");
            let value = Module::parse(&claim)
                .map_err(|e| e.to_string())
                .and_then(|m| m.call("claim", vec![], 100_000).map_err(|e| e.to_string()));
            if value != Ok(Val::Bool(true)) {
                problems.push(format!("{name}:{line}: `{run}` is {value:?}"));
            }
        }
    }
    assert!(cases >= 15, "the cases are gone");
    assert!(problems.is_empty(), "{}", problems.join("\n\n"));
}
