#!/usr/bin/env python3
"""Random depthwise, grouped and pooled layers (layer.py), quantized, on the accelerator and on the CPU: the same bytes,
each a rounding of what ONNX defines.

    window_layers.py DAEDALUS [--layers FIRST:END] [--onnxruntime]

DAEDALUS is build/release/bin/daedalus. A byte is a rounding of the exact result where it is at most half a step and TIE
away from it, after saturation. With --onnxruntime, ONNX Runtime without its optimizations has to give the same bytes, but
for results within TIE of a half, which float32 rounds to either side; PyPI's packages are installed into the build folder at
the first run. The last line counts the layers that the accelerator computes, and those for which GEMM slides its window."""
import argparse
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(ROOT / "tests/support"), str(HERE)]
import onnx_runtime
import virtual_environment

TIE = 1e-3  # of a step of the output's quantization
MACHINES = ["default", "vta", "tiny", "large", "default,inp_interleave=2", "vta,inp_interleave=1"]


class Failed(Exception):
    """In one sentence."""


def daedalus(options, *arguments):
    done = subprocess.run([options.daedalus, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode != 0:
        raise Failed(f"daedalus {' '.join(map(str, arguments))}: status {done.returncode}: {done.stderr.decode()[-300:]}")
    return done.stdout.decode()


def instructions(options, folder, machine):
    """The program as text; empty: nothing of the model runs on the accelerator."""
    try:
        return daedalus(options, "compile", folder / "model.onnx", "--machine", machine, "--emit", "asm")
    except Failed as error:
        if "nothing of the model runs on the accelerator" in str(error):
            return ""
        raise


def computed(options, folder, *arguments):
    import numpy as np
    daedalus(options, "run", folder / "model.onnx", "--input", f"x={folder / 'x.npy'}", "--output", folder / "out", *arguments)
    return np.load(folder / "out/y.npy")


def check_rounding(layer, got, name):
    """Whether each byte is a rounding of the exact result."""
    import numpy as np
    if got.dtype != layer.y.dtype or got.shape != layer.real.shape:
        raise Failed(f"{name} gives {got.dtype} {got.shape} for {layer.y.dtype} {layer.real.shape}")
    info = np.iinfo(layer.y.dtype)
    away = np.abs(got.astype(np.float64) - np.clip(layer.real, info.min, info.max))
    if away.max() > 0.5 + TIE:
        at = np.unravel_index(away.argmax(), away.shape)
        raise Failed(f"{name} gives {got[at]} at {[int(i) for i in at]} for {layer.real[at]:.4f}; "
                     f"{int((away > 0.5 + TIE).sum())} of {away.size} differ")


def check(options, folder, layer, seed, counts):
    import numpy as np
    machine = MACHINES[seed % len(MACHINES)]
    (folder / "model.onnx").write_bytes(layer.model().SerializeToString())
    np.save(folder / "x.npy", layer.input)
    got = computed(options, folder, "--machine", machine, "--engine", "functional" if seed % 4 else "systemc")
    check_rounding(layer, got, f"machine {machine}")
    if not np.array_equal(got, computed(options, folder, "--target", "cpu")):
        raise Failed(f"the CPU gives other bytes than machine {machine}")
    if options.onnxruntime:  # both are roundings of one number, so they differ by a tie alone
        theirs = onnx_runtime.outputs_of((folder / "model.onnx").read_bytes(), {"x": layer.input})[0]
        check_rounding(layer, theirs, "ONNX Runtime")
        counts["ties"] += int((theirs != got).sum())
    counts["results"] += got.size
    program = instructions(options, folder, machine)
    counts["accelerated"] += bool(re.search(r"^\s*(gemm|vector)", program, re.M))
    counts["windows"] += bool(re.search(r"^\s*gemm .*\bwindow=", program, re.M))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("daedalus", type=virtual_environment.tool)
    parser.add_argument("--layers", default="0:30", metavar="FIRST:END", help="seeds (0:30)")
    parser.add_argument("--onnxruntime", action="store_true", help="compare with ONNX Runtime too")
    return parser.parse_args()


def main():
    options = arguments()
    if options.onnxruntime:
        kind = "odd_graphs/requirements_nightly"
        virtual_environment.enter(ROOT / "build" / kind, ROOT / "tests" / f"{kind}.txt")
    from layer import Layer
    first, end = map(int, options.layers.split(":"))
    counts, kinds, failures = collections.Counter(), collections.Counter(), 0
    with tempfile.TemporaryDirectory(prefix="window_layers.") as folder:
        for seed in range(first, end):
            layer = Layer(seed)
            kinds[layer.kind] += 1
            try:
                check(options, pathlib.Path(folder), layer, seed, counts)
            except Failed as error:
                failures += 1
                print(f"layer {seed} ({layer}): {error}", flush=True)
    if options.onnxruntime:
        print(f"{counts['ties']} of {counts['results']} results differ from ONNX Runtime's, each by a tie")
    print(f"{end - first} layers ({', '.join(f'{n} {kind}' for kind, n in sorted(kinds.items()))}): {failures} failed, "
          f"{counts['accelerated']} on the accelerator, {counts['windows']} with GEMM's window")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
