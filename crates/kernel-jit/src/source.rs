//! A text with kernels, read and checked.

use crate::entry::EntryPoint;
use crate::error::SourceError;
use crate::externs::Nmath;
use crate::interpreted;
use crate::nesting::{self, on_large_stack};
use crate::shards;
use crate::workshop::with_module;
use gristmill_kernel::Item;
use gristmill_kernel::{Column, ColumnMut, EmittedShard, Function, HeldCode, LoadedCode, Scalar, Stopped};
use gristmill_kernel_cl::Assembly;
use gristmill_kernel_lang::interp::Module;
use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::rc::Rc;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What is behind our locks is whole after every step.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The module of a text that was read before, on a stack that is large enough.
pub(crate) fn read_again(text: &str) -> Result<Rc<Module>, String> {
    Module::of_text(text, Rc::new(Nmath)).map(Rc::new).map_err(|e| e.to_string())
}

/// A text, for the rest of the process: the same one is read and translated once.
pub(crate) struct KnownText {
    pub(crate) text: String,
    functions: OnceLock<Vec<Kernel>>,
    entries: OnceLock<Vec<EntryPoint>>,
    /// Of every item, in the order of the text.
    shards: OnceLock<Vec<&'static EmittedShard>>,
    /// Its machine code, while somebody holds it.
    code: Mutex<Weak<Held>>,
}

/// One function of a text from scalars to scalars.
#[cfg_attr(not(feature = "jit"), allow(dead_code))]
pub(crate) struct Kernel {
    pub(crate) text: &'static KnownText,
    /// Its place among the items of the text.
    pub(crate) index: usize,
    pub(crate) name: String,
    pub(crate) shard: &'static EmittedShard,
    pub(crate) params: Vec<Scalar>,
    pub(crate) results: Vec<Scalar>,
    interpreted: OnceLock<Interpreted>,
}

/// A kernel that is always interpreted.
struct Interpreted(&'static Kernel);

/// The machine code of a text's functions, as far as it was called for.
#[derive(Debug, Default)]
pub(crate) struct Held {
    #[cfg(feature = "jit")]
    pub(crate) code: crate::compiled::CodeCache,
}

/// How a kernel is computed on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Lowering {
    /// Native code.
    Native {
        /// Elements at once in a block loop.
        lanes: usize,
        /// Why only one at a time, if so.
        reason: Option<String>,
    },
    /// The interpreter.
    Interpreter {
        /// Why there is no native code.
        reason: String,
    },
}

impl fmt::Display for Lowering {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Lowering::Native { lanes, reason: None } => write!(f, "native code, {lanes} elements at once"),
            Lowering::Native { reason: Some(why), .. } => write!(f, "native code, one element at a time: {why}"),
            Lowering::Interpreter { reason } => write!(f, "interpreted: {reason}"),
        }
    }
}

/// A text with kernels: functions, constants and structs of the kernel language, which may call each other and every kernel of
/// nmath by name.
#[derive(Clone)]
pub struct KernelSource {
    known: &'static KnownText,
    /// As long as a source is there, so is the code of its functions.
    held: Arc<Held>,
}

impl fmt::Debug for KernelSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KernelSource").field("functions", &self.function_names().collect::<Vec<_>>()).finish()
    }
}

/// Texts whose code is kept though nobody holds it, because it was called for last: a function that outlives its source and is
/// called again and again is not compiled each time.
const RECENT: usize = 16;

fn keep_for_a_while(held: &Arc<Held>) {
    static LAST: Mutex<VecDeque<Arc<Held>>> = Mutex::new(VecDeque::new());
    let mut last = lock(&LAST);
    last.push_back(held.clone());
    let oldest = if last.len() > RECENT { last.pop_front() } else { None };
    drop(last);
    // Outside of the lock: it may free code.
    drop(oldest);
}

impl KnownText {
    /// The text's code, to be kept as long as it may be called.
    pub(crate) fn held(&self) -> Arc<Held> {
        let mut code = lock(&self.code);
        if let Some(held) = code.upgrade() {
            return held;
        }
        let held = Arc::new(Held::default());
        *code = Arc::downgrade(&held);
        drop(code);
        keep_for_a_while(&held);
        held
    }

    fn entries(&self) -> &[EntryPoint] {
        self.entries.get().map_or(&[], Vec::as_slice)
    }

    fn shards(&self) -> &[&'static EmittedShard] {
        self.shards.get().map_or(&[], Vec::as_slice)
    }

    fn functions(&self) -> &[Kernel] {
        self.functions.get().map_or(&[], Vec::as_slice)
    }
}

fn known_texts() -> MutexGuard<'static, HashMap<String, &'static KnownText>> {
    static KNOWN: OnceLock<Mutex<HashMap<String, &'static KnownText>>> = OnceLock::new();
    lock(KNOWN.get_or_init(Mutex::default))
}

impl KernelSource {
    /// Reads and checks a text. Nothing is compiled yet.
    ///
    /// The same text is read once for the whole process, and what it says (not its machine code) is kept to its end.
    ///
    /// # Errors
    /// The first thing in the text that is not the kernel language, with its place.
    pub fn parse(text: &str) -> Result<KernelSource, SourceError> {
        let mut known_texts = known_texts();
        let known = match known_texts.get(text) {
            Some(known) => *known,
            None => {
                let known = read(text, known_texts.len())?;
                known_texts.insert(text.to_string(), known);
                known
            }
        };
        Ok(KernelSource { known, held: known.held() })
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.known.text
    }

    /// The names of its functions from scalars to scalars, in order: those that [`KernelSource::function`] gives.
    pub fn function_names(&self) -> impl Iterator<Item = &str> {
        self.known.functions().iter().map(|k| k.name.as_str())
    }

    /// All of its functions from scalars to scalars, in order.
    pub fn functions(&self) -> impl Iterator<Item = Function> + use<> {
        self.known.functions().iter().map(|k| Function::loaded(k.shard, k))
    }

    /// A function from scalars to scalars, as data: it runs over columns, is a deferred ckernel, is text for a device.
    pub fn function(&self, name: &str) -> Option<Function> {
        self.functions().find(|f| f.name() == name)
    }

    /// Its entry points, in order.
    pub fn entries(&self) -> &[EntryPoint] {
        self.known.entries()
    }

    /// The same function by the interpreter, whatever native code there is: slow, and what other paths are compared with.
    pub fn interpreted(&self, name: &str) -> Option<Function> {
        let kernel = self.known.functions().iter().find(|k| k.name == name)?;
        Some(Function::loaded(kernel.shard, kernel.interpreted.get_or_init(|| Interpreted(kernel))))
    }

    /// The block loop of a function, for whoever runs it over many blocks; `varies` says for each argument whether it differs between
    /// elements. It is compiled now.
    ///
    /// # Errors
    /// Why there is none: no such function, or no native code here.
    #[cfg(feature = "jit")]
    pub fn block_loop(&self, name: &str, varies: &[bool]) -> Result<crate::compiled::BlockLoop, String> {
        crate::compiled::BlockLoop::new(self.compilable(name)?, &self.held, varies)
    }

    #[cfg(feature = "jit")]
    fn compilable(&self, name: &str) -> Result<&'static Kernel, String> {
        let kernel = self.known.functions().iter().find(|k| k.name == name);
        kernel.ok_or_else(|| format!("no function from numbers to numbers is called `{name}`"))
    }

    /// The OpenCL C program of a function, with all that it calls.
    pub fn opencl(&self, name: &str) -> Option<String> {
        let shard = self.known.shards().iter().find(|s| s.name == name)?;
        let mut program = Assembly::new();
        program.add(shard);
        Some(program.text())
    }

    /// The text of one item as it was written, with its comments.
    pub fn rust(&self, name: &str) -> Option<String> {
        let text = &self.known.text;
        on_large_stack(|| crate::interpreted::item_text(text, name)).ok().flatten()
    }

    /// The typed intermediate form of a function.
    pub fn ir(&self, name: &str) -> Option<String> {
        let name = name.to_string();
        let show =
            move |module: syn::Result<Rc<Module>>| module.ok()?.function(&name).map(|func| format!("{func:#?}\n"));
        with_module(&self.known.text, show).ok().flatten()
    }

    /// The machine code of a function's block loop, as text.
    ///
    /// # Errors
    /// Why there is none.
    pub fn machine_code(&self, name: &str) -> Result<String, String> {
        #[cfg(feature = "jit")]
        {
            crate::compiled::machine_code(self.compilable(name)?)
        }
        #[cfg(not(feature = "jit"))]
        {
            Err(format!("`{name}` is interpreted: {NO_GENERATOR}"))
        }
    }

    /// How a function is computed here; it is compiled for that, if it is not yet.
    pub fn explain(&self, name: &str) -> Option<Lowering> {
        let kernel = self.known.functions().iter().find(|k| k.name == name)?;
        Some(kernel.lowering(&self.held))
    }
}

fn read(text: &str, number: usize) -> Result<&'static KnownText, SourceError> {
    nesting::check(text).map_err(|e| SourceError::at(text, e.at, e.message))?;
    let place: &'static str = Box::leak(format!("text_{}", number + 1).into_boxed_str());
    let whole = text.to_string();
    let parsed = with_module(text, move |module| {
        let module = module.map_err(|e| SourceError::of(&whole, &e))?;
        let shards = shards::of_module(&module, place).map_err(|e| SourceError::at(&whole, 0, e))?;
        // In the order of the text.
        let mut names: Vec<(usize, &str)> =
            module.item_names().map(|n| (module.note(n).map_or(0, |note| note.line), n)).collect();
        names.sort_unstable();
        Ok(names.into_iter().map(|(_, n)| shards[n]).collect::<Vec<&'static EmittedShard>>())
    });
    let shards = parsed.map_err(|e| SourceError::at(text, 0, e))??;
    let known: &'static KnownText = Box::leak(Box::new(KnownText {
        text: text.to_string(),
        functions: OnceLock::new(),
        entries: OnceLock::new(),
        shards: OnceLock::new(),
        code: Mutex::default(),
    }));
    let (mut functions, mut entries) = (vec![], vec![]);
    for (k, shard) in shards.iter().enumerate() {
        match shard.item {
            Item::Fn(signature) => {
                let params: Option<Vec<Scalar>> = signature.params.iter().map(|p| p.ty.scalar()).collect();
                if let (Some(params), Some(results)) = (params, signature.results()) {
                    let (name, interpreted) = (shard.name.to_string(), OnceLock::new());
                    functions.push(Kernel { text: known, index: k, name, shard, params, results, interpreted });
                }
            }
            Item::Entry(signature) => entries.extend(EntryPoint::new(known, shard, &signature, k)),
            Item::Const { .. } | Item::Struct { .. } => {}
        }
    }
    let _ = known.functions.set(functions);
    let _ = known.entries.set(entries);
    let _ = known.shards.set(shards);
    Ok(known)
}

#[cfg(not(feature = "jit"))]
const NO_GENERATOR: &str = "this build has no native code generator (feature `jit`)";

impl Kernel {
    #[cfg(feature = "jit")]
    fn lowering(&self, held: &Held) -> Lowering {
        crate::compiled::lowering(self, held)
    }

    #[cfg(not(feature = "jit"))]
    fn lowering(&self, _: &Held) -> Lowering {
        Lowering::Interpreter { reason: NO_GENERATOR.into() }
    }
}

impl LoadedCode for Kernel {
    fn single(&self, ins: &[Column<'_>], outs: &mut [ColumnMut<'_>], i: usize) -> Result<(), Stopped> {
        #[cfg(feature = "jit")]
        if let Some(done) = crate::compiled::single(self, &self.text.held(), ins, outs, i) {
            return done;
        }
        interpreted::elements(self, ins, outs, i..i + 1)
    }

    fn block(&self, ins: &[Column<'_>], outs: &mut [ColumnMut<'_>]) -> Result<(), Stopped> {
        #[cfg(feature = "jit")]
        if let Some(done) = crate::compiled::block(self, &self.text.held(), ins, outs) {
            return done;
        }
        let n = outs.first().map_or(0, ColumnMut::len);
        interpreted::elements(self, ins, outs, 0..n)
    }

    fn hold(&self) -> HeldCode {
        let held = self.text.held();
        // Made now: whoever instantiates a kernel wants to call it.
        let _ = self.lowering(&held);
        held
    }
}

impl LoadedCode for Interpreted {
    fn single(&self, ins: &[Column<'_>], outs: &mut [ColumnMut<'_>], i: usize) -> Result<(), Stopped> {
        interpreted::elements(self.0, ins, outs, i..i + 1)
    }

    fn block(&self, ins: &[Column<'_>], outs: &mut [ColumnMut<'_>]) -> Result<(), Stopped> {
        let n = outs.first().map_or(0, ColumnMut::len);
        interpreted::elements(self.0, ins, outs, 0..n)
    }

    fn hold(&self) -> HeldCode {
        // There is none to keep: the text is there to the end of the process.
        Arc::new(())
    }
}
