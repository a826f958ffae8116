#!/usr/bin/env python3
"""Tensors without elements, by construction: every operator with extents of 0 (emptied.py), in float and between casts of
int8, compiled for the accelerator and for the CPU, directly and by way of the text of every level, and run.

    no_elements_test.py DAEDALUS ONNX_BATCH [--judge] [--all] [--share N] [--only NAME] [--keep DIR] [--refused]

Each model is computed or refused with one sentence; a signal, a message with words of the compiler's own inside, other bytes
on another target or another package by way of a level are failures. With --judge PyPI's onnx, which is installed into
build/newest_onnx at the first run, says what the values are, and whether ONNX takes what is refused; REASONS are where the
two differ. --all takes every model of ONNX's own tests, not two an operator (the one of most inputs and
attributes and the one of fewest); --share N every Nth mutant alone."""
import argparse
import collections
import concurrent.futures
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import zlib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path[1:1] = [str(ROOT / "tests" / folder) for folder in ("support", "onnx_mutants", "e2e/bad_nodes")]

if "--judge" in sys.argv:
    import virtual_environment
    virtual_environment.enter(ROOT / "build/newest_onnx/venv", ROOT / "tests/e2e/newest_onnx/requirements.txt")

import numpy as np
import onnx
from onnx import TensorProto, helper, shape_inference

from bases import bases, operators
from emptied import emptied, open_inputs, shape_of
from judge import judge
from models import fit
from sentences import INTERNAL

# Operators (none: all), the verdict and what is said; and why the two differ.
REASONS = [
    ({"GlobalAveragePool", "LayerNormalization", "NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss", "ReduceMean"},
     "taken: .*(holds no element|expected one with elements)", "the mean of nothing, of which the evaluator makes a NaN"),
    ({"GridSample"}, "taken: .*holds no element", "samples of an image without pixels, which the evaluator takes for padding"),
    ({"BatchNormalization"}, "taken: .*holds no element", "the statistics of nothing, of which the evaluator makes a NaN"),
    ({"CastLike"}, "other values: .*other integers", "a float32 out of the integer's range, for which ONNX defines no value"),
    ((), "evaluator rejects: .*from domain 'com.microsoft' is unknown", "operators that ONNX does not define"),
    ({"GRU", "LSTM", "RNN"}, "evaluator rejects: .*at least one array", "a sequence of no steps leaves the first state"),
    ({"ReduceLogSum", "ReduceLogSumExp", "ReduceMax", "ReduceMin"}, "other values: .*other integers$",
     "an infinity that is quantized saturates; the evaluator casts it to int32 and then adds the zero point"),
    ({"SoftmaxCrossEntropyLoss"}, "evaluator rejects: .*cannot reshape array of size 0", "the sum of no losses is 0"),
    ({"LSTM"}, "other values", "the evaluator takes no notice of the lengths of sequences"),
    ({"AveragePool", "Conv", "ConvInteger", "LpPool", "MaxPool", "QLinearConv"}, "taken: .*its window covers",
     "a window that no place of its padded image has room for"),
    ((), r"taken: .*(has|have) (shape \[[\d,]*\]( for [^;]*)?|\d+ scales [^;]*); expected",
     "shapes that do not fit, which the evaluator does not compare"),
    ((), r"taken: .*holds? -?\d+.*; expected", "indices and lengths out of range, of which the evaluator makes what it can"),
    ({"Resize"}, r"taken: .*gives dimension \d+ of size \d+ the size 0", "a scale of 0, which ONNX does not allow"),
    ({"GatherND", "ScatterND"}, "taken: .*name 0 dimensions", "tuples of no index, which name everything"),
    ({"Attention"}, "taken: .*attends from queries", "batches that do not fit, which the evaluator broadcasts"),
    ({"Attention"}, "taken: .*holds no element", "heads of no size, whose scale is 1 / 0 where none is given"),
    ({"AffineGrid"}, "taken: .*makes a grid of size", "a size of other batches, which the evaluator does not compare"),
    ((), "taken: .*nothing says the shape of output", "a shape that comes at run time has to be declared"),
    ((), "taken: .*has type float64; expected float32", "operators that are in float32 alone"),
    ((), "taken: .*attribute 'hidden_size' has value", "a size that an attribute says too"),
]


def dtype_of(kind):
    return np.dtype(helper.mapping.TENSOR_TYPE_TO_NP_TYPE[kind] if hasattr(helper, "mapping")
                    else helper.tensor_dtype_to_np_dtype(kind))


def arrays(model, values, seed):
    """The test's own inputs where they still fit; none where one is of a type that .npy files do not have."""
    numbers, found = np.random.default_rng(seed), []
    for value in open_inputs(model):
        kind = value.type.tensor_type.elem_type
        if kind in (TensorProto.STRING, TensorProto.BFLOAT16, TensorProto.UNDEFINED):
            return []
        found.append(fit(values.get(value.name), dtype_of(kind), shape_of(value), numbers))
    return found


class Tool:
    """A process of onnx_batch, which takes one model after the other."""

    def __init__(self, command, scratch):
        self.process = subprocess.Popen([command, "--levels"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        bufsize=1)
        self.folder = pathlib.Path(scratch)

    def take(self, model, values, seed):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        (self.folder / "model.onnx").write_bytes(model.SerializeToString())
        for at, array in enumerate(arrays(model, values, seed)):
            np.save(self.folder / f"in_{at}.npy", array)
        self.process.stdin.write(f"{self.folder}\n")
        outcome = self.process.stdout.readline().rstrip("\n").split("\t")[1]
        return outcome, (self.folder / "message.txt").read_text(errors="replace")


def judged(folder, outcome):
    """What ONNX says of the model with the shapes that it infers, or else those that came out: its checker demands some."""
    path = folder / "model.onnx"
    try:
        model = shape_inference.infer_shapes(onnx.load(path))
    except Exception as error:  # of several kinds, all of them a refusal
        return "checker rejects", str(error)[:400].replace("\n", " ")
    for at, value in enumerate(model.graph.output):
        given = folder / f"out_{at}.npy"
        if not value.type.tensor_type.HasField("shape") and given.exists():
            for size in np.load(given).shape:
                value.type.tensor_type.shape.dim.add().dim_value = size
            value.type.tensor_type.shape.SetInParent()
    path.write_bytes(model.SerializeToString())
    return judge(folder, outcome)


def has_no_elements(folder):
    """Whether no output has one, so that there is no value for the evaluator to judge: it often cannot compute them."""
    outputs = list(folder.glob("out_*.npy"))
    return bool(outputs) and all(np.load(path).size == 0 for path in outputs)


def stated(operator, verdict, detail):
    return any((not of or operator in of) and re.search(pattern, f"{verdict}: {detail}") for of, pattern, _ in REASONS)


class Report:
    def __init__(self, options):
        self.options, self.lock = options, threading.Lock()
        self.counts, self.failures = collections.Counter(), []

    def fail(self, base, what, tool, text):
        self.failures.append(f"{base.operator}: {base.name}: {what}: {text}")
        print(self.failures[-1], flush=True)
        if self.options.keep:
            shutil.copytree(tool.folder, self.options.keep / f"{len(self.failures)}-{base.operator}", dirs_exist_ok=True)

    def take(self, base, what, tool, outcome, message):
        verdict, detail = judged(tool.folder, outcome) if self.options.judge else ("not judged", "")
        with self.lock:
            self.counts[outcome] += 1
            if outcome not in ("ok", "refused", "stopped"):
                return self.fail(base, what, tool, f"{outcome} {message[-300:]}")
            if INTERNAL.search(message) or "\n" in message.strip() or (outcome != "ok" and not message):
                return self.fail(base, what, tool, f"message: {message[:300]}")
            if outcome == "refused" and verdict != "taken":
                return self.counts.update(["refused, and ONNX does not take it" if self.options.judge else "not judged"])
            if verdict in ("evaluator rejects", "checker rejects") and has_no_elements(tool.folder):
                verdict = "agrees, for there is no element"
            self.counts[verdict] += 1
            if not verdict.startswith(("agrees", "not judged", "stated")) and not stated(base.operator, verdict, detail or message):
                self.fail(base, what, tool, f"{verdict}: {detail or message}")


def run(tool, all_of_it, report, options):
    for base in all_of_it:
        for what, model in emptied(base):
            seed = zlib.crc32(f"{base.name} {what}".encode())
            if seed % options.share == 0:
                report.take(base, what, tool, *tool.take(model, base.values, seed))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("daedalus", type=pathlib.Path)
    parser.add_argument("batch", type=pathlib.Path)
    parser.add_argument("--judge", action="store_true", help="compare with ONNX's reference evaluator")
    parser.add_argument("--all", action="store_true", help="every model of ONNX's tests, not two an operator")
    parser.add_argument("--share", type=int, default=1, help="every Nth mutant alone")
    parser.add_argument("--only", default="", help="operators whose names contain this alone")
    parser.add_argument("--keep", type=pathlib.Path, help="where failing models are left")
    options = parser.parse_args()
    chosen = [own for own in bases(operators(options.daedalus), True)
              if own and options.only in own[0].operator]
    report = Report(options)
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(2) as pool:
        tools = [Tool(options.batch, f"{scratch}/{i}") for i in range(2)]
        some = [own if options.all or len(own) == 1 else [own[0], own[-1]] for own in chosen]
        done = [pool.submit(run, tool, [base for own in some[at::2] for base in own], report, options)
                for at, tool in enumerate(tools)]
        for one in done:
            one.result()
        for tool in tools:
            tool.process.stdin.close()
            tool.process.wait()
    for name, count in sorted(report.counts.items()):
        print(f"{count:6} {name}")
    print(f"{len(report.failures):6} failures")
    sys.exit(bool(report.failures))


if __name__ == "__main__":
    main()
