#!/usr/bin/env python3
"""How many times as fast as plain commands a sweep is, in one run: daedalus explore on all cores, a loop of daedalus run,
and two such loops side by side, on the same random machines.

    sweep_speed.py SPACE.yaml MODEL DAEDALUS [--machines N]
"""
import argparse
import concurrent.futures
import csv
import pathlib
import subprocess
import tempfile
import time

parser = argparse.ArgumentParser(usage=__doc__)
parser.add_argument("space")
parser.add_argument("model")
parser.add_argument("daedalus")
parser.add_argument("--machines", type=int, default=40)
options = parser.parse_args()


def plain(machine):
    subprocess.run([options.daedalus, "run", options.model, "--machine", machine, "--timing-only"], check=True,
                   capture_output=True)


def loops(machines, count):
    begin = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        list(pool.map(plain, machines))
    return time.monotonic() - begin


with tempfile.TemporaryDirectory() as folder:
    table = pathlib.Path(folder) / "sweep.csv"
    begin = time.monotonic()
    subprocess.run([options.daedalus, "explore", options.space, options.model, "--db", str(table.with_suffix(".db")), "--csv",
                    str(table), "--sample", str(options.machines)], check=True, capture_output=True)
    swept = time.monotonic() - begin
    machines = [row["machine"] for row in csv.DictReader(table.open())]
serial, parallel = loops(machines, 1), loops(machines, 2)
print(f"{len(machines)} machines of {options.model}: explore {swept:.1f} s, {len(machines) / swept:.2f} a second; "
      f"one loop of daedalus run {serial:.1f} s, {serial / swept:.1f} times as long; "
      f"two loops {parallel:.1f} s, {parallel / swept:.1f} times as long")
