"""Faults of one node, each a refusal by construction: what was changed, what the sentence has to name, and the value that
it has to say."""
import copy

import numpy as np
from onnx import AttributeProto, TensorProto, helper, numpy_helper

HUGE = 1234567890123
KINDS = {1: "a float", 2: "an integer", 3: "a string", 4: "a tensor", 6: "floats", 7: "integers", 8: "strings"}
NAMES = {TensorProto.FLOAT: "float32", TensorProto.DOUBLE: "float64", TensorProto.BOOL: "bool", TensorProto.UINT8: "uint8",
         TensorProto.INT32: "int32", TensorProto.INT64: "int64", TensorProto.INT16: "int16", TensorProto.STRING: "string",
         TensorProto.COMPLEX64: "complex64"}


class Fault:
    """`subjects` and `values`: of each the sentence has to hold one; `of` is a node or a tensor."""

    def __init__(self, kind, what, model, subjects=(), values=(), of="node"):
        self.kind, self.what, self.model, self.of = kind, what, model, of
        self.subjects, self.values = list(subjects), list(values)


def quoted(name):
    return f"'{name}'"


def changed(base):
    """A copy, and its node; where the base's shapes are known without the declared ones, a fault is not refused for those."""
    model = loosened(base.model) if base.is_loose else copy.deepcopy(base.model)
    return model, model.graph.node[0]


def loosened(model):
    """A copy that says no shapes of its outputs."""
    model = copy.deepcopy(model)
    for value in [*model.graph.output, *model.graph.value_info]:
        value.type.tensor_type.ClearField("shape")
    return model


def attribute_of(node, key):
    for attribute in node.attribute:
        if attribute.name == key:
            return attribute
    return node.attribute.add(name=key)


def attribute_to_set(base, node, key):
    """A Constant has one attribute alone."""
    if base.operator == "Constant":
        node.ClearField("attribute")
    return attribute_of(node, key)


def set_attribute(attribute, kind, value):
    name = attribute.name
    attribute.Clear()
    attribute.CopyFrom(helper.make_attribute(name, value))
    attribute.type = kind


LIMITED = ("epsilon", "clip", "ratio")  # floats that may not be negative
SAMPLES = {1: 1.5, 2: 1, 3: "bogus", 4: numpy_helper.from_array(np.zeros(2, np.float32), "t"), 6: [1.5, 2.5], 7: [1, 2],
           8: ["a", "b"]}
OTHER = {1: [2, 3], 2: [1, 3, 7], 3: [2, 8], 4: [1, 7], 6: [1, 7], 7: [2, 6], 8: [3, 7]}


def list_text(values):
    return "[" + ",".join(str(value) for value in values) + "]"


def bad_values(key, kind, own):
    """Values of an attribute's own kind, with their words in a sentence; one is `own` where it is cut off to 32 bits."""
    if kind == AttributeProto.INT:
        return [(v, [str(v)]) for v in (HUGE, -HUGE, own + 2**32, 99, -99)]
    if kind == AttributeProto.FLOAT:
        return [(float("nan"), ["nan"]), (float("inf"), ["inf"]), *([(-7.5, ["-7.5"])] if key in LIMITED else [])]
    if kind == AttributeProto.STRING:
        return [("bogus", ["'bogus'"]), ("", ["''"])]
    if kind == AttributeProto.INTS:
        many = [1] * 11
        return [(many, [list_text(many), " 11 ", "[11]"]), ([HUGE, HUGE], [str(HUGE)]), ([-HUGE, -HUGE], [str(-HUGE)])]
    if kind == AttributeProto.FLOATS:
        return [([float("nan")], ["nan"]), ([1.5] * 11, [" 11 ", "1.5"])]
    if kind == AttributeProto.STRINGS:
        return [(["bogus"], ["'bogus'", " 1 "]), (["bogus"] * 11, [" 11 ", "'bogus'"])]
    return []


def attribute_faults(base):
    for key, kind in sorted(base.kinds.items()):
        if kind not in SAMPLES:
            continue
        for other in OTHER[kind]:
            model, node = changed(base)
            set_attribute(attribute_to_set(base, node, key), other, SAMPLES[other])
            yield Fault("attribute of another kind", f"{key} = {KINDS[other]}", model, [quoted(key)], [KINDS[other]])
        own = next((attribute.i for attribute in base.node.attribute if attribute.name == key), 1)
        values = [] if base.operator == "Constant" else bad_values(key, kind, own)  # of a constant every one is good
        for value, words in values:
            model, node = changed(base)
            set_attribute(attribute_to_set(base, node, key), kind, value)
            yield Fault("attribute value", f"{key} = {value}", model, [quoted(key)], words)
        if kind in (AttributeProto.INTS, AttributeProto.FLOATS, AttributeProto.STRINGS):
            model, node = changed(base)
            attribute = attribute_to_set(base, node, key)
            attribute.Clear()
            attribute.name, attribute.type = key, kind
            yield Fault("attribute value", f"{key} = []", model, [quoted(key)], ["[]", " 0 ", "[0]"])
        if key in base.required:
            model, node = changed(base)
            node.attribute.remove(attribute_of(node, key))
            yield Fault("attribute left out", key, model, [quoted(key)], [" no "])
        if any(attribute.name == key for attribute in base.node.attribute):
            model, node = changed(base)
            node.attribute.add().CopyFrom(attribute_of(node, key))
            yield Fault("attribute twice", key, model, [quoted(key)], ["twice"])
    model, node = changed(base)
    set_attribute(node.attribute.add(name="frobnicate"), AttributeProto.INT, 1)
    yield Fault("unknown attribute", "frobnicate", model, ["'frobnicate'"])


def count_faults(base):
    for at, name in enumerate(base.node.input):
        if at in base.optional or not name:
            continue
        model, node = changed(base)
        node.input[at] = ""
        yield Fault("input left out", str(at), model, [f"input {at}", quoted(name)])
    if base.node.input:
        model, node = changed(base)
        del node.input[max(base.least - 1, 0):]
        yield Fault("too few inputs", str(len(node.input)), model, ["input"], [f"has {len(node.input)} "])
    if base.most is not None and base.most < 1000:
        model, node = changed(base)
        first = [*base.node.input, *[v.name for v in model.graph.input], ""][0]
        while first and len(node.input) <= base.most:
            node.input.append(first)
        if first:
            yield Fault("too many inputs", str(base.most + 1), model, ["input"],
                        [f"has {base.most + 1} "])
    model, node = changed(base)
    node.output.extend(f"more{i}" for i in range(9))
    model.graph.output.extend(helper.make_tensor_value_info(f"more{i}", TensorProto.FLOAT, None) for i in range(9))
    yield Fault("too many outputs", str(len(node.output)), model, ["output"],
                [f"{len(node.output)} ", f"{len(node.output)},"])


def value_of(model, name):
    return next((value for value in model.graph.input if value.name == name), None)


def type_faults(base):
    for at, name in enumerate(base.node.input):
        if value_of(base.model, name) is None:
            continue
        for dtype in [*base.wrong.get(at, []), TensorProto.STRING, TensorProto.COMPLEX64]:
            model, _ = changed(base)
            value_of(model, name).type.tensor_type.elem_type = dtype
            yield Fault("input type", f"{name} {NAMES[dtype]}", model, [quoted(name)], [NAMES[dtype]],
                        "tensor" if dtype in (TensorProto.STRING, TensorProto.COMPLEX64) else "node")


def shapes_near(shape):
    yield []
    yield [*shape, 1]
    yield [1, *shape]
    yield [*shape, 7, 7]
    if shape:
        yield shape[1:]
        yield shape[:-1]
    for d in range(len(shape)):
        yield [*shape[:d], shape[d] + 1, *shape[d + 1:]]
        yield [*shape[:d], 0, *shape[d + 1:]]
        yield [*shape[:d], HUGE, *shape[d + 1:]]


def shape_faults(base):
    for name in dict.fromkeys(base.node.input):
        value = value_of(base.model, name)
        if value is None:
            continue
        own = [d.dim_value for d in value.type.tensor_type.shape.dim]
        for shape in shapes_near(own):
            if shape == own:
                continue
            model, _ = changed(base)
            value_of(model, name).type.tensor_type.shape.CopyFrom(
                helper.make_tensor_type_proto(TensorProto.FLOAT, shape).tensor_type.shape)
            yield Fault("input shape", f"{name} {list_text(shape)}", model, [quoted(name)],
                        [list_text(shape), str(HUGE)] if HUGE in shape else [list_text(shape)],
                        "tensor" if HUGE in shape else "node")


def constant_faults(base):
    """Inputs of integers are constants: limits, axes, indices and sizes, with a value that cannot be."""
    constants = {tensor.name: numpy_helper.to_array(tensor) for tensor in base.model.graph.initializer}
    for name in dict.fromkeys(base.node.input):
        array = constants.get(name, base.values.get(name))
        if array is None or array.dtype not in (np.int64, np.int32) or (name in base.values and array.size > 64):
            continue
        for value in (HUGE, -HUGE, 99, -99) if array.dtype == np.int64 else (99, -99):
            model, _ = changed(base)
            for entry in [v for v in model.graph.input if v.name == name]:
                model.graph.input.remove(entry)
            for entry in [t for t in model.graph.initializer if t.name == name]:
                model.graph.initializer.remove(entry)
            bad = array.copy()
            if bad.size == 0:
                continue
            bad.flat[bad.size - 1] = value
            model.graph.initializer.append(numpy_helper.from_array(bad, name))
            yield Fault("constant value", f"{name} {value}", model, [quoted(name)], [str(value)])


def opset_faults(base):
    for opset in sorted({29, (base.first or 1) - 1} - {0}):
        if base.node.domain and opset != 29:
            continue  # of another domain's operator the opset says nothing
        model, _ = changed(base)
        model.opset_import[0].version = opset
        yield Fault("opset", str(opset), model, [], [f"opset {opset}"], "model" if opset == 29 else "node")


def faults(base):
    for kind in (attribute_faults, count_faults, type_faults, shape_faults, constant_faults, opset_faults):
        yield from kind(base)
