"""docs/cuda_kernels.md: what ptxas says of the functions that the networks launch."""
import collections

from assembler import ARCHITECTURES
from occupancy import occupancy

ROWS = 15  # of a network; what is behind them is one line

HEAD = """# Kernels on GPUs

What a GPU gets of the networks in `tests/models`, as NVIDIA's assembler `ptxas` {version} says it: registers of a thread,
shared memory of a block, bytes that are spilled, and the occupancy, the share of the 64 warps of a multiprocessor that can be
there at the same time. It says what limits a kernel, not how fast it is. Where two numbers stand, they are of {first} and
{second}. Functions with the same numbers are one row, named after one of them; the lowest occupancies come first.

`scripts/nightly.sh cuda` looks whether this page is what is compiled today. It is written by

<!-- not run: installs ptxas from PyPI -->
```sh
tests/e2e/cuda_assembly/assemble.py --table docs/cuda_kernels.md
```
"""

Row = collections.namedtuple("Row", "threads shared registers spills occupancy")


def both(values):
    """A number for each architecture, or the one that all have."""
    return " / ".join(map(str, values if len(set(values)) > 1 else values[:1]))


def row_of(launches, usages):
    """`launches`: one for each architecture; `usages`: of functions, by architecture."""
    of = [usages[name][launch.function] for name, launch in zip(ARCHITECTURES, launches)]
    threads = tuple(launch.threads for launch in launches)
    shared = tuple(usage.shared + launch.dynamic_shared for usage, launch in zip(of, launches))
    shares = tuple(occupancy(*each) for each in zip(ARCHITECTURES, threads, (usage.registers for usage in of), shared))
    return Row(threads, shared, tuple(usage.registers for usage in of), tuple(usage.spilled for usage in of), shares)


def line(row, functions):
    name = functions[0].partition("_")[2].rpartition("$")[0]
    return (f"| `{name}` | {len(functions)} | {both(row.threads)} | {both(row.registers)} | {both(row.shared)} | "
            f"{both(row.spills)} | {both([f'{share:.0%}' for share in row.occupancy])} |")


def section(network, launches, usages):
    """Of one network; `launches` by architecture, the same operations in each."""
    rows = collections.defaultdict(list)
    for each in zip(*(launches[name] for name in ARCHITECTURES), strict=True):
        rows[row_of(each, usages)].append(each[0].function)
    ordered = sorted(rows, key=lambda row: (-max(row.spills), min(row.occupancy), [-n for n in row.registers], row))
    registers = both([max(row.registers[at] for row in rows) for at in range(len(ARCHITECTURES))])
    spilled = sum(any(row.spills) * len(functions) for row, functions in rows.items())
    lines = [f"\n## {network}\n",
             f"{len(launches[ARCHITECTURES[0]])} functions, at most {registers} registers, {spilled or 'none'} with spills.\n",
             "| function of | functions | threads | registers | shared bytes | spilled bytes | occupancy |",
             "|---|---|---|---|---|---|---|"]
    lines += [line(row, rows[row]) for row in ordered[:ROWS]]
    rest = [name for row in ordered[ROWS:] for name in rows[row]]
    if rest:
        least = min(min(row.occupancy) for row in ordered[ROWS:])
        lines.append(f"| others | {len(rest)} | | | | | {'at least ' if least < 1 else ''}{least:.0%} |")
    return "\n".join(lines) + "\n"


def table(version, assembled):
    """The page. `assembled`: launches and usages by network."""
    first, second = (f"`{name}`" for name in ARCHITECTURES)
    return HEAD.format(version=version, first=first, second=second) + "".join(
        section(network, *found) for network, found in assembled.items())
