#!/usr/bin/env python3
"""check.py BUILD: reads BUILD/isa/generated/daedalus.rdl with a compiler of SystemRDL (PyPI's systemrdl-compiler, pinned in
requirements.txt and installed into the build folder at the first run) and compares every register of every array, its
offset, its fields and what a host may do with them, with BUILD/isa/generated/include/daedalus_isa.h."""
import argparse
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "tests/support"))
sys.path.insert(0, str(ROOT / "hw/flow"))
import virtual_environment  # noqa: E402
from header import registers_of  # noqa: E402
from tools import fail  # noqa: E402


def access_of(fields):
    software = {str(field.get_property("sw")).rpartition(".")[2] for field in fields}
    if any(field.get_property("onwrite") for field in fields):
        return "w1c"
    return {"r": "ro", "w": "wo", "rw": "rw"}["".join(sorted(software))]


def found_in(path):
    from systemrdl import RDLCompileError, RDLCompiler  # of the environment
    from systemrdl.node import RegNode
    compiler, found = RDLCompiler(), {}
    try:
        compiler.compile_file(str(path))
        top = compiler.elaborate().top
    except RDLCompileError:
        fail(f"{path} is no SystemRDL; its reasons are above")
    for node in top.descendants(unroll=True):
        if isinstance(node, RegNode):
            fields = list(node.fields())
            bits = [] if [(field.lsb, field.msb) for field in fields] == [(0, 31)] else [field.lsb for field in fields]
            found[node.absolute_address] = (node.inst_name, access_of(fields), bits)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=lambda path: pathlib.Path(path).absolute())
    options = parser.parse_args()
    generated = options.build / "isa/generated"
    for path in (generated / "daedalus.rdl", generated / "include/daedalus_isa.h"):
        if not path.is_file():
            fail(f"there is no {path}; build the target isa_generated")
    virtual_environment.enter(options.build / "registers/venv", HERE / "requirements.txt")
    wanted, found = registers_of((generated / "include/daedalus_isa.h").read_text()), found_in(generated / "daedalus.rdl")
    for offset in sorted({*wanted, *found}):
        if wanted.get(offset) != found.get(offset):
            fail(f"at {offset:#05x} the header has {wanted.get(offset, 'nothing')}, daedalus.rdl {found.get(offset, 'nothing')}")
    print(f"daedalus.rdl: {len(found)} registers, as in daedalus_isa.h")


if __name__ == "__main__":
    main()
