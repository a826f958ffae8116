#!/usr/bin/python3
"""Writes a network with a step of the processor's in its middle: convolution, Transpose, convolution; int8 in and out.

    mixed_net.py FILE.onnx
"""
import pathlib
import sys

sys.dont_write_bytecode = True
root = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(root / "tests/models"), str(root / "examples/firmware")]
from mobilenet import write
from quantized_net import QuantizedNet

net = QuantizedNet("mixed", (1, 3, 8, 8))
x = net.conv(net.image, 8, 3, name="conv1")
x = net.move("Transpose", [x], x.array.transpose(0, 2, 1, 3), "transpose_rows", perm=[0, 2, 1, 3])
x = net.conv(x, 8, 3, name="conv2")
write(net, [net.dense(net.flatten(net.global_average(x, name="mean")), 4, name="classifier")], sys.argv[1])
