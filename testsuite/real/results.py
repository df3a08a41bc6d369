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
"""
HEAD = ["| program | result | strategy and time tile on a GPU | seconds of the tool | reasons |", "|---|---|---|---:|---|"]


@dataclass
class Row:
    name: str
    result: str = ""
    plan: str = ""
    seconds: float = 0.0
    details: str = ""

    def cells(self):
        return [self.name, self.result, self.plan, f"{self.seconds:.1f}", self.details.replace("|", "\\|")]

    def __str__(self):
        return f"{self.name}: {self.result}; {self.plan}; {self.seconds:.1f} s; {self.details}"


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


def write(path, rows, is_part):
    """Writes the table; if `rows` are a part of it, the other lines stay."""
    lines = {cells[0]: cells for cells in (read(path) if is_part and path.exists() else [])}
    lines |= {row.name: row.cells() for row in rows}
    table = [f"| {' | '.join(lines[name])} |" for name in sorted(lines)]
    path.write_text("\n".join([PREFACE, counts(lines.values()), "", *HEAD, *table, ""]))


def read(path):
    """The cells of the table's lines."""
    for line in path.read_text().splitlines():
        if line.startswith("| ") and line != HEAD[0]:
            yield [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
