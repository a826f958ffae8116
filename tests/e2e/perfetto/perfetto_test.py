#!/usr/bin/env python3
"""Traces of ResNet-50 and of digits, read by Perfetto's own description of its format: PyPI's perfetto, installed at the first
use into build/perfetto.

    perfetto_test.py --daedalus DAEDALUS"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))

import virtual_environment  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--daedalus", type=virtual_environment.tool, default=ROOT / "build/release/bin/daedalus")
    options = parser.parse_args()
    virtual_environment.enter(ROOT / "build/perfetto/venv", HERE / "requirements.txt")
    for model in (ROOT / "examples/digits/digits.onnx", ROOT / "build/release/models/networks/resnet50.onnx"):
        with tempfile.TemporaryDirectory() as folder:
            trace = pathlib.Path(folder) / "trace.pftrace"
            subprocess.run([options.daedalus, "profile", model, "--trace", trace], stdout=subprocess.DEVNULL, check=True)
            print(f"{model.stem}: {trace.stat().st_size} bytes, ", end="", flush=True)
            subprocess.run([sys.executable, ROOT / "tests/e2e/trace_checks.py", "--perfetto", trace], check=True)


main()
