#!/usr/bin/env python3
"""qemu_levels.py --daedalus BINARY --graphs BINARY --models FOLDER [--data FOLDER] [--keep FOLDER]

Code for a level of x86-64 has no instruction of a higher one: packages that are compiled here for x86-64-v2 and v3 are
run on a processor that has no more, which Debian's qemu-user emulates, and give the bytes that they give here. The
models are a part of ONNX's node tests, random graphs (`random_graph_models`) and ResNet-18. Besides: a package for a
higher level is refused there with a sentence; one that is forged to hide its level dies of an illegal instruction, so
that a run would notice one; and the tool itself needs no more than the first x86-64."""
import argparse
import concurrent.futures
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile

import numpy
import onnx
import onnx.numpy_helper

import forge

PROCESSORS = {"x86-64-v2": "Nehalem", "x86-64-v3": "Haswell"}  # by the highest level that it has
LEVELS = ["x86-64-v2", "x86-64-v3", "x86-64-v4", "x86-64-v4-vnni", "x86-64-v4-amx"]
NODE_STEP = 16  # every so many of ONNX's node tests
GRAPHS = 24
ROOT = pathlib.Path(__file__).resolve().parents[3]


class Tool:
    """The command line on this host, or on an emulated processor."""

    def __init__(self, daedalus):
        self.daedalus = daedalus

    def run(self, *words, processor=None):
        emulator = ["qemu-x86_64", "-cpu", processor] if processor else []
        done = subprocess.run([*emulator, self.daedalus, *map(str, words)], capture_output=True, text=True, check=False)
        lines = done.stderr.splitlines(keepends=True)  # the emulator says what else the processor has
        done.stderr = "".join(line for line in lines if not line.startswith("qemu-x86_64: warning: "))
        return done

    def compile(self, model, package, level, target="cpu"):
        """None, or why not."""
        done = self.run("compile", model, "--target", target, "--cpu", level, "-o", package)
        return None if done.returncode == 0 else done.stderr.strip()


class Failures(list):
    def check(self, condition, what):
        if not condition:
            self.append(what)
            print(f"FAILED: {what}", flush=True)


def inputs_of(model):
    """By name: the inputs that are no initializers, random and the same every time; None where an input has no plain
    type or shape, or its values may have a meaning."""
    graph = onnx.load(model).graph
    constants = {tensor.name for tensor in graph.initializer}
    random = numpy.random.RandomState(1)
    inputs = {}
    for value in graph.input:
        if value.name in constants:
            continue
        tensor = value.type.tensor_type
        shape = [dim.dim_value or 1 for dim in tensor.shape.dim]
        kind = numpy.dtype(onnx.mapping.TENSOR_TYPE_TO_NP_TYPE.get(tensor.elem_type, "O"))
        if kind == numpy.float32:
            inputs[value.name] = random.uniform(-3, 3, shape).astype(kind)
        elif kind in (numpy.int8, numpy.uint8):
            inputs[value.name] = random.randint(0, 256, shape).astype(kind)
        else:
            return None
    return inputs


def inputs_of_test(folder):
    """Those of ONNX's test; None where one is no tensor of numbers."""
    names = [value.name for value in onnx.load(folder / "model.onnx").graph.input]
    inputs = {}
    for i, name in enumerate(names):
        tensor = onnx.TensorProto()
        try:
            tensor.ParseFromString((folder / f"test_data_set_0/input_{i}.pb").read_bytes())
            inputs[name] = onnx.numpy_helper.to_array(tensor)
        except Exception:  # whatever protobuf and numpy make of a sequence, an optional or a bfloat16
            return None
        if inputs[name].dtype.kind not in "biuf":
            return None
    return inputs


def models(arguments, work):
    """Name, file and inputs of each."""
    subprocess.run([arguments.graphs, work, str(GRAPHS)], check=True)
    found = []
    for folder in sorted((arguments.data / "node").iterdir())[::NODE_STEP]:
        inputs = inputs_of_test(folder)
        if inputs is not None:
            found.append((folder.name, folder / "model.onnx", inputs))
    for seed in range(GRAPHS):
        path = work / f"graph_{seed}.onnx"
        found.append((path.stem, path, inputs_of(path)))
    network = arguments.models / "networks/resnet18.onnx"
    found.append(("resnet18", network, inputs_of(network)))
    return found


def outputs_of(tool, package, inputs, folder, threads, processor):
    """Bytes by the name of an output's file, and what the run said where it failed."""
    words = []
    for i, (name, value) in enumerate(inputs.items()):
        path = folder.parent / f"{folder.parent.name}_{i}.npy"
        if not path.exists():
            numpy.save(path, value)
        words += ["--input", f"{name}={path}"]
    done = tool.run("run", package, *words, "--threads", threads, "--output", folder, processor=processor)
    if done.returncode != 0:
        return {}, f"exit status {done.returncode}, {done.stderr.strip()[-300:]}"
    return {path.name: path.read_bytes() for path in folder.iterdir()}, ""


def compare(tool, level, model, work):
    """A model here and there: "same", "refused" by the compiler or by the run here, or what differs."""
    name, path, inputs = model
    folder = work / level / name
    folder.mkdir(parents=True)
    package = folder / "model.dae"
    if tool.compile(path, package, level):
        return "refused"
    for threads in (1, 2):
        here, why = outputs_of(tool, package, inputs, folder / f"here{threads}", threads, None)
        if why:
            return "refused"
        there, why = outputs_of(tool, package, inputs, folder / f"there{threads}", threads, PROCESSORS[level])
        if why:
            return f"{name} for {level} on {PROCESSORS[level]}, {threads} threads: {why}"
        if here != there or not here:
            return f"{name} for {level} on {PROCESSORS[level]}, {threads} threads: other bytes than here"
    return "same"


def check_models(tool, arguments, work, failures):
    found = models(arguments, work)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for level, processor in PROCESSORS.items():
            outcomes = list(pool.map(lambda model, level=level: compare(tool, level, model, work), found))
            for outcome in outcomes:
                failures.check(outcome in ("same", "refused"), outcome)
            failures.check(outcomes.count("same") > 0.8 * len(found), f"{level}: too few models have the same bytes")
            failures.check(outcomes[-1] == "same", f"{level}: not so ResNet-18")
            refused = [name for (name, _, _), outcome in zip(found, outcomes) if outcome == "refused"]
            print(f"{level} on {processor}: {outcomes.count('same')} models with the same bytes on 1 and 2 threads; "
                  f"refused here already: {', '.join(refused) or 'none'}", flush=True)


def a_convolution(tool, work, level, failures):
    """A package for the level, and the words that give its inputs."""
    graph = work / "graph_0.onnx"
    package = work / f"{level}.dae"
    failures.check(tool.compile(graph, package, level) is None, f"graph_0 does not compile for {level}")
    words = []
    for name, value in inputs_of(graph).items():
        numpy.save(work / "input.npy", value)
        words += ["--input", f"{name}={work / 'input.npy'}"]
    return package, words


def check_refusals(tool, work, failures):
    """Of packages for higher levels, as they are and with a lie about them."""
    for level, processor in PROCESSORS.items():
        for higher in LEVELS[LEVELS.index(level) + 1:]:
            package, words = a_convolution(tool, work, higher, failures)
            done = tool.run("run", package, *words, processor=processor)
            cpu = higher.replace("-vnni", "").replace("-amx", "")
            failures.check(done.returncode == 1 and done.stderr.startswith("daedalus: error: ") and
                           done.stderr.count("\n") == 1 and
                           f"cannot run here: its code needs {cpu}, this host is x86_64 linux at level {level};"
                           in done.stderr, f"{higher} on {processor}: {done.returncode} {done.stderr.strip()}")
        higher = LEVELS[LEVELS.index(level) + 1]
        package, words = a_convolution(tool, work, higher, failures)
        forged = work / f"forged_{level}.dae"
        forged.write_bytes(forge.with_level(package.read_bytes(), higher, level))
        done = tool.run("run", forged, *words, processor=processor)
        failures.check(done.returncode in (-signal.SIGILL, 128 + signal.SIGILL),
                       f"code for {higher} that says {level} is not noticed on {processor}: {done.returncode} "
                       f"{done.stderr.strip()}")
        print(f"{processor}: higher levels are refused, and {higher} in disguise dies of SIGILL", flush=True)


def check_tool(tool, work, failures):
    """What it needs itself, and what it takes for native."""
    digits, graph, package = ROOT / "examples/digits/digits.onnx", work / "graph_0.onnx", work / "accelerator.dae"
    done = tool.run("compile", digits, "--target", "accelerator", "-o", package)
    failures.check(done.returncode == 0, f"the digits do not compile for the accelerator: {done.stderr}")
    (work / "tool").mkdir()
    here, why = outputs_of(tool, package, inputs_of(digits), work / "tool/here", 1, None)
    failures.check(not why, f"the digits on the accelerator: {why}")
    there, why = outputs_of(tool, package, inputs_of(digits), work / "tool/there", 1, "qemu64")
    failures.check(not why and here == there,
                   f"the digits on the accelerator, on qemu64: {why or 'other bytes than here'}")
    for level, processor in PROCESSORS.items():
        done = tool.run("compile", graph, "--target", "cpu", "-o", work / "native.dae", processor=processor)
        failures.check(done.returncode == 0, f"the compiler on {processor}: {done.returncode} {done.stderr.strip()}")
        failures.check(f"at level {level}\n" in tool.run("info", work / "native.dae").stdout,
                       f"the compiler on {processor} takes another level than {level} for native")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[1])
    parser.add_argument("--daedalus", type=pathlib.Path, required=True)
    parser.add_argument("--graphs", type=pathlib.Path, required=True, help="random_graph_models")
    parser.add_argument("--models", type=pathlib.Path, required=True, help="the build's models, with networks/")
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path("/usr/share/libonnx-testdata/data"))
    arguments = parser.parse_args()
    failures = Failures()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        os.environ["DAEDALUS_CACHE"] = str(work / "cache")
        tool = Tool(arguments.daedalus)
        check_models(tool, arguments, work, failures)
        check_refusals(tool, work, failures)
        check_tool(tool, work, failures)
    print(f"{len(failures)} failures" if failures else "no newer instruction is in code for an older level")
    sys.exit(1 if failures else 0)


main()
