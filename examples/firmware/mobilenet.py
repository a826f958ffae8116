#!/usr/bin/python3
"""Writes MobileNetV1 with a width of 0.25 for images of 96 x 96, as in MLPerf Tiny's visual wake words: int8 from `image`
[1, 96, 96, 3] to `classes` [1, 2], in QDQ form. Its weights are random; the cycles of a network do not depend on them.

Needs Debian 12's python3-numpy and python3-onnx:
    /usr/bin/python3 examples/firmware/mobilenet.py mobilenet.onnx
"""
import pathlib
import sys

import onnx
from onnx import TensorProto, helper

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests/models"))
from quantized_net import QuantizedNet

SIZE, WIDTH, CLASSES = 96, 0.25, 2
PLAN = [(64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2)] + [(512, 1)] * 5 + [(1024, 2), (1024, 1)]


def build():
    """Howard et al. 2017, table 1."""
    net = QuantizedNet("mobilenet", (1, 3, SIZE, SIZE))
    x = net.conv(net.image, int(32 * WIDTH), 3, 2, name="conv1")
    for i, (channels, stride) in enumerate(PLAN):
        x = net.conv(x, x.channels, 3, stride, groups=x.channels, name=f"block{i}.depthwise")
        x = net.conv(x, int(channels * WIDTH), 1, name=f"block{i}.pointwise")
    x = net.flatten(net.global_average(x, name="mean"))
    return net, [net.dense(x, CLASSES, name="classifier")]


def take_integers(model):
    """Inputs and outputs of int8, the image as cameras give it, [N, H, W, C]: a Transpose behind the first
    DequantizeLinear instead of a QuantizeLinear before it, and no DequantizeLinear at the end."""
    graph = model.graph
    first = next(node for node in graph.node if node.op_type == "QuantizeLinear" and node.input[0] == "image")
    last = next(node for node in graph.node if node.output[0] == graph.output[0].name)
    shapes = [[d.dim_value for d in value.type.tensor_type.shape.dim] for value in (graph.input[0], graph.output[0])]
    graph.node.remove(first)
    graph.node.remove(last)
    real = graph.node[0].output[0]
    for node in graph.node:
        node.input[:] = ["image" if name == first.output[0] else real + "_nchw" if name == real else name
                         for name in node.input]
    graph.node.insert(1, helper.make_node("Transpose", [real], [real + "_nchw"], name="transpose", perm=[0, 3, 1, 2]))
    for node in graph.node:
        node.output[:] = ["classes" if name == last.input[0] else name for name in node.output]
    n, c, h, w = shapes[0]
    graph.input[0].CopyFrom(helper.make_tensor_value_info("image", TensorProto.INT8, [n, h, w, c]))
    graph.output[0].CopyFrom(helper.make_tensor_value_info("classes", TensorProto.INT8, shapes[1]))


def write(net, outputs, path):
    net.save(path, outputs)
    model = onnx.load(path)
    take_integers(model)
    onnx.checker.check_model(model)
    onnx.save(model, path)


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    write(*build(), sys.argv[1])


if __name__ == "__main__":
    main()
