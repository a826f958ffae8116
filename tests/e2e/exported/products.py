"""How many multiply-accumulates each node of a float model takes, by the shapes of a run of it: what the share on
the accelerator is measured against, counted without the compiler."""
import math

import numpy as np
import onnx
import onnxruntime

RECURRENT = ("LSTM", "GRU", "RNN")
COUNTED = ("Conv", "ConvTranspose", "Gemm", "MatMul", *RECURRENT)


def macs(node, shapes):
    left, right, output = (shapes[name] for name in (node.input[0], node.input[1], node.output[0]))
    if node.op_type == "Conv":
        return math.prod(output) * math.prod(right[1:])
    if node.op_type == "ConvTranspose":
        return math.prod(left) * math.prod(right[1:])
    if node.op_type in RECURRENT:  # the input's first dimensions are steps and batch, in either order
        return left[0] * left[1] * (math.prod(right) + math.prod(shapes[node.input[2]]))
    turned = node.op_type == "Gemm" and any(a.name == "transA" and a.i for a in node.attribute)
    return math.prod(output) * left[0 if turned else -1]


def shapes_of(path, given):
    """The shape of every operand and result of the counted nodes."""
    model = onnx.load(path)
    constants = {tensor.name: tuple(tensor.dims) for tensor in model.graph.initializer}
    wanted = {name for node in model.graph.node if node.op_type in COUNTED
              for name in [*node.input[:3], node.output[0]] if name} - set(constants) - set(given)
    if not wanted:
        return {**constants, **{name: np.shape(value) for name, value in given.items()}}
    del model.graph.output[:]
    model.graph.output.extend(onnx.helper.make_empty_tensor_value_info(name) for name in sorted(wanted))
    traced = path.with_name("traced.onnx")
    onnx.save(model, traced, save_as_external_data=True, location="traced.data")
    session = onnxruntime.InferenceSession(str(traced), providers=["CPUExecutionProvider"])
    values = dict(zip(sorted(wanted), session.run(sorted(wanted), given)))
    for file in (traced, path.with_name("traced.data")):
        file.unlink(missing_ok=True)
    return {**constants, **{name: np.shape(value) for name, value in {**values, **given}.items()}}


def products(path, given):
    """By node: its multiply-accumulates, and its group where it is a convolution's."""
    shapes = shapes_of(path, given)
    found = {}
    for at, node in enumerate(onnx.load(path, load_external_data=False).graph.node):
        if node.op_type in COUNTED:
            group = next((a.i for a in node.attribute if a.name == "group"), 1)
            found[node.name or f"{node.op_type}_{at}"] = {"macs": macs(node, shapes), "group": group}
    return found
