#!/usr/bin/env python3
"""table.py DOCUMENT BUGS LOG...: notes in found.tsv beside this script which program found each bug, and writes the table
of planted bugs in docs/verification.md, and the sentence before it, from that file.

LOG: what faulty_hardware_test printed with DAEDALUS_PLANTED_BUGS set; a bug that is in none of them keeps its line. Each
bug of BUGS (bugs.tsv, as plant.py writes it) has to have a line on `tiny`, or on `wide` where it is a bug of that alone; the
table is in their order."""
import pathlib
import re
import sys

HEAD = "| module | bug | program on `tiny` | on `wide` |\n|---|---|---|---|\n"
FOUND = pathlib.Path(__file__).with_name("found.tsv")


def found_before():
    lines = FOUND.read_text().splitlines() if FOUND.exists() else []
    return {tuple(line.split("\t")[:2]): int(line.split("\t")[2]) for line in lines}


def found_in(logs):
    found = {}
    for log in logs:
        text = pathlib.Path(log).read_text(errors="replace")
        for name, machine, program in re.findall(r"^found (\w+) on (\w+) by program ([1-9]\d*)$", text, re.MULTILINE):
            found[name, machine] = int(program)
    return found


def sentence(programs, machine):
    within = [sum(program <= limit for program in programs) for limit in (1, 10, 100)]
    return (f"On `{machine}` {len(programs)} ran and all are found: {within[0]} by the first program, {within[1]} within ten "
            f"programs, {within[2]} within a hundred, the last one by program {max(programs, default=0)}.")


def main():
    document, bugs, *logs = sys.argv[1:]
    document = pathlib.Path(document)
    found = {**found_before(), **found_in(logs)}
    table, kept = [], []
    for line in pathlib.Path(bugs).read_text().splitlines():
        _, name, machine, file, what = line.split("\t")
        programs = [found.get((name, on), "") for on in ("tiny", "wide")]
        if not programs[machine == "wide"]:
            sys.exit(f"table.py: error: {name} is not found on {'wide' if machine == 'wide' else 'tiny'} in the logs; run "
                     "faulty_hardware_test with DAEDALUS_PLANTED_BUGS=both")
        table.append(f"| `{file}` | {what} | {programs[0]} | {programs[1]} |\n")
        kept += [(name, on, program) for on, program in zip(("tiny", "wide"), programs) if program]
    new = " ".join(sentence([program for _, on, program in kept if on == machine], machine) for machine in ("tiny", "wide"))
    text, tables = re.subn(re.escape(HEAD) + r"(\|.*\n)*", lambda _: HEAD + "".join(table), document.read_text())
    text, sentences = re.subn(r"^On `tiny`.*$", lambda _: new, text, flags=re.MULTILINE)
    if (tables, sentences) != (1, 1):
        sys.exit(f"table.py: error: {document} has {tables} tables and {sentences} sentences of planted bugs; "
                 "expected one each")
    FOUND.write_text("".join(f"{name}\t{machine}\t{program}\n" for name, machine, program in kept))
    document.write_text(text)


main()
