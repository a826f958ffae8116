#!/usr/bin/env python3
"""data_independence.py BUILD [MACHINE] [RTL]: what the accelerator does in a cycle does not depend on data.

Data are the contents of the scratchpads and what LOAD receives on RDATA. yosys elaborates the whole of daedalus.sv
(for `tiny` by default, from RTL instead of hw/rtl). DATA lists the registers, memories and outputs that may hold data;
all others decide about time: handshakes, addresses, counters, faults, states. From every place of data the logic is
followed forward, bit by bit, to the registers, memories and outputs behind it. Where one of them is not in DATA a line
says `PLACE follows DATA` with the way in the sources, and the exit status is 1.

What this proves, by induction over cycles: two runs of any length, in which host and memory do the same but for bytes
of data, have the same valid and ready signals, addresses, counters, faults and interrupts in every cycle. It holds for
all values, so also for a stall at one pattern of 2^32. The logic is taken too strictly in places (all bits of a sum
depend on all bits of what is added), never too loosely.

RDATA brings instructions too, and the owner of a beat is the one join: in cycles in which `fetch_beat` is set RDATA is
a part of the program, in all others it is data. So RDATA is followed where that signal is 0, and the signal itself, as
an output, may follow no data. RRESP, RLAST and RVALID are no data: a fault may depend on them."""
import collections
import pathlib
import re
import sys

from netlist import BITWISE, READS, REGISTERS, WRITES, elaborate, fail, ports

RDATA = "m_axi_rdata_i"
FETCH_BEAT = "u_core.fetch_beat"

# Where data may be, and what these places hold.
DATA = {
    r"u_core\.u_(inp|acc|wgt|param|lut|out)\.(.*\.)?mem": "rows, tiles and tables",
    r"u_core\.u_(inp|acc|wgt|param|lut|out)\..*read_data_o": "a row as it was read",
    r"u_core\.u_lut\.gen_lane\[\d+\]\.place_q": "the place of an entry in its row, which is a part of its index",
    r"u_core\.u_load\.u_receive_buffer\.(beats|data_o|u_more\..*data_q(\[\d+\])?)": "beats that LOAD received and has not written",
    r"u_core\.u_load\.u_writer\.(beat_q|write_data_o)": "the beat that is written, and the row that it becomes",
    r"u_core\.u_gemm\.u_array\.(rows_q|.*\.(tap_o|wgt_q))": "rows of INP, and what the elements take of them and of a tile of WGT",
    r"u_core\.u_gemm\.u_array\..*\.product_o": "products",
    r"u_core\.u_gemm\.u_array\..*\.sum_o": "their sums",
    r"u_core\.u_gemm\.(last|older)_result_q": "the last sums, for ACC and the two iterations behind",
    r"u_core\.u_vector\.gen_lane\[\d+\]\.u_lane\.((a|b|value\d|read|old|results)_q(\[\d+\])?|result_o)": "operands and results",
    r"u_core\.u_vector\.gen_lane\[\d+\]\.u_lane\.u_product\.\w+": "products of requant and mul",
    r"u_core\.u_vector\.gen_lane\[\d+\]\.u_lane\.u_requant\.\w+": "what requant makes of them",
    r"u_core\.u_vector\.gen_lane\[\d+\]\.u_lane\.(bias_q|shift_q|shifts_q\[\d+\])": "parameters of requant",
    r"u_core\.u_vector\.gen_lane\[\d+\]\.u_lane\.lut_index_o": "places in a table",
    r"u_core\.u_store\.u_reader\.(row_q|held_q|data_s\[\d+\])": "rows of OUT on their way to WDATA",
    r"m_axi_wdata_o": "what STORE writes",
}


def is_data(place):
    return any(re.fullmatch(pattern, place) for pattern in DATA)


def memory_of(cell):
    return cell["parameters"]["MEMID"].lstrip("\\")


class Netlist:
    """`readers`: the inputs of cells that a bit goes to. `places`: registers and memories by name, with the bits that come out of
    them. `outputs`: bits that leave."""

    def __init__(self, module):
        self.cells, self.wires, self.ports = module["cells"], module["netnames"], module["ports"]
        self.readers, self.places, self.names = collections.defaultdict(list), collections.defaultdict(list), {}
        for name, cell in self.cells.items():
            for port, bits in ports(cell, "input"):
                for place, bit in enumerate(bits):
                    self.readers[bit].append((name, port, place))
            if cell["type"] in READS:
                self.places[memory_of(cell)] += cell["connections"]["DATA"]
        self.name_registers()
        self.outputs = {bit: name for name, port in self.ports.items() if port["direction"] == "output"
                        for bit in port["bits"]}
        self.outputs.update(dict.fromkeys(self.bits(FETCH_BEAT), FETCH_BEAT))

    def name_registers(self):
        """By the wire of the module in which the register stands."""
        wires = collections.defaultdict(list)
        for wire, of in self.wires.items():
            for bit in of["bits"] if "$" not in wire else ():
                wires[bit].append(wire)
        for name, cell in self.cells.items():
            if cell["type"] in REGISTERS:
                module = re.sub(r"\\|\$.*", "", name.removeprefix("$flatten"))
                for bit in cell["connections"]["Q"]:
                    inside = [wire for wire in wires[bit] if wire.startswith(module) and "." not in wire[len(module):]]
                    wire = min(inside or wires[bit] or [name], key=lambda wire: (wire.endswith("_o"), len(wire)))
                    self.names[bit] = wire
                    self.places[wire].append(bit)

    def bits(self, wire):
        if wire not in self.wires:
            fail(f"the netlist has no wire '{wire}'; this check has to follow the RTL")
        return self.wires[wire]["bits"]

    def behind(self, bit, known):
        """Where a bit goes: a cell with the bits that come out of it, and the place that it gets to instead."""
        if bit in self.outputs:
            yield None, [], self.outputs[bit]
        for name, port, place in self.readers[bit]:
            cell = self.cells[name]
            wires = cell["connections"]
            if cell["type"] in WRITES:
                if any(known.get(enable) != 0 for enable in wires["EN"]):
                    yield name, [], memory_of(cell)
            elif cell["type"] in REGISTERS:
                for q in wires["Q"][place:place + 1] if port == "D" else wires["Q"]:
                    yield name, [], self.names[q]
            elif matters(cell, port, known):
                yield name, [y for y in out_of(cell, port, place) if y not in known], None

    def follow(self, bits, known):
        """What is directly behind some bits: {place: the way to it}."""
        came_from, queue, found = dict.fromkeys(bits), collections.deque(bits), {}
        while queue:
            bit = queue.popleft()
            for name, out, place in self.behind(bit, known):
                if place:
                    found.setdefault(place, (bit, name))
                for other in out:
                    if other not in came_from:
                        came_from[other] = bit, name
                        queue.append(other)
        return {place: self.way(*step, came_from) for place, step in found.items()}

    @staticmethod
    def way(bit, name, came_from):
        cells = [name or ""]
        while came_from[bit]:
            bit, name = came_from[bit]
            cells.append(name)
        lines = [line for cell in reversed(cells) for line in re.findall(r"\w+\.sv:\d+", cell)]  # registers have none
        return list(dict.fromkeys(lines))

    def constants(self, zeros):
        """The bits that are 0 or 1 where those of `zeros` are 0, as far as plain gates show it."""
        known = {"0": 0, "1": 1, **dict.fromkeys(zeros, 0)}
        queue = collections.deque(zeros)
        while queue:
            for name, _, _ in self.readers[queue.popleft()]:
                for bit, value in settled(self.cells[name], known):
                    if bit not in known:
                        known[bit] = value
                        queue.append(bit)
        return known


def matters(cell, port, known):
    """Whether an input can change what comes out of a cell where others are constants."""
    select = known.get(cell["connections"]["S"][0]) if cell["type"] == "$mux" else None
    return select is None or port == "AB"[select]


def out_of(cell, port, place):
    """The bits of a cell's output that depend on a bit of an input."""
    wires = cell["connections"]
    (_, out), = ports(cell, "output")
    if cell["type"] not in BITWISE or port == "S":
        return out
    found = [out[place % len(out)]]  # $pmux has several words in B
    return found + out[place + 1:] if place == len(wires[port]) - 1 else found  # extended


def settled(cell, known):
    """Bits of a cell's output that its constant inputs decide, with their values."""
    kind, wires = cell["type"], cell["connections"]
    a, b, select = ([known.get(bit) for bit in wires.get(port, ())] for port in "ABS")
    if kind == "$mux" and select[0] is not None:
        return [(y, bit) for y, bit in zip(wires["Y"], (a, b)[select[0]]) if bit is not None]
    if kind == "$and":
        return [(y, 0) for y, *inputs in zip(wires["Y"], a, b) if 0 in inputs]
    if kind == "$logic_and" and any(all(bit == 0 for bit in word) for word in (a, b)):
        return [(wires["Y"][0], 0)]
    if kind == "$logic_not" and len(a) == 1 and a[0] is not None:
        return [(wires["Y"][0], 1 - a[0])]
    return []


def check(netlist):
    """A line for each kind of place that a kind of data gets to; instances of one form are one kind."""
    def anywhere(name):
        return re.sub(r"\[\d+\]", "[*]", name)

    kinds = collections.defaultdict(list)
    for place, bits in netlist.places.items():
        if is_data(place):
            kinds[anywhere(place)] += bits
    followed = [(kind, netlist.follow(bits, {})) for kind, bits in sorted(kinds.items())]
    rdata = netlist.ports[RDATA]["bits"]
    received = netlist.follow(rdata, netlist.constants(netlist.bits(FETCH_BEAT)))
    received.update((place, way) for place, way in netlist.follow(rdata, {}).items() if place == FETCH_BEAT)
    leaks, reached = {}, set()
    for source, places in [*followed, (RDATA, received)]:
        reached |= places.keys()
        for place, way in places.items():
            line = f"{anywhere(place)} follows {source}"
            if not is_data(place) and (line not in leaks or len(way) < len(leaks[line])):
                leaks[line] = way
    for pattern, what in DATA.items():
        if not any(re.fullmatch(pattern, place) for place in reached):
            fail(f"no data reach '{pattern}' ({what}), where they are expected; this check has to follow the RTL")
    return [f"{line}: {', '.join(way)}" for line, way in sorted(leaks.items())]


def main():
    if not 2 <= len(sys.argv) <= 4:
        sys.exit("usage: data_independence.py BUILD [MACHINE] [RTL]")
    machine = sys.argv[2] if len(sys.argv) > 2 else "tiny"
    here = pathlib.Path(__file__).resolve().parent.parent / "rtl"
    rtl = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else here
    netlist = Netlist(elaborate(pathlib.Path(sys.argv[1]), machine, rtl, clean=True))
    if leaks := check(netlist):
        print("\n".join(leaks))
        sys.exit(1)
    places = {*netlist.places, *netlist.outputs.values()}
    data = sum(map(is_data, places))
    print(f"machine {machine}: of {len(places)} registers, memories and outputs {data} hold data, and none of the "
          f"other {len(places) - data} follows one of these within a cycle")


main()
