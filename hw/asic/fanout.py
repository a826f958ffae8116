"""Trees of buffers for nets that reach many modules: ABC sizes and buffers what lies within a module, and a net from a
register to the pins of a hundred instances is none of that."""
import collections
import re

MOST = 8  # pins that a net, or a buffer, drives
BUFFER = "BUFX4"
PIN = re.compile(r"^(    \.\\?\w+_i(?:\[\d+\] )?\()(\\\S+ |\w+)(\),?)$")  # an input of an instance
INSTANCE = re.compile(r"^  (\\\S+|\w+) (?:\\\S+ |\w+) \($")


def buffered(text, modules):
    """A module's netlist, in which no net reaches more than MOST pins of instances of `modules`, and how many buffers that
    takes. The clock, which has a tree of its own, stays."""
    lines = text.split("\n")
    pins = collections.defaultdict(list)
    of_module = False
    for number, line in enumerate(lines):
        if instance := INSTANCE.match(line):
            of_module = instance[1] in modules
        elif of_module and (pin := PIN.match(line)) and pin[2] != "clk_i":
            pins[pin[2]].append(number)
    added = []
    for net, reached in pins.items():
        if len(reached) <= MOST:
            continue
        drivers = tree(net.strip(), len(reached), added)
        for place, number in enumerate(reached):
            lines[number] = PIN.sub(lambda pin, to=drivers[place * len(drivers) // len(reached)]: pin[1] + to + pin[3],
                                    lines[number])
    end = lines.index("endmodule")
    return "\n".join(lines[:end] + added + lines[end:]), len(added) // 5


def tree(net, count, added):
    """The nets that drive `count` pins for a net, with the buffers before them in `added`."""
    levels = []
    while count > MOST:
        count = -(-count // MOST)
        levels.insert(0, count)
    drivers = [net + " "]
    for level, width in enumerate(levels):
        nets = [f"\\{net.lstrip(chr(92))}.fan{level}.{place} " for place in range(width)]
        for place, name in enumerate(nets):
            added += [f"  wire {name};", f"  {BUFFER} \\{name[1:]}.buffer (", f"    .A({drivers[place * len(drivers) // width]}),",
                      f"    .Y({name})", "  );"]
        drivers = nets
    return drivers
