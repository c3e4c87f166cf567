//! Text of any length in columns.
//!
//! `{:>width$}` panics for widths beyond 65,535, and names come from users: whatever is as wide as a name goes through here.

/// The text with spaces behind it, `width` characters in all; longer text as it is.
pub fn align_left(text: &str, width: usize) -> String {
    format!("{text}{}", filling(text, width))
}

/// The text with spaces before it, `width` characters in all; longer text as it is.
pub fn align_right(text: &str, width: usize) -> String {
    format!("{}{text}", filling(text, width))
}

fn filling(text: &str, width: usize) -> String {
    " ".repeat(width.saturating_sub(text.chars().count()))
}

/// A part of a line, `most` characters at most, that holds the characters from `start` on, as many of those up to `end` as
/// fit; `…` stands for what is left out on either side. The second value is where `start` is in it. All in characters.
pub fn crop(line: &str, start: usize, end: usize, most: usize) -> (String, usize) {
    let count = line.chars().count();
    if count <= most {
        return (line.to_string(), start.min(count));
    }
    // The marked characters in the middle, or their beginning at the left if they are too many.
    let marked = end.clamp(start, count) - start.min(count);
    let before = most.saturating_sub(marked) / 2;
    let first = start.saturating_sub(before).min(count - most);
    let mut shown: Vec<char> = line.chars().skip(first).take(most).collect();
    if first > 0 && start > first {
        shown[0] = '…';
    }
    if let Some(last) = shown.last_mut().filter(|_| first + most < count) {
        *last = '…';
    }
    let at = start.saturating_sub(first).min(most);
    // What is marked from the first character on has no room before it: the mark of what is left out is one more.
    match first > 0 && start == first {
        true => (format!("…{}", shown.into_iter().collect::<String>()), at + 1),
        false => (shown.into_iter().collect(), at),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_width_is_fine() {
        assert_eq!((align_left("é", 3), align_right("é", 3)), ("é  ".into(), "  é".into()));
        assert_eq!((align_left("abc", 2), align_right("", 0)), ("abc".into(), String::new()));
        let long = "x".repeat(70_000);
        assert_eq!(align_left(&long, 70_001).len(), 70_001);
        assert_eq!(align_right("x", 70_000).len(), 70_000);
    }

    #[test]
    fn a_long_line_is_shown_around_what_is_marked() {
        assert_eq!(crop("short", 1, 3, 10), ("short".into(), 1));
        let line: String = ('a'..='z').collect();
        assert_eq!(crop(&line, 0, 1, 9), ("abcdefgh…".into(), 0));
        assert_eq!(crop(&line, 12, 13, 9), ("…jklmnop…".into(), 4));
        assert_eq!(crop(&line, 25, 26, 9), ("…stuvwxyz".into(), 8));
        assert_eq!(crop(&line, 26, 26, 9), ("…stuvwxyz".into(), 9));
        assert_eq!(crop(&line, 10, 26, 9), ("…klmnopqr…".into(), 1));
        let wide = "µ".repeat(70_000);
        let (shown, at) = crop(&wide, 69_000, 69_001, 80);
        assert_eq!((shown.chars().count(), at), (80, 39));
    }
}
