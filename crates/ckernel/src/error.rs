//! Errors across the ABI: one slot for each thread.
//!
//! The prototypes return nothing. A kernel that fails records what went wrong with [`record`] (in C:
//! `ckernel_set_error`) and returns; a parent that sees [`pending`] after calling a child returns too. Who started the
//! call clears the slot before it and reads it after it: the safe layer does both and returns a `Result`.
//!
//! Recording never allocates: the message lies in the slot, and is cut off after [`MESSAGE_CAPACITY`] bytes.

use core::cell::UnsafeCell;
use core::ffi::{CStr, c_char, c_int};
use core::fmt::{self, Write};
use std::borrow::Cow;

/// What kind of error a kernel met.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A value does not fit the destination type.
    Overflow = 1,
    /// A fractional part would be lost.
    Fractional = 2,
    /// A value would be changed by rounding.
    Inexact = 3,
    /// An imaginary part would be lost.
    ImaginaryLoss = 4,
    /// Shapes do not match.
    Broadcast = 5,
    /// Types do not match.
    Type = 6,
    /// An index is out of range.
    Index = 7,
    /// Something is used before it has a value.
    Uninitialized = 8,
    /// The operation exists in no form for these arguments.
    NotImplemented = 9,
    /// Code outside this library reported an error of its own.
    Foreign = 10,
    /// Memory ran out.
    OutOfMemory = 11,
    /// Rust code panicked; the panic ended at the ABI.
    Panic = 12,
    /// An argument has a value that it must not have.
    InvalidArgument = 13,
}

impl ErrorKind {
    /// The kind behind a number from C; a number without a meaning is [`ErrorKind::Foreign`].
    pub const fn from_raw(kind: u32) -> Self {
        match kind {
            1 => Self::Overflow,
            2 => Self::Fractional,
            3 => Self::Inexact,
            4 => Self::ImaginaryLoss,
            5 => Self::Broadcast,
            6 => Self::Type,
            7 => Self::Index,
            8 => Self::Uninitialized,
            9 => Self::NotImplemented,
            11 => Self::OutOfMemory,
            12 => Self::Panic,
            13 => Self::InvalidArgument,
            _ => Self::Foreign,
        }
    }
}

/// The element index of an error that belongs to no element.
pub const NO_ELEMENT: usize = usize::MAX;

/// The longest message that a slot keeps, in bytes.
pub const MESSAGE_CAPACITY: usize = 255;

/// An error of a kernel, or of the attempt to build or to call one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelError {
    kind: ErrorKind,
    element: Option<usize>,
    message: Cow<'static, str>,
}

impl KernelError {
    /// An error that belongs to no element.
    pub fn new(kind: ErrorKind, message: impl Into<Cow<'static, str>>) -> Self {
        Self { kind, element: None, message: message.into() }
    }

    /// The same error, met at element `index` of the call.
    #[must_use]
    pub fn at(mut self, index: usize) -> Self {
        self.element = Some(index);
        self
    }

    /// What kind of error it is.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The element at which it was met, counted from 0 in the call; `None` if it belongs to no element.
    pub fn element(&self) -> Option<usize> {
        self.element
    }

    /// What went wrong, without the element.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Records this error in the calling thread's slot, unless an earlier one is pending.
    pub fn record(&self) -> Recorded {
        record(self.kind, self.element.unwrap_or(NO_ELEMENT), format_args!("{}", self.message))
    }
}

impl fmt::Display for KernelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.element {
            Some(element) => write!(f, "element {element}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for KernelError {}

/// Proof that an error is in the calling thread's slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "an error was recorded; return it, or take it from the slot"]
pub struct Recorded(());

impl From<Recorded> for KernelError {
    /// Takes the error out of the slot.
    fn from(_: Recorded) -> Self {
        take().unwrap_or_else(|| Self::new(ErrorKind::Foreign, "an error was recorded, and cleared before it was read"))
    }
}

/// An error as C sees it.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct CKernelError {
    /// A `ckernel_error_kind`.
    pub kind: u32,
    /// The element at which it was met, or `CKERNEL_NO_ELEMENT`.
    pub element: usize,
    /// What went wrong: UTF-8, ends with a zero byte, valid until the next error call of this thread.
    pub message: *const c_char,
}

/// `kind == 0` means that no error is pending. The message pointer inside `error` is set when it is handed out.
#[derive(Clone, Copy)]
struct Slot {
    error: CKernelError,
    length: usize,
    text: [u8; MESSAGE_CAPACITY + 1],
}

const EMPTY: Slot = Slot {
    error: CKernelError { kind: 0, element: NO_ELEMENT, message: core::ptr::null() },
    length: 0,
    text: [0; MESSAGE_CAPACITY + 1],
};

thread_local! {
    // No destructor and a constant start: reading it never allocates, also while the thread ends.
    static SLOT: UnsafeCell<Slot> = const { UnsafeCell::new(EMPTY) };
}

/// Runs `f` on this thread's slot. `f` must not call back into this module.
#[inline]
fn with_slot<R>(f: impl FnOnce(&mut Slot) -> R) -> R {
    // SAFETY: the slot belongs to this thread, and no `f` in this module runs foreign code or enters `with_slot` again.
    SLOT.with(|slot| f(unsafe { &mut *slot.get() }))
}

/// Collects a message in the slot's own memory, and cuts it off between two characters when it is full.
struct Message {
    text: [u8; MESSAGE_CAPACITY + 1],
    length: usize,
}

impl Write for Message {
    fn write_str(&mut self, s: &str) -> fmt::Result {
        let end = s.floor_char_boundary(s.len().min(MESSAGE_CAPACITY - self.length));
        self.text[self.length..self.length + end].copy_from_slice(&s.as_bytes()[..end]);
        self.length += end;
        // Stop at the cut: what follows must not be appended behind a gap.
        if end == s.len() { Ok(()) } else { Err(fmt::Error) }
    }
}

/// Records an error in the calling thread's slot. The first error stays: while one is pending, this changes nothing.
///
/// `element` counts from 0 in the call of the kernel that records it; [`NO_ELEMENT`] if it belongs to none.
#[cold]
pub fn record(kind: ErrorKind, element: usize, message: fmt::Arguments<'_>) -> Recorded {
    if !pending() {
        let mut collected = Message { text: [0; MESSAGE_CAPACITY + 1], length: 0 };
        // Formatting runs foreign code, so it happens outside the slot. An Err means: the message was cut off.
        let _ = collected.write_fmt(message);
        with_slot(|slot| {
            slot.error = CKernelError { kind: kind as u32, element, message: core::ptr::null() };
            slot.text = collected.text;
            slot.length = collected.length;
        });
    }
    Recorded(())
}

/// True when an error is in the calling thread's slot. One load: cheap enough for every chunk of a loop.
#[inline]
pub fn pending() -> bool {
    with_slot(|slot| slot.error.kind != 0)
}

/// Empties the calling thread's slot.
#[inline]
pub fn clear() {
    with_slot(|slot| slot.error.kind = 0);
}

/// Takes the error out of the calling thread's slot.
pub fn take() -> Option<KernelError> {
    if !pending() {
        return None;
    }
    let (error, length, text) = with_slot(|slot| {
        let taken = (slot.error, slot.length, slot.text);
        slot.error.kind = 0;
        taken
    });
    Some(KernelError {
        kind: ErrorKind::from_raw(error.kind),
        element: (error.element != NO_ELEMENT).then_some(error.element),
        message: own(&text[..length]),
    })
}

/// A copy of the message; if even that fails for want of memory, the error remains.
fn own(text: &[u8]) -> Cow<'static, str> {
    let mut message = String::new();
    match (message.try_reserve_exact(text.len()), core::str::from_utf8(text)) {
        (Ok(()), Ok(text)) => {
            message.push_str(text);
            Cow::Owned(message)
        }
        _ => Cow::Borrowed("memory ran out, also for the message of this error"),
    }
}

/// The element of the pending error; `None` if no error is pending or it belongs to no element.
pub fn pending_element() -> Option<usize> {
    with_slot(|slot| (slot.error.kind != 0 && slot.error.element != NO_ELEMENT).then_some(slot.error.element))
}

/// Changes the element of the pending error. A parent that hands its elements to a child in pieces, or that sees other
/// elements than its child does, uses this to say which of *its* elements it was.
pub fn set_pending_element(element: usize) {
    with_slot(|slot| slot.error.element = element);
}

/// Adds `first` to the element of the pending error, if it has one: for a parent whose call of the child began at its
/// own element `first`. Returns true when an error is pending, so that the parent can stop.
#[inline]
pub fn pending_from(first: usize) -> bool {
    with_slot(|slot| {
        if slot.error.kind == 0 {
            return false;
        }
        if slot.error.element != NO_ELEMENT {
            slot.error.element = slot.error.element.saturating_add(first).min(NO_ELEMENT - 1);
        }
        true
    })
}

/// Sets an error aside while another call runs, and puts it back when dropped.
pub(crate) struct Aside(Option<Slot>);

impl Aside {
    /// Empties the slot.
    #[inline]
    pub(crate) fn new() -> Self {
        Self(if pending() { Some(with_slot(|slot| core::mem::replace(slot, EMPTY))) } else { None })
    }
}

impl Drop for Aside {
    #[inline]
    fn drop(&mut self) {
        if let Some(slot_before) = &self.0 {
            with_slot(|slot| *slot = *slot_before);
        }
    }
}

/// The error that is pending in the calling thread, or NULL. Valid until the next error call of this thread.
#[unsafe(no_mangle)]
pub extern "C" fn ckernel_last_error() -> *const CKernelError {
    SLOT.with(|slot| {
        let slot = slot.get();
        // SAFETY: the slot belongs to this thread, and nobody holds a reference to it across a call.
        unsafe {
            if (*slot).error.kind == 0 {
                return core::ptr::null();
            }
            (*slot).error.message = (&raw const (*slot).text).cast();
            &raw const (*slot).error
        }
    })
}

/// Nonzero when an error is pending in the calling thread. A parent asks after calling a child, and returns if so.
#[unsafe(no_mangle)]
pub extern "C" fn ckernel_error_pending() -> c_int {
    c_int::from(pending())
}

/// Empties the calling thread's error slot. Do this before a call whose error you want to see.
#[unsafe(no_mangle)]
pub extern "C" fn ckernel_clear_error() {
    clear();
}

/// Records an error in the calling thread's slot. The first error stays: while one is pending, this changes nothing.
///
/// `kind` is a `ckernel_error_kind`; unknown numbers count as `ckernel_error_kind_foreign`. `element`
/// counts from 0 in this kernel's call, or is `CKERNEL_NO_ELEMENT`. The message is copied; NULL means an empty one.
///
/// # Safety
/// 1. `message` is NULL, or ends with a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ckernel_set_error(kind: u32, element: usize, message: *const c_char) {
    let kind = ErrorKind::from_raw(kind);
    let _ = if message.is_null() {
        record(kind, element, format_args!(""))
    } else {
        // SAFETY: (1).
        let bytes = unsafe { CStr::from_ptr(message) }.to_bytes();
        record(kind, element, format_args!("{}", Lossy(bytes)))
    };
}

/// Bytes from C as text, without an allocation; what is not UTF-8 becomes U+FFFD.
struct Lossy<'a>(&'a [u8]);

impl fmt::Display for Lossy<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chunk in self.0.utf8_chunks() {
            f.write_str(chunk.valid())?;
            if !chunk.invalid().is_empty() {
                f.write_char(char::REPLACEMENT_CHARACTER)?;
            }
        }
        Ok(())
    }
}

/// Adds `first` to the element of the pending error, if it has one, and says whether an error is pending. For a parent
/// that hands its elements to a child in pieces: call it after each piece, with the index at which the piece began.
#[unsafe(no_mangle)]
pub extern "C" fn ckernel_error_pending_from(first: usize) -> c_int {
    c_int::from(pending_from(first))
}
