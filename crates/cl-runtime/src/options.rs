//! Options of the device's compiler: those that would change results are refused.

use crate::device::DeviceInfo;
use crate::error::{Result, RuntimeError};

/// Options that let a compiler change results, and what each would do.
const UNSAFE: &[(&str, &str)] = &[
    (
        "-cl-fast-relaxed-math",
        "it lets the compiler ignore NaN and infinities and reorder sums, so results would depend on the device",
    ),
    (
        "-cl-unsafe-math-optimizations",
        "it lets the compiler reorder and approximate, so results would depend on the device",
    ),
    ("-cl-mad-enable", "it lets the compiler replace a * b + c by an approximation"),
    ("-cl-finite-math-only", "kernels return and test NaN and infinities"),
    ("-cl-no-signed-zeros", "kernels distinguish -0 from +0"),
    ("-cl-denorms-are-zero", "kernels compute with subnormal numbers"),
    ("-cl-single-precision-constant", "it would round the constants of double precision kernels to 24 bits"),
    ("-ffast-math", "it changes results"),
    ("-ffp-contract", "a fused a * b + c rounds once instead of twice; kernels say `fma` where they want that"),
    ("-Ofast", "it implies fast-math"),
    ("-funsafe-math-optimizations", "it changes results"),
    ("-ffinite-math-only", "kernels return and test NaN and infinities"),
    ("-fno-signed-zeros", "kernels distinguish -0 from +0"),
];

/// The caller's options, checked, and with those that the same bits need.
pub(crate) fn complete(given: &str, device: &DeviceInfo) -> Result<String> {
    let mut options: Vec<&str> = given.split_whitespace().collect();
    // A definition's value may be anything (`-D NAME=-Ofast`): only what stands as an option of its own is judged.
    let mut value = false;
    for option in &options {
        if !std::mem::replace(&mut value, matches!(*option, "-D" | "-I")) {
            let name = option.split('=').next().unwrap_or(option);
            if let Some((_, why)) = UNSAFE.iter().find(|(bad, _)| name == *bad) {
                return Err(RuntimeError::UnsafeOption { option: (*option).to_string(), why });
            }
        }
    }
    for needed in ["-cl-kernel-arg-info"]
        .into_iter()
        .chain(device.fp32_exact_divide.then_some("-cl-fp32-correctly-rounded-divide-sqrt"))
    {
        if !options.contains(&needed) {
            options.push(needed);
        }
    }
    Ok(options.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn device() -> DeviceInfo {
        let mut info = crate::devices().expect("PoCL is installed for the tests").swap_remove(0);
        info.fp32_exact_divide = true;
        info
    }

    #[test]
    fn every_option_that_changes_results_is_refused_with_its_reason() {
        for (option, why) in UNSAFE {
            let error = complete(&format!("-DX=1 {option}"), &device()).expect_err(option).to_string();
            assert_eq!(error, format!("build option `{option}` is refused: {why}"));
        }
        assert!(complete("-ffp-contract=fast", &device()).is_err());
    }

    #[test]
    fn safe_options_stay_and_the_needed_ones_are_added_once() {
        assert_eq!(
            complete("-D N=3  -cl-std=CL1.2 -cl-kernel-arg-info", &device()).expect("safe"),
            "-D N=3 -cl-std=CL1.2 -cl-kernel-arg-info -cl-fp32-correctly-rounded-divide-sqrt"
        );
        assert!(complete("-D FLAGS=-Ofast -D -Ofast", &device()).is_ok());
    }

    #[test]
    fn correct_single_precision_division_is_asked_for_only_where_the_device_has_it() {
        let mut info = device();
        info.fp32_exact_divide = false;
        assert_eq!(complete("", &info).expect("safe"), "-cl-kernel-arg-info");
    }
}
