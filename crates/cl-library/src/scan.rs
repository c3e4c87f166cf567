//! What a sequence of tokens defines, declares and calls.

use crate::builtins;
use crate::lexer::TokenKind;
use crate::preprocess::Position;
use std::collections::HashSet;

/// A token as the scanner needs it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Word<'a> {
    pub(crate) kind: TokenKind,
    pub(crate) text: &'a str,
    pub(crate) position: Position,
    pub(crate) via: Option<&'a str>,
}

/// A call in a function's body.
#[derive(Debug, Clone)]
pub(crate) struct Call<'a> {
    pub(crate) name: &'a str,
    pub(crate) position: Position,
    pub(crate) via: Option<&'a str>,
    /// The number of the token, to compare with where a name is declared.
    pub(crate) at: usize,
    /// What stands between the commas.
    pub(crate) arguments: Vec<std::ops::Range<usize>>,
}

/// Where a pointer points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Space {
    Global,
    Local,
    Constant,
    /// Also where no space is named: OpenCL C 1.2, 6.5.
    Private,
}

impl Space {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Global => "__global",
            Self::Local => "__local",
            Self::Constant => "__constant",
            Self::Private => "__private",
        }
    }
}

/// A parameter of a function.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Parameter<'a> {
    pub(crate) name: Option<&'a str>,
    /// Where it points, if it is visibly a pointer to something that is no pointer.
    pub(crate) space: Option<Space>,
}

/// A function with a body.
#[derive(Debug, Clone)]
pub(crate) struct FunctionDefinition<'a> {
    pub(crate) name: &'a str,
    pub(crate) position: Position,
    pub(crate) at: usize,
    /// Tokens from the head to the closing brace.
    pub(crate) tokens: std::ops::Range<usize>,
    pub(crate) is_kernel: bool,
    pub(crate) is_static: bool,
    pub(crate) is_overloadable: bool,
    /// Nothing if it cannot be told how many there are.
    pub(crate) parameters: Option<Vec<Parameter<'a>>>,
    pub(crate) calls: Vec<Call<'a>>,
}

/// A name that is declared or defined without a body.
#[derive(Debug, Clone)]
pub(crate) struct Declared<'a> {
    pub(crate) name: &'a str,
    pub(crate) position: Position,
    pub(crate) at: usize,
    /// Of a function: nothing if it cannot be told how many there are.
    pub(crate) parameters: Option<Vec<Parameter<'a>>>,
}

impl<'a> Declared<'a> {
    fn new(words: &[Word<'a>], at: usize) -> Self {
        Self { name: words[at].text, position: words[at].position, at, parameters: None }
    }
}

/// What a text consists of.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scan<'a> {
    pub(crate) functions: Vec<FunctionDefinition<'a>>,
    pub(crate) prototypes: Vec<Declared<'a>>,
    /// File-scope variables with a value.
    pub(crate) variables: Vec<Declared<'a>>,
    pub(crate) typedefs: Vec<Declared<'a>>,
    /// `extern` variables that are not in constant memory.
    pub(crate) externs: Vec<Declared<'a>>,
}

/// Finds definitions, declarations and calls. Never fails: what it does not understand, it skips.
pub(crate) fn scan<'a>(words: &[Word<'a>]) -> Scan<'a> {
    let mut scan = Scan::default();
    let mut typedefs: HashSet<&str> = HashSet::new();
    let is = |at: usize, text: &str| words.get(at).is_some_and(|w| w.text == text);
    let (mut at, mut head) = (0, 0);
    while at < words.len() {
        let word = words[at];
        match word.text {
            ";" | "}" => {
                let declaration = &words[head..at];
                let says = |text: &str| declaration.iter().any(|w| w.text == text);
                if says("extern") && !says("__constant") && !says("constant") && !says("(") {
                    let name = (head..at).rev().find(|i| {
                        words[*i].kind == TokenKind::Identifier
                            && is_callable(words[*i].text)
                            && !inside_brackets(declaration, i - head)
                    });
                    scan.externs.extend(name.map(|name| Declared::new(words, name)));
                }
                at += 1;
                head = at;
            }
            "{" => at = matching(words, at),
            "typedef" => {
                let end = end_of_declaration(words, at);
                if let Some(name) = typedef_name(&words[at..end]) {
                    typedefs.insert(words[at + name].text);
                    scan.typedefs.push(Declared::new(words, at + name));
                }
                at = end + 1;
                head = at;
            }
            "=" => {
                if let Some(name) = variable_name(words, head, at) {
                    scan.variables.push(Declared::new(words, name));
                }
                at = end_of_declaration(words, at) + 1;
                head = at;
            }
            "__attribute__" | "__attribute" | "attribute" | "__declspec" if is(at + 1, "(") => {
                at = matching(words, at + 1)
            }
            name if word.kind == TokenKind::Identifier && is(at + 1, "(") && is_callable(name) => {
                let mut after = matching(words, at + 1);
                while words.get(after).is_some_and(|w| w.text.starts_with("__attribute")) && is(after + 1, "(") {
                    after = matching(words, after + 1);
                }
                if is(after, "{") {
                    let end = matching(words, after);
                    let in_head = |text: &str| words[head..at].iter().any(|w| w.text == text);
                    scan.functions.push(FunctionDefinition {
                        name,
                        position: word.position,
                        at,
                        tokens: head..end,
                        is_kernel: in_head("__kernel") || in_head("kernel"),
                        is_static: in_head("static"),
                        is_overloadable: words[head..after]
                            .iter()
                            .any(|w| matches!(w.text, "overloadable" | "__overloadable__")),
                        parameters: parameters(words, at + 1),
                        calls: calls(words, after..end, &typedefs),
                    });
                    at = end;
                    head = at;
                } else {
                    if (is(after, ";") || is(after, ",")) && at > head {
                        let parameters = parameters(words, at + 1);
                        scan.prototypes.push(Declared { parameters, ..Declared::new(words, at) });
                    }
                    at = after.max(at + 1);
                }
            }
            _ => at += 1,
        }
    }
    scan
}

/// The calls in a range of tokens. One pass: calls may be nested by the ten thousand.
fn calls<'a>(words: &[Word<'a>], range: std::ops::Range<usize>, typedefs: &HashSet<&str>) -> Vec<Call<'a>> {
    let mut calls: Vec<Call<'a>> = Vec::new();
    // The brackets that are open: the call to which they belong, and where its present argument starts.
    let mut open: Vec<(Option<usize>, usize)> = Vec::new();
    let mut next_bracket = None;
    let mut at = range.start;
    while at < range.end {
        let word = words[at];
        let before_bracket = at + 1 < range.end && words[at + 1].text == "(";
        if word.text.starts_with("__attribute") && before_bracket {
            at = matching(words, at + 1);
            continue;
        }
        match word.text {
            "(" | "{" | "[" => open.push((next_bracket.take(), at + 1)),
            ")" | "}" | "]" => {
                if let Some((Some(call), start)) = open.pop() {
                    let arguments = &mut calls[call].arguments;
                    // Nothing between empty brackets.
                    if at > start || !arguments.is_empty() {
                        arguments.push(start..at);
                    }
                }
            }
            "," => {
                if let Some((Some(call), start)) = open.last_mut() {
                    calls[*call].arguments.push(*start..at);
                    *start = at + 1;
                }
            }
            _ => {}
        }
        let called = word.kind == TokenKind::Identifier
            && before_bracket
            && is_callable(word.text)
            && !typedefs.contains(word.text);
        if called && !is_declared_here(words, at, range.start) {
            next_bracket = Some(calls.len());
            calls.push(Call { name: word.text, position: word.position, via: word.via, at, arguments: Vec::new() });
        }
        at += 1;
    }
    calls
}

/// What stands between the commas of the brackets that open at `open`; nothing between empty ones.
fn between_commas(words: &[Word<'_>], open: usize) -> Vec<std::ops::Range<usize>> {
    let mut depth = 0_usize;
    let mut start = open + 1;
    let mut parts = Vec::new();
    for (at, word) in words.iter().enumerate().skip(open) {
        match word.text {
            "(" | "{" | "[" => depth += 1,
            ")" | "}" | "]" => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    if at > start || !parts.is_empty() {
                        parts.push(start..at);
                    }
                    break;
                }
            }
            "," if depth == 1 => {
                parts.push(start..at);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts
}

/// The parameters of a function whose bracket opens at `open`; nothing if they cannot be told: `()`, `...`.
fn parameters<'a>(words: &[Word<'a>], open: usize) -> Option<Vec<Parameter<'a>>> {
    let parts = between_commas(words, open);
    if let [only] = parts.as_slice()
        && only.len() == 1
        && words[only.start].text == "void"
    {
        return Some(Vec::new());
    }
    if parts.is_empty() || parts.iter().any(|p| words[p.clone()].iter().any(|w| w.text == "...")) {
        return None;
    }
    Some(parts.into_iter().map(|part| parameter(&words[part])).collect())
}

fn parameter<'a>(words: &[Word<'a>]) -> Parameter<'a> {
    let name = words.iter().rev().find(|w| w.kind == TokenKind::Identifier && is_callable(w.text)).map(|w| w.text);
    let pointers = words.iter().filter(|w| matches!(w.text, "*" | "[")).count();
    let plain = pointers == 1 && !words.iter().any(|w| matches!(w.text, "(" | "__generic" | "generic"));
    let space = plain.then(|| {
        let named = words.iter().find_map(|w| match w.text {
            "__global" | "global" => Some(Space::Global),
            "__local" | "local" => Some(Space::Local),
            "__constant" | "constant" => Some(Space::Constant),
            _ => None,
        });
        named.unwrap_or(Space::Private)
    });
    Parameter { name, space }
}

/// `double f(` inside a body declares `f`; `x.f(` is a member.
fn is_declared_here(words: &[Word<'_>], at: usize, start: usize) -> bool {
    if at <= start {
        return false;
    }
    let before = words[at - 1];
    if matches!(before.text, "." | "->") {
        return true;
    }
    before.kind == TokenKind::Identifier
        && !matches!(before.text, "return" | "else" | "do" | "case" | "goto" | "sizeof")
}

/// A name that may be a function: no keyword, no type.
pub(crate) fn is_callable(name: &str) -> bool {
    !builtins::is_keyword(name) && !builtins::is_type(name)
}

/// One past the bracket that closes the one at `open`; the end if none does.
pub(crate) fn matching(words: &[Word<'_>], open: usize) -> usize {
    let mut depth = 0_usize;
    for (at, word) in words.iter().enumerate().skip(open) {
        match word.text {
            "(" | "{" | "[" => depth += 1,
            ")" | "}" | "]" => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    words.len()
}

/// The `;` that ends the declaration, brackets skipped; the end if there is none.
fn end_of_declaration(words: &[Word<'_>], mut at: usize) -> usize {
    while at < words.len() {
        match words[at].text {
            ";" => return at,
            "(" | "{" | "[" => at = matching(words, at),
            _ => at += 1,
        }
    }
    words.len()
}

/// `typedef … NAME;`, `typedef … (*NAME)(…);`, `typedef … NAME[3];`
fn typedef_name(words: &[Word<'_>]) -> Option<usize> {
    let name = |at: usize| words[at].kind == TokenKind::Identifier && is_callable(words[at].text);
    let pointer = (1..words.len()).find(|at| words[*at].text == "*" && words[at - 1].text == "(");
    if let Some(at) = pointer.and_then(|at| (at + 1..words.len()).find(|at| words[*at].kind == TokenKind::Identifier)) {
        return Some(at);
    }
    let end = words.iter().rposition(|w| w.text == "}").map_or(1, |at| at + 1);
    (end..words.len())
        .rev()
        .find(|at| name(*at) && !matches!(words.get(at + 1).map(|w| w.text), Some("(")) && !inside_brackets(words, *at))
}

fn inside_brackets(words: &[Word<'_>], at: usize) -> bool {
    words[at..]
        .iter()
        .position(|w| w.text == "]")
        .is_some_and(|close| !words[at..at + close].iter().any(|w| w.text == "["))
}

/// The name before `=`, skipping `[…]`.
fn variable_name(words: &[Word<'_>], head: usize, equals: usize) -> Option<usize> {
    let mut at = equals;
    let mut depth = 0_usize;
    while at > head {
        at -= 1;
        match words[at].text {
            "]" => depth += 1,
            "[" => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            text if words[at].kind == TokenKind::Identifier => return (is_callable(text) && at > head).then_some(at),
            _ => return None,
        }
    }
    None
}
