//! A text with kernels, read and checked.

use crate::entry::EntryPoint;
use crate::error::SourceError;
use crate::externs::Nmath;
use crate::interpreted;
use crate::nesting::{self, on_large_stack};
use crate::shards;
use gristmill_kernel::Item;
use gristmill_kernel::{Column, ColumnMut, EmittedShard, Function, HeldCode, LoadedCode, Scalar, Stopped};
use gristmill_kernel_cl::Assembly;
use gristmill_kernel_lang::interp::Module;
use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

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
}

/// One function of a text from scalars to scalars.
pub(crate) struct Kernel {
    pub(crate) text: &'static KnownText,
    pub(crate) name: String,
    pub(crate) shard: &'static EmittedShard,
}

/// A text with kernels: functions, constants and structs of the kernel language, which may call each other and every kernel of
/// nmath by name.
#[derive(Clone)]
pub struct KernelSource {
    known: &'static KnownText,
}

impl fmt::Debug for KernelSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KernelSource").field("functions", &self.function_names().collect::<Vec<_>>()).finish()
    }
}

impl KnownText {
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
        Ok(KernelSource { known })
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

    /// Its entry points (`#[kernel(entry)]`), in order.
    pub fn entries(&self) -> &[EntryPoint] {
        self.known.entries.get().map_or(&[], Vec::as_slice)
    }

    /// The same function by the interpreter, whatever native code there is: what other paths are compared with.
    pub fn interpreted(&self, name: &str) -> Option<Function> {
        self.function(name)
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
        let text = &self.known.text;
        on_large_stack(|| read_again(text).ok()?.function(name).map(|func| format!("{func:#?}\n"))).ok().flatten()
    }

    /// The machine code of a function's block loop, as text.
    ///
    /// # Errors
    /// Why there is none.
    pub fn machine_code(&self, name: &str) -> Result<String, String> {
        Err(format!("`{name}` is interpreted: this build has no native code generator"))
    }
}

fn read(text: &str, number: usize) -> Result<&'static KnownText, SourceError> {
    nesting::check(text).map_err(|e| SourceError::at(text, e.at, e.message))?;
    let place: &'static str = Box::leak(format!("text_{}", number + 1).into_boxed_str());
    let parsed = on_large_stack(|| {
        let module = Module::of_text(text, Rc::new(Nmath)).map_err(|e| SourceError::of(text, &e))?;
        let shards = shards::of_module(&module, place).map_err(|e| SourceError::at(text, 0, e))?;
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
    }));
    let (mut functions, mut entries) = (vec![], vec![]);
    for shard in &shards {
        match shard.item {
            Item::Fn(signature) => {
                let params: Option<Vec<Scalar>> = signature.params.iter().map(|p| p.ty.scalar()).collect();
                if params.is_some() && signature.results().is_some() {
                    functions.push(Kernel { text: known, name: shard.name.to_string(), shard });
                }
            }
            Item::Entry(signature) => entries.extend(EntryPoint::new(known, shard, &signature)),
            Item::Const { .. } | Item::Struct { .. } => {}
        }
    }
    let _ = known.functions.set(functions);
    let _ = known.entries.set(entries);
    let _ = known.shards.set(shards);
    Ok(known)
}

impl LoadedCode for Kernel {
    fn single(&self, ins: &[Column<'_>], outs: &mut [ColumnMut<'_>], i: usize) -> Result<(), Stopped> {
        interpreted::elements(self, ins, outs, i..i + 1)
    }

    fn block(&self, ins: &[Column<'_>], outs: &mut [ColumnMut<'_>]) -> Result<(), Stopped> {
        let n = outs.first().map_or(0, ColumnMut::len);
        interpreted::elements(self, ins, outs, 0..n)
    }

    fn hold(&self) -> HeldCode {
        // There is none to keep: the text itself is there to the end of the process.
        Arc::new(())
    }
}
