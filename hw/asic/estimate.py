#!/usr/bin/env python3
"""estimate.py BUILD: the accelerator of machines in a 180 nm process, before routing: yosys maps it to the cells of
Debian's qflow-tech-osu018, every module of the RTL once, and OpenSTA times them. Prints area and cells by module with
the longest path of each module alone, and the longest paths of the whole accelerator, by the names of their registers in
the RTL. BUILD is a build folder, which has the machines' SystemVerilog; what the tools write lies in BUILD/asic.

Wires are not counted, and there is no clock tree. Memories are macros (hw/asic/macros.py): their area is not counted,
and neither is the time that they take.

With --write, the results are stored in results.json beside this script and in the tables of docs/hardware.md; with
--check, the exit status is 1 where an area or a longest path is more than 2 percent away from what is stored there."""
import argparse
import json
import pathlib
import sys

import netlist
import table
import timing

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "flow"))
from tools import fail, file_name  # noqa: E402

PATHS = 5


def estimate(build, machine):
    """The result of a machine, as results.json has it."""
    folder = build / "asic" / file_name(machine)
    modules = netlist.synthesize(build, machine, folder)
    rows = netlist.rows(modules, netlist.areas())
    paths = timing.longest(folder, {row["module"]: row["netlist"] for row in rows}, PATHS)
    for row in rows:
        row["path"] = next(iter(paths[row["module"]]), None)
        del row["netlist"]
    return {"rows": rows, "paths": paths[rows[0]["module"]]}


def options_of(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=lambda path: pathlib.Path(path).absolute())
    parser.add_argument("machines", nargs="*", default=["tiny"], help="machines, or ones with other values: tiny,inp_interleave=1 (tiny)")
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--write", action="store_true", help="stores the results and writes the tables")
    group.add_argument("--check", action="store_true", help="fails where a result differs from the stored one")
    return parser.parse_args(arguments)


def main():
    options = options_of(sys.argv[1:])
    stored = table.stored()
    differ = []
    for machine in options.machines:
        netlist.sources_of(options.build, machine)  # all of them, before the first one
    for machine in options.machines:
        result = json.loads(json.dumps(estimate(options.build, machine)))  # tuples become lists, as they are stored
        print("\n".join(table.of_machine(machine, result)), flush=True)
        if options.write:
            table.store(machine, result)
        elif options.check:
            before = stored["results"].get(machine, {"rows": []})
            differ += [f"{machine}: {sentence}" for sentence in table.differences(result, before)]
    if differ:
        fail("\n".join([*differ, "run hw/asic/estimate.py with --write"]))


if __name__ == "__main__":
    main()
