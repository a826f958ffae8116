"""Operators with windows, and products. Each takes a graph and the name of a tensor and gives that of its result."""
import numpy as np

CHANNELS = [1, 2, 3, 5, 8, 16, 17, 33]


def image(g, x):
    if g.values[x].ndim != 4 or g.values[x].size == 0:
        raise g.unfit("no image")
    return g.values[x].shape


def window(g, largest=5, dilated=True):
    """Sizes of a window that may be larger than the image, with strides that may be larger than the window."""
    r = g.random
    kernel = [int(r.choice([1, 2, 3, largest])) for _ in range(2)]
    dilations = [int(r.choice([1, 1, 1, 2, 3])) if dilated else 1 for _ in range(2)]
    pads = [int(r.integers(0, k)) for k in kernel] + [int(r.integers(0, k)) for k in kernel]
    return {"kernel_shape": kernel, "strides": [int(r.choice([1, 1, 2, 3, 4])) for _ in range(2)], "pads": pads,
            "dilations": dilations}


def weights(g, shape, axis):
    """Quantized weights, of one scale or one a channel; or floats, in a graph of floats. And their scales."""
    r = g.random
    if not g.is_quantized:
        return g.constant(r.normal(size=shape).astype(np.float32)), None
    scales = r.uniform(0.002, 0.02, shape[axis] if r.random() < 0.5 else ()).astype(np.float32)
    q = g.constant(r.integers(-128, 128, shape).astype(np.int8))
    zero = g.constant(np.zeros(scales.shape, np.int8))
    attributes = {"axis": axis} if scales.shape else {}
    return g.node("DequantizeLinear", [q, g.constant(scales), zero], **attributes), scales


def bias(g, x, outputs, scales):
    """Of int32 at the scale of the products, or floats; or none."""
    r = g.random
    if r.random() < 0.3:
        return []
    if scales is None or x not in g.scales or r.random() < 0.3:
        return [g.constant((r.normal(size=outputs) * g.spread(x)).astype(np.float32))]
    units = np.asarray(scales * np.float32(g.scales[x]), np.float32)
    q = g.constant(r.integers(-20000, 20000, outputs).astype(np.int32))
    attributes = {"axis": 0} if units.shape else {}
    return [g.node("DequantizeLinear", [q, g.constant(units), g.constant(np.zeros(units.shape, np.int32))], **attributes)]


def conv(g, x):
    r, channels = g.random, image(g, x)[1]
    groups = int(r.choice([1, 1, 1, channels]))
    outputs = groups * int(r.integers(1, 3)) if groups > 1 else int(r.choice(CHANNELS))
    attributes = window(g, int(r.choice([5, 7])))
    w, scales = weights(g, [outputs, channels // groups, *attributes["kernel_shape"]], 0)
    if r.random() < 0.15:
        attributes.update(auto_pad=str(r.choice(["SAME_UPPER", "SAME_LOWER", "VALID"])))
        del attributes["pads"]
    return g.node("Conv", [x, w, *bias(g, x, outputs, scales)], group=groups, **attributes)


def conv_transpose(g, x):
    r, channels = g.random, image(g, x)[1]
    attributes = window(g, 4)
    strides = attributes["strides"]
    groups = int(r.choice([1, 1, channels]))
    outputs = int(r.choice([1, 2, 3, 9])) * groups
    w, scales = weights(g, [channels, outputs // groups, *attributes["kernel_shape"]], 1)
    if r.random() < 0.4:
        attributes["output_padding"] = [int(r.integers(0, s)) for s in strides]
    return g.node("ConvTranspose", [x, w, *bias(g, x, outputs, scales if scales is None or not scales.shape else None)],
                  group=groups, **attributes)


def max_pool(g, x):
    image(g, x)
    return g.node("MaxPool", [x], **window(g, 4))


def average_pool(g, x):
    image(g, x)
    attributes = window(g, 4, False)
    del attributes["dilations"]
    return g.node("AveragePool", [x], count_include_pad=int(g.random.integers(0, 2)), **attributes)


def global_pool(g, x):
    image(g, x)
    return g.node(str(g.random.choice(["GlobalAveragePool", "GlobalMaxPool"])), [x])


def matmul(g, x):
    shape = g.values[x].shape
    if len(shape) < 2:
        raise g.unfit("a vector")
    outputs = int(g.random.choice(CHANNELS))
    w, scales = weights(g, [shape[-1], outputs], 1)
    y = g.node("MatMul", [x, w])
    return g.node("Add", [y, *bias(g, x, outputs, scales)]) if g.random.random() < 0.5 and g.values[y].size else y


def gemm(g, x):
    shape = g.values[x].shape
    if len(shape) != 2:
        raise g.unfit("no matrix")
    outputs, turned = int(g.random.choice(CHANNELS)), int(g.random.integers(0, 2))
    w, scales = weights(g, [outputs, shape[1]] if turned else [shape[1], outputs], 1 - turned)
    return g.node("Gemm", [x, w, *bias(g, x, outputs, scales)], transB=turned)


def product_of_inputs(g, x):
    rank = g.values[x].ndim
    if rank < 2:
        raise g.unfit("a vector")
    turned = g.node("Transpose", [x], perm=[*range(rank - 2), rank - 1, rank - 2])
    return g.node("MatMul", [x, turned] if g.random.random() < 0.5 else [turned, x])


OPERATORS = [conv, conv, conv, conv_transpose, max_pool, average_pool, global_pool, matmul, gemm, product_of_inputs]
