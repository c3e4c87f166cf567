//! References inside emitted C: the emitter does not know the names that other shards will have in a program.

/// Begins a reference to another shard inside emitted text: `START index END`, or `START r index END` for the type that
/// the kernel returns.
pub const REF_START: char = '\u{1}';
/// Ends a reference; see [`REF_START`].
pub const REF_END: char = '\u{2}';

/// What a marker in emitted text stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marker {
    /// The C name of `references[i]`.
    Item(usize),
    /// The C type that `references[i]` returns.
    ResultOf(usize),
}

/// Text between markers, in order: `(text, Some(marker))` for each marker and a last `(text, None)`.
pub fn split_references(text: &str) -> Vec<(&str, Option<Marker>)> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(REF_START) {
        let (index, tail) = after.split_once(REF_END).expect("every marker is closed");
        let marker = match index.strip_prefix('r') {
            Some(i) => Marker::ResultOf(i.parse().expect("a marker holds an index")),
            None => Marker::Item(index.parse().expect("a marker holds an index")),
        };
        parts.push((before, Some(marker)));
        rest = tail;
    }
    parts.push((rest, None));
    parts
}
