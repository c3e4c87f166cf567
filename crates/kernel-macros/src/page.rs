//! A function's comment as a page of documentation: its labelled lines as paragraphs, its tables of ranges as lists.
//!
//! The comments of kernels are read in the source first: `Domain: …`, `Method: …`, below it a line for each range with its formula
//! in a second column. Markdown would run all of it together. What the comment says as data (the shard's `doc`) stays as it is.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, Expr, Lit, Meta};

/// Blanks between the columns of a table of ranges.
const GAP: &str = "  ";
/// A line of a table that begins with so many blanks goes on with the cell above.
const DEEP: usize = 5;

/// The attributes of a function, with its documentation laid out.
pub(crate) fn laid_out(attrs: &[Attribute]) -> Vec<TokenStream> {
    let mut page = Page::default();
    let mut out = vec![];
    for attr in attrs {
        let text = match &attr.meta {
            Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
                Expr::Lit(literal) => match &literal.lit {
                    Lit::Str(text) => Some(text),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        };
        match text {
            Some(text) => {
                for line in text.value().split('\n') {
                    let lines = page.line(line.strip_prefix(' ').unwrap_or(line));
                    out.extend(lines.into_iter().map(|line| quote_spanned!(attr.span() => #[doc = #line])));
                }
            }
            None => out.push(attr.to_token_stream()),
        }
    }
    out
}

/// What the lines so far have opened.
#[derive(Default)]
struct Page {
    /// A paragraph that began with a label.
    labelled: bool,
    /// A list of ranges in it.
    list: bool,
    /// A block of code.
    code: bool,
}

impl Page {
    /// The lines of the page that stand for this one of the comment.
    fn line(&mut self, line: &str) -> Vec<String> {
        let text = line.trim_start();
        let depth = line.len() - text.len();
        if text.starts_with("```") {
            self.code = !self.code;
        }
        if self.code || text.is_empty() {
            (self.labelled, self.list) = (false, false);
            return vec![line.to_string()];
        }
        if let Some((label, text)) = labelled(line) {
            let row = range(text);
            (self.labelled, self.list) = (true, row.is_some());
            return match row {
                Some(row) => vec![String::new(), format!("**{label}:**"), String::new(), row],
                None => vec![String::new(), format!("**{label}:** {text}").trim_end().to_string()],
            };
        }
        if !self.labelled {
            return vec![line.to_string()];
        }
        if depth >= 2
            && let Some(row) = range(text)
        {
            let before = (!self.list).then(String::new);
            self.list = true;
            return before.into_iter().chain([row]).collect();
        }
        if self.list && depth >= DEEP {
            return vec![format!("  {text}")];
        }
        let before = self.list.then(String::new);
        self.list = false;
        before.into_iter().chain([text.to_string()]).collect()
    }
}

/// The capitalised word with a colon with which a line of a kernel's comment may begin, and what follows.
fn labelled(line: &str) -> Option<(&str, &str)> {
    let (word, text) = line.split_once(':')?;
    let text = if text.is_empty() { text } else { text.strip_prefix(' ')? };
    let mut letters = word.chars();
    let is_label = letters.next()?.is_ascii_uppercase() && letters.all(|c| c.is_ascii_lowercase());
    is_label.then_some((word, text))
}

/// A range and its formula, as an item of a list.
fn range(text: &str) -> Option<String> {
    let (range, formula) = text.split_once(GAP)?;
    // A minus would begin a list of its own.
    let escape = if range.starts_with('-') { "\\" } else { "" };
    Some(format!("- {escape}{range}: {}", formula.trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(comment: &str) -> String {
        let mut page = Page::default();
        comment.lines().flat_map(|line| page.line(line)).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn labelled_lines_are_paragraphs_and_ranges_are_a_list() {
        let comment = "The quantile.\n\nR: `q(p)`, quantile.\nDomain: `0 <= p <= 1`, else\n  NaN.\nMethod: three ranges.\n  n <= 5      \
                       a table\n  otherwise   the series; near 1\n              with more terms\n  See `special`.\n\
                       Error: -1 < x  none\n  x > 1   some";
        let expected = "The quantile.\n\n\n**R:** `q(p)`, quantile.\n\n**Domain:** `0 <= p <= 1`, else\nNaN.\n\n**Method:** three \
                        ranges.\n\n- n <= 5: a table\n- otherwise: the series; near 1\n  with more terms\n\nSee \
                        `special`.\n\n**Error:**\n\n- \\-1 < x: none\n- x > 1: some";
        assert_eq!(page(comment), expected);
    }

    #[test]
    fn what_has_no_labels_stays_as_it_is() {
        let comment = "Twice `x`: see\n\n    code   here\n\n```\nMethod: not a label\n  a   b\n```\nA word: no, two.\n- a list\n    b   c";
        assert_eq!(page(comment), comment);
    }
}
