//! Breaking dependency cycles between files.
//!
//! Files need each other in a circle because each holds functions at several levels: `a.cl` has `f`, which calls `g` of
//! `b.cl`, and `h`, which `g` calls. The functions themselves form no circle (OpenCL C has no recursion), so the files can be
//! split by level: a function's level is one more than that of any function it calls in another file of the knot, and no less
//! than that of those it calls in its own file. The top level of each file keeps its name, so that nobody else has to change; the
//! levels below move to `NAME_cycle_free.cl`. Functions that do call each other in a circle move to one file together, which
//! starts with forward declarations of them.

use crate::annotate::{LibraryPlan, annotate_contents};
use crate::annotations::Annotations;
use crate::error::Result;
use crate::facts::LibraryFacts;
use crate::graph::Graph;
use crate::lexer::{Token, lex};
use crate::library::Library;
use crate::preprocess::Position;
use crate::program::ProgramPiece;
use crate::scan::{Word, scan};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// One file of a proposal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fragment {
    /// The stem: that of the file that is split, or a new one.
    pub stem: String,
    /// The functions that belong there.
    pub functions: Vec<String>,
    /// The functions that are declared at its start because they call each other.
    pub forward_declarations: Vec<String>,
}

/// How to break one knot of files that need each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CycleProposal {
    /// A shortest circle, as stems; starts and ends with the same.
    pub cycle: Vec<String>,
    /// Who calls whom on that circle: `f` of `a` calls `g` of `b`.
    pub because: Vec<String>,
    /// The files to make of it; empty if it cannot be split.
    pub fragments: Vec<Fragment>,
    /// Why it cannot be split.
    pub obstacle: Option<String>,
}

impl LibraryPlan {
    /// How each remaining cycle could be broken.
    #[must_use]
    pub fn proposals(&self, prelude: &[ProgramPiece]) -> Vec<CycleProposal> {
        let facts = LibraryFacts::new(&self.library, prelude);
        self.cycles.iter().map(|cycle| Knot::new(&self.library, &facts, cycle).proposal()).collect()
    }

    /// The plan with all cycles broken that can be. What cannot be broken stays in [`cycles`](Self::cycles).
    ///
    /// # Errors
    /// If the new files could not form a library (a stem that exists already is avoided).
    pub fn break_cycles(self, prelude: &[ProgramPiece]) -> Result<Self> {
        let mut plan = self;
        // A split shows the circles that the larger one hid; each round makes files smaller, so it ends.
        for _ in 0..16 {
            if plan.cycles.is_empty() {
                break;
            }
            let facts = LibraryFacts::new(&plan.library, prelude);
            let mut contents = plan.after.clone();
            let mut progress = false;
            for cycle in &plan.cycles {
                for (stem, text) in Knot::new(&plan.library, &facts, cycle).texts() {
                    progress |= contents.get(&stem).is_none_or(|old| *old != text.as_bytes());
                    contents.insert(stem, text.into_bytes());
                }
            }
            if !progress {
                break;
            }
            let name = plan.library.name().to_owned();
            let (library, after) = annotate_contents(&plan.dir, &name, contents.into_iter().collect(), prelude)?;
            let cycles = library.graph().cycles();
            plan = Self { library, after, cycles, ..plan };
        }
        Ok(plan)
    }
}

/// A function's text in its file.
struct Part {
    file: usize,
    name: String,
    span: std::ops::Range<usize>,
}

/// A set of files that need each other.
struct Knot<'a> {
    library: &'a Library,
    facts: &'a LibraryFacts,
    cycle: Vec<usize>,
    files: Vec<usize>,
    parts: Vec<Part>,
    obstacle: Option<String>,
}

/// Functions and preambles of a knot, with the file each shall go to and its level.
struct Levels {
    /// For each part: its home (a file's stem) and level.
    parts: Vec<(String, usize)>,
    /// For each file of the knot, the level of what is no function.
    preambles: Vec<usize>,
    /// Homes of functions that call each other, with those functions.
    circles: BTreeMap<String, Vec<usize>>,
}

impl<'a> Knot<'a> {
    fn new(library: &'a Library, facts: &'a LibraryFacts, cycle: &[usize]) -> Self {
        let components = library.graph().components();
        let mut files = components.into_iter().find(|c| c.contains(&cycle[0])).unwrap_or_default();
        files.sort_unstable();
        let mut knot = Self { library, facts, cycle: cycle.to_vec(), files, parts: Vec::new(), obstacle: None };
        for file in knot.files.clone() {
            match functions_of(library.shards()[file].text()) {
                Ok(found) => knot.parts.extend(found.into_iter().map(|(name, span)| Part { file, name, span })),
                Err(problem) => knot.obstacle = Some(format!("`{}`: {problem}", library.shards()[file].stem())),
            }
        }
        knot
    }

    fn stem(&self, file: usize) -> &str {
        self.library.shards()[file].stem()
    }

    /// Nodes: the parts, then one preamble for each file. Edges: what needs what.
    fn needs(&self) -> Vec<Vec<usize>> {
        let of_function: HashMap<(usize, &str), usize> =
            self.parts.iter().enumerate().map(|(i, p)| ((p.file, p.name.as_str()), i)).collect();
        let preamble = |file: usize| self.files.iter().position(|f| *f == file).map(|i| self.parts.len() + i);
        let node_of = |file: usize, name: &str| of_function.get(&(file, name)).copied().or_else(|| preamble(file));
        let resolve = |file: usize, name: &str| {
            if self.facts.files[file].defines(name) {
                return node_of(file, name);
            }
            let target = self.facts.target(file, name).filter(|t| self.files.contains(t))?;
            node_of(target, name)
        };
        let empty = BTreeSet::new();
        let mut needs = Vec::new();
        for part in &self.parts {
            let names = self.facts.files[part.file].functions.get(&part.name).unwrap_or(&empty);
            let mut list: BTreeSet<usize> = names.iter().filter_map(|n| resolve(part.file, n)).collect();
            list.extend(preamble(part.file));
            needs.push(list);
        }
        for file in &self.files {
            let facts = &self.facts.files[*file];
            let in_functions: BTreeSet<&String> = facts.functions.values().flatten().collect();
            let names = facts.mentions.iter().chain(&facts.calls).filter(|n| !in_functions.contains(n));
            needs.push(names.filter_map(|n| resolve(*file, n)).collect());
        }
        let drop_self = |(i, list): (usize, BTreeSet<usize>)| list.into_iter().filter(|n| *n != i).collect();
        needs.into_iter().enumerate().map(drop_self).collect()
    }

    fn levels(&self) -> std::result::Result<Levels, String> {
        if let Some(obstacle) = &self.obstacle {
            return Err(obstacle.clone());
        }
        let graph = Graph::new(&self.needs());
        let count = self.parts.len();
        let file_of = |node: usize| if node < count { self.parts[node].file } else { self.files[node - count] };
        let mut home: Vec<String> = (0..graph.len()).map(|n| self.stem(file_of(n)).to_owned()).collect();
        let mut level = vec![0; graph.len()];
        let mut circles: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        // Components come in an order in which what is needed is before what needs it.
        for mut component in graph.components() {
            component.sort_unstable();
            if component.len() > 1 {
                if let Some(preamble) = component.iter().find(|n| **n >= count) {
                    return Err(format!(
                        "macros, types or constants of `{}` need something that needs them; move them into a file of their own",
                        self.stem(file_of(*preamble))
                    ));
                }
                let files: BTreeSet<&str> = component.iter().map(|n| self.stem(file_of(*n))).collect();
                if files.len() > 1 {
                    let name = format!("{}_cycle", files.into_iter().collect::<Vec<_>>().join("_"));
                    component.iter().for_each(|n| home[*n].clone_from(&name));
                    circles.entry(name).or_default().extend(&component);
                }
            }
            let of = component.iter().flat_map(|n| graph.needs(*n).iter().map(move |m| (*n, *m)));
            let needed = of.filter(|(_, m)| !component.contains(m));
            let height = needed.map(|(n, m)| level[m] + usize::from(home[m] != home[n])).max().unwrap_or(0);
            component.iter().for_each(|n| level[*n] = height);
        }
        // A preamble that only its own functions use stays with the lowest of them.
        let needed_by = graph.needed_by();
        for preamble in count..graph.len() {
            let users = needed_by.needs(preamble);
            if users.iter().all(|n| *n < count && home[*n] == home[preamble]) {
                level[preamble] = users.iter().map(|n| level[*n]).min().unwrap_or(level[preamble]);
            }
        }
        let parts = (0..count).map(|n| (home[n].clone(), level[n])).collect();
        Ok(Levels { parts, preambles: level[count..].to_vec(), circles })
    }

    /// The stem of a file's fragment at a level, given all its levels.
    fn fragment_stem(&self, stem: &str, levels: &BTreeSet<usize>, level: usize) -> String {
        if levels.last() == Some(&level) {
            return stem.to_owned();
        }
        let below = levels.len() - 1;
        let base = format!("{stem}_cycle_free");
        let number = levels.iter().position(|l| *l == level).unwrap_or(0) + 1;
        let name = if below == 1 { base } else { format!("{base}_{number}") };
        if self.library.shard(&name).is_some() { format!("{name}_{}", number + 1) } else { name }
    }

    /// For each home its levels. A file whose functions moved elsewhere keeps a top level above them.
    fn home_levels(&self, levels: &Levels) -> BTreeMap<String, BTreeSet<usize>> {
        let mut homes: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
        for (home, level) in &levels.parts {
            homes.entry(home.clone()).or_default().insert(*level);
        }
        for (file, level) in self.files.iter().zip(&levels.preambles) {
            homes.entry(self.stem(*file).to_owned()).or_default().insert(*level);
        }
        for (part, (home, level)) in self.parts.iter().zip(&levels.parts) {
            let own = self.stem(part.file);
            if home != own && homes.get(own).and_then(|l| l.last()).is_some_and(|top| top <= level) {
                homes.entry(own.to_owned()).or_default().insert(level + 1);
            }
        }
        homes
    }

    fn proposal(&self) -> CycleProposal {
        let cycle = self.library.stems(&self.cycle);
        let mut because = Vec::new();
        for step in self.cycle.windows(2) {
            let facts = &self.facts.files[step[0]];
            let target = |n: &String| self.facts.target(step[0], n) == Some(step[1]);
            let call = facts
                .functions
                .iter()
                .find_map(|(f, names)| names.iter().find(|n| target(n)).map(|n| (f.clone(), n.clone())));
            let (from, to) = (self.stem(step[0]), self.stem(step[1]));
            because.push(match call {
                Some((function, name)) => format!("`{function}` of `{from}` uses `{name}` of `{to}`"),
                None => match facts.mentions.iter().chain(&facts.calls).find(|n| target(n)) {
                    Some(name) => format!("`{from}` uses `{name}` of `{to}`"),
                    None => format!("`{from}` only says that it depends on `{to}`"),
                },
            });
        }
        match self.levels() {
            Err(obstacle) => CycleProposal { cycle, because, fragments: Vec::new(), obstacle: Some(obstacle) },
            Ok(levels) => CycleProposal { cycle, because, fragments: self.fragments(&levels), obstacle: None },
        }
    }

    fn fragments(&self, levels: &Levels) -> Vec<Fragment> {
        let mut fragments = Vec::new();
        for (home, own_levels) in self.home_levels(levels) {
            for level in &own_levels {
                let here = |part: &usize| levels.parts[*part] == (home.clone(), *level);
                let functions: Vec<String> =
                    (0..self.parts.len()).filter(here).map(|p| self.parts[p].name.clone()).collect();
                let circle = levels.circles.get(&home);
                let forward =
                    circle.map(|c| c.iter().map(|p| self.parts[*p].name.clone()).collect()).unwrap_or_default();
                let stem = self.fragment_stem(&home, &own_levels, *level);
                fragments.push(Fragment { stem, functions, forward_declarations: forward });
            }
        }
        fragments
    }

    /// The texts of the files after the split; nothing if it cannot be split.
    fn texts(&self) -> Vec<(String, String)> {
        let Ok(levels) = self.levels() else { return Vec::new() };
        let mut texts = Vec::new();
        for (home, own_levels) in self.home_levels(&levels) {
            let file = self.files.iter().copied().find(|f| self.stem(*f) == home);
            for level in &own_levels {
                let here: Vec<&Part> = (0..self.parts.len())
                    .filter(|p| levels.parts[*p] == (home.clone(), *level))
                    .map(|p| &self.parts[p])
                    .collect();
                let has_preamble = file.is_some_and(|f| {
                    self.files.iter().position(|g| *g == f).is_some_and(|i| levels.preambles[i] == *level)
                });
                let mut text = match file {
                    Some(file) if has_preamble => self.without_others(file, &here),
                    Some(file) => self.only(file, &here),
                    None => self.circle(&here),
                };
                if own_levels.last() == Some(level) && file.is_some() {
                    text = self.with_dependencies(&text, &home, &own_levels, &levels);
                }
                texts.push((self.fragment_stem(&home, &own_levels, *level), text));
            }
        }
        texts
    }

    /// The whole file without the functions that go elsewhere.
    fn without_others(&self, file: usize, here: &[&Part]) -> String {
        let text = self.library.shards()[file].text();
        let mut gone: Vec<&Part> =
            self.parts.iter().filter(|p| p.file == file && !here.iter().any(|h| h.name == p.name)).collect();
        gone.sort_by_key(|p| p.span.start);
        let mut out = String::new();
        let mut at = 0;
        for part in gone {
            out.push_str(text[at..part.span.start].trim_end_matches(' '));
            at = part.span.end;
            at += text[at..].len() - text[at..].trim_start_matches('\n').len();
        }
        out.push_str(&text[at..]);
        out
    }

    /// The leading comments of a file and some of its functions.
    fn only(&self, file: usize, here: &[&Part]) -> String {
        let text = self.library.shards()[file].text();
        let mut out = leading_comments(text);
        for part in here {
            out.push('\n');
            out.push_str(&text[part.span.clone()]);
            out.push('\n');
        }
        out
    }

    /// Forward declarations and the functions that call each other.
    fn circle(&self, here: &[&Part]) -> String {
        let text_of = |part: &Part| &self.library.shards()[part.file].text()[part.span.clone()];
        let mut out = String::from("// These functions call each other, hence the declarations.\n");
        for part in here {
            let text = text_of(part);
            let head = text.find('{').map_or(text, |at| &text[..at]);
            let start = lex(head).iter().find(|t| !t.is_comment()).map_or(0, |t| t.start);
            out.push_str(&format!("{};\n", head[start..].split_whitespace().collect::<Vec<_>>().join(" ")));
        }
        for part in here {
            out.push_str(&format!("\n{}\n", text_of(part)));
        }
        out
    }

    /// The file that keeps the name depends on all that moved out of it, so that who needs it gets everything as before.
    fn with_dependencies(&self, text: &str, home: &str, own_levels: &BTreeSet<usize>, levels: &Levels) -> String {
        let mut list: BTreeSet<String> =
            own_levels.iter().map(|l| self.fragment_stem(home, own_levels, *l)).filter(|s| s != home).collect();
        let moved = self.parts.iter().zip(&levels.parts).filter(|(p, (h, _))| self.stem(p.file) == home && h != home);
        list.extend(moved.map(|(_, (h, _))| h.clone()));
        if list.is_empty() {
            return text.to_owned();
        }
        let declared = Annotations::parse(text);
        let mut all: Vec<String> = declared.list("also_depends").iter().map(|s| (*s).to_owned()).collect();
        all.extend(list);
        all.sort();
        all.dedup();
        let bytes = crate::annotate::set_annotations(text.as_bytes(), &[("also_depends", Some(all))]);
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// The comments above the first code or directive, without annotations that the split makes wrong.
fn leading_comments(text: &str) -> String {
    let tokens = lex(text);
    let end = tokens.iter().find(|t| !t.is_comment()).map_or(text.len(), |t| t.start);
    let head = text[..end].trim_end();
    let kept: Vec<&str> =
        head.lines().filter(|line| !line.trim_start().trim_start_matches('/').trim_start().starts_with('@')).collect();
    let mut out = kept.join("\n").trim_start_matches('\n').to_owned();
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

/// The functions of a text and their spans, comments directly above included.
fn functions_of(text: &str) -> std::result::Result<Vec<(String, std::ops::Range<usize>)>, String> {
    let tokens = lex(text);
    let mut words = Vec::new();
    let mut word_tokens: Vec<usize> = Vec::new();
    let mut open_at_word: Vec<usize> = Vec::new();
    let (mut open, mut guard) = (0_usize, 0_usize);
    let mut at = 0;
    while at < tokens.len() {
        let token = tokens[at];
        if token.is_comment() {
            at += 1;
        } else if token.starts_line && token.text(text) == "#" {
            let end = (at + 1..tokens.len())
                .find(|i| tokens[*i].starts_line && !tokens[*i].is_comment())
                .unwrap_or(tokens.len());
            let name = tokens.get(at + 1).map_or("", |t| t.text(text));
            match name {
                "if" | "ifdef" | "ifndef" => {
                    guard +=
                        usize::from(words.is_empty() && name == "ifndef" && is_whole_file_guard(text, &tokens, at));
                    open += 1;
                }
                "endif" => open = open.saturating_sub(1),
                _ => {}
            }
            at = end;
        } else {
            let position = Position::of(&token, 0);
            words.push(Word { kind: token.kind, text: token.text(text), position, via: None });
            word_tokens.push(at);
            open_at_word.push(open);
            at += 1;
        }
    }
    let mut found = Vec::new();
    for function in scan(&words).functions {
        let (first, last) = (function.tokens.start, function.tokens.end - 1);
        if open_at_word[first] > guard || open_at_word[last] > guard {
            return Err(format!("`{}` stands under `#if`, so that it cannot be moved", function.name));
        }
        let mut token = word_tokens[first];
        while token > 0 && tokens[token - 1].is_comment() && !tokens[token - 1].text(text).contains('@') {
            let between = &text[tokens[token - 1].end..tokens[token].start];
            if between.matches('\n').count() > 1 {
                break;
            }
            token -= 1;
        }
        found.push((function.name.to_owned(), tokens[token].start..tokens[word_tokens[last]].end));
    }
    Ok(found)
}

/// `#ifndef X` / `#define X` … `#endif` around everything.
fn is_whole_file_guard(text: &str, tokens: &[Token], at: usize) -> bool {
    let word = |i: usize| tokens.get(at + i).map_or("", |t| t.text(text));
    let last = tokens.iter().rfind(|t| !t.is_comment() && t.starts_line).map(|t| t.start);
    let ends = last.is_some_and(|start| text[start..].trim_start_matches('#').trim_start().starts_with("endif"));
    word(3) == "#" && word(4) == "define" && word(5) == word(2) && ends
}
