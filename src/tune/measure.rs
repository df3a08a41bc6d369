//! Building and running the programs that measure plans.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;
use wait_timeout::ChildExt;

use super::rate::Rate;

/// What a program that measures a plan has said.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    /// Name of the device.
    pub device: String,
    /// Whether it is a CPU.
    pub is_cpu: bool,
    /// How fast the runs were.
    pub rate: Rate,
    /// Hash of all results.
    pub digest: String,
    /// Sum of the results' magnitudes.
    pub magnitude: f64,
    /// Whether the device's compiler keeps registers in memory.
    pub has_spills: bool,
}

impl Measurement {
    /// Whether both have the same results: bit for bit, or about so.
    pub fn agrees(&self, other: &Self, is_exact: bool) -> bool {
        let tolerance = 1e-4 * self.magnitude.abs();
        self.digest == other.digest || (!is_exact && (self.magnitude - other.magnitude).abs() <= tolerance)
    }
}

/// Builds programs with a C compiler in a folder of its own, and runs them.
#[derive(Debug)]
pub struct Runner {
    compiler: Vec<OsString>,
    folder: TempDir,
    /// What `STENCIL_DEVICE` says to the programs.
    device: Option<OsString>,
}

/// How long one program may run.
const TIME_LIMIT: Duration = Duration::from_secs(300);

impl Runner {
    /// A runner with a new folder.
    ///
    /// # Errors
    /// When there is no room for a folder.
    pub fn new(compiler: Vec<OsString>, device: Option<OsString>) -> io::Result<Self> {
        Ok(Self { compiler, folder: tempfile::tempdir()?, device })
    }

    /// Builds and runs a program; `plan` is what `STENCIL_PLAN` says to it.
    ///
    /// # Errors
    /// Why there is no measurement, in a few words.
    pub fn measure(&self, text: &str, plan: Option<&str>) -> Result<Measurement, String> {
        self.build(text)?;
        let mut command = Command::new(self.path("measured"));
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("STENCIL_")) {
            command.env_remove(name);
        }
        // Compiled kernels of NVIDIA's cache come without the compiler's log.
        command.envs([("STENCIL_VERBOSE", "2"), ("STENCIL_CACHE", "off"), ("CUDA_CACHE_DISABLE", "1")]);
        command.env("STENCIL_COMPILE_ALL", "1");
        command.envs(self.device.iter().map(|device| ("STENCIL_DEVICE", device)));
        command.envs(plan.map(|plan| ("STENCIL_PLAN", plan)));
        let is_good = self.run(&mut command)?;
        let said = fs::read_to_string(self.path("stderr")).map_err(|error| error.to_string())?;
        let printed = fs::read_to_string(self.path("stdout")).map_err(|error| error.to_string())?;
        if is_good { parse(&printed, &said).ok_or_else(|| last_line(&said)) } else { Err(last_line(&said)) }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn build(&self, text: &str) -> Result<(), String> {
        fs::write(self.path("measured.c"), text).map_err(|error| error.to_string())?;
        let (program, words) = self.compiler.split_first().ok_or("no compiler is given")?;
        let mut command = Command::new(program);
        command.args(words).args(["-std=c99", "-O1", "-w"]).arg(self.path("measured.c"));
        command.arg("-o").arg(self.path("measured")).args(["-lOpenCL", "-lm"]);
        let output = command.output().map_err(|error| format!("the C compiler cannot be run: {error}"))?;
        if output.status.success() { Ok(()) } else { Err(last_line(&String::from_utf8_lossy(&output.stderr))) }
    }

    /// Runs a program with its output in files; whether it ended well.
    fn run(&self, command: &mut Command) -> Result<bool, String> {
        let failure = |error: io::Error| error.to_string();
        command.stdout(File::create(self.path("stdout")).map_err(failure)?);
        command.stderr(File::create(self.path("stderr")).map_err(failure)?);
        let mut child = command.stdin(Stdio::null()).spawn().map_err(failure)?;
        match child.wait_timeout(TIME_LIMIT).map_err(failure)? {
            Some(status) => Ok(status.success()),
            None => {
                let _ = child.kill().and_then(|()| child.wait());
                Err(format!("it ran for more than {} s", TIME_LIMIT.as_secs()))
            }
        }
    }
}

fn last_line(text: &str) -> String {
    text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("it failed without a word").trim().to_owned()
}

/// Reads what a program has printed and, from its line about each run, how fast it was.
fn parse(printed: &str, said: &str) -> Option<Measurement> {
    let value = |key: &str| printed.lines().find_map(|line| line.strip_prefix(key));
    let (digest, magnitude) = value("digest ")?.split_once(' ')?;
    let rate_of = |line: &str| line.strip_suffix(" GCells/s")?.rsplit(' ').next()?.parse::<f64>().ok();
    let rates = said.lines().filter_map(rate_of).collect();
    Some(Measurement {
        device: value("device ")?.to_owned(),
        is_cpu: value("kind ")? == "cpu",
        rate: Rate::of_runs(rates)?,
        digest: digest.to_owned(),
        magnitude: magnitude.parse().ok()?,
        has_spills: said.lines().any(tells_spills),
    })
}

/// Whether a line of the compiler's log says that a kernel keeps registers in memory.
fn tells_spills(line: &str) -> bool {
    line.split(", ").filter_map(|part| part.split_once(" bytes spill ")).any(|(bytes, _)| bytes.trim() != "0")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRINTED: &str = "digest 00ff 12.5\nkind gpu\ndevice Some GPU, large\n";
    const SAID: &str = "stencil: device Some GPU\na.c:3: a: plan gpu, 4 steps in 1 launches, kernels 2 ms, 1.250 GCells/s\n\
                        a.c:3: a: plan gpu, 4 steps in 1 launches, kernels 1 ms, 2.500 GCells/s\n";

    #[test]
    fn the_middle_of_the_runs_counts() {
        let measured = parse(PRINTED, SAID).expect("a measurement");
        assert_eq!((measured.device.as_str(), measured.is_cpu), ("Some GPU, large", false));
        assert_eq!((measured.rate, measured.has_spills), (Rate { median: 1.875, spread: 0.625 }, false));
        assert!(parse(PRINTED, "").is_none());
        let log = |spilled| format!("ptxas info\n    16 bytes stack frame, {spilled} bytes spill stores\n{SAID}");
        let has_spills = |spilled| parse(PRINTED, &log(spilled)).map(|measured| measured.has_spills);
        assert_eq!((has_spills(0), has_spills(40)), (Some(false), Some(true)));
    }

    #[test]
    fn results_agree_by_their_bits_or_about() {
        let one = parse(PRINTED, SAID).expect("a measurement");
        let close = Measurement { digest: "00fe".into(), magnitude: 12.5001, ..one.clone() };
        assert!(one.agrees(&one, true) && !one.agrees(&close, true) && one.agrees(&close, false));
        assert!(!one.agrees(&Measurement { magnitude: f64::NAN, ..close }, false));
    }

    #[test]
    fn programs_that_fail_say_why() {
        let runner = Runner::new(vec!["cc".into()], None).expect("a runner");
        let main = |body: &str| format!("#include <stdio.h>\nint main(void) {{ {body} }}\n");
        assert_eq!(runner.measure(&main("fputs(\"why\\n\", stderr); return 1;"), None), Err("why".into()));
        assert!(runner.measure(&main("return undeclared;"), None).is_err());
        let good = "puts(\"digest 1 2\\nkind cpu\\ndevice D\"); fputs(\"x 3.5 GCells/s\\n\", stderr); return 0;";
        assert_eq!(runner.measure(&main(good), None).map(|measured| measured.rate.median), Ok(3.5));
    }
}
