"""ResNet-50 for resnet50.py: in float16 and quantized to int8, of any batch, and as the steps that cuDNN has functions for.
Both come from tests/models/topologies.py, with batch normalization folded and the same random weights."""
import dataclasses
import pathlib
import sys

import numpy
import onnx
from onnx import TensorProto, numpy_helper

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "models"))
import quantized_net
import topologies

TINY_PIXELS, TINY_SHARE = 64, 8  # channels are an eighth; fewer pixels leave one, without a variance, at the end


class HalfNet(quantized_net.QuantizedNet):
    """The same nodes without quantization: values keep the name under which they leave their node."""

    def emit_quantize(self, value):
        value.name = value.real
        return value

    def weights(self, name, x, w, b):
        return [self.constant(f"{name}_{kind}", array.astype(numpy.float16)) for kind, array in (("w", w), ("b", b))]


def tiny(net):
    class Tiny(net):
        def __init__(self, name, image_shape):
            super().__init__(name, (*image_shape[:2], TINY_PIXELS, TINY_PIXELS))

        def conv(self, x, out, *arguments, **named):
            return super().conv(x, out // TINY_SHARE, *arguments, **named)
    return Tiny


def make(folder, kind, batches, is_tiny):
    """Writes the model of a type for each batch; gives their files. Image and scores are of the type, too."""
    net = {"float16": HalfNet, "int8": quantized_net.QuantizedNet}[kind]
    topologies.QuantizedNet = tiny(net) if is_tiny else net
    built, outputs = topologies.resnet50(f"resnet50_{kind}")
    paths = {batch: folder / f"resnet50_{kind}_{batch}.onnx" for batch in batches}
    first = folder / f"resnet50_{kind}.onnx"
    built.save(first, outputs)
    for batch, path in paths.items():
        model = onnx.load(first)
        if kind == "int8":
            without_float_ends(model.graph)
        for value in (*model.graph.input, *model.graph.output):
            value.type.tensor_type.elem_type = TensorProto.INT8 if kind == "int8" else TensorProto.FLOAT16
            value.type.tensor_type.shape.dim[0].dim_value = batch
        onnx.save(model, path)
    return paths


def without_float_ends(graph):
    """Image and scores are int8, as cuDNN has them."""
    quantize, dequantize = graph.node[0], graph.node[-1]
    image, scores = quantize.output[0], dequantize.input[0]
    graph.node.remove(quantize)
    graph.node.remove(dequantize)
    graph.input[0].name, graph.output[0].name = image, scores


@dataclasses.dataclass
class Step:
    """A node, with what cuDNN computes in the same call: convolutions add a residual and apply ReLU."""
    kind: str
    name: str
    inputs: list
    output: str
    weight: numpy.ndarray = None  # [O, I, KH, KW]; of Gemm [O, I]
    bias: numpy.ndarray = None
    kernel: tuple = (1, 1)
    stride: int = 1
    pad: int = 0
    residual: str = None
    relu: bool = False


def steps_of(model):
    """Of a float16 model, in an order that can run."""
    constants = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    steps = []
    for node in model.graph.node:
        if node.op_type == "Relu":
            step = producer(steps, node.input[0])
            step.relu, step.output = True, node.output[0]
        elif node.op_type == "Add":  # behind both operands
            step = producer(steps, node.input[0])
            steps.remove(step)
            step.residual, step.output = node.input[1], node.output[0]
            steps.append(step)
        else:
            steps.append(step_of(node, constants))
    return steps


def producer(steps, name):
    return next(step for step in steps if step.output == name)


def step_of(node, constants):
    attributes = {attribute.name: onnx.helper.get_attribute_value(attribute) for attribute in node.attribute}
    weight, bias = [constants[name] for name in node.input[1:3]] or (None, None)
    return Step(node.op_type, node.name, [node.input[0]], node.output[0], weight, bias,
                tuple(attributes.get("kernel_shape", (1, 1))), attributes.get("strides", [1])[0],
                attributes.get("pads", [0])[0])
