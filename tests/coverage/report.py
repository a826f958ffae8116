#!/usr/bin/env python3
"""report.py FOLDER [--write | --check]: what programs have covered of the RTL, by module: lines, branches, and bits that
have changed; and of the bins of hw/tb/stage_bins.sv, by stage: which forms of an instruction moved on and stalled there,
with a RESET in that cycle and without. FOLDER has the files that runs on `rtl` left there with
DAEDALUS_RTL_COVERAGE=FOLDER. A module that stands in the design with several parameters, or several times, is one: its
points are covered where any of them covers them.

unreached.tsv beside this script names the lines, branches and bins that nothing reaches, each with the reason. With
--check, the exit status is 1 where another one is not covered, where one of these is, or where a module has fewer bits
that changed, or a RESET has met fewer bins, than gates.csv asks for. With --write, the tables of docs/verification.md are written."""
import argparse
import collections
import csv
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "hw/flow"))
from tools import fail, page_with  # noqa: E402

PAGE = ROOT / "docs/verification.md"
BEGIN = "<!-- by tests/coverage/report.py -->\n"
KINDS = {"v_line": "lines", "v_branch": "branches", "v_toggle": "bits"}
COLUMNS = {"lines": "lines", "branches": "branches", "bits": "bits that changed"}
EVENTS = {"moves": "move", "stalls": "stall", "waits": "wait", "moves_in_reset": "move in RESET",
          "stalls_in_reset": "stall in RESET", "waits_in_reset": "wait in RESET"}
Point = collections.namedtuple("Point", "module kind line column what")


def fields(text):
    """Those of a point: \\x01 NAME \\x02 VALUE, one behind the other."""
    return dict(part.split("\x02", 1) for part in text.split("\x01") if "\x02" in part)


def read(folder):
    """{point: how often} of the design, without its test bench."""
    counts, files = collections.Counter(), sorted(folder.glob("*.dat"))
    if not files:
        fail(f"there is no *.dat in '{folder}': run programs on rtl with DAEDALUS_RTL_COVERAGE={folder}")
    for path in files:
        for line in path.read_text(errors="replace").splitlines():
            found = re.match(r"C '(.*)' (-?\d+)$", line)
            if not found:
                continue
            if point := point_of(fields(found[1])):
                counts[point] += int(found[2])
    return counts


def point_of(fields):
    """A point of the RTL; or a bin, whose module is its stage and which has no line, for its name is enough."""
    kind, module = fields["page"].split("/", 1)
    if "/hw/rtl/" in fields["f"]:
        return Point(module.split("__")[0], KINDS[kind], int(fields["l"]), int(fields["n"]), fields["o"])
    if found := re.fullmatch(r"(\w+)_q\.(\w+)(?:\.(\w+))?", fields["o"] if module == "stage_bins" else ""):
        return Point(found[1], "bins", 0, 0, ".".join(filter(None, found.groups()[1:])))
    return None


def tally(counts, columns, column_of):
    """{module or stage: {column: [covered, all]}} of the points that have one of the columns."""
    table = collections.defaultdict(lambda: {column: [0, 0] for column in columns})
    for point, count in counts.items():
        if (column := column_of(point)) in columns:
            table[point.module][column][0] += count > 0
            table[point.module][column][1] += 1
    return table


def markdown(table, first, columns):
    """A row for each name of {name: {key: [covered, all]}}; `columns` are the keys and their titles."""
    total = {key: [sum(row[key][i] for row in table.values()) for i in (0, 1)] for key in columns}
    rows = [f"| {first} | {' | '.join(columns.values())} |", "|---" * (1 + len(columns)) + "|"]
    for name, row in [*sorted(table.items()), ("all", total)]:
        cells = [f"{covered:,} of {all_:,}" if all_ else "" for covered, all_ in (row[key] for key in columns)]
        rows.append(f"| {'all' if name == 'all' else f'`{name}`'} | " + " | ".join(cells) + " |")
    return "\n".join(rows) + "\n"


def tables(modules, stages):
    return markdown(modules, "module", COLUMNS) + "\n" + markdown(stages, "forms in the stage that", EVENTS)


def rows_of(name, delimiter):
    with open(HERE / name, newline="") as file:
        return list(csv.DictReader((line for line in file if not line.startswith("#")), delimiter=delimiter))


def names(row, key):
    """Whether a row of unreached.tsv names a point; of bins it has regular expressions of stages and of what happens there."""
    module, kind, line, what = key
    if row["kind"] != kind:
        return False
    if kind == "bins":
        return bool(re.fullmatch(row["module"], module) and re.fullmatch(row["what"], what))
    return (row["module"], int(row["line"]), row["what"]) == (module, line, what)


def place(key):
    module, kind, line, _ = key
    return f"stage {module}" if kind == "bins" else f"{module}.sv:{line}"


def complaints(counts, modules):
    """What is not as unreached.tsv and gates.csv say, a sentence each."""
    unreached = rows_of("unreached.tsv", "\t")
    gates = {row["module"]: float(row["bits"]) for row in rows_of("gates.csv", ",")}
    seen = collections.Counter()
    for point, count in counts.items():
        if point.kind != "bits":
            seen[point.module, point.kind, point.line, point.what] += count
    for row in unreached:
        if not any(names(row, key) for key in seen):
            yield f"unreached.tsv: {row['module']}: '{row['what']}' names nothing; remove the row"
    in_reset = []  # of each bin that a RESET can meet, whether it has
    for key, count in sorted(seen.items()):
        if any(names(row, key) for row in unreached):
            if count:
                yield f"{place(key)}: programs reach '{key[3]}', which unreached.tsv lists"
        elif key[1] == "bins" and "_in_reset" in key[3]:
            in_reset.append(count > 0)
        elif count == 0:
            yield f"{place(key)}: no program reaches '{key[3]}' ({key[1]})"
    if 100 * sum(in_reset) < gates["RESET"] * len(in_reset):
        yield f"a RESET met {sum(in_reset)} of {len(in_reset)} forms in their stages; expected at least {gates['RESET']}%"
    for module, row in sorted(modules.items()):
        covered, all_ = row["bits"]
        least = gates.get(module, gates["others"])
        if all_ and 100 * covered < least * all_:
            yield f"{module}: {100 * covered / all_:.1f}% of its bits changed; expected at least {least}%"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--write", action="store_true", help="writes the tables into docs/verification.md")
    parser.add_argument("--check", action="store_true", help="fails where something is covered less than it has to be")
    options = parser.parse_args()
    counts = read(options.folder)
    modules = tally(counts, COLUMNS, lambda point: point.kind)
    text = tables(modules, tally(counts, EVENTS, lambda point: point.what.split(".")[0] if point.kind == "bins" else None))
    print(text)
    if options.write:
        PAGE.write_text(page_with(PAGE.read_text(), BEGIN, f"\n{text}\n", PAGE))
    wrong = list(complaints(counts, modules)) if options.check else []
    print("\n".join(wrong))
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
