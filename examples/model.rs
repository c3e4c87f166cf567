//! A generalised linear model: R's formula, R's numbers; then its posterior at a grid of coefficient vectors.
use gristmill::glm::formula::{Column, Formula, Roles, Table};
use gristmill::glm::{Family, Matrix, Model};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let table = Table::new(6)
        .with("dose", Column::Numbers(vec![-1.0, 0.0, 1.0, 2.0, 3.0, 4.0]))
        .with("ill", Column::Numbers(vec![0.0, 1.0, 0.0, 1.0, 0.0, 1.0]));
    let formula = Formula::parse("ill ~ dose", table.names())?;
    let design = formula.design(&table, &Roles { binomial: true, ..Roles::default() })?;
    let data = design.builder(Model::new(Family::Binomial, None, None)?)?.build()?;

    // glm(ill ~ dose, binomial)
    let fit = data.fit()?;
    for (name, coefficient) in design.names.iter().zip(&fit.coefficients) {
        println!("{name} {coefficient:.6}");
    }
    println!("deviance {:.6}", fit.deviance);

    let grid: Vec<f64> = (0..100).flat_map(|i| [fit.coefficients[0], f64::from(i) * 0.01]).collect();
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
