//! What the documentation of a function says, as data: the function's comment is the only place where its name in R, its
//! domain, its method and its error stand, and whoever shows or tests them reads them from there.

use gristmill_kernel::Function;

/// How R calls a function: its usage, and the kernel calls that it stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RSignature<'a> {
    /// R's usage line: `pexp(q, rate = 1, lower.tail = TRUE, log.p = FALSE, ..., scale = 1/rate)`.
    pub usage: &'a str,
    /// One line about it.
    pub about: String,
    /// The calls: the first whose argument is given, the last one without condition. None: the kernel takes the parameters
    /// as they are.
    pub calls: Vec<RCall<'a>>,
}

/// One kernel call that a function of R stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RCall<'a> {
    /// Only where this argument is given.
    pub given: Option<&'a str>,
    /// `pexp(q, scale, lower.tail, log.p)`, in R's parameters.
    pub call: &'a str,
}

/// The largest errors that the tests allow, in ulps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bound {
    /// Of 99 in 100 points.
    pub most: f64,
    /// Of every point.
    pub all: f64,
}

/// The text behind a label (`Domain`, `Method`, `Paper`, `Error`) in a function's documentation.
pub fn section<'a>(function: &'a Function, label: &str) -> Option<&'a str> {
    sections(function.doc(), label).next()
}

/// How R calls the function, once for each of R's functions that it serves: the lines
/// ``R: `usage`, about: `call`; given `argument`: `call`.`` (Without a call, the kernel takes the arguments as they are.)
///
/// # Panics
/// If such a line is not of this form; a test reads them all.
pub fn r_signatures(function: &Function) -> Vec<RSignature<'static>> {
    sections(function.doc(), "R").map(r_signature).collect()
}

fn r_signature(text: &'static str) -> RSignature<'static> {
    let mut parts = text.split('`');
    let (before, usage, about) = (parts.next(), parts.next(), parts.next());
    let (Some(""), Some(usage), Some(about)) = (before, usage, about) else {
        panic!("`R: {text}` does not begin with a usage in backticks, followed by `, about`");
    };
    let about = about.trim_start_matches(',').trim_end().trim_end_matches([':', '.']);
    let about = about.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut calls = vec![];
    let mut given = None;
    // Code and what stands behind it, in turn.
    while let Some(code) = parts.next() {
        let behind = parts.next().unwrap_or_default().trim();
        if code.contains('(') {
            calls.push(RCall { given: given.take(), call: code });
        } else if behind == ":" {
            given = Some(code);
        } else {
            panic!("`R: {text}`: `{code}` is no call and no argument before one");
        }
    }
    // What is given decides first.
    calls.sort_by_key(|c| c.given.is_none());
    RSignature { usage, about, calls }
}

/// The error that the tests hold the function to on the points of dev/oracle: on those of a set of harder points (`sweep`,
/// `corners`), if the documentation gives a bound of their own, else on all. `None` where it is not measured in ulps.
///
/// `Error: 99 % within 0.51 ulp, at most 0.80 ulp on the points of dev/oracle (0.75 and 0.80 on the corners); …`
pub fn bound(function: &Function, set: &str) -> Option<Bound> {
    let text = section(function, "Error")?;
    if text.starts_with("none on the points of dev/oracle") {
        return Some(Bound { most: 0.0, all: 0.0 });
    }
    let plain = text.strip_prefix("99 % within ")?;
    let (most, rest) = plain.split_once(" ulp, at most ")?;
    let (all, rest) = rest.split_once(" ulp")?;
    let own = rest.split_once('(').and_then(|(_, sets)| sets.split_once(')')).and_then(|(sets, _)| {
        sets.split(',').find_map(|one| one.trim().strip_suffix(&format!(" on the {set}"))?.split_once(" and "))
    });
    let (most, all) = own.unwrap_or((most, all));
    Some(Bound { most: most.trim().parse().ok()?, all: all.trim().parse().ok()? })
}

/// What can begin a line of a function's documentation, each with a colon behind it.
const LABELS: &[&str] = &["R", "Domain", "Method", "Paper", "Error"];

/// The texts behind a label: each goes on to the next of [`LABELS`], an empty line or the end.
fn sections<'a>(doc: &'a str, label: &str) -> impl Iterator<Item = &'a str> {
    let mut rest = doc;
    std::iter::from_fn(move || {
        while !rest.is_empty() {
            let (line, behind) = rest.split_once('\n').unwrap_or((rest, ""));
            let Some(first) = labelled(line, label) else {
                rest = behind;
                continue;
            };
            let text = &rest[line.len() - first.len()..];
            let ends = |line: &str| line.trim().is_empty() || LABELS.iter().any(|l| labelled(line, l).is_some());
            let mut end = first.len();
            for further in behind.split('\n').take_while(|line| !ends(line)) {
                end += 1 + further.len();
            }
            rest = text.get(end + 1..).unwrap_or("");
            return Some(text[..end].trim());
        }
        None
    })
}

/// What stands behind the label, if the line begins with it.
fn labelled<'a>(line: &'a str, label: &str) -> Option<&'a str> {
    line.strip_prefix(label)?.strip_prefix(':')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_goes_on_to_the_next_label_or_an_empty_line() {
        let doc = "About: a line.\n\nR: `f(x)`, one.\nR: `g(x)`, two:\n  `f(x)`.\nDomain: a first line,\nand a second.\nMethod:\n  x < 1  this\n\
                   That: both.\n\nElse.\nError: none";
        let all = |label| sections(doc, label).collect::<Vec<_>>();
        assert_eq!(all("R"), ["`f(x)`, one.", "`g(x)`, two:\n  `f(x)`."]);
        assert_eq!(all("Domain"), ["a first line,\nand a second."]);
        assert_eq!(all("Method"), ["x < 1  this\nThat: both."]);
        assert_eq!(all("Paper"), [""; 0]);
        assert_eq!(all("Error"), ["none"]);
    }

    #[test]
    fn no_section_ends_in_the_middle_of_a_sentence() {
        for function in crate::KERNELS {
            for label in LABELS {
                for text in sections(function.doc(), label) {
                    // A method may end with a table of ranges, whose lines are indented and have no full stop.
                    let table = *label == "Method" && text.lines().last().is_some_and(|line| line.starts_with("  "));
                    assert!(text.ends_with('.') || table, "{}: `{label}: {text}`", function.name());
                }
            }
        }
    }

    #[test]
    fn every_line_behind_the_first_label_belongs_to_a_section() {
        for function in crate::KERNELS {
            let lines = function.doc().lines().skip_while(|line| LABELS.iter().all(|l| labelled(line, l).is_none()));
            let written: usize = lines.filter(|line| !line.trim().is_empty()).count();
            let read: usize =
                LABELS.iter().flat_map(|l| sections(function.doc(), l)).map(|text| text.lines().count()).sum();
            assert!(read >= written, "{}: {read} lines of {written}", function.name());
        }
    }
}
