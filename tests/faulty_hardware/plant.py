#!/usr/bin/env python3
"""plant.py BUGS RTL OUTPUT [STAGES]: copies the RTL with the bugs of the list, and without each register of STAGES
(stages.py), each behind its own define.

`BUG_NAME is true where the test bench selects the bug's number, which is its place in both lists from 1 on.
OUTPUT/bugs.tsv has number, name, the machine on which alone it is looked for (or all), file and what it does. An
expression that is not found exactly once is an error: then the RTL has changed and the list has to follow."""
import os
import sys

import stages


def read(path):
    bugs, bug = [], None
    for number, line in enumerate(open(path), 1):
        key, _, value = line.rstrip("\n").partition(" ")
        if not line.strip() or line.startswith("#"):
            continue
        if key == "bug":
            bug = {"name": value, "edits": []}
            bugs.append(bug)
        elif key == "from":
            bug["edits"].append({"from": value})
        elif key == "to":
            bug["edits"][-1]["to"] = value
        elif key in ("file", "what", "machine", "verbatim", "first", "last", "define"):
            bug[key] = value
        else:
            sys.exit(f"plant.py: error: {path}:{number}: '{key}' is no key; expected bug, file, what, from or to")
    return bugs


def plant(bug, text):
    if "register" in bug:
        return stages.lose(text, bug["register"], bug["given"], f"BUG_{bug['name']}")
    for edit in bug["edits"]:
        text = plant_one(bug, edit["from"], edit["to"], text)
    return text


def plant_one(bug, old, new, text):
    count = text.count(old)
    if count != 1 and not (count > 1 and ("first" in bug or "last" in bug)):
        sys.exit(f"plant.py: error: {bug['name']}: '{old}' stands {count} times in {bug['file']}; expected once")
    at = text.rindex(old) if "last" in bug else text.index(old)
    behind = text[at + len(old) :]
    if "verbatim" not in bug:
        end = ";" if old.endswith(";") and new.endswith(";") else ""
        old, new = (old[:-1], new[:-1]) if end else (old, new)
        new = f"(`BUG_{bug['name']} ? ({new}) : ({old})){end}"
    return text[:at] + new + behind


def main():
    bugs_path, rtl, output, *stages_paths = sys.argv[1:]
    os.makedirs(output, exist_ok=True)
    files = {name: open(os.path.join(rtl, name)).read() for name in os.listdir(rtl)}
    try:
        bugs = read(bugs_path) + [bug for path in stages_paths for bug in stages.bugs(path, files)]
    except stages.Unfit as error:
        sys.exit(f"plant.py: error: {error}")
    defines = "".join(
        f"`define BUG_{bug['name']} (daedalus_tb.bug_i == 16'd{number})\n" for number, bug in enumerate(bugs, 1)
    )
    for bug in bugs:
        files[bug["file"]] = plant(bug, files[bug["file"]])
    for name, text in files.items():
        with open(os.path.join(output, name), "w") as out:
            out.write(text if name.endswith("_pkg.sv") else '`include "bugs.svh"\n' + text)
    with open(os.path.join(output, "bugs.svh"), "w") as out:
        out.write("`ifndef BUGS_SVH\n`define BUGS_SVH\n" + defines + "`endif\n")
    with open(os.path.join(output, "bugs.tsv"), "w") as out:
        for number, bug in enumerate(bugs, 1):
            out.write(f"{number}\t{bug['name']}\t{bug.get('machine', 'all')}\t{bug['file']}\t{bug['what']}\n")


main()
