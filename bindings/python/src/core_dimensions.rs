//! Core dimensions: which sizes of a kernel of arrays go together, as NumPy writes them, `(n,k),(k,m)->(n,m)`.

use numpy::npyffi::npy_intp;

/// The dimensions of every operand of a kernel, each by its number.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CoreDimensions {
    /// In the order in which NumPy numbers them: that of their first appearance.
    names: Vec<Name>,
    /// Those of each operand, the outermost first; sources, then destinations.
    operands: Vec<Vec<usize>>,
    /// How many of the operands are sources.
    sources: usize,
}

#[derive(Debug, Clone, PartialEq)]
struct Name {
    text: String,
    /// `n?`: NumPy lets an array come without it.
    can_be_left_out: bool,
}

impl Name {
    /// A number stands for itself.
    fn fixed(&self) -> Option<npy_intp> {
        self.text.parse().ok()
    }
}

impl CoreDimensions {
    /// A kernel of elements.
    pub(crate) fn none(sources: usize) -> CoreDimensions {
        CoreDimensions { names: Vec::new(), operands: vec![Vec::new(); sources + 1], sources }
    }

    /// What a gufunc's signature says; `None` where it says something that is not known here.
    pub(crate) fn parse(signature: &str) -> Option<CoreDimensions> {
        let text: String = signature.chars().filter(|c| !c.is_whitespace()).collect();
        let (sources, results) = text.split_once("->")?;
        let mut all = CoreDimensions { names: Vec::new(), operands: Vec::new(), sources: 0 };
        all.add_operands(sources)?;
        all.sources = all.operands.len();
        all.add_operands(results)?;
        Some(all)
    }

    /// Adds `(n,k),(k,m)`.
    fn add_operands(&mut self, text: &str) -> Option<()> {
        let inside = text.strip_prefix('(')?.strip_suffix(')')?;
        for operand in inside.split("),(") {
            let names = operand.split(',').filter(|name| !name.is_empty());
            let dimensions = names.map(|name| self.number_of(name)).collect::<Option<Vec<usize>>>()?;
            self.operands.push(dimensions);
        }
        Some(())
    }

    fn number_of(&mut self, written: &str) -> Option<usize> {
        let (text, can_be_left_out) = written.strip_suffix('?').map_or((written, false), |name| (name, true));
        if !text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return None;
        }
        if let Some(known) = self.names.iter().position(|name| name.text == text) {
            return Some(known);
        }
        self.names.push(Name { text: text.to_string(), can_be_left_out });
        Some(self.names.len() - 1)
    }

    /// As many results more, of elements.
    pub(crate) fn add_results(&mut self, more: usize) {
        self.operands.extend(std::iter::repeat_n(Vec::new(), more));
    }

    /// The same with one of the results alone; dimensions that nobody has any more are gone.
    pub(crate) fn with_result(&self, wanted: usize) -> CoreDimensions {
        let mut all = CoreDimensions { names: Vec::new(), operands: Vec::new(), sources: self.sources };
        for operand in self.operands[..self.sources].iter().chain([&self.operands[self.sources + wanted]]) {
            let dimensions = operand.iter().map(|&number| {
                let name = &self.names[number];
                all.names.iter().position(|known| known == name).unwrap_or_else(|| {
                    all.names.push(name.clone());
                    all.names.len() - 1
                })
            });
            let dimensions = dimensions.collect();
            all.operands.push(dimensions);
        }
        all
    }

    /// Over so many dimensions more, which all operands have.
    pub(crate) fn lifted(&self, more: usize) -> CoreDimensions {
        // No name of NumPy's or of an earlier lifting is like these.
        let earlier = self.names.iter().filter(|name| name.text.starts_with("lifted_")).count();
        let new = (0..more).map(|i| Name { text: format!("lifted_{}", earlier + i), can_be_left_out: false });
        let names: Vec<Name> = new.chain(self.names.iter().cloned()).collect();
        let of = |operand: &Vec<usize>| (0..more).chain(operand.iter().map(|number| number + more)).collect();
        CoreDimensions { names, operands: self.operands.iter().map(of).collect(), sources: self.sources }
    }

    /// Whether no operand has any.
    pub(crate) fn is_none(&self) -> bool {
        self.names.is_empty()
    }

    /// The dimensions of each operand: sources, then destinations.
    pub(crate) fn operands(&self) -> &[Vec<usize>] {
        &self.operands
    }

    /// The first dimension of an operand that no source has: how large it is only the operand itself can tell.
    pub(crate) fn unknown_of(&self, operand: usize) -> Option<&str> {
        let unknown = self.operands[operand].iter().find(|number| {
            let name = &self.names[**number];
            name.fixed().is_none() && !self.operands[..self.sources].iter().any(|source| source.contains(number))
        });
        unknown.map(|number| self.names[*number].text.as_str())
    }

    /// The sizes of all dimensions, from those of the operands that are given.
    ///
    /// # Errors
    /// When two operands do not agree, in words.
    pub(crate) fn sizes(&self, given: impl Iterator<Item = (usize, Vec<npy_intp>)>) -> Result<Vec<npy_intp>, String> {
        let mut sizes: Vec<Option<(npy_intp, usize)>> = vec![None; self.names.len()];
        for (operand, its) in given {
            for (&number, size) in self.operands[operand].iter().zip(its) {
                let name = &self.names[number];
                match (sizes[number], name.fixed()) {
                    (_, Some(fixed)) if fixed != size => {
                        return Err(format!(
                            "a dimension of {} has the size {size}, but must have {fixed}",
                            self.called(operand)
                        ));
                    }
                    (Some((before, first)), _) if before != size => {
                        return Err(format!(
                            "`{}` is {before} in {}, but {size} in {}",
                            name.text,
                            self.called(first),
                            self.called(operand)
                        ));
                    }
                    _ => sizes[number] = sizes[number].or(Some((size, operand))),
                }
            }
        }
        let size = |(size, name): (&Option<(npy_intp, usize)>, &Name)| {
            size.map(|s| s.0).or(name.fixed()).ok_or_else(|| format!("nothing tells how large `{}` is", name.text))
        };
        sizes.iter().zip(&self.names).map(size).collect()
    }

    fn called(&self, operand: usize) -> String {
        if operand < self.sources { format!("source {operand}") } else { "the destination".to_string() }
    }

    /// As NumPy writes it.
    pub(crate) fn signature(&self) -> String {
        let name = |number: &usize| {
            let Name { text, can_be_left_out } = &self.names[*number];
            format!("{text}{}", if *can_be_left_out { "?" } else { "" })
        };
        let one = |operand: &Vec<usize>| format!("({})", operand.iter().map(name).collect::<Vec<_>>().join(","));
        let all: Vec<String> = self.operands.iter().map(one).collect();
        format!("{}->{}", all[..self.sources].join(","), all[self.sources..].join(","))
    }
}
