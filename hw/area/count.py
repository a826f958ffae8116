#!/usr/bin/env python3
"""count.py BUILD [MACHINE...]: counts with yosys the gates of machines (those of machines.txt by default) and writes
the table counts.csv beside this script: a line a machine, first its keys, then gates by module and the bits of RAM.
With --check, writes nothing and says where the table differs; BUILD is a build folder. A machine takes one to ten
minutes and up to 3 GB."""
import argparse
import csv
import multiprocessing.pool
import pathlib
import re
import sys

from synthesis import MODULES, synthesize  # finds hw/flow, too
from tools import package_of, yosys_version

HERE = pathlib.Path(__file__).resolve().parent
TABLE = HERE / "counts.csv"
KEYS = ["n", "bus_bytes", "inp_bytes", "inp_banks", "wgt_bytes", "acc_bytes", "acc_banks", "param_bytes", "lut_bytes",
        "out_bytes", "fetch_buffer", "queue_depth", "outstanding_reads", "outstanding_writes", "receive_beats"]
COLUMNS = ["machine", *KEYS, *MODULES, "ram_bits"]


def keys_of(package):
    """The machine's keys as its SystemVerilog package has them: `QueueDepth` is queue_depth."""
    parameters = re.findall(r"parameter int unsigned (\w+) = (\d+);", package.read_text())
    return {re.sub(r"(?<!^)([A-Z])", r"_\1", name).lower(): int(value) for name, value in parameters}


def count(build, machine, package):
    """The machine's line of the table."""
    gates, bits = synthesize(build / "isa/generated/sv/daedalus_isa_pkg.sv", package)
    keys = keys_of(package)
    return {"machine": machine, **{key: keys[key] for key in KEYS}, **gates, "ram_bits": bits}


def read_table():
    """{machine: line} of counts.csv."""
    with open(TABLE, newline="") as file:
        return {line["machine"]: {key: value if key == "machine" else int(value) for key, value in line.items()}
                for line in csv.DictReader(row for row in file if not row.startswith("#"))}


def write_table(lines):
    with open(TABLE, "w", newline="") as file:
        file.write(f"# By hw/area/count.py with yosys {yosys_version()}: gates of one NAND2 by module, and bits of RAM.\n")
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("machines", nargs="*")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--jobs", type=int, default=1, help="machines at a time")
    options = parser.parse_args()
    listed = [line for line in (HERE / "machines.txt").read_text().splitlines() if not line.startswith("#")]
    table = read_table() if TABLE.exists() else {}
    differ = []
    machines = [(machine, package_of(options.build, machine)) for machine in options.machines or listed]
    for line in multiprocessing.pool.ThreadPool(options.jobs).imap(lambda one: count(options.build, *one), machines):
        machine = line["machine"]
        differ += [f"{machine}: {key} is {line[key]}, {TABLE.name} has {table.get(machine, {}).get(key, 'nothing')}"
                   for key in COLUMNS if line[key] != table.get(machine, {}).get(key)]
        print(f"{machine}: {sum(line[module] for module in MODULES)} gates, {line['ram_bits']} bits", flush=True)
        if not options.check:
            table[machine] = line
            write_table([table[name] for name in listed if name in table])
    if options.check and differ:
        sys.exit("\n".join(differ) + "\nrun hw/area/count.py, then hw/area/fit.py")


if __name__ == "__main__":
    main()
