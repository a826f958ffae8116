"""Models of one node with extents of 0: of each input each dimension in turn, those of one size together, the first of all
inputs; each number of an input that says shapes, axes or counts; and the same node between DequantizeLinear and
QuantizeLinear.

    for what, model, values in emptied(base): ...
"""
import copy
import itertools

import numpy as np
from onnx import TensorProto, helper, numpy_helper

F, I8 = TensorProto.FLOAT, TensorProto.INT8
SCALES = {"x": 0.5, "y": 0.25}
ZEROS = {"x": 3, "y": -2}


def shape_of(value):
    return [d.dim_value for d in value.type.tensor_type.shape.dim]


def constants(model):
    return {tensor.name: tensor for tensor in model.graph.initializer}


def open_inputs(model):
    known = constants(model)
    return [value for value in model.graph.input if value.name not in known]


def frozen(base):
    """With what the test gives as constants: shapes, axes, indices, counts, and the scales of a resize."""
    model = copy.deepcopy(base.model)
    for value in list(open_inputs(model)):
        array = base.values.get(value.name)
        is_wide = array is not None and array.dtype.kind in "iu" and array.dtype.itemsize > 1
        if is_wide or (array is not None and value.name in ("scales", "roi")):
            model.graph.initializer.append(numpy_helper.from_array(np.asarray(array, order="C"), value.name))
            model.graph.input.remove(value)
    return model


def loosened(model):
    """Nothing says the shapes of outputs: they are others."""
    del model.graph.value_info[:]
    for value in model.graph.output:
        value.type.tensor_type.ClearField("shape")
    return model


def places(model):
    """Each dimension of each input and constant, and its size."""
    found = {}
    for value in open_inputs(model):
        for d, size in enumerate(shape_of(value)):
            found[value.name, d] = size
    for name, tensor in constants(model).items():
        for d, size in enumerate(tensor.dims):
            found[name, d] = size
    return found


def with_zeros(model, chosen):
    model = loosened(copy.deepcopy(model))
    for value in open_inputs(model):
        for d, dim in enumerate(value.type.tensor_type.shape.dim):
            if (value.name, d) in chosen:
                dim.dim_value = 0
    for tensor in model.graph.initializer:
        if any(name == tensor.name for name, _ in chosen):
            array = numpy_helper.to_array(tensor)
            shape = [0 if (tensor.name, d) in chosen else size for d, size in enumerate(array.shape)]
            tensor.CopyFrom(numpy_helper.from_array(np.zeros(shape, array.dtype), tensor.name))
    return model


def sets_of(found):
    """The dimensions that become 0 together."""
    sets = [[place] for place in found]
    sets += [list(pair) for pair in itertools.combinations(found, 2)
             if found[pair[0]] == found[pair[1]] and pair[0][0] != pair[1][0]]
    for size in set(found.values()):
        sets.append([place for place in found if found[place] == size])
    sets.append([place for place in found if place[1] == 0])
    return {tuple(sorted(places)): None for places in sets if places}


def numbers_of(model):
    """Each number of constants of few integers as 0, but for divisors."""
    if model.graph.node[0].op_type in ("Div", "Mod"):
        return
    for at, tensor in enumerate(model.graph.initializer):
        array = numpy_helper.to_array(tensor)
        if array.dtype.kind not in "iu" or array.dtype.itemsize == 1 or array.ndim > 1 or array.size > 8:
            continue
        for i in range(array.size):
            if array.reshape(-1)[i] == 0:
                continue
            changed = array.copy()
            changed.reshape(-1)[i] = 0
            mutant = loosened(copy.deepcopy(model))
            mutant.graph.initializer[at].CopyFrom(numpy_helper.from_array(changed, tensor.name))
            yield f"{tensor.name}[{i}]", mutant


def quantized(model):
    """The node with its floats between casts of int8; nothing where it has none."""
    model = loosened(copy.deepcopy(model))
    node = model.graph.node[0]
    inputs = [value for value in open_inputs(model) if value.type.tensor_type.elem_type == F]
    outputs = [value for value in model.graph.output if value.type.tensor_type.elem_type == F]
    opset = next(o.version for o in model.opset_import if o.domain in ("", "ai.onnx"))
    if opset < 10 or not inputs or not outputs or "Quantize" in node.op_type:
        return None
    before, behind = [], []
    for side in SCALES:
        model.graph.initializer.append(numpy_helper.from_array(np.float32(SCALES[side]).reshape(()), f"{side}_scale"))
        model.graph.initializer.append(numpy_helper.from_array(np.int8(ZEROS[side]).reshape(()), f"{side}_zero"))
    for value in inputs:
        name, value.name = value.name, f"{value.name}_q"
        value.type.tensor_type.elem_type = I8
        before.append(helper.make_node("DequantizeLinear", [value.name, "x_scale", "x_zero"], [name]))
    for value in outputs:
        name, value.name = value.name, f"{value.name}_q"
        value.type.tensor_type.elem_type = I8
        behind.append(helper.make_node("QuantizeLinear", [name, "y_scale", "y_zero"], [value.name]))
    nodes = [*before, node, *behind]
    copies = [copy.deepcopy(n) for n in nodes]
    del model.graph.node[:]
    model.graph.node.extend(copies)
    return model


def emptied(base):
    """What became 0, and the model."""
    model = frozen(base)
    changed = list(numbers_of(model))
    for form, of in (("", model), ("quantized ", quantized(model))):
        if of is None:
            continue
        # the scales and zero points of the casts stay scalars
        found = {place: size for place, size in places(of).items() if not place[0].endswith(("_scale", "_zero"))}
        for chosen in sets_of(found):
            mutant = with_zeros(of, set(chosen))
            yield form + " ".join(f"{name}:{d}" for name, d in chosen), mutant
            if not form:
                changed += [(f"{what} {' '.join(f'{n}:{d}' for n, d in chosen)}", both)
                            for what, both in numbers_of(mutant)]
    yield from changed
