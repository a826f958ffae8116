"""What the flows of hw share: the sources of a machine, yosys, its statistics, and tables between two marks of a page."""
import pathlib
import re
import subprocess

HW = pathlib.Path(__file__).resolve().parent.parent
PAGE = HW.parent / "docs/hardware.md"
END = "<!-- end -->\n"


def fail(message):
    raise SystemExit(f"error: {message}")


def yosys(script, log):
    done = subprocess.run(["nice", "-n", "10", "yosys", "-q", "-l", log, "-p", script], capture_output=True, text=True, check=False)
    if done.returncode:
        fail(f"yosys fails, see {log}: {done.stderr.strip()[-400:]}")


def yosys_version():
    return subprocess.run(["yosys", "-V"], capture_output=True, text=True, check=True).stdout.split()[1]


def modules():
    """The files of all modules of the RTL."""
    return sorted(path for path in (HW / "rtl").glob("*.sv") if not path.name.endswith("_pkg.sv"))


def file_name(machine):
    """The name of a machine as a file or a folder may have it."""
    return re.sub(r"[^\w.,=-]", "_", machine)


def package_of(build, machine):
    """The package of a machine: what the build made of a built-in one, or what `machine_sv` makes of a file or of one with
    other values (`tiny,inp_interleave=1`)."""
    built_in = build / "isa/generated/sv/machines" / machine / "daedalus_machine_pkg.sv"
    if built_in.is_file():
        return built_in
    tool, package = build / "bin/machine_sv", build / "flow" / f"{file_name(machine)}.sv"
    if not tool.is_file():
        fail(f"there is no {tool}, which writes the SystemVerilog of machine '{machine}'; build it first: ninja -C {build} machine_sv")
    package.parent.mkdir(exist_ok=True)
    done = subprocess.run([tool, machine, package], capture_output=True, text=True, check=False)
    if done.returncode:
        fail(done.stderr.strip().removeprefix("machine_sv: error: "))
    return package


def sources_of(build, machine, folder=None):
    """The packages of a machine, and the modules: those of a folder in the place of the RTL's of the same name."""
    own = {path.name: path for path in sorted(folder.glob("*.sv"))} if folder else {}
    return ([build / "isa/generated/sv/daedalus_isa_pkg.sv", package_of(build, machine), HW / "rtl/daedalus_pkg.sv"],
            [own.pop(module.name, module) for module in modules()] + list(own.values()))


def read(sources):
    return f"read_verilog -sv -DSYNTHESIS {' '.join(map(str, sources))}"


def plain(name):
    """The name in the source of a module that yosys specialized: `$paramod$0a1b\\scratchpad` is `scratchpad`."""
    return re.sub(r"^\$paramod(\$[0-9a-f]+)?\\(\w+).*$", r"\2", name).lstrip("\\")


def statistics(path):
    """What `stat` says of each module: {name: {"memory_bits": bits of its own memories, "cells": {type: count}}}."""
    modules = {}
    for line in path.read_text().split("=== design hierarchy")[0].splitlines():
        if title := re.fullmatch(r"=== (\S+) ===", line):
            module = modules[title[1]] = {"memory_bits": 0, "cells": {}}
        elif bits := re.fullmatch(r" +Number of memory bits: +(\d+)", line):
            module["memory_bits"] = int(bits[1])
        elif cell := re.fullmatch(r"     (\S+) +(\d+)", line):
            module["cells"][cell[1]] = int(cell[2])
    return modules


def page_with(text, begin, table, page=PAGE):
    """The page with the text between the mark `begin` and the next end replaced."""
    if begin not in text or END not in text.split(begin, 1)[1]:
        fail(f"{page} lacks the marks {begin.strip()} and {END.strip()}")
    head, rest = text.split(begin, 1)
    return head + begin + table + END + rest.split(END, 1)[1]
