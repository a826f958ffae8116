#!/usr/bin/python3
"""Models exported for other processors, run in QEMU, against daedalus run --target cpu on this host.

    emulate.py DAEDALUS SOURCE_FOLDER --cpu CPU... MODEL.onnx...
    emulate.py DAEDALUS SOURCE_FOLDER --cpu CPU... --node-tests DATA --share N

Integers have to be the same bytes, floats within the bound of a level (docs/export.md). Each folder is built with
every warning as an error; its library needs no symbol but the builtins that its README names, and none at all where
inputs and outputs have 8 bits; a run stays in arena and stack as promised.
"""
import argparse
import concurrent.futures
import glob
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import numpy
import onnx
from onnx import numpy_helper

FIRMWARE = pathlib.Path(__file__).resolve().parents[2] / "examples/firmware"  # painted_stack.h
WARNINGS = "-O2 -fno-pie -Werror -Wall -Wextra -Wconversion -Wpedantic"
BOARD = ["qemu-system-arm", "-nographic", "-monitor", "none", "-serial", "none", "-semihosting-config",
         "enable=on,target=native", "-M"]
TOOLS = {  # compiler's prefix, emulator, options of the compiler
    "rv32imc": ("riscv64-unknown-elf-", ["qemu-riscv32"], "-march=rv32imc -mabi=ilp32 -mcmodel=medany"),
    "rv32imac": ("riscv64-unknown-elf-", ["qemu-riscv32"], "-march=rv32imac -mabi=ilp32 -mcmodel=medany"),
    "rv64gc": ("riscv64-unknown-elf-", ["qemu-riscv64"], "-march=rv64gc -mabi=lp64d -mcmodel=medany"),
    "cortex-m4": ("arm-none-eabi-", [*BOARD, "mps2-an386", "-kernel"],
                  "-mcpu=cortex-m4 -mthumb -mfpu=fpv4-sp-d16 -mfloat-abi=hard -DSTACK_TOP=0x21f00000u -Wl,-Ttext=0x21000000 "
                  "-Wl,--section-start=.vectors=0"),
    "cortex-m55": ("arm-none-eabi-", [*BOARD, "mps3-an547", "-kernel"],
                   "-mcpu=cortex-m55 -mthumb -mfloat-abi=hard -DSTACK_TOP=0x71f00000u -Wl,-Ttext=0x70000000 "
                   "-Wl,--section-start=.vectors=0"),
    "aarch64": ("aarch64-linux-gnu-", ["qemu-aarch64"], "-march=armv8-a"),
    "x86-64-v2": ("", [], "-march=x86-64-v2"),
}
RELATIVE, ABSOLUTE = 1e-4, 1e-5  # of floats: other orders of sums and no FMA, on other processors
DTYPES = {onnx.TensorProto.FLOAT: "float32", onnx.TensorProto.INT8: "int8", onnx.TensorProto.UINT8: "uint8",
          onnx.TensorProto.INT32: "int32", onnx.TensorProto.INT64: "int64", onnx.TensorProto.BOOL: "bool",
          onnx.TensorProto.DOUBLE: "float64", onnx.TensorProto.FLOAT16: "float16", onnx.TensorProto.INT16: "int16",
          onnx.TensorProto.UINT16: "uint16", onnx.TensorProto.UINT32: "uint32", onnx.TensorProto.UINT64: "uint64"}


class Refused(Exception):
    """The model is not one that this test can judge."""


class Wrong(Exception):
    pass


def run(command, **options):
    return subprocess.run([str(part) for part in command], capture_output=True, **options)


def array_of(value, path):
    """The tensor of a file of test data."""
    if not value.type.HasField("tensor_type"):
        raise Refused(f"the input {value.name} is no tensor")
    tensor = onnx.TensorProto()
    tensor.ParseFromString(pathlib.Path(path).read_bytes())
    return numpy_helper.to_array(tensor)


def inputs_of(model, folder, rng):
    """Name and array of each input: of the test data beside the model, or random."""
    graph = onnx.load(str(model)).graph
    constants = {tensor.name for tensor in graph.initializer}
    values = [value for value in graph.input if value.name not in constants]
    data = sorted(glob.glob(str(model.parent / "test_data_set_0" / "input_*.pb")),
                  key=lambda name: int(re.findall(r"\d+", name)[-1]))
    arrays = []
    for index, value in enumerate(values):
        if data:
            if index >= len(data):
                raise Refused("an input without data")
            arrays.append((value.name, array_of(value, data[index])))
            continue
        kind = value.type.tensor_type
        shape = [dim.dim_value for dim in kind.shape.dim]
        dtype = numpy.dtype(DTYPES[kind.elem_type])
        arrays.append((value.name, rng.normal(size=shape).astype(dtype) if dtype.kind == "f"
                       else rng.integers(numpy.iinfo(dtype).min, numpy.iinfo(dtype).max, shape, dtype, True)))
    return arrays


def expected_of(daedalus, model, arrays, folder):
    """The outputs on this host, by the order in the model."""
    command = [daedalus, "run", model, "--target", "cpu", "-o", folder / "expected"]
    for index, (name, array) in enumerate(arrays):
        path = folder / f"input_{index}.npy"
        numpy.save(path, array)
        command += ["--input", f"{name}={path}"]
    done = run(command)
    if done.returncode:
        raise Refused(done.stderr.decode().strip())
    found = []
    for value in onnx.load(str(model)).graph.output:
        name = re.sub(r"[/\x00-\x1f\x7f]", "_", value.name)
        path = folder / "expected" / f"{name}.npy"
        if not path.exists():
            raise Refused(f"no output file {path.name} among {sorted(p.name for p in path.parent.iterdir())}")
        found.append((value.name, numpy.load(path)))
    return found


def build(folder, cpu, work):
    """The program that runs the folder's library."""
    prefix, _, flags = TOOLS[cpu]
    made = run(["make", "-s", "-C", folder, f"CFLAGS={WARNINGS}"])
    if made.returncode or made.stderr:
        raise Wrong(f"make: {made.stderr.decode()[-2000:]}")
    program = work / "program"
    linked = run([f"{prefix}gcc", *flags.split(), "-O1", "-g0", "-static", "-nostdlib", "-nostartfiles", "-ffreestanding",
                  "-fno-builtin", "-fno-pie", "-no-pie", "-I", folder, "-I", FIRMWARE, "-DMODEL=m_model",
                  "-DMODEL_BLOB=m_blob", "-DMODEL_BLOB_BYTES=M_BLOB_BYTES", "-DMODEL_ARENA_BYTES=M_ARENA_BYTES",
                  "-DMODEL_ARENA_ALIGNMENT=M_ARENA_ALIGNMENT", pathlib.Path(__file__).parent / "emulated.c",
                  folder / "libm.a", "-lgcc", "-o", program])
    if linked.returncode:
        raise Wrong(f"link: {linked.stderr.decode()[-2000:]}")
    return program


def check_symbols(folder, cpu, is_int8):
    """No undefined symbol but the folder's own and the builtins that its README names."""
    prefix = TOOLS[cpu][0]
    listing = run([f"{prefix}nm", folder / "libm.a"]).stdout.decode().splitlines()
    defined = {line.split()[-1] for line in listing if re.search(r" [TtRrWVDdBb] ", line)}
    undefined = {line.split()[-1] for line in listing if re.match(r"^\s+[Uw] ", line)} - defined
    named = set(re.findall(r"`(\w+)`", (folder / "README.md").read_text()))
    if undefined - named:
        raise Wrong(f"undefined symbols that the README does not name: {sorted(undefined - named)}")
    if undefined and is_int8:
        raise Wrong(f"a model of int8 has undefined symbols: {sorted(undefined)}")
    writable = [line for line in listing if re.search(r" [DdBbCSGs] ", line)]
    if writable:
        raise Wrong(f"writable data: {writable}")


def compare(data, expected):
    for name, array in expected:
        found = numpy.frombuffer(data[:array.nbytes], array.dtype).reshape(array.shape)
        data = data[array.nbytes:]
        if array.dtype.kind in "iub" and found.tobytes() != array.tobytes():
            raise Wrong(f"output {name}: {numpy.count_nonzero(found != array)} of {array.size} integers differ")
        if array.dtype.kind == "f":
            relative = 2e-3 if array.dtype == numpy.float16 else RELATIVE
            if not numpy.allclose(found.astype("float64"), array.astype("float64"), relative, ABSOLUTE, equal_nan=True):
                raise Wrong(f"output {name}: floats differ by {numpy.nanmax(numpy.abs(found.astype('f8') - array.astype('f8')))}")
    if data:
        raise Wrong(f"{len(data)} bytes too many")


def judge(daedalus, model, cpus, seed):
    """What is wrong on each processor, or "" ; Refused where the host does not run it."""
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        arrays = inputs_of(model, work, numpy.random.default_rng(seed))
        expected = expected_of(daedalus, model, arrays, work)
        is_int8 = all(array.dtype.itemsize == 1 for _, array in [*arrays, *expected])
        results = {}
        for cpu in cpus:
            folder = work / cpu
            results[cpu] = ""
            try:
                command = [daedalus, "export", model, "-o", folder, "--cpu", cpu, "--target", "cpu", "--name", "m"]
                done = run(command)
                if done.returncode:
                    raise Wrong(done.stderr.decode().strip()[-500:])
                program = build(folder, cpu, work)
                check_symbols(folder, cpu, is_int8)
                (work / "inputs").write_bytes(b"".join(array.tobytes() for _, array in arrays))
                ran = run([*TOOLS[cpu][1], program], timeout=600, cwd=work)
                if ran.returncode:
                    raise Wrong(f"exit status {ran.returncode} {ran.stderr.decode()[-200:]}")
                compare((work / "outputs").read_bytes(), expected)
            except Wrong as wrong:
                results[cpu] = str(wrong)
            except subprocess.TimeoutExpired:
                results[cpu] = "timed out"
            shutil.rmtree(folder, ignore_errors=True)
        return results


def node_tests(options):
    """Every so many of them and, if asked for, the first ones with each operator."""
    models = [folder / "model.onnx" for folder in sorted(pathlib.Path(options.node_tests).glob("test_*"))]
    models = [model for model in models if model.exists()]
    chosen = set(models[options.first::options.share])
    seen = set()
    for model in models if options.every_operator else []:
        operators = {(node.domain, node.op_type) for node in onnx.load(str(model)).graph.node}
        if operators - seen:
            chosen.add(model)
            seen |= operators
    return [model for model in models if model in chosen]


def models_of(options):
    return [pathlib.Path(model) for model in options.models] + (node_tests(options) if options.node_tests else [])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("daedalus", type=pathlib.Path)
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("models", nargs="*")
    parser.add_argument("--cpu", action="append", required=True, choices=list(TOOLS))
    parser.add_argument("--node-tests", help="a folder of ONNX's node tests")
    parser.add_argument("--share", type=int, default=1, help="every so many of them")
    parser.add_argument("--every-operator", action="store_true", help="and the first test with each operator")
    parser.add_argument("--first", type=int, default=0, help="from this one on")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    needed = {tool for cpu in options.cpu for tool in (TOOLS[cpu][0] + "gcc", *TOOLS[cpu][1][:1])}
    if missing := sorted(tool for tool in needed if not shutil.which(tool)):
        print(f"skipped: no {', '.join(missing)}")
        return 77
    os.environ["DAEDALUS_CACHE"] = str(options.daedalus.parent.parent / "rtl_cache")  # not the user's
    passed, refused, wrong = 0, 0, []

    def judged(model):
        try:
            return model, judge(options.daedalus, model, options.cpu, options.seed), None
        except Refused as why:
            return model, {}, str(why)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for model, results, why in pool.map(judged, models_of(options)):
            name = model.parent.name if model.name == "model.onnx" else model.stem
            refused += why is not None
            passed += bool(results) and not any(results.values())
            for cpu, text in results.items():
                if text:
                    wrong.append(f"{name} on {cpu}: {text}")
                    print(wrong[-1], flush=True)
    print(f"passed {passed}, not run on this host {refused}, wrong {len(wrong)} on {', '.join(options.cpu)}")
    return 1 if wrong or not passed else 0


sys.exit(main())
