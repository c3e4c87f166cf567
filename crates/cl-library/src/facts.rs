//! What the code of a library's files says: what each makes known, uses and needs.
//!
//! A file is read as it stands in a program: behind the package's prelude and the macros of the files that it needs. What it
//! needs is known only once it is read, so it is read again until nothing new turns up.

use crate::graph::{Graph, Reach};
use crate::lexer::{TokenKind, lex};
use crate::library::{Library, Shard};
use crate::preprocess::{MacroEffects, Position, Preprocessor};
use crate::program::{Layer, ProgramPiece};
use crate::scan::{Word, is_callable, scan};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// How a file makes a name known. The order is that of preference when several files do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum SymbolKind {
    Function,
    Macro,
    Type,
    Variable,
    /// An enumerator, or the tag of a struct: known with the type around it.
    Member,
    StaticFunction,
}

/// What the code of one file says.
#[derive(Debug, Clone, Default)]
pub(crate) struct FileFacts {
    /// Names in the order in which the file makes them known.
    pub(crate) symbols: Vec<(String, SymbolKind)>,
    /// Names it declares without defining them.
    pub(crate) declares: HashSet<String>,
    /// Names that it defines or declares as written, whatever macros make of them and under whatever condition.
    pub(crate) written: HashSet<String>,
    /// Types that it defines as written: behind a file with the same guarded definition, its own is passed over.
    own_types: HashSet<String>,
    /// Other names of its symbols: a macro that stands for one.
    aliases: HashMap<String, String>,
    /// How many arguments its macros take, where that is fixed.
    macro_parameters: HashMap<String, usize>,
    /// How many arguments it gives to what it calls, as written.
    given: HashMap<String, BTreeSet<usize>>,
    /// Names it calls.
    pub(crate) calls: BTreeSet<String>,
    /// Names it mentions without declaring them itself.
    pub(crate) mentions: BTreeSet<String>,
    /// Every name that occurs in it, as written or after expansion.
    words: HashSet<String>,
    /// The files whose macros it expands.
    expands: BTreeSet<usize>,
    /// Whether it pastes names together, so that its calls are not all visible.
    pub(crate) pastes: bool,
    /// For each function with a body: what it calls and mentions.
    pub(crate) functions: BTreeMap<String, BTreeSet<String>>,
}

impl FileFacts {
    pub(crate) fn defines(&self, name: &str) -> bool {
        self.symbols.iter().any(|(n, _)| n == name)
    }

    /// The symbol that a name in this file's annotations stands for.
    pub(crate) fn symbol<'a>(&'a self, name: &'a str) -> Option<&'a str> {
        if self.defines(name) {
            return Some(name);
        }
        self.aliases.get(name).map(String::as_str).filter(|symbol| self.defines(symbol))
    }

    /// Whether the file may say that it provides this name.
    pub(crate) fn may_provide(&self, name: &str) -> bool {
        self.symbol(name).is_some() || self.declares.contains(name) || self.written.contains(name)
    }

    /// Whether it has neither functions nor variables of its own: macros, types and prototypes for others.
    fn only_declares(&self) -> bool {
        let is_code = |kind: &SymbolKind| {
            matches!(kind, SymbolKind::Function | SymbolKind::StaticFunction | SymbolKind::Variable)
        };
        !self.symbols.iter().any(|(_, kind)| is_code(kind))
    }

    /// What a called name as written becomes.
    pub(crate) fn expanded<'a>(&'a self, name: &'a str) -> &'a str {
        self.aliases.get(name).map_or(name, String::as_str)
    }
}

/// Pieces of the library have numbers above those of any prelude.
const FIRST_FILE: u32 = 1 << 24;

fn piece_of(file: usize) -> u32 {
    FIRST_FILE + u32::try_from(file).unwrap_or(0)
}

/// Reads files one after the other, each behind what it needs.
struct Reader {
    preprocessor: Preprocessor,
}

impl Reader {
    fn new(prelude: &[ProgramPiece], library: &Library) -> Self {
        let own: Vec<ProgramPiece> = library.shards().iter().map(|s| ProgramPiece::new(Layer::Library, s)).collect();
        let mut preprocessor = Preprocessor::new(&[]);
        for (number, piece) in crate::check::without(prelude, &own).into_iter().enumerate() {
            preprocessor.piece(u32::try_from(number).unwrap_or(0), &piece.text);
        }
        preprocessor.keep_as_base();
        Self { preprocessor }
    }

    /// Reads a file behind the macros of others. Also says what it does to the macros of whoever comes after it.
    fn read<'e>(
        &mut self,
        file: usize,
        text: &str,
        before: impl Iterator<Item = &'e MacroEffects>,
    ) -> (FileFacts, MacroEffects) {
        let preprocessor = &mut self.preprocessor;
        preprocessor.return_to_base();
        before.for_each(|effects| preprocessor.apply(effects));
        let piece = piece_of(file);
        preprocessor.piece(piece, text);
        let words: Vec<Word<'_>> = preprocessor
            .tokens
            .iter()
            .map(|t| Word { kind: t.kind, text: &t.text, position: t.position, via: t.via.as_deref() })
            .collect();
        let scanned = scan(&words);
        let mut facts = FileFacts::default();
        let mut symbols: Vec<(u32, String, SymbolKind)> = Vec::new();
        for function in &scanned.functions {
            let kind = if function.is_static { SymbolKind::StaticFunction } else { SymbolKind::Function };
            symbols.push((function.position.offset, function.name.to_owned(), kind));
            let mentioned = words[function.tokens.clone()]
                .iter()
                .filter(|w| w.kind == TokenKind::Identifier)
                .map(|w| w.text.to_owned());
            facts.functions.entry(function.name.to_owned()).or_default().extend(mentioned);
            facts.calls.extend(function.calls.iter().map(|c| c.name.to_owned()));
        }
        symbols.extend(scanned.typedefs.iter().map(|t| (t.position.offset, t.name.to_owned(), SymbolKind::Type)));
        symbols.extend(scanned.variables.iter().map(|v| (v.position.offset, v.name.to_owned(), SymbolKind::Variable)));
        symbols.extend(members(&words).map(|w| (w.position.offset, w.text.to_owned(), SymbolKind::Member)));
        symbols.sort();
        // What a macro's body names is needed where the macro is expanded, not where it is defined.
        let macros = preprocessor.macros_of(piece);
        let fixed = macros.iter().filter_map(|m| Some((m.name.to_string(), m.parameters?)));
        facts.macro_parameters.extend(fixed);
        let own = macros.iter().filter(|m| !(m.is_empty && is_guard(&m.name)));
        let own = own.map(|m| (0, m.name.to_string(), SymbolKind::Macro));
        let mut seen = HashSet::new();
        for (_, name, kind) in own.chain(symbols) {
            if seen.insert(name.clone()) {
                facts.symbols.push((name, kind));
            }
        }
        facts.declares = scanned.prototypes.iter().map(|p| p.name.to_owned()).collect();
        let declared = declared_names(&words);
        let names = words
            .iter()
            .filter(|w| w.kind == TokenKind::Identifier && is_callable(w.text) && !declared.contains(w.text));
        facts.mentions.extend(names.map(|w| w.text.to_owned()));
        facts.words.extend(words.iter().filter(|w| w.kind == TokenKind::Identifier).map(|w| w.text.to_owned()));
        facts.expands = preprocessor
            .expanded
            .iter()
            .filter_map(|(_, by)| usize::try_from(by.checked_sub(FIRST_FILE)?).ok())
            .filter(|by| *by != file)
            .collect();
        self.read_as_written(text, &mut facts);
        let effects = self.preprocessor.effects_of(piece);
        (facts, effects)
    }

    /// What the text says before any macro is expanded, inactive parts included.
    fn read_as_written(&self, text: &str, facts: &mut FileFacts) {
        let tokens: Vec<_> = lex(text).into_iter().filter(|t| !t.is_comment()).collect();
        let mut words: Vec<Word<'_>> = Vec::new();
        let mut in_directive = false;
        for (at, token) in tokens.iter().enumerate() {
            let word = token.text(text);
            facts.pastes |= word == "##";
            if token.starts_line {
                in_directive = word == "#";
            }
            if token.kind == TokenKind::Identifier {
                facts.words.insert(word.to_owned());
                if let Some(alias) = self.preprocessor.alias(word) {
                    facts.aliases.insert(word.to_owned(), alias.to_string());
                }
                if in_directive && at > 0 && tokens[at - 1].text(text) == "define" {
                    facts.written.insert(word.to_owned());
                }
            }
            if !in_directive {
                let position = Position::of(token, 0);
                words.push(Word { kind: token.kind, text: word, position, via: None });
            }
        }
        let scanned = scan(&words);
        for call in scanned.functions.iter().flat_map(|f| &f.calls) {
            facts.given.entry(call.name.to_owned()).or_default().insert(call.arguments.len());
        }
        facts.written.extend(scanned.functions.iter().map(|f| f.name.to_owned()));
        let declared = scanned.prototypes.iter().chain(&scanned.typedefs).chain(&scanned.variables);
        facts.written.extend(declared.map(|d| d.name.to_owned()));
        facts.own_types.extend(scanned.typedefs.iter().map(|t| t.name.to_owned()));
    }

    /// Names in annotations that are macros for a symbol, although the text does not mention them: `dnorm` for `dnorm4`.
    fn add_aliases(&self, names: &[&str], facts: &mut FileFacts) {
        for name in names {
            if let Some(alias) = self.preprocessor.alias(name) {
                facts.aliases.insert((*name).to_owned(), alias.to_string());
            }
        }
    }
}

/// `X_H`, `X_CL_`: a macro that only says "seen".
fn is_guard(name: &str) -> bool {
    let name = name.trim_end_matches('_');
    ["_H", "_CL", "_HPP", "_INCLUDED"].iter().any(|end| name.ends_with(end))
}

/// The enumerators and the tags of structs, unions and enums.
fn members<'w, 'a>(words: &'w [Word<'a>]) -> impl Iterator<Item = Word<'a>> + 'w {
    let mut in_enum = 0_usize;
    words.iter().enumerate().filter_map(move |(at, word)| {
        let before = |n: usize| at.checked_sub(n).map_or("", |i| words[i].text);
        let after = words.get(at + 1).map_or("", |w| w.text);
        match word.text {
            "{" if before(1) == "enum" || before(2) == "enum" => in_enum = 1,
            "}" => in_enum = 0,
            _ => {}
        }
        let tag = matches!(before(1), "struct" | "union" | "enum") && after == "{";
        let enumerator = in_enum == 1 && matches!(before(1), "{" | ",") && matches!(after, "," | "=" | "}");
        (word.kind == TokenKind::Identifier && (tag || enumerator)).then_some(*word)
    })
}

/// Names that the text declares as variables or parameters: they follow a type, a name or `*`, and are no call.
fn declared_names<'a>(words: &[Word<'a>]) -> HashSet<&'a str> {
    let mut declared = HashSet::new();
    for pair in words.windows(3) {
        let [before, name, after] = [pair[0], pair[1], pair[2]];
        let follows_type = before.kind == TokenKind::Identifier
            && !matches!(before.text, "return" | "else" | "case" | "goto" | "sizeof");
        let is_name = name.kind == TokenKind::Identifier && matches!(after.text, "=" | ";" | "," | ")" | "[");
        if is_name && (follows_type || before.text == "*" && matches!(after.text, "," | ")")) {
            declared.insert(name.text);
        }
    }
    declared
}

/// The facts of all files of a library, and who makes each name known best. Files behind the library's own (kernels) may use
/// it, and are used by nobody.
pub(crate) struct LibraryFacts {
    pub(crate) files: Vec<FileFacts>,
    /// How many of them are the library's own.
    own: usize,
    pub(crate) owners: HashMap<String, (SymbolKind, usize)>,
    /// What each file's code needs.
    pub(crate) needs: Vec<BTreeSet<usize>>,
}

/// Rounds of reading. Each finds macros through macros found by the one before; no real tree has as many steps.
const MAX_ROUNDS: usize = 8;

impl LibraryFacts {
    pub(crate) fn new(library: &Library, prelude: &[ProgramPiece]) -> Self {
        Self::with_users(library, prelude, &[], "")
    }

    /// With kernels that name what they need of the library in `tag`.
    pub(crate) fn with_users(library: &Library, prelude: &[ProgramPiece], users: &[Shard], tag: &str) -> Self {
        let mut reader = Reader::new(prelude, library);
        let own = library.shards().len();
        let shards: Vec<&Shard> = library.shards().iter().chain(users).collect();
        let header = library.shard(library.name()).and_then(|s| library.resolve(s.stem()));
        // Where to start: what the annotations say, and the header.
        let mut behind: Vec<BTreeSet<usize>> = Vec::new();
        for (file, shard) in shards.iter().enumerate() {
            let tags: &[&str] = if file < own { &["depends", "also_depends"] } else { &[tag] };
            let names = tags.iter().flat_map(|t| shard.annotations().list(t));
            let mut list: BTreeSet<usize> = names.filter_map(|n| library.resolve(n)).filter(|i| *i != file).collect();
            list.extend(header.filter(|h| *h != file && file < own));
            behind.push(list);
        }
        let mut facts =
            Self { files: vec![FileFacts::default(); shards.len()], own, owners: HashMap::new(), needs: Vec::new() };
        let mut effects: Vec<MacroEffects> = vec![MacroEffects::default(); shards.len()];
        let mut read_behind: Vec<Option<Vec<usize>>> = vec![None; shards.len()];
        for _ in 0..MAX_ROUNDS {
            let lists: Vec<Vec<usize>> = behind.iter().map(|l| l.iter().copied().collect()).collect();
            let graph = Graph::new(&lists);
            // What is needed comes before what needs it; in a circle, by number.
            let order: Vec<usize> = graph.components().into_iter().flatten().collect();
            let mut position = vec![0; shards.len()];
            order.iter().enumerate().for_each(|(at, file)| position[*file] = at);
            let mut reach = Reach::new(&graph);
            let mut changed = vec![false; shards.len()];
            let mut any = false;
            for file in order {
                let mut before = reach.from(&[file]);
                before.retain(|i| *i != file && !effects[*i].is_empty());
                before.sort_unstable_by_key(|i| position[*i]);
                if read_behind[file].as_ref() == Some(&before) && !before.iter().any(|i| changed[*i]) {
                    continue;
                }
                let (read, effect) = reader.read(file, shards[file].text(), before.iter().map(|i| &effects[*i]));
                facts.files[file] = read;
                reader.add_aliases(&shards[file].provides(), &mut facts.files[file]);
                changed[file] = effects[file] != effect;
                effects[file] = effect;
                read_behind[file] = Some(before);
                any = true;
            }
            if !any {
                break;
            }
            facts.own_names();
            facts.needs = (0..shards.len()).map(|file| facts.needs_of(file)).collect();
            for (list, more) in behind.iter_mut().zip(&facts.needs) {
                list.extend(more);
            }
        }
        facts
    }

    fn own_names(&mut self) {
        self.owners.clear();
        for (index, facts) in self.files[..self.own].iter().enumerate() {
            for (name, kind) in &facts.symbols {
                let best = self.owners.entry(name.clone()).or_insert((*kind, index));
                *best = (*best).min((*kind, index));
            }
        }
    }

    fn needs_of(&self, file: usize) -> BTreeSet<usize> {
        let facts = &self.files[file];
        let names = facts.mentions.iter().chain(&facts.calls);
        let mut list: BTreeSet<usize> = names.filter_map(|name| self.target(file, name)).collect();
        list.extend(&facts.expands);
        list
    }

    /// The other file that a name in `file` refers to, if any.
    pub(crate) fn target(&self, file: usize, name: &str) -> Option<usize> {
        let facts = &self.files[file];
        if facts.defines(name) || facts.own_types.contains(name) {
            return None;
        }
        let (kind, owner) = *self.owners.get(name)?;
        // What the body of a macro names is known where the macro is, if several files define it.
        let knows = |of: &&usize| self.files[**of].defines(name) || self.files[**of].own_types.contains(name);
        let owner = match facts.expands.iter().find(knows) {
            Some(of) => *of,
            None => self.fitting(file, name, owner),
        };
        let used = match kind {
            SymbolKind::Function | SymbolKind::StaticFunction => facts.calls.contains(name),
            _ => facts.mentions.contains(name),
        };
        (used && owner != file).then_some(owner)
    }

    /// Of several files with a macro of this name, the one whose macro takes as many arguments as `file` gives: in C `rnorm` has
    /// two, in a library where everything that a draw depends on is an argument it has five.
    pub(crate) fn fitting(&self, file: usize, name: &str, owner: usize) -> usize {
        let Some(given) = self.files[file].given.get(name) else { return owner };
        let parameters = |of: usize| self.files[of].macro_parameters.get(name);
        let fits = |of: &usize| *of != file && parameters(*of).is_some_and(|count| given.contains(count));
        if parameters(owner).is_none() || fits(&owner) {
            return owner;
        }
        (0..self.own).find(fits).unwrap_or(owner)
    }

    /// Whether anything that `other` makes known or declares occurs in `file`, in code or in a condition.
    pub(crate) fn touches(&self, file: usize, other: usize) -> bool {
        let (facts, other) = (&self.files[file], &self.files[other]);
        let occurs = |name: &String| facts.words.contains(name);
        other.symbols.iter().any(|(n, _)| occurs(n)) || other.declares.iter().chain(&other.written).any(occurs)
    }

    /// What each file should list: what it lists rightly, and what its code needs beside that.
    ///
    /// A listed file stays if the code touches it at all, or if the author says so by other means (`@also_depends`,
    /// `@includes`, pasted names, the header). A needed file is added unless the listed ones lead to it.
    pub(crate) fn depends(&self, library: &Library) -> Vec<BTreeSet<usize>> {
        let header = library.shard(library.name()).and_then(|s| library.resolve(s.stem()));
        // What most files list is a header to its author, whatever it is called.
        let mut listed_by = vec![0_usize; library.shards().len()];
        for file in 0..library.shards().len() {
            library.graph().needs(file).iter().for_each(|need| listed_by[*need] += 1);
        }
        let is_common = |file: usize| library.shards().len() >= 10 && 2 * listed_by[file] >= library.shards().len();
        // Headers list others for the sake of those who use the header: their own code need not show it.
        let passes_on = |file: usize, shard: &Shard| {
            let source_type = shard.annotations().scalar("source_type");
            Some(file) == header
                || is_common(file)
                || matches!(source_type, Some("h" | "hpp"))
                || self.files[file].only_declares()
        };
        let mut lists: Vec<BTreeSet<usize>> = Vec::new();
        let mut soft: HashSet<(usize, usize)> = HashSet::new();
        for (file, shard) in library.shards().iter().enumerate() {
            let annotations = shard.annotations();
            let resolved = |tag: &str| -> BTreeSet<usize> {
                annotations.list(tag).iter().filter_map(|n| library.resolve(n)).filter(|i| *i != file).collect()
            };
            let mut list = resolved("also_depends");
            let included = resolved("includes");
            for listed in resolved("depends") {
                let said = list.contains(&listed) || self.files[file].pastes || self.needs[file].contains(&listed);
                if said {
                    list.insert(listed);
                } else if Some(listed) == header
                    || is_common(listed)
                    || passes_on(file, shard)
                    || included.contains(&listed)
                    || self.touches(file, listed)
                {
                    list.insert(listed);
                    soft.insert((file, listed));
                }
            }
            if !annotations.has("depends") {
                list.extend(&self.needs[file]);
            }
            lists.push(list);
        }
        // The header is listed by everybody whom it does not need itself.
        if let Some(header) = header {
            let graph = graph_of(&lists);
            let needed: Vec<BTreeSet<usize>> = lists.iter().zip(&self.needs).map(|(l, n)| l | n).collect();
            let below_header: HashSet<usize> = graph_of(&needed).reachable(&[header]).into_iter().collect();
            for file in (0..lists.len()).filter(|f| !below_header.contains(f)) {
                let shard = &library.shards()[file];
                let is_new = !shard.annotations().has("depends");
                // Another header may come before this one, or beside it, as its author says.
                if !is_new && passes_on(file, shard) {
                    continue;
                }
                if is_new || !graph.reachable(&[file]).contains(&header) {
                    lists[file].insert(header);
                    soft.insert((file, header));
                }
            }
        }
        let graph = graph_of(&lists);
        let mut reach = Reach::new(&graph);
        for (file, list) in lists.iter_mut().enumerate() {
            let there: HashSet<usize> = reach.from(&[file]).into_iter().collect();
            list.extend(self.needs[file].iter().filter(|n| !there.contains(n)));
        }
        // What only touches must not close a circle.
        for component in graph_of(&lists).components().into_iter().filter(|c| c.len() > 1) {
            for file in &component {
                lists[*file].retain(|other| !(component.contains(other) && soft.contains(&(*file, *other))));
            }
        }
        lists
    }
}

fn graph_of(lists: &[BTreeSet<usize>]) -> Graph {
    Graph::new(&lists.iter().map(|l| l.iter().copied().collect()).collect::<Vec<Vec<usize>>>())
}
