//! Bad input: whatever the bytes are, there is an answer, and no panic.
//!
//! The cases come from a fixed generator, so that a failure repeats; `GRISTMILL_FUZZ_SECONDS=600 cargo test -p
//! gristmill-cl-library --test library fuzz` goes on with new ones for that long.

use gristmill_cl_library::lexer::{TokenKind, lex};
use gristmill_cl_library::{
    Annotations, Layer, Library, ProgramPiece, ProgramSource, Shard, check_library, check_program, decode,
};
use std::time::{Duration, Instant};

/// SplitMix64: small, seedable, and the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(n).unwrap()).unwrap()
    }
}

const FRAGMENTS: &[&str] = &[
    "// @provides: a, b\n",
    "// @depends: b,\n",
    "//   c\n",
    "//@all_depends_count:x",
    "// @",
    "/*",
    "*/",
    "//",
    "\\\n",
    "\n",
    "\r\n",
    "\r",
    "\u{FEFF}",
    "\"",
    "'",
    "\\",
    "#",
    "##",
    "#define ",
    "#define f(x, ...) x ## __VA_ARGS__ #x\n",
    "#define g f(g, f)\n",
    "#define ( \n",
    "#if ",
    "#ifdef X\n",
    "#elif 1 ? 2 :",
    "#else\n",
    "#endif\n",
    "#undef f\n",
    "#include <x>\n",
    "#error\n",
    "defined(",
    "__kernel void k(",
    "double ",
    "f",
    "g",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ",",
    "=",
    "typedef ",
    "struct s ",
    "static ",
    "return ",
    "1e+",
    "0x1p-3",
    "...",
    "->",
    "é",
    "\u{1F600}",
    "a",
    "b",
    " ",
    "\t",
    "\0",
    "__attribute__((",
    "if",
    "vload4",
    "?",
    ":",
    "&&",
    "<<",
    "/ 0",
    "-9223372036854775808",
];

fn any_text(random: &mut Random) -> Vec<u8> {
    let mut bytes = Vec::new();
    for _ in 0..random.below(60) {
        bytes.extend_from_slice(FRAGMENTS[random.below(FRAGMENTS.len())].as_bytes());
    }
    for _ in 0..random.below(4) {
        if !bytes.is_empty() {
            let at = random.below(bytes.len());
            bytes[at] = u8::try_from(random.below(256)).unwrap();
        }
    }
    bytes
}

fn tokens_cover_the_text(text: &str) {
    let mut end = 0;
    let mut line = 1;
    for token in lex(text) {
        assert!(end <= token.start && token.start < token.end && token.end <= text.len(), "{text:?}");
        assert!(text.is_char_boundary(token.start) && text.is_char_boundary(token.end), "{text:?}");
        let between = &text[end..token.start];
        assert!(
            between.chars().all(|c| c.is_ascii_whitespace() || c == '\\' || c == '\u{B}'),
            "{between:?} in {text:?}"
        );
        line += u32::try_from(text[end..token.start].matches('\n').count()).unwrap();
        assert_eq!(token.line, line, "{text:?}");
        line += u32::try_from(text[token.start..token.end].matches('\n').count()).unwrap();
        assert!(token.kind != TokenKind::Identifier || !token.text(text).contains(char::is_whitespace), "{text:?}");
        end = token.end;
    }
    assert!(text[end..].chars().all(|c| c.is_ascii_whitespace() || c == '\\' || c == '\u{B}'), "{text:?}");
}

fn one_case(random: &mut Random) {
    let text = decode(any_text(random)).text;
    assert!(!text.contains('\r'));
    tokens_cover_the_text(&text);
    let annotations = Annotations::parse(&text);
    for tag in annotations.tags() {
        assert!(tag.line <= tag.last_line);
        for value in &tag.values {
            let line = text.lines().nth(usize::try_from(value.line).unwrap() - 1).unwrap();
            let at: String = line.chars().skip(usize::try_from(value.column).unwrap() - 1).collect();
            assert!(at.starts_with(&value.text), "{value:?} is not there in {line:?}");
        }
    }
    let other = decode(any_text(random)).text;
    let shards = vec![Shard::new("a", text.clone()), Shard::new("b", other.clone())];
    let findings = check_library(&Library::new("l", shards).unwrap(), &[]);
    let piece = |layer, path: &str, text: &str| ProgramPiece { layer, path: path.into(), text: text.into() };
    let program =
        ProgramSource::new(vec![piece(Layer::Kernel, "k\"\\.cl", &text), piece(Layer::Library, "l.cl", &other)]);
    for finding in findings.into_iter().chain(check_program(&program, &[])) {
        if let Some(place) = finding.place {
            let source = if matches!(place.file.as_str(), "a.cl" | "k\"\\.cl") { &text } else { &other };
            assert_eq!(
                source.lines().nth(usize::try_from(place.line).unwrap() - 1).unwrap_or_default(),
                place.source,
                "{source:?}"
            );
        }
    }
}

#[test]
fn no_text_makes_the_parser_the_lexer_or_the_checks_panic() {
    let seconds = std::env::var("GRISTMILL_FUZZ_SECONDS").ok().and_then(|s| s.parse().ok());
    let start = Instant::now();
    let mut seed = 0_u64;
    loop {
        let case = std::panic::catch_unwind(|| one_case(&mut Random(seed)));
        assert!(case.is_ok(), "the case of seed {seed} failed");
        seed += 1;
        let done = seconds.map_or(seed >= 4_000, |s| start.elapsed() >= Duration::from_secs(s));
        if done {
            println!("{seed} cases in {:.1} s", start.elapsed().as_secs_f64());
            break;
        }
    }
}
