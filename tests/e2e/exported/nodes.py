#!/usr/bin/env python3
"""Each quantized node of a model alone, on equal inputs, against ONNX Runtime with its optimizations off.

    nodes.py [NAME/EXPORTER/QUANTIZER...] [--daedalus build/release/bin/daedalus] [--json FILE]

Models are those that exported.py has made; all if none is named. A model is cut at every tensor of int8 or uint8
that comes at run time; what lies between such tensors is compiled alone and given ONNX Runtime's values. For each
model: how many pieces there are, how many of their outputs differ, the largest difference in steps, and the piece
that has it. Exit status 1 where a piece differs by more than a step, or in more of its outputs than 0.01% gives by
chance (three standard deviations above)."""
import argparse
import collections
import json
import math
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
BUILD = ROOT / "build/exported"

sys.path.insert(0, str(ROOT / "tests/support"))
import virtual_environment

STEPS, SHARE = 1, 1e-4


def values_of(model, reference):
    """Every value of a run of the model, by name."""
    import onnx
    from prepare import run
    from measure import input_of
    names = [name for node in model.graph.node for name in node.output if name]
    traced = onnx.ModelProto()
    traced.CopyFrom(model)
    del traced.graph.output[:]
    traced.graph.output.extend(onnx.helper.make_empty_tensor_value_info(name) for name in names)
    path = BUILD / "traced.onnx"
    onnx.save(traced, path)
    given = {input_of(model): reference["input"]}
    values = dict(zip(names, run(path, given, False)))
    path.unlink()
    return {**values, **given}


class Pieces:
    def __init__(self, model, values):
        self.model, self.values = model, values
        self.constants = {tensor.name: tensor for tensor in model.graph.initializer}
        self.producers = {name: node for node in model.graph.node for name in node.output}
        self.order = {id(node): at for at, node in enumerate(model.graph.node)}
        given = [name for name in values if name not in self.producers]
        self.moving = self.behind(set(given))
        self.cuts = {name for name in self.moving if values[name].dtype.itemsize == 1 and values[name].dtype != bool}
        self.cuts |= set(given)

    def behind(self, names):
        for node in self.model.graph.node:
            if names & set(node.input):
                names |= {name for name in node.output if name}
        return names

    def nodes_of(self, output):
        """The nodes between the output and the cuts and constants before it, in order; and the cuts."""
        nodes, cuts, todo = {}, {}, [output]
        while todo:
            node = self.producers[todo.pop()]
            nodes[id(node)] = node
            for name in node.input:
                if name in self.cuts:
                    cuts[name] = True
                elif name in self.producers and id(self.producers[name]) not in nodes:
                    todo.append(name)
        return sorted(nodes.values(), key=lambda node: self.order[id(node)]), list(cuts)

    def all(self):
        """(output, model of the piece, names of its inputs)"""
        from onnx import helper
        for output in sorted(self.cuts & set(self.producers)):
            nodes, inputs = self.nodes_of(output)
            read = {name for node in nodes for name in node.input}
            graph = helper.make_graph(nodes, "piece", [self.info(name) for name in inputs], [self.info(output)],
                                      [tensor for name, tensor in self.constants.items() if name in read])
            yield output, helper.make_model(graph, opset_imports=self.model.opset_import,
                                            ir_version=self.model.ir_version), inputs

    def info(self, name):
        from onnx import helper
        value = self.values[name]
        return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)


def compare(daedalus, piece, output, inputs, values, folder):
    """How many outputs differ, of how many, and by how many steps at most."""
    import numpy as np
    import onnx
    from measure import path_of, run
    onnx.save(piece, folder / "piece.onnx")
    given = []
    for at, name in enumerate(inputs):
        np.save(folder / f"{at}.npy", values[name])
        given += ["--input", f"{name}={folder / f'{at}.npy'}"]
    run(daedalus, "run", folder / "piece.onnx", *given, "--engine", "functional", "--output", folder / "outputs",
        "--json")
    got = np.load(path_of(folder / "outputs", output))
    steps = np.abs(got.astype(int) - values[output].astype(int))
    return int((steps != 0).sum()), steps.size, int(steps.max(initial=0))


def check(daedalus, key):
    import numpy as np
    import onnx
    from measure import Refused
    folder = BUILD / "models" / key
    model = onnx.load(folder / "model.onnx")
    values = values_of(model, np.load(folder / "reference.npz"))
    scratch = folder / "piece"
    scratch.mkdir(exist_ok=True)
    rows = []
    for output, piece, inputs in Pieces(model, values).all():
        names = [node.op_type for node in piece.graph.node if "quantize" not in node.op_type.lower()]
        row = {"model": key, "output": output, "operators": "+".join(names) or "QuantizeLinear"}
        try:
            different, count, steps = compare(daedalus, piece, output, inputs, values, scratch)
            row.update(different=different, count=count, steps=steps)
        except Refused as refusal:
            row["refused"] = str(refusal)
        rows.append(row)
    return rows


def is_bad(row):
    expected = SHARE * row["count"]
    return row["steps"] > STEPS or row["different"] > 1 + expected + 3 * math.sqrt(expected)


def print_row(key, rows):
    ran = [row for row in rows if "steps" in row]
    different, count = sum(row["different"] for row in ran), sum(row["count"] for row in ran)
    worst = max(ran, key=lambda row: (row["steps"], row["different"] / row["count"]), default=None)
    bad = [row for row in ran if is_bad(row)]
    kinds = collections.Counter(row["operators"] for row in bad)
    which = ", ".join(f"{count} {name}" for name, count in kinds.most_common(4))
    print(f"| {key} | {len(rows)} | {len(rows) - len(ran)} | {different:,} of {count:,} | "
          f"{worst['steps'] if worst else '-'} | {len(bad)} {which} |", flush=True)
    return bool(bad)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", metavar="NAME/EXPORTER/QUANTIZER")
    parser.add_argument("--daedalus", default=str(ROOT / "build/release/bin/daedalus"), type=virtual_environment.tool)
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="receives every piece")
    options = parser.parse_args()
    virtual_environment.enter(BUILD / "venv", HERE / "requirements.txt")
    references = (BUILD / "models").glob("*/*/*/reference.npz")
    made = sorted(str(path.parent.relative_to(BUILD / "models")) for path in references)
    if unknown := set(options.models) - set(made):
        parser.error(f"exported.py has not made {', '.join(sorted(unknown))}")
    print("| model | pieces | refused | outputs that differ | by steps, at most | pieces over the limit |")
    print("|---|---|---|---|---|---|")
    found, failed = [], False
    for key in options.models or [key for key in made if not key.endswith("/float")]:
        rows = check(options.daedalus, key)
        failed |= print_row(key, rows)
        found += rows
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n")
    sys.exit(failed)


if __name__ == "__main__":
    main()
