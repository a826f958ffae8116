"""Random reductions over windows on an emulated GPU, by tiles in shared memory: what plain loops give, the same bytes as
of threads that read global memory, no fault, and no more bytes loaded than the tiles' parts of the image have.

    gpu_windows.py DAEDALUS EMULATION SEED COUNT
"""
import itertools
import json
import pathlib
import random
import re
import subprocess
import sys

import numpy as np

daedalus, emulation, seed, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
KINDS = {"f32": (np.float32, "f32"), "f16": (np.float16, "f32"), "i8": (np.int8, "i32"), "i32": (np.int32, "i32")}


class Case:
    """An image with leading and trailing dimensions of no window, one to three with windows between them."""

    def __init__(self, pick):
        self.kind = pick.choice(list(KINDS))
        self.windows = [(pick.randint(1, 3), pick.randint(1, 3), pick.randint(1, 5), pick.randint(1, 20))
                        for _ in range(pick.choice([1, 2, 2, 3]))]  # stride, dilation, window, results
        stride, dilation, _, results = self.windows[0]
        self.windows[0] = stride, dilation, pick.randint(2, 9), results + 1  # one at least overlaps, or could
        self.before = [pick.randint(1, 3)] * pick.randint(0, 1)
        self.channels = [pick.choice([1, 3, 8, 16, 32, 40])] * pick.randint(0, 1)
        self.weighted, self.slack = pick.random() < 0.5, pick.choice([0, 0, 1, 5])
        self.result = self.before + [w[3] for w in self.windows] + self.channels
        self.window = [w[2] for w in self.windows]
        self.image = self.before + [(r - 1) * s + (k - 1) * d + 1 + self.slack for s, d, k, r in self.windows] + self.channels

    def text(self):
        element, sums = self.kind, KINDS[self.kind][1]
        f = "f" if sums == "f32" else "i"
        outer = [f"o{i}" for i in range(len(self.result))]
        inner = [f"k{i}" for i in range(len(self.window))]
        first, channel = len(self.before), outer[len(outer) - len(self.channels):]
        at = outer[:first] + [f"{outer[first + i]} * {s} + {inner[i]} * {d}" for i, (s, d, _, _) in enumerate(self.windows)] + channel
        shape = lambda sizes, type: "tensor<" + "x".join(map(str, sizes + [type])) + ">"
        image, weights, result = (shape(self.image, element), shape(self.window + (self.channels if self.weighted else []), element),
                                  shape(self.result, sums))
        loops = ", ".join(outer + inner)
        kinds = ", ".join(['"parallel"'] * len(outer) + ['"reduction"'] * len(inner))
        widen = lambda name, to: (f"    %{to} = arith.ext{'f' if f == 'f' else 'si'} %{name} : {element} to {sums}\n"
                                  if element != sums else f"    %{to} = arith.add{f} %{name}, %zero : {sums}\n")
        body = widen("x0", "x1") + (widen("w0", "w1") + f"    %p = arith.mul{f} %x1, %w1 : {sums}\n" if self.weighted else "")
        return f"""
func.func @main(%x: {image}, %w: {weights}) -> {result} {{
  %zero = arith.constant {'0.0' if f == 'f' else '0'} : {sums}
  %empty = tensor.empty() : {result}
  %fill = linalg.fill ins(%zero : {sums}) outs(%empty : {result}) -> {result}
  %y = linalg.generic {{indexing_maps = [affine_map<({loops}) -> ({', '.join(at)})>,
      affine_map<({loops}) -> ({', '.join(inner + (channel if self.weighted else []))})>,
      affine_map<({loops}) -> ({', '.join(outer)})>], iterator_types = [{kinds}]}}
      ins(%x, %w : {image}, {weights}) outs(%fill : {result}) {{
  ^bb0(%x0: {element}, %w0: {element}, %sum: {sums}):
{body}    %next = arith.add{f} %sum, %{'p' if self.weighted else 'x1'} : {sums}
    linalg.yield %next : {sums}
  }} -> {result}
  return %y : {result}
}}
"""

    def expected(self, x, w):
        wide = np.float64 if KINDS[self.kind][1] == "f32" else np.int32
        sums = np.zeros(self.result, wide)
        for at in itertools.product(*map(range, self.window)):
            places = [slice(k * d, k * d + (r - 1) * s + 1, s) for k, (s, d, _, r) in zip(at, self.windows)]
            part = x[tuple([slice(None)] * len(self.before) + places)].astype(wide)
            sums += part * w[at].astype(wide) if self.weighted else part
        return sums


def run(*command):
    done = subprocess.run([daedalus, *command], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}: {done.stderr}")
    return done.stdout


def result(schedule):
    run("compile", "case.mlir", "--target", "cuda", "--cuda-arch", "emulated", "--schedule", schedule, "-o", "case.dae")
    run("run", "case.dae", "--driver", emulation, "--input", "arg0=x.npy", "--input", "arg1=w.npy", "--output", "out")
    (path,) = pathlib.Path("out").glob("*.npy")
    return np.load(path)


def loaded(schedule):
    (launch,) = json.loads(subprocess.run([pathlib.Path(daedalus).parent / "daedalus-bench", "gpu", "case.mlir", "--schedule",
                                           schedule, "--blocks", "100000", "--json"], check=True, capture_output=True).stdout)
    return launch["global_bytes_loaded"], np.prod(launch["grid"])


def check(case, pick):
    pathlib.Path("case.mlir").write_text(case.text())
    numbers = np.random.default_rng(pick.randint(0, 1 << 30))
    dtype = KINDS[case.kind][0]
    make = lambda shape: (numbers.integers(-128, 128, shape) if np.issubdtype(dtype, np.integer) else
                          numbers.uniform(-2, 2, shape)).astype(dtype)
    x, w = make(case.image), make(case.window + (case.channels if case.weighted else []))
    np.save("x.npy", x), np.save("w.npy", w)
    threads = run("compile", "case.mlir", "--target", "cuda", "--emit", "schedule")
    if "cuda.window" not in threads:
        return False
    pathlib.Path("threads.mlir").write_text(threads)
    tile = [pick.randint(1, size + 1) for size in case.result]
    patch = [t for t in tile[:len(case.before)]]
    patch += [(t - 1) * s + (k - 1) * d + 1 for t, (s, d, k, _) in zip(tile[len(case.before):], case.windows)] + tile[len(tile) - len(case.channels):]
    bytes_ = np.prod(patch[:-1], dtype=int) * -(-patch[-1] * dtype().itemsize // 16) * 16
    if bytes_ > 48 << 10 or np.prod(tile) > 1 << 14:
        return False
    pathlib.Path("shared.mlir").write_text(re.sub(r"(cuda.window .*) by threads", rf"\1 by shared tile {tile}", threads))
    shared, expected = result("shared.mlir"), case.expected(x, w)
    assert shared.tobytes() == result("threads.mlir").tobytes(), "differs from threads"
    np.testing.assert_allclose(shared, expected, rtol=1e-5, atol=1e-4) if case.kind[0] == "f" else np.testing.assert_array_equal(shared, expected)
    if not case.weighted:
        (bytes_loaded, blocks) = loaded("shared.mlir")
        assert bytes_loaded <= blocks * bytes_, (bytes_loaded, blocks, bytes_)
    return True


checked = 0
for number in itertools.count(seed):
    pick = random.Random(number)
    case = Case(pick)
    try:
        checked += check(case, pick)
    except BaseException as problem:
        print(f"seed {number}: {case.kind}, windows {case.windows}, result {case.result}: {problem}")
        raise
    if checked == count:
        break
