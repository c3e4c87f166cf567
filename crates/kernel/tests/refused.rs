//! What the language refuses, and the message that names the way out. `TRYBUILD=overwrite` writes the messages.

#[test]
fn every_refusal_names_the_way_out() {
    trybuild::TestCases::new().compile_fail("tests/refused/*.rs");
}
