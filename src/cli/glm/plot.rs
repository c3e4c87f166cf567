//! `--plot FILE.svg`: the four plots that R draws of a fit, and the coefficients with their intervals.

use super::{Fitted, Job};
use crate::cli::Result;
use gristmill::glm::RowInfluence;
use gristmill::nmath;
use gristmill_support::write_atomically;
use std::fmt::Write as _;
use std::path::Path;

/// Width and height of a panel, and the room around its plot: left, top, right, bottom.
const PANEL: (f64, f64) = (460.0, 340.0);
const ROOM: (f64, f64, f64, f64) = (62.0, 36.0, 18.0, 50.0);
/// More points than this are thinned out: the eye does not tell, and the file stays small.
const MOST_POINTS: usize = 4000;
/// Points that are named by their row.
const NAMED: usize = 3;
/// Coefficients that are drawn.
const MOST_COEFFICIENTS: usize = 40;

/// A mark with what it stands for.
#[derive(Clone, Copy)]
struct Point {
    x: f64,
    y: f64,
    row: usize,
    /// How far out it is: the farthest are named.
    size: f64,
}

/// Plots have names that say what they are.
pub(super) fn check(path: &Path) -> Result<()> {
    match path.extension() {
        Some(ending) if ending.eq_ignore_ascii_case("svg") => Ok(()),
        _ => Err(format!("--plot {}: plots are .svg files; give it such a name", path.display()).into()),
    }
}

pub(super) fn write(job: &Job<'_>, fitted: &Fitted, path: &Path) -> Result<()> {
    write_atomically(path, page(job, fitted).as_bytes())?;
    Ok(())
}

fn page(job: &Job<'_>, fitted: &Fitted) -> String {
    let rows = fitted.data.influence(&fitted.fit, fitted.summary.dispersion);
    let used: Vec<(usize, &RowInfluence)> = job
        .design
        .rows
        .iter()
        .copied()
        .zip(&rows)
        .filter(|(_, r)| r.standardised_pearson.is_finite() && r.standardised_deviance.is_finite())
        .collect();
    let points = |x: fn(&RowInfluence) -> f64, y: fn(&RowInfluence) -> f64, size: fn(&RowInfluence) -> f64| {
        used.iter().map(|(row, r)| Point { x: x(r), y: y(r), row: *row, size: size(r) }).collect::<Vec<Point>>()
    };
    // As R does since 4.1: Pearson residuals throughout, and the farthest three by their size in each panel.
    let residuals = points(|r| r.link, |r| r.pearson, |r| r.pearson.abs());
    let spread = points(|r| r.link, |r| r.standardised_pearson.abs().sqrt(), |r| r.standardised_pearson.abs());
    let (leverage, constant) = leverages(&used);
    let mut quantiles =
        points(|r| r.standardised_pearson, |r| r.standardised_pearson, |r| r.standardised_pearson.abs());
    quantiles.sort_by(|a, b| a.y.total_cmp(&b.y));
    let count = quantiles.len() as f64;
    // As R's `ppoints`.
    let shift = if count <= 10.0 { 0.375 } else { 0.5 };
    for (i, point) in quantiles.iter_mut().enumerate() {
        let p = (i as f64 + 1.0 - shift) / (count + 1.0 - 2.0 * shift);
        point.x = nmath::qnorm(p, 0.0, 1.0, true, false);
    }

    let first = usize::from(job.design.intercept && job.design.names.len() > 1);
    let shown: Vec<usize> = (first..job.design.names.len()).take(MOST_COEFFICIENTS).collect();
    let coefficients_height = ROOM.1 + ROOM.3 + 24.0 * shown.len() as f64;
    let (width, height) = (2.0 * PANEL.0, 2.0 * PANEL.1 + coefficients_height + 40.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"Helvetica, Arial, sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" \
         fill=\"#ffffff\"/>\n"
    );
    let title =
        format!("{} ({}, {})", job.args.formula.as_deref().unwrap_or("y ~ x"), job.model.family(), job.model.link());
    text(&mut svg, width / 2.0, 22.0, "middle", "#222222", 14.0, &cropped(&title, 110));
    let at = |column: usize, row: usize| (PANEL.0 * column as f64, 34.0 + PANEL.1 * row as f64);
    Panel::new("Residuals vs Fitted", "Predicted values", "Pearson residuals", &residuals)
        .level(0.0)
        .smooth()
        .draw(&mut svg, at(0, 0));
    Panel::new("Normal Q-Q", "Theoretical quantiles", "Std. Pearson resid.", &quantiles)
        .line_through_quartiles()
        .draw(&mut svg, at(1, 0));
    Panel::new("Scale-Location", "Predicted values", "√|Std. Pearson resid.|", &spread)
        .starts_at_zero()
        .smooth()
        .draw(&mut svg, at(0, 1));
    match constant {
        Some(hat) => {
            let title = format!("Residuals vs Groups (every leverage is {})", label(super::r_format::signif(hat, 3)));
            Panel::new(&title, "Rows of equal prediction, from low to high", "Std. Pearson resid.", &leverage)
                .level(0.0)
                .draw(&mut svg, at(1, 1));
        }
        None => Panel::new("Residuals vs Leverage", "Leverage", "Std. Pearson resid.", &leverage)
            .level(0.0)
            .smooth()
            .cook(fitted.fit.rank())
            .draw(&mut svg, at(1, 1)),
    }
    coefficients(&mut svg, job, fitted, 34.0 + 2.0 * PANEL.1, &shown);
    svg.push_str("</svg>\n");
    svg
}

/// Standardised residuals against leverages; where all leverages are one (balanced factors), which is then given too, against
/// groups of equal prediction, as R does.
fn leverages(used: &[(usize, &RowInfluence)]) -> (Vec<Point>, Option<f64>) {
    let hats = || used.iter().map(|(_, r)| r.hat);
    let (low, high) = hats().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
    let constant = (used.len() > 1 && high - low <= 1e-10 * high).then_some(high);
    let mut links: Vec<f64> = used.iter().map(|(_, r)| r.link).collect();
    links.sort_by(f64::total_cmp);
    // What is equal but for rounding is one group.
    links.dedup_by(|a, b| (*a - *b).abs() <= 1e-9 * (1.0 + b.abs()));
    let place = |r: &RowInfluence| match constant {
        Some(_) => links.partition_point(|link| *link < r.link - 1e-9 * (1.0 + r.link.abs())) as f64 + 1.0,
        None => r.hat,
    };
    let size = |r: &RowInfluence| if constant.is_some() { r.standardised_pearson.abs() } else { r.cook };
    let point =
        |(row, r): &(usize, &RowInfluence)| Point { x: place(r), y: r.standardised_pearson, row: *row, size: size(r) };
    (used.iter().map(point).collect(), constant)
}

/// What may stand in SVG text: XML has no place for control characters.
fn escaped(text: &str) -> String {
    let shown: String = text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    shown.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A text of at most so many characters.
fn cropped(text: &str, most: usize) -> String {
    if text.chars().count() <= most { text.to_string() } else { text.chars().take(most - 1).chain(['…']).collect() }
}

fn text(svg: &mut String, x: f64, y: f64, anchor: &str, colour: &str, size: f64, what: &str) {
    let _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" fill=\"{colour}\" font-size=\"{size}\">{}</text>",
        escaped(what)
    );
}

fn line(svg: &mut String, from: (f64, f64), to: (f64, f64), style: &str) {
    let _ = writeln!(
        svg,
        "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" {style}/>",
        from.0, from.1, to.0, to.1
    );
}

const GREY: &str = "stroke=\"#999999\" stroke-width=\"1\" stroke-dasharray=\"4 3\"";
const AXIS: &str = "stroke=\"#444444\" stroke-width=\"1\"";
const RED: &str = "stroke=\"#c0392b\" stroke-width=\"1.6\" fill=\"none\"";

/// Round numbers that span a range, about five of them.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let span = (high - low).max(f64::MIN_POSITIVE);
    let raw = span / 5.0;
    let power = 10_f64.powf(raw.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|m| m * power).find(|s| *s >= 0.7 * raw).unwrap_or(10.0 * power);
    let first = (low / step).ceil() as i64;
    (first..).map(|i| i as f64 * step).take_while(|t| *t <= high + 1e-9 * step).take(20).collect()
}

/// The numbers of an axis, all with as many digits as one of them needs.
fn labels(ticks: &[f64]) -> Vec<String> {
    // A tick is a whole multiple of the step: what is beyond 12 digits is rounding.
    super::r_format::format_real(&ticks.iter().map(|t| super::r_format::signif(*t, 12)).collect::<Vec<f64>>(), 7)
}

/// A number by itself.
fn label(x: f64) -> String {
    super::r_format::format_real(&[super::r_format::signif(x, 6)], 6).remove(0)
}

/// Ticks and numbers below a plot.
fn horizontal_axis(svg: &mut String, scale: Scale, bottom: f64) {
    let marks = ticks(scale.from.0, scale.from.1);
    for (t, label) in marks.iter().zip(labels(&marks)) {
        line(svg, (scale.at(*t), bottom), (scale.at(*t), bottom + 5.0), AXIS);
        text(svg, scale.at(*t), bottom + 18.0, "middle", "#444444", 11.0, &label);
    }
}

/// A linear map from data to places on the page.
#[derive(Clone, Copy)]
struct Scale {
    from: (f64, f64),
    to: (f64, f64),
}

impl Scale {
    /// With a margin of 4 % on both sides, as R has it.
    fn new(values: impl Iterator<Item = f64>, to: (f64, f64)) -> Scale {
        let (low, high) =
            values.filter(|v| v.is_finite()).fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
        let (low, high) = if low.is_finite() { (low, high) } else { (0.0, 1.0) };
        let margin = if high > low { 0.04 * (high - low) } else { 0.5 * low.abs().max(1.0) };
        Scale { from: (low - margin, high + margin), to }
    }

    fn at(&self, v: f64) -> f64 {
        self.to.0 + (v - self.from.0) / (self.from.1 - self.from.0) * (self.to.1 - self.to.0)
    }
}

struct Panel<'a> {
    title: &'a str,
    x: &'a str,
    y: &'a str,
    points: &'a [Point],
    level: Option<f64>,
    smooth: bool,
    from_zero: bool,
    quartiles: bool,
    /// The number of coefficients, for the contours of Cook's distance.
    cook: Option<usize>,
}

impl<'a> Panel<'a> {
    fn new(title: &'a str, x: &'a str, y: &'a str, points: &'a [Point]) -> Panel<'a> {
        Panel { title, x, y, points, level: None, smooth: false, from_zero: false, quartiles: false, cook: None }
    }

    fn level(self, level: f64) -> Self {
        Panel { level: Some(level), ..self }
    }

    fn smooth(self) -> Self {
        Panel { smooth: true, ..self }
    }

    /// The vertical axis starts at 0.
    fn starts_at_zero(self) -> Self {
        Panel { from_zero: true, ..self }
    }

    fn line_through_quartiles(self) -> Self {
        Panel { quartiles: true, ..self }
    }

    fn cook(self, rank: usize) -> Self {
        Panel { cook: Some(rank), ..self }
    }

    fn draw(&self, svg: &mut String, (left, top): (f64, f64)) {
        let (x0, x1) = (left + ROOM.0, left + PANEL.0 - ROOM.2);
        let (y0, y1) = (top + ROOM.1, top + PANEL.1 - ROOM.3);
        let leverage_zero = self.cook.map(|_| 0.0);
        let lowest = self.from_zero.then_some(0.0);
        let xs = Scale::new(self.points.iter().map(|p| p.x).chain(leverage_zero), (x0, x1));
        let ys = Scale::new(self.points.iter().map(|p| p.y).chain(self.level).chain(lowest), (y1, y0));
        let _ = writeln!(
            svg,
            "<clipPath id=\"c{left}-{top}\"><rect x=\"{x0}\" y=\"{y0}\" width=\"{:.1}\" height=\"{:.1}\"/></clipPath>",
            x1 - x0,
            y1 - y0
        );
        text(svg, (x0 + x1) / 2.0, top + 24.0, "middle", "#222222", 13.0, self.title);
        horizontal_axis(svg, xs, y1);
        let marks = ticks(ys.from.0, ys.from.1);
        for (t, label) in marks.iter().zip(labels(&marks)) {
            line(svg, (x0 - 5.0, ys.at(*t)), (x0, ys.at(*t)), AXIS);
            text(svg, x0 - 8.0, ys.at(*t) + 4.0, "end", "#444444", 11.0, &label);
        }
        text(svg, (x0 + x1) / 2.0, y1 + 36.0, "middle", "#222222", 12.0, self.x);
        let _ = writeln!(
            svg,
            "<text transform=\"translate({:.1} {:.1}) rotate(-90)\" text-anchor=\"middle\" fill=\"#222222\">{}</text>",
            left + 16.0,
            (y0 + y1) / 2.0,
            escaped(self.y)
        );
        let _ = writeln!(svg, "<g clip-path=\"url(#c{left}-{top})\">");
        if let Some(level) = self.level {
            line(svg, (x0, ys.at(level)), (x1, ys.at(level)), GREY);
        }
        self.draw_cook(svg, xs, ys);
        self.draw_quartiles(svg, xs, ys);
        let step = self.points.len().div_ceil(MOST_POINTS).max(1);
        // The farthest ones are drawn even where others are thinned out: they are named.
        let named = if step > 1 { self.farthest() } else { Vec::new() };
        for point in self.points.iter().step_by(step).chain(named) {
            let _ = writeln!(
                svg,
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"none\" stroke=\"#2c5f8a\" stroke-opacity=\"0.75\"/>",
                xs.at(point.x),
                ys.at(point.y)
            );
        }
        if self.smooth
            && let Some(path) = smoothed(self.points, xs, ys)
        {
            let _ = writeln!(svg, "<path d=\"{path}\" {RED}/>");
        }
        svg.push_str("</g>\n");
        self.draw_names(svg, xs, ys);
        let _ = writeln!(
            svg,
            "<rect x=\"{x0:.1}\" y=\"{y0:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"none\" {AXIS}/>",
            x1 - x0,
            y1 - y0
        );
    }

    fn farthest(&self) -> Vec<&Point> {
        let mut far: Vec<&Point> = self.points.iter().collect();
        far.sort_by(|a, b| b.size.total_cmp(&a.size));
        far.truncate(NAMED);
        far
    }

    /// The rows of the farthest points, on the side where there is room, and not over each other.
    fn draw_names(&self, svg: &mut String, xs: Scale, ys: Scale) {
        let mut taken: Vec<(f64, f64)> = Vec::new();
        let mut far = self.farthest();
        far.sort_by(|a, b| b.y.total_cmp(&a.y));
        for point in far {
            let x = xs.at(point.x);
            let (x, anchor) = if x > (xs.to.0 + xs.to.1) / 2.0 { (x - 6.0, "end") } else { (x + 6.0, "start") };
            let mut y = ys.at(point.y) + 4.0;
            while taken.iter().any(|(other_x, other_y)| (x - other_x).abs() < 30.0 && (y - other_y).abs() < 10.0) {
                y += 1.0;
            }
            taken.push((x, y));
            text(svg, x, y, anchor, "#666666", 10.0, &point.row.to_string());
        }
    }

    /// The line through the quartiles of both axes, as R's `qqline`.
    fn draw_quartiles(&self, svg: &mut String, xs: Scale, ys: Scale) {
        if !self.quartiles || self.points.len() < 4 {
            return;
        }
        let quantile = |p: f64| {
            let at = p * (self.points.len() - 1) as f64;
            let (low, share) = (at.floor() as usize, at.fract());
            let next = (low + 1).min(self.points.len() - 1);
            self.points[low].y + share * (self.points[next].y - self.points[low].y)
        };
        let z = nmath::qnorm(0.75, 0.0, 1.0, true, false);
        let slope = (quantile(0.75) - quantile(0.25)) / (2.0 * z);
        let middle = quantile(0.25) + slope * z;
        let ends = [xs.from.0, xs.from.1].map(|x| (xs.at(x), ys.at(middle + slope * x)));
        line(svg, ends[0], ends[1], GREY);
    }

    /// Where Cook's distance is 0.5 and 1: `r^2 h/((1 - h) p)`.
    fn draw_cook(&self, svg: &mut String, xs: Scale, ys: Scale) {
        let Some(rank) = self.cook else { return };
        for distance in [0.5, 1.0] {
            for sign in [-1.0, 1.0] {
                let mut path = String::new();
                for i in 1..=120 {
                    let h = xs.from.1.min(0.999) * f64::from(i) / 120.0;
                    let r = sign * (distance * rank as f64 * (1.0 - h) / h).sqrt();
                    let place = (xs.at(h), ys.at(r).clamp(ys.to.1 - 2000.0, ys.to.0 + 2000.0));
                    let _ = write!(path, "{}{:.1} {:.1} ", if i == 1 { "M" } else { "L" }, place.0, place.1);
                }
                let _ = writeln!(svg, "<path d=\"{path}\" stroke=\"#c0392b\" stroke-dasharray=\"4 3\" fill=\"none\"/>");
                let h = xs.from.1.min(0.999);
                let r = sign * (distance * rank as f64 * (1.0 - h) / h).sqrt();
                if (ys.to.1..ys.to.0).contains(&ys.at(r)) {
                    text(svg, xs.to.1 - 4.0, ys.at(r) - 3.0, "end", "#c0392b", 10.0, &format!("{distance}"));
                }
            }
        }
    }
}

/// A smooth line through the points: local linear fits over two thirds of them (cleveland1979) at places a hundredth of the range
/// apart, joined by straight lines. Not made robust: R's plots of `glm` are not either.
fn smoothed(points: &[Point], xs: Scale, ys: Scale) -> Option<String> {
    let mut sorted: Vec<(f64, f64)> =
        points.iter().filter(|p| p.x.is_finite() && p.y.is_finite()).map(|p| (p.x, p.y)).collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let step = sorted.len().div_ceil(MOST_POINTS).max(1);
    let sorted: Vec<(f64, f64)> = sorted.into_iter().step_by(step).collect();
    let (first, last) = (sorted.first()?.0, sorted.last()?.0);
    if sorted.len() < 5 || first >= last {
        return None;
    }
    let mut places = vec![first];
    for (x, _) in &sorted {
        if places.last().is_some_and(|p| x - p > 0.01 * (last - first)) {
            places.push(*x);
        }
    }
    if places.last() != Some(&last) {
        places.push(last);
    }
    let line: Vec<(f64, f64)> = places.iter().map(|x| (*x, local(&sorted, *x))).collect();
    let mut path = String::new();
    for (i, (x, y)) in line.iter().filter(|p| p.1.is_finite()).enumerate() {
        let _ = write!(path, "{}{:.1} {:.1} ", if i == 0 { "M" } else { "L" }, xs.at(*x), ys.at(*y));
    }
    Some(path)
}

/// The line through the nearest two thirds of the points, by tricube weights, at `x`.
fn local(sorted: &[(f64, f64)], x: f64) -> f64 {
    let range = sorted[sorted.len() - 1].0 - sorted[0].0;
    let near = (sorted.len() * 2 / 3).max(2);
    let mut distances: Vec<f64> = sorted.iter().map(|p| (p.0 - x).abs()).collect();
    let reach = *distances.select_nth_unstable_by(near - 1, f64::total_cmp).1;
    let (mut w, mut wx, mut wy, mut wxx, mut wxy) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for p in sorted {
        let (d, away) = (p.0 - x, (p.0 - x).abs());
        // Next to the place all points count alike, and those at the very reach not at all.
        let weight = match away {
            a if a <= 0.001 * reach => 1.0,
            a if a <= 0.999 * reach => (1.0 - (a / reach).powi(3)).powi(3),
            _ => continue,
        };
        w += weight;
        wx += weight * d;
        wy += weight * p.1;
        wxx += weight * d * d;
        wxy += weight * d * p.1;
    }
    if w <= 0.0 {
        return f64::NAN;
    }
    let (centre, spread) = (wx / w, wxx / w - (wx / w).powi(2));
    // Points of one place have a mean, but no slope.
    if spread.max(0.0).sqrt() <= 0.001 * range {
        return wy / w;
    }
    let slope = (wxy / w - centre * wy / w) / spread;
    wy / w - slope * centre
}

/// Estimates with their intervals: one line each, in units of their standard errors, and in figures at its end. The intercept
/// is left out where there are others: it is far from 0 for reasons of its own, and would press them together.
fn coefficients(svg: &mut String, job: &Job<'_>, fitted: &Fitted, top: f64, shown: &[usize]) {
    let z = nmath::qnorm(0.5 + 0.5 * job.args.level, 0.0, 1.0, true, false);
    let all = &fitted.summary.coefficients;
    let (x0, x1) = (240.0, 2.0 * PANEL.0 - ROOM.2 - 200.0);
    let (y0, y1) = (top + ROOM.1, top + ROOM.1 + 24.0 * shown.len() as f64);
    // Scales of columns differ by any factor: each is shown in its own standard errors.
    let ends = shown.iter().flat_map(|j| [all[*j].z - z, all[*j].z + z]).chain([0.0]);
    let scale = Scale::new(ends, (x0, x1));
    let percent = label(super::r_format::signif(100.0 * job.args.level, 6));
    let more = all.len() - shown.last().map_or(0, |j| j + 1);
    let rest = if more > 0 { format!(" (the first {}; {more} more)", shown.len()) } else { String::new() };
    let title = format!("Coefficients with {percent} % intervals, each in its own standard errors{rest}");
    text(svg, PANEL.0, top + 24.0, "middle", "#222222", 13.0, &title);
    line(svg, (scale.at(0.0), y0), (scale.at(0.0), y1), GREY);
    horizontal_axis(svg, scale, y1);
    text(svg, (x0 + x1) / 2.0, y1 + 36.0, "middle", "#222222", 12.0, "Estimate / standard error");
    for (i, j) in shown.iter().enumerate() {
        let y = y0 + 24.0 * i as f64 + 12.0;
        text(svg, x0 - 10.0, y + 4.0, "end", "#222222", 12.0, &cropped(&job.design.names[*j], 34));
        let c = all[*j];
        if c.z.is_finite() {
            line(svg, (scale.at(c.z - z), y), (scale.at(c.z + z), y), "stroke=\"#2c5f8a\" stroke-width=\"2\"");
            let _ = writeln!(svg, "<circle cx=\"{:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"#2c5f8a\"/>", scale.at(c.z));
            let [b, low, high] = [c.estimate, c.estimate - z * c.sd, c.estimate + z * c.sd]
                .map(|v| label(super::r_format::signif(v, 3)));
            text(svg, x1 + 10.0, y + 4.0, "start", "#444444", 11.0, &format!("{b}  [{low}, {high}]"));
        } else {
            text(svg, x1 + 10.0, y + 4.0, "start", "#888888", 11.0, "NA");
        }
    }
    let _ = writeln!(
        svg,
        "<rect x=\"{x0:.1}\" y=\"{y0:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"none\" {AXIS}/>",
        x1 - x0,
        y1 - y0
    );
}
