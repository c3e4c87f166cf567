//! Which device: by `GRISTMILL_DEVICE`, by a name or number, else the best one with double precision.

use crate::device::{DeviceInfo, DeviceKind, devices};
use crate::error::{Result, RuntimeError};

/// The variable that names a device.
pub const DEVICE_VARIABLE: &str = "GRISTMILL_DEVICE";

/// Which device to use.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Selector {
    /// A GPU with double precision, else a CPU with it, else any device with it. Written `auto`.
    #[default]
    Best,
    /// Position in [`devices`].
    Index(usize),
    /// The first of this kind.
    Kind(DeviceKind),
    /// A part of the device's name, in any case.
    Name(String),
    /// `PLATFORM:KIND:NAME`; each part may be empty. The name part may also be a number: the n-th device that fits the rest.
    Parts {
        /// A part of the platform's name.
        platform: String,
        /// The kind.
        kind: Option<DeviceKind>,
        /// A part of the device's name, or a number.
        name: String,
    },
}

impl Selector {
    /// Reads what a user wrote; `from` says where, for messages.
    ///
    /// # Errors
    /// [`RuntimeError::BadSelector`] if it says nothing or names a kind that does not exist.
    pub fn parse(text: &str, from: &str) -> Result<Selector> {
        let bad = || RuntimeError::BadSelector { given: text.to_string(), from: from.to_string() };
        let kind = |word: &str| match word.to_ascii_lowercase().as_str() {
            "cpu" => Some(DeviceKind::Cpu),
            "gpu" => Some(DeviceKind::Gpu),
            "accelerator" => Some(DeviceKind::Accelerator),
            _ => None,
        };
        let text = text.trim();
        if text.is_empty() {
            return Err(bad());
        }
        if text.eq_ignore_ascii_case("auto") {
            return Ok(Selector::Best);
        }
        if let Ok(index) = text.parse() {
            return Ok(Selector::Index(index));
        }
        if let Some(kind) = kind(text) {
            return Ok(Selector::Kind(kind));
        }
        let parts: Vec<&str> = text.split(':').map(str::trim).collect();
        // Names of devices may hold colons; three parts with a kind (or nothing) in the middle are the long form.
        if let [platform, middle, name] = parts[..] {
            if platform.is_empty() && middle.is_empty() && name.is_empty() {
                return Err(bad());
            }
            if middle.is_empty() || kind(middle).is_some() {
                return Ok(Selector::Parts { platform: platform.into(), kind: kind(middle), name: name.into() });
            }
        }
        Ok(Selector::Name(text.to_string()))
    }

    /// What GRISTMILL_DEVICE says, or [`Selector::Best`].
    ///
    /// # Errors
    /// As [`Selector::parse`]. An empty variable is the same as none.
    pub fn from_env() -> Result<Selector> {
        match std::env::var(DEVICE_VARIABLE) {
            Ok(text) if !text.trim().is_empty() => Selector::parse(&text, DEVICE_VARIABLE),
            Ok(_) | Err(std::env::VarError::NotPresent) => Ok(Selector::Best),
            Err(std::env::VarError::NotUnicode(text)) => Err(RuntimeError::BadSelector {
                given: text.to_string_lossy().into_owned(),
                from: DEVICE_VARIABLE.into(),
            }),
        }
    }

    fn text(&self) -> String {
        match self {
            Selector::Best => "a GPU or CPU with double precision".into(),
            Selector::Index(i) => i.to_string(),
            Selector::Kind(kind) => kind.name().into(),
            Selector::Name(name) => name.clone(),
            Selector::Parts { platform, kind, name } => {
                format!("{platform}:{}:{name}", kind.map_or("", DeviceKind::name))
            }
        }
    }

    /// The devices that fit, in their order, double precision or not.
    fn fitting<'a>(&self, devices: &'a [DeviceInfo]) -> Vec<&'a DeviceInfo> {
        let has = |text: &str, part: &str| text.to_lowercase().contains(&part.to_lowercase());
        match self {
            Selector::Best => devices.iter().collect(),
            Selector::Index(i) => devices.iter().filter(|d| d.index == *i).collect(),
            Selector::Kind(kind) => devices.iter().filter(|d| d.kind == *kind).collect(),
            Selector::Name(name) => devices.iter().filter(|d| has(&d.name, name)).collect(),
            Selector::Parts { platform, kind, name } => {
                let rest: Vec<&DeviceInfo> =
                    devices.iter().filter(|d| has(&d.platform, platform) && kind.is_none_or(|k| d.kind == k)).collect();
                match name.parse::<usize>() {
                    Ok(n) => rest.get(n).copied().into_iter().collect(),
                    Err(_) => rest.into_iter().filter(|d| has(&d.name, name)).collect(),
                }
            }
        }
    }

    /// Chooses among `devices`: of those that fit, a GPU with double precision, then a CPU with it, then any with it.
    /// Never another device than one that fits.
    ///
    /// # Errors
    /// [`RuntimeError::NoSuchDevice`] if none fits, [`RuntimeError::DeviceWithoutFp64`] or [`RuntimeError::NoFp64`] if what
    /// fits has no double precision, [`RuntimeError::DeviceUnusable`] if its driver has taken it away.
    pub fn choose(&self, devices: &[DeviceInfo], from: &str) -> Result<DeviceInfo> {
        let labels = |list: &mut dyn Iterator<Item = &DeviceInfo>| list.map(DeviceInfo::label).collect::<Vec<_>>();
        let fitting = self.fitting(devices);
        let Some(first) = fitting.first() else {
            return Err(RuntimeError::NoSuchDevice {
                wanted: self.text(),
                from: from.to_string(),
                devices: labels(&mut devices.iter()),
            });
        };
        let rank = |d: &DeviceInfo| match d.kind {
            DeviceKind::Gpu => 0,
            DeviceKind::Cpu => 1,
            _ => 2,
        };
        let usable = |d: &&&DeviceInfo| d.fp64 && d.available && d.compiler;
        if let Some(best) = fitting.iter().filter(usable).min_by_key(|d| rank(d)) {
            return Ok((**best).clone());
        }
        match fitting.iter().find(|d| d.fp64) {
            Some(device) if !device.available => Err(RuntimeError::DeviceUnusable {
                device: device.label(),
                from: from.to_string(),
                why: "its driver says that it is not available",
            }),
            Some(device) => {
                let (device, from) = (device.label(), from.to_string());
                Err(RuntimeError::DeviceUnusable { device, from, why: "its driver has no compiler" })
            }
            None if *self == Selector::Best => Err(RuntimeError::NoFp64 { devices: labels(&mut devices.iter()) }),
            None => Err(RuntimeError::DeviceWithoutFp64 {
                device: first.label(),
                from: from.to_string(),
                with_fp64: labels(&mut devices.iter().filter(|d| d.fp64)),
            }),
        }
    }
}

/// The device that GRISTMILL_DEVICE names, or the best one.
///
/// # Errors
/// As [`devices`] and [`Selector::choose`].
pub fn choose_device() -> Result<DeviceInfo> {
    let selector = Selector::from_env()?;
    selector.choose(&devices()?, DEVICE_VARIABLE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn device(index: usize, platform: &str, name: &str, kind: DeviceKind, fp64: bool) -> DeviceInfo {
        // The rest comes from a real device: only the fields below matter to the choice.
        let mut info = devices().expect("PoCL is installed for the tests").swap_remove(0);
        (info.index, info.platform, info.name, info.kind, info.fp64) =
            (index, platform.into(), name.into(), kind, fp64);
        info
    }

    fn machine() -> Vec<DeviceInfo> {
        vec![
            device(0, "Intel(R) OpenCL", "Xeon", DeviceKind::Cpu, true),
            device(1, "Intel(R) OpenCL Graphics", "Iris Xe", DeviceKind::Gpu, false),
            device(2, "NVIDIA CUDA", "NVIDIA A100", DeviceKind::Gpu, true),
            device(3, "NVIDIA CUDA", "NVIDIA A100", DeviceKind::Gpu, true),
        ]
    }

    fn chosen(text: &str) -> std::result::Result<usize, String> {
        Selector::parse(text, "--device")
            .and_then(|s| s.choose(&machine(), "--device"))
            .map(|d| d.index)
            .map_err(|e| e.to_string())
    }

    #[test]
    fn the_default_is_a_gpu_with_double_precision_then_a_cpu_with_it() {
        assert_eq!(Selector::Best.choose(&machine(), "").expect("a device").index, 2);
        assert_eq!(Selector::Best.choose(&machine()[..2], "").expect("a device").index, 0);
    }

    #[test]
    fn a_device_can_be_named_by_index_kind_part_of_name_and_three_parts() {
        for (text, index) in [
            ("auto", 2),
            ("3", 3),
            ("cpu", 0),
            ("GPU", 2),
            ("a100", 2),
            ("xeon", 0),
            ("nvidia:gpu:", 2),
            ("nvidia:gpu:1", 3),
            ("::A100", 2),
            ("intel:cpu:", 0),
            ("intel::xe", 0),
        ] {
            assert_eq!(chosen(text), Ok(index), "{text}");
        }
    }

    #[test]
    fn a_named_device_that_cannot_serve_is_an_error_and_never_another_device() {
        let error = |text: &str| chosen(text).expect_err(text);
        assert_eq!(
            error("1"),
            "device 1 (Iris Xe, gpu) (from --device) has no double precision (cl_khr_fp64); these have: 0 (Xeon, cpu), 2 (NVIDIA A100, gpu), \
             3 (NVIDIA A100, gpu)"
        );
        assert_eq!(
            error("radeon"),
            "no OpenCL device fits `radeon` (from --device); there are: 0 (Xeon, cpu), 1 (Iris Xe, gpu), 2 (NVIDIA A100, gpu), \
             3 (NVIDIA A100, gpu)"
        );
        assert!(error("7").starts_with("no OpenCL device fits `7`"));
        assert!(error("nvidia:gpu:2").starts_with("no OpenCL device fits `nvidia:gpu:2`"));
        assert!(error("::").starts_with("`::` (from --device) does not say which device"));
        assert!(error("  ").contains("does not say which device"));
    }

    #[test]
    fn a_machine_without_double_precision_is_told_so() {
        let machine = &machine()[1..2];
        let error = Selector::Best.choose(machine, "").expect_err("no fp64").to_string();
        assert_eq!(error, "no OpenCL device with double precision (cl_khr_fp64): 1 (Iris Xe, gpu)");
    }

    #[test]
    fn a_device_that_its_driver_took_away_is_an_error() {
        let mut machine = machine();
        machine[0].available = false;
        let error = Selector::Kind(DeviceKind::Cpu).choose(&machine, DEVICE_VARIABLE).expect_err("gone").to_string();
        assert_eq!(
            error,
            "device 0 (Xeon, cpu) (from GRISTMILL_DEVICE) cannot be used: its driver says that it is not available"
        );
    }
}
