#!/usr/bin/env python3
"""below.py RESULTS [--under 80] [--daedalus build/release/bin/daedalus]: of what `exported.py --json RESULTS` measured, the networks
whose cycles are under a share of their bound, exporter `dynamo` or `PyPI`, quantizer `qdq`: what `daedalus profile` says of each, as
the table "Exported networks under 80% of their bound" of docs/performance.md has it. Their models are those that exported.py made."""
import argparse
import json
import pathlib
import subprocess
import sys

from exported import BUILD, ROOT
from report import MACHINE, percent, table

HEAD = ["model", "cycles", "of products' bound", "of the second bound", "GEMM works", "waits for LOAD", "waits for VECTOR", "idle",
        "VECTOR works"]


def options_of(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("--under", type=float, default=80, help="percent of the bound (80)")
    parser.add_argument("--daedalus", type=pathlib.Path, default=ROOT / "build/release/bin/daedalus")
    return parser.parse_args(arguments)


def is_below(row, share):
    return (row["exporter"] in ("dynamo", "PyPI") and row["quantizer"] == "qdq" and row.get("cycles")
            and row["bound"] < share * row["cycles"])


def line(row, daedalus):
    model = BUILD / "models" / row["architecture"] / row["exporter"] / row["quantizer"] / "model.onnx"
    done = subprocess.run([daedalus, "profile", model, "--machine", MACHINE, "--json"], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"below.py: {done.stderr.strip()}")
    profile = json.loads(done.stdout)
    gemm, vector = profile["modules"]["gemm"], profile["modules"]["vector"]
    cycles = [*(gemm.get(spent, 0) for spent in ("busy", "wait_load", "wait_vector", "idle")), vector["busy"]]
    return [row["architecture"], f"{profile['cycles']:,}", percent(row["bound"] / profile["cycles"]),
            percent(profile["bound_cycles"] / profile["cycles"]), *(f"{count:,}" for count in cycles)]


def main():
    options = options_of(sys.argv[1:])
    try:
        rows = json.loads(options.results.read_text())
    except (OSError, ValueError) as error:
        sys.exit(f"below.py: error: {options.results}: {error}; expected what exported.py --json writes")
    print(table(HEAD, [line(row, options.daedalus) for row in rows if is_below(row, options.under / 100)]))


if __name__ == "__main__":
    main()
