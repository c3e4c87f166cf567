//! `gristmill guide [TOPIC]`: the documentation, in the command itself, because it is often copied alone.

use super::output::{row, table};
use super::{Outcome, Result, write_stdout};
use gristmill_support::nearest;

/// Print a chapter of the documentation, or list the chapters
///
/// Messages and helps name chapters as `docs/TOPIC.md`; this prints them where that folder is not at hand.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  gristmill guide expressions | less
  gristmill guide kernel-language")]
pub(crate) struct Args {
    /// The chapter: `glm`, or as messages name it, `docs/glm.md`
    #[arg(value_name = "TOPIC")]
    topic: Option<String>,
}

/// Name and text of each chapter that a user of the command may want.
macro_rules! chapters {
    ($($name:literal),* $(,)?) => {
        const CHAPTERS: &[(&str, &str)] = &[$(($name, include_str!(concat!("../../docs/", $name, ".md")))),*];
    };
}

chapters! {
    "expressions",
    "glm",
    "differences-from-R",
    "random-numbers",
    "outputs",
    "kernel-language",
    "kernels-at-run-time",
    "cl-library",
    "opencl-runtime",
    "accuracy",
    "verification",
    "security",
}

pub(crate) fn run(args: &Args) -> Result {
    let text = match &args.topic {
        None => list(),
        Some(topic) => chapter(topic)?.to_string(),
    };
    write_stdout(text.as_bytes())?;
    Ok(Outcome::Fine)
}

/// The chapters with their titles.
fn list() -> String {
    let title = |text: &'static str| text.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or_default();
    let rows: Vec<Vec<String>> = CHAPTERS.iter().map(|(name, text)| row([name, title(text)])).collect();
    table(&rows, &[])
}

fn chapter(topic: &str) -> std::result::Result<&'static str, String> {
    // As messages name it: with its folder, its ending and a section.
    let name = topic.split('#').next().unwrap_or_default();
    let name = name.rsplit('/').next().unwrap_or_default();
    let name = name.strip_suffix(".md").unwrap_or(name);
    let found = CHAPTERS.iter().find(|(chapter, _)| chapter.eq_ignore_ascii_case(name));
    found.map(|(_, text)| *text).ok_or_else(|| {
        let near = nearest(name, CHAPTERS.iter().map(|(chapter, _)| *chapter));
        let near = near.map_or(String::new(), |near| format!(" (did you mean `{near}`?)"));
        format!("no chapter is called `{topic}`{near}; `gristmill guide` lists them")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chapter_is_found_by_its_name_and_as_messages_name_it() {
        for topic in ["kernel-language", "docs/kernel-language.md", "docs/kernel-language.md#loops", "Kernel-Language"]
        {
            assert!(chapter(topic).is_ok_and(|text| text.starts_with("# ")), "{topic}");
        }
        assert_eq!(
            chapter("expresions").unwrap_err(),
            "no chapter is called `expresions` (did you mean `expressions`?); `gristmill guide` lists them"
        );
    }

    #[test]
    fn every_chapter_has_a_title_in_the_list() {
        let list = list();
        assert_eq!(list.lines().count(), CHAPTERS.len());
        assert!(list.lines().all(|line| line.split_whitespace().count() > 1), "{list}");
    }
}
