//! Model matrices against R's; dev/oracle/glm/designs.R wrote the expected ones.

use gristmill_glm::formula::{Column, Formula, FormulaError, Roles, Table};
use proptest::prelude::*;
use std::path::{Path, PathBuf};

pub(crate) fn oracle(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../dev/oracle/glm").join(name)
}

/// A plain CSV file: numbers where all are, truth values where all are, else texts.
pub(crate) fn read(path: &Path) -> Table {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut lines = text.lines().map(|l| l.split(',').collect::<Vec<_>>());
    let names = lines.next().expect("a header");
    let rows: Vec<Vec<&str>> = lines.collect();
    let mut table = Table::new(rows.len());
    for (c, name) in names.iter().enumerate() {
        let texts: Vec<Option<&str>> = rows.iter().map(|r| (r[c] != "NA").then_some(r[c])).collect();
        let numbers: Option<Vec<f64>> = texts.iter().map(|t| t.map_or(Some(f64::NAN), |t| t.parse().ok())).collect();
        table = table.with(
            *name,
            match numbers {
                Some(numbers) => Column::Numbers(numbers),
                None if texts.iter().flatten().all(|t| ["TRUE", "FALSE"].contains(t)) => {
                    Column::from_truth(texts.iter().map(|t| t.map(|t| t == "TRUE")))
                }
                None => Column::from_texts(texts),
            },
        );
    }
    table
}

#[test]
fn names_and_columns_are_those_of_r_for_every_formula_of_the_list() {
    let table = read(&oracle("designs.csv"));
    let list = std::fs::read_to_string(oracle("designs.tsv")).expect("the list");
    let mut wrong = Vec::new();
    let mut seen = 0;
    for line in list.lines().skip(1) {
        let [text, names, sums] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("three fields: {line}") };
        let formula = Formula::parse(text, table.names()).unwrap_or_else(|e| panic!("{e}"));
        let design = formula.design(&table, &Roles::default()).unwrap_or_else(|e| panic!("{text}: {e}"));
        let rows = table.rows();
        let found: Vec<String> = design
            .x
            .dense()
            .chunks(rows)
            .map(|c| c.iter().zip(1..).map(|(x, i)| x * f64::from(i)).sum::<f64>().to_string())
            .collect();
        if design.names.join("|") != names || found.join("|") != sums {
            wrong.push(format!(
                "{text}\n  R    {names}\n  ours {}\n  {sums}\n  {}",
                design.names.join("|"),
                found.join("|")
            ));
        }
        seen += 1;
    }
    assert!(seen > 400, "{seen} formulas");
    assert!(wrong.is_empty(), "{} of {seen}:\n{}", wrong.len(), wrong.join("\n"));
}

fn small() -> Table {
    Table::new(5)
        .with("y", Column::Numbers(vec![1.0, 0.0, 1.0, f64::NAN, 0.0]))
        .with("x", Column::Numbers(vec![1.0, 2.0, f64::NAN, 4.0, 5.0]))
        .with("n", Column::Numbers(vec![2.0, 3.0, 4.0, 5.0, 6.0]))
        .with("g", Column::from_texts([Some("b"), Some("a"), Some("c"), Some("a"), None]))
}

fn design(text: &str, roles: &Roles) -> Result<gristmill_glm::formula::Design, FormulaError> {
    let table = small();
    Formula::parse(text, table.names())?.design(&table, roles)
}

#[test]
fn rows_with_missing_values_are_dropped_and_counted_and_levels_without_rows_vanish() {
    let found = design("y ~ x + g", &Roles::default()).unwrap();
    assert_eq!((found.rows, found.dropped), (vec![1, 2], 3));
    assert_eq!(found.names, ["(Intercept)", "x", "gb"]); // `c` stood only in a dropped row
    let found = design("y ~ 1", &Roles { weights: Some("x".into()), ..Roles::default() }).unwrap();
    assert_eq!((found.rows, found.weights), (vec![1, 2, 5], vec![1.0, 2.0, 5.0]));
}

#[test]
fn offsets_add_up_and_weights_may_be_expressions() {
    let roles = Roles { weights: Some("n / 2".into()), offset: Some("log(n)".into()), binomial: false };
    let found = design("n ~ offset(n) + offset(2 * n)", &roles).unwrap();
    let expected: Vec<f64> = [2.0, 3.0, 4.0, 5.0, 6.0_f64].iter().map(|n| 3.0 * n + n.ln()).collect();
    for (a, b) in found.offset.iter().zip(expected) {
        assert!((a - b).abs() < 1e-14, "{a} {b}");
    }
    assert_eq!(found.weights, [1.0, 1.5, 2.0, 2.5, 3.0]);
}

#[test]
fn counts_and_texts_are_responses_of_binomial_families_only() {
    let binomial = Roles { binomial: true, ..Roles::default() };
    let found = design("cbind(x, n) ~ 1", &binomial).unwrap();
    assert_eq!(found.y, [1.0 / 3.0, 2.0 / 5.0, 4.0 / 9.0, 5.0 / 11.0]);
    assert_eq!(found.weights, [3.0, 5.0, 9.0, 11.0]);
    let found = design("g ~ n", &binomial).unwrap();
    assert_eq!((found.y, found.failure.as_deref()), (vec![1.0, 0.0, 1.0, 0.0], Some("a")));
    assert!(matches!(design("cbind(x, n) ~ 1", &Roles::default()), Err(FormulaError::PairResponse)));
    assert!(matches!(design("g ~ n", &Roles::default()), Err(FormulaError::TextResponse { .. })));
}

#[test]
fn what_is_wrong_with_the_data_is_an_error_that_says_where() {
    let shown = |text: &str| design(text, &Roles::default()).expect_err(text).to_string();
    assert_eq!(shown("y ~ xx"), "no column is called `xx`\n  y ~ xx\n      ^^\n  help: did you mean `x`?");
    assert!(shown("y ~ I(x + age)").contains("  y ~ I(x + age)\n            ^^^\n  help: there are: `y`, `x`"));
    assert!(shown("y ~ I(g + 1)").contains("`g` holds text, but an expression needs numbers"));
    assert!(
        shown("y ~ sqr(x)").contains("did you mean `sqrt`?\n") || shown("y ~ sqr(x)").contains("did you mean `sqrt`?")
    );
    assert!(shown("n ~ I(1 / (n - 4))").contains("`I(1/(n - 4))` is inf in row 3, but must be finite"));
    assert!(shown("n ~ offset(g)").contains("holds text, but weights and offsets are numbers"));
    let one = Table::new(2)
        .with("y", Column::Numbers(vec![1.0, 2.0]))
        .with("g", Column::from_texts([Some("a"), Some("a")]))
        .with("m", Column::Numbers(vec![f64::NAN; 2]));
    let shown = |text: &str| {
        let formula = Formula::parse(text, one.names()).unwrap();
        formula.design(&one, &Roles::default()).expect_err(text).to_string()
    };
    assert!(shown("y ~ g").contains("`g` is `a` in every row that is used"));
    assert!(shown("y ~ m").contains("each of the 2 rows has a missing value"));
}

#[test]
fn factors_with_absurdly_many_levels_are_refused_before_memory_is_taken() {
    let names: Vec<String> = (0..2000).map(|i| format!("n{i}")).collect();
    let texts: Vec<Option<&str>> = names.iter().map(|n| Some(n.as_str())).collect();
    let table = Table::new(2000)
        .with("y", Column::Numbers(vec![1.0; 2000]))
        .with("a", Column::from_texts(texts.clone()))
        .with("b", Column::from_texts(texts));
    let formula = Formula::parse("y ~ a*b", table.names()).unwrap();
    let error = formula.design(&table, &Roles::default()).unwrap_err().to_string();
    assert!(error.contains("makes 4000000 columns of 2000 rows, most of them for `a:b`"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]
    /// Whatever is written as a formula is read or refused, and what is read makes a matrix or an error.
    #[test]
    fn no_text_makes_the_parser_or_the_matrix_panic(
        words in prop::collection::vec(
            prop::sample::select(vec![
                "y", "x", "g", "n", "~", "+", "-", "*", "/", ":", "^", "%in%", "(", ")", "I(", "log(", "offset(", "factor(",
                "cbind(", ",", "0", "1", "2", ".5", "1e-", "`", "`a b`", ".", "..", " ", "µ", "#", "==", "NA", "TRUE", "sum(",
            ]),
            0..14,
        ),
        response in prop::sample::select(vec!["", "y ~ ", "cbind(y, n) ~ "]),
    ) {
        let text = format!("{response}{}", words.concat());
        let table = small();
        if let Ok(formula) = Formula::parse(&text, table.names()) {
            let _ = formula.names_used(&Roles::default());
            if let Ok(design) = formula.design(&table, &Roles { binomial: true, ..Roles::default() }) {
                prop_assert_eq!(design.x.dense().len(), design.names.len() * design.y.len());
                prop_assert!(design.x.dense().iter().all(|v| v.is_finite()), "{}", text);
            }
        }
    }
}
