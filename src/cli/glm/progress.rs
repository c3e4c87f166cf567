//! A bar on stderr once the work takes more than a second, if a person is there to read it.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

pub(super) struct Progress {
    bar: Option<indicatif::ProgressBar>,
    template: &'static str,
    total: Option<u64>,
    start: Instant,
    wanted: bool,
}

impl Progress {
    fn new(quiet: bool, total: Option<u64>, template: &'static str) -> Progress {
        let wanted = !quiet && std::io::stderr().is_terminal();
        Progress { bar: None, template, total, start: Instant::now(), wanted }
    }

    /// Points of a grid.
    pub(super) fn points(quiet: bool, total: Option<u64>) -> Progress {
        let template = match total {
            Some(_) => "{bar:40} {human_pos} of {human_len} points, {eta} left",
            None => "{spinner} {human_pos} points, {elapsed}",
        };
        Progress::new(quiet, total, template)
    }

    /// Bytes or rows of a table; 0 if it is not known how many.
    pub(super) fn reading(quiet: bool, total: u64, unit: &str) -> Progress {
        let template = match (total, unit) {
            (0, _) => "{spinner} reading, {elapsed}",
            (_, "rows") => "{bar:40} {human_pos} of {human_len} rows read, {eta} left",
            _ => "{bar:40} {bytes} of {total_bytes} read, {eta} left",
        };
        Progress::new(quiet, (total > 0).then_some(total), template)
    }

    /// The steps of a search.
    pub(super) fn fitting(quiet: bool) -> Progress {
        Progress::new(quiet, None, "{spinner} fitting, {msg}{elapsed}")
    }

    pub(super) fn show(&mut self, position: u64) {
        self.say(position, String::new());
    }

    /// With a text, where the template has room for one.
    pub(super) fn say(&mut self, position: u64, message: String) {
        if !self.wanted || self.start.elapsed() < Duration::from_secs(1) {
            return;
        }
        let (total, template) = (self.total, self.template);
        let bar = self.bar.get_or_insert_with(|| {
            let bar = match total {
                Some(total) => indicatif::ProgressBar::new(total),
                None => indicatif::ProgressBar::new_spinner(),
            };
            let style = indicatif::ProgressStyle::with_template(template);
            bar.set_style(style.unwrap_or_else(|_| indicatif::ProgressStyle::default_bar()));
            bar
        });
        bar.set_message(message);
        bar.set_position(position);
    }

    pub(super) fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
