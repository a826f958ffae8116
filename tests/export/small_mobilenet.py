#!/usr/bin/python3
"""MobileNetV1 0.25 at 96 x 96, two classes, int8, as MLPerf Tiny has it for visual wake words; random weights.

    small_mobilenet.py FILE.onnx
"""
import pathlib
import sys

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


net, outputs = small_mobilenet()
net.save(pathlib.Path(sys.argv[1]), outputs)
