#!/usr/bin/env python3
"""fit.py [--check]: fits the gates of each module, as counts.csv has them, to products of the machine's keys, and
writes the built-in area table; with --check it says instead whether that table is of these counts.

The fit is of least squares of the relative errors, so that small machines weigh as much as large ones. The error
printed and written is the largest over the machines, each estimated by a fit to all others (leave one out)."""
import pathlib
import sys

import numpy

from count import KEYS, read_table
from synthesis import MODULES, NAND2

TABLE = pathlib.Path(__file__).resolve().parents[2] / "compiler/lib/Report/Area/45nm.yaml"

TERMS = {  # of each module, with the reason
    "fetch": ["constant", "fetch_buffer"],  # the instructions that it holds
    "read_channel": ["constant", "outstanding_reads", "fetch_buffer"],  # owners of the bursts of LOAD and of FETCH
    "queues": ["constant", "queue_depth"],  # instructions
    "load": ["constant", "outstanding_reads", "receive_beats*bus_bytes"],  # segments; beats
    "gemm": ["constant", "n*n"],  # loops; multipliers and adders
    "vector": ["constant", "n"],  # loops; lanes
    "store": ["constant", "outstanding_writes", "n*bus_bytes"],  # bursts; alignment
    "scratchpads": ["constant", "n*inp_banks", "n*acc_banks"],  # what chooses between banks
    "registers": ["constant"],
    "control": ["constant"],
}

RAMS = {  # bits of the scratchpads for each unit of a product, which the counts have to agree with
    "inp_bytes": 16,  # a copy for GEMM and one for VECTOR
    "wgt_bytes": 8,
    "acc_bytes": 8,
    "param_bytes": 12.5,  # the parameters of requantization, 9 of 16 rows, once more in wide rows
    "n*lut_bytes": 8,  # a copy a lane
    "out_bytes": 8,
}

HEAD = f"""# Area in a 45 nm process, written by hw/area/fit.py from hw/area/counts.csv.
# gate_um2: a NAND2_X1 of the Nangate 45 nm Open Cell Library (FreePDK45), {NAND2} um2 by its LEF. ram_bit_um2: OpenRAM's
# memories in FreePDK45 hold 0.826 Mb in a mm2, decoders and sense amplifiers included (Guthaus et al., "OpenRAM: an
# open-source memory compiler", ICCAD 2016); they have one port. A bit cell alone takes 0.346 um2 in an industrial 45 nm
# process (Mistry et al., IEDM 2007). Gates of a module are a sum of products of the machine's keys; error_percent is the
# largest error for a counted machine by a fit to all others, in the modules and, on top, of all gates together. rams: the
# scratchpads' RAMs, of which some are there more than once, as yosys counts them.
"""


def feature(term, line):
    return 1 if term == "constant" else int(numpy.prod([line[key] for key in term.split("*")]))


def fit(terms, lines, module):
    """The gates of each term; of terms that the machines do not tell apart, the smallest that fit."""
    counted = numpy.array([line[module] for line in lines], dtype=float)
    matrix = numpy.array([[feature(term, line) for term in terms] for line in lines], dtype=float)
    gates, *_ = numpy.linalg.lstsq(matrix / counted[:, None], numpy.ones(len(lines)), rcond=None)
    return gates


def estimate(terms, gates, line):
    return sum(gate * feature(term, line) for term, gate in zip(terms, gates))


def left_out(lines):
    """Per machine, the estimate of every module by a fit to all other machines."""
    return [{module: estimate(terms, fit(terms, lines[:i] + lines[i + 1:], module), line)
             for module, terms in TERMS.items()} for i, line in enumerate(lines)]


def errors_of(lines):
    """Per machine, the relative error in percent of every module and of `all`."""
    errors = []
    for line, estimates in zip(lines, left_out(lines)):
        counted = {module: line[module] for module in MODULES}
        pairs = {**{m: (estimates[m], counted[m]) for m in MODULES},
                 "all": (sum(estimates.values()), sum(counted.values()))}
        errors.append({name: 100 * (guess / real - 1) for name, (guess, real) in pairs.items()})
    return errors


def table_text(lines, errors):
    largest = {name: max(abs(error[name]) for error in errors) for name in errors[0]}
    text = HEAD + "source: yosys' cells in Nangate's 45 nm library and OpenRAM's memories in FreePDK45\n"
    text += f"gate_um2: {NAND2}\nram_bit_um2: 1.21\nerror_percent: {largest['all']:.1f}\nranges:  # fitted to\n"
    used = {key for terms in TERMS.values() for term in terms for key in term.split("*")}
    for key in (key for key in KEYS if key in used):
        values = [line[key] for line in lines]
        text += f"  {key}: [{min(values)}, {max(values)}]\n"
    text += "rams:  # bits\n" + "".join(f"  {term}: {bits}\n" for term, bits in RAMS.items())
    text += "modules:  # gates\n"
    for module, terms in TERMS.items():
        text += f"  {module}:\n    error_percent: {largest[module]:.1f}\n"
        for term, gates in zip(terms, fit(terms, lines, module)):
            text += f"    {term}: {gates:.1f}\n"
    return text


def check_rams(lines):
    for line in lines:
        bits = estimate(RAMS.keys(), RAMS.values(), line)
        if bits != line["ram_bits"]:
            sys.exit(f"{line['machine']} has {line['ram_bits']} bits of RAM, and not {bits}: mend RAMS in fit.py")


def main():
    lines = list(read_table().values())
    check_rams(lines)
    errors = errors_of(lines)
    text = table_text(lines, errors)
    if sys.argv[1:] == ["--check"]:
        if text != TABLE.read_text():
            sys.exit(f"{TABLE.name} is not the fit of counts.csv; run hw/area/fit.py")
        return
    TABLE.write_text(text)
    print(f"{'leave-one-out error':20} " + " ".join(f"{name:>12}" for name in errors[0]))
    for statistic, of in ("largest", max), ("mean", lambda values: sum(values) / len(lines)):
        print(f"{statistic + ', percent':20} "
              + " ".join(f"{of([abs(error[name]) for error in errors]):12.2f}" for name in errors[0]))


if __name__ == "__main__":
    main()
