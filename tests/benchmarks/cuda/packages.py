#!/usr/bin/python3
"""A folder for cuda_bench: packages, what they have to give, and a list of both (entries.h).

    packages.py OUT --daedalus DAEDALUS [--cuda-arch ARCH,...] [--tiny] [--only checks|timings|tiles|graphs]

Products of matrices without weights, element-wise functions, softmax and layer normalization, ONNX's node tests, and the
small networks. --tiny: a few of each, so small that a GPU can be emulated. --only graphs: 500 of the random graphs of
tests/e2e/random_graph.h instead. Needs Debian's python3-onnx."""
import argparse
import concurrent.futures
import functools
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

ROOT = pathlib.Path(__file__).resolve().parents[3]
NODE_TESTS = pathlib.Path("/usr/share/libonnx-testdata/data/node")
NETWORKS = ("digits", "mlp", "squeezenet", "detector", "mobilenet_v1", "mobilenet_v2", "resnet18")
TYPES = {"float32": TensorProto.FLOAT, "float16": TensorProto.FLOAT16, "bfloat16": TensorProto.BFLOAT16,
         "int8": TensorProto.INT8}
TOLERANCES = {"float32": (1e-4, 1e-4), "float16": (2e-3, 1e-2), "bfloat16": (2e-2, 5e-2), "int8": (0, 0)}
CPU = "x86-64-v3"  # of what a network leaves to the host
TINY_TESTS = 24
GRAPHS = 500
PRODUCTS = [("float16", 1024, 1024, 1024), ("float16", 4096, 4096, 4096), ("int8", 1024, 1024, 1024), ("int8", 4096, 4096, 4096),
            ("int8", 3136, 64, 576), ("int8", 784, 128, 1152), ("int8", 25088, 128, 1152), ("int8", 100352, 64, 576)]
TILES = [("warpgroups", 128, 256, 128, "[8, 1]", 4), ("warpgroups", 128, 128, 128, "[8, 1]", 4),
         ("warpgroups", 64, 256, 128, "[4, 1]", 4), ("warpgroups", 128, 64, 128, "[8, 1]", 4),
         ("warpgroups", 64, 128, 128, "[4, 1]", 4), ("warpgroups", 64, 64, 128, "[4, 1]", 4),
         ("warpgroups", 64, 32, 128, "[4, 1]", 4), ("warpgroups", 64, 64, 64, "[4, 1]", 4),
         ("warpgroups", 64, 32, 64, "[4, 1]", 4), ("tensor_cores", 128, 128, 64, "[2, 4]", 3),
         ("tensor_cores", 128, 64, 64, "[4, 2]", 4), ("tensor_cores", 64, 128, 64, "[2, 4]", 4),
         ("tensor_cores", 64, 64, 64, "[2, 2]", 4), ("tensor_cores", 64, 32, 64, "[2, 1]", 4),
         ("tensor_cores", 32, 64, 64, "[1, 2]", 4), ("tensor_cores", 32, 32, 64, "[1, 2]", 4)]  # Products/Tile.cpp
PROCESSES = 2


def model_of(nodes, inputs, outputs, constants=()):
    """`inputs` and `outputs`: element type and shape by name."""
    infos = [[helper.make_tensor_value_info(name, *of) for name, of in values.items()] for values in (inputs, outputs)]
    graph = helper.make_graph(nodes, "benchmark", *infos, list(constants))
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    return model


def product(name, rows, columns, depth):
    """Of two matrices that are both inputs."""
    kind = TYPES[name]
    operator, result = ("MatMulInteger", TensorProto.INT32) if name == "int8" else ("MatMul", kind)
    return model_of([helper.make_node(operator, ["a", "b"], ["y"], name="product")],
                    {"a": (kind, [rows, depth]), "b": (kind, [depth, columns])}, {"y": (result, [rows, columns])})


def transposed(rows, columns, depth):
    """A tensor program, for ONNX has no such product: of int8, with a transposed matrix."""
    left, right, result = f"tensor<{rows}x{depth}xi8>", f"tensor<{columns}x{depth}xi8>", f"tensor<{rows}x{columns}xi32>"
    return f"""#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @main(%a: {left}, %b: {right}) -> {result} {{
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : {result}
  %fill = linalg.fill ins(%zero : i32) outs(%empty : {result}) -> {result}
  %y = linalg.generic {{indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}}
      ins(%a, %b : {left}, {right}) outs(%fill : {result}) {{
  ^bb0(%x: i8, %z: i8, %sum: i32):
    %u = arith.extsi %x : i8 to i32
    %v = arith.extsi %z : i8 to i32
    %product = arith.muli %u, %v : i32
    %next = arith.addi %sum, %product : i32
    linalg.yield %next : i32
  }} -> {result}
  return %y : {result}
}}
"""


def elementwise(rows, columns):
    of = (TensorProto.FLOAT, [rows, columns])
    nodes = [helper.make_node("Mul", ["x", "z"], ["m"], name="product"),
             helper.make_node("Add", ["m", "x"], ["s"], name="sum"), helper.make_node("Relu", ["s"], ["y"], name="relu")]
    return model_of(nodes, {"x": of, "z": of}, {"y": of})


def softmax(rows, columns):
    of = (TensorProto.FLOAT, [rows, columns])
    return model_of([helper.make_node("Softmax", ["x"], ["y"], name="softmax", axis=-1)], {"x": of}, {"y": of})


def layer_norm(rows, columns):
    of = (TensorProto.FLOAT, [rows, columns])
    random = numpy.random.default_rng(1)
    constants = [numpy_helper.from_array(random.standard_normal(columns, numpy.float32), name) for name in ("scale", "bias")]
    return model_of([helper.make_node("LayerNormalization", ["x", "scale", "bias"], ["y"], name="norm", axis=-1)],
                    {"x": of}, {"y": of}, constants)


class Folder:
    """What is made, and how."""

    def __init__(self, options, models):
        self.out, self.daedalus, self.arch, self.models = options.out, options.daedalus, options.cuda_arch, models

    def run(self, *arguments):
        """Its output; None where it refuses."""
        done = subprocess.run([self.daedalus, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, check=False)
        return done.stdout if done.returncode == 0 else None

    def compile(self, model, name, *options):
        """What the compiler says of the layers; None where it refuses the model, or leaves nothing to the GPU."""
        package = self.out / f"{name}.dae"
        package.parent.mkdir(parents=True, exist_ok=True)
        said = self.run("compile", model, "--target", "cuda", "--cuda-arch", self.arch, "--cpu", CPU, "-o", package,
                        "--placement", "--json", *options)
        if said is None:
            return None
        layers = json.loads(said)["layers"]
        if not any(layer["target"] == "cuda" for layer in layers):
            package.unlink()
            return None
        return layers

    def demand(self, model, name):
        """As compile, of a model that has to be taken."""
        layers = self.compile(model, name)
        if layers is None:
            sys.exit(f"packages.py: error: {name} does not compile for a GPU")
        return layers

    def keep(self, model, name):
        """The file of a model that is made here."""
        path = self.models / f"{name}.onnx"
        onnx.save(model, path)
        return path

    def save(self, name, kind, arrays):
        folder = self.out / name
        folder.mkdir(parents=True, exist_ok=True)
        for at, array in enumerate(arrays):
            numpy.save(folder / f"{kind}_{at}.npy", array)

    def reference(self, model, name):
        """Random inputs, and what the CPU makes of them."""
        function = json.loads(self.run("info", self.out / f"{name}.dae", "--json"))["functions"][0]
        random = numpy.random.default_rng(2)
        self.save(name, "input", [random_array(random, value) for value in function["inputs"]])
        given = [word for at, value in enumerate(function["inputs"])
                 for word in ("--input", f"{value['name']}={self.out / name}/input_{at}.npy")]
        with tempfile.TemporaryDirectory() as results:
            if self.run("run", model, "--target", "cpu", *given, "--output", results) is None:
                sys.exit(f"packages.py: error: {name} does not run on the CPU")
            for at, value in enumerate(function["outputs"]):
                shutil.copy(pathlib.Path(results) / f"{value['name']}.npy", self.out / name / f"output_{at}.npy")


def random_array(random, value):
    if value["type"] == "bfloat16":
        return (random.standard_normal(value["shape"], numpy.float32).view(numpy.uint32) >> 16).astype("<u2").view("V2")
    kind = numpy.dtype(value["type"])
    if kind.kind == "f":
        return random.standard_normal(value["shape"], numpy.float32).astype(kind)
    limits = numpy.iinfo(kind)
    return random.integers(limits.min, limits.max, value["shape"], kind, endpoint=True)


def array_of(path):
    """Of a tensor's file; None of a sequence's. NumPy has no bfloat16: its bits."""
    tensor = TensorProto()
    tensor.ParseFromString(path.read_bytes())
    if tensor.data_type != TensorProto.BFLOAT16:
        return numpy_helper.to_array(tensor)
    bits = (numpy.frombuffer(tensor.raw_data, "<u2") if tensor.raw_data else numpy.array(tensor.int32_data).astype("<u2"))
    return bits.reshape(tuple(tensor.dims)).view("V2")


def fits(values, arrays):
    """Whether arrays have the shapes that a model declares: some tests have others, and are refused."""
    shapes = [tuple(size.dim_value for size in value.type.tensor_type.shape.dim) for value in values]
    return shapes == [array.shape for array in arrays]


def tolerance_of(test, outputs):
    """Relative and absolute: ONNX's, or the test's; of floats of 16 bits two units in the last place."""
    tolerance = {"rtol": 1e-3, "atol": 1e-7}
    if (test / "data.json").exists():
        tolerance.update(json.loads((test / "data.json").read_text()))
    halves = {TensorProto.FLOAT16: 2e-3, TensorProto.BFLOAT16: 2e-2}
    relative = max([tolerance["rtol"], *(halves.get(value.type.tensor_type.elem_type, 0) for value in outputs)])
    return relative, tolerance["atol"]


def node_test(folder, test):
    """The line of one of ONNX's tests; None where the compiler refuses it or leaves nothing to the GPU."""
    name = f"node/{test.name}"
    if folder.compile(test / "model.onnx", name) is None:
        return None
    arrays = {kind: [array_of(path) for path in sorted((test / "test_data_set_0").glob(f"{kind}_*.pb"), key=number_of)]
              for kind in ("input", "output")}
    graph = onnx.load(test / "model.onnx").graph
    if not fits(graph.input, arrays["input"]):
        (folder.out / f"{name}.dae").unlink()
        return None
    for kind, values in arrays.items():
        folder.save(name, kind, values)
    relative, absolute = tolerance_of(test, graph.output)
    return f"check {name} {relative} {absolute}"


def number_of(path):
    return int(path.stem.rpartition("_")[2])


def lines_of(entry, folder, models):
    """The lines that `entry` makes of the models, of several at a time."""
    with concurrent.futures.ThreadPoolExecutor(PROCESSES) as pool:
        return [line for line in pool.map(functools.partial(entry, folder), models) if line]


def node_tests(folder, is_tiny):
    tests = sorted(path.parent for path in NODE_TESTS.glob("*/model.onnx"))
    if not tests:
        sys.exit(f"packages.py: error: there are no tests of ONNX in {NODE_TESTS}; install Debian's libonnx-testdata")
    return lines_of(node_test, folder, tests[:: len(tests) // TINY_TESTS] if is_tiny else tests)


def checks(folder):
    """Of what is timed, at small sizes that no block of threads divides."""
    lines = []
    made = {f"product_{kind}": (product(kind, 33, 70, 50), TOLERANCES[kind]) for kind in TYPES}
    made.update({f"product_{kind}_aligned": (product(kind, 64, 128, 64), TOLERANCES[kind]) for kind in TYPES})
    made.update({"elementwise": (elementwise(9, 70), (1e-5, 1e-6)), "softmax": (softmax(5, 70), (1e-4, 1e-7)),
                 "layer_norm": (layer_norm(5, 70), (1e-4, 1e-5))})
    for name, (model, tolerance) in made.items():
        path = folder.keep(model, name)
        folder.demand(path, f"small/{name}")
        folder.reference(path, f"small/{name}")
        lines.append(f"check small/{name} {tolerance[0]} {tolerance[1]}")
    return lines


def random_graph(folder, model):
    """The line of one graph; None where the compiler leaves nothing to the GPU."""
    name = f"graph/{model.stem}"
    if folder.compile(model, name) is None:
        return None
    folder.reference(model, name)
    return f"check {name} 0.0001 1e-06"


def random_graphs(folder, is_tiny):
    """Those of random_graphs_test, against the CPU."""
    models = folder.models / "graphs"
    models.mkdir()
    count = TINY_TESTS if is_tiny else GRAPHS
    subprocess.run([pathlib.Path(folder.daedalus).parent / "random_graph_models", models, str(count)], check=True)
    return lines_of(random_graph, folder, sorted(models.glob("*.onnx")))


def timings(folder, is_tiny):
    """Of products, and of what is bound by memory."""
    lines = []
    sizes = (16,) if is_tiny else (1024, 2048, 4096, 8192)
    for kind in TYPES:
        for size in sizes:
            name = f"product_{kind}_{size}"
            folder.demand(folder.keep(product(kind, size, size, size), name), f"timed/{name}")
            lines.append(f"time timed/{name} product {size} {size} {size}")
    for size in sizes:
        name = f"product_int8_transposed_{size}"
        program = folder.models / f"{name}.mlir"
        program.write_text(transposed(size, size, size))
        folder.demand(program, f"timed/{name}")
        lines.append(f"time timed/{name} transposed {size} {size} {size}")
    rows, columns = (16, 16) if is_tiny else (8192, 4096)
    for model, operands in ((elementwise, 3), (softmax, 2), (layer_norm, 2)):
        name = model.__name__
        folder.demand(folder.keep(model(rows, columns), f"{name}_timed"), f"timed/{name}")
        lines.append(f"time timed/{name} bytes {operands * rows * columns * 4}")
    return lines


def schedule_of(text):
    """Of `daedalus compile --emit schedule`: what stands in its one line of a product."""
    return next((line.strip() for line in text.splitlines() if line.strip().startswith("cuda.product")), "")


def tiles(folder):
    """Products with each of the tiles that the compiler chooses from; `chosen` has the one that it takes."""
    lines = []
    for kind, rows, columns, depth in PRODUCTS:
        name = f"{kind}_{rows}x{columns}x{depth}"
        if kind == "int8":
            model = folder.models / f"{name}.mlir"
            model.write_text(transposed(rows, columns, depth))
        else:
            model = folder.keep(product(kind, rows, columns, depth), name)
        chosen = schedule_of(folder.run("compile", model, "--target", "cuda", "--cuda-arch", folder.arch, "--emit", "schedule"))
        head = chosen.partition(" by ")[0]
        for way, m, n, bytes_of_k, warps, stages in TILES:
            k = bytes_of_k // (1 if kind == "int8" else 2)
            line = f"{head} by {way} tile [{m}, {n}, {k}] warps {warps} stages {stages}"
            label = "chosen_" if line == chosen else ""
            schedule = folder.models / "schedule.mlir"
            schedule.write_text(f"cuda.schedule format 1 {{\n  {line}\n}}\n")
            tile = f"tile/{name}_{label}{way}_{m}x{n}x{k}"
            if folder.compile(model, tile, "--schedule", schedule) is not None:
                lines.append(f"time {tile} {'transposed' if kind == 'int8' else 'product'} {rows} {columns} {depth}")
    return lines


def networks(folder, is_tiny):
    lines = []
    for name in NETWORKS[:1] if is_tiny else NETWORKS:
        path = (ROOT / "examples/digits/digits.onnx" if name == "digits" else
                ROOT / f"build/release/models/networks/{name}.onnx")
        layers = folder.demand(path, f"network/{name}")
        folder.reference(path, f"network/{name}")
        lines += [f"check network/{name} 0.0001 1e-06",
                  f"time network/{name} products {sum(layer['macs'] for layer in layers)}"]
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--daedalus", type=os.path.abspath, required=True)
    parser.add_argument("--cuda-arch", default="sm_80,sm_90a")
    parser.add_argument("--tiny", action="store_true")
    parser.add_argument("--only", choices=["checks", "timings", "tiles", "graphs"])
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as models:
        folder = Folder(options, pathlib.Path(models))
        lines = []
        if options.only == "tiles":
            lines += tiles(folder)
        if options.only == "graphs":
            lines += random_graphs(folder, options.tiny)
        if options.only in (None, "checks"):
            lines += checks(folder) + networks(folder, options.tiny) + node_tests(folder, options.tiny)
        if options.only in (None, "timings"):
            lines += timings(folder, options.tiny)
    (options.out / "list").write_text("\n".join(lines) + "\n")
    print(f"{len(lines)} entries")


main()
