#!/usr/bin/env python3
"""cuda_networks.py [NAME...] [--cuda-arch ARCH] [--daedalus BINARY] [--models FOLDER]

Networks on an emulated GPU against the CPU: the bytes of each output are the same, and no thread of any launch reads or
writes what it may not. The networks are those of the benchmarks and of examples/digits; NAME: only these. Prints a table
in Markdown: the seconds of the emulation, and the instructions of all threads. Exit status 1 where a network differs or
does not run."""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy
import onnx

ROOT = pathlib.Path(__file__).resolve().parents[2]

sys.path.insert(0, str(ROOT / "tests/support"))
import virtual_environment

HEADER = ["network", "layers", "on the GPU", "instructions", "s", "outcome"]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--cuda-arch", choices=("emulated", "emulated-sm_90a"), default="emulated")
    parser.add_argument("--daedalus", type=virtual_environment.tool, default=str(ROOT / "build/release/bin/daedalus"))
    parser.add_argument("--models", type=pathlib.Path, default=ROOT / "build/release/models/networks")
    return parser.parse_args()


def models_of(options):
    models = [ROOT / "examples/digits/digits.onnx", *sorted(options.models.glob("*.onnx"))]
    found = {model.stem: model for model in models}
    unknown = [name for name in options.names if name not in found]
    if unknown:
        sys.exit(f"error: there is no network '{unknown[0]}'; the networks are {', '.join(found)}")
    return [model for name, model in found.items() if not options.names or name in options.names]


def save_inputs(model, folder):
    """Random data of each input that is no initializer, the same every time; the options that name the files."""
    graph = onnx.load(model).graph
    constants = {tensor.name for tensor in graph.initializer}
    random = numpy.random.RandomState(1)
    options = []
    for value in graph.input:
        if value.name in constants:
            continue
        tensor = value.type.tensor_type
        shape = [dim.dim_value or 1 for dim in tensor.shape.dim]
        kind = numpy.dtype(onnx.mapping.TENSOR_TYPE_TO_NP_TYPE[tensor.elem_type])
        data = random.standard_normal(shape) if kind.kind == "f" else random.randint(0, 256, shape)
        path = folder / f"in{len(options)}.npy"
        numpy.save(path, data.astype(kind))
        options += ["--input", f"{value.name}={path}"]
    return options


def run(options, model, inputs, output, *words):
    """The report and the outputs of a run; its sentence where it ends with an error."""
    done = subprocess.run([options.daedalus, "run", model, *inputs, "--output", output, "--json", *words],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError((done.stderr.strip().splitlines() or [f"it ended with {done.returncode}"])[-1])
    return json.loads(done.stdout), {path.name: path.read_bytes() for path in sorted(output.iterdir())}


def row_of(options, model):
    row = dict.fromkeys(HEADER, "")
    row["network"] = model.stem
    emulation = pathlib.Path(options.daedalus).parents[1] / "lib/daedalus-cuda-emulation.so"
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        try:
            inputs = save_inputs(model, folder)
            _, expected = run(options, model, inputs, folder / "cpu", "--target", "cpu")
            begin = time.perf_counter()
            report, found = run(options, model, inputs, folder / "gpu", "--target", "cuda", "--cuda-arch", options.cuda_arch,
                                "--driver", emulation)
        except RuntimeError as problem:
            return {**row, "outcome": str(problem)}
    row["s"] = f"{time.perf_counter() - begin:.1f}"
    row["layers"] = str(len(report["layers"]))
    row["on the GPU"] = str(sum(layer["target"] == "cuda" for layer in report["layers"]))
    row["instructions"] = f"{sum(layer.get('device_ticks', 0) for layer in report['layers']):,}"
    different = [name for name in expected if found.get(name) != expected[name]]
    row["outcome"] = f"{', '.join(different)} differ" if different else "the same bytes"
    return row


def print_cells(texts):
    print("| " + " | ".join(texts) + " |", flush=True)


def main():
    options = arguments()
    models = models_of(options)
    print_cells(HEADER)
    print_cells(["---"] * len(HEADER))
    same = 0
    for model in models:
        row = row_of(options, model)
        same += row["outcome"] == "the same bytes"
        print_cells([row[name] for name in HEADER])
    print(f"{same} of {len(models)} networks give the same bytes on an emulated GPU as on the CPU")
    return int(same < len(models))


if __name__ == "__main__":
    sys.exit(main())
