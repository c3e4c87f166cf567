//! A generalised linear model: R's formula, R's numbers; then its posterior at a grid of coefficient vectors.
use gristmill::glm::{Family, GlmData, Matrix, Model};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let x = Matrix::row_major(&[1.0, -1.0, 1.0, 0.0, 1.0, 2.0, 1.0, 3.0], 4, 2)?;
    let data =
        GlmData::new(Model::new(Family::Binomial, None, None)?, x, &[0.0, 1.0, 0.0, 1.0], None, None, None, None)?;
    let grid: Vec<f64> = (0..100).flat_map(|i| [-1.0, f64::from(i) * 0.02]).collect();
    let result = data.evaluate(Matrix::row_major(&grid, 100, 2)?)?;
    let best = (0..100).min_by(|a, b| result.values()[*a].total_cmp(&result.values()[*b])).unwrap_or(0);
    println!(
        "slope {:.2}: -log posterior {:.4}, gradient {:?}",
        grid[2 * best + 1],
        result.values()[best],
        result.gradient(best)
    );
    Ok(())
}
