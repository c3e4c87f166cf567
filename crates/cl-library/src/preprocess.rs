//! A C preprocessor over the pieces of a program: conditionals, macros, `#` and `##`.
//!
//! Which functions a program calls is decided only after preprocessing: ported code renames functions by macros, pastes
//! names together, and keeps host code under `#ifdef`. Tokens remember the piece and line that they came from.

use crate::builtins;
use crate::lexer::{Token, TokenKind, lex};
use crate::names::{Name, NameMap, Names, NamesInPieces};
use std::rc::Rc;

/// Where a token stands: the piece's number, the line from 1, and the byte within the piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Position {
    pub(crate) piece: u32,
    pub(crate) line: u32,
    pub(crate) offset: u32,
}

impl Position {
    pub(crate) fn of(token: &Token, piece: u32) -> Self {
        // No file of a library is as long as 4 GiB (`files.rs`).
        Self { piece, line: token.line, offset: u32::try_from(token.start).unwrap_or(u32::MAX) }
    }

    /// The byte within the piece.
    pub(crate) fn byte(self) -> usize {
        self.offset as usize
    }
}

/// A token after preprocessing.
#[derive(Debug, Clone)]
pub(crate) struct PpToken {
    pub(crate) kind: TokenKind,
    pub(crate) text: Name,
    pub(crate) position: Position,
    /// The macro whose body it comes from, if any.
    pub(crate) via: Option<Name>,
    space_before: bool,
    hidden: Hidden,
}

/// The macros that must not be expanded again in a token: a list that shares its tail.
type Hidden = Option<Rc<HiddenNode>>;

#[derive(Debug)]
struct HiddenNode {
    name: Name,
    length: u32,
    next: Hidden,
}

fn hides(hidden: &Hidden, name: &Name) -> bool {
    let mut node = hidden;
    while let Some(inner) = node {
        if inner.name == *name {
            return true;
        }
        node = &inner.next;
    }
    false
}

fn hide(hidden: &Hidden, name: &Name) -> Hidden {
    Some(Rc::new(HiddenNode { name: name.clone(), length: length(hidden) + 1, next: hidden.clone() }))
}

fn length(hidden: &Hidden) -> u32 {
    hidden.as_ref().map_or(0, |node| node.length)
}

/// The names that both lists hide.
fn common(a: &Hidden, b: &Hidden) -> Hidden {
    let mut result = None;
    let mut node = a;
    while let Some(inner) = node {
        if hides(b, &inner.name) {
            result = hide(&result, &inner.name);
        }
        node = &inner.next;
    }
    result
}

/// What a piece does to the macros of the pieces behind it.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct MacroEffects {
    removed: Vec<Name>,
    defined: Vec<(Name, Rc<Macro>)>,
}

impl MacroEffects {
    pub(crate) fn is_empty(&self) -> bool {
        self.removed.is_empty() && self.defined.is_empty()
    }
}

impl PartialEq for Macro {
    fn eq(&self, other: &Self) -> bool {
        self.position == other.position && self.same_as(other)
    }
}

#[derive(Debug, Clone)]
struct Macro {
    parameters: Option<Vec<Name>>,
    variadic: bool,
    body: Vec<PpToken>,
    position: Option<Position>,
    /// Known to `#if`, but left alone in the text: its meaning is the compiler's.
    predefined: bool,
}

impl Macro {
    fn same_as(&self, other: &Self) -> bool {
        let spelled = |m: &Self| m.body.iter().map(|t| (t.text.clone(), t.space_before)).collect::<Vec<_>>();
        let mut bodies = (spelled(self), spelled(other));
        for body in [&mut bodies.0, &mut bodies.1] {
            if let Some(first) = body.first_mut() {
                first.1 = false;
            }
        }
        self.parameters == other.parameters && self.variadic == other.variadic && bodies.0 == bodies.1
    }
}

/// A macro that a piece defines.
#[derive(Debug, Clone)]
pub(crate) struct MacroOf {
    pub(crate) name: Name,
    /// Whether its body is.
    pub(crate) is_empty: bool,
    /// How many arguments a call must have, if that is fixed.
    pub(crate) parameters: Option<usize>,
}

/// Something the preprocessor objects to.
#[derive(Debug, Clone)]
pub(crate) enum Complaint {
    Redefined { name: Name, first: Position, second: Position },
    Unterminated { directive: &'static str, position: Position },
    Unmatched { directive: String, position: Position },
    ErrorDirective { text: String, position: Position },
    Include { text: String, position: Position },
    BadCondition { problem: String, position: Position },
    TooMuch { position: Position },
}

#[derive(Clone)]
struct Conditional {
    position: Position,
    parent_active: bool,
    taken: bool,
    active: bool,
    seen_else: bool,
}

/// What macros may make of a program beside twice its own tokens: more than any real one needs, and little enough that
/// macros which double each other end within a second and some hundred megabytes. Measured in tokens; a step along a
/// list of hidden names is a fraction of one.
const MAX_MADE: usize = 1_000_000;
const STEPS_PER_TOKEN: usize = 64;
/// Calls within the arguments of calls. Each level holds its arguments once more.
const MAX_DEPTH: u32 = 200;
/// Macros that lead to macros. A list that long would also end the stack when it is dropped.
const MAX_CHAIN: u32 = 10_000;

/// Preprocesses pieces one after the other, as if they were one text.
#[derive(Clone)]
pub(crate) struct Preprocessor {
    macros: NameMap<Rc<Macro>>,
    base: NameMap<Rc<Macro>>,
    /// Names that `#undef` took away.
    removed: Vec<Name>,
    names: Names,
    conditionals: Vec<Conditional>,
    pub(crate) tokens: Vec<PpToken>,
    /// The macros that were expanded, each with the piece that defined it.
    pub(crate) expanded: NamesInPieces,
    pub(crate) complaints: Vec<Complaint>,
    made: usize,
    limit: usize,
    stopped: bool,
}

impl Preprocessor {
    pub(crate) fn new(defines: &[(String, String)]) -> Self {
        let mut this = Self {
            macros: NameMap::default(),
            base: NameMap::default(),
            removed: Vec::new(),
            names: Names::new(),
            conditionals: Vec::new(),
            tokens: Vec::new(),
            expanded: NamesInPieces::default(),
            complaints: Vec::new(),
            made: 0,
            limit: MAX_MADE,
            stopped: false,
        };
        let nowhere = Position { piece: 0, line: 0, offset: 0 };
        for (name, value) in builtins::macros() {
            this.define_text(name, value, nowhere, true);
        }
        for (name, value) in defines {
            this.define_text(name, value, nowhere, false);
        }
        this
    }

    #[cfg(test)]
    pub(crate) fn with_limit(limit: usize) -> Self {
        Self { limit, ..Self::new(&[]) }
    }

    fn define_text(&mut self, name: &str, value: &str, position: Position, predefined: bool) {
        let body = self.plain_tokens(value, position.piece);
        let name = self.intern(name);
        let new = Macro { parameters: None, variadic: false, body, position: None, predefined };
        self.macros.insert(name, Rc::new(new));
    }

    fn intern(&mut self, text: &str) -> Name {
        self.names.intern(text)
    }

    fn token(&mut self, token: &Token, source: &str, piece: u32) -> PpToken {
        PpToken {
            kind: token.kind,
            text: self.intern(token.text(source)),
            position: Position::of(token, piece),
            via: None,
            space_before: token.space_before,
            hidden: None,
        }
    }

    fn plain_tokens(&mut self, source: &str, piece: u32) -> Vec<PpToken> {
        lex(source).iter().filter(|t| !t.is_comment()).map(|t| self.token(t, source, piece)).collect()
    }

    fn active(&self) -> bool {
        self.conditionals.last().is_none_or(|c| c.active)
    }

    /// Makes room for what pieces of so many bytes will come to: a token for every three or four.
    pub(crate) fn expect(&mut self, bytes: usize) {
        self.tokens.reserve(bytes / 3);
    }

    /// Preprocesses one piece.
    pub(crate) fn piece(&mut self, piece: u32, source: &str) {
        let depth = self.conditionals.len();
        let tokens: Vec<_> = lex(source).into_iter().filter(|t| !t.is_comment()).collect();
        self.limit += 2 * tokens.len();
        let mut pending: Vec<PpToken> = Vec::with_capacity(tokens.len());
        let mut at = 0;
        while at < tokens.len() {
            let first = tokens[at];
            let position = Position::of(&first, piece);
            if first.starts_line && first.text(source) == "#" {
                let mut end = at + 1;
                while end < tokens.len() && !tokens[end].starts_line {
                    end += 1;
                }
                let line: Vec<PpToken> = tokens[at + 1..end].iter().map(|t| self.token(t, source, piece)).collect();
                self.flush(&mut pending);
                self.directive(&line, position);
                at = end;
            } else {
                if self.active() {
                    let token = self.token(&first, source, piece);
                    pending.push(token);
                }
                at += 1;
            }
        }
        self.flush(&mut pending);
        for open in self.conditionals.drain(depth.min(self.conditionals.len())..) {
            self.complaints.push(Complaint::Unterminated { directive: "#if", position: open.position });
        }
    }

    /// The macros that a piece has defined and not taken back, in order.
    pub(crate) fn macros_of(&self, piece: u32) -> Vec<MacroOf> {
        let own = self.macros.iter().filter(|(_, m)| m.position.is_some_and(|p| p.piece == piece));
        let mut list: Vec<_> = own.collect();
        list.sort_by_key(|(name, m)| (m.position, (*name).clone()));
        let of = |(name, m): (&Name, &Rc<Macro>)| MacroOf {
            name: name.clone(),
            is_empty: m.body.is_empty(),
            parameters: m.parameters.as_ref().filter(|_| !m.variadic).map(Vec::len),
        };
        list.into_iter().map(of).collect()
    }

    /// From now on, [`return_to_base`](Self::return_to_base) comes back to the macros as they are.
    pub(crate) fn keep_as_base(&mut self) {
        self.base = self.macros.clone();
    }

    /// Forgets everything since [`keep_as_base`](Self::keep_as_base), but for the names, which stay interned.
    pub(crate) fn return_to_base(&mut self) {
        self.macros.clone_from(&self.base);
        self.tokens.clear();
        self.expanded.clear();
        self.complaints.clear();
        self.conditionals.clear();
        (self.made, self.limit, self.stopped) = (0, MAX_MADE, false);
        self.removed.clear();
    }

    /// What a piece that was just read does to the macros of what follows it.
    pub(crate) fn effects_of(&self, piece: u32) -> MacroEffects {
        let own = self.macros.iter().filter(|(_, m)| m.position.is_some_and(|p| p.piece == piece));
        let mut defined: Vec<(Name, Rc<Macro>)> = own.map(|(name, m)| (name.clone(), m.clone())).collect();
        defined.sort_by(|a, b| a.0.cmp(&b.0));
        let gone = self.removed.iter().filter(|name| !self.macros.contains_key(*name));
        MacroEffects { removed: gone.cloned().collect(), defined }
    }

    /// As if a piece with these effects stood here.
    pub(crate) fn apply(&mut self, effects: &MacroEffects) {
        for name in &effects.removed {
            self.macros.remove(name);
        }
        for (name, found) in &effects.defined {
            self.macros.insert(name.clone(), found.clone());
        }
    }

    /// The name that a macro without parameters stands for: `dnorm4` for `#define dnorm dnorm4`.
    pub(crate) fn alias(&self, name: &str) -> Option<Name> {
        let mut last: Option<Name> = None;
        for _ in 0..16 {
            let now = last.clone().or_else(|| self.names.get(name));
            match now.and_then(|now| self.macros.get(&now)).map(Rc::as_ref) {
                Some(Macro { parameters: None, predefined: false, body, .. })
                    if body.len() == 1 && body[0].kind == TokenKind::Identifier =>
                {
                    last = Some(body[0].text.clone());
                }
                _ => break,
            }
        }
        last
    }

    fn flush(&mut self, pending: &mut Vec<PpToken>) {
        if !pending.is_empty() {
            let mut output = std::mem::take(&mut self.tokens);
            self.expand(std::mem::take(pending), 0, &mut output);
            self.tokens = output;
        }
    }

    fn directive(&mut self, line: &[PpToken], position: Position) {
        let Some(name) = line.first() else { return };
        let rest = &line[1..];
        match &*name.text {
            "if" | "ifdef" | "ifndef" => {
                let parent_active = self.active();
                let taken = parent_active
                    && match &*name.text {
                        "if" => self.condition(rest, position),
                        "ifdef" => rest.first().is_some_and(|t| self.macros.contains_key(&t.text)),
                        _ => rest.first().is_some_and(|t| !self.macros.contains_key(&t.text)),
                    };
                self.conditionals.push(Conditional { position, parent_active, taken, active: taken, seen_else: false });
            }
            "elif" | "else" | "endif" => self.branch(&name.text.clone(), rest, position),
            _ if !self.active() => {}
            "define" => self.define(rest, position),
            "undef" => {
                if let Some(name) = rest.first()
                    && self.macros.remove(&name.text).is_some()
                {
                    self.removed.push(name.text.clone());
                }
            }
            "error" => self.complaints.push(Complaint::ErrorDirective { text: spell(rest), position }),
            "include" => self.complaints.push(Complaint::Include { text: spell(rest), position }),
            _ => {} // #pragma, #line, #warning, …: nothing to call
        }
    }

    fn branch(&mut self, directive: &str, rest: &[PpToken], position: Position) {
        let Some(last) = self.conditionals.last() else {
            self.complaints.push(Complaint::Unmatched { directive: directive.to_owned(), position });
            return;
        };
        if directive == "endif" {
            self.conditionals.pop();
            return;
        }
        if last.seen_else {
            self.complaints.push(Complaint::Unmatched { directive: directive.to_owned(), position });
        }
        let open = last.parent_active && !last.taken;
        let now = open && (directive == "else" || self.condition(rest, position));
        if let Some(last) = self.conditionals.last_mut() {
            last.active = now;
            last.taken |= now;
            last.seen_else |= directive == "else";
        }
    }

    fn define(&mut self, rest: &[PpToken], position: Position) {
        let Some(name) = rest.first().filter(|t| t.kind == TokenKind::Identifier) else { return };
        let mut body = &rest[1..];
        let mut parameters = None;
        let mut variadic = false;
        if body.first().is_some_and(|t| &*t.text == "(" && !t.space_before) {
            let Some(close) = body.iter().position(|t| &*t.text == ")") else { return };
            let mut list: Vec<Name> = Vec::new();
            for token in &body[1..close] {
                match &*token.text {
                    "," => {}
                    "..." => {
                        variadic = true;
                        let arguments = self.intern("__VA_ARGS__");
                        list.push(arguments);
                    }
                    _ => list.push(token.text.clone()),
                }
            }
            parameters = Some(list);
            body = &body[close + 1..];
        }
        let new = Macro { parameters, variadic, body: body.to_vec(), position: Some(position), predefined: false };
        if let Some(old) = self.macros.get(&name.text)
            && let Some(first) = old.position
            && !old.same_as(&new)
        {
            let name = name.text.clone();
            self.complaints.push(Complaint::Redefined { name, first, second: position });
        }
        self.macros.insert(name.text.clone(), Rc::new(new));
    }

    /// Counts work; false if there was too much of it, which is said once.
    fn may_go_on(&mut self, tokens: usize, position: Position) -> bool {
        self.made = self.made.saturating_add(tokens);
        if self.made > self.limit && !self.stopped {
            self.stop(position);
        }
        !self.stopped
    }

    fn stop(&mut self, position: Position) {
        self.stopped = true;
        self.complaints.push(Complaint::TooMuch { position });
    }

    fn expanded_alone(&mut self, tokens: Vec<PpToken>, depth: u32) -> Vec<PpToken> {
        let mut output = Vec::with_capacity(tokens.len());
        self.expand(tokens, depth, &mut output);
        output
    }

    /// Expands macros in a list of tokens.
    fn expand(&mut self, tokens: Vec<PpToken>, depth: u32, output: &mut Vec<PpToken>) {
        let mut input = Input { made: Vec::new(), rest: tokens.into_iter() };
        while let Some(token) = input.next() {
            let steps = usize::try_from(length(&token.hidden)).unwrap_or(0) / STEPS_PER_TOKEN;
            if !self.may_go_on(1 + steps, token.position) {
                output.push(token);
                continue; // what remains is taken as it is
            }
            let expandable = token.kind == TokenKind::Identifier && !hides(&token.hidden, &token.text);
            let found = if expandable { self.macros.get(&token.text).filter(|m| !m.predefined) } else { None };
            let Some(found) = found.cloned() else {
                output.push(token);
                continue;
            };
            if length(&token.hidden) >= MAX_CHAIN {
                self.stop(token.position);
                output.push(token);
                continue;
            }
            let Some(parameters) = &found.parameters else {
                let hidden = hide(&token.hidden, &token.text);
                self.used(&found, &token);
                self.substitute(&found, &[], &[], &token, &hidden, &mut input.made);
                continue;
            };
            if input.peek().is_none_or(|t| &*t.text != "(") {
                output.push(token);
                continue;
            }
            if depth > MAX_DEPTH {
                self.stop(token.position);
                output.push(token);
                continue;
            }
            let Some((arguments, close_hidden)) = input.arguments(parameters.len(), found.variadic) else {
                // The whole rest was searched for the end of the arguments.
                let searched = input.len();
                self.may_go_on(searched, token.position);
                output.push(token);
                continue;
            };
            self.used(&found, &token);
            let held = arguments.iter().map(Vec::len).sum();
            if !self.may_go_on(held, token.position) {
                output.push(token);
                continue;
            }
            // The arguments as they were written are needed only by `#` and `##`.
            let as_written = found.body.iter().any(|t| matches!(&*t.text, "#" | "##"));
            let raw = if as_written { arguments.clone() } else { Vec::new() };
            let expanded: Vec<Vec<PpToken>> =
                arguments.into_iter().map(|a| self.expanded_alone(a, depth + 1)).collect();
            if self.stopped {
                output.push(token);
                continue; // nobody will look at what the arguments came to
            }
            let steps = usize::try_from(length(&token.hidden)).unwrap_or(0)
                * usize::try_from(length(&close_hidden)).unwrap_or(0);
            self.may_go_on(steps / STEPS_PER_TOKEN, token.position);
            let hidden = hide(&common(&token.hidden, &close_hidden), &token.text);
            self.substitute(&found, &raw, &expanded, &token, &hidden, &mut input.made);
        }
    }

    /// Remembers that a macro of a piece was expanded.
    fn used(&mut self, found: &Macro, token: &PpToken) {
        if let Some(position) = found.position {
            self.expanded.insert((token.text.clone(), position.piece));
        }
    }

    /// Pushes a macro's body, with its arguments, onto the (reversed) input.
    fn substitute(
        &mut self,
        found: &Macro,
        raw: &[Vec<PpToken>],
        expanded: &[Vec<PpToken>],
        call: &PpToken,
        hidden: &Hidden,
        input: &mut Vec<PpToken>,
    ) {
        let parameter = |t: &PpToken| {
            let names = found.parameters.as_ref()?;
            names.iter().position(|p| *p == t.text && t.kind == TokenKind::Identifier)
        };
        let nothing = self.intern("");
        let mut result: Vec<PpToken> = Vec::with_capacity(found.body.len());
        let body = &found.body;
        let mut at = 0;
        while at < body.len() {
            let token = &body[at];
            let pastes_next = body.get(at + 1).is_some_and(|t| &*t.text == "##");
            if &*token.text == "#" && found.parameters.is_some() && body.get(at + 1).and_then(parameter).is_some() {
                let index = body.get(at + 1).and_then(parameter).unwrap_or_default();
                let text = format!("\"{}\"", raw.get(index).map(|a| spell(a)).unwrap_or_default());
                let text = self.intern(&text);
                result.push(from_body(token, TokenKind::String, text, call));
                at += 2;
                continue;
            }
            if &*token.text == "##" && at > 0 && at + 1 < body.len() {
                let next = &body[at + 1];
                let right: Vec<PpToken> = match parameter(next) {
                    Some(index) => raw.get(index).cloned().unwrap_or_default(),
                    None => vec![from_body(next, next.kind, next.text.clone(), call)],
                };
                self.paste(&mut result, right);
                at += 2;
                continue;
            }
            match parameter(token) {
                Some(index) if pastes_next => match raw.get(index) {
                    Some(argument) if !argument.is_empty() => result.extend(argument.iter().cloned()),
                    // Nothing, but something for `##` to join with.
                    _ => result.push(from_body(token, TokenKind::Punctuation, nothing.clone(), call)),
                },
                Some(index) => result.extend(expanded.get(index).cloned().unwrap_or_default()),
                None => result.push(from_body(token, token.kind, token.text.clone(), call)),
            }
            at += 1;
        }
        result.retain(|token| !token.text.is_empty());
        // Repeated tokens of one argument share their list, so that it is joined once.
        let mut last: Option<(Hidden, Hidden)> = None;
        for mut token in result.into_iter().rev() {
            let same = |a: &Hidden, b: &Hidden| match (a, b) {
                (Some(a), Some(b)) => Rc::ptr_eq(a, b),
                (None, None) => true,
                _ => false,
            };
            token.hidden = match &last {
                Some((from, to)) if same(from, &token.hidden) => to.clone(),
                _ => {
                    let joined = self.join(&token.hidden, hidden, token.position);
                    last = Some((token.hidden.clone(), joined.clone()));
                    joined
                }
            };
            input.push(token);
        }
    }

    /// The names that either list hides.
    fn join(&mut self, own: &Hidden, more: &Hidden, position: Position) -> Hidden {
        if own.is_none() {
            return more.clone();
        }
        let steps = usize::try_from(length(own)).unwrap_or(0) * usize::try_from(length(more)).unwrap_or(0);
        self.may_go_on(steps / STEPS_PER_TOKEN, position);
        let mut joined = own.clone();
        let mut node = more;
        while let Some(inner) = node {
            if !hides(own, &inner.name) {
                joined = hide(&joined, &inner.name);
            }
            node = &inner.next;
        }
        joined
    }

    /// Joins the last token of the left side and the first of the right.
    fn paste(&mut self, left: &mut Vec<PpToken>, right: Vec<PpToken>) {
        let mut right = right.into_iter();
        match (left.pop(), right.next()) {
            (Some(a), Some(b)) => {
                let joined = format!("{}{}", a.text, b.text);
                let kind = lex(&joined).first().map_or(a.kind, |t| t.kind);
                left.push(PpToken { kind, text: self.intern(&joined), hidden: None, ..a });
            }
            (a, b) => left.extend(a.into_iter().chain(b)),
        }
        left.extend(right);
    }

    fn condition(&mut self, tokens: &[PpToken], position: Position) -> bool {
        let mut line = Vec::new();
        let mut at = 0;
        while at < tokens.len() {
            if &*tokens[at].text == "defined" {
                let parenthesis = tokens.get(at + 1).is_some_and(|t| &*t.text == "(");
                let name = tokens.get(at + 1 + usize::from(parenthesis));
                let known = name.is_some_and(|t| self.macros.contains_key(&t.text));
                let text = self.intern(if known { "1" } else { "0" });
                line.push(PpToken { kind: TokenKind::Number, text, ..tokens[at].clone() });
                at += if parenthesis { 4 } else { 2 };
            } else {
                line.push(tokens[at].clone());
                at += 1;
            }
        }
        // In a condition the predefined macros have their values.
        for token in &mut line {
            if let Some(found) = self.macros.get(&token.text).filter(|m| m.predefined)
                && let Some(value) = found.body.first()
            {
                (token.kind, token.text) = (value.kind, value.text.clone());
            }
        }
        let line = self.expanded_alone(line, 0);
        let mut parser = ConditionParser { tokens: &line, at: 0, depth: 0 };
        match parser.expression(0).and_then(|value| parser.end().map(|()| value)) {
            Ok(value) => value != 0,
            Err(problem) => {
                self.complaints.push(Complaint::BadCondition { problem, position });
                false
            }
        }
    }
}

/// A token of a macro's body, which hides nothing yet.
fn from_body(token: &PpToken, kind: TokenKind, text: Name, call: &PpToken) -> PpToken {
    let via = call.via.clone().or_else(|| Some(call.text.clone()));
    PpToken { kind, text, position: call.position, via, space_before: token.space_before, hidden: None }
}

/// What is still to be expanded: what macros made, the next token last, then the rest of the text.
struct Input {
    made: Vec<PpToken>,
    rest: std::vec::IntoIter<PpToken>,
}

impl Input {
    fn next(&mut self) -> Option<PpToken> {
        self.made.pop().or_else(|| self.rest.next())
    }

    fn peek(&self) -> Option<&PpToken> {
        self.made.last().or_else(|| self.rest.as_slice().first())
    }

    fn len(&self) -> usize {
        self.made.len() + self.rest.len()
    }

    /// The arguments of a call whose `(` is next, and what the `)` hides. `None` if it never closes; nothing is taken then.
    fn arguments(&mut self, parameters: usize, variadic: bool) -> Option<(Vec<Vec<PpToken>>, Hidden)> {
        let mut depth = 0_usize;
        let mut end = None;
        for (distance, token) in self.made.iter().rev().chain(self.rest.as_slice()).enumerate() {
            match &*token.text {
                "(" => depth += 1,
                ")" => {
                    depth -= 1;
                    if depth == 0 {
                        end = Some(distance);
                        break;
                    }
                }
                _ => {}
            }
        }
        let end = end?;
        self.next(); // the bracket that opens
        let mut list: Vec<Vec<PpToken>> = vec![Vec::new()];
        for _ in 1..end {
            let token = self.next()?;
            match &*token.text {
                "(" => depth += 1,
                ")" => depth = depth.saturating_sub(1),
                "," if depth == 0 && !(variadic && list.len() >= parameters) => {
                    list.push(Vec::new());
                    continue;
                }
                _ => {}
            }
            list.last_mut()?.push(token);
        }
        let hidden = self.next()?.hidden;
        if parameters == 0 && list.len() == 1 && list[0].is_empty() {
            list.clear();
        }
        Some((list, hidden))
    }
}

fn spell(tokens: &[PpToken]) -> String {
    let mut text = String::new();
    for (i, token) in tokens.iter().enumerate() {
        if i > 0 && token.space_before {
            text.push(' ');
        }
        text.push_str(&token.text);
    }
    text
}

/// Integer expressions of `#if`.
struct ConditionParser<'a> {
    tokens: &'a [PpToken],
    at: usize,
    depth: u32,
}

impl ConditionParser<'_> {
    fn peek(&self) -> &str {
        self.tokens.get(self.at).map_or("", |t| &t.text)
    }

    /// The operator here, joined from single characters.
    fn operator(&self) -> &'static str {
        let next = self.tokens.get(self.at + 1).filter(|t| !t.space_before).map_or("", |t| &t.text);
        match (self.peek(), next) {
            ("|", "|") => "||",
            ("&", "&") => "&&",
            ("=", "=") => "==",
            ("!", "=") => "!=",
            ("<", "=") => "<=",
            (">", "=") => ">=",
            ("<", "<") => "<<",
            (">", ">") => ">>",
            ("|", _) => "|",
            ("^", _) => "^",
            ("&", _) => "&",
            ("<", _) => "<",
            (">", _) => ">",
            ("+", _) => "+",
            ("-", _) => "-",
            ("*", _) => "*",
            ("/", _) => "/",
            ("%", _) => "%",
            ("?", _) => "?",
            _ => "",
        }
    }

    fn end(&self) -> Result<(), String> {
        if self.at < self.tokens.len() { Err(format!("`{}` is not expected here", self.peek())) } else { Ok(()) }
    }

    fn expression(&mut self, minimum: u8) -> Result<i64, String> {
        self.depth += 1;
        if self.depth > 200 {
            return Err("it is nested too deeply".to_owned());
        }
        let mut left = self.primary()?;
        loop {
            let operator = self.operator();
            let strength = match operator {
                "?" => 1,
                "||" => 2,
                "&&" => 3,
                "|" => 4,
                "^" => 5,
                "&" => 6,
                "==" | "!=" => 7,
                "<" | ">" | "<=" | ">=" => 8,
                "<<" | ">>" => 9,
                "+" | "-" => 10,
                "*" | "/" | "%" => 11,
                _ => 0,
            };
            if strength == 0 || strength < minimum {
                self.depth -= 1;
                return Ok(left);
            }
            self.at += operator.len();
            if operator == "?" {
                let yes = self.expression(0)?;
                if self.peek() != ":" {
                    return Err("`?` without `:`".to_owned());
                }
                self.at += 1;
                let no = self.expression(1)?;
                left = if left != 0 { yes } else { no };
                continue;
            }
            let right = self.expression(strength + 1)?;
            let shift = u32::try_from(right).unwrap_or(u32::MAX);
            left = match operator {
                "||" => i64::from(left != 0 || right != 0),
                "&&" => i64::from(left != 0 && right != 0),
                "|" => left | right,
                "^" => left ^ right,
                "&" => left & right,
                "==" => i64::from(left == right),
                "!=" => i64::from(left != right),
                "<" => i64::from(left < right),
                ">" => i64::from(left > right),
                "<=" => i64::from(left <= right),
                ">=" => i64::from(left >= right),
                "<<" => left.checked_shl(shift).unwrap_or(0),
                ">>" => left.checked_shr(shift).unwrap_or(0),
                "+" => left.wrapping_add(right),
                "-" => left.wrapping_sub(right),
                "*" => left.wrapping_mul(right),
                "/" => left.checked_div(right).unwrap_or(0),
                _ => left.checked_rem(right).unwrap_or(0),
            };
        }
    }

    fn primary(&mut self) -> Result<i64, String> {
        self.depth += 1;
        if self.depth > 200 {
            return Err("it is nested too deeply".to_owned());
        }
        let value = self.primary_inner();
        self.depth -= 1;
        value
    }

    fn primary_inner(&mut self) -> Result<i64, String> {
        let Some(token) = self.tokens.get(self.at) else { return Err("the condition ends too early".to_owned()) };
        self.at += 1;
        match (&*token.text, token.kind) {
            ("(", _) => {
                let value = self.expression(0)?;
                if self.peek() != ")" {
                    return Err("`)` is missing".to_owned());
                }
                self.at += 1;
                Ok(value)
            }
            ("!", _) => Ok(i64::from(self.primary()? == 0)),
            ("-", _) => Ok(self.primary()?.wrapping_neg()),
            ("+", _) => self.primary(),
            ("~", _) => Ok(!self.primary()?),
            (text, TokenKind::Number) => number(text).ok_or_else(|| format!("`{text}` is not an integer")),
            (text, TokenKind::String) if text.starts_with('\'') => {
                Ok(text.chars().nth(1).map_or(0, |c| i64::from(u32::from(c))))
            }
            (_, TokenKind::Identifier) => {
                // An unknown name is 0; what looks like a call (`__has_builtin(x)`) is no macro, so 0 as well.
                if self.peek() == "(" {
                    let mut depth = 0_usize;
                    while self.at < self.tokens.len() {
                        match self.peek() {
                            "(" => depth += 1,
                            ")" => depth -= 1,
                            _ => {}
                        }
                        self.at += 1;
                        if depth == 0 {
                            break;
                        }
                    }
                }
                Ok(0)
            }
            (text, _) => Err(format!("`{text}` is not expected here")),
        }
    }
}

fn number(text: &str) -> Option<i64> {
    let text = text.trim_end_matches(['u', 'U', 'l', 'L']);
    let (digits, radix) = match text {
        _ if text.starts_with("0x") || text.starts_with("0X") => (&text[2..], 16),
        _ if text.len() > 1 && text.starts_with('0') => (&text[1..], 8),
        _ => (text, 10),
    };
    u64::from_str_radix(digits, radix).ok().map(u64::cast_signed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(source: &str) -> String {
        let mut preprocessor = Preprocessor::new(&[]);
        preprocessor.piece(0, source);
        preprocessor.tokens.iter().map(|t| &*t.text).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn macros_expand_as_the_standard_says() {
        assert_eq!(run("#define A B\n#define B 1\nA"), "1");
        assert_eq!(run("#define f(x) g(x, 2)\nf(f(1)) f"), "g ( g ( 1 , 2 ) , 2 ) f");
        assert_eq!(run("#define a a + b\n#define b a\na"), "a + a");
        assert_eq!(run("#define P(a, b) a ## b\n#define Q(x) P(p, x)\nQ(norm)(1)"), "pnorm ( 1 )");
        assert_eq!(run("#define S(x) #x\nS(a  + b)"), "\"a + b\"");
        assert_eq!(run("#define V(f, ...) f(__VA_ARGS__)\nV(g, 1, 2)"), "g ( 1 , 2 )");
        assert_eq!(run("#define E() e\nE() E ( ) E"), "e e E");
        assert_eq!(run("#define N(x) (x)\nN((1, 2))"), "( ( 1 , 2 ) )");
        assert_eq!(run("#define N(x) [x]\nN()"), "[ ]");
    }

    #[test]
    fn the_examples_of_the_c_standard_hold() {
        // C99 6.10.3.5, examples 3 (without its string parts) and 5.
        let source = "#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n#define z z[0]\n#define h g(~\n\
                      #define m(a) a(w)\n#define w 0,1\n#define t(a) a\n#define p() int\n#define q(x) x\n#define r(x,y) x ## y\n\
                      f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);\n\
                      g(x+(3,4)-w) | h 5) & m(f)^m(m);\n\
                      p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };\n";
        assert_eq!(
            run(source),
            "f ( 2 * ( y + 1 ) ) + f ( 2 * ( f ( 2 * ( z [ 0 ] ) ) ) ) % f ( 2 * ( 0 ) ) + t ( 1 ) ; \
             f ( 2 * ( 2 + ( 3 , 4 ) - 0 , 1 ) ) | f ( 2 * ( ~ 5 ) ) & f ( 2 * ( 0 , 1 ) ) ^ m ( 0 , 1 ) ; \
             int i [ ] = { 1 , 23 , 4 , 5 , } ;"
        );
        let source = "#define t(x,y,z) x ## y ## z\nint j[] = { t(1,2,3), t(,4,5), t(6,,7), t(8,9,), t(10,,), t(,11,), t(,,12), t(,,) };";
        assert_eq!(run(source), "int j [ ] = { 123 , 45 , 67 , 89 , 10 , 11 , 12 , } ;");
    }

    #[test]
    fn conditionals_are_evaluated() {
        assert_eq!(run("#if 0\na\n#elif defined(X) || 1 + 1 == 2\nb\n#else\nc\n#endif\nd"), "b d");
        assert_eq!(run("#ifdef X\na\n#ifdef Y\nb\n#endif\n#else\nc\n#endif"), "c");
        assert_eq!(run("#if defined(__OPENCL_C_VERSION__) && (__OPENCL_C_VERSION__ >= 120)\na\n#endif"), "a");
        assert_eq!(
            run("#if defined cl_khr_fp64 && !defined UNKNOWN && (UNKNOWN + 0x10UL) / 2 == 8 && (1 ? 1 : 0)\na\n#endif"),
            "a"
        );
        assert_eq!(run("#if 0 && 1 / 0\na\n#endif\nb"), "b");
    }

    #[test]
    fn what_is_open_or_unmatched_is_complained_about() {
        let complaints = |source: &str| {
            let mut preprocessor = Preprocessor::new(&[]);
            preprocessor.piece(0, source);
            preprocessor
                .complaints
                .iter()
                .map(|c| format!("{c:?}").split(' ').next().unwrap_or_default().to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(complaints("#if 1\n#else\n"), ["Unterminated"]);
        assert_eq!(complaints("#endif\n#else\n"), ["Unmatched", "Unmatched"]);
        assert_eq!(
            complaints("#error no\n#if (\n#endif\n#include <x.h>\n"),
            ["ErrorDirective", "BadCondition", "Include"]
        );
        assert_eq!(complaints("#define A 1\n#define A   1\n#define A 2\n#define INFINITY 3\n"), ["Redefined"]);
    }

    #[test]
    fn chains_and_nests_of_macros_end_soon() {
        let start = std::time::Instant::now();
        let complaints = |source: &str| {
            let mut preprocessor = Preprocessor::new(&[]);
            preprocessor.piece(0, source);
            preprocessor.complaints.len()
        };
        let mut chain = String::from("#define a0 x\n");
        for i in 1..=8000 {
            chain += &format!("#define a{i} a{}\n", i - 1);
        }
        assert_eq!(complaints(&format!("{chain}a8000\n")), 0, "a chain of 8,000 is followed to its end");
        let mut tower = String::from("#define t0(x) x x\n");
        for i in 1..=30 {
            tower += &format!("#define t{i}(x) t{}(t{}(x))\n", i - 1, i - 1);
        }
        assert_eq!(complaints(&format!("{tower}t30(1)\n")), 1);
        for body in ["f(x)", "x"] {
            let nest = format!("#define f(x) {body}\n{}1{}\n", "f(".repeat(100_000), ")".repeat(100_000));
            assert_eq!(complaints(&nest), 1);
        }
        assert_eq!(complaints(&format!("#define f(x) x\n{}\n", "f(".repeat(100_000))), 1);
        assert!(start.elapsed() < std::time::Duration::from_secs(10), "{:?}", start.elapsed());
    }

    #[test]
    fn a_macro_that_doubles_itself_stops_at_the_limit() {
        let mut source = String::from("#define a0 x x\n");
        for i in 1..40 {
            source += &format!("#define a{i} a{} a{}\n", i - 1, i - 1);
        }
        let mut preprocessor = Preprocessor::with_limit(100_000);
        preprocessor.piece(0, &format!("{source}a39\n"));
        assert!(matches!(preprocessor.complaints[..], [Complaint::TooMuch { .. }]));
        assert!(preprocessor.tokens.len() < 200_000);
    }
}
