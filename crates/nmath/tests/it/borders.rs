//! No function jumps where its source has a border.
//!
//! The numbers that arguments are compared with are read from the source, so that a border set tomorrow is tested too. Each, and the
//! doubles on both sides of it, is put in place of each argument, beside ordinary ones, and the value is compared with its two
//! neighbours': no oracle is needed to see that a border which neither side takes for its own gives another function's value.

use gristmill_kernel::{Column, ColumnMut, Function, Scalar};
use gristmill_nmath::KERNELS;
use std::collections::BTreeSet;
use std::path::Path;

/// The number that stands at the start of `text`, after an optional sign.
fn number(text: &str) -> Option<f64> {
    let text = text.trim_start().trim_start_matches('-');
    let digits = text.find(|c: char| !(c.is_ascii_digit() || c == '.' || c == '_' || c == 'e'));
    let (digits, after) = text.split_at(digits.unwrap_or(text.len()));
    // the sign of an exponent
    let digits = if digits.ends_with('e') && after.starts_with('-') {
        let end = after[1..].find(|c: char| !c.is_ascii_digit()).map_or(after.len(), |i| i + 1);
        format!("{digits}{}", &after[..end])
    } else {
        digits.to_string()
    };
    digits.replace('_', "").parse().ok().filter(|_| digits.starts_with(|c: char| c.is_ascii_digit()))
}

/// What arguments are compared with, and the constants that stand for such numbers, in the files below a folder.
fn borders_in(folder: &Path, found: &mut BTreeSet<u64>) {
    for entry in std::fs::read_dir(folder).expect("the source is there") {
        let path = entry.expect("a file").path();
        if path.is_dir() {
            borders_in(&path, found);
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a text");
        for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
            let constant = line.trim_start().trim_start_matches("pub ").trim_start_matches("pub(crate) ");
            let after_equals = line.split_once(": f64 = ").filter(|_| constant.starts_with("const "));
            let compared = line.split(['<', '>', '=']).skip(1).chain(after_equals.map(|(_, value)| value));
            found.extend(compared.filter_map(number).filter(|x| *x > 0.0).map(f64::to_bits));
        }
    }
}

/// Ordinary arguments; those of a call are taken in order, and a tuple that gives no number tests nothing.
const ORDINARY: [[f64; 6]; 5] = [
    [0.3, 0.7, 2.2, 3.3, 1.0, 1.0],
    [2.2, 1.7, 5.3, 4.1, 2.0, 1.0],
    [3.0, 12.0, 0.4, 7.0, 1.0, 1.0],
    [0.7, 3.3, 6.1, 9.0, 1.0, 1.0],
    [0.4, 2.0, 3.0, 8.3, 1.0, 1.0],
];

/// Where a call takes long, every so many borders are enough.
fn stride(f: &Function) -> usize {
    let slow = ["nbeta", "nchisq", "nt", "nf", "tukey", "signrank", "wilcox", "hyper"];
    if slow.iter().any(|name| f.name()[1..] == **name) { 24 } else { 1 }
}

/// Quantiles of counts are steps, and so are what rounds and what gives a sign or a remainder.
fn is_step(f: &Function) -> bool {
    let counts = ["binom", "nbinom", "nbinom_mu", "pois", "geom", "hyper", "signrank", "wilcox"];
    let name = f.name();
    let rounds = ["fround", "fprec", "ftrunc", "floor", "ceil", "trunc", "rint", "sign", "fsign", "gamma_sign", "fmod"];
    (name.starts_with('q') && counts.contains(&&name[1..])) || rounds.contains(&name)
}

/// Where a function may jump: what it is compared with there is another argument, a pole, an end of its support, or whole numbers.
fn may_jump(f: &Function, name: &str, x: f64, others: &[f64; 6]) -> bool {
    let kernel = f.name();
    let tail = &kernel[1..];
    let whole = |y: f64| (y - y.round_ties_even()).abs() <= 1e-12 * (1.0 + y.abs());
    let counts = ["binom", "nbinom", "nbinom_mu", "pois", "geom", "hyper"].contains(&tail);
    let ranks = ["signrank", "wilcox"].contains(&tail);
    let chooses = ["choose", "lchoose"].contains(&kernel);
    let waves = ["sin", "cos", "tan", "sinpi", "cospi", "tanpi", "bessel_j", "bessel_y"].contains(&kernel);
    let gammas = ["gammafn", "digamma", "trigamma", "tetragamma", "pentagamma", "psigamma", "scaled_psigamma"];
    // poles and ends of supports at 0, and at the other arguments
    x.abs() < 1e-322
        || others.iter().any(|y| (x - y).abs() <= 1e-12)
        // poles at and between whole numbers, which are all that is left of the line far out
        || (gammas.contains(&kernel) && (x < 0.0 && whole(x) || name == "deriv"))
        || (kernel == "tanpi" && whole(2.0 * x))
        // waves that doubles are too far apart for
        || (waves && x.abs() > 1e6)
        // a count or a rank statistic that is fractional by 1e-7 counts as whole, as in R; numbers of observations are rounded
        || ((counts || ranks) && name == "x" && (x.abs() - 1e-7).abs() < 1e-12)
        || (ranks && whole(2.0 * x))
        || (chooses && name == "k" && whole(2.0 * x) && x.abs() < 1e16)
        || name == "expo"
}

/// Jumps that docs/differences-from-R.md explains: a shape above 1e260 is infinite. This list may only get shorter.
const KNOWN: &[(&str, &str)] = &[("qbeta", "b")];

/// Whether two neighbours' values differ by no more than the function moves over the 2^22 doubles beside them. An infinite value is near every
/// number: poles and ends of supports are no faults.
fn near(a: f64, b: f64, slack: f64) -> bool {
    a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= 1e-9 * (a.abs() + b.abs()) + 2.0 * slack + 1e-300
}

#[test]
fn no_function_jumps_at_a_border_of_its_source() {
    let mut found = BTreeSet::new();
    borders_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    assert!(found.len() > 200, "only {} borders were read from the source", found.len());
    found.extend((1..=40).map(|i| (0.5 * f64::from(i)).to_bits()));
    let far = |x: f64, up: bool| if up == (x > 0.0) { x * (1.0 + 1e-9) } else { x * (1.0 - 1e-9) };
    let mut points: Vec<[f64; 7]> = Vec::new();
    for bits in found {
        for x in [f64::from_bits(bits), -f64::from_bits(bits)] {
            let (down, up) = (x.next_down(), x.next_up());
            points.push([far(x, false), down.next_down(), down, x, up, up.next_up(), far(x, true)]);
        }
    }
    let mut jumps: Vec<String> = Vec::new();
    for f in KERNELS {
        let params: Vec<(&str, Scalar)> = f.params().collect();
        let numbers = params.iter().all(|(_, ty)| matches!(ty, Scalar::F64 | Scalar::Bool));
        if !numbers || f.results().as_slice() != [Scalar::F64] || is_step(f) {
            continue;
        }
        let chosen: Vec<[f64; 7]> = points.iter().step_by(stride(f)).copied().collect();
        let values: Vec<f64> = chosen.iter().flatten().copied().collect();
        for (place, (name, _)) in params.iter().enumerate().filter(|(_, (_, ty))| *ty == Scalar::F64) {
            for (ordinary, flag) in ORDINARY.iter().flat_map(|o| [(o, false), (o, true)]) {
                let singles: Vec<[f64; 1]> = ordinary.iter().map(|x| [*x]).collect();
                let ins: Vec<Column<'_>> = params
                    .iter()
                    .enumerate()
                    .map(|(i, (_, ty))| match ty {
                        Scalar::Bool => Column::Bool(if flag { &[true] } else { &[false] }),
                        _ if i == place => Column::F64(&values),
                        _ => Column::F64(&singles[i]),
                    })
                    .collect();
                let mut out = vec![0.0; values.len()];
                f.map(&ins, &mut [ColumnMut::F64(&mut out)]).expect("the columns fit");
                for (x, y) in chosen.iter().zip(out.chunks_exact(7)) {
                    if may_jump(f, name, x[3], ordinary) || KNOWN.contains(&(f.name(), *name)) {
                        continue;
                    }
                    let slack = (y[1] - y[0]).abs().max((y[6] - y[5]).abs());
                    let slack = if slack.is_nan() { f64::INFINITY } else { slack };
                    for i in 2..=4 {
                        if !near(y[i - 1], y[i], slack) && !near(y[i], y[i + 1], slack) {
                            jumps.push(format!(
                                "{}: {name} = {:?} beside {ordinary:?} {flag}: {:?}, {:?}, {:?}",
                                f.name(),
                                x[i],
                                y[i - 1],
                                y[i],
                                y[i + 1]
                            ));
                        }
                    }
                    let (low, high) = (y[2], y[4]);
                    if low.is_finite() && high.is_finite() && !near(low, high, slack) {
                        jumps.push(format!(
                            "{}: {name} past {:?} beside {ordinary:?} {flag}: {low:?}, {:?}, {high:?}",
                            f.name(),
                            x[3],
                            y[3]
                        ));
                    }
                }
            }
        }
    }
    assert!(jumps.is_empty(), "{} jumps:\n{}", jumps.len(), jumps.join("\n"));
}
