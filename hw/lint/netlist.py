"""The accelerator as yosys elaborates it: cells of words, wires of numbered bits. For the checks of this folder that
follow the logic bit by bit."""
import json
import pathlib
import subprocess
import sys
import tempfile

REGISTERS = {"$dff", "$adff"}
BITWISE = {"$and", "$or", "$xor", "$not", "$pos", "$mux", "$pmux"}
READS = {"$memrd", "$memrd_v2"}  # ports of memories
WRITES = {"$memwr_v2"}
# Every bit of the output may depend on every bit of every input; the ports of a memory that read are logic.
LOGIC = READS | {"$add", "$sub", "$mul", "$div", "$neg", "$eq", "$ne", "$lt", "$le", "$gt", "$ge", "$shl", "$shr",
                 "$sshl", "$sshr", "$shift", "$shiftx", "$logic_and", "$logic_or", "$logic_not", "$reduce_and",
                 "$reduce_or", "$reduce_xor", "$reduce_bool"}
SINKS = WRITES | {"$meminit", "$meminit_v2"}


def fail(message):
    sys.exit(f"{pathlib.Path(sys.argv[0]).name}: error: {message}")


def elaborate(build, machine, rtl, clean=False):
    """The top for a machine, from the RTL of a folder; `clean`: without what nothing reads."""
    packages = build / "isa/generated/sv"
    sources = [packages / "daedalus_isa_pkg.sv", packages / "machines" / machine / "daedalus_machine_pkg.sv",
               rtl / "daedalus_pkg.sv", *sorted(p for p in rtl.glob("*.sv") if not p.name.endswith("_pkg.sv"))]
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        script = (f"read_verilog -sv -DSYNTHESIS {' '.join(map(str, sources))}; hierarchy -check -top daedalus; "
                  f"proc; flatten; {'opt_clean; ' if clean else ''}write_json {out.name}")
        done = subprocess.run(["yosys", "-q", "-p", script], capture_output=True, text=True)
        if done.returncode:
            fail(f"yosys fails: {done.stderr[-2000:]}")
        module = json.load(open(out.name))["modules"]["daedalus"]
    for cell in module["cells"].values():
        if cell["type"] not in REGISTERS | BITWISE | LOGIC | SINKS:
            fail(f"a cell is a {cell['type']}; expected a register, logic or a memory")
    return module


def ports(cell, direction):
    return [(port, cell["connections"][port]) for port, of in cell["port_directions"].items() if of == direction]
