//! The annotations in a file's leading comments: `// @provides: dnorm, dnorm4`.
//!
//! The leading part of a file ends at its first line of code. Blank lines, comments of both kinds and preprocessor
//! lines belong to it, because trees put the annotations below a licence comment or above the first `#pragma`.

/// One value of an annotation, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Value {
    /// The value, without blanks around it.
    pub text: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1, in characters.
    pub column: u32,
}

/// One annotation line with the lines that continue it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag {
    /// The name without `@`.
    pub name: String,
    /// The line of the name, from 1.
    pub line: u32,
    /// The last line that belongs to it.
    pub last_line: u32,
    /// The column of `@`, from 1.
    pub column: u32,
    /// The values. Neither an empty value nor `(none)` is one.
    pub values: Vec<Value>,
}

/// All annotations of one file, in file order. Tags nobody knows are kept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Annotations {
    tags: Vec<Tag>,
}

impl Annotations {
    /// Reads the annotations of a file.
    ///
    /// ```
    /// use gristmill_cl_library::Annotations;
    /// let found = Annotations::parse("// @provides: dnorm, dnorm4\n// @depends: nmath,\n//   dpq\nint x;\n");
    /// assert_eq!(found.list("provides"), ["dnorm", "dnorm4"]);
    /// assert_eq!(found.list("depends"), ["nmath", "dpq"]);
    /// ```
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut tags: Vec<Tag> = Vec::new();
        let mut open = Open::No;
        let mut in_comment = false;
        let mut in_directive = false;
        for (index, line) in text.lines().enumerate() {
            let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
            let mut rest = line.trim();
            if in_directive {
                in_directive = rest.ends_with('\\');
                continue;
            }
            if in_comment {
                let Some(end) = rest.find("*/") else { continue };
                in_comment = false;
                rest = rest[end + 2..].trim_start();
                open = Open::No;
            }
            while rest.starts_with("/*") {
                open = Open::No;
                match rest[2..].find("*/") {
                    Some(end) => rest = rest[2 + end + 2..].trim_start(),
                    None => {
                        in_comment = true;
                        rest = "";
                    }
                }
            }
            if rest.is_empty() {
                open = Open::No;
            } else if let Some(comment) = rest.strip_prefix("//") {
                open = Self::comment_line(&mut tags, open, line, number, comment);
            } else if rest.starts_with('#') {
                open = Open::No;
                in_directive = rest.ends_with('\\');
            } else {
                break;
            }
        }
        Self { tags }
    }

    /// Handles one `//` line; says whether the next one may continue it.
    fn comment_line(tags: &mut Vec<Tag>, open: Open, line: &str, number: u32, comment: &str) -> Open {
        let body = comment.trim_start();
        let offset_of = |part: &str| part.as_ptr() as usize - line.as_ptr() as usize;
        if let Some((name, values)) = tag_name(body) {
            let column = column_at(line, offset_of(body));
            let mut tag = Tag { name: name.to_owned(), line: number, last_line: number, column, values: Vec::new() };
            push_values(&mut tag, line, number, values);
            let next = match (is_scalar(&tag.name), values.is_empty() || values.ends_with(',')) {
                (true, _) => Open::No,
                (false, true) => Open::Expecting,
                (false, false) => Open::Maybe,
            };
            tags.push(tag);
            return next;
        }
        let Some(tag) = tags.last_mut() else { return Open::No };
        if !continues(open, comment, body) {
            return Open::No;
        }
        push_values(tag, line, number, body.trim_end());
        tag.last_line = number;
        if body.trim_end().ends_with(',') { Open::Expecting } else { Open::Maybe }
    }

    /// Every annotation, in file order.
    #[must_use]
    pub fn tags(&self) -> &[Tag] {
        &self.tags
    }

    /// Whether the file has this annotation, even with no values.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.tags.iter().any(|tag| tag.name == name)
    }

    /// The values of every annotation of this name, each once, in order.
    #[must_use]
    pub fn values(&self, name: &str) -> Vec<&Value> {
        let mut found: Vec<&Value> = Vec::new();
        let mut seen = std::collections::HashSet::new();
        for tag in self.tags.iter().filter(|tag| tag.name == name) {
            found.extend(tag.values.iter().filter(|value| seen.insert(value.text.as_str())));
        }
        found
    }

    /// The texts of [`values`](Self::values).
    #[must_use]
    pub fn list(&self, name: &str) -> Vec<&str> {
        self.values(name).into_iter().map(|value| value.text.as_str()).collect()
    }

    /// The first value.
    #[must_use]
    pub fn scalar(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|tag| tag.name == name)?.values.first().map(|value| value.text.as_str())
    }
}

/// May the next comment line continue the tag above it?
#[derive(Debug, Clone, Copy)]
enum Open {
    No,
    /// The list looks finished.
    Maybe,
    /// The list is empty so far, or ends with a comma.
    Expecting,
}

/// Splits `@name: values` (the colon may be missing, as in the oldest trees).
fn tag_name(body: &str) -> Option<(&str, &str)> {
    let body = body.strip_prefix('@')?;
    let end =
        body.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.' || c == '-')).unwrap_or(body.len());
    let (name, rest) = body.split_at(end);
    if name.is_empty() || !(rest.is_empty() || rest.starts_with([':', ' ', '\t'])) {
        return None;
    }
    let rest = rest.trim_start();
    Some((name, rest.strip_prefix(':').unwrap_or(rest).trim()))
}

/// Annotations with one value; a comment line below them is never more of it.
fn is_scalar(name: &str) -> bool {
    matches!(name, "source_type" | "source_origin" | "load_order" | "annotate") || name.ends_with("_count")
}

/// Annotations whose values are names, so that blanks separate them as commas do.
fn is_name_list(name: &str) -> bool {
    let family = |prefix: &str| name == prefix || name.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('_'));
    !is_scalar(name) && (family("provides") || family("depends") || family("all_depends") || family("calls"))
        || name == "library_deps"
        || name == "includes"
}

fn push_values(tag: &mut Tag, line: &str, number: u32, values: &str) {
    let names = is_name_list(&tag.name);
    let (mut offset, mut column) = (0, 1); // counted on from value to value: a line may hold thousands
    for part in values.split(|c: char| c == ',' || (names && c.is_whitespace())) {
        let part = part.trim();
        if part.is_empty() || part == "(none)" || (part == "none" && values == "none") {
            continue;
        }
        let start = part.as_ptr() as usize - line.as_ptr() as usize;
        column += u32::try_from(line[offset..start].chars().count()).unwrap_or(u32::MAX);
        offset = start;
        tag.values.push(Value { text: part.to_owned(), line: number, column });
    }
}

/// Is a `//` line below a tag more of its values, or prose?
///
/// More of them, if it is a list of single words and the list is visibly unfinished: nothing stood on the line above, or
/// it ended with a comma, or this line starts with one, or this line is indented.
fn continues(open: Open, comment: &str, body: &str) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-' | '=' | '/' | '+' | '(' | ')');
    let single_words = !body.is_empty() && body.split(',').all(|part| part.trim().chars().all(word));
    let indented = comment.len() - body.len() >= 2 || comment.starts_with('\t');
    single_words
        && match open {
            Open::No => false,
            Open::Expecting => true,
            Open::Maybe => indented || body.starts_with(','),
        }
}

fn column_at(line: &str, offset: usize) -> u32 {
    u32::try_from(line[..offset].chars().count() + 1).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list<'a>(annotations: &'a Annotations, name: &'a str) -> Vec<&'a str> {
        annotations.list(name)
    }

    #[test]
    fn values_continue_on_following_comment_lines() {
        let found = Annotations::parse(
            "// @all_depends_nmath: dpq, refactored, Rmath,\n//   chebyshev, cospi,\n// fmax2\n// @depends: a\n//   b, c\n",
        );
        assert_eq!(list(&found, "all_depends_nmath"), ["dpq", "refactored", "Rmath", "chebyshev", "cospi", "fmax2"]);
        assert_eq!(list(&found, "depends"), ["a", "b", "c"]);
    }

    #[test]
    fn prose_below_an_annotation_is_not_a_value() {
        let found = Annotations::parse(
            "// @depends: a, b\n// openclport: include directives disabled\n// @load_order: 3\n//   17\n// @provides: x,\n// the density of x\n",
        );
        assert_eq!(list(&found, "depends"), ["a", "b"]);
        assert_eq!(found.scalar("load_order"), Some("3"));
        assert_eq!(list(&found, "load_order"), ["3"]);
        assert_eq!(list(&found, "provides"), ["x"]);
    }

    #[test]
    fn none_and_nothing_mean_none() {
        for text in ["// @depends:", "// @depends: (none)", "// @depends", "//@depends:   ", "// @depends: none"] {
            let found = Annotations::parse(text);
            assert!(found.has("depends"), "{text}");
            assert!(list(&found, "depends").is_empty(), "{text}");
        }
    }

    #[test]
    fn unknown_tags_are_kept_and_the_colon_may_be_missing() {
        let found = Annotations::parse("// @to_shim_kind: Rboolean=reason, int=reason\n// @provides dnorm dnorm4\n");
        assert_eq!(list(&found, "to_shim_kind"), ["Rboolean=reason", "int=reason"]);
        assert_eq!(list(&found, "provides"), ["dnorm", "dnorm4"]);
    }

    #[test]
    fn annotations_may_stand_below_a_licence_and_above_the_first_pragma() {
        let text = "/* licence\n * // @depends: no\n */\n\n#ifndef A_H\n#define A_H \\\n  1\n// @provides: a\n#pragma x\nint a;\n// @depends: z\n";
        let found = Annotations::parse(text);
        assert_eq!(list(&found, "provides"), ["a"]);
        assert!(!found.has("depends"));
    }

    #[test]
    fn a_value_knows_its_line_and_column() {
        let found = Annotations::parse("\n// é @x\n//  @depends:\tnmath, stirler\n");
        let value = found.values("depends")[1];
        assert_eq!((value.line, value.column, value.text.as_str()), (3, 22, "stirler"));
    }
}
