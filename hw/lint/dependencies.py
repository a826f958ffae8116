#!/usr/bin/env python3
"""dependencies.py BUILD [MACHINE] [RTL]: no output of the accelerator depends on an input within a cycle.

AXI A3.1.1 forbids combinational paths from inputs to outputs, and with them a READY that follows a VALID and a VALID
that waits for its READY within the cycle. yosys elaborates the whole of daedalus.sv (for `tiny` by default, from RTL
instead of hw/rtl); from every output the logic is followed back, bit by bit, to registers. Where an input is found
behind it, a line says `OUTPUT follows INPUT` with the places in the sources, and the exit status is 1. Clock and reset
reach an output through registers alone too. There are no exceptions."""
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

REGISTERS = {"$dff", "$adff"}
BITWISE = {"$and", "$or", "$xor", "$not", "$pos", "$mux", "$pmux"}
# Every bit of the output may depend on every bit of every input; the ports of a memory that read are logic.
LOGIC = {"$add", "$sub", "$mul", "$div", "$neg", "$eq", "$ne", "$lt", "$le", "$gt", "$ge", "$shl", "$shr", "$sshl",
         "$sshr", "$shift", "$shiftx", "$logic_and", "$logic_or", "$logic_not", "$reduce_and", "$reduce_or",
         "$reduce_xor", "$reduce_bool", "$memrd", "$memrd_v2"}
SINKS = {"$memwr_v2", "$meminit", "$meminit_v2"}


def netlist(build, machine, rtl):
    """The top after elaboration: cells of words, wires of numbered bits."""
    packages = build / "isa/generated/sv"
    sources = [packages / "daedalus_isa_pkg.sv", packages / "machines" / machine / "daedalus_machine_pkg.sv",
               rtl / "daedalus_pkg.sv", *sorted(p for p in rtl.glob("*.sv") if not p.name.endswith("_pkg.sv"))]
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        script = (f"read_verilog -sv -DSYNTHESIS {' '.join(map(str, sources))}; hierarchy -check -top daedalus; "
                  f"proc; flatten; write_json {out.name}")
        done = subprocess.run(["yosys", "-q", "-p", script], capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"dependencies.py: error: yosys fails: {done.stderr[-2000:]}")
        return json.load(open(out.name))["modules"]["daedalus"]


class Netlist:
    def __init__(self, module):
        self.drivers, self.inputs, self.outputs = {}, {}, {}
        for name, cell in module["cells"].items():
            kind = cell["type"]
            if kind not in REGISTERS | BITWISE | LOGIC | SINKS:
                sys.exit(f"dependencies.py: error: a cell is a {kind}; expected a register, logic or a memory")
            for port, direction in cell["port_directions"].items():
                if direction == "output":
                    for place, bit in enumerate(cell["connections"][port]):
                        self.drivers[bit] = cell, place, name
        for name, port in module["ports"].items():
            if port["direction"] == "input":
                self.inputs.update(dict.fromkeys(port["bits"], name))
            else:
                self.outputs[name] = port["bits"]

    def behind(self, bit):
        """The bits on which one depends directly; none behind a register."""
        if bit not in self.drivers or self.drivers[bit][0]["type"] in REGISTERS:
            return []
        cell, place, _ = self.drivers[bit]
        wires = cell["connections"]
        width = len(wires.get("Y", ()))
        found = []
        for port, direction in cell["port_directions"].items():
            if direction == "input" and cell["type"] in BITWISE and port in "AB":
                bits = wires[port]
                found += bits[place::width] or bits[-1:]  # $pmux has several words in B; others are extended
            elif direction == "input":
                found += wires[port]
        return found

    def followed(self, output):
        """The inputs behind an output: {name: places in the sources, from the output on}."""
        came_from = {bit: None for bit in self.outputs[output]}
        queue, found = collections.deque(came_from), {}
        while queue:
            bit = queue.popleft()
            if bit in self.inputs:
                found.setdefault(self.inputs[bit], self.path(bit, came_from))
                continue
            for other in self.behind(bit):
                if other not in came_from:
                    came_from[other] = bit
                    queue.append(other)
        return found

    def path(self, bit, came_from):
        places = []
        while (bit := came_from[bit]) is not None:
            places += re.findall(r"(\w+\.sv:\d+)", self.drivers[bit][2])  # $flatten\u_core.\u_x.$and$DIR/x.sv:7$1
        return list(dict.fromkeys(reversed(places)))


def main():
    if not 2 <= len(sys.argv) <= 4:
        sys.exit("usage: dependencies.py BUILD [MACHINE] [RTL]")
    machine = sys.argv[2] if len(sys.argv) > 2 else "tiny"
    here = pathlib.Path(__file__).resolve().parent.parent / "rtl"
    top = Netlist(netlist(pathlib.Path(sys.argv[1]), machine, pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else here))
    wrong = [(output, name, places) for output in top.outputs for name, places in sorted(top.followed(output).items())]
    for output, name, places in wrong:
        print(f"{output} follows {name} (AXI A3.1.1): {', '.join(places)}")
    if wrong or not top.outputs:
        sys.exit(1)
    print(f"machine {machine}: of {len(top.outputs)} outputs none follows one of the {len(set(top.inputs.values()))} "
          "inputs within a cycle (AXI A3.1.1)")


main()
