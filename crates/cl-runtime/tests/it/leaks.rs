use crate::{ADD, SCALE, Trusted, private, with_cache};
use gristmill_cl_runtime::{Arg, Launch};

/// The driver itself counts who still holds a context: programs, queues and buffers each hold it once.
#[test]
fn the_driver_counts_what_a_context_holds() {
    let device = private(|_| {});
    let start = device.context_references().expect("it answers");
    let buffer = device.upload(&[1.0]).expect("room");
    let queue = device.new_queue().expect("a queue");
    assert_eq!(device.context_references().expect("it answers"), start + 2, "so a leak would be seen");
    drop((buffer, queue));
    assert_eq!(device.context_references().expect("it answers"), start);
}

#[test]
fn everything_is_released_also_after_errors() {
    let device = private(|o| o.max_allocation = Some(100_000));
    let start = device.context_references().expect("it answers");
    for _ in 0..3 {
        assert!(device.build("__kernel void broken(", "").is_err());
        assert!(device.build(SCALE, "-cl-fast-relaxed-math").is_err());
        assert!(device.build("nul \0", "").is_err());
        let program = device.build(&format!("{SCALE}{ADD}"), "").expect("it compiles");
        assert!(program.kernel("none").is_err());
        let scale = program.kernel("scale").expect("it is there");
        let (x, mut y) = ([1.0; 4], [0.0; 4]);
        scale
            .run_trusted(&Launch::linear(4), &mut [Arg::input(&x), Arg::value(1.0), Arg::output(&mut y)])
            .expect("it runs");
        // The first buffer is made, the second is too large.
        let mut large = vec![0.0; 20_000];
        assert!(
            scale
                .run_trusted(&Launch::linear(4), &mut [Arg::input(&x), Arg::value(1.0), Arg::output(&mut large)])
                .is_err()
        );
        assert!(
            scale
                .run_trusted(
                    &Launch::linear(4).local(&[3]),
                    &mut [Arg::input(&x), Arg::value(1.0), Arg::output(&mut y)]
                )
                .is_err()
        );
        assert!(scale.run_trusted(&Launch::linear(4), &mut [Arg::value(1.0)]).is_err());
        let buffer = device.upload(&x).expect("room");
        assert!(buffer.to_vec::<i32>().is_err());
        assert!(device.upload(&large).is_err());
        device.forget_programs();
    }
    assert_eq!(device.context_references().expect("it answers"), start);
}

#[test]
fn everything_is_released_when_the_cache_is_damaged() {
    let dir = tempfile::tempdir().expect("a folder");
    let device = with_cache(dir.path());
    let start = device.context_references().expect("it answers");
    for _ in 0..2 {
        device.build(SCALE, "").expect("it compiles").save().expect("it is written");
        for entry in crate::entries(dir.path()) {
            std::fs::write(entry, "garbage").expect("writable");
        }
        device.forget_programs();
    }
    assert_eq!(device.context_references().expect("it answers"), start);
}
