#!/usr/bin/env python3
"""Whole networks on the CPU target against ONNX Runtime, both in turns in one process.

    cpu_networks.py [NAME...] [--kinds float32 qdq ...] [--threads 1 2] [--repeats 5] [--models FOLDER]
                    [--environment FOLDER] [--daedalus build/release/bin/daedalus] [--json FILE]

Networks and their quantized forms are those of tests/e2e/exported/exported.py, in FOLDER/NAME/dynamo/model.onnx and
FOLDER/NAME/dynamo/KIND/model.onnx; ONNX Runtime is the one of its environment. Prints a table in Markdown: medians of
the milliseconds of a run on both sides, with the spread of the middle half, and the ratio, above 1 where ours is faster;
the largest difference of an output in parts of its range; seconds and peak memory of the compilation, and the peak
memory of a process of each side that does nothing but load and run. Exit status 1 where a network does not run or
differs."""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BUILD = ROOT / "build/exported"

sys.path.insert(0, str(ROOT / "tests/support"))
sys.path.insert(0, str(HERE))
import virtual_environment
from arguments import positive

NETWORKS = ["resnet18", "resnet50", "mobilenet_v2", "densenet121", "bert_layer"]
WRONG = {"float32": 1e-3}  # the largest difference in parts of the range; of quantized networks 0.25, for steps differ
HEADER = ["network", "type", "threads", "ours ms", "spread", "ONNX Runtime ms", "spread", "ratio", "difference", "compile s",
          "compile MB", "ours MB", "ONNX Runtime MB"]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=NETWORKS, metavar="NAME")
    parser.add_argument("--kinds", nargs="+", default=["float32", "qdq"], metavar="KIND",
                        help="float32, or a folder of quantized models: qdq, qdq_preprocessed, qdq_s8, qdq_u8")
    parser.add_argument("--threads", nargs="+", type=positive, default=[1, 2], metavar="N")
    parser.add_argument("--repeats", type=positive, default=5, help="batches of each side, of at least --seconds")
    parser.add_argument("--seconds", type=float, default=0.1)
    parser.add_argument("--models", type=pathlib.Path, default=BUILD / "models")
    parser.add_argument("--environment", type=pathlib.Path, default=BUILD / "venv")
    parser.add_argument("--daedalus", type=virtual_environment.tool, default=str(ROOT / "build/release/bin/daedalus"))
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--child", nargs=4, help=argparse.SUPPRESS)  # SIDE MODEL PACKAGE THREADS
    return parser.parse_args()


def model_of(options, name, kind):
    return options.models / name / "dynamo" / ("" if kind == "float32" else kind) / "model.onnx"


def compile_model(options, model, package):
    """Seconds and peak bytes of the compiler; its sentence where it refuses the model."""
    begin = time.perf_counter()
    with tempfile.TemporaryFile() as errors:
        child = subprocess.Popen([options.daedalus, "compile", model, "--target", "cpu", "-o", package],
                                 stdout=subprocess.DEVNULL, stderr=errors)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        lines = errors.read().decode(errors="replace").strip().splitlines()
    if child.returncode != 0:
        raise RuntimeError(lines[-1] if lines else f"the compiler ended with {child.returncode}")
    return {"compile_seconds": time.perf_counter() - begin, "compile_bytes": usage.ru_maxrss * 1024}


def in_child(options, side, model, package, threads):
    """What this script measures in a process of its own: `side` is ours, theirs, or both in turns."""
    done = subprocess.run([sys.executable, __file__, "--daedalus", options.daedalus, "--repeats", str(options.repeats),
                           "--seconds", str(options.seconds), "--environment", options.environment,
                           "--child", side, model, package, str(threads)],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode != 0:
        raise RuntimeError((done.stderr.decode(errors="replace").strip().splitlines() or ["it was ended"])[-1])
    return json.loads(done.stdout)


def row_of(options, name, kind, package, compiled, threads):
    model = model_of(options, name, kind)
    row = {"name": name, "dtype": kind, "threads": threads, "peer": "onnxruntime", **compiled}
    row.update(in_child(options, "both", model, package, threads))
    row["ratio"] = row["peer_seconds"] / row["seconds"]
    for side, key in (("ours", "run_bytes"), ("theirs", "peer_run_bytes")):
        row[key] = in_child(options, side, model, package, threads)["bytes"]
    if not row["difference"] <= WRONG.get(kind, 0.25):
        row["problem"] = f"an output differs by {row['difference']:.3g} of its range"
    return row


def rows_of(options, name, kind):
    with tempfile.TemporaryDirectory() as folder:
        package = pathlib.Path(folder) / "model.dae"
        try:
            if not model_of(options, name, kind).exists():
                raise RuntimeError(f"there is no {model_of(options, name, kind)}; tests/e2e/exported/exported.py makes it")
            compiled = compile_model(options, model_of(options, name, kind), package)
        except RuntimeError as problem:
            yield {"name": name, "dtype": kind, "problem": str(problem)}
            return
        for threads in options.threads:
            try:
                yield row_of(options, name, kind, package, compiled, threads)
            except RuntimeError as problem:
                yield {"name": name, "dtype": kind, "threads": threads, "problem": str(problem)}


def cells(row):
    if "ratio" not in row:
        return [row["name"], row["dtype"], str(row.get("threads", "")), row["problem"], *[""] * (len(HEADER) - 4)]
    return [row["name"], row["dtype"], str(row["threads"]), f"{row['seconds'] * 1e3:.2f}", f"{row['spread']:.0%}",
            f"{row['peer_seconds'] * 1e3:.2f}", f"{row['peer_spread']:.0%}", f"{row['ratio']:.3f}",
            f"{row['difference']:.1e}", f"{row['compile_seconds']:.1f}",
            *(f"{row[key] / 1e6:.0f}" for key in ("compile_bytes", "run_bytes", "peer_run_bytes"))]


def print_cells(texts):
    print("| " + " | ".join(texts) + " |", flush=True)


def processor():
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "no name")


def main():
    options = arguments()
    options.environment = options.environment.absolute()
    virtual_environment.enter(options.environment, ROOT / "tests/e2e/exported/requirements.txt")
    if options.child:
        import network_sides
        side, model, package, threads = options.child
        print(json.dumps(network_sides.measure(options, side, model, package, int(threads))))
        return 0
    print(f"{processor()}; milliseconds of one run, medians of {options.repeats} batches in turns\n")
    print_cells(HEADER)
    print_cells(["---"] * len(HEADER))
    rows = []
    for name in options.names:
        for kind in options.kinds:
            for row in rows_of(options, name, kind):
                rows.append(row)
                print_cells(cells(row))
                if "ratio" in row and "problem" in row:
                    print(f"{row['name']} {row['dtype']}: {row['problem']}", file=sys.stderr)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=2) + "\n")
    return int(any("problem" in row for row in rows))


if __name__ == "__main__":
    sys.exit(main())
