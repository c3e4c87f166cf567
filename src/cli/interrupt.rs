//! Ctrl-C and a polite kill: outputs that are not complete go away with the command.

/// From now on, a signal that ends the command also removes the temporary files of its outputs. The command still ends as
/// if nobody had looked: by the signal.
#[cfg(unix)]
pub(crate) fn clean_up() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    // A file that grows beyond the limit of the process is then an error of the write, with its name.
    let _ = signal_hook::flag::register(SIGXFSZ, std::sync::Arc::default());
    let wanted = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|signal| !is_ignored(*signal));
    // Without, an interrupted command leaves a `.part` file: no reason not to run it.
    let Ok(mut signals) = signal_hook::iterator::Signals::new(wanted) else { return };
    let watch = move || {
        if let Some(signal) = signals.forever().next() {
            gristmill_support::abandon_unfinished();
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    };
    let _ = std::thread::Builder::new().name("signals".into()).spawn(watch);
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
