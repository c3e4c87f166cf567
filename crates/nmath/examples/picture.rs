//! Writes docs/one-kernel.svg, the README's picture: one kernel and its four lowerings. `--check` only compares.
//!
//! Nothing in the picture is made up: the source is this file's own, the OpenCL C is what `#[kernel]` emits for it, and the
//! value under it is computed here, by the call, the slice and the threads.
#![allow(missing_docs)]

use gristmill_kernel::kernel;
use gristmill_kernel_cl::Assembly;
use gristmill_nmath::exp;
use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;

// From here to the end of the function: the text in the picture.
#[kernel]
pub fn growth(t: f64, a: f64, b: f64) -> f64 {
    a / (1.0 + exp(-b * t))
}

const WIDTH: u32 = 960;
/// The distance of two lines of text.
const LINE: u32 = 19;
/// The empty space between a card's border and its text.
const INSIDE: u32 = 18;

/// Light, and dark for those who read in the dark.
const STYLE: &str = "
  .card { fill: #ffffff; stroke: #d0d7de; }
  .head { fill: #1f2328; font: 600 15px system-ui, 'Segoe UI', Helvetica, Arial, sans-serif; }
  .note { fill: #59636e; font: 13px system-ui, 'Segoe UI', Helvetica, Arial, sans-serif; }
  .code { fill: #1f2328; font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace; white-space: pre; }
  .mark { fill: #0969da; }
  .bits { fill: #ddf4ff; stroke: #54aeff; }
  .line { stroke: #8c959f; stroke-width: 1.5; fill: none; }
  .tip { fill: #8c959f; }
  @media (prefers-color-scheme: dark) {
    .card { fill: #151b23; stroke: #3d444d; }
    .head, .code { fill: #f0f6fc; }
    .note { fill: #9198a1; }
    .mark { fill: #4493f8; }
    .bits { fill: #121d2f; stroke: #1f6feb; }
    .line { stroke: #656c76; }
    .tip { fill: #656c76; }
  }
";

fn main() -> ExitCode {
    match run(std::env::args().any(|a| a == "--check")) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(check: bool) -> Result<(), Box<dyn std::error::Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).ok_or("the workspace's root is missing")?;
    let path = root.join("docs/one-kernel.svg");
    let picture = picture()?;
    if !check {
        return Ok(std::fs::write(path, picture)?);
    }
    if std::fs::read_to_string(&path).ok() == Some(picture) {
        return Ok(());
    }
    Err("docs/one-kernel.svg is not current; run `cargo xtask generate`".into())
}

/// The kernel as it stands above, without its visibility.
fn source() -> Vec<&'static str> {
    let text = include_str!("picture.rs");
    let lines = text.lines().skip_while(|line| *line != "#[kernel]");
    let mut lines: Vec<&str> = lines.take_while(|line| !line.is_empty()).collect();
    for line in &mut lines {
        *line = line.strip_prefix("pub ").unwrap_or(line);
    }
    lines
}

/// The function in OpenCL C, without what it calls.
fn opencl_c() -> Vec<String> {
    let mut program = Assembly::new();
    program.add(growth::FUNCTION.shard());
    let text = program.text();
    let lines = text.lines().skip_while(|line| !line.starts_with("double growth("));
    // Without the lines that lead a compiler's messages back to the source.
    let lines = lines.take_while(|line| *line != "}").filter(|line| !line.starts_with("#line"));
    let mut lines: Vec<String> = lines.map(str::to_owned).collect();
    lines.push("}".to_owned());
    lines
}

/// The value of one element, by every native way.
fn value() -> Result<f64, Box<dyn std::error::Error>> {
    let one = growth(2.0, 3.0, 0.7);
    let (t, mut y) = ([2.0; 9], [0.0; 9]);
    growth::map((&t, 3.0, 0.7), &mut y)?;
    let slice = y;
    growth::par_map((&t, 3.0, 0.7), &mut y)?;
    if slice.iter().chain(&y).any(|y| y.to_bits() != one.to_bits()) {
        return Err("the lowerings differ".into());
    }
    Ok(one)
}

/// A card's place and what is in it.
struct Card<'a> {
    x: u32,
    y: u32,
    width: u32,
    head: &'a str,
    note: &'a str,
    code: Vec<String>,
}

impl Card<'_> {
    fn height(&self) -> u32 {
        2 * INSIDE + LINE * (2 + u32::try_from(self.code.len()).unwrap_or(0)) - 4
    }

    fn draw(&self, out: &mut String) {
        let (x, y) = (self.x + INSIDE, self.y + INSIDE + 12);
        let _ = writeln!(
            out,
            "<rect class=\"card\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"8\"/>",
            self.x,
            self.y,
            self.width,
            self.height()
        );
        let _ = writeln!(out, "<text class=\"head\" x=\"{x}\" y=\"{y}\">{}</text>", escaped(self.head));
        let _ = writeln!(out, "<text class=\"note\" x=\"{x}\" y=\"{}\">{}</text>", y + LINE, escaped(self.note));
        for (i, line) in (2_u32..).zip(&self.code).filter(|(_, line)| !line.is_empty()) {
            let _ = writeln!(
                out,
                "<text class=\"code\" xml:space=\"preserve\" x=\"{x}\" y=\"{}\">{}</text>",
                y + LINE * i + 4,
                escaped(line)
            );
        }
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn picture() -> Result<String, Box<dyn std::error::Error>> {
    let value = value()?;
    let code = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
    let left = Card {
        x: 1,
        y: 0,
        width: 380,
        head: "One kernel, in Rust",
        note: "written once, by anybody",
        code: code(&source()),
    };
    let wide = WIDTH - 482;
    let mut cards = vec![
        ("a value", "rustc's own code, with FMA where the processor has it", code(&["let y = growth(2.0, 3.0, 0.7);"])),
        (
            "a slice",
            "4 elements at once with AVX2, 8 with AVX-512, chosen at run time",
            code(&["growth::map((&t, 3.0, 0.7), &mut y)?;"]),
        ),
        ("threads", "parts of the slice on every core", code(&["growth::par_map((&t, 3.0, 0.7), &mut y)?;"])),
    ];
    let mut device = code(&["growth::on(&device)?.map((&t, 3.0, 0.7), &mut y)?;", ""]);
    device.extend(opencl_c());
    cards.push(("an OpenCL device", "the same function in OpenCL C, with all that it calls", device));
    let mut y = 1;
    let cards: Vec<Card<'_>> = cards
        .into_iter()
        .map(|(head, note, code)| {
            let card = Card { x: 481, y, width: wide, head, note, code };
            y += card.height() + 14;
            card
        })
        .collect();
    let bottom = y - 14;
    let left = Card { y: (bottom - left.height()) / 2 - 40, ..left };
    let mut out = String::new();
    for card in cards.iter().chain([&left]) {
        card.draw(&mut out);
    }
    // From the middle of the source to the middle of each card.
    let (from, middle) = (left.x + left.width, left.y + left.height() / 2);
    for card in &cards {
        let to = card.y + card.height() / 2;
        let _ =
            writeln!(out, "<path class=\"line\" d=\"M{from} {middle} C{0} {middle} {0} {to} 472 {to}\"/>", from + 50);
        let _ = writeln!(out, "<path class=\"tip\" d=\"M480 {to} l-10 -5 v10 z\"/>");
    }
    // What they have in common.
    let below = left.y + left.height() + 24;
    let _ = writeln!(out, "<rect class=\"bits\" x=\"1\" y=\"{below}\" width=\"380\" height=\"86\" rx=\"8\"/>");
    let x = 1 + INSIDE;
    let _ = writeln!(out, "<text class=\"head\" x=\"{x}\" y=\"{}\">The same 64 bits from all four</text>", below + 29);
    let _ = writeln!(
        out,
        "<text class=\"code\" xml:space=\"preserve\" x=\"{x}\" y=\"{}\">growth(2, 3, 0.7) = {value}</text>",
        below + 51
    );
    let _ = writeln!(
        out,
        "<text class=\"code mark\" xml:space=\"preserve\" x=\"{x}\" y=\"{}\">                  0x{:016x}</text>",
        below + 70,
        value.to_bits()
    );
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" \
         role=\"img\" aria-label=\"One kernel in Rust and its four lowerings: a value, a slice, threads and an OpenCL device, \
         with the same bits\">\n<style>{STYLE}</style>\n{out}</svg>\n",
        height = bottom + 1
    ))
}
