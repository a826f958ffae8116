"""Stages of the RTL, of which each loses its register once: what follows sees the register's input in the cycle in which it
comes. stages.txt names the modules and, of their registers that only delay what they are given, those that stay."""
import re

ASSIGNMENT = re.compile(r"(?:^|\belse\b|\)|\bbegin\b|:)[ \t]*(\w+)\s*<=\s*([^;]*);", re.MULTILINE)
CONSTANT = re.compile(r"('[01]|\d+'[bdh][0-9a-fA-F_]+)$")


class Unfit(Exception):
    """In one sentence."""


def blocks(text):
    """Where the always_ff of a module begin and end, but those of simulation alone."""
    simulation = [m.span() for m in re.finditer(r"`ifndef SYNTHESIS.*?`endif", text, re.DOTALL)]
    for match in re.finditer(r"^( *)always_ff.*", text, re.MULTILINE):
        if any(first < match.start() < end for first, end in simulation):
            continue
        end = match.end()
        if match.group(0).endswith("begin"):
            end = text.index(f"\n{match.group(1)}end\n", end) + len(match.group(1)) + 4
        elif ";" not in match.group(0):
            end = text.index(";", end) + 1
        yield match.start(), end


def assignments(text):
    """By register: where it is assigned what, and where the block ends in which that stands."""
    found = {}
    for first, end in blocks(text):
        for match in ASSIGNMENT.finditer(text, first, end):
            found.setdefault(match.group(1), []).append((match, end))
    return found


def delays(text):
    """The registers of a module that, but for constants, are given one thing, which does not depend on them; and it."""
    found = {}
    for name, all_of in assignments(text).items():
        inputs = [match.group(2) for match, _ in all_of if not CONSTANT.match(match.group(2).strip())]
        if len(inputs) == 1 and not re.search(rf"\b{name}\b", inputs[0]):
            found[name] = inputs[0]
    return found


def declaration(text, name):
    """Where a declaration of the like can stand behind that of `name`, and its type."""
    port = re.search(rf"\boutput (logic[^,;\n]*?)\s+{name}\b", text)
    if port:
        return text.index("\n);", port.end()) + 3, port.group(1)
    for match in re.finditer(r"^ *(logic|[\w:]+_t)\b([^;]*);.*$", text, re.MULTILINE):
        if re.search(rf"\b{name}\b", match.group(2)):
            kind = re.match(r"(?:\s*signed)?(?:\s*\[[^\]]*\])*", match.group(2)).group(0)
            return match.end(), match.group(1) + kind
    raise Unfit(f"no declaration of {name}")


def lose(text, name, given, bug):
    """The module without the register `name`, which is given `given`, behind the define `bug`."""
    all_of = assignments(text)[name]
    end = all_of[-1][1]
    behind, kind = declaration(text, name)
    edits = [(m.start(1), m.end(1), f"{name}_kept") for m, _ in all_of]
    edits.append((behind, behind, f"\n  {kind} {name}_kept;"))
    edits.append((end, end, f"\n  always_comb if (`{bug}) {name} = {given}; else {name} = {name}_kept;\n"))
    for first, last, new in sorted(edits, reverse=True):
        text = text[:first] + new + text[last:]
    return text


def read(path):
    """By module: the registers that stay."""
    modules, module = {}, None
    for number, line in enumerate(open(path), 1):
        key, _, value = line.partition(" ")
        names, _, reason = value.partition(":")
        if not line.strip() or line.startswith("#"):
            continue
        if key == "module":
            module = modules.setdefault(f"{value.strip()}.sv", [])
        elif key == "stays" and module is not None and reason.strip():
            module += names.split()
        else:
            raise Unfit(f"{path}:{number}: expected 'module NAME', or behind one 'stays REGISTER...: REASON'")
    return modules


def bugs(path, files):
    """A bug for each register of the modules, as plant.py reads them from bugs.txt."""
    for file, stays in read(path).items():
        names = delays(files[file])
        unknown = set(stays) - set(names)
        if unknown:
            raise Unfit(f"{path}: {file} has no such register: {' '.join(sorted(unknown))}; expected some of {' '.join(names)}")
        for name, given in names.items():
            if name not in stays:
                yield {"name": f"LOST_{file[:-3]}_{name}".upper(), "file": file, "register": name, "given": given,
                       "what": f"has no register {name}"}
