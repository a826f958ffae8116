#!/usr/bin/env python3
"""report.py FOLDER [--write | --check]: what programs have covered of the RTL, by module: lines, branches, and bits that
have changed. FOLDER has the files that runs on `rtl` left there with DAEDALUS_RTL_COVERAGE=FOLDER. A module that stands
in the design with several parameters, or several times, is one: its points are covered where any of them covers them.

unreached.tsv beside this script names the lines and branches that nothing reaches, each with the reason. With --check,
the exit status is 1 where another one is not covered, where one of these is, or where a module has fewer bits that
changed than gates.csv asks for. With --write, the table of docs/verification.md is written."""
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
            point = fields(found[1])
            if "/hw/rtl/" not in point["f"]:
                continue
            kind, module = point["page"].split("/", 1)
            counts[Point(module.split("__")[0], KINDS[kind], int(point["l"]), int(point["n"]), point["o"])] += int(found[2])
    return counts


def by_module(counts):
    """{module: {kind: [covered, all]}}"""
    table = collections.defaultdict(lambda: {kind: [0, 0] for kind in KINDS.values()})
    for point, count in counts.items():
        table[point.module][point.kind][0] += count > 0
        table[point.module][point.kind][1] += 1
    return table


def markdown(table):
    total = {kind: [sum(row[kind][i] for row in table.values()) for i in (0, 1)] for kind in KINDS.values()}
    rows = ["| module | lines | branches | bits that changed |", "|---|---|---|---|"]
    for module, row in [*sorted(table.items()), ("all", total)]:
        cells = [f"{covered:,} of {all_:,}" if all_ else "" for covered, all_ in (row[kind] for kind in KINDS.values())]
        rows.append(f"| {'all' if module == 'all' else f'`{module}`'} | " + " | ".join(cells) + " |")
    return "\n".join(rows) + "\n"


def rows_of(name, delimiter):
    with open(HERE / name, newline="") as file:
        return list(csv.DictReader((line for line in file if not line.startswith("#")), delimiter=delimiter))


def complaints(counts, table):
    """What is not as unreached.tsv and gates.csv say, a sentence each."""
    unreached = {(row["module"], row["kind"], int(row["line"]), row["what"]) for row in rows_of("unreached.tsv", "\t")}
    seen = collections.Counter()
    for point, count in counts.items():
        if point.kind != "bits":
            seen[point.module, point.kind, point.line, point.what] += count
    for module, kind, line, what in sorted(key for key, count in seen.items() if count == 0 and key not in unreached):
        yield f"{module}.sv:{line}: no program reaches '{what}' ({kind})"
    for key in sorted(unreached):
        if seen[key]:
            yield f"{key[0]}.sv:{key[2]}: programs reach '{key[3]}', which unreached.tsv lists"
    gates = {row["module"]: float(row["bits"]) for row in rows_of("gates.csv", ",")}
    for module, row in sorted(table.items()):
        covered, all_ = row["bits"]
        least = gates.get(module, gates["others"])
        if all_ and 100 * covered < least * all_:
            yield f"{module}: {100 * covered / all_:.1f}% of its bits changed; expected at least {least}%"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--write", action="store_true", help="writes the table into docs/verification.md")
    parser.add_argument("--check", action="store_true", help="fails where something is covered less than it has to be")
    options = parser.parse_args()
    counts = read(options.folder)
    table = by_module(counts)
    text = markdown(table)
    print(text)
    if options.write:
        PAGE.write_text(page_with(PAGE.read_text(), BEGIN, f"\n{text}\n", PAGE))
    wrong = list(complaints(counts, table)) if options.check else []
    print("\n".join(wrong))
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
