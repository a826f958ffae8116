#!/usr/bin/env python3
"""table.py DOCUMENT BUGS LOG...: writes the table of planted bugs in docs/verification.md, and the sentence before it.

LOG: what faulty_hardware_test printed, of all shards, with DAEDALUS_FAULTY_HARDWARE_ON_BOTH. Each bug of BUGS
(bugs.tsv, as plant.py writes it) has to stand in one of them, found wherever it runs; the table is in their order."""
import re
import sys

HEAD = "| module | bug | programs on `tiny` | on `wide` |\n|---|---|---|---|\n"


def rows_of(logs):
    rows = {}
    for path in logs:
        for line in open(path):
            match = re.fullmatch(r"\| `(\S+)` \| (.+) \| (\d*) \| (\d*) \|\n", line)
            if match:
                rows[match[1], match[2]] = match[3], match[4]
    return rows


def sentence(rows, machine):
    counts = sorted(int(row[machine]) for row in rows if row[machine])
    within = [sum(count <= most for count in counts) for most in (1, 10, 100)]
    name = ("tiny", "wide")[machine]
    return (f"On `{name}` all {len(counts)} are found: {within[0]} by the first program, {within[1]} within ten "
            f"programs, {within[2]} within a hundred, the last one by program {counts[-1]}.")


def main():
    document, bugs, *logs = sys.argv[1:]
    found, table = rows_of(logs), []
    for line in open(bugs):
        _, name, machine, file, what = line.rstrip("\n").split("\t")
        cells = found.get((file, what))
        runs = (machine != "wide", machine != "tiny")
        if not cells or any(not cell or cell == "0" for cell, run in zip(cells, runs) if run):
            sys.exit(f"table.py: error: {name} is not found in the logs on each machine; run all shards with "
                     "DAEDALUS_FAULTY_HARDWARE_ON_BOTH=1")
        table.append((file, what, *cells))
    text = open(document).read()
    lines = "".join(f"| `{file}` | {what} | {tiny} | {wide} |\n" for file, what, tiny, wide in table)
    text, tables = re.subn(re.escape(HEAD) + r"(\|.*\n)*", lambda _: HEAD + lines, text)
    new = sentence([row[2:] for row in table], 0) + " " + sentence([row[2:] for row in table], 1)
    text, sentences = re.subn(r"^On `tiny`.*$", lambda _: new, text, flags=re.MULTILINE)
    if (tables, sentences) != (1, 1):
        sys.exit(f"table.py: error: {document} has {tables} tables and {sentences} sentences of planted bugs; "
                 "expected one each")
    open(document, "w").write(text)


main()
