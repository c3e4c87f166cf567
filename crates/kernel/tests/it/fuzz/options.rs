//! What the fuzzing programs are told on their command line.

/// Of a run with new programs.
pub struct Options {
    /// Of the first program.
    pub seed: u64,
    /// In one text.
    pub programs: usize,
    /// Inputs of each program.
    pub points: usize,
    /// After which no new text is begun.
    pub seconds: u64,
}

impl Options {
    /// From the arguments of this process, with these where nothing is said, and the time as the seed.
    pub fn read(points: usize, seconds: u64) -> Result<Options, String> {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(1, |d| d.as_secs());
        let mut options = Options { seed: now, programs: 100, points, seconds };
        let mut args = std::env::args().skip(1);
        while let Some(name) = args.next() {
            let value = args.next().ok_or(format!("`{name}` needs a value"))?;
            let number: u64 = value.parse().map_err(|_| format!("`{name}` is {value}, but must be a number"))?;
            match name.as_str() {
                "--seed" => options.seed = number,
                "--programs" => options.programs = number as usize,
                "--points" => options.points = number as usize,
                "--seconds" => options.seconds = number,
                _ => {
                    return Err(format!(
                        "unknown option `{name}`; there are --seed, --programs (per batch), --points, --seconds"
                    ));
                }
            }
        }
        Ok(options)
    }
}
