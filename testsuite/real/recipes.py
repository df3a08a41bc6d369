"""Recipes: which programs there are, and how the sources of one are prepared."""
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

PRAGMA = "#pragma stencil"
KEYS = {
    "name", "repository", "checkout", "commit", "folder", "sources", "flags", "libraries", "pragma", "dump", "edits", "prepare",
    "arguments", "input", "outputs", "ignore", "host",
}


class Failure(Exception):
    """A program that got no further: the result and, behind a colon, its details."""


def read(folder, names):
    """The programs whose names begin like one of `names`. What stands in front of the programs of a file holds for all."""
    for path in sorted(Path(folder, "recipes").glob("*.toml")):
        common = tomllib.loads(path.read_text())
        for program in common.pop("program"):
            recipe = {**common, **program, "name": f"{path.stem}/{program['name']}"}
            for key in ["flags", "edits"]:
                recipe[key] = common.get(key, []) + program.get(key, [])
            if unknown := recipe.keys() - KEYS:
                sys.exit(f"check-real: {recipe['name']} has unknown keys: {', '.join(sorted(unknown))}")
            if not names or recipe["name"].startswith(tuple(names)):
                yield recipe


class Source:
    """A source in the working folder, edited before anything is built: both programs are made from what comes out."""

    def __init__(self, path):
        self.path = path
        self.lines = path.read_text(errors="surrogateescape").split("\n")

    def find(self, place):
        """The index of the one line that matches, or of the `nth`, or of the given line, which has to match."""
        found = [index for index, line in enumerate(self.lines) if re.search(place["at"], line)]
        if "line" in place:
            found = [index for index in found if index + 1 == place["line"]]
        if "nth" in place:
            found = found[place["nth"] - 1 :][:1]
        if len(found) != 1:
            raise Failure(f"recipe: {len(found)} lines of {self.path.name} match {place['at']}")
        return found[0]

    def substitute(self, pattern, replacement):
        text, count = re.subn(pattern, replacement, "\n".join(self.lines), flags=re.MULTILINE)
        if not count:
            raise Failure(f"recipe: nothing in {self.path.name} matches {pattern}")
        self.lines = text.split("\n")

    def write(self):
        self.path.write_text("\n".join(self.lines), errors="surrogateescape")


def prepare(recipe, folder, work):
    """Puts the program's folder, with pragmas, dumps and edits, into the new folder `work`; returns the marked sources."""
    checkout = Path(folder, recipe["checkout"])
    check_commit(recipe, checkout)
    ignored = shutil.ignore_patterns(".git", "recipes")
    shutil.copytree(checkout / recipe.get("folder", "."), work, symlinks=True, ignore=ignored)
    shell(recipe.get("prepare", ""), work)
    sources = {name: Source(work / name) for name in recipe["sources"]}
    first = sources[recipe["sources"][0]]
    marked = insert_lines(recipe, sources, first)
    for pattern, replacement, *name in recipe["edits"]:
        (sources[name[0]] if name else first).substitute(pattern, replacement)
    for source in sources.values():
        source.write()
    return marked


def insert_lines(recipe, sources, first):
    """Inserts pragmas and dumps at lines of the program as it was; returns the sources that have a pragma now."""
    insertions, marked = [], {}
    for place in recipe["pragma"]:
        place = {"at": place} if isinstance(place, str) else place
        source = sources[place["file"]] if "file" in place else first
        insertions.append((source.find(place), source, PRAGMA))
        marked[source.path] = True
    for dump in recipe.get("dump", []):
        source = sources[dump["file"]] if "file" in dump else first
        insertions.append((source.find(dump) + dump.get("after", True), source, dump["code"]))
    for index, source, line in sorted(insertions, key=lambda insertion: -insertion[0]):
        source.lines.insert(index, line)
    return list(marked)


def check_commit(recipe, checkout):
    if not checkout.is_dir():
        raise Failure(f"no checkout: {how_to_get(recipe, checkout)}")
    if commit := recipe.get("commit"):
        git = subprocess.run(["git", "rev-parse", "HEAD"], cwd=checkout, capture_output=True, text=True)
        if not git.stdout.startswith(commit):
            raise Failure(f"recipe: made for commit {commit}, not {git.stdout[:12]}")


def how_to_get(recipe, checkout):
    """The commands that make a checkout, as far as the recipe names its repository and its commit."""
    if "repository" not in recipe:
        return ""
    clone = f"git clone https://github.com/{recipe['repository']} {checkout}"
    return clone + (f" && git -C {checkout} checkout {recipe['commit']}" if "commit" in recipe else "")


def shell(script, work):
    done = subprocess.run(["bash", "-euc", script], cwd=work, capture_output=True, text=True)
    if done.returncode:
        raise Failure(f"recipe: prepare: {done.stderr.strip()}")


def units(recipe, work):
    """The sources that are compiled; others are headers, named because they are edited."""
    return [work / name for name in recipe["sources"] if name.endswith(".c")]
