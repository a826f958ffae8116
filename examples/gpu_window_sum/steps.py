#!/usr/bin/env python3
"""What each step's code does, counted by emulation, as the table of README.md; no GPU is needed.

    steps.py DAEDALUS_BENCH
"""
import json
import pathlib
import subprocess
import sys

FOLDER = pathlib.Path(__file__).parent
KEYS = "instructions", "global_bytes_loaded", "global_bytes_stored", "global_sectors", "shared_accesses", "bank_conflicts"


def row(bench, schedule):
    """Of the one launch that the sums are."""
    command = [bench, "gpu", str(FOLDER / "window_sum.mlir"), "--schedule", str(schedule), "--json"]
    (launch,) = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return f"| `{schedule.name}` | " + " | ".join(f"{launch[key]:,}" for key in KEYS) + " |"


print("| schedule | instructions of threads | bytes loaded | bytes stored | sectors | shared accesses | bank conflicts |")
print("|---|---|---|---|---|---|---|")
for step in sorted(FOLDER.glob("[1-9]_*.mlir")):
    print(row(sys.argv[1], step))
