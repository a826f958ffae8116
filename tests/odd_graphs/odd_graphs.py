#!/usr/bin/env python3
"""Random graphs with odd shapes and constants on all targets and from all levels, against ONNX's reference evaluator.

    odd_graphs.py TOOL [--graphs FIRST:END] [--keep DIR] [--onnxruntime]

TOOL is build/release/bin/onnx_batch. Each graph is taken twice: with all its quantized tensors as outputs, where each
has to be within a step of what ONNX's evaluator makes of those before it; and as it is, where its outputs have to be
those of the first form, to a step of a last quantization. The CPU, another machine and each level have to give the same.
A signal, a message with words of the compiler's own, a refusal that REFUSED does not list, or another value is a
failure: its model goes to --keep, and the exit status is 1. What differs from the evaluator in one of the ways of KNOWN is no failure; with --onnxruntime, ONNX
Runtime without its optimizations has to agree with what is computed here then. PyPI's packages (requirements.txt, requirements_nightly.txt) are installed into build/odd_graphs at
the first run."""
import argparse
import collections
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(ROOT / "tests/support"), str(HERE)]
import virtual_environment
from sentences import INTERNAL

# Sentences with which a graph may be refused.
REFUSED = [
    "its window covers",  # more than the image with its padding has
    r"gives dimension \d+ of size \d+ the (size 0|scale)",
    "holds no element|expected one with elements",  # the mean or the most of nothing
    "has type u?int8; expected float32 or float64 in mode 'linear'",  # Resize of a quantized tensor that nothing dequantizes
]

# Nodes that the evaluator computes otherwise than ONNX's text and ONNX Runtime.
KNOWN = [
    (r"ConvTranspose \[.*group=([2-9]|\d\d)", "the evaluator mixes the groups of transposed convolutions up"),
]


def described(part):
    """The nodes of a stage with their attributes."""
    return " ".join(f"{n.op_type} {[f'{a.name}={a.s.decode() or a.i or list(a.ints)}' for a in n.attribute]}"
                    for n in part.graph.node)


def forms_of(seed):
    """A graph's two forms by their names: model, and the names of its outputs."""
    from random_graph import RandomGraph
    graph = RandomGraph(seed)
    outputs = graph.outputs()
    if not any(outputs[0] in node.output for node in graph.nodes):
        return graph, {}
    whole = graph.model(outputs)
    made = {name for node in whole.graph.node for name in node.output}
    quantized = [name for name in graph.quantized_names if name in made and name not in outputs]
    return graph, {f"{seed}": (whole, outputs), f"{seed}.stages": (graph.model(outputs + quantized), outputs + quantized)}


class Runner:
    def __init__(self, options):
        self.options, self.counts, self.failures = options, collections.Counter(), 0
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="odd_graphs."))
        self.operators = collections.Counter()

    def run(self, seeds):
        import numpy as np
        graphs = {}
        for seed in seeds:
            graph, forms = forms_of(seed)
            graphs[seed] = graph, forms
            self.operators.update(node.op_type for node in graph.nodes)
            for name, (model, _) in forms.items():
                (self.folder / name).mkdir()
                (self.folder / name / "model.onnx").write_bytes(model.SerializeToString())
                if model.graph.input:
                    np.save(self.folder / name / "in_0.npy", graph.values[graph.input])
        folders = [str(self.folder / name) for _, forms in graphs.values() for name in forms]
        done = subprocess.run([self.options.tool, "--levels"], input="\n".join(folders) + "\n", text=True,
                              stdout=subprocess.PIPE, check=True)
        outcomes = {pathlib.Path(line.split("\t")[0]).name: line.split("\t")[1] for line in done.stdout.splitlines()}
        for graph, forms in graphs.values():
            self.judge(graph, forms, outcomes)
            for name in forms:
                shutil.rmtree(self.folder / name)

    def judge(self, graph, forms, outcomes):
        values = {}
        for name, (model, outputs) in reversed(forms.items()):
            kind, detail = self.verdict(graph, name, model, outputs, outcomes[name], values)
            self.counts[kind] += 1
            if kind not in ("agrees", "known", "refused"):
                self.fail(name, kind, detail, model)

    def verdict(self, graph, name, model, outputs, outcome, values):
        """`values` are those of the form with all outputs, which comes first."""
        import numpy as np
        from compare import difference
        message = (self.folder / name / "message.txt").read_text(errors="replace").strip()
        if outcome == "refused" and not INTERNAL.search(message) and any(re.search(r, message) for r in REFUSED):
            return "refused", message
        if outcome != "ok":
            return f"unexpected: {outcome}", message[-400:]
        got = {o: np.load(self.folder / name / f"out_{i}.npy") for i, o in enumerate(outputs)}
        if name.endswith(".stages"):
            values.update(got)
            return self.stages_verdict(model, {graph.input: graph.values[graph.input]}, got)
        found = next(filter(None, (difference(got[o], values[o], 1, graph.scales.get(o)) for o in outputs if o in values)), "")
        return ("other values", found) if found else ("agrees", "")

    def stages_verdict(self, model, inputs, got):
        from compare import agrees_with_onnxruntime, stage_differences
        verdict = "agrees", ""
        for part, feeds, array, found in stage_differences(model, inputs, got):
            text = described(part)
            if not any(re.search(pattern, text) for pattern, _ in KNOWN):
                return "other values", f"{text}: {found}"
            if self.options.onnxruntime and not agrees_with_onnxruntime(part, feeds, array):
                return "other values", f"of ONNX Runtime too: {text}: {found}"
            verdict = "known", ""
        return verdict

    def fail(self, name, kind, detail, model):
        self.failures += 1
        print(f"{name}: {kind}: {' '.join(n.op_type for n in model.graph.node)}: {detail}", flush=True)
        if self.options.keep:
            shutil.copytree(self.folder / name, pathlib.Path(self.options.keep) / name, dirs_exist_ok=True)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool", type=virtual_environment.tool)
    parser.add_argument("--graphs", default="0:100", metavar="FIRST:END", help="seeds (0:100)")
    parser.add_argument("--keep", metavar="DIR", help="where failures go")
    parser.add_argument("--onnxruntime", action="store_true", help="ask ONNX Runtime too")
    return parser.parse_args()


def main():
    options = arguments()
    kind = "requirements_nightly" if options.onnxruntime else "requirements"
    virtual_environment.enter(ROOT / f"build/odd_graphs/{kind}", HERE / f"{kind}.txt")
    first, end = map(int, options.graphs.split(":"))
    runner = Runner(options)
    for at in range(first, end, 50):
        runner.run(range(at, min(at + 50, end)))
    shutil.rmtree(runner.folder)
    counts = ", ".join(f"{count} {kind}" for kind, count in sorted(runner.counts.items()))
    print(f"{len(runner.operators)} operators; of {end - first} graphs in two forms: {counts}")
    sys.exit(1 if runner.failures else 0)


if __name__ == "__main__":
    main()
