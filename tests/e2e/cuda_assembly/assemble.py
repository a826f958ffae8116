#!/usr/bin/env python3
"""NVIDIA's assembler takes the code of every kernel: of the networks and convolutions of the build, of the example, and of
all of ONNX's tests that compile for the CPU, for sm_80 and sm_90a.

    assemble.py [--daedalus build/release/bin/daedalus] [--table FILE] [MODEL...]

ptxas is of PyPI's nvidia-cuda-nvcc-cu12 (requirements.txt), which is installed into build/cuda_assembly at the first run.
Exit status 1 where a model compiles for the CPU but not for the GPU, where ptxas refuses code, where a function of a
kernel with products spills registers, and where docs/cuda_kernels.md says other things of the networks; --table FILE writes
that page, of the networks alone."""
import argparse
import collections
import concurrent.futures
import dataclasses
import json
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PAGE = ROOT / "docs/cuda_kernels.md"
TESTS = pathlib.Path("/usr/share/libonnx-testdata/data")
SUITES = ("node", "simple", "pytorch-converted", "pytorch-operator")
PROCESSES = 2
TIMEOUT = 600

sys.path.insert(0, str(ROOT / "tests/support"))
import assembler  # noqa: E402
import device_code  # noqa: E402
import kernel_table  # noqa: E402
import virtual_environment  # noqa: E402


@dataclasses.dataclass
class Outcome:
    """Of one model."""

    name: str
    kind: str = "assembled"  # or refused, by the CPU too; empty, nothing of it runs on the GPU; failed
    faults: list = dataclasses.field(default_factory=list)
    launches: dict = dataclasses.field(default_factory=dict)  # by architecture
    usages: dict = dataclasses.field(default_factory=dict)  # by architecture and function


def networks():
    models = ROOT / "build/release/models/networks"
    found = [ROOT / "examples/digits/digits.onnx", *sorted(models.glob("*.onnx"))]
    if len(found) < 2:
        sys.exit(f"error: there are no networks in {models}; build the preset release")
    return found


def all_models():
    tests = [path for suite in SUITES for path in sorted(TESTS.glob(f"{suite}/*/model.onnx"))]
    if not tests:
        sys.exit(f"error: there are no tests of ONNX in {TESTS}; install Debian's libonnx-testdata")
    convolutions = sorted((ROOT / "build/release/models/convs").glob("*.onnx"))
    return networks() + convolutions + tests


def name_of(model):
    return model.parent.name if model.name == "model.onnx" else model.stem


def compile_for(daedalus, target, model, package):
    """What the compiler says of the layers, and its sentence where it refuses the model."""
    command = [daedalus, "compile", model, "-o", package, "--placement", "--json", "--target", target]
    if target == "cuda":
        command += ["--cuda-arch", ",".join(assembler.ARCHITECTURES)]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              timeout=TIMEOUT, check=False)
    except subprocess.TimeoutExpired:
        return None, f"compiling for {target} takes more than {TIMEOUT} s"
    if done.returncode:
        return None, f"exit status {done.returncode}: {done.stderr.strip()}"
    return json.loads(done.stdout)["layers"], None


def has_products(function, layers):
    """Whether a function is of a layer that multiplies, or may be: it is named kN_NODES$M."""
    nodes = re.fullmatch(r"k\d+_(.*)\$\d+", function).group(1)
    named = [layer for layer in layers if re.sub(r"[^A-Za-z0-9]+", "_", layer["node"]).lstrip("_") == nodes]
    return not named or any(layer["macs"] for layer in named)


def faults_of(architecture, launches, usages, layers):
    """Of what ptxas took: what is wrong with it."""
    faults = []
    for name in sorted({launch.function for launch in launches} - set(usages)):
        faults.append(f"{architecture}: the package launches '{name}', which its code does not have")
    for function, usage in usages.items():
        if usage.spilled and has_products(function, layers):
            faults.append(f"{architecture}: '{function}' spills {usage.spilled} bytes, of {usage.registers} registers")
    return faults


def assemble(daedalus, ptxas, model):
    """The outcome of a model."""
    outcome = Outcome(name_of(model))
    with tempfile.TemporaryDirectory() as folder:
        package = pathlib.Path(folder) / "package.dae"
        layers, refusal = compile_for(daedalus, "cuda", model, package)
        if refusal:
            is_refused = compile_for(daedalus, "cpu", model, package)[1]
            return Outcome(outcome.name, "refused") if is_refused else Outcome(outcome.name, "failed", [refusal])
        images, outcome.launches = device_code.read(package.read_bytes())
    if not any(outcome.launches.values()):
        return Outcome(outcome.name, "empty")
    for architecture in assembler.ARCHITECTURES:
        usages, refusal = assembler.assemble(ptxas, architecture, images[architecture])
        outcome.usages[architecture] = usages
        outcome.faults += ([f"{architecture}: {refusal}"] if refusal else
                           faults_of(architecture, outcome.launches[architecture], usages, layers))
    outcome.kind = "failed" if outcome.faults else "assembled"
    return outcome


def assemble_all(daedalus, ptxas, models):
    """Outcomes in order; what is wrong is printed at once."""
    with concurrent.futures.ThreadPoolExecutor(PROCESSES) as pool:
        for outcome in pool.map(lambda model: assemble(daedalus, ptxas, model), models):
            for fault in outcome.faults:
                print(f"{outcome.name}: {fault}", flush=True)
            yield outcome


def page_of(ptxas, outcomes):
    """docs/cuda_kernels.md, of the networks among the outcomes."""
    named = {name_of(model) for model in networks()}
    return kernel_table.table(assembler.version(ptxas), {
        outcome.name: (outcome.launches, outcome.usages) for outcome in outcomes if outcome.name in named})


def summary(outcomes):
    """One line."""
    kinds = collections.Counter(outcome.kind for outcome in outcomes)
    functions = sum(len(outcome.launches.get(assembler.ARCHITECTURES[0], ())) for outcome in outcomes)
    most = max((usage.registers for outcome in outcomes for usages in outcome.usages.values() for usage in usages.values()),
               default=0)
    return (f"{kinds['assembled']} models, {functions} functions, {' and '.join(assembler.ARCHITECTURES)}, at most {most} "
            f"registers; {kinds['empty']} without a kernel, {kinds['refused']} refused, {kinds['failed']} failed")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--daedalus", type=virtual_environment.tool, default=str(ROOT / "build/release/bin/daedalus"))
    parser.add_argument("--table", type=pathlib.Path, metavar="FILE")
    parser.add_argument("models", type=pathlib.Path, nargs="*", metavar="MODEL")
    options = parser.parse_args()
    virtual_environment.enter(ROOT / "build/cuda_assembly/venv", HERE / "requirements.txt")
    ptxas = assembler.find()
    outcomes = list(assemble_all(options.daedalus, ptxas, networks() if options.table else options.models or all_models()))
    is_good = not any(outcome.faults for outcome in outcomes)
    if options.table and is_good:
        options.table.write_text(page_of(ptxas, outcomes))
    elif not options.models and is_good and page_of(ptxas, outcomes) != (PAGE.exists() and PAGE.read_text()):
        is_good = False
        print(f"{PAGE} says other things of the networks; write it anew with {sys.argv[0]} --table {PAGE}")
    print(summary(outcomes))
    sys.exit(not is_good)


main()
