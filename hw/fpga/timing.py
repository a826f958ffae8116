"""The longest paths of a placed and routed design, from the delays that nextpnr writes (SDF, IEEE 1497): from the clock
of a register, block RAM or multiplier through logic and wires to the input of another one."""
import collections
import re

SUFFIX = re.compile(r"_(LUT4|PFUMX|L6MUX21|CCU2C|TRELLIS_FF|DP16KD|MULT18X18D|TRELLIS_DPR16X4)_.*$|\$.*$|\.\d+\.\d+$")
CLOCKS = ("CLK", "WCK")  # what the names of clock pins begin with


def maximum(values):
    """The largest of `(min:typ:max)`, in ns."""
    return max(float(value) for value in re.findall(r"[\d.]+", values)) / 1000


def unescape(name):
    return re.sub(r"\\(.)", r"\1", name)


def read(path):
    """(arcs, launches, setups): arcs {pin: [(pin, ns)]} through logic and wires; launches {pin: ns from the clock};
    setups {pin: ns before the clock}. A pin is `cell/port`."""
    arcs, launches, setups = collections.defaultdict(list), {}, {}
    cell, combinational = "", []
    with open(path) as file:
        for line in file:
            if found := re.match(r"\s*\(INSTANCE (.*)\)\s*$", line):
                cell = unescape(found[1])
            elif found := re.match(r"\s*\(IOPATH (\S+) (\S+) (\(.*)\)\s*$", line):
                start, end, delay = found.groups()
                if start.startswith(CLOCKS):
                    launches[f"{cell}/{end}"] = maximum(delay)
                else:
                    combinational.append((f"{cell}/{start}", f"{cell}/{end}", maximum(delay)))
            elif found := re.match(r"\s*\(SETUPHOLD \(\w+ (\S+)\) \(\w+ \S+\) (\([^)]*\))", line):
                setups[f"{cell}/{found[1]}"] = maximum(found[2])
            elif found := re.match(r"\s*\(INTERCONNECT (\S+) (\S+) (\(.*)\)\s*$", line):
                arcs[unescape(found[1])].append((unescape(found[2]), maximum(found[3])))
    for start, end, delay in combinational:
        arcs[start].append((end, delay))
    return arcs, launches, setups


def order(arcs, starts):
    """The pins behind `starts`, each behind all that lead to it."""
    state, out = {}, []
    for start in starts:
        stack = [(start, iter(arcs.get(start, ())))]
        while stack:
            pin, rest = stack[-1]
            state.setdefault(pin, 1)
            for following, _ in rest:
                if following not in state:
                    stack.append((following, iter(arcs.get(following, ()))))
                    break
            else:
                stack.pop()
                if state[pin] == 1:
                    state[pin] = 2
                    out.append(pin)
    return reversed(out)


def register(pin):
    """The name in the RTL of what a pin belongs to."""
    return SUFFIX.sub("", pin.rpartition("/")[0]).removeprefix("u_dut.")


def longest(path, count):
    """The `count` longest paths, of each pair of registers the longest to any bit: [(ns, from, to)]."""
    arcs, launches, setups = read(path)
    arrival, origin = dict(launches), {pin: pin for pin in launches}
    ends = {}
    for pin in order(arcs, list(launches)):
        for following, delay in arcs.get(pin, ()):
            if pin in arrival and arrival[pin] + delay > arrival.get(following, -1.0):
                arrival[following], origin[following] = arrival[pin] + delay, origin[pin]
    for pin, setup in setups.items():
        if pin in arrival and pin in origin:
            pair = register(origin[pin]), register(pin)
            ends[pair] = max(ends.get(pair, 0.0), arrival[pin] + setup)
    ranked = sorted(((ns, *pair) for pair, ns in ends.items()), reverse=True)
    return [(round(ns, 2), start, end) for ns, start, end in ranked[:count]]
