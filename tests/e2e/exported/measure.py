"""One quantized model through `daedalus`: placement, cycles and bound, bytes against the CPU's, and outputs
against ONNX Runtime's, counted in quantization steps."""
import json
import re
import subprocess

import numpy as np
import onnx

PRODUCTS = re.compile("Conv|Gemm|MatMul|LSTM|GRU|RNN")  # a normalization may run as a convolution, and is none
MOVES = ("Reshape", "Flatten", "Transpose", "Squeeze", "Unsqueeze", "Identity")


class Refused(Exception):
    """One sentence, or how the process ended."""


def run(daedalus, *arguments):
    done = subprocess.run([daedalus, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode == 0:
        return json.loads(done.stdout)
    lines = done.stderr.decode(errors="replace").strip().splitlines() or [""]
    if done.returncode == 1:
        raise Refused(lines[-1].removeprefix("daedalus: error: "))
    raise Refused(f"CRASH, exit status {done.returncode}: {lines[-1]}")


def operator_of(model):
    """The operator of each node, by the names that the placement has."""
    named = {node.name or f"{node.op_type}_{at}": node.op_type for at, node in enumerate(model.graph.node)}
    return {**named, **{output.name: "output" for output in model.graph.output}}


def input_of(model):
    constants = {tensor.name for tensor in model.graph.initializer}
    return next(value.name for value in model.graph.input if value.name not in constants)


def step_of(model, output):
    """The scale of the DequantizeLinear in front of an output; None: the output is not quantized."""
    producers = {name: node for node in model.graph.node for name in node.output}
    constants = {tensor.name: tensor for tensor in model.graph.initializer}
    node = producers.get(output)
    while node is not None and node.op_type in MOVES:
        node = producers.get(node.input[0])
    if node is None or node.op_type != "DequantizeLinear" or node.input[1] not in constants:
        return None
    return float(onnx.numpy_helper.to_array(constants[node.input[1]]).max())


def difference(got, wanted, step):
    """The largest in steps, and the share of elements that differ by half a step or more. An output that is not
    quantized has steps of a 255th of its range."""
    step = step or max(float(np.ptp(wanted)), 1e-9) / 255
    steps = np.abs(got.astype(np.float64) - wanted) / step
    return {"steps": float(steps.max()), "share": float((steps >= 0.5).mean())}


def worst(differences):
    return max(differences, key=lambda d: (d["steps"], d["share"]))


def compare(daedalus, package, model, reference, folder):
    name = input_of(model)
    np.save(folder / "input.npy", reference["input"])
    result = run(daedalus, "run", package, "--input", f"{name}={folder / 'input.npy'}", "--output", folder / "outputs",
                 "--json")
    steps = [step_of(model, output.name) for output in model.graph.output]
    got = [np.load(path_of(folder / "outputs", output.name)) for output in model.graph.output]
    off, on = ([reference[f"{kind}_{i}"] for i in range(len(got))] for kind in ("off", "on"))
    return result, {
        "quantized_output": all(steps),
        "difference": worst([difference(*each) for each in zip(got, off, steps)]),
        "runtimes_own": worst([difference(*each) for each in zip(on, off, steps)]),
    }


def path_of(folder, name):
    path = folder / f"{name}.npy"
    return path if path.exists() else folder / (re.sub(r"[^\w.-]", "_", name) + ".npy")


def layers_of(placement, operators, products):
    """The layers of the placement with the operators of their nodes and whether they are depthwise."""
    layers = []
    for layer in placement["layers"]:
        nodes = [re.sub(r"_quant$", "", node) for node in layer["node"].split(" + ")]
        found = [operators.get(node) or operators.get(node + "_quant") or "?" for node in nodes]
        kept = [name for name in found if name not in ("QuantizeLinear", "DequantizeLinear")] or found
        groups = [products[node]["group"] for node in nodes if node in products]
        layers.append({**layer, "operator": "+".join(dict.fromkeys(kept)), "grouped": any(g > 1 for g in groups)})
    return layers


def times_of(daedalus, path, layers):
    """Adds the microseconds of each layer on the CPU of this host, measured once."""
    rows = run(daedalus, "bench", "targets", path, "--repeat", 1, "--json")["layers"]
    for layer, row in zip(layers, rows):
        layer["cpu_us"] = row["on_cpu"] and row["on_cpu"]["seconds"] * 1e6


def measure(daedalus, folder, products, times):
    path, package = folder / "model.onnx", folder / "model.dae"
    operators_model = onnx.load(path, load_external_data=False)
    placement = run(daedalus, "compile", path, "--placement", "--json", "-o", package)
    layers = layers_of(placement, operator_of(operators_model), products)
    reference = np.load(folder / "reference.npz")
    result, row = compare(daedalus, package, operators_model, reference, folder)
    for layer, ran in zip(layers, result["layers"]):
        layer["cycles"] = ran["cycles"]
    row.update(verdict="ran", cycles=result["cycles"], layers=layers)
    row["macs"] = sum(product["macs"] for product in products.values())
    accelerated = sum(layer["macs"] for layer in layers
                      if layer["target"] == "accelerator" and PRODUCTS.search(layer["operator"]))
    row["accelerated"] = accelerated / max(row["macs"], 1)
    if result["cycles"]:
        bound = run(f"{daedalus}-bench", "networks", "model", "--models", folder, "--json")[0]
        row.update(bound=max(bound["mac_cycles"], bound["dram_cycles"]), same_bytes=bound["verified"])
        grouped = sum(layer["cycles"] for layer in layers if layer["grouped"])
        row["depthwise"] = grouped / result["cycles"]
    if times:
        times_of(daedalus, path, layers)
    package.unlink()
    return row
