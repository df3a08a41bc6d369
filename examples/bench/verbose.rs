//! What rewritten programs say under `STENCIL_VERBOSE`.

use anyhow::{Context, Result, ensure};

/// One run of a program: the sums over all executions of its nest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// Name of the plan.
    pub plan: String,
    /// Steps, as the nest counts them.
    pub steps: u64,
    /// Cells computed, by the program's own rate.
    pub cells: f64,
    /// Kernel launches.
    pub launches: u64,
    /// Time of the kernels.
    pub kernel_seconds: f64,
    /// Time in which data travelled to the device.
    pub upload_seconds: f64,
    /// Time in which data travelled back.
    pub download_seconds: f64,
}

impl Run {
    /// Reads the lines of the form `a.c:8: f: plan gpu, 4 steps in 1 launches, kernels 1.0 ms, upload 2.0 ms, ...`.
    ///
    /// # Errors
    /// There is none, or one of another form.
    pub fn read(stderr: &str) -> Result<Self> {
        let mut sum = Self::default();
        for line in stderr.lines().filter(|line| line.contains(": plan ") && line.contains(" launches, kernels ")) {
            sum.add(line).with_context(|| format!("cannot read `{line}`"))?;
        }
        ensure!(!sum.plan.is_empty(), "the program does not tell its times\n{stderr}");
        Ok(sum)
    }

    fn add(&mut self, line: &str) -> Option<()> {
        let (_, facts) = line.split_once(": plan ")?;
        let (plan, facts) = facts.split_once(", ")?;
        let number = |text: Option<&str>| text.and_then(|text| text.parse::<f64>().ok());
        let after = |what: &str| number(facts.split_once(what)?.1.split_whitespace().next());
        // A tuned plan is followed by what it is for.
        self.plan = plan.split(" for ").next()?.to_owned();
        self.steps += facts.split_whitespace().next()?.parse::<u64>().ok()?;
        self.launches += after(" in ")? as u64;
        let kernel_seconds = 1e-3 * after("kernels ")?;
        let rate = number(facts.strip_suffix(" GCells/s")?.split_whitespace().next_back())?;
        self.cells += 1e9 * rate * kernel_seconds;
        self.kernel_seconds += kernel_seconds;
        self.upload_seconds += 1e-3 * after("upload ")?;
        self.download_seconds += 1e-3 * after("download ")?;
        Some(())
    }
}

/// What NVIDIA's compiler tells of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Registers {
    /// 32-bit registers of a work-item.
    pub count: u32,
    /// Bytes that a work-item stores to memory because registers do not suffice.
    pub spilled_bytes: u32,
}

impl Registers {
    /// Looks for a kernel in a build log; `None` if it is not there.
    pub fn find(log: &str, kernel: &str) -> Option<Self> {
        let (_, after) = log.split_once(&format!("Compiling entry function '{kernel}'"))?;
        let section = after.split("Compiling entry function").next()?;
        let before = |what: &str| {
            let (head, _) = section.split_once(what)?;
            head.split_whitespace().next_back()?.parse::<u32>().ok()
        };
        Some(Self { count: before(" registers")?, spilled_bytes: before(" bytes spill stores").unwrap_or(0) })
    }
}
