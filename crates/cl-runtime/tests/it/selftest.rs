use gristmill_cl_runtime::self_test;

#[test]
fn the_device_does_the_exact_operations_as_the_host_does() {
    let test = self_test(&crate::device()).expect("it runs");
    assert!(test.passed(), "{test:?}");
    assert!(test.inputs > 20_000);
}
