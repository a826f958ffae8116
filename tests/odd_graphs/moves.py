"""Operators that move elements and put constants beside them."""
import numpy as np


def axis_of(g, x):
    rank = g.values[x].ndim
    if rank == 0:
        raise g.unfit("a scalar")
    return int(g.random.integers(0, rank))


def pad(g, x):
    r, rank = g.random, g.values[x].ndim
    mode = str(r.choice(["constant", "constant", "constant", "edge", "reflect"]))
    pads = r.integers(-1 if mode == "constant" else 0, 3, 2 * rank)
    if mode == "reflect":
        pads = np.minimum(pads, [*np.array(g.values[x].shape) - 1] * 2).clip(0)
    inputs = [x, g.constant(pads.astype(np.int64))]
    if mode == "constant" and r.random() < 0.9:
        inputs.append(g.far(x))
    return g.node("Pad", inputs, mode=mode)


def where(g, x):
    r, shape = g.random, g.values[x].shape
    some = tuple(int(n) if r.random() < 0.6 else 1 for n in shape)[int(r.integers(0, len(shape) + 1)):]
    condition = g.constant(r.random(some) < 0.5)
    other = g.far(x) if r.random() < 0.6 else g.far(x, some)
    return g.node("Where", [condition, *([x, other] if r.random() < 0.5 else [other, x])])


def concat(g, x):
    axis, shape = axis_of(g, x), list(g.values[x].shape)
    shape[axis] = int(g.random.choice([0, 1, 2, 5]))
    parts = [x, g.far(x, tuple(shape)) if g.random.random() < 0.6 else x]
    return g.node("Concat", parts[:: int(g.random.choice([-1, 1]))], axis=axis)


def scatter_nd(g, x):
    r, shape = g.random, g.values[x].shape
    if not shape or 0 in shape:
        raise g.unfit("nowhere to scatter")
    rows = r.permutation(shape[0])[: int(r.integers(0, shape[0] + 1))]
    return g.node("ScatterND", [x, g.constant(rows[:, None].astype(np.int64)), g.far(x, (len(rows), *shape[1:]))])


def scatter_elements(g, x):
    r, axis, shape = g.random, axis_of(g, x), list(g.values[x].shape)
    if 0 in shape:
        raise g.unfit("nowhere to scatter")
    indices = np.broadcast_to(np.reshape(int(r.integers(0, shape[axis])), [1] * len(shape)),
                              [1 if d == axis else n for d, n in enumerate(shape)]).astype(np.int64)
    return g.node("ScatterElements", [x, g.constant(indices), g.far(x, indices.shape)], axis=axis)


def resize(g, x):
    r, shape = g.random, g.values[x].shape
    if len(shape) != 4:
        raise g.unfit("no image")
    scales = g.constant(np.array([1, 1, *r.choice([0.5, 1, 1.5, 2, 3], 2)], np.float32))
    mode = str(r.choice(["nearest", "nearest", "linear"]))
    return g.node("Resize", [x, "", scales], mode=mode, coordinate_transformation_mode="asymmetric",
                  **({"nearest_mode": "floor"} if mode == "nearest" else {}))


def cut(g, x):
    r, axis = g.random, axis_of(g, x)
    size = g.values[x].shape[axis]
    begin, end = sorted(int(i) for i in r.integers(0, size + 1, 2))
    if r.random() < 0.3:
        begin, end, step = end, begin - 1 - size if begin else -size - 1, -int(r.integers(1, 3))
    else:
        step = int(r.integers(1, 3))
    return g.node("Slice", [x, *(g.constant(np.array([v], np.int64)) for v in (begin, end, axis, step))])


def transpose(g, x):
    perm = [int(i) for i in g.random.permutation(g.values[x].ndim)]
    return g.node("Transpose", [x], **({"perm": perm} if perm else {}))  # a list without a number has no type


def flatten(g, x):
    return g.node("Flatten", [x], axis=axis_of(g, x))


def reshape(g, x):
    shape = [n for n in g.values[x].shape if n != 1] or [1]
    return g.node("Reshape", [x, g.constant(np.array(shape, np.int64))], allowzero=1)


def gather(g, x):
    r, axis = g.random, axis_of(g, x)
    size = g.values[x].shape[axis]
    count = int(r.integers(0, 4)) if size else 0
    return g.node("Gather", [x, g.constant(r.integers(-size, max(size, 1), count).astype(np.int64))], axis=axis)


def expand(g, x):
    shape = [int(g.random.choice([0, 2, 3])) if n == 1 else int(n) for n in g.values[x].shape]
    return g.node("Expand", [x, g.constant(np.array(shape, np.int64))])


def tile(g, x):
    return g.node("Tile", [x, g.constant(g.random.integers(1, 3, g.values[x].ndim).astype(np.int64))])


def trilu(g, x):
    if g.values[x].ndim < 2:
        raise g.unfit("no matrix")
    return g.node("Trilu", [x], upper=int(g.random.integers(0, 2)))


def space(g, x):
    op = str(g.random.choice(["DepthToSpace", "SpaceToDepth"]))
    if g.values[x].ndim != 4 or g.values[x].size == 0:
        raise g.unfit("no image")
    return g.node(op, [x], blocksize=2)


OPERATORS = [pad, pad, pad, where, where, concat, concat, scatter_nd, scatter_elements, resize, resize, cut, transpose,
             flatten, reshape, gather, expand, tile, trilu, space]
