use gristmill_kernel::kernel;

#[kernel]
const COUNTS: [u32; 2] = [1, 2];

#[kernel]
struct Counter {
    n: i64,
}

#[kernel]
fn integer(n: i32) -> i32 {
    n
}

#[kernel]
fn wide(n: i64) -> i64 {
    n
}

#[kernel]
fn cast_of_call(n: i32) -> f64 {
    integer(n) as f64
}

#[kernel]
fn cast_of_constant(n: usize) -> f64 {
    COUNTS[n] as f64
}

#[kernel]
fn cast_of_field(c: Counter) -> f64 {
    c.n as f64
}

#[kernel]
fn part_of_number(c: Counter) -> f64 {
    c.n.0
}

#[kernel]
fn kept_field(c: Counter) -> i64 {
    let n = c.n;
    wide(n)
}

#[kernel]
fn literal_in_a_variable() -> i64 {
    let n = 3;
    wide(n)
}

#[kernel]
fn pair(n: i32) -> (f64, i32) {
    (0.5, n)
}

#[kernel]
fn cast_of_part(n: i32) -> f64 {
    pair(n).1 as f64
}

#[kernel]
const MIXED: (f64, i32) = (0.5, 3);

#[kernel]
fn cast_of_part_of_constant() -> f64 {
    MIXED.1 as f64
}

#[kernel]
fn whole_table(t: [u32; 2]) -> u32 {
    t[0]
}

#[kernel]
fn table_as_argument() -> u32 {
    whole_table(COUNTS)
}

fn main() {}
