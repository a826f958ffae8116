#!/usr/bin/env python3
"""matcher_mutants.py --tree DIR [--only TEXT] [--list] [--first N] [--count N]

Whether any one condition under which a kernel is taken could be lost unnoticed. Finds in the files that read and
match kernels every condition that leads to a refusal: the parts of `if (A || B) return fail(...)`, and of
`return A && B` and `const bool isC = A && B`. Makes each a mutant that DAEDALUS_MUTANT=NUMBER switches off, so that one
build serves them all, and runs the tests of recognition with each. A mutant that no test notices is a survivor, unless
redundant.txt beside this file says why it cannot matter. DIR is a copy of the repository: its sources are changed while
this runs, and put back at the end.
"""
import argparse
import os
import re
import subprocess
import sys

FILES = [
    "compiler/lib/Analysis/Access.cpp",
    "compiler/lib/Analysis/Block.cpp",
    "compiler/lib/Analysis/Body.cpp",
    "compiler/lib/Analysis/Selection.cpp",
    "compiler/lib/Target/Accelerator/Kernel.cpp",
    "compiler/lib/Target/Accelerator/KernelElementwise.cpp",
    "compiler/lib/Target/Accelerator/KernelMoves.cpp",
    "compiler/lib/Target/Accelerator/KernelReductions.cpp",
]
REFUSALS = r"(?:return\s+(?:fail\(|no\(|unknown\(\)|false;|std::nullopt;|failure\(\)))"
SWITCH = ('#include <cstdlib>\n[[maybe_unused]] static bool mutantOff(int number) {\n'
          '  static const char *chosen = std::getenv("DAEDALUS_MUTANT");\n'
          '  static const int off = chosen ? std::atoi(chosen) : 0;\n  return off == number;\n}\n')
# The quickest first.
TESTS = [
    ["bin/accelerator_unit", "--gtest_filter=Forms/*:RecognitionTest.*:RandomTexts.*"],
    ["bin/near_misses_test"],
    ["bin/program_forms_test"],
    ["bin/random_programs_test"],
]
OPEN, CLOSE = "([{", ")]}"


def closing(text, at):
    """The place of the bracket that closes the one at `at`."""
    depth = 0
    for k in range(at, len(text)):
        depth += (text[k] in OPEN) - (text[k] in CLOSE)
        if depth == 0:
            return k
    return None


def parts(text, first, last, operator):
    """The ranges between an operator outside of brackets; none where the text declares something."""
    depth, begin, found = 0, first, []
    for k in range(first, last):
        depth += (text[k] in OPEN) - (text[k] in CLOSE)
        if depth == 0 and text[k] == "?":
            return []
        if depth == 0 and text.startswith(operator, k):
            found.append((begin, k))
            begin = k + 2
    found.append((begin, last))
    other = "&&" if operator == "||" else "||"
    if operator == "&&" and len(found) > 1:
        for a, b in found:
            if len(parts(text, a, b, other)) > 1:
                return []
    return found


def conditions(text):
    """(first, last, whether the condition refuses): ranges of the text, none within another."""
    found = []
    for match in re.finditer(r"\bif \(", text):
        opened = match.end() - 1
        end = closing(text, opened)
        if end is None or not re.match(r"\)\s*" + REFUSALS, text[end:]):
            continue
        begin, depth = opened + 1, 0
        for k in range(opened + 1, end):  # behind what an if declares
            depth += (text[k] in OPEN) - (text[k] in CLOSE)
            if depth == 0 and text[k] == ";":
                begin = k + 1
        if re.match(r"\s*(?:const\s+)?(?:auto|std::\w+<[^=]*>|[A-Z]\w*)\s*[*&]?\s*\w+\s*=[^=]", text[begin:end]):
            continue
        found += [(a, b, True) for a, b in parts(text, begin, end, "||")]
    for match in re.finditer(r"(?:\breturn |\bconst bool is\w+ =\s)", text):
        end, depth = match.end(), 0
        while depth > 0 or text[end] != ";":
            depth += (text[end] in OPEN) - (text[end] in CLOSE)
            end += 1
        begin = match.end()
        refusal = re.search(r"\|\|\s*(?:fail|no|unknown)\(", text[begin:end])
        last = begin + refusal.start() if refusal else end
        if text[begin] == "(" and closing(text, begin) == len(text[:last].rstrip()) - 1:
            begin, last = begin + 1, closing(text, begin)
        some = parts(text, begin, last, "&&")
        if len(some) > 1 or (some and refusal):
            found += [(a, b, False) for a, b in some]
    found.sort()
    kept = []
    for condition in found:
        if not kept or condition[0] >= kept[-1][1]:
            kept.append(condition)
    return kept


def mutate(text, number):
    """The text with switches, and (number, line, condition) of each."""
    mutants, result, at = [], "", 0
    for first, last, refuses in conditions(text):
        condition = text[first:last].strip()
        line = text.count("\n", 0, first + len(text[first:last]) - len(text[first:last].lstrip())) + 1
        mutants.append((number, line, " ".join(condition.split())))
        switch = f"(!mutantOff({number}) && ({condition}))" if refuses else f"(mutantOff({number}) || ({condition}))"
        result += text[at:first] + " " + switch + " "
        at = last
        number += 1
    return SWITCH + result + text[at:], mutants


def redundant():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "redundant.txt")
    with open(path) as lines:
        return {tuple(line.split(" | ")[:2]) for line in lines.read().splitlines() if line and line[0] != "#"}


def notices(build, number):
    """The test that fails without the condition, if any."""
    environment = dict(os.environ, DAEDALUS_MUTANT=str(number))
    for test in TESTS:
        command = [os.path.join(build, test[0]), *test[1:], "--gtest_brief=1", "--gtest_fail_fast"]
        try:
            done = subprocess.run(command, env=environment, capture_output=True, timeout=900)
        except subprocess.TimeoutExpired:
            return test[0]
        if done.returncode != 0:
            return test[0]
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--tree", required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=10**6)
    arguments = parser.parse_args()
    originals, changed, mutants = {}, {}, []
    for file in FILES:
        path = os.path.join(arguments.tree, file)
        with open(path) as source:
            originals[path] = source.read()
        changed[path], own = mutate(originals[path], len(mutants) + 1)
        mutants += [(number, file, line, condition) for number, line, condition in own]
    if arguments.list:
        for number, file, line, condition in mutants:
            print(f"{number} {file}:{line}: {condition}")
        return 0
    known, survivors, ran = redundant(), 0, 0
    build = os.path.join(arguments.tree, "build/release")
    try:
        for path, text in changed.items():
            with open(path, "w") as source:
                source.write(text)
        subprocess.run(["ninja", "-C", build, *[os.path.basename(test[0]) for test in TESTS]], check=True,
                       stdout=subprocess.DEVNULL)
        if notices(build, 0):
            sys.exit("the tests fail without any mutant")
        for number, file, line, condition in mutants[arguments.first - 1:][:arguments.count]:
            if arguments.only not in file or (os.path.basename(file), condition) in known:
                continue
            ran += 1
            by = notices(build, number)
            survivors += by is None
            print(f"{number} {file}:{line}: {condition}: {'noticed by ' + by if by else 'SURVIVES'}", flush=True)
    finally:
        for path, text in originals.items():
            with open(path, "w") as source:
                source.write(text)
    print(f"{ran} conditions lost one at a time, {survivors} unnoticed")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
