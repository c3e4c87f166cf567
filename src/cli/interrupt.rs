//! Ctrl-C and a polite kill: outputs that are not complete go away with the command.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// Whether a signal has come that ends the command.
static TOLD: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// From now on, a signal that ends the command also removes the temporary files of its outputs. The command still ends as
/// if nobody had looked: by the signal.
#[cfg(unix)]
pub(crate) fn clean_up() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::flag;
    // A file that grows beyond the limit of the process is then an error of the write, with its name.
    let _ = flag::register(SIGXFSZ, Arc::default());
    let wanted: Vec<i32> = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|signal| !is_ignored(*signal)).collect();
    // Without, an interrupted command leaves a `.part` file: no reason not to run it.
    let Ok(mut signals) = signal_hook::iterator::Signals::new(&wanted) else { return };
    let watch = move || {
        if let Some(signal) = signals.forever().next() {
            gristmill_support::abandon_unfinished();
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    };
    if std::thread::Builder::new().name("signals".into()).spawn(watch).is_err() {
        // Nobody would notice a signal: it ends the command as if nobody had asked for it.
        let always = Arc::new(AtomicBool::new(true));
        for signal in wanted {
            let _ = flag::register_conditional_default(signal, always.clone());
        }
        return;
    }
    for signal in wanted {
        let _ = flag::register(signal, TOLD.get_or_init(Arc::default).clone());
    }
}

/// For a command that has failed: if a signal has come meanwhile, that was why, and ends it. (The compiler of a driver removes
/// its files when it notices one, and then says that it cannot compile.)
pub(crate) fn wait_if_told() {
    if TOLD.get().is_some_and(|told| told.load(Ordering::SeqCst)) {
        // The thread above ends the process any moment.
        std::thread::sleep(Duration::from_secs(10));
    }
}

/// Whether whoever started the command wants it to go on: `nohup`, or a shell that runs it in the background.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    match mask {
        Some(mask) => mask >> (signal - 1) & 1 == 1,
        // Unknown: only a hang-up is commonly ignored.
        None => signal == signal_hook::consts::SIGHUP,
    }
}

#[cfg(not(unix))]
pub(crate) fn clean_up() {}
