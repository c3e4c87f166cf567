//! An index out of range is the last one (natively a debug build panics). Literals are checked when compiled.
#[kernel]
const TABLE: [f64; 3] = [0.5, 1.5, 2.5];

#[kernel]
const ROWS: [[i32; 2]; 2] = [[1, 2], [3, 4]];

#[kernel]
fn pick(i: usize) -> f64 {
    let local = [10.0, 20.0];
    TABLE[i] + local[i] + TABLE[1]
}

#[kernel]
fn cell(i: u32, j: u32) -> i32 {
    ROWS[i as usize][j as usize]
}

#[kernel]
fn whole(i: usize) -> [i32; 2] {
    ROWS[i]
}

// run: pick(0usize) == 12.0 && pick(7usize) == 24.0
// run: cell(1u32, 0u32) == 3 && cell(9u32, 9u32) == 4

/* translation
__constant double TABLE[3] = {0x1p-1, 0x1.8p+0, 0x1.4p+1};
__constant int ROWS[2][2] = {{1, 2}, {3, 4}};
typedef struct { double v[2]; } gm_a2_f64;
double pick(ulong i_)
{
    gm_a2_f64 local_ = ((gm_a2_f64){{0x1.4p+3, 0x1.4p+4}});
    return (TABLE[gm_index(i_, sizeof(TABLE) / sizeof(TABLE[0]))] + local_.v[gm_index(i_, 2)]) + TABLE[gm_index(1UL, sizeof(TABLE) / sizeof(TABLE[0]))];
}
int cell(uint i_, uint j_)
{
    return ROWS[gm_index((ulong)(i_), sizeof(ROWS) / sizeof(ROWS[0]))][gm_index((ulong)(j_), sizeof(ROWS[gm_index((ulong)(i_), sizeof(ROWS) / sizeof(ROWS[0]))]) / sizeof(ROWS[gm_index((ulong)(i_), sizeof(ROWS) / sizeof(ROWS[0]))][0]))];
}
typedef struct { int v[2]; } gm_a2_i32;
gm_a2_i32 whole(ulong i_)
{
    gm_a2_i32 t1_;
    for (int k0_ = 0; k0_ < 2; k0_++) t1_.v[k0_] = ROWS[gm_index(i_, sizeof(ROWS) / sizeof(ROWS[0]))][k0_];
    return t1_;
}
*/
