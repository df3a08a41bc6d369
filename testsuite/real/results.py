"""What became of the programs: lines on the terminal, and the table that is kept."""
import re
import shutil
from collections import Counter
from dataclasses import dataclass

from recipes import Failure

PREFACE = """# Programs of other people

What `scripts/check-real` found. A program is *identical* if the rewritten one, on PoCL, prints and writes the same bytes, and
*refused in part* if that holds although some of its marked nests are refused. With *(host)* the pragma stands above loops over
space and the program keeps its time loop; elsewhere it stands above the time loop.

Seconds with two decimals are the processor's time of a release build of the tool, with the preprocessor that it calls. Those
with one decimal are of a debug build, on a busy machine.
"""
HEAD = ["| program | result | strategy and time tile on a GPU | seconds of the tool | reasons |", "|---|---|---|---:|---|"]
SOURCES = """## Where they are from

Repositories of programs whose names begin like that, as far as they are noted, and the commits that were read.
"""
SOURCES_HEAD = ["| programs | repository on GitHub | commit |", "|---|---|---|"]


@dataclass
class Row:
    name: str
    result: str = ""
    plan: str = ""
    seconds: float = 0.0
    details: str = ""

    def cells(self):
        return [self.name, self.result, self.plan, f"{self.seconds:.2f}", self.details.replace("|", "\\|")]

    def __str__(self):
        return f"{self.name}: {self.result}; {self.plan}; {self.seconds:.2f} s; {self.details}"


def row_of(recipe, bench, folder, work):
    """Checks a program in the folder `work`."""
    row = Row(recipe["name"] + (" (host)" if recipe.get("host") else ""))
    remove(work)
    try:
        refusals, plans, row.seconds = bench.check(recipe, folder, work)
        kept = "accepted" if bench.is_survey else "identical"
        row.result = kept if not refusals else "refused in part" if plans else "refused"
        row.plan = ", ".join(f"{count} × {plan}" if count > 1 else plan for plan, count in Counter(plans).items())
        row.details = "<br>".join(dict.fromkeys(map(describe, refusals)))
    except Failure as failure:
        row.result, _, row.details = str(failure).replace(f"{work}/", "").partition(": ")
    return row


def describe(message):
    line = message["start"]["line"] if message["start"] else "-"
    return f"`{message['code']}`, line {line}: {message['message']}"


def remove(work):
    shutil.rmtree(work, ignore_errors=True)


def counts(lines):
    found = Counter(cells[1] for cells in lines)
    return ", ".join(f"{count} {result}" for result, count in found.most_common())


def source_of(recipe):
    """The cells of the table of repositories for a program; none if its recipe does not say where it is from."""
    if "repository" in recipe:
        return (recipe["name"].split("/")[0], recipe["repository"], recipe.get("commit", ""))
    return None


def write(path, rows, sources, is_part):
    """Writes both tables, `sources` as `source_of` gives them; if they are a part of all, the other lines stay."""
    is_kept = is_part and path.exists()
    lines = {cells[0]: cells for cells in (read(path, HEAD) if is_kept else [])}
    lines |= {row.name: row.cells() for row in rows}
    table = [row_text(lines[name]) for name in sorted(lines)]
    places = {tuple(cells) for cells in (read(path, SOURCES_HEAD) if is_kept else [])} | {source for source in sources if source}
    newest = {cells[:2]: cells for cells in sorted(places, key=lambda cells: cells in sources)}
    origins = [row_text(newest[key]) for key in sorted(newest)]
    parts = [PREFACE, counts(lines.values()), "", *HEAD, *table, "", SOURCES, *SOURCES_HEAD, *origins, ""]
    path.write_text("\n".join(parts))


def row_text(cells):
    return f"| {' | '.join(cells)} |"


def read(path, head):
    """The cells of the lines of the table that begins with `head`."""
    _, found, rest = path.read_text().partition("\n".join(head) + "\n")
    for line in rest.splitlines() if found else []:
        if not line.startswith("| "):
            break
        yield [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
