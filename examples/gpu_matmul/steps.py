#!/usr/bin/env python3
"""What each step's code does, counted by emulation, as the table of README.md; no GPU is needed.

    steps.py DAEDALUS_BENCH
"""
import json
import pathlib
import subprocess
import sys

FOLDER = pathlib.Path(__file__).parent


def counts(bench, schedule):
    """Of the one launch that the product is."""
    command = [bench, "gpu", str(FOLDER / "matmul.mlir"), "--schedule", str(schedule), "--json"]
    (launch,) = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return launch


def row(bench, schedule):
    launch = counts(bench, schedule)
    numbers = [launch[key] for key in ("instructions", "global_bytes_loaded", "global_sectors", "shared_accesses",
                                       "bank_conflicts", "tensor_instructions")]
    return f"| `{schedule.name}` | " + " | ".join(f"{number:,}" for number in numbers) + " |"


print("| schedule | instructions of threads | bytes loaded | sectors | shared accesses | bank conflicts | of tensor cores |")
print("|---|---|---|---|---|---|---|")
for step in sorted(FOLDER.glob("[1-9]_*.mlir")):
    print(row(sys.argv[1], step))
