#!/usr/bin/env python3
"""Every operator with every fault that can be made by construction: what is refused says so in one sentence that names the
node (or the tensor), the operator, the attribute or input, the value found and what is expected.

    bad_nodes_test.py DAEDALUS ONNX_BATCH [--all] [--share N] [--seed N] [--only NAME] [--keep DIR] [--list]

faults.py makes the faults of the models of bases.py. What is taken although it was changed has to be one of legal.py's, with
the reason why it is legal ONNX. --all takes every model of ONNX's own tests, not one an operator; --share N every Nth fault
alone. One mutant an operator and kind goes through the command line, which has to end with status 1."""
import argparse
import collections
import concurrent.futures
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import zlib

sys.path.insert(1, str(pathlib.Path(__file__).resolve().parents[2] / "support"))

from sentences import INTERNAL

from bases import NODE, TESTDATA, bases, operators
from faults import faults, loosened
from legal import legal

EXPECTED = re.compile(r"expected|supported|only|have to|has to")


class Tool:
    """A process of onnx_batch; a lock lets one model in at a time."""

    def __init__(self, command, scratch):
        self.process = subprocess.Popen([command, "--import"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.folder = pathlib.Path(scratch)
        self.folder.mkdir()

    def compile(self, model):
        (self.folder / "model.onnx").write_bytes(model.SerializeToString())
        self.process.stdin.write(f"{self.folder}\n")
        outcome = self.process.stdout.readline().rstrip("\n").split("\t")[1]
        return outcome, (self.folder / "message.txt").read_text(errors="replace")


def lacks(fault, base, message):
    """What the sentence does not say."""
    missing = []
    if "\n" in message.strip() or not message or INTERNAL.search(message):
        missing.append("one sentence")
    if fault.of == "node" and quoted(NODE) not in message:
        missing.append("node")
    if fault.of == "node" and not re.search(rf"\b{base.operator}\b", message):
        missing.append("operator")
    if fault.subjects and not any(subject in message for subject in fault.subjects):
        missing.append("subject")
    if fault.values and not any(value in message for value in fault.values):
        missing.append("value")
    if not EXPECTED.search(message):
        missing.append("expectation")
    return missing


def quoted(name):
    return f"'{name}'"


class Report:
    def __init__(self, daedalus, options):
        self.daedalus, self.options = daedalus, options
        self.counts, self.failures, self.lock = collections.Counter(), [], threading.Lock()
        self.lacking, self.covered = collections.Counter(), set()

    def fail(self, base, fault, text):
        self.failures.append(f"{base.operator}: {base.name}: {fault.kind} {fault.what}: {text}")

    def take(self, base, fault, outcome, message):
        with self.lock:
            self.counts["mutants"] += 1
            self.covered.add(base.operator)
            if outcome == "ok":
                reason = legal(base, fault)
                self.counts["taken, legal" if reason else "taken"] += 1
                if self.options.list and reason:
                    print(f"legal: {base.operator} {fault.kind} {fault.what}: {reason}")
                if not reason:
                    self.fail(base, fault, "is taken")
            elif outcome != "refused":
                self.counts["crashed"] += 1
                self.fail(base, fault, f"{outcome} {message[-200:]}")
            else:
                self.counts["refused"] += 1
                missing = lacks(fault, base, message)
                self.lacking.update(missing)
                if missing:
                    self.counts["refused without " + ", ".join(missing)] += 1
                    self.fail(base, fault, f"no {', '.join(missing)}: {message}")

    def command_line(self, base, fault, scratch):
        """Status 1 and one line on stderr."""
        path = scratch / "command_line.onnx"
        path.write_bytes(fault.model.SerializeToString())
        run = subprocess.run([self.daedalus, "compile", path, "-o", scratch / "out.dae"], capture_output=True, text=True)
        if run.returncode != 1 or run.stdout or run.stderr.count("\n") != 1 or not run.stderr.startswith("daedalus: error: "):
            with self.lock:
                self.fail(base, fault, f"status {run.returncode}: {run.stdout}{run.stderr}")


def examine(own, tool, report, options, keeps):
    """The first of an operator's models that compile; all of them with --all."""
    for base in own:
        base.is_loose = tool.compile(loosened(base.model))[0] == "ok"
        if not base.is_loose and tool.compile(base.model)[0] != "ok":
            continue
        seen = set()
        for number, fault in enumerate(faults(base)):
            if (number + zlib.crc32(base.name.encode()) + options.seed) % options.share:
                continue
            outcome, message = tool.compile(fault.model)
            report.take(base, fault, outcome, message)
            if outcome == "refused" and fault.kind not in seen and len(seen) < options.commands:
                seen.add(fault.kind)
                report.command_line(base, fault, tool.folder)
            if options.keep and report.failures and report.failures[-1].startswith(f"{base.operator}: {base.name}: {fault.kind} {fault.what}:"):
                shutil.copy(tool.folder / "model.onnx", options.keep / f"{base.name}-{number}.onnx")
        if not options.all:
            return


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("daedalus")
    parser.add_argument("batch")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--share", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0, help="which of the faults a share has")
    parser.add_argument("--commands", type=int, default=1, help="mutants a model that go through the command line")
    parser.add_argument("--only", default="")
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--list", action="store_true", help="print what is taken and legal")
    options = parser.parse_args()
    if not TESTDATA.is_dir():
        print("libonnx-testdata is not installed")
        sys.exit(77)
    taken = operators(options.daedalus)
    report = Report(options.daedalus, options)
    if options.keep:
        options.keep.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(2) as pool:
        tools = [Tool(options.batch, f"{scratch}/{i}") for i in range(2)]
        free = list(tools)

        def work(own):
            with report.lock:
                tool = free.pop()
            try:
                examine(own, tool, report, options, taken)
            finally:
                with report.lock:
                    free.append(tool)

        for done in [pool.submit(work, own) for own in bases(taken, options.all) if options.only in own[0].operator]:
            done.result()
        for tool in tools:
            tool.process.stdin.close()
    for failure in report.failures:
        print(failure.strip())
    print(f"{len(report.covered)} of {len(taken)} operators", ", ".join(f"{count} {what}" for what, count in report.counts.items()))
    if not options.only and taken - report.covered:
        print("no model of", ", ".join(sorted(taken - report.covered)))
    sys.exit(bool(report.failures) or bool(not options.only and taken - report.covered))


if __name__ == "__main__":
    main()
