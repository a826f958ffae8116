#!/usr/bin/env python3
"""Networks exported by PyTorch, or found in packages of PyPI, and quantized by ONNX Runtime, through the compiler and
the cycle-level engine.

    exported.py [NAME...] [--exporters dynamo torchscript] [--quantizers qdq qdq_s8 qdq_u8 qoperator ...]
                [--daedalus build/release/bin/daedalus] [--times] [--json FILE] [--markdown FILE] [--list]

PyPI's packages (requirements.txt, 6 GB) are installed into build/exported at the first run; models are made once
and kept there. For each model: the share of its multiply-accumulates on the accelerator, its cycles and how much
of them its bound is, the largest difference of an output from ONNX Runtime's with its optimizations off, in
quantization steps, with the share of outputs that differ, and ONNX Runtime's own difference between optimizations
off and on; or the sentence that refuses it. Then what is refused, and what is left to the CPU, by reason.
Exit status 1 where a model crashes, or its bytes on accelerator and CPU differ."""
import argparse
import hashlib
import json
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
BUILD = ROOT / "build/exported"

sys.path.insert(0, str(ROOT / "tests/support"))
import report
import virtual_environment


def digest(tool):
    """Of the tool and of its libraries, which lie in the folder beside its own."""
    tool = pathlib.Path(tool)
    parts = [tool, *sorted((tool.parent.parent / "lib").glob("libdaedalus*.so*"))]
    return hashlib.sha256(b"".join(part.read_bytes() for part in parts)).hexdigest()


def prepare(folder, done, *arguments):
    """A step of prepare.py in a folder of its own, once; its last line where it fails."""
    if (folder / done).exists():
        return ""
    failed = folder / "failed.txt"
    if not failed.exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        step = subprocess.run([sys.executable, HERE / "prepare.py", *map(str, arguments), folder],
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False,
                              cwd=folder)  # ONNX Runtime leaves files where it runs
        if step.returncode == 0:
            return ""
        failed.write_text((step.stderr.decode(errors="replace").strip().splitlines() or ["it was ended"])[-1])
    return failed.read_text()


def outcome(options, name, exporter, quantizer):
    source = BUILD / "models" / name / exporter
    if why := prepare(source, "samples.npz", "export", name, exporter):
        return {"verdict": "not exported", "detail": why}
    folder = source / quantizer
    if why := prepare(folder, "reference.npz", "quantize", quantizer, source / "model.onnx"):
        return {"verdict": "not quantized", "detail": why}
    from measure import Refused, measure
    products = json.loads((source / "products.json").read_text())
    try:
        return measure(options.daedalus, folder, products, options.times)
    except Refused as refusal:
        return {"verdict": "crashed" if str(refusal).startswith("CRASH") else "refused", "detail": str(refusal)}


def cached(options, name, exporter, quantizer):
    """The outcome, kept beside the model while the compiler stays the same."""
    kept = BUILD / "models" / name / exporter / quantizer / "outcome.json"
    key = [options.digest, options.times]
    if kept.exists() and (found := json.loads(kept.read_text()))["key"] == key:
        return found["outcome"]
    found = outcome(options, name, exporter, quantizer)
    if kept.parent.is_dir():
        kept.write_text(json.dumps({"key": key, "outcome": found}))
    return found


def print_row(row):
    print("| " + " | ".join([row["architecture"], *report.cells(row)]) + " |", flush=True)


def print_all(rows):
    print(report.refusals(rows))
    print(report.table(report.HOST, report.host(rows)))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="architectures, or networks of found.py; all if none is named")
    parser.add_argument("--exporters", nargs="+", default=["torchscript", "dynamo"], choices=["torchscript", "dynamo"])
    parser.add_argument("--quantizers", nargs="+", metavar="Q", help="of prepare.py's; all but float if left out")
    parser.add_argument("--daedalus", default=str(ROOT / "build/release/bin/daedalus"), type=virtual_environment.tool)
    parser.add_argument("--list", action="store_true", help="print the names, and do nothing else")
    parser.add_argument("--times", action="store_true", help="measure each layer on the CPU too (in the JSON)")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="receives every row with its layers")
    parser.add_argument("--markdown", type=pathlib.Path, metavar="FILE", help="receives the page of all rows")
    return parser, parser.parse_args()


def main():
    parser, options = arguments()
    virtual_environment.enter(BUILD / "venv", HERE / "requirements.txt")
    from architectures import ARCHITECTURES
    from found import FOUND
    from prepare import FROM_PYPI, QUANTIZERS
    options.digest = digest(options.daedalus)
    chosen = options.quantizers or [name for name in QUANTIZERS if name != "float"]
    for known, given in (({**ARCHITECTURES, **FOUND}, options.names), (QUANTIZERS, chosen)):
        if unknown := set(given) - set(known):
            parser.error(f"there is no {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    if options.list:
        print("\n".join([*ARCHITECTURES, *FOUND]))
        return
    print(report.table(["architecture", *report.HEAD], []))
    rows = []
    for name in options.names or [*ARCHITECTURES, *FOUND]:
        for exporter in [FROM_PYPI] if name in FOUND else options.exporters:
            for quantizer in chosen:
                rows.append({"architecture": name, "exporter": exporter, "quantizer": quantizer,
                             **cached(options, name, exporter, quantizer)})
                print_row(rows[-1])
    print_all(rows)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")
    if options.markdown:
        versions = (HERE / "requirements.txt").read_text().replace("==", " ").split("\n")
        options.markdown.write_text(report.page(rows, {name: QUANTIZERS[name] for name in chosen}, versions))
    sys.exit(any(row["verdict"] == "crashed" or row.get("same_bytes") is False for row in rows))


if __name__ == "__main__":
    main()
