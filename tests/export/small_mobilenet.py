#!/usr/bin/python3
"""MobileNetV1 0.25 at 96 x 96, two classes, int8 from end to end, as MLPerf Tiny has it for visual wake words; random weights.

    small_mobilenet.py FILE.onnx
"""
import pathlib
import sys

import onnx
from onnx import TensorProto, helper

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "models"))
from quantized_net import QuantizedNet
from topologies import classifier


def small_mobilenet():
    net = QuantizedNet("small_mobilenet", (1, 3, 96, 96))
    x = net.conv(net.image, 8, 3, 2, name="conv1")
    plan = [(16, 1), (32, 2), (32, 1), (64, 2), (64, 1), (128, 2)] + [(128, 1)] * 5 + [(256, 2), (256, 1)]
    for i, (channels, stride) in enumerate(plan):
        x = net.conv(x, x.channels, 3, stride, groups=x.channels, name=f"block{i}.depthwise")
        x = net.conv(x, channels, 1, name=f"block{i}.pointwise")
    return net, classifier(net, x, classes=2)


def make_int8(path):
    """The model with an int8 image in the order of cameras, [1, 96, 96, 3], and int8 results."""
    model = onnx.load(path)
    graph = model.graph
    nodes = []
    for node in graph.node:
        if node.op_type == "QuantizeLinear" and node.input[0] == "image":
            continue
        if node.output[0] == graph.output[0].name:
            result = node.input[0]
            continue
        nodes.append(node)
        if node.output[0] == "image_q":  # dequantized
            node.input[0], node.output[0] = "image", "channels_last"
            nodes.append(helper.make_node("Transpose", ["channels_last"], ["image_q"], perm=[0, 3, 1, 2]))
    image = helper.make_tensor_value_info("image", TensorProto.INT8, [1, 96, 96, 3])
    output = helper.make_tensor_value_info(result, TensorProto.INT8, [1, 2])
    made = helper.make_graph(nodes, graph.name, [image], [output], graph.initializer)
    model.graph.CopyFrom(made)
    onnx.save(model, path)


net, outputs = small_mobilenet()
net.save(pathlib.Path(sys.argv[1]), outputs)
make_int8(sys.argv[1])
