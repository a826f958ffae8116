#!/usr/bin/env python3
"""table.py [--check]: the tables of docs/hardware.md about osu018 cells, from results.json; with --check, the exit status is
1 where they differ."""
import argparse
import json
import pathlib
import sys

import timing

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "flow"))
import tools  # noqa: E402

RESULTS = pathlib.Path(__file__).resolve().parent / "results.json"
BEGIN = "<!-- by hw/asic/table.py -->\n"
TOLERANCE = 0.02  # the order of cells in a file moves ABC's results a little


def row_line(row):
    path = [f"{row['path'][0]:.2f}", f"`{row['path'][1]}`", f"`{row['path'][2]}`"] if row["path"] else ["", "", ""]
    cells = [f"`{row['module']}`", str(row["instances"]), f"{row['cells']:,}", f"{row['um2']:,}", *path]
    return f"| {' | '.join(cells)} |"


def modules(result):
    return ["| module | instances | cells of one | um2 of one | ns | from | to |", "|---|---|---|---|---|---|---|",
            *map(row_line, result["rows"]), ""]


def of_machine(machine, result):
    """The tables of a machine."""
    if not result["paths"]:
        return [f"`{machine}`, before routing; wires are not counted, memories neither by area nor by time. Only the modules "
                "with a path were timed, and not the whole.", "", *modules(result)]
    slowest = result["paths"][0][0]
    return [f"`{machine}`, before routing: {1000 / slowest:.0f} MHz, from its longest path of {slowest:.2f} ns; wires are not "
            "counted, memories neither by area nor by time.", "", *modules(result),
            "The longest paths of the whole:", "", "| ns | from | to |", "|---|---|---|",
            *(f"| {ns:.2f} | `{start}` | `{end}` |" for ns, start, end in result["paths"]), ""]


def differences(result, before):
    """Sentences about modules whose area or longest path is more than TOLERANCE away from what it was."""
    sentences = []
    rows = [{row["module"]: row for row in of["rows"]} for of in (result, before)]
    for module in sorted({*rows[0], *rows[1]}):
        now, then = (of.get(module, {"um2": 0, "path": None}) for of in rows)
        for what, new, old in (("um2", now["um2"], then["um2"]), ("ns", *(of["path"][0] if of["path"] else 0 for of in (now, then)))):
            if abs(new - old) > TOLERANCE * old:
                sentences.append(f"{module}: {new:,} {what}, {RESULTS.name} has {old:,}")
    return sentences


def stored():
    return json.loads(RESULTS.read_text()) if RESULTS.exists() else {"results": {}}


def page_with(text, results):
    lines = [f"Mapped by yosys {results['yosys']}, timed by OpenSTA {results['opensta']}.", ""] if results["results"] else []
    for machine, result in results["results"].items():
        lines += of_machine(machine, result)
    return tools.page_with(text, BEGIN, "\n".join(["", *lines]) + "\n")


def store(machine, result):
    """Adds the result to results.json, or replaces it there, and writes the page."""
    results = {"yosys": tools.yosys_version(), "opensta": timing.version(),
               "results": {**stored()["results"], machine: result}}
    RESULTS.write_text(json.dumps(results, indent=1, sort_keys=True) + "\n")
    tools.PAGE.write_text(page_with(tools.PAGE.read_text(), stored()))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    text = tools.PAGE.read_text()
    wanted = page_with(text, stored())
    if not options.check:
        tools.PAGE.write_text(wanted)
    elif wanted != text:
        tools.fail(f"the tables of {tools.PAGE} are not those of {RESULTS}; run hw/asic/table.py")


if __name__ == "__main__":
    main()
