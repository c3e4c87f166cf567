//! An error and what caused it.

use std::error::Error;

/// What caused an error: its source, the source of that, and so on.
pub fn causes<'a>(error: &'a (dyn Error + 'a)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    let mut next = error.source();
    std::iter::from_fn(move || {
        let cause = next?;
        next = cause.source();
        Some(cause)
    })
}

/// An error and its causes in one line, `what: why: why`. A cause that the line tells already is left out: wrappers repeat what they
/// wrap.
///
/// ```
/// let error = std::io::Error::other("the disk is full");
/// assert_eq!(gristmill_support::with_causes(&error), "the disk is full");
/// ```
pub fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    for cause in causes(error).map(ToString::to_string) {
        if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt;

    #[derive(Debug)]
    struct Told(&'static str, Option<Box<Told>>);

    impl fmt::Display for Told {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(self.0)
        }
    }

    impl Error for Told {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            self.1.as_deref().map(|cause| cause as _)
        }
    }

    #[test]
    fn causes_follow_in_order_and_what_was_said_is_not_said_again() {
        let error = Told("no table", Some(Box::new(Told("no file", Some(Box::new(Told("no disk", None)))))));
        assert_eq!(causes(&error).map(ToString::to_string).collect::<Vec<_>>(), ["no file", "no disk"]);
        assert_eq!(with_causes(&error), "no table: no file: no disk");
        let wrapped = Told("failed: no file", Some(Box::new(Told("no file", Some(Box::new(Told("no disk", None)))))));
        assert_eq!(with_causes(&wrapped), "failed: no file: no disk");
    }
}
