#!/usr/bin/env python3
"""dependencies.py BUILD [MACHINE] [RTL]: no output of the accelerator depends on an input within a cycle.

AXI A3.1.1 forbids combinational paths from inputs to outputs, and with them a READY that follows a VALID and a VALID
that waits for its READY within the cycle. yosys elaborates the whole of daedalus.sv (for `tiny` by default, from RTL
instead of hw/rtl); from every output the logic is followed back, bit by bit, to registers. Where an input is found
behind it, a line says `OUTPUT follows INPUT` with the places in the sources, and the exit status is 1. Clock and reset
reach an output through registers alone too. There are no exceptions."""
import collections
import pathlib
import re
import sys

from netlist import BITWISE, REGISTERS, elaborate, ports


class Netlist:
    def __init__(self, module):
        self.drivers, self.inputs, self.outputs = {}, {}, {}
        for name, cell in module["cells"].items():
            for _, bits in ports(cell, "output"):
                for place, bit in enumerate(bits):
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
        width = len(cell["connections"].get("Y", ()))
        found = []
        for port, bits in ports(cell, "input"):
            if cell["type"] in BITWISE and port in "AB":
                found += bits[place::width] or bits[-1:]  # $pmux has several words in B; others are extended
            else:
                found += bits
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
    rtl = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else here
    top = Netlist(elaborate(pathlib.Path(sys.argv[1]), machine, rtl))
    wrong = [(output, name, places) for output in top.outputs for name, places in sorted(top.followed(output).items())]
    for output, name, places in wrong:
        print(f"{output} follows {name} (AXI A3.1.1): {', '.join(places)}")
    if wrong or not top.outputs:
        sys.exit(1)
    print(f"machine {machine}: of {len(top.outputs)} outputs none follows one of the {len(set(top.inputs.values()))} "
          "inputs within a cycle (AXI A3.1.1)")


main()
