//! Options whose values have names: shells complete them, and the type itself says what is wrong with another one.

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use gristmill_support::nearest;
use std::error::Error;
use std::marker::PhantomData;
use std::str::FromStr;

/// Reads a `T` by its `FromStr`, which may take more than the names that are completed.
#[derive(Debug, Clone)]
pub(crate) struct Named<T> {
    names: Vec<&'static str>,
    of: PhantomData<T>,
}

/// The parser that completes these names.
pub(crate) fn named<T>(names: impl IntoIterator<Item = &'static str>) -> Named<T> {
    Named { names: names.into_iter().collect(), of: PhantomData }
}

/// The value of that name. An error says which one was probably meant, beside what the type itself says.
fn read<T>(text: &str, names: &[&'static str]) -> Result<T, Box<dyn Error + Send + Sync>>
where
    T: FromStr,
    T::Err: Error + Send + Sync + 'static,
{
    let near = || names.iter().copied().find(|name| !text.is_empty() && name.starts_with(text));
    text.parse().map_err(|error: T::Err| match nearest(text, names.iter().copied()).or_else(near) {
        Some(near) => format!("{error}; did you mean `{near}`?").into(),
        None => error.into(),
    })
}

impl<T> TypedValueParser for Named<T>
where
    T: FromStr + Clone + Send + Sync + 'static,
    T::Err: Error + Send + Sync + 'static,
{
    type Value = T;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<T, clap::Error> {
        let names = self.names.clone();
        StringValueParser::new().try_map(move |text| read(&text, &names)).parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.names.iter().map(|name| PossibleValue::new(*name))))
    }
}
