//! The kernels that ship with the command, by name, and those in files.

use super::Result;
use gristmill::kernel::Function;
use gristmill::kernel_jit::{KernelSource, limits};
use gristmill::nmath::{KERNELS, kernel};
use gristmill_support::nearest;
use std::error::Error;
use std::io::Read;
use std::path::Path;

/// The largest file that is read, in bytes: the largest text that the kernel language takes.
const MOST_BYTES: usize = 4 << 20;

/// `--fuel`
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub(crate) struct FuelArgs {
    /// End a kernel of a file with an error when its loops have made about so many rounds in one call (1000000, 1e9), on the CPU
    #[arg(long, value_name = "N", value_parser = super::output::whole_number)]
    fuel: Option<u64>,
}

impl FuelArgs {
    /// From now on kernels have that much.
    pub(crate) fn set(self) {
        limits::set_fuel(self.fuel);
    }

    /// A device has no such limit: it is better to say so than to wait there for ever.
    pub(crate) fn refuse_on_device(self) -> Result<()> {
        match self.fuel {
            Some(_) => {
                Err("--fuel bounds kernels on the CPU, and a device runs them to their end; leave out one of both"
                    .into())
            }
            None => Ok(()),
        }
    }

    /// Says what to do, if an error is that the fuel was used up: nothing else stops a kernel of the command.
    pub(crate) fn explain<E: Into<Box<dyn Error>>>(self, error: E) -> Box<dyn Error> {
        let error = error.into();
        let Some(fuel) = self.fuel else { return error };
        if gristmill_support::with_causes(error.as_ref()).contains("was interrupted before") {
            return Box::new(OutOfFuel { fuel, source: error });
        }
        error
    }
}

/// A kernel did not come to its end with the fuel that the user gave it.
#[derive(Debug)]
struct OutOfFuel {
    fuel: u64,
    source: Box<dyn Error>,
}

impl std::fmt::Display for OutOfFuel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "--fuel {} was used up; give more, or look for a loop that does not end", self.fuel)
    }
}

impl Error for OutOfFuel {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(self.source.as_ref())
    }
}

/// Whether a word names a file with kernels rather than a kernel.
pub(crate) fn is_file(word: &str) -> bool {
    Path::new(word).extension().is_some_and(|e| e == "rs")
}

/// The kernels of a file.
pub(crate) fn read(path: &Path) -> Result<KernelSource> {
    let name = path.display();
    let text = text_of(path).map_err(|e| format!("{name}: {e}"))?;
    Ok(KernelSource::parse(&text).map_err(|e| e.in_file(&name.to_string()))?)
}

/// Says that the kernels of a file will be slow on the CPU, if this build makes no native code of them.
pub(crate) fn note_if_interpreted(path: &Path) {
    if cfg!(not(feature = "jit")) {
        say!(
            "note: {}: its kernels are interpreted, hundreds of times slower than native code, for which gristmill is to be built \
             with `--features jit`; the bits are the same",
            path.display()
        );
    }
}

/// The kernels of a file that must have functions from numbers to numbers.
pub(crate) fn read_functions(path: &Path) -> Result<KernelSource> {
    let source = read(path)?;
    if source.function_names().next().is_some() {
        return Ok(source);
    }
    let name = path.display();
    let entries: Vec<&str> = source.entries().iter().map(|e| e.name()).collect();
    Err(match entries.as_slice() {
        [] => format!("{name}: it has no kernel, such as `fn half(x: f64) -> f64 {{ x / 2.0 }}`"),
        _ => format!("{name}: it has entry points alone ({}), which `gristmill run` runs", entries.join(", ")),
    }
    .into())
}

fn text_of(path: &Path) -> std::result::Result<String, String> {
    let found = std::fs::metadata(path).map_err(|e| e.to_string())?;
    if found.is_dir() {
        return Err("it is a folder, but must be a file with kernels".into());
    }
    // A pipe that nobody writes to would be waited for without end. One that the shell has opened for us has a writer.
    let is_open =
        ["/dev/fd/", "/dev/stdin", "/proc/self/fd/"].iter().any(|start| path.starts_with(start.trim_end_matches('/')));
    if !found.is_file() && !is_open {
        return Err("it is a pipe or a device, but must be a file with kernels".into());
    }
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(|e| e.to_string())?;
    file.take(MOST_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(|e| e.to_string())?;
    if bytes.len() > MOST_BYTES {
        return Err(format!("it has more than {} MiB, and a text of kernels at most that", MOST_BYTES >> 20));
    }
    let text = String::from_utf8(bytes).map_err(|e| {
        let before = &e.as_bytes()[..e.utf8_error().valid_up_to()];
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        format!("it is no UTF-8 text: byte {} (line {line}) cannot be read", before.len() + 1)
    })?;
    // Some editors put a mark there.
    Ok(text.strip_prefix('\u{feff}').map(str::to_string).unwrap_or(text))
}

/// A kernel that was named.
pub(crate) struct Chosen {
    pub(crate) function: Function,
    /// The same by the interpreter, if it is a kernel of a file.
    pub(crate) interpreted: Option<Function>,
}

/// All kernels, or those named, in the order of the names. A file stands for its kernels, or for those of them that are named
/// behind it.
pub(crate) fn chosen(names: &[String]) -> Result<Vec<Chosen>> {
    let built_in = |function: Function| Chosen { function, interpreted: None };
    if names.is_empty() {
        return Ok(KERNELS.iter().copied().map(built_in).collect());
    }
    let mut chosen = Vec::new();
    let mut words = names.iter().peekable();
    while let Some(word) = words.next() {
        if !is_file(word) {
            chosen.push(built_in(find(word)?));
            continue;
        }
        let source = read_functions(Path::new(word))?;
        let of_file = |function: Function| Chosen { function, interpreted: source.interpreted(function.name()) };
        let mut named = Vec::new();
        while let Some(function) = words.peek().and_then(|name| source.function(name)) {
            named.push(function);
            words.next();
        }
        if named.is_empty() {
            named.extend(&source);
        }
        chosen.extend(named.into_iter().map(of_file));
    }
    Ok(chosen)
}

/// By its name in Rust or in C.
pub(crate) fn find(name: &str) -> Result<Function> {
    if let Some(function) = kernel(name).or_else(|| KERNELS.iter().find(|f| f.c_name() == name).copied()) {
        return Ok(function);
    }
    // As R and expressions call it: `lgamma`.
    let of_r = gristmill::engine::expr::functions::function(name);
    if let Some(function) = of_r.and_then(|f| f.kernels().iter().rev().find_map(|name| kernel(name))) {
        return Ok(function);
    }
    let help = match nearest(name, KERNELS.iter().map(Function::name)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`gristmill functions` lists what expressions call".to_string(),
    };
    Err(format!("no kernel is called `{name}`; {help}").into())
}
