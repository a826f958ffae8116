"""Mutants of ONNX models: one node's attributes, types, ranks, edges, names or counts, a constant's values, or
the model's own fields are changed. The same seed gives the same mutant.

    mutant, changes = mutate(model, inputs, random.Random(7))
"""
import copy
import pathlib

import numpy as np
from onnx import AttributeProto, TensorProto, TensorShapeProto, defs, numpy_helper


def operators():
    """What the compiler supports, as docs/onnx.md lists it."""
    page = pathlib.Path(__file__).resolve().parents[2].joinpath("docs/onnx.md").read_text()
    return sorted(row.split("`")[0] for row in page.split("## ONNX's own tests")[0].split("| `")[1:])


INTEGERS = [-2**63, -2**31, -99, -7, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 7, 8, 11, 99, 1000, 2**24, 2**31, 2**62,
            2**63 - 1]
FLOATS = [0.0, -0.0, -1.0, 0.5, 1.0, 1e-30, 1e30, float("inf"), float("-inf"), float("nan")]
TEXTS = ["", "x", "NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER", "constant", "reflect", "edge", "wrap", "linear",
         "nearest", "cubic", "DCR", "CRD", "floor", "ceil", "half_pixel", "asymmetric", "align_corners", "\xff"]
TYPES = [TensorProto.FLOAT, TensorProto.DOUBLE, TensorProto.INT8, TensorProto.UINT8, TensorProto.INT32,
         TensorProto.INT64, TensorProto.BOOL, TensorProto.FLOAT16, TensorProto.STRING, TensorProto.UINT64, 0, 99]
KINDS = {AttributeProto.INT: ("i", lambda r: r.choice(INTEGERS)),
         AttributeProto.FLOAT: ("f", lambda r: r.choice(FLOATS)),
         AttributeProto.STRING: ("s", lambda r: r.choice(TEXTS).encode("latin-1"))}
OPERATORS = operators()
NAMES = ["axis", "axes", "perm", "pads", "strides", "dilations", "kernel_shape", "group", "blocksize", "mode",
         "auto_pad", "keepdims", "to", "alpha", "allowzero", "split", "ceil_mode", "storage_order", "frobnicate"]


class Unchanged(Exception):
    """The model has nothing of the kind that a mutation changes."""


def pick(random, items):
    items = list(items)
    if not items:
        raise Unchanged
    return random.choice(items)


def a_node(model, random):
    return pick(random, model.graph.node)


def set_value(attribute, kind, random):
    for field in ("i", "f", "s", "t", "ints", "floats", "strings"):
        attribute.ClearField(field)
    attribute.type = kind
    if kind in KINDS:
        field, draw = KINDS[kind]
        setattr(attribute, field, draw(random))
    elif kind == AttributeProto.INTS:
        attribute.ints.extend(random.choice(INTEGERS[3:-5]) for _ in range(random.randrange(6)))
    elif kind == AttributeProto.FLOATS:
        attribute.floats.extend(random.choice(FLOATS) for _ in range(random.randrange(4)))
    elif kind == AttributeProto.TENSOR:
        attribute.t.data_type, attribute.t.name = TensorProto.FLOAT, "t"
        attribute.t.dims.extend([random.choice([0, 1, 2])])
        attribute.t.float_data.extend([1.0] * random.randrange(3))
    elif kind == AttributeProto.GRAPH:
        attribute.g.name = "inner"


def attribute_value(model, random):
    attribute = pick(random, [a for n in model.graph.node for a in n.attribute])
    if attribute.type in KINDS:
        field, draw = KINDS[attribute.type]
        setattr(attribute, field, draw(random))
    elif attribute.type == AttributeProto.INTS:
        change_list(attribute.ints, random)
    elif attribute.type == AttributeProto.TENSOR:
        change_tensor(attribute.t, random)
    return attribute.name


def change_list(values, random):
    how, new = random.randrange(5), random.choice(INTEGERS)
    if how == 0 or not values:
        values.append(new)
    elif how == 1:
        del values[random.randrange(len(values))]
    elif how == 2:
        values[random.randrange(len(values))] = random.choice(list(values))
    elif how == 3:
        values[random.randrange(len(values))] += random.choice([-1, 1])
    else:
        values[random.randrange(len(values))] = new


def attribute_kind(model, random):
    attribute = pick(random, [a for n in model.graph.node for a in n.attribute])
    set_value(attribute, random.choice([1, 2, 3, 4, 5, 6, 7]), random)
    return attribute.name


def attribute_removed(model, random):
    node = pick(random, [n for n in model.graph.node if n.attribute])
    at = random.randrange(len(node.attribute))
    name = node.attribute[at].name
    del node.attribute[at]
    return name


def attributes_of(node):
    try:
        return defs.get_schema(node.op_type, 17, node.domain).attributes
    except defs.SchemaError:
        return {}


def attribute_added(model, random):
    node = a_node(model, random)
    attribute = node.attribute.add()
    known = attributes_of(node)
    attribute.name = random.choice(sorted(known) or NAMES) if random.random() < 0.7 else random.choice(NAMES)
    kinds = [2, 2, 2, 7, 7, 1, 3, 4, 5]
    if attribute.name in known:
        kinds = [int(known[attribute.name].type)] * 3 + [2]
    set_value(attribute, random.choice(kinds), random)
    return attribute.name


def values_of(model):
    graph = model.graph
    names = [i.name for i in graph.input] + [i.name for i in graph.initializer]
    return names + [o for n in graph.node for o in n.output]


def node_inputs(model, random):
    node = a_node(model, random)
    how = random.randrange(8)
    if how == 0 and node.input:
        del node.input[-1]
    elif how == 1 and node.input:
        node.input[random.randrange(len(node.input))] = ""
    elif how == 2 and node.input:
        node.input.append(random.choice(list(node.input)))
    elif how == 3 and len(node.input) > 1:
        i, j = random.sample(range(len(node.input)), 2)
        node.input[i], node.input[j] = node.input[j], node.input[i]
    elif how in (4, 5) and node.input:
        node.input[random.randrange(len(node.input))] = random.choice(values_of(model))
    elif how == 6 and node.input:
        node.input[random.randrange(len(node.input))] = "nowhere"
    else:
        node.input.append(random.choice(values_of(model)))
    return node.op_type


def node_outputs(model, random):
    node = a_node(model, random)
    how = random.randrange(4)
    if how == 0 and node.output:
        del node.output[-1]
    elif how == 1 and node.output:
        node.output[random.randrange(len(node.output))] = random.choice(["", *values_of(model)])
    else:
        node.output.append(random.choice(["", "extra", *values_of(model)]))
    return node.op_type


def change_shape(shape, random):
    how = random.randrange(7)
    if how == 0 and shape.dim:
        del shape.dim[random.randrange(len(shape.dim))]
    elif how == 1:
        shape.dim.insert(random.randrange(len(shape.dim) + 1), TensorShapeProto.Dimension(dim_value=1))
    elif how == 2 and shape.dim:
        shape.dim[random.randrange(len(shape.dim))].dim_param = random.choice(["N", "M", ""])
    elif shape.dim:
        dim = shape.dim[random.randrange(len(shape.dim))]
        dim.dim_value = random.choice([0, 1, 1, 2, 3, 4, 5, 7, 8, dim.dim_value + 1, dim.dim_value - 1, -1, 2**31, 2**62])
    else:
        shape.dim.add().dim_value = random.choice([0, 1, 2, 3])


def described(model, random, what):
    value = pick(random, getattr(model.graph, what))
    how = random.randrange(10)
    if how == 0:
        value.type.tensor_type.ClearField("shape")
    elif how == 1:
        value.ClearField("type")
    elif how == 2:
        value.type.sequence_type.elem_type.tensor_type.elem_type = TensorProto.FLOAT
    elif how < 5:
        value.type.tensor_type.elem_type = random.choice(TYPES)
    else:
        change_shape(value.type.tensor_type.shape, random)
    return value.name


def graph_input(model, random):
    return described(model, random, "input")


def graph_output(model, random):
    if random.random() < 0.1:
        model.graph.output.add().name = random.choice(["nowhere", *values_of(model)])
        return "new output"
    return described(model, random, "output")


def change_tensor(tensor, random):
    how = random.randrange(8)
    fields = [f for f in ("float_data", "int32_data", "int64_data", "double_data") if getattr(tensor, f)]
    if how == 0:
        tensor.data_type = random.choice(TYPES)
    elif how == 1:
        tensor.dims.append(random.choice([0, 1, 2, -1, 2**31, 2**62]))
    elif how == 2 and tensor.dims:
        del tensor.dims[random.randrange(len(tensor.dims))]
    elif how == 3 and tensor.dims:
        tensor.dims[random.randrange(len(tensor.dims))] = random.choice(INTEGERS)
    elif how == 4:
        tensor.data_location = TensorProto.EXTERNAL
    elif tensor.raw_data and how == 5:
        tensor.raw_data = tensor.raw_data[:-random.choice([1, 4, 8])]
    elif tensor.raw_data and tensor.data_type == TensorProto.INT64:
        at = 8 * random.randrange(len(tensor.raw_data) // 8)
        new = random.choice(INTEGERS).to_bytes(8, "little", signed=True)
        tensor.raw_data = tensor.raw_data[:at] + new + tensor.raw_data[at + 8:]
    elif tensor.raw_data:
        at = random.randrange(len(tensor.raw_data))
        tensor.raw_data = tensor.raw_data[:at] + bytes([random.randrange(256)]) + tensor.raw_data[at + 1:]
    elif fields:
        values = getattr(tensor, fields[0])
        if how == 5:
            del values[-1]
        elif fields[0] in ("float_data", "double_data"):
            values[random.randrange(len(values))] = random.choice(FLOATS)
        else:
            new = random.choice(INTEGERS)
            values[random.randrange(len(values))] = new if fields[0] == "int64_data" else max(-2**31, min(2**31 - 1, new))
    else:
        raise Unchanged


def initializer(model, random):
    tensor = pick(random, model.graph.initializer)
    change_tensor(tensor, random)
    return tensor.name


def operator(model, random):
    node = a_node(model, random)
    node.op_type = random.choice([*OPERATORS, "Upsample", "Loop", "Frobnicate"])
    return node.op_type


def rewire(model, random):
    nodes = model.graph.node
    how, at = random.randrange(5), random.randrange(max(1, len(nodes)))
    if how == 0:
        nodes.append(copy.deepcopy(nodes[at]))
    elif how == 1:
        del nodes[at]
    elif how == 2:
        nodes.insert(0, nodes.pop(random.randrange(len(nodes))))
    elif how == 3:
        nodes[at].domain = random.choice(["com.microsoft", "ai.onnx", "ai.onnx.ml", "daedalus.external", "x"])
    else:
        nodes[at].name = random.choice(["", "a\nb", "'", nodes[0].name])
    return "nodes"


def fields(model, random):
    how = random.randrange(9)
    if how == 0:
        model.ir_version = random.choice([0, 1, 2, 3, 8, 10, 99])
    elif how == 1:
        model.opset_import[0].version = random.choice([-1, 0, 1, 2, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 18, 19, 21, 23, 24])
    elif how == 2:
        del model.opset_import[:]
    elif how == 3:
        model.opset_import.add().version = random.choice([1, 9, 13])
    elif how == 4:
        model.graph.name = ""
    elif how == 5:
        model.functions.add().name = "f"
    elif how == 6:
        model.graph.sparse_initializer.add().dims.append(3)
    elif how == 7:
        set_value(a_node(model, random).attribute.add(name="body"), AttributeProto.GRAPH, random)
    else:
        value = model.graph.value_info.add()
        value.CopyFrom(pick(random, [*model.graph.output, *model.graph.input]))
        value.name = random.choice(values_of(model))
        change_shape(value.type.tensor_type.shape, random)
    return "model"


MUTATIONS = [(attribute_value, 6), (attribute_added, 4), (attribute_kind, 1), (attribute_removed, 2),
             (node_inputs, 4), (node_outputs, 2), (graph_input, 4), (graph_output, 2), (initializer, 4), (operator, 2),
             (rewire, 1), (fields, 2)]


def freeze(model, inputs, random):
    """Some of the graph's inputs become constants, with the values of the test: shapes, axes and indices most
    often."""
    for value, array in zip(list(model.graph.input), inputs):
        likely = 0.5 if array is not None and array.dtype.kind in "iu" else 0.1
        if array is not None and array.dtype.kind in "iufb" and random.random() < likely:
            model.graph.initializer.append(numpy_helper.from_array(np.ascontiguousarray(array), value.name))
            if random.random() < 0.8:
                model.graph.input.remove(value)


def loosen(model, random):
    """Says no longer what shape the outputs have, so that a mutant is not refused for that alone."""
    for value in [*model.graph.output, *model.graph.value_info]:
        if value.type.HasField("tensor_type") and random.random() < 0.5:
            value.type.tensor_type.ClearField("shape")


def mutate(model, inputs, random):
    """A changed copy of the model, and the names of the changes."""
    mutant, changes = copy.deepcopy(model), []
    freeze(mutant, inputs, random)
    while len(changes) < 1 or (len(changes) < 3 and random.random() < 0.15):
        mutation = random.choices([m for m, _ in MUTATIONS], [w for _, w in MUTATIONS])[0]
        try:
            changes.append(f"{mutation.__name__} {mutation(mutant, random)}")
        except (Unchanged, IndexError):
            pass
    if random.random() < 0.3:
        loosen(mutant, random)
    return mutant, changes
