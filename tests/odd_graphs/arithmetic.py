"""Elementwise operators, reductions and normalizations."""
import numpy as np

from moves import axis_of

FUNCTIONS = ["Relu", "LeakyRelu", "Sigmoid", "Tanh", "HardSigmoid", "HardSwish", "Elu", "Selu", "Softplus", "Abs", "Neg",
             "Floor", "Ceil", "Erf", "Softsign", "ThresholdedRelu", "Sin", "Sign"]


def function(g, x):
    return g.node(str(g.random.choice(FUNCTIONS)), [x])


def clip(g, x):
    r = g.random
    limits = sorted([g.far(x), g.far(x)], key=lambda c: g.values[c])
    if r.random() < 0.3:
        limits[int(r.integers(0, 2))] = ""
    return g.node("Clip", [x, *(limits if limits[1] else limits[:1])])


def max_min(g, x):
    op, shape = str(g.random.choice(["Max", "Min"])), g.values[x].shape
    other = g.far(x) if g.random.random() < 0.6 else g.far(x, shape)
    return g.node(op, [x, other][:: int(g.random.choice([-1, 1]))])


def arithmetic(g, x):
    r, shape = g.random, g.values[x].shape
    op = str(r.choice(["Add", "Sub", "Mul", "Div"]))
    other = g.far(x) if r.random() < 0.5 else g.far(x, tuple(int(n) if r.random() < 0.7 else 1 for n in shape))
    if op == "Div" and (g.values[other] == 0).any():
        op = "Mul"
    if g.is_quantized and r.random() < 0.5 and np.isfinite(g.values[other]).all():
        other = g.quantized_constant(other)
    return g.node(op, [x, other] if op == "Div" or r.random() < 0.5 else [other, x])


def pair(g, x):
    """With another tensor of the graph."""
    r, shape = g.random, g.values[x].shape
    others = [n for n in g.activations if g.values[n].shape == shape]
    return g.node(str(r.choice(["Add", "Sub", "Mul", "Max"])), [x, str(r.choice(others))] if others else [x, x])


def prelu(g, x):
    shape = g.values[x].shape
    slope = g.random.normal(size=[n if d == 1 else 1 for d, n in enumerate(shape)]).astype(np.float32)
    return g.node("PRelu", [x, g.constant(slope)])


def reduce(g, x):
    r = g.random
    op = str(r.choice(["ReduceMean", "ReduceMean", "ReduceSum", "ReduceMax", "ReduceMin", "ReduceL1", "ReduceProd"]))
    axes = sorted({axis_of(g, x) for _ in range(int(r.integers(1, 3)))})
    keeps = int(r.integers(0, 2))
    return g.node(op, [x, g.constant(np.array(axes, np.int64))], keepdims=keeps)


def softmax(g, x):
    return g.node("Softmax", [x], axis=axis_of(g, x))


def layer_norm(g, x):
    axis, shape = axis_of(g, x), g.values[x].shape
    parts = [g.constant(g.random.normal(size=shape[axis:]).astype(np.float32)) for _ in range(2)]
    if g.values[x].size == 0:
        raise g.unfit("no element")
    return g.node("LayerNormalization", [x, *parts], axis=axis)


def channel_norm(g, x):
    if g.values[x].ndim < 3 or g.values[x].size == 0:
        raise g.unfit("no channels")
    channels = g.values[x].shape[1]
    scale, shift, mean = (g.constant(g.random.normal(size=channels).astype(np.float32)) for _ in range(3))
    if g.random.random() < 0.5:
        return g.node("InstanceNormalization", [x, scale, shift])
    variance = g.constant(g.random.uniform(0.1, 2, channels).astype(np.float32))
    return g.node("BatchNormalization", [x, scale, shift, mean, variance])


def cumulative(g, x):
    return g.node("CumSum", [x, g.constant(np.array(axis_of(g, x), np.int64))])


OPERATORS = [function, function, clip, clip, max_min, max_min, arithmetic, arithmetic, pair, prelu, reduce, softmax,
             layer_norm, channel_norm, cumulative]
