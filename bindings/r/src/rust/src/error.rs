//! How a failure gets to R: as text in a buffer of the caller's.

pub(crate) use gristmill_support::with_causes;
use std::ffi::c_char;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// `gm_error` in C: a text that ends with a zero byte; empty if all went well.
#[repr(C)]
pub(crate) struct ErrorText {
    text: [c_char; 4096],
}

impl ErrorText {
    fn set(&mut self, message: &str) {
        let end = self.text.len() - 1;
        // Not in the middle of a character.
        let mut cut = message.len().min(end);
        while !message.is_char_boundary(cut) {
            cut -= 1;
        }
        for (place, byte) in self.text.iter_mut().zip(message[..cut].bytes().chain([0])) {
            *place = byte as c_char;
        }
    }
}

/// Runs `f`; a failure or panic becomes text in `error`, and the result `otherwise`.
///
/// # Safety
/// 1. `error` points to a `gm_error` that is the caller's alone.
pub(crate) unsafe fn guarded<T>(error: *mut ErrorText, otherwise: T, f: impl FnOnce() -> Result<T, String>) -> T {
    let message = match catch_unwind(AssertUnwindSafe(f)) {
        Ok(Ok(value)) => return value,
        Ok(Err(message)) => message,
        Err(payload) => {
            let text = payload.downcast_ref::<&str>().map(|s| (*s).to_string());
            let text = text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default();
            format!("gristmill failed, which is a mistake of its own; please report it: {text}")
        }
    };
    // SAFETY: (1).
    unsafe { (*error).set(&message) };
    otherwise
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text_of(f: impl FnOnce() -> Result<i32, String>) -> (i32, String) {
        let mut error = ErrorText { text: [0; 4096] };
        // SAFETY: ours alone.
        let value = unsafe { guarded(&raw mut error, -1, f) };
        let bytes: Vec<u8> = error.text.iter().take_while(|b| **b != 0).map(|b| *b as u8).collect();
        (value, String::from_utf8(bytes).expect("whole characters"))
    }

    #[test]
    fn failures_and_panics_become_text_and_long_text_is_cut_between_characters() {
        assert_eq!(text_of(|| Ok(3)), (3, String::new()));
        assert_eq!(text_of(|| Err("`x` is 1".into())), (-1, "`x` is 1".into()));
        assert!(text_of(|| panic!("five {}", 5)).1.ends_with("please report it: five 5"));
        assert_eq!(text_of(|| Err("é".repeat(3000))).1, "é".repeat(2047));
    }
}
