"""A program as it is and as the tool rewrites it: both are built, run and compared."""
import hashlib
import json
import os
import re
import resource
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from recipes import PRAGMA, Failure, prepare, units

SUPPORT = Path(__file__).resolve().parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", SUPPORT.parent.parent / "target"))
GCC = ["gcc", "-O2", "-ffp-contract=off", "-w"]
LIMIT = 300


@dataclass
class Bench:
    """The tool, and how programs are checked with it."""

    tool: Path
    is_survey: bool
    is_optimised: bool
    plan: str
    rounds: int

    def check(self, recipe, folder, work):
        """The refusals of a program whose other marked nests keep its results, the plans of these, and the tool's seconds."""
        marked = prepare(recipe, folder, work)
        self.build(recipe, work, units(recipe, work), work / "original")
        expected = self.output_of(recipe, work, work / "original")
        if self.output_of(recipe, work, work / "original") != expected:
            raise Failure("original differs from run to run")
        written = work / "rewritten-files"
        messages, seconds = self.rewrite(recipe, work, marked, written)
        refusals = [message for message in messages if message["severity"] == "error"]
        if refusals:
            self.rewrite(recipe, work, marked, written, "--keep-unsupported")
        plans = self.plans(recipe, work, marked, written)
        if plans and not self.is_survey:
            self.compare(recipe, work, marked, written, expected)
        return refusals, plans, seconds

    def rewrite(self, recipe, work, marked, written, *options):
        """Runs the tool on the marked sources: what it says as objects, and the seconds of the round that took least."""
        rounds = [self.rewrite_once(recipe, work, marked, written, *options) for _ in range(self.rounds)]
        return rounds[0][0], min(seconds for _, seconds in rounds)

    def rewrite_once(self, recipe, work, marked, written, *options):
        messages, start = [], seconds_of_children()
        always = ["--fp", "strict", "--message-format", "json", "--runtime", written / "runtime.c", *options]
        for source in marked:
            relative = source.relative_to(work)
            (written / relative.parent).mkdir(parents=True, exist_ok=True)
            beside = [f"--with={other.relative_to(work)}" for other in units(recipe, work) if other != source]
            command = [self.tool, *always, *beside, "-d", written / relative.parent, *flags_of(recipe, work), relative]
            done = self.run(command, work, "the tool fails")
            lines = done.stderr.decode(errors="replace").splitlines()
            if done.returncode not in (0, 1) or any(not line.startswith("{") for line in lines):
                raise Failure(f"the tool fails: {complaint(done)}")
            messages += map(json.loads, lines)
        return messages, seconds_of_children() - start

    def plans(self, recipe, work, marked, written):
        """Strategy and time tile on a GPU of each nest that is rewritten."""
        found = []
        for source in marked:
            accepted = source.with_name(f"accepted-{source.name}")
            kept = written / source.relative_to(work).with_suffix(".ocl.c")
            if not leave_accepted(source, kept, accepted):
                continue
            beside = beside_of(recipe, work, source)
            command = [self.tool, "--quiet", "--dump", "plan", *beside, *flags_of(recipe, work), accepted.relative_to(work)]
            done = self.run(command, work, "the tool fails")
            for plan in map(json.loads, done.stdout.decode().splitlines()):
                if plan["plan"] == "gpu":
                    found.append(f"{plan['strategy']} {max(kernel['time_tile'] for kernel in plan['kernels'])}")
        return found

    def compare(self, recipe, work, marked, written, expected):
        """Builds and runs what the tool wrote; it has to print what the original prints."""
        sources = []
        for source in [other for other in units(recipe, work) if other not in marked]:
            copies = [written / each.relative_to(work).with_name(f"{source.stem}.ocl.c") for each in marked]
            sources += [f"-I{source.parent}", *filter(Path.exists, copies)][:2] if any(map(Path.exists, copies)) else [source]
        for source in marked:
            stem = written / source.relative_to(work).parent / source.stem
            host, driver = stem.with_suffix(".ocl.c"), stem.with_suffix(".stencil.c")
            sources += [f"-I{source.parent}", host, driver] if host.exists() else [source]
        rewritten = written / "rewritten"
        self.build(recipe, work, [*sources, self.runtime_object(written / "runtime.c")], rewritten)
        if (got := self.output_of(recipe, work, rewritten)) != expected:
            raise Failure(f"different: {difference(expected, got)}")

    def runtime_object(self, source):
        """What all drivers share, compiled once for each runtime that tools have written."""
        key = hashlib.sha256(source.read_bytes() + " ".join(GCC).encode()).hexdigest()[:16]
        kept = TARGET / f"tmp/check-real/{key}.o"
        if not kept.exists():
            kept.parent.mkdir(parents=True, exist_ok=True)
            built = source.with_suffix(".o")
            self.run([*GCC, "-c", source, "-o", built], source.parent, "the runtime does not build", must=True)
            shutil.move(built, kept)
        return kept

    def build(self, recipe, work, inputs, program):
        libraries = [*recipe.get("libraries", []), "-lOpenCL", "-lm"]
        command = [*GCC, *flags_of(recipe, work), *inputs, SUPPORT / "check.c", "-o", program, *libraries]
        self.run(command, work, f"{program.name} does not build", must=True)

    def output_of(self, recipe, work, program):
        """All that is compared of a run: the exit code, what the program prints, and the files that it writes."""
        files = [work / name for name in recipe.get("outputs", [])]
        for file in files:
            file.unlink(missing_ok=True)
        command = [program, *recipe.get("arguments", [])]
        done = self.run(command, work, f"{program.name} fails", stdin=recipe.get("input", ""))
        if reason := re.search(rb"STENCIL_STRICT forbids the original loops: (.*)", done.stderr):
            raise Failure(f"fell back: {reason[1].decode(errors='replace')}")
        if done.returncode < 0:
            raise Failure(f"{program.name} fails: {complaint(done)}")
        if missing := [file.name for file in files if not file.exists()]:
            raise Failure(f"{program.name} fails: it does not write {missing[0]}")
        ignored = recipe.get("ignore", "$.").encode()
        lines = [line for line in done.stdout.splitlines() if not re.search(ignored, line)]
        return done.returncode, lines, [(file.name, file.read_bytes()) for file in files]

    def run(self, command, folder, result, must=False, stdin=""):
        """Runs a command to its end. It fails with `result` after the time limit, or, if it `must` end well, otherwise."""
        words = [str(word) for word in command]
        environment = self.environment()
        try:
            done = subprocess.run(
                words, cwd=folder, capture_output=True, timeout=LIMIT, env=environment, input=stdin.encode()
            )
        except subprocess.TimeoutExpired:
            raise Failure(f"{result}: not done after {LIMIT} s") from None
        if must and done.returncode:
            raise Failure(f"{result}: {complaint(done)}")
        return done

    def environment(self):
        """That of the test suite: a CPU device, a small PoCL where there is one, caches of its own."""
        small = TARGET / "pocl/vendors"
        return {
            **({"OCL_ICD_VENDORS": str(small)} if small.exists() else {}),
            **({} if self.is_optimised else {"POCL_EXTRA_BUILD_FLAGS": "-cl-opt-disable"}),
            **{name: value for name, value in os.environ.items() if not name.startswith("STENCIL_")},
            "LC_ALL": "C",
            "STENCIL_DEVICE": "cpu",
            "STENCIL_PLAN": self.plan,
            "STENCIL_STRICT": "1",
            "STENCIL_COMPILE_ALL": "1",
            "STENCIL_CACHE": "off",
            "POCL_CACHE_DIR": str(TARGET / "tmp/pocl"),
            # Memory from `malloc` that a program reads before it writes it holds the same bytes in all runs.
            "GLIBC_TUNABLES": "glibc.malloc.tcache_count=0:glibc.malloc.perturb=165",
        }


def seconds_of_children():
    """The time that processors have spent on all commands so far: on a busy machine it says more than a clock."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def beside_of(recipe, work, source):
    """The program's other sources, whose functions nests of `source` may call."""
    return [f"--with={other.relative_to(work)}" for other in units(recipe, work) if other != source]


def flags_of(recipe, work):
    return [flag.replace("$WORK", str(work)) for flag in recipe["flags"]] + ["-include", SUPPORT / "check.h"]


def leave_accepted(source, kept, accepted):
    """Writes the source with the pragmas of those nests that a call stands for in the file `kept`; false if there is none."""
    if not kept.exists():
        return False
    nests = [line.strip() for line in kept.read_text(errors="surrogateescape").split("\n") if PRAGMA in line]
    lines = source.read_text(errors="surrogateescape").split("\n")
    pragmas = [index for index, line in enumerate(lines) if line.strip() == PRAGMA]
    for index, nest in zip(pragmas, nests, strict=True):
        if nest == PRAGMA:
            lines[index] = ""
    accepted.write_text("\n".join(lines), errors="surrogateescape")
    return True


def complaint(done):
    """The first error of a compiler or linker, or else the last line on stderr, or else the exit code."""
    lines = [line for line in done.stderr.decode(errors="replace").splitlines() if line.strip()]
    errors = [line for line in lines if "error:" in line or "undefined" in line]
    return (errors or lines[-1:] or [f"exit code {done.returncode}"])[0]


def difference(expected, got):
    """The first thing that differs."""
    if expected[0] != got[0]:
        return f"exit code {got[0]} instead of {expected[0]}"
    for old, new in zip(expected[1], got[1]):
        if old != new:
            return f"{new.decode(errors='replace')[:60]} instead of {old.decode(errors='replace')[:60]}"
    if len(expected[1]) != len(got[1]):
        return f"{len(got[1])} lines instead of {len(expected[1])}"
    return ", ".join(new[0] for old, new in zip(expected[2], got[2]) if old != new)
