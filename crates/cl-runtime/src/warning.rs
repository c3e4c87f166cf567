//! Warnings that no result depends on, each once, to whoever asked for them.

use std::sync::{Mutex, PoisonError};

type Handler = Box<dyn Fn(&str) + Send>;

static HANDLER: Mutex<Option<Handler>> = Mutex::new(None);
static SAID: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Where warnings go: a program cache that cannot be used, a driver that refuses to release something. Without a handler
/// they go to stderr.
pub fn on_warning(handler: impl Fn(&str) + Send + 'static) {
    *HANDLER.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(handler));
}

/// Says it once per process.
pub(crate) fn warn_once(text: String) {
    let mut said = SAID.lock().unwrap_or_else(PoisonError::into_inner);
    if said.contains(&text) {
        return;
    }
    match &*HANDLER.lock().unwrap_or_else(PoisonError::into_inner) {
        Some(handler) => handler(&text),
        None => eprintln!("warning: {text}"),
    }
    said.push(text);
}
