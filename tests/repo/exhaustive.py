#!/usr/bin/env python3
"""exhaustive.py GENERATED ROOT: no place forgets a value of an enumeration of the instruction set in silence.

C++ in ROOT: a switch over such an enumeration has no `default:`, so the compiler names the value that is missing
(-Werror=switch). SystemVerilog in ROOT/hw/rtl: a case over one names every value, and its default, if it has one,
gives 'x. The enumerations are read from what isagen made in GENERATED."""
import os
import re
import sys

CODE = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])'", re.S)


def read(path, without=CODE):
    text = open(path, encoding="utf-8").read()
    return without.sub(lambda match: "\n" * match.group().count("\n"), text) if without else text


def sources(root, folders, endings):
    for folder in folders:
        for at, _, names in os.walk(os.path.join(root, folder)):
            for name in sorted(names):
                if name.endswith(endings):
                    yield os.path.join(at, name)


def blocks(text, opening, closing):
    """(line, text) of every block between the two patterns, nested ones cut out of the outer one."""
    stack = []
    for token in re.finditer(f"(?P<open>{opening})|(?P<close>{closing})", text):
        if token.group("open"):
            stack.append([token, token.end(), ""])
        elif stack:
            token_open, at, before = stack.pop()
            body = before + text[at : token.start()]
            if stack:
                stack[-1][2] += text[stack[-1][1] : token_open.start()]
                stack[-1][1] = token.end()
            yield token_open, text.count("\n", 0, token_open.start()) + 1, body


def cpp_problems(path, enums):
    text = read(path)
    for opening, line, body in blocks(text, r"(?:\bswitch\s*\([^{};]*\)\s*)?\{", r"\}"):
        if not opening.group().startswith("switch"):
            continue
        of = {label for label in re.findall(r"\bcase\s+(?:\w+::)*(\w+)::\w+\s*:", body) if label in enums}
        if of and re.search(r"\bdefault\s*:", body):
            yield f"{path}:{line}: a switch over {', '.join(sorted(of))} has a default, which hides a forgotten value: name them all"


def sv_problems(path, enums):
    text = read(path, re.compile(r"//[^\n]*"))
    for _, line, body in blocks(text, r"\bcase\s*\(", r"\bendcase\b"):
        named = set(re.findall(r"daedalus_isa_pkg::(\w+)(?=[\w\s:,]*:)", body))
        for enum, values in enums.items():
            if not named & values:
                continue
            if values - named:
                yield f"{path}:{line}: a case over {enum} forgets {', '.join(sorted(values - named))}"
            default = re.search(r"\bdefault\s*:(.*?);", body, re.S)
            if default and not default.group(1).rstrip().endswith("'x"):
                yield f"{path}:{line}: the default of a case over {enum} does something; expected 'x"


def main():
    generated, root = sys.argv[1:]
    cpp = set()
    for header in ("instructions.h", "instruction_fields.h"):
        cpp |= set(re.findall(r"enum class (\w+)", read(os.path.join(generated, "include/daedalus/isa", header))))
    package = read(os.path.join(generated, "sv/daedalus_isa_pkg.sv"), None)
    sv = {name: set(re.findall(r"^\s+(\w+) =", body, re.M))
          for body, name in re.findall(r"typedef enum [^{]*\{(.*?)\}\s*(\w+)_e;", package, re.S)}
    if len(cpp) < 5 or len(sv) < 5:
        sys.exit("exhaustive.py: error: no enumerations found in " + generated)
    problems, seen = [], 0
    for path in sources(root, ("isa", "simulator", "runtime", "compiler", "tests"), (".cpp", ".h", ".c")):
        problems += cpp_problems(path, cpp)
        seen += 1
    for path in sources(root, ("hw/rtl",), (".sv",)):
        problems += sv_problems(path, sv)
        seen += 1
    print("\n".join(problems) or f"{seen} files: no switch or case forgets a value")
    sys.exit(1 if problems or seen < 100 else 0)


main()
