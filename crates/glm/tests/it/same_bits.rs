//! One thread, two threads, both instruction sets, merged parts and the device give the same bits.

use crate::support::{Input, Numbers, bits, models};
use gristmill_cl_runtime::Device;
use gristmill_glm::{Family, Link, Matrix, Model, Partial};
use gristmill_kernel::Level;

fn device() -> Device {
    Device::from_env().expect("an OpenCL device: install PoCL, or run `cargo xtask test`")
}

fn on_threads<R: Send>(threads: usize, f: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started").install(f)
}

/// Rows, coefficients, points: less than a block, whole blocks, ragged ends in every direction, more than one tile.
const SHAPES: &[(usize, usize, usize)] =
    &[(1, 1, 1), (63, 2, 3), (64, 3, 8), (65, 4, 9), (300, 5, 33), (700, 7, 40), (1000, 13, 17), (130, 70, 20)];

#[test]
fn threads_and_instruction_sets_do_not_change_a_bit() {
    for model in models() {
        for &(rows, columns, points) in SHAPES {
            let input = Input::random(model, rows, columns, 3);
            let data = input.data();
            let grid = input.grid(points, 5);
            let grid = Matrix::row_major(&grid, points, columns).unwrap();
            let expected = bits(&on_threads(1, || data.evaluate(grid)).unwrap());
            for threads in [2, 5] {
                let found = bits(&on_threads(threads, || data.evaluate(grid)).unwrap());
                assert!(found == expected, "{model:?}, {rows} x {columns} at {points}: {threads} threads");
            }
            for level in Level::all() {
                let found = bits(&data.evaluate_on(level, grid).unwrap());
                assert!(found == expected, "{model:?}, {rows} x {columns} at {points}: {}", level.name());
            }
        }
    }
}

#[test]
fn the_device_gives_the_bits_of_the_cpu() {
    let device = device();
    for model in models() {
        for &(rows, columns, points) in SHAPES {
            let input = Input::random(model, rows, columns, 13);
            let grid = input.grid(points, 15);
            let grid = Matrix::row_major(&grid, points, columns).unwrap();
            let expected = bits(&input.data().evaluate(grid).unwrap());
            let found = bits(&input.data().on_device(&device).unwrap().evaluate(grid).unwrap());
            assert!(found == expected, "{model:?}, {rows} x {columns} at {points}");
        }
    }
}

#[test]
fn the_device_gives_the_bits_of_the_cpu_at_extreme_points() {
    let device = device();
    for model in models() {
        let input = Input::random(model, 100, 3, 23);
        let mut numbers = Numbers::new(29);
        let mut grid = Vec::new();
        for scale in [1e-300, 1e-9, 1.0, 30.0, 700.0, 1e4, 1e100, 1e200, f64::INFINITY, f64::NAN] {
            for _ in 0..3 {
                grid.extend((0..3).map(|_| numbers.between(-1.0, 1.0) * scale));
            }
        }
        let grid = Matrix::row_major(&grid, 30, 3).unwrap();
        let expected = bits(&input.data().evaluate(grid).unwrap());
        let found = bits(&input.data().on_device(&device).unwrap().evaluate(grid).unwrap());
        assert!(found == expected, "{model:?}");
    }
}

#[test]
fn no_number_of_coefficients_is_too_many_for_the_device() {
    let model = Model::new(Family::Binomial, Some(Link::Logit), None).unwrap();
    let input = Input::random(model, 130, 1000, 31);
    let grid = input.grid(5, 37);
    let grid = Matrix::row_major(&grid, 5, 1000).unwrap();
    let expected = bits(&input.data().evaluate(grid).unwrap());
    let found = bits(&input.data().on_device(&device()).unwrap().evaluate(grid).unwrap());
    assert!(found == expected);
}

#[test]
fn merged_parts_are_the_whole_bit_for_bit() {
    let device = device();
    for (k, model) in models().into_iter().enumerate() {
        let (rows, columns, points) = (64 * 11 + 5, 5, 35);
        let input = Input::random(model, rows, columns, 41 + k as u64);
        let data = input.data();
        let grid = input.grid(points, 43);
        let grid = Matrix::row_major(&grid, points, columns).unwrap();
        let expected = bits(&data.evaluate(grid).unwrap());
        let mut numbers = Numbers::new(47 + k as u64);
        for _ in 0..4 {
            let mut cuts: Vec<usize> = (0..numbers.below(5)).map(|_| 64 * numbers.below(12) as usize).collect();
            cuts.extend([0, rows]);
            cuts.sort_unstable();
            cuts.dedup();
            let parts: Vec<Partial> = cuts
                .windows(2)
                .enumerate()
                .map(|(i, cut)| {
                    let rows = cut[0]..cut[1];
                    // From the whole data, from data that has just these rows, and from the device.
                    let part = match i % 3 {
                        0 => data.partial(grid, rows),
                        1 => input.part(rows.clone()).starting_at(rows.start).unwrap().partial(grid, rows),
                        _ => input
                            .part(rows.clone())
                            .starting_at(rows.start)
                            .unwrap()
                            .on_device(&device)
                            .unwrap()
                            .partial(grid, rows),
                    };
                    let part = part.unwrap();
                    Partial::from_bytes(&part.to_bytes()).unwrap()
                })
                .rev()
                .collect();
            let merged = Partial::merge_all(parts).unwrap();
            assert_eq!(merged.rows(), 0..rows);
            let found = bits(&data.finish(grid, merged).unwrap());
            assert!(found == expected, "{model:?}, cuts {cuts:?}");
        }
    }
}

#[test]
fn row_major_and_column_major_arguments_give_the_same_bits() {
    for model in models() {
        let input = Input::random(model, 90, 4, 53);
        let transpose = |m: &[f64], rows: usize, columns: usize| -> Vec<f64> {
            (0..columns).flat_map(|j| (0..rows).map(move |i| m[i * columns + j])).collect()
        };
        let grid = input.grid(11, 59);
        let expected = bits(&input.data().evaluate(Matrix::row_major(&grid, 11, 4).unwrap()).unwrap());
        let x = transpose(&input.x, 90, 4);
        let precision = transpose(&input.prior_precision, 4, 4);
        let data = gristmill_glm::GlmData::new(
            model,
            Matrix::column_major(&x, 90, 4).unwrap(),
            &input.y,
            Some(&input.wt),
            Some(&input.offset),
            Some(&input.prior_mean),
            Some(Matrix::column_major(&precision, 4, 4).unwrap()),
        )
        .unwrap();
        let grid = transpose(&grid, 11, 4);
        let found = bits(&data.evaluate(Matrix::column_major(&grid, 11, 4).unwrap()).unwrap());
        assert!(found == expected, "{model:?}");
    }
}
