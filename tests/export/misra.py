#!/usr/bin/env python3
"""misra.py DAEDALUS SOURCE: the C code that `daedalus export` writes against the rules of MISRA C:2012, by cppcheck's
addon. DAEDALUS is the command; SOURCE the repository.

A model for the accelerator and one with kernels and mathematical functions of the processor are exported. Every rule that
the addon finds broken has to be one of misra_deviations.txt beside this script, with a reason, and every one of those has to
be broken still; exit status 1 where it is otherwise. Needs Debian's cppcheck."""
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

DEVIATIONS = pathlib.Path(__file__).with_name("misra_deviations.txt")


def deviations():
    """The reason of each rule that is deviated from."""
    lines = [line for line in DEVIATIONS.read_text().splitlines() if line and not line.startswith("#")]
    return dict(line.split(" ", 1) for line in lines)


def export(daedalus, model, folder, processor):
    done = subprocess.run([daedalus, "export", model, "-o", folder, "--cpu", processor], capture_output=True, text=True,
                          check=False)
    if done.returncode:
        sys.exit(f"misra.py: error: {model} is not exported: {done.stderr.strip()}")


def found_in(folder):
    """Where each rule is broken."""
    done = subprocess.run(["cppcheck", "--addon=misra", "--std=c11", "--enable=style", "--quiet", f"-I{folder}",
                           *sorted(map(str, folder.glob("*.c")))], capture_output=True, text=True, check=True)
    places = collections.defaultdict(set)
    for file, line, rule in re.findall(r"^(\S+?):(\d+):.*\[misra-c2012-([\d.]+)\]$", done.stderr, re.MULTILINE):
        places[rule].add(f"{pathlib.Path(file).name}:{line}")
    if not places:
        sys.exit(f"misra.py: error: cppcheck finds nothing in {folder}, not even what is known: {done.stderr[-300:]}")
    return places


def main():
    daedalus, source = sys.argv[1], pathlib.Path(sys.argv[2])
    known, found = deviations(), collections.defaultdict(set)
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        mixed = work / "mixed.onnx"
        subprocess.run(["/usr/bin/python3", "-B", source / "tests/e2e/mixed_net.py", mixed], check=True)
        softmax = pathlib.Path("/usr/share/libonnx-testdata/data/node/test_softmax_example/model.onnx")
        for model in (source / "examples/digits/digits.onnx", mixed, softmax):
            folder = work / f"{model.stem}_{model.parent.name}"
            export(daedalus, model, folder, "rv32imc")
            for rule, places in found_in(folder).items():
                found[rule] |= places
    for rule in sorted(found, key=lambda rule: [int(part) for part in rule.split(".")]):
        print(f"rule {rule}, {len(found[rule])} places: {known.get(rule, 'NO DEVIATION: ' + ', '.join(sorted(found[rule])))}")
    stale = sorted(set(known) - set(found))
    if stale:
        print(f"no longer broken, take out of {DEVIATIONS.name}: {', '.join(stale)}")
    sys.exit(bool(set(found) - set(known) or stale))


main()
