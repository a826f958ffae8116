"""Our side of resnet50.py: compiles, times and checks with the programs daedalus and cuda_bench."""
import concurrent.futures
import json
import os
import pathlib
import subprocess
import tempfile

import numpy

TOLERANCE = 2e-2  # of float16


class Problem(Exception):
    """A sentence for a row of the table."""


class Ours:
    """The compiler's side; all files are in a folder."""

    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.driver = ["--driver", options.driver] if options.driver else []

    def run(self, *command, may_fail=False):
        """The output of a program that has libraries of its own; what it says of an error, where it may fail."""
        libraries = {"LD_LIBRARY_PATH": self.options.libraries} if self.options.libraries else {}
        done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, check=False, env={**os.environ, **libraries})
        lines = done.stderr.strip().splitlines() or [f"{command[0]} ends with {done.returncode}"]
        if done.returncode != 0 and not may_fail:
            raise Problem(lines[-1])
        return (done.stdout, lines[-1]) if may_fail else done.stdout

    def package(self, name):
        return self.folder / f"{name}.dae"

    def compile(self, name):
        """The products of a run; a Problem where one of them is not on the GPU."""
        said = self.run(self.options.daedalus, "compile", self.folder / f"{name}.onnx", "--target", "cuda", "--cuda-arch",
                        self.options.cuda_arch, "-o", self.package(name), "--placement", "--json")
        layers = json.loads(said)["layers"]
        if left := [layer["node"] for layer in layers if layer["macs"] and layer["target"] != "cuda"]:
            raise Problem(f"the products of {', '.join(left)} are not on the GPU")
        return sum(layer["macs"] for layer in layers)

    def times(self, products):
        """Milliseconds of kernels and of whole runs by name, or a Problem; `products` by name."""
        (self.folder / "list").write_text("".join(f"time {name} products {count}\n" for name, count in products.items()))
        said, problem = self.run(self.options.cuda_bench, self.folder, "--timings", *self.driver, may_fail=True)
        found = dict.fromkeys(products, Problem(problem))
        for words in filter(None, map(str.split, said.splitlines())):
            if words[0] in found:
                found[words[0]] = (float(words[1]), float(words[3]))
            elif words[0] in ("wrong", "failed") and words[1].rstrip(":") in found:
                found[words[1].rstrip(":")] = Problem(" ".join(words[2:]))
        return found

    def scores(self, model, image, *options):
        with tempfile.TemporaryDirectory() as results:
            numpy.save(f"{results}/image", image)
            self.run(self.options.daedalus, "run", model, *options, "--input", f"{results}/image.npy", "--output",
                     f"{results}/scores")
            return numpy.load(next(pathlib.Path(results, "scores").glob("*.npy")))


def random_images(kind, batch, pixels):
    """The first is the same in each batch."""
    random, shape = numpy.random.default_rng(3), (batch, 3, pixels, pixels)
    if kind == "int8":
        return random.integers(-128, 127, shape, endpoint=True).astype(numpy.int8)
    return random.standard_normal(shape).astype(numpy.float16)


def difference(ours, kind, batch, pixels, reference):
    """A text; a Problem where it is too large. reference: float16's scores of images; None: the CPU's of the first."""
    image = random_images(kind, batch, pixels)
    scores = ours.scores(ours.package(f"resnet50_{kind}_{batch}"), image, *ours.driver)
    if kind == "float16" and reference:
        expected = reference(image)
    else:
        expected = ours.scores(ours.folder / f"resnet50_{kind}_1.onnx", image[:1], "--target", "cpu")
        scores = scores[:1]
    if kind == "int8":
        if wrong := int(numpy.count_nonzero(scores != expected)):
            raise Problem(f"{wrong} of {scores.size} scores differ from the CPU's")
        return "none"
    found = float(numpy.abs(scores.astype(numpy.float64) - expected).max() / numpy.abs(expected).max())
    if not found <= TOLERANCE:
        raise Problem(f"a score differs by {found:.2g} of the largest one; expected at most {TOLERANCE}")
    return f"{found:.1e}"


def compile_all(ours, names):
    """Products by name, and Problems by name."""
    with concurrent.futures.ThreadPoolExecutor(len(names)) as pool:
        waiting = {name: pool.submit(ours.compile, name) for name in names}
    problems = {name: made.exception() for name, made in waiting.items() if made.exception()}
    return {name: made.result() for name, made in waiting.items() if name not in problems}, problems
