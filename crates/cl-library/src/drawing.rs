//! The dependency graph as JSON, DOT, SVG and one self-contained HTML page.

use crate::library::{Library, Shard};
use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;

/// What a node of the drawing is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeKind {
    /// A file of the library.
    File,
    /// A name that a file needs and nothing provides.
    Missing,
    /// The kernel.
    Kernel,
}

impl NodeKind {
    fn name(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Missing => "missing",
            Self::Kernel => "kernel",
        }
    }
}

/// A node of the drawing.
#[derive(Debug, Clone)]
pub struct Node {
    /// The stem, or the missing name.
    pub name: String,
    /// What it is.
    pub kind: NodeKind,
    /// The file's path; empty for a missing name.
    pub file: String,
    /// What it provides.
    pub provides: Vec<String>,
    /// Lines of text.
    pub lines: usize,
    /// What it needs directly: numbers of nodes.
    pub needs: Vec<usize>,
    /// Who needs it directly.
    pub needed_by: Vec<usize>,
    /// The column: its pass, from 0.
    pub column: usize,
    /// Whether the kernel needs it; false without a kernel.
    pub in_closure: bool,
    x: f64,
    y: f64,
    width: f64,
}

/// The graph of a library, laid out.
#[derive(Debug, Clone)]
pub struct Drawing {
    title: String,
    nodes: Vec<Node>,
    kernel: Option<usize>,
    width: f64,
    height: f64,
}

const ROW: f64 = 26.0;
const GAP: f64 = 70.0;
const MARGIN: f64 = 20.0;

impl Drawing {
    /// The drawing of a library; with a kernel and the annotation in which it names what it needs, its closure is marked.
    ///
    /// Libraries that cannot be ordered can be drawn too: what is stuck is in the last column.
    #[must_use]
    pub fn new(library: &Library, kernel: Option<(&Shard, &str)>) -> Self {
        let (passes, stuck) = library.order_prefix();
        let mut column = vec![passes.len(); library.shards().len()];
        for (pass, members) in passes.iter().enumerate() {
            members.iter().for_each(|m| column[*m] = pass);
        }
        let last = passes.len() + usize::from(!stuck.is_empty());
        let mut nodes: Vec<Node> = library
            .shards()
            .iter()
            .enumerate()
            .map(|(i, shard)| node(shard, NodeKind::File, library.graph().needs(i).to_vec(), column[i]))
            .collect();
        let mut missing: HashMap<String, usize> = HashMap::new();
        for absent in library.missing() {
            let at = *missing.entry(absent.name.clone()).or_insert_with(|| {
                let shard = Shard::with_path(absent.name.clone(), "", "");
                nodes.push(node(&shard, NodeKind::Missing, Vec::new(), 0));
                nodes.len() - 1
            });
            if let Some(from) = library.resolve(&absent.needed_by) {
                nodes[from].needs.push(at);
            }
        }
        let mut kernel_node = None;
        if let Some((shard, tag)) = kernel {
            let needs: BTreeSet<usize> =
                shard.annotations().list(tag).iter().filter_map(|n| library.resolve(n)).collect();
            nodes.push(node(shard, NodeKind::Kernel, needs.into_iter().collect(), last));
            kernel_node = Some(nodes.len() - 1);
        }
        for from in 0..nodes.len() {
            for to in nodes[from].needs.clone() {
                nodes[to].needed_by.push(from);
            }
        }
        if let Some(kernel) = kernel_node {
            mark(&mut nodes, kernel);
        }
        let mut drawing =
            Self { title: library.name().to_owned(), nodes, kernel: kernel_node, width: 0.0, height: 0.0 };
        drawing.lay_out();
        drawing
    }

    /// The nodes.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Columns by pass; within a column, nodes stand near what they need.
    fn lay_out(&mut self) {
        let columns = self.nodes.iter().map(|n| n.column).max().unwrap_or(0) + 1;
        let mut x = MARGIN;
        let mut tallest: f64 = 0.0;
        let mut by_column: Vec<Vec<usize>> = vec![Vec::new(); columns];
        for (i, node) in self.nodes.iter().enumerate() {
            by_column[node.column].push(i);
        }
        for mut members in by_column {
            let centre = |i: &usize| {
                let needs = &self.nodes[*i].needs;
                let sum: f64 = needs.iter().map(|n| self.nodes[*n].y).sum();
                if needs.is_empty() { 0.0 } else { sum / f64::from(u32::try_from(needs.len()).unwrap_or(1)) }
            };
            let mut keyed: Vec<(f64, usize)> = members.iter().map(|i| (centre(i), *i)).collect();
            keyed.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| self.nodes[a.1].name.cmp(&self.nodes[b.1].name)));
            members = keyed.into_iter().map(|(_, i)| i).collect();
            let width = members.iter().map(|i| self.nodes[*i].width).fold(0.0, f64::max);
            for (row, member) in members.iter().enumerate() {
                self.nodes[*member].x = x;
                self.nodes[*member].y = MARGIN + ROW * f64::from(u32::try_from(row).unwrap_or(0));
                tallest = tallest.max(self.nodes[*member].y);
            }
            if !members.is_empty() {
                x += width + GAP;
            }
        }
        self.width = (x - GAP + MARGIN).max(100.0);
        self.height = tallest + ROW + MARGIN;
    }

    /// JSON, schema `gristmill.lib.graph/1`.
    #[must_use]
    pub fn json(&self) -> String {
        let names = |list: &[usize]| strings(list.iter().map(|i| self.nodes[*i].name.as_str()));
        let mut text = String::new();
        let _ = write!(text, "{{\n  \"schema\": \"gristmill.lib.graph/1\",\n  \"library\": {},\n", string(&self.title));
        let kernel = self.kernel.map_or_else(|| "null".to_owned(), |k| string(&self.nodes[k].name));
        let _ = write!(text, "  \"kernel\": {kernel},\n  \"nodes\": [");
        for (i, node) in self.nodes.iter().enumerate() {
            let _ = write!(
                text,
                "{}\n    {{\"name\": {}, \"kind\": \"{}\", \"file\": {}, \"lines\": {}, \"pass\": {}, \"in_closure\": {}, \"provides\": {}, \"needs\": {}, \"needed_by\": {}}}",
                if i == 0 { "" } else { "," },
                string(&node.name),
                node.kind.name(),
                string(&node.file),
                node.lines,
                node.column + 1,
                node.in_closure,
                strings(node.provides.iter().map(String::as_str)),
                names(&node.needs),
                names(&node.needed_by),
            );
        }
        text.push_str("\n  ]\n}\n");
        text
    }

    /// Graphviz DOT. An arrow leads from a file to what it needs.
    #[must_use]
    pub fn dot(&self) -> String {
        let mut text = format!(
            "digraph {} {{\n  rankdir=RL;\n  node [shape=box, fontname=\"sans-serif\"];\n",
            string(&self.title)
        );
        for node in &self.nodes {
            let style = match (node.kind, node.in_closure) {
                (NodeKind::Missing, _) => " [style=dashed, color=red]",
                (NodeKind::Kernel, _) => " [style=filled, fillcolor=orange]",
                (NodeKind::File, true) => " [style=filled, fillcolor=lightyellow]",
                (NodeKind::File, false) => "",
            };
            let _ = writeln!(text, "  {}{style};", string(&node.name));
        }
        for node in &self.nodes {
            for need in &node.needs {
                let _ = writeln!(text, "  {} -> {};", string(&node.name), string(&self.nodes[*need].name));
            }
        }
        text.push_str("}\n");
        text
    }

    /// A stand-alone SVG.
    #[must_use]
    pub fn svg(&self) -> String {
        let style = ".edge{fill:none;stroke:#999;stroke-width:1}.node rect{fill:#fff;stroke:#555}.node text{font:12px sans-serif;fill:#111}\
                     .in rect{fill:#fff3b0}.kernel rect{fill:#ffc46b}.missing rect{stroke:#c00;stroke-dasharray:4 2}.edge.in{stroke:#a60;stroke-width:1.6}";
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w:.0}\" height=\"{h:.0}\" viewBox=\"0 0 {w:.0} {h:.0}\">\n<title>{}</title>\n<style>{style}</style>\n{}</svg>\n",
            escape(&self.title),
            self.shapes(),
            w = self.width,
            h = self.height,
        )
    }

    fn shapes(&self) -> String {
        let mut text = String::from("<g id=\"edges\">\n");
        for (from, node) in self.nodes.iter().enumerate() {
            for to in &node.needs {
                let need = &self.nodes[*to];
                let (x1, y1) = (node.x, node.y + ROW / 2.0 - 3.0);
                let (x2, y2) = (need.x + need.width, need.y + ROW / 2.0 - 3.0);
                let bend = ((x1 - x2).abs() / 2.0).clamp(20.0, 120.0);
                let class = if node.in_closure && need.in_closure { "edge in" } else { "edge" };
                let _ = writeln!(
                    text,
                    "<path class=\"{class}\" data-from=\"{from}\" data-to=\"{to}\" d=\"M{x1:.0} {y1:.0}C{:.0} {y1:.0} {:.0} {y2:.0} {x2:.0} {y2:.0}\"/>",
                    x1 - bend,
                    x2 + bend
                );
            }
        }
        text.push_str("</g>\n<g id=\"nodes\">\n");
        for (i, node) in self.nodes.iter().enumerate() {
            let mut class = String::from("node");
            if node.in_closure {
                class.push_str(" in");
            }
            if node.kind != NodeKind::File {
                class.push(' ');
                class.push_str(node.kind.name());
            }
            let _ = writeln!(
                text,
                "<g class=\"{class}\" data-node=\"{i}\" transform=\"translate({:.0} {:.0})\"><title>{name}</title><rect width=\"{:.0}\" height=\"{:.0}\" rx=\"3\"/><text x=\"7\" y=\"14\">{name}</text></g>",
                node.x,
                node.y,
                node.width,
                ROW - 6.0,
                name = escape(&node.name),
            );
        }
        text.push_str("</g>\n");
        text
    }

    /// One page without any other file: pan, zoom, search, and a click that shows a node and highlights what it needs.
    /// `#select=NAME` in its address selects a node or the file that provides a function.
    #[must_use]
    pub fn html(&self) -> String {
        // Names are anybody's: `</script`, or `<!--` and `<script`, in the data would change where the script ends. Outside of
        // strings there is no such sign.
        let data = self.json().replace('<', "\\u003c");
        include_str!("drawing.html")
            .replace("@TITLE@", &escape(&self.title))
            .replace("@COUNT@", &self.nodes.iter().filter(|n| n.kind == NodeKind::File).count().to_string())
            .replace("@WIDTH@", &format!("{:.0}", self.width))
            .replace("@HEIGHT@", &format!("{:.0}", self.height))
            .replace("@SHAPES@", &self.shapes())
            .replace("@DATA@", &data)
    }
}

fn node(shard: &Shard, kind: NodeKind, needs: Vec<usize>, column: usize) -> Node {
    Node {
        name: shard.stem().to_owned(),
        kind,
        file: shard.path().to_owned(),
        provides: shard.provides().into_iter().map(str::to_owned).collect(),
        lines: shard.text().lines().count(),
        needs,
        needed_by: Vec::new(),
        column,
        in_closure: false,
        x: 0.0,
        y: 0.0,
        width: 14.0 + shard.stem().chars().map(letter_width).sum::<f64>(),
    }
}

/// About how wide a letter of 12 px sans-serif is; a browser measures it anew.
fn letter_width(letter: char) -> f64 {
    match letter {
        'i' | 'j' | 'l' | 'f' | 't' | 'r' | '.' | '-' | ' ' => 5.0,
        'm' | 'w' | 'M' | 'W' => 11.5,
        'A'..='Z' => 8.8,
        _ => 7.5,
    }
}

fn mark(nodes: &mut [Node], root: usize) {
    let mut stack = vec![root];
    while let Some(at) = stack.pop() {
        if !std::mem::replace(&mut nodes[at].in_closure, true) {
            stack.extend(nodes[at].needs.clone());
        }
    }
}

/// A JSON string (also valid in DOT).
fn string(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if u32::from(c) < 0x20 => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

fn strings<'a>(list: impl Iterator<Item = &'a str>) -> String {
    format!("[{}]", list.map(string).collect::<Vec<_>>().join(", "))
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
