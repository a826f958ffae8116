#!/usr/bin/env python3
"""ResNet-50 on a GPU, in float16 and int8, beside the same graph with cuDNN, in one call.

    resnet50.py --daedalus DAEDALUS --cuda-bench CUDA_BENCH [--libraries FOLDER] [--types float16,int8] [--batches 1,32]
                [--folder FOLDER] [--cuda-arch sm_90a] [--tiny] [--driver FILE.so]

Needs numpy and onnx; cuDNN through PyTorch, without which that side stays empty. Prints a table in Markdown, in
milliseconds of a run. Ours: medians of cuda_bench, of the kernels by events, and of whole runs with copies from and to the
host. cuDNN: medians of 50 runs with images on the GPU: its calls one by one, as a CUDA graph, and (float16) as a graph with
ReLU and residuals in its convolutions; int8 has them in both. ratio: the faster graph over our kernels, above 1 where ours
is faster. difference: float16 from PyTorch in float32, by the largest score; int8 from the CPU, in bytes of the first image.
Exit status 1 where ours does not run, leaves a product to the CPU, or differs."""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

import onnx

import resnet50_models
from resnet50_ours import Ours, Problem, compile_all, difference

TYPES = ["float16", "int8"]
HEADER = ["network", "type", "batch", "ours, kernels ms", "ours, whole ms", "cuDNN calls ms", "cuDNN graph ms",
          "cuDNN fused graph ms", "ratio", "ours images/s", "cuDNN images/s", "difference"]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--daedalus", type=os.path.abspath, required=True)
    parser.add_argument("--cuda-bench", type=os.path.abspath, required=True)
    parser.add_argument("--libraries", type=os.path.abspath, help="what both programs need and this host lacks")
    parser.add_argument("--types", type=types, default=TYPES)
    parser.add_argument("--batches", type=batches, default=[1, 32])
    parser.add_argument("--folder", type=pathlib.Path, help="where models and packages stay")
    parser.add_argument("--cuda-arch", default="sm_90a")
    parser.add_argument("--tiny", action="store_true", help="fewer pixels and channels, for a GPU that is emulated")
    parser.add_argument("--driver", type=os.path.abspath, help="instead of a GPU")
    return parser.parse_args()


def types(text):
    if unknown := set(text.split(",")) - set(TYPES):
        raise argparse.ArgumentTypeError(f"'{min(unknown)}'; expected {' or '.join(TYPES)}")
    return text.split(",")


def batches(text):
    if not all(word.isdecimal() and int(word) > 0 for word in text.split(",")):
        raise argparse.ArgumentTypeError(f"'{text}'; expected whole numbers from 1 with commas between them")
    return [int(word) for word in text.split(",")]


def load_sides():
    """The modules of cuDNN's side; None where there is no PyTorch, and none but the reference where it has no GPU."""
    try:
        import torch

        import cudnn_float
        import cudnn_int8
    except ImportError:
        return None
    return (cudnn_float, cudnn_int8) if torch.cuda.is_available() else (cudnn_float,)


def cudnn_times(kind, sides, steps, shape):
    """Milliseconds by way of measuring, or sentences; notes."""
    if not sides or len(sides) < 2:
        return {}, []
    try:
        return (sides[0].times(steps, shape), []) if kind == "float16" else sides[1].times(steps, shape)
    except Exception as problem:  # whatever ends it, ours is shown
        return {}, [f"{kind} of batch {shape[0]} with cuDNN: {problem}"]


def device(options, sides):
    if options.driver or not sides or len(sides) < 2:
        return options.driver or "cuDNN's side is not measured: PyTorch is not installed, or finds no GPU"
    import torch
    return (f"{torch.cuda.get_device_name()}, driver {driver_version()}, cuDNN {torch.backends.cudnn.version()}, "
            f"PyTorch {torch.__version__}")


def driver_version():
    try:
        asked = subprocess.run(["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"],
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
        return asked.stdout.strip().partition("\n")[0] or "unknown"
    except OSError:
        return "unknown"


def row_of(kind, batch, own, theirs, apart):
    """Cells; `own`: milliseconds of kernels and of a run, None where it does not run."""
    ways = ["eager", "graph", *(["fused graph"] if kind == "float16" else [])]
    known = {way: theirs.get(way, "not measured") for way in ways}
    graphs = [time for way, time in known.items() if way != "eager" and isinstance(time, float)]
    best = min(graphs, default=None)
    cells = [f"{time:.4f}" if isinstance(time, float) else time for time in known.values()]
    return ["ResNet-50", kind, str(batch), *(f"{time:.4f}" for time in own or ()), *[""] * (0 if own else 2),
            *cells, *[""] * (3 - len(ways)), f"{best / own[0]:.3f}" if best and own else "",
            f"{1000 * batch / own[0]:.0f}" if own else "", f"{1000 * batch / best:.0f}" if best else "", apart]


def print_cells(cells):
    print("| " + " | ".join(cells) + " |", flush=True)


def measured(options, folder):
    """Whether all is right; prints the table."""
    for kind in dict.fromkeys(["float16", *options.types]):  # the steps are float16's
        resnet50_models.make(folder, kind, {1, *options.batches}, options.tiny)
    steps = resnet50_models.steps_of(onnx.load(folder / "resnet50_float16_1.onnx"))
    pixels = resnet50_models.TINY_PIXELS if options.tiny else 224
    ours, cases = Ours(options, folder), [(kind, batch) for kind in options.types for batch in options.batches]
    products, found = compile_all(ours, [f"resnet50_{kind}_{batch}" for kind, batch in cases])
    found.update(ours.times(products))
    sides, notes, is_right = load_sides(), [], True
    reference = (lambda image: sides[0].reference(steps, image)) if sides and not options.tiny else None
    print(device(options, sides) + "\n")
    print_cells(HEADER)
    print_cells(["---"] * len(HEADER))
    for kind, batch in cases:
        own, apart = found[f"resnet50_{kind}_{batch}"], ""
        try:
            if isinstance(own, Exception):
                raise own
            apart = difference(ours, kind, batch, pixels, reference)
        except Problem as problem:
            apart, is_right = str(problem), False
        theirs, said = cudnn_times(kind, sides, steps, (batch, 3, pixels, pixels))
        notes += said
        print_cells(row_of(kind, batch, None if isinstance(own, Exception) else own, theirs, apart))
    print("".join(f"\n{note}" for note in notes))
    return is_right


def main():
    options = arguments()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        return int(not measured(options, folder))


if __name__ == "__main__":
    sys.exit(main())
