//! Running text that nobody has checked: on copies, with guard zones around each array.
//!
//! A write next to an array is seen by the zone that it changed, a write into an input by the input. A read outside shows
//! because the kernel is run twice, with other bytes in the zones: a result that depends on them is not the same.

use crate::error::{Result, RuntimeError};
use crate::kernel::{Arg, DeviceKernel, Launch, RunTimes, add, check_size};
use crate::raw;
use crate::signature::{KernelParam, ParamKind};
use std::sync::PoisonError;

/// A zone has at least these bytes; a multiple of every device's alignment of buffers.
const ZONE: usize = 1 << 14;
/// A zone behind an array reaches to what the last work-item would touch, if each had an element of its own, up to here.
const LARGEST_ZONE: usize = 1 << 28;

/// What is done with an argument.
enum Place {
    Value([u8; 8], usize),
    Local(usize),
    Array(Array),
}

/// A copy of an array and the zones around it.
struct Array {
    content: Vec<u8>,
    behind: usize,
    element: usize,
    may_be_written: bool,
}

/// What a run left.
struct Outcome {
    arrays: Vec<Option<Vec<u8>>>,
    times: RunTimes,
}

impl DeviceKernel {
    /// As [`DeviceKernel::run`], but safe for text that nobody has checked: it works on copies with guard zones around them, and
    /// twice. Nothing is changed if the kernel leaves its arrays.
    ///
    /// What it notices: a write up to 16 KiB in front of an array, or behind it as far as one element for each work-item
    /// and 16 KiB more; a write into an array that the kernel declares `const`; a read outside that changes a result. On
    /// a device with memory of its own nothing else can reach the host. On a CPU device a kernel that writes further away
    /// (a wild pointer) is still native code in this process: to be safe from that as well, give it a process of its own,
    /// as `gristmill run` does.
    ///
    /// # Errors
    /// As [`DeviceKernel::run`]; [`RuntimeError::Overrun`], [`RuntimeError::InputWritten`] and [`RuntimeError::Unsteady`].
    pub fn run_guarded(&self, launch: &Launch, args: &mut [Arg<'_>]) -> Result<RunTimes> {
        self.guarded(launch, args, true)
    }

    /// As [`DeviceKernel::run_guarded`], but once: for a kernel whose results differ from run to run (sums by atomic operations).
    /// A read outside is not noticed then.
    ///
    /// # Errors
    /// As [`DeviceKernel::run_guarded`].
    pub fn run_guarded_once(&self, launch: &Launch, args: &mut [Arg<'_>]) -> Result<RunTimes> {
        self.guarded(launch, args, false)
    }

    fn guarded(&self, launch: &Launch, args: &mut [Arg<'_>], twice: bool) -> Result<RunTimes> {
        self.check_args(args, None)?;
        self.check_launch(launch)?;
        if launch.global.contains(&0) {
            return Ok(RunTimes::default());
        }
        let items = launch.global.iter().try_fold(1usize, |a, b| a.checked_mul(*b)).unwrap_or(usize::MAX);
        let params = &self.signature().params;
        let places = args
            .iter()
            .zip(params)
            .map(|(arg, param)| self.place(arg, param, items))
            .collect::<Result<Vec<Place>>>()?;
        let first = self.guarded_run(launch, &places, items, 1)?;
        if twice {
            let second = self.guarded_run(launch, &places, items, 2)?;
            self.compare(&places, &first, &second, items)?;
        }
        for (arg, after) in args.iter_mut().zip(&first.arrays) {
            let Some(after) = after else { continue };
            match arg {
                Arg::Out(s) | Arg::InOut(s) => s.bytes.copy_from_slice(after),
                Arg::Buffer(b) if !after.is_empty() => {
                    self.device().0.queue.write(&b.mem, 0, after)?;
                }
                _ => {}
            }
        }
        self.program().launched()?;
        Ok(first.times)
    }

    fn place(&self, arg: &Arg<'_>, param: &KernelParam, items: usize) -> Result<Place> {
        let read_only = matches!(param.kind, ParamKind::Global { read_only: true } | ParamKind::Constant);
        let content = match arg {
            Arg::Value(x) => return Ok(Place::Value(x.bytes(), x.ty().size())),
            Arg::Local(bytes) => return Ok(Place::Local(*bytes)),
            Arg::In(s) | Arg::Whole(s) => s.bytes.to_vec(),
            Arg::Out(s) | Arg::InOut(s) => s.bytes.to_vec(),
            Arg::Buffer(b) => {
                let mut bytes = vec![0; b.len * b.ty.size()];
                if !bytes.is_empty() {
                    self.device().0.queue.read(&b.mem, 0, &mut bytes)?;
                }
                bytes
            }
            // Refused by `check_args`: there is no number of elements here.
            Arg::Count => return Ok(Place::Local(0)),
        };
        let element = param.ty.alignment().unwrap_or(1);
        let reach = items.saturating_mul(element).saturating_sub(content.len()).min(LARGEST_ZONE);
        let behind = (reach + ZONE).next_multiple_of(ZONE);
        check_size(self.device(), ZONE + content.len() + behind)?;
        // An input given for a parameter without `const` may be scribbled on: it is a copy.
        Ok(Place::Array(Array { content, behind, element, may_be_written: !read_only }))
    }

    /// One launch on fresh copies. `seed` decides what is in the zones.
    fn guarded_run(&self, launch: &Launch, places: &[Place], items: usize, seed: u64) -> Result<Outcome> {
        let (device, queue) = (self.device(), &self.device().0.queue);
        let mut times = RunTimes::default();
        let mut images: Vec<Option<Image>> = Vec::with_capacity(places.len());
        for (i, place) in places.iter().enumerate() {
            images.push(match place {
                Place::Array(array) => {
                    let bytes = array.image(seed + 1000 * i as u64);
                    let whole = raw::Mem::new(&device.0.context, bytes.len())?;
                    add(&mut times.upload, &queue.write(&whole, 0, &bytes)?);
                    let part = whole.part(ZONE, array.content.len().max(1))?;
                    Some(Image { bytes, part, whole })
                }
                _ => None,
            });
        }
        let event = {
            let mut kernel = self.inner.raw.lock().unwrap_or_else(PoisonError::into_inner);
            for (i, (place, image)) in places.iter().zip(&images).enumerate() {
                match (place, image) {
                    // SAFETY: `check_args` compared the type with the parameter's (or the driver compares the size).
                    (Place::Value(bytes, len), _) => unsafe { kernel.set_value(i, &bytes[..*len])? },
                    (Place::Local(bytes), _) => kernel.set_local(i, *bytes)?,
                    (Place::Array(_), Some(image)) => kernel.set_mem(i, &image.part)?,
                    (Place::Array(_), None) => {}
                }
            }
            // SAFETY: (1) all arguments are set just above, and live until the wait below. (2) cannot be known of this text:
            // it gets copies, in zones that are looked at below; `run_guarded` says what is left.
            unsafe { queue.launch(&kernel, &launch.offset, &launch.global, launch.local.as_deref())? }
        };
        if let Err(error) = event.wait() {
            // Whatever still runs must not outlive its buffers.
            let _ = queue.finish();
            return Err(error);
        }
        add(&mut times.kernel, &event);
        times.launches = 1;
        let mut arrays = Vec::with_capacity(places.len());
        for (i, (place, image)) in places.iter().zip(&images).enumerate() {
            let (Place::Array(array), Some(image)) = (place, image) else {
                arrays.push(None);
                continue;
            };
            let mut after = vec![0; image.bytes.len()];
            add(&mut times.download, &queue.read(&image.whole, 0, &mut after)?);
            self.look(i, array, &image.bytes, &after, items)?;
            after.truncate(ZONE + array.content.len());
            arrays.push(array.may_be_written.then(|| after.split_off(ZONE)));
        }
        Ok(Outcome { arrays, times })
    }

    /// Compares an array's zones, and an input, with what they were.
    fn look(&self, index: usize, array: &Array, before: &[u8], after: &[u8], items: usize) -> Result<()> {
        let (start, end) = (ZONE, ZONE + array.content.len());
        let (kernel, parameter) = (self.signature().name.clone(), self.signature().params[index].to_string());
        let differs = |range: std::ops::Range<usize>| (range.start..range.end).find(|i| before[*i] != after[*i]);
        // The place in front that is nearest to the array says most.
        let in_front = (0..start).rev().find(|i| before[*i] != after[*i]);
        if let Some(at) = in_front.or_else(|| differs(end..after.len())) {
            let element = (at as i64 - start as i64).div_euclid(array.element as i64);
            let elements = array.content.len() / array.element;
            return Err(RuntimeError::Overrun { kernel, index: index + 1, parameter, element, elements, items });
        }
        if !array.may_be_written
            && let Some(at) = differs(start..end)
        {
            let element = (at - start) / array.element;
            return Err(RuntimeError::InputWritten { kernel, index: index + 1, parameter, element });
        }
        Ok(())
    }

    fn compare(&self, places: &[Place], first: &Outcome, second: &Outcome, items: usize) -> Result<()> {
        let params = &self.signature().params;
        for (index, (a, b)) in first.arrays.iter().zip(&second.arrays).enumerate() {
            let (Some(a), Some(b), Place::Array(array)) = (a, b, &places[index]) else { continue };
            let Some(at) = a.iter().zip(b).position(|(a, b)| a != b) else { continue };
            let shorter = places.iter().zip(params).filter_map(|(place, param)| match place {
                Place::Array(array) if array.content.len() / array.element < items => {
                    Some(format!("`{}` has {}", param.name, array.content.len() / array.element))
                }
                _ => None,
            });
            return Err(RuntimeError::Unsteady {
                kernel: self.signature().name.clone(),
                index: index + 1,
                parameter: params[index].to_string(),
                element: at / array.element,
                shorter: shorter.collect(),
                items,
            });
        }
        Ok(())
    }
}

/// An array with its zones, on the host as it was and on the device.
struct Image {
    bytes: Vec<u8>,
    // Before what it is a part of.
    part: raw::Mem,
    whole: raw::Mem,
}

impl Array {
    /// Zone, content, zone. The zones are noise, so that no number that a kernel writes is what was there.
    fn image(&self, seed: u64) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(ZONE + self.content.len() + self.behind);
        let mut state = seed;
        let mut noise = |bytes: &mut Vec<u8>, count: usize| {
            let end = bytes.len() + count;
            while bytes.len() < end {
                // splitmix64
                state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
                let mut z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
                bytes.extend((z ^ (z >> 31)).to_le_bytes());
            }
            bytes.truncate(end);
        };
        noise(&mut bytes, ZONE);
        bytes.extend(&self.content);
        noise(&mut bytes, self.behind);
        bytes
    }
}
