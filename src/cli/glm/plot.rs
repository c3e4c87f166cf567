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

pub(super) fn write(job: &Job<'_>, fitted: &Fitted, path: &Path) -> Result<()> {
    if path.extension().is_none_or(|e| !e.eq_ignore_ascii_case("svg")) {
        return Err(format!("--plot {}: plots are .svg files; give it such a name", path.display()).into());
    }
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
    let residuals = points(|r| r.link, |r| r.deviance, |r| r.deviance.abs());
    let spread = points(|r| r.link, |r| r.standardised_deviance.abs().sqrt(), |r| r.standardised_deviance.abs());
    let leverage = points(|r| r.hat, |r| r.standardised_pearson, |r| r.cook);
    let mut quantiles =
        points(|r| r.standardised_deviance, |r| r.standardised_deviance, |r| r.standardised_deviance.abs());
    quantiles.sort_by(|a, b| a.y.total_cmp(&b.y));
    let count = quantiles.len() as f64;
    // As R's `ppoints`.
    let shift = if count <= 10.0 { 0.375 } else { 0.5 };
    for (i, point) in quantiles.iter_mut().enumerate() {
        let p = (i as f64 + 1.0 - shift) / (count + 1.0 - 2.0 * shift);
        point.x = nmath::qnorm(p, 0.0, 1.0, true, false);
    }

    let shown = job.design.names.len().min(MOST_COEFFICIENTS);
    let coefficients_height = ROOM.1 + ROOM.3 + 24.0 * shown as f64;
    let (width, height) = (2.0 * PANEL.0, 2.0 * PANEL.1 + coefficients_height + 40.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"Helvetica, Arial, sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" \
         fill=\"#ffffff\"/>\n"
    );
    let title =
        format!("{} ({}, {})", job.args.formula.as_deref().unwrap_or("y ~ x"), job.model.family(), job.model.link());
    text(&mut svg, width / 2.0, 22.0, "middle", "#222222", 14.0, &title);
    let at = |column: usize, row: usize| (PANEL.0 * column as f64, 34.0 + PANEL.1 * row as f64);
    Panel::new("Residuals vs Fitted", "Predicted values", "Residuals", &residuals)
        .level(0.0)
        .smooth()
        .draw(&mut svg, at(0, 0));
    Panel::new("Normal Q-Q", "Theoretical quantiles", "Std. deviance resid.", &quantiles)
        .line_through_quartiles()
        .draw(&mut svg, at(1, 0));
    Panel::new("Scale-Location", "Predicted values", "√|Std. deviance resid.|", &spread)
        .smooth()
        .draw(&mut svg, at(0, 1));
    Panel::new("Residuals vs Leverage", "Leverage", "Std. Pearson resid.", &leverage)
        .level(0.0)
        .smooth()
        .cook(fitted.fit.rank())
        .draw(&mut svg, at(1, 1));
    coefficients(&mut svg, job, fitted, 34.0 + 2.0 * PANEL.1, shown);
    svg.push_str("</svg>\n");
    svg
}

/// What may stand in SVG text.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
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
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|m| m * power).find(|s| *s >= raw).unwrap_or(10.0 * power);
    let first = (low / step).ceil() as i64;
    (first..).map(|i| i as f64 * step).take_while(|t| *t <= high + 1e-9 * step).take(20).collect()
}

/// A number with as few digits as a tick needs.
fn label(x: f64) -> String {
    super::r_format::format_real(&[super::r_format::signif(x, 6)], 6).remove(0)
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
    quartiles: bool,
    /// The number of coefficients, for the contours of Cook's distance.
    cook: Option<usize>,
}

impl<'a> Panel<'a> {
    fn new(title: &'a str, x: &'a str, y: &'a str, points: &'a [Point]) -> Panel<'a> {
        Panel { title, x, y, points, level: None, smooth: false, quartiles: false, cook: None }
    }

    fn level(self, level: f64) -> Self {
        Panel { level: Some(level), ..self }
    }

    fn smooth(self) -> Self {
        Panel { smooth: true, ..self }
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
        let from_zero = self.cook.map(|_| 0.0);
        let xs = Scale::new(self.points.iter().map(|p| p.x).chain(from_zero), (x0, x1));
        let ys = Scale::new(self.points.iter().map(|p| p.y).chain(self.level), (y1, y0));
        let _ = writeln!(
            svg,
            "<clipPath id=\"c{left}-{top}\"><rect x=\"{x0}\" y=\"{y0}\" width=\"{:.1}\" height=\"{:.1}\"/></clipPath>",
            x1 - x0,
            y1 - y0
        );
        text(svg, (x0 + x1) / 2.0, top + 24.0, "middle", "#222222", 13.0, self.title);
        for t in ticks(xs.from.0, xs.from.1) {
            line(svg, (xs.at(t), y1), (xs.at(t), y1 + 5.0), AXIS);
            text(svg, xs.at(t), y1 + 18.0, "middle", "#444444", 11.0, &label(t));
        }
        for t in ticks(ys.from.0, ys.from.1) {
            line(svg, (x0 - 5.0, ys.at(t)), (x0, ys.at(t)), AXIS);
            text(svg, x0 - 8.0, ys.at(t) + 4.0, "end", "#444444", 11.0, &label(t));
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
        for point in self.points.iter().step_by(step) {
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

    /// The rows of the farthest points, on the side where there is room.
    fn draw_names(&self, svg: &mut String, xs: Scale, ys: Scale) {
        let mut far: Vec<&Point> = self.points.iter().collect();
        far.sort_by(|a, b| b.size.total_cmp(&a.size));
        for point in far.into_iter().take(NAMED) {
            let x = xs.at(point.x);
            let (x, anchor) = if x > (xs.to.0 + xs.to.1) / 2.0 { (x - 6.0, "end") } else { (x + 6.0, "start") };
            text(svg, x, ys.at(point.y) + 4.0, anchor, "#666666", 10.0, &point.row.to_string());
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

/// Local linear fits with tricube weights over two thirds of the points (cleveland1979), made robust once, drawn at 40 places.
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
    let near = (sorted.len() * 2 / 3).max(3);
    let mut robust = vec![1.0; sorted.len()];
    for _ in 0..2 {
        let residuals: Vec<f64> = sorted.iter().map(|p| p.1 - local(&sorted, &robust, near, p.0)).collect();
        let mut sizes: Vec<f64> = residuals.iter().map(|r| r.abs()).collect();
        sizes.sort_by(f64::total_cmp);
        let scale = 6.0 * sizes[sizes.len() / 2];
        if scale <= 0.0 {
            break;
        }
        robust = residuals.iter().map(|r| (1.0 - (r / scale).powi(2)).max(0.0).powi(2)).collect();
        // Many points: once is enough, and the square of their number is not.
        if sorted.len() > 1000 {
            break;
        }
    }
    let mut path = String::new();
    for i in 0..=40 {
        let x = first + (last - first) * f64::from(i) / 40.0;
        let place = (xs.at(x), ys.at(local(&sorted, &robust, near, x)));
        let _ = write!(path, "{}{:.1} {:.1} ", if i == 0 { "M" } else { "L" }, place.0, place.1);
    }
    Some(path)
}

fn local(sorted: &[(f64, f64)], robust: &[f64], near: usize, x: f64) -> f64 {
    let mut distances: Vec<f64> = sorted.iter().map(|p| (p.0 - x).abs()).collect();
    let reach = *distances.select_nth_unstable_by(near - 1, f64::total_cmp).1;
    let reach = reach.max(1e-9 * (1.0 + x.abs())) * 1.000_001;
    let (mut w, mut wx, mut wy, mut wxx, mut wxy) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for (p, r) in sorted.iter().zip(robust) {
        let u = (p.0 - x).abs() / reach;
        if u < 1.0 {
            let weight = (1.0 - u * u * u).powi(3) * r;
            let d = p.0 - x;
            w += weight;
            wx += weight * d;
            wy += weight * p.1;
            wxx += weight * d * d;
            wxy += weight * d * p.1;
        }
    }
    let determinant = w * wxx - wx * wx;
    if w <= 0.0 {
        return f64::NAN;
    }
    if determinant <= 1e-12 * w * wxx { wy / w } else { (wxx * wy - wx * wxy) / determinant }
}

/// Estimates with their intervals, in units of their standard errors apart from 0 by themselves: one line each.
fn coefficients(svg: &mut String, job: &Job<'_>, fitted: &Fitted, top: f64, shown: usize) {
    let z = nmath::qnorm(0.5 + 0.5 * job.args.level, 0.0, 1.0, true, false);
    let some: Vec<(&String, f64, f64)> = job
        .design
        .names
        .iter()
        .zip(&fitted.summary.coefficients)
        .take(shown)
        .map(|(name, c)| (name, c.estimate, c.sd))
        .collect();
    let (x0, x1) = (240.0, 2.0 * PANEL.0 - ROOM.2 - 20.0);
    let (y0, y1) = (top + ROOM.1, top + ROOM.1 + 24.0 * shown as f64);
    // An intercept far from the others would press them together: each is shown in its own standard errors.
    let ends = some.iter().flat_map(|(_, b, sd)| [b / sd - z, b / sd + z]).chain([0.0]);
    let scale = Scale::new(ends, (x0, x1));
    let percent = 100.0 * job.args.level;
    let more = job.design.names.len() - shown;
    let rest = if more > 0 { format!(" (the first {shown}; {more} more)") } else { String::new() };
    let title = format!("Coefficients with {percent} % intervals, each in its own standard errors{rest}");
    text(svg, PANEL.0, top + 24.0, "middle", "#222222", 13.0, &title);
    line(svg, (scale.at(0.0), y0), (scale.at(0.0), y1), GREY);
    for t in ticks(scale.from.0, scale.from.1) {
        line(svg, (scale.at(t), y1), (scale.at(t), y1 + 5.0), AXIS);
        text(svg, scale.at(t), y1 + 18.0, "middle", "#444444", 11.0, &label(t));
    }
    text(svg, (x0 + x1) / 2.0, y1 + 36.0, "middle", "#222222", 12.0, "Estimate / standard error");
    for (i, (name, estimate, sd)) in some.iter().enumerate() {
        let y = y0 + 24.0 * i as f64 + 12.0;
        let name: String =
            if name.chars().count() > 34 { name.chars().take(33).chain(['…']).collect() } else { (*name).clone() };
        text(svg, x0 - 10.0, y + 4.0, "end", "#222222", 12.0, &name);
        let ratio = estimate / sd;
        if ratio.is_finite() {
            line(svg, (scale.at(ratio - z), y), (scale.at(ratio + z), y), "stroke=\"#2c5f8a\" stroke-width=\"2\"");
            let _ = writeln!(svg, "<circle cx=\"{:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"#2c5f8a\"/>", scale.at(ratio));
        } else {
            text(svg, scale.at(0.0) + 8.0, y + 4.0, "start", "#888888", 11.0, "NA");
        }
    }
    let _ = writeln!(
        svg,
        "<rect x=\"{x0:.1}\" y=\"{y0:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"none\" {AXIS}/>",
        x1 - x0,
        y1 - y0
    );
}
