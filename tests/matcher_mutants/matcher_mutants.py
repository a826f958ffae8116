#!/usr/bin/env python3
"""matcher_mutants.py --tree DIR [--only TEXT] [--list] [--first N] [--count N] [--jobs N] [--quick]

Whether any one condition under which a kernel is taken could be lost unnoticed. Finds in the files that read and
match kernels every condition that leads to a refusal: the parts of `if (A || B) return fail(...)`, and of
`return A && B`, `bool c = A && B`, `c &= A` and of any other `if (A && B)` or `else if (A)`. Makes each a mutant that
DAEDALUS_MUTANT=NUMBER switches off, so that one build serves them all, and runs the tests of recognition with each. A
lost condition is still computed, for what else that does; its value is not looked at. A mutant that no test notices is a
survivor, unless redundant.txt beside this file says why it cannot matter. DIR is a copy of the repository: its sources
are changed while this runs, and put back at the end. --quick runs the unit tests alone.
"""
import argparse
import concurrent.futures
import os
import re
import subprocess
import sys

FILES = [
    "compiler/lib/Analysis/Access.cpp",
    "compiler/lib/Analysis/Block.cpp",
    "compiler/lib/Analysis/Body.cpp",
    "compiler/lib/Analysis/Selection.cpp",
    "compiler/lib/Dialect/Dae/Transforms/Cover.cpp",
    "compiler/lib/Dialect/Dae/Transforms/Match.cpp",
    "compiler/lib/Dialect/Dae/Transforms/PackedCover.cpp",
    "compiler/lib/Target/Accelerator/Kernels/Reader.cpp",
    "compiler/lib/Target/Accelerator/Kernels/Elementwise.cpp",
    "compiler/lib/Target/Accelerator/Kernels/Layouts.cpp",
    "compiler/lib/Target/Accelerator/Kernels/Moves.cpp",
    "compiler/lib/Target/Accelerator/Kernels/InputProducts.cpp",
    "compiler/lib/Target/Accelerator/Kernels/Reductions.cpp",
    "compiler/lib/Target/Accelerator/Kernels/Weights.cpp",
    "compiler/lib/Target/Accelerator/Kernels/Choose.cpp",
    "compiler/lib/Target/Accelerator/Kernels/Select.cpp",
    "compiler/lib/Target/Accelerator/Transforms/Flatten.cpp",
    "compiler/lib/Target/Accelerator/Transforms/Fold.cpp",
    "compiler/lib/Target/Accelerator/Transforms/Fuse.cpp",
]
REFUSALS = r"(?:return\s+(?:fail\(|no\(|refuse\(|unknown\(\)|false;|std::nullopt;|failure\(\))|\{\s*(?:fail\(|reason = ))"
SWITCH = ('#include <cstdlib>\n[[maybe_unused]] static bool mutantOff(int number) {\n'
          '  static const char *chosen = std::getenv("DAEDALUS_MUTANT");\n'
          '  static const int off = chosen ? std::atoi(chosen) : 0;\n  return off == number;\n}\n')
# The quickest first; the declared intrinsics have tests of their own.
UNIT_TESTS = [
    ["bin/analysis_unit"],
    ["bin/accelerator_unit", "--gtest_filter=Conditions.*:*Stages.*:Forms/*:RecognitionTest.*:Transforms.*"],
    ["bin/compiler_unit", "--gtest_filter=Intrinsic*"],
    ["bin/tensor_programs_test", "--gtest_filter=ConstantRows.*"],
]
WHOLE_TESTS = [
    ["bin/accelerator_unit", "--gtest_filter=RandomTexts.*"],
    ["bin/program_forms_test"],
    ["bin/near_misses_test"],
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


def end_of_condition(text, begin):
    """(where the condition of an if begins behind what the if declares, its end); None where it only declares."""
    end, depth = closing(text, begin), 0
    if end is None:
        return None
    first = begin + 1
    for k in range(begin + 1, end):
        depth += (text[k] in OPEN) - (text[k] in CLOSE)
        if depth == 0 and text[k] == ";":
            first = k + 1
    declares = r"\s*(?:const\s+)?(?:auto|(?:\w+::)*\w+<[^=]*>|[A-Z]\w*)\s*[*&]?\s*\w+\s*=[^=]"
    return None if re.match(declares, text[first:end]) else (first, end)


def of_ifs(text):
    for match in re.finditer(r"(\belse )?\bif \(", text):
        found = end_of_condition(text, match.end() - 1)
        if not found:
            continue
        if re.match(r"\)\s*" + REFUSALS, text[found[1]:]):
            yield from ((a, b, True) for a, b in parts(text, *found, "||"))
            continue
        some = parts(text, *found, "&&")
        if len(some) > 1 or (some and match.group(1)):
            yield from ((a, b, False) for a, b in some)


def of_values(text):
    for match in re.finditer(r"(?:\breturn |\bbool \w+ =\s|\w (&)= )", text):
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
        if len(some) > 1 or (some and (refusal or match.group(1))):
            yield from ((a, b, False) for a, b in some)


def conditions(text):
    """(first, last, whether the condition refuses): ranges of the text, none within another."""
    kept = []
    for condition in sorted([*of_ifs(text), *of_values(text)]):
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
        switch = f"(({condition}) && !mutantOff({number}))" if refuses else f"(({condition}) || mutantOff({number}))"
        result += text[at:first] + " " + switch + " "
        at = last
        number += 1
    return SWITCH + result + text[at:], mutants


def redundant():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "redundant.txt")
    with open(path) as lines:
        return {tuple(line.split(" | ")[:2]) for line in lines.read().splitlines() if line and line[0] != "#"}


def notices(build, tests, number):
    """The test that fails without the condition, if any."""
    environment = dict(os.environ, DAEDALUS_MUTANT=str(number))
    for test in tests:
        command = [os.path.join(build, test[0]), *test[1:], "--gtest_brief=1", "--gtest_fail_fast"]
        try:
            done = subprocess.run(command, env=environment, capture_output=True, timeout=900)
        except subprocess.TimeoutExpired:
            return test[0]
        if done.returncode != 0:
            return test[0]
    return None


def run(build, tests, jobs, mutants):
    """Runs the tests with each mutant; how many are not noticed."""
    survivors = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        by_all = pool.map(lambda mutant: notices(build, tests, mutant[0]), mutants)
        for (number, file, line, condition), by in zip(mutants, by_all):
            survivors += by is None
            print(f"{number} {file}:{line}: {condition}: {'noticed by ' + by if by else 'SURVIVES'}", flush=True)
    return survivors


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--tree", required=True)
    parser.add_argument("--only", default="", help="of files whose path contains this")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=10**6)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--quick", action="store_true", help="the unit tests alone")
    arguments = parser.parse_args()
    originals, changed, mutants = {}, {}, []
    for file in FILES:
        path = os.path.join(arguments.tree, file)
        with open(path) as source:
            originals[path] = source.read()
        changed[path], own = mutate(originals[path], len(mutants) + 1)
        mutants += [(number, file, line, condition) for number, line, condition in own]
    known = redundant()
    stale = known - {(os.path.basename(file), condition) for _, file, _, condition in mutants}
    if stale:
        sys.exit(f"redundant.txt names what is no condition: {sorted(stale)}")
    if arguments.list:
        for number, file, line, condition in mutants:
            print(f"{number} {file}:{line}: {condition}")
        return 0
    tests = UNIT_TESTS if arguments.quick else UNIT_TESTS + WHOLE_TESTS
    build = os.path.join(arguments.tree, "build/release")
    try:
        for path, text in changed.items():
            with open(path, "w") as source:
                source.write(text)
        subprocess.run(["ninja", "-j2", "-C", build, *{os.path.basename(test[0]) for test in tests}], check=True,
                       stdout=subprocess.DEVNULL)
        if notices(build, tests, 0):
            sys.exit("the tests fail without any mutant")
        chosen = [mutant for mutant in mutants[arguments.first - 1:][:arguments.count] if arguments.only in mutant[1]
                  and (os.path.basename(mutant[1]), mutant[3]) not in known]
        survivors = run(build, tests, arguments.jobs, chosen)
    finally:
        for path, text in originals.items():
            with open(path, "w") as source:
                source.write(text)
    print(f"{len(chosen)} conditions lost one at a time, {survivors} unnoticed")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
