//! Text for R, owned here until C has copied it, and tables as text.

use std::ffi::c_char;

/// `gm_text` in C.
pub(crate) struct Text(Box<str>);

impl Text {
    /// For C, which gives it back with [`gm_text_free`].
    pub(crate) fn lend(text: impl Into<Box<str>>) -> *mut Text {
        Box::into_raw(Box::new(Text(text.into())))
    }
}

/// Rows of fields as one text, which R takes apart (`records` in records.R). R's strings hold no zero byte.
pub(crate) fn records<R: IntoIterator<Item = F>, F: AsRef<str>>(rows: impl IntoIterator<Item = R>) -> String {
    let mut text = String::new();
    for row in rows {
        for field in row {
            text.extend(field.as_ref().chars().filter(|c| !matches!(c, '\0' | '\x1e' | '\x1f')));
            text.push('\x1f');
        }
        text.push('\x1e');
    }
    text
}

/// # Safety
/// 1. `text` came from this library and was not freed.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn gm_text_bytes(text: *const Text) -> *const c_char {
    // SAFETY: (1).
    unsafe { &*text }.0.as_ptr().cast()
}

/// # Safety
/// 1. `text` came from this library and was not freed.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn gm_text_length(text: *const Text) -> usize {
    // SAFETY: (1).
    unsafe { &*text }.0.len()
}

/// # Safety
/// 1. `text` came from this library, was not freed, and is not used again.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn gm_text_free(text: *mut Text) {
    if !text.is_null() {
        // SAFETY: (1).
        drop(unsafe { Box::from_raw(text) });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_end_every_field_and_row_so_that_empty_ones_count() {
        assert_eq!(records([vec!["a", ""], vec!["b\0\x1f", "c"]]), "a\x1f\x1f\x1eb\x1fc\x1f\x1e");
        assert_eq!(records(Vec::<Vec<&str>>::new()), "");
    }
}
