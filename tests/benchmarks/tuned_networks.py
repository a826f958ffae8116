#!/usr/bin/env python3
"""What daedalus tune gains on whole networks: a table of cycles by the planner's plan and by the tuned one, beside the bound.
Exit status 1 where a tuned plan is not faster and more than 1% above the bound.

    tuned_networks.py DAEDALUS FOLDER [MODEL...] [--machines vta tiny] [--trials N]

FOLDER has MODEL.onnx (mobilenet_v2, densenet121 and resnet18, unless models are given).
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

parser = argparse.ArgumentParser(usage=__doc__)
parser.add_argument("daedalus")
parser.add_argument("folder", type=pathlib.Path)
parser.add_argument("models", nargs="*", default=["mobilenet_v2", "densenet121", "resnet18"])
parser.add_argument("--machines", nargs="+", default=["vta", "tiny"])
parser.add_argument("--trials", type=int, default=300)
options = parser.parse_args()

print("| network | machine | planner, cycles | tuned | fewer | bound | above it | trials | seconds |\n|---|---|---|---|---|---|---|---|---|")
worse = False
for model in options.models:
    for machine in options.machines:
        with tempfile.TemporaryDirectory() as folder:
            begin = time.monotonic()
            done = subprocess.run([options.daedalus, "tune", options.folder / f"{model}.onnx", "--machine", machine, "--db",
                                   pathlib.Path(folder) / "plans.db", "--trials", str(options.trials), "--only", "plans", "--json"],
                                  capture_output=True, text=True)
            if done.returncode:
                sys.exit(f"{model} on {machine}: {done.stderr.strip()}")
            seconds, row = time.monotonic() - begin, json.loads(done.stdout)["plans"]
        planned, tuned, bound = (row[f"{key}_cycles"] for key in ("planned", "tuned", "bound"))
        worse = worse or (tuned >= planned and tuned > 1.01 * bound)
        print(f"| {model} | {machine} | {planned:,} | {tuned:,} | {1 - tuned / planned:.2%} | {bound:,} | "
              f"{tuned / bound - 1:.1%} | {row['trials']} | {seconds:.0f} |", flush=True)
sys.exit(worse)
