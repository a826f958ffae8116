"""Whether values are those of ONNX's definition: integers that a quantization made to one step, floats to 1e-3."""
import numpy as np

import onnx_runtime
from build_graph import evaluate, model_of

TOLERANCE = {"rtol": 1e-3, "equal_nan": True}


def difference(got, wanted, steps, scale=None):
    """Empty: the same. `steps` are how far apart integers may be, and floats that are dequantized with one scale."""
    wanted = np.asarray(wanted)
    if got.dtype != wanted.dtype or got.shape != wanted.shape:
        return f"{got.dtype} {got.shape} for {wanted.dtype} {wanted.shape}"
    if got.dtype.kind == "f":
        size = np.abs(wanted[np.isfinite(wanted)]).max(initial=0)
        atol = 1e-5 * max(size, 1e-3) + (scale or 0) * steps
        near = np.isclose(got, wanted, atol=atol, **TOLERANCE)
        return "" if near.all() else shown(got, wanted, near)
    near = np.abs(got.astype(int) - wanted.astype(int)) <= steps
    return "" if near.all() else shown(got, wanted, near)


def shown(got, wanted, near):
    return f"{(~near).sum()} of {near.size}: {got[~near][:5]} for {wanted[~near][:5]}"


def stage(model, output, array, stops):
    """The part of a model that makes `output`, of the type of `array`, of the tensors in `stops` and of the inputs, and
    what it reads."""
    shapes = {i.name: i for i in [*model.graph.input, *model.graph.output]}
    constants = {c.name for c in model.graph.initializer}
    wanted, nodes = {output}, []
    for node in reversed(model.graph.node):
        if wanted & set(node.output) and (node.output[0] == output or node.output[0] not in stops):
            nodes.insert(0, node)
            wanted.update(node.input)
    made = {node.output[0] for node in nodes}
    reads = [n for n in shapes if n in wanted and n not in made]
    part = model_of(nodes, [], [(output, array)], [])
    part.graph.input.extend(shapes[n] for n in reads)
    part.graph.initializer.extend(c for c in model.graph.initializer if c.name in wanted & constants)
    return part, reads


def stage_differences(model, inputs, outputs):
    """For each output that is not what ONNX's evaluator makes of the integers that the other outputs hold: its stage, what
    that reads, and how it differs."""
    known = inputs | outputs
    quantized = {name for name, array in outputs.items() if array.dtype.itemsize == 1}
    for name, got in outputs.items():
        part, reads = stage(model, name, got, quantized - {name})
        if not part.graph.node:
            continue
        feeds = {n: known[n] for n in reads}
        found = difference(got, evaluate(part, feeds)[0], steps_of(part))
        if found:
            yield part, feeds, got, found


def steps_of(part):
    return 1 if part.graph.node[-1].op_type == "QuantizeLinear" else 0


def agrees_with_onnxruntime(part, feeds, got):
    """Whether ONNX Runtime without its optimizations gives it too."""
    return not difference(got, onnx_runtime.outputs_of(part.SerializeToString(), feeds)[0], steps_of(part))
