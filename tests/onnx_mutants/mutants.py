#!/usr/bin/env python3
"""Mutants of ONNX models through the compiler and the functional engine.

    mutants.py TOOL --from node --count 5000 --seed 1 [--keep DIR]

TOOL is build/release/bin/onnx_batch. Every mutant has to be refused with one sentence, or stop its run with one,
or be computed; a signal, a timeout, or a message with words of the compiler's own inside is a failure, and its
model goes to --keep. With PyPI's onnx (1.16 or newer; Debian's 1.12 has no reference evaluator) what is taken is
also judged: the full checker with strict shape inference and the reference evaluator have to take it too, but
for REASONS, and its values have to be the evaluator's."""
import argparse
import collections
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

import numpy as np
import onnx
from onnx import helper

sys.path.insert(1, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from judge import judge
from models import bases, fit
from mutate import mutate
from sentences import INTERNAL


def write(folder, model, base, seed):
    """model.onnx and inputs; whether inputs could be made."""
    folder.mkdir()
    (folder / "model.onnx").write_bytes(model.SerializeToString())
    numbers = np.random.default_rng(seed)
    constants = {t.name for t in model.graph.initializer}
    at, given = 0, dict(zip((value.name for value in base.model.graph.input), base.inputs))
    for value in model.graph.input:
        if value.name in constants:
            continue
        kind = value.type.tensor_type
        try:
            dtype = np.dtype(helper.mapping.TENSOR_TYPE_TO_NP_TYPE[kind.elem_type] if hasattr(helper, "mapping")
                             else helper.tensor_dtype_to_np_dtype(kind.elem_type))
            shape = [d.dim_value if d.HasField("dim_value") else 1 for d in kind.shape.dim]
            if dtype == object or any(d < 0 for d in shape) or np.prod(shape, dtype=float) > 1e7:
                return
            np.save(folder / f"in_{at}.npy", fit(given.get(value.name), dtype, shape, numbers))
        except (KeyError, TypeError, ValueError, AttributeError):
            return
        at += 1


class Report:
    def __init__(self, keep, shows_refused):
        self.keep, self.shows_refused = keep, shows_refused
        self.counts, self.failures = collections.Counter(), collections.Counter()

    def fail(self, kind, folder, detail):
        self.failures[kind] += 1
        print(f"{kind}: {folder.name} {json.loads((folder / 'what.json').read_text())}: {detail}", flush=True)
        if self.keep:
            shutil.copytree(folder, self.keep / f"{kind.replace(' ', '-')}-{folder.name}", dirs_exist_ok=True)

    def take(self, folder, outcome):
        message = (folder / "message.txt").read_text(errors="replace")
        self.counts[outcome] += 1
        if outcome not in ("ok", "refused", "stopped"):
            self.fail("crash", folder, f"{outcome} {message[-300:]}")
        elif INTERNAL.search(message) or "\n" in message.strip() or (outcome != "ok" and not message):
            self.fail("message", folder, message[:300])
        elif outcome in ("ok", "stopped"):
            self.judge(folder, outcome)
        elif self.shows_refused and judge(folder, outcome)[0] == "taken":
            print(f"refused: {folder.name} {json.loads((folder / 'what.json').read_text())}: {message}", flush=True)

    def judge(self, folder, outcome):
        verdict, detail = judge(folder, outcome)
        self.counts[f"judged: {verdict}"] += 1
        if not verdict.startswith(("agrees", "not judged", "stated")):
            self.fail(verdict, folder, detail)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool", type=pathlib.Path)
    parser.add_argument("--from", dest="kind", choices=["node", "networks"], default="node")
    parser.add_argument("--count", type=int, default=5000)
    parser.add_argument("--first", type=int, default=0, help="number of the first mutant")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="only models whose name contains this")
    parser.add_argument("--keep", type=pathlib.Path, help="where failing mutants are left")
    parser.add_argument("--refused", action="store_true", help="print what is refused though ONNX takes it")
    options = parser.parse_args()
    models = [b for b in bases(options.kind) if options.only in b.name]
    print(f"{len(models)} models, seed {options.seed}, onnx {onnx.__version__}", flush=True)
    tool = subprocess.Popen([options.tool], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
    report = Report(options.keep, options.refused)
    with tempfile.TemporaryDirectory() as scratch:
        for number in range(options.first, options.first + options.count):
            base = models[number % len(models)]
            seed = f"{options.seed} {options.kind} {number}"
            mutant, changes = mutate(base.model, base.inputs, random.Random(seed))
            folder = pathlib.Path(scratch) / str(number)
            write(folder, mutant, base, number)
            (folder / "what.json").write_text(json.dumps([base.name, *changes]))
            tool.stdin.write(f"{folder}\n")
            report.take(folder, tool.stdout.readline().rstrip("\n").split("\t")[1])
            shutil.rmtree(folder)
    tool.stdin.close()
    for name, count in [*sorted(report.counts.items()), *sorted(report.failures.items())]:
        print(f"{count:6} {name}")
    sys.exit(bool(report.failures))


if __name__ == "__main__":
    main()
