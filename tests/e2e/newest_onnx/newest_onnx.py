#!/usr/bin/env python3
"""The node tests of the newest ONNX through `daedalus check`.

    newest_onnx.py [--daedalus build/release/bin/daedalus] [--json FILE] [--only TEXT] [--update]

PyPI's onnx (requirements.txt) makes the cases and is installed into build/newest_onnx at the first run; the
folders that check reads are written beside it. A case passes, is wrong, is refused with a sentence, or crashes.
passed.txt names those that pass: a run says which of them no longer do, which others do now, and which pass in
the form that Debian's libonnx-testdata has of them and not in this one. outcomes.json counts them, for
docs/onnx.md. Exit status 1 where a case is wrong, crashes, or no longer passes, or where the counts are others."""
import argparse
import collections
import json
import pathlib
import re
import shutil
import subprocess
import sys
import warnings

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
BUILD = ROOT / "build/newest_onnx"
PASSED = HERE / "passed.txt"
OUTCOMES = HERE / "outcomes.json"
OLDER = pathlib.Path("/usr/share/libonnx-testdata/data/node")
CASES = 1884  # of the pinned onnx
BATCH = 50

sys.path.insert(0, str(ROOT / "tests/support"))
import virtual_environment
from sentences import reason_of


def proto_of(value, info):
    """The message that ONNX's own tests keep a value in."""
    from onnx import TensorProto, numpy_helper
    kind = info.type.WhichOneof("value")
    if kind == "sequence_type":
        return numpy_helper.from_list(value, info.name)
    if kind == "optional_type":
        return numpy_helper.from_optional(value, info.name)
    return value if isinstance(value, TensorProto) else numpy_helper.from_array(value, info.name)


def write_case(case, folder):
    (folder / "test_data_set_0").mkdir(parents=True)
    (folder / "model.onnx").write_bytes(case.model.SerializeToString())
    for inputs, outputs in case.data_sets:
        for kind, values, infos in (("input", inputs, case.model.graph.input),
                                    ("output", outputs, case.model.graph.output)):
            for at, (value, info) in enumerate(zip(values, infos)):
                path = folder / f"test_data_set_0/{kind}_{at}.pb"
                path.write_bytes(proto_of(value, info).SerializeToString())


def write_cases(folder):
    """All cases as folders, and the operators of each in operators.json."""
    warnings.simplefilter("ignore")
    from onnx.backend.test.case.node import collect_testcases
    cases = collect_testcases(None)
    if len(cases) != CASES:
        sys.exit(f"newest_onnx.py: error: onnx has {len(cases)} node tests, expected {CASES}: what onnx does "
                 "requirements.txt pin?")
    shutil.rmtree(folder, ignore_errors=True)
    operators = {}
    for case in cases:
        write_case(case, folder / case.name)
        operators[case.name] = [node.op_type for node in case.model.graph.node]
    (folder / "operators.json").write_text(json.dumps(operators, indent=1))  # the last: the folder is whole


def cases_in(folder):
    """operators.json of the folder, whose cases are written where they are not there or of another onnx."""
    operators = folder / "operators.json"
    if not operators.exists() or operators.stat().st_mtime < (BUILD / "venv/requirements.txt").stat().st_mtime:
        write_cases(folder)
    return operators


def check(daedalus, folders):
    """Outcomes by name; a folder that ends the process is found by checking each alone."""
    command = [daedalus, "check", "--json", "--tolerance", "0", *map(str, folders)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode in (0, 1):
        return {pathlib.Path(test["test"]).name: test for test in json.loads(done.stdout)["tests"]}
    if len(folders) == 1:
        last = (done.stderr.decode(errors="replace").strip().splitlines() or [""])[-1]
        return {folders[0].name: {"verdict": "crash", "detail": f"exit status {done.returncode}: {last}"}}
    return {name: test for folder in folders for name, test in check(daedalus, [folder]).items()}


def check_all(daedalus, folders):
    outcomes = {}
    for at in range(0, len(folders), BATCH):
        outcomes.update(check(daedalus, folders[at : at + BATCH]))
        if sys.stderr.isatty():
            print(f"\r{len(outcomes)} of {len(folders)}", end="", file=sys.stderr, flush=True)
    return outcomes


def operator_of(detail, operators):
    """The operator that the sentence names, or that of the unnamed node that it names; otherwise the case's first."""
    named = re.search(r"operator '(?:[\w.]+\.)?(\w+)'|node '([A-Za-z]\w*?)_\d+'", detail)
    name = named and (named.group(1) or named.group(2))
    return name if name in operators else operators[0]


def describe(outcomes, operators):
    rows = {}
    for name, test in sorted(outcomes.items()):
        row = {"verdict": test["verdict"], "detail": test["detail"], "operators": operators[name]}
        if test["verdict"] == "refused":
            row["operator"] = operator_of(test["detail"], operators[name])
            row["reason"] = reason_of(test["detail"])
        rows[name] = row
    return rows


def outcomes_of(rows):
    """How many cases pass and are wrong, and the refused ones by operator and reason."""
    verdicts = collections.Counter(row["verdict"] for row in rows.values())
    refused = collections.defaultdict(collections.Counter)
    for row in rows.values():
        if row["verdict"] == "refused":
            refused[row["operator"]][row["reason"]] += 1
    return {"onnx": (HERE / "requirements.txt").read_text().strip().partition("==")[2], "cases": len(rows),
            "passed": verdicts["passed"], "wrong": verdicts["wrong"] + verdicts["crash"],
            "refused": {operator: dict(sorted(reasons.items())) for operator, reasons in sorted(refused.items())}}


def print_counts(title, counts):
    print(f"\n{title}")
    for name, count in counts.most_common():
        print(f"{count:6}  {name}")


def names(title, found):
    if found:
        print(f"\n{title} ({len(found)}):\n  " + "\n  ".join(found))


def older_passed(daedalus, chosen):
    if not OLDER.is_dir():
        return None
    folders = [OLDER / name for name in chosen if (OLDER / name / "model.onnx").exists()]
    return {name for name, test in check_all(daedalus, folders).items() if test["verdict"] == "passed"}


def report(rows, before, older):
    verdicts = collections.Counter(row["verdict"] for row in rows.values())
    refused = [row for row in rows.values() if row["verdict"] == "refused"]
    print_counts("refused, by operator", collections.Counter(row["operator"] for row in refused))
    print_counts("refused, by reason", collections.Counter(row["reason"] for row in refused))
    passed = {name for name, row in rows.items() if row["verdict"] == "passed"}
    bad = [f"{name}: {row['verdict']}: {row['detail']}" for name, row in rows.items()
           if row["verdict"] in ("wrong", "crash")]
    lost = [f"{name}: {rows[name]['detail']}" for name in sorted(before & set(rows) - passed)]
    newer = [f"{name}: {rows[name]['detail']}" for name in sorted((older or set()) & set(rows) - passed)]
    names("pass in libonnx-testdata's form and not in this one", newer)
    names("pass now and are not in passed.txt", sorted(passed - before))
    names("are in passed.txt and pass no longer", lost)
    names("wrong, or crashed", bad)
    print(f"\n{len(rows)} cases: " + ", ".join(f"{kind} {verdicts[kind]}"
                                               for kind in ("passed", "refused", "wrong", "crash"))
          + ("" if older is None else f"; {len(newer)} pass in their older form alone"))
    return {"verdicts": verdicts, "older": newer, "lost": lost, "tests": rows}, bool(bad or lost)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--daedalus", default=str(ROOT / "build/release/bin/daedalus"), type=virtual_environment.tool)
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="receives every case and its outcome")
    parser.add_argument("--only", default="", metavar="TEXT", help="only cases whose name contains this")
    parser.add_argument("--update", action="store_true", help="write passed.txt and outcomes.json")
    options = parser.parse_args()
    if options.update and options.only:
        parser.error("--update writes all of passed.txt and outcomes.json: leave --only out")
    virtual_environment.enter(BUILD / "venv", HERE / "requirements.txt")
    operators = json.loads(cases_in(BUILD / "node").read_text())
    chosen = [name for name in sorted(operators) if options.only in name]
    if not chosen:
        parser.error(f"no case's name contains '{options.only}'")
    rows = describe(check_all(options.daedalus, [BUILD / "node" / name for name in chosen]), operators)
    before = set(PASSED.read_text().split()) if PASSED.exists() else set()
    summary, failed = report(rows, before, older_passed(options.daedalus, chosen))
    if options.json:
        options.json.write_text(json.dumps(summary, indent=1, sort_keys=True) + "\n")
    outcomes = outcomes_of(rows)
    if options.update:
        PASSED.write_text("".join(f"{name}\n" for name, row in rows.items() if row["verdict"] == "passed"))
        OUTCOMES.write_text(json.dumps(outcomes, indent=1) + "\n")
    elif not options.only and outcomes != json.loads(OUTCOMES.read_text()):
        print("outcomes.json, which docs/onnx.md is made of, has other counts: run with --update, then "
              "scripts/onnx_docs.py")
        failed = True
    sys.exit(failed)


if __name__ == "__main__":
    main()
