//! Work done side by side: what one job and the programs it runs print is shown in one piece, when it has ended.
//!
//! Most test programs leave a core idle for a while (OpenCL programs are built on one thread), and packages are fetched from
//! elsewhere: another job fills these times.

use crate::process::{Result, root};
use std::cell::RefCell;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::Instant;

/// How many run at once.
const WORKERS: usize = 2;

thread_local! {
    /// Where the job of this thread prints; nowhere but to the terminal outside of jobs.
    static OUTPUT: RefCell<Option<File>> = const { RefCell::new(None) };
}

/// Tells the user: at once, or in a job with what it prints.
pub(crate) fn say(line: &str) {
    let told = OUTPUT.with_borrow_mut(|output| output.as_mut().map(|file| writeln!(file, "{line}")));
    if !matches!(told, Some(Ok(()))) {
        eprintln!("{line}");
    }
}

/// In a job, lets the command print where the job does.
pub(crate) fn redirect(command: &mut Command) {
    OUTPUT.with_borrow(|output| {
        let copies = output.as_ref().map(|file| (file.try_clone(), file.try_clone()));
        if let Some((Ok(out), Ok(err))) = copies {
            command.stdout(out).stderr(err);
        }
    });
}

/// Some work and its name.
pub(crate) struct Job {
    name: String,
    work: Box<dyn FnOnce() -> Result + Send>,
}

impl Job {
    pub(crate) fn new(name: impl Into<String>, work: impl FnOnce() -> Result + Send + 'static) -> Job {
        Job { name: name.into(), work: Box::new(work) }
    }

    /// Does the work and shows what it printed.
    fn run(self) -> Result {
        let mut file = output(&self.name)?;
        let copy = file.try_clone().map_err(|e| format!("`{}`: {e}", self.name))?;
        OUTPUT.set(Some(copy));
        let start = Instant::now();
        let result = (self.work)();
        OUTPUT.set(None);
        let mut text = Vec::new();
        let shown = file.seek(SeekFrom::Start(0)).and_then(|_| file.read_to_end(&mut text));
        // The lock keeps what another job prints apart.
        let mut terminal = std::io::stdout().lock();
        let _ = writeln!(terminal, "xtask: {}: {:.1} s", self.name, start.elapsed().as_secs_f64());
        let _ = terminal.write_all(&text);
        shown.map_err(|e| format!("what `{}` printed is lost: {e}", self.name))?;
        result
    }
}

/// A new file below target/jobs for what a job prints: readable while it runs, and afterwards.
fn output(name: &str) -> Result<File> {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let folder = root().join("target/jobs");
    let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let path = folder.join(format!("{}-{plain}.txt", COUNT.fetch_add(1, Ordering::Relaxed)));
    let made = std::fs::create_dir_all(&folder)
        .and_then(|()| File::options().read(true).write(true).create(true).truncate(true).open(&path));
    // Programs of a job write at the end of what is there, each with its own handle of the one open file.
    made.map_err(|e| format!("`{}`: {e}", path.display()))
}

/// A job that runs while others go on.
pub(crate) struct Started(JoinHandle<Result>);

/// Begins a job.
pub(crate) fn start(job: Job) -> Started {
    Started(std::thread::spawn(|| job.run()))
}

impl Started {
    /// Waits for its end.
    pub(crate) fn finish(self) -> Result {
        self.0.join().unwrap_or_else(|_| Err("a job panicked".to_string()))
    }
}

/// Does all jobs, two at a time, in their order, whatever becomes of the others; all that failed are named: who mends one wants to
/// know of the next.
pub(crate) fn side_by_side(jobs: Vec<Job>) -> Result {
    let waiting = Mutex::new(jobs.into_iter());
    let failures = Mutex::new(Vec::new());
    let worker = || {
        loop {
            let next = waiting.lock().ok().and_then(|mut jobs| jobs.next());
            let Some(job) = next else { return };
            if let (Err(message), Ok(mut list)) = (job.run(), failures.lock()) {
                list.push(message);
            }
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..WORKERS).map(|_| scope.spawn(worker)).collect();
        let panicked = workers.into_iter().filter_map(|w| w.join().err()).count();
        if panicked == 0 { Ok(()) } else { Err("a job panicked".to_string()) }
    })?;
    let failures = failures.into_inner().unwrap_or_default();
    if failures.is_empty() { Ok(()) } else { Err(failures.join("; ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_job_is_done_and_a_failure_names_itself() {
        static DONE: AtomicUsize = AtomicUsize::new(0);
        let count = |_| {
            Job::new("count", || {
                DONE.fetch_add(1, Ordering::Relaxed);
                Ok(())
            })
        };
        assert_eq!(side_by_side((0..7).map(count).collect()), Ok(()));
        assert_eq!(DONE.load(Ordering::Relaxed), 7);
        let failing = vec![Job::new("good", || Ok(())), Job::new("bad", || Err("no disk".into()))];
        assert_eq!(side_by_side(failing), Err("no disk".to_string()));
    }

    #[test]
    fn after_a_failure_the_others_are_done_and_each_failure_is_named() {
        static BEGUN: AtomicUsize = AtomicUsize::new(0);
        let failing = |i: usize| {
            Job::new("fail", move || {
                BEGUN.fetch_add(1, Ordering::Relaxed);
                Err(format!("failure {i}"))
            })
        };
        let message = side_by_side((0..5).map(failing).collect()).expect_err("all fail");
        assert_eq!(BEGUN.load(Ordering::Relaxed), 5);
        assert!((0..5).all(|i| message.contains(&format!("failure {i}"))), "{message}");
    }

    #[test]
    fn what_a_job_and_its_programs_print_is_in_its_file_in_order() {
        let mut file = output("order of a test").expect("target can be written");
        OUTPUT.set(Some(file.try_clone().expect("a handle")));
        say("first");
        let mut command = Command::new("echo");
        command.arg("second");
        redirect(&mut command);
        assert!(command.status().is_ok_and(|s| s.success()));
        say("third");
        OUTPUT.set(None);
        let mut text = String::new();
        file.seek(SeekFrom::Start(0)).and_then(|_| file.read_to_string(&mut text)).expect("it can be read");
        assert_eq!(text, "first\nsecond\nthird\n");
    }
}
