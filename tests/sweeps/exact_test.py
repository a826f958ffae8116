#!/usr/bin/env python3
"""Points of a sweep, again by the plain commands: the same cycles, of a package that is compiled and run.

    exact_test.py SWEEP.csv DAEDALUS [--points N] [--rtl N] [--seed S]

SWEEP.csv is what daedalus explore --csv wrote. N random rows are compiled, and their packages run without results on
systemc; of --rtl rows those with the fewest cycles run on the hardware itself too.
"""
import argparse
import csv
import json
import pathlib
import random
import subprocess
import sys
import tempfile


def daedalus(*arguments):
    done = subprocess.run([options.daedalus, *arguments], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout


def cycles_of(row, engine):
    with tempfile.TemporaryDirectory() as folder:
        package = str(pathlib.Path(folder) / "point.dae")
        daedalus("compile", row["network"], "--machine", row["machine"], "-o", package)
        return json.loads(daedalus("run", package, "--json", "--engine", engine, "--timing-only"))["cycles"]


parser = argparse.ArgumentParser(usage=__doc__)
parser.add_argument("csv")
parser.add_argument("daedalus")
parser.add_argument("--points", type=int, default=50)
parser.add_argument("--rtl", type=int, default=0)
parser.add_argument("--seed", type=int, default=1)
options = parser.parse_args()

rows = [row for row in csv.DictReader(open(options.csv)) if row["cycles"]]
chosen = random.Random(options.seed).sample(rows, min(options.points, len(rows)))
small = sorted(chosen, key=lambda row: int(row["cycles"]))[:options.rtl]
found = []
for engine, points in ("systemc", chosen), ("rtl", small):
    for row in points:
        cycles = cycles_of(row, engine)
        if cycles != int(row["cycles"]):
            found.append(f"point {row['point']}, {row['network']} on {row['machine']}: {row['cycles']} cycles in the sweep, "
                         f"{cycles} on {engine}")
print("\n".join(found) or f"{len(chosen)} points take the same cycles by compile and run, {len(small)} of them on rtl too")
sys.exit(1 if found else 0)
