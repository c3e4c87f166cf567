//! The thread on which texts are read and compiled: its stack is deep enough for every text, and it remembers what it read last.
//!
//! A module cannot leave its thread, and reading a text costs as much as compiling it. So one thread does both, for all others, and
//! ends when nobody has asked for a while: its stack and its modules go with it.

use crate::externs::Nmath;
use crate::nesting::STACK;
use crate::source::lock;
use gristmill_kernel_lang::interp::Module;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

/// How long the thread waits for more to do.
const PATIENCE: Duration = Duration::from_secs(5);
/// Bytes of texts after which another thread takes over.
const MOST_READ: usize = 64 << 20;
/// Modules that are remembered.
const MODULES: usize = 4;

type Job = Box<dyn FnOnce(&mut Shelf) + Send>;

/// The modules that were read last, the latest last.
#[derive(Default)]
struct Shelf {
    modules: Vec<(String, Rc<Module>)>,
    /// Bytes of all texts that were read: the parser keeps them as long as the thread lives.
    read: usize,
}

impl Shelf {
    fn module(&mut self, text: &str) -> syn::Result<Rc<Module>> {
        let known = self.modules.iter().position(|(known, _)| known == text);
        let entry = match known {
            Some(k) => self.modules.remove(k),
            None => {
                self.read += text.len();
                (text.to_string(), Rc::new(Module::of_text(text, Rc::new(Nmath))?))
            }
        };
        if self.modules.len() == MODULES {
            self.modules.remove(0);
        }
        let module = entry.1.clone();
        self.modules.push(entry);
        Ok(module)
    }
}

/// Who waits for jobs, in the process that started it: a thread does not live on in a copy of the process.
static WORKER: Mutex<Option<(u32, Sender<Job>)>> = Mutex::new(None);

/// The next job; `None`: nobody sends one to this thread any more. So it is without a job for a while, and if it is to `retire`.
fn next(jobs: &Receiver<Job>, retire: bool) -> Option<Job> {
    match jobs.recv_timeout(if retire { Duration::ZERO } else { PATIENCE }) {
        Ok(job) => Some(job),
        Err(_) => {
            // Jobs are sent under this lock: what is not there now will not come.
            let mut worker = lock(&WORKER);
            let last = jobs.try_recv().ok();
            if last.is_none() {
                *worker = None;
            }
            last
        }
    }
}

fn hire() -> Result<Sender<Job>, String> {
    let (sender, jobs) = channel::<Job>();
    let work = move || {
        let mut shelf = Shelf::default();
        while let Some(job) = next(&jobs, shelf.read > MOST_READ) {
            // A bug of ours must not end the thread; what it left half done is thrown away.
            if catch_unwind(AssertUnwindSafe(|| job(&mut shelf))).is_err() {
                shelf = Shelf::default();
            }
        }
    };
    let builder = std::thread::Builder::new().name("kernel text".into()).stack_size(STACK);
    builder.spawn(work).map_err(|e| format!("no thread can be started for the text: {e}"))?;
    Ok(sender)
}

fn send(job: Job) -> Result<(), String> {
    const ENDED: &str = "the thread that reads texts has ended";
    let mut worker = lock(&WORKER);
    let process = std::process::id();
    if let Some((_, sender)) = worker.as_ref().filter(|(started_by, _)| *started_by == process) {
        return sender.send(job).map_err(|_| ENDED.to_string());
    }
    let sender = hire()?;
    sender.send(job).map_err(|_| ENDED.to_string())?;
    *worker = Some((process, sender));
    Ok(())
}

/// Reads a text, unless it is remembered, and does something with it, on the thread with the deep stack.
///
/// # Errors
/// When there is no such thread, or it failed.
pub(crate) fn with_module<R: Send + 'static>(
    text: &str,
    work: impl FnOnce(syn::Result<Rc<Module>>) -> R + Send + 'static,
) -> Result<R, String> {
    let (text, (answer, result)) = (text.to_string(), channel::<R>());
    send(Box::new(move |shelf| {
        let module = shelf.module(&text);
        let _ = answer.send(work(module));
    }))?;
    // Whoever fails drops `answer`.
    result.recv().map_err(|_| "the translation of the text failed: this is a bug of ours".to_string())
}
