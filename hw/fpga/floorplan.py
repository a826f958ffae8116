"""Where the block RAMs and multipliers of an accelerator stand on an LFE5U-85F. nextpnr's placers leave the four multipliers
of a lane a hundred columns apart, and the logic between them goes with its wires; so these cells are placed by rule, and
nextpnr places the logic around them (docs/decisions/0063-floorplan.md).

The lanes stand side by side from left to right: what belongs to lane l has its place at l of as many lanes. Rows of block
RAMs and of multipliers alternate from top to bottom:

    22  INP's rows for GEMM
    34  GEMM's multipliers, of the first six elements of each eight
    46  WGT and ACC
    58  GEMM's other multipliers, and VECTOR's
    70  LUT, VECTOR's rows of INP, PARAM

What is not named here, nextpnr places. A row that has too few sites for what it should take places none of it."""
import collections
import re

# The columns of a row come in groups of nine, with four sites each (prjtrellis' tile grid of the LFE5U-85F).
GROUPS = [4, 13, 22, 31, 40, 49, 58, 69, 78, 87, 96, 105, 114]
SITES = {"MULT18X18D": [f"X{group + at}/Y{{row}}/MULT18_{at}" for group in GROUPS for at in (0, 1, 4, 5)],
         "DP16KD": [f"X{group + 2 * at}/Y{{row}}/EBR{at}" for group in GROUPS for at in range(4)]}

# A cell's name behind `u_core.`: its row, and its place from left to right in units of lanes, of the numbers in the name.
# A block RAM of a wide memory has 36 bits of each row, `mem.0.K` those from 36 K on.
PRODUCTS = ["low", "low_high", "high_low", "high"]
RULES = [
    ("MULT18X18D", r"u_gemm\.u_array\.gen_row\[(\d+)\]\.gen_element\[(\d+)\]\.",
     lambda lane, element: (34 if element % 8 < 6 else 58, lane + element / 80)),
    ("MULT18X18D", r"u_vector\.gen_lane\[(\d+)\]\.u_lane\.u_product\.u_(low_high|high_low|low|high)\.",
     lambda lane, product: (58, lane + 0.5 + PRODUCTS.index(product) / 10)),
    ("DP16KD", r"u_wgt\.gen_lane\[(\d+)\]\.u_ram\.mem\.0\.(\d+)", lambda lane, part: (46, lane + 0.1 + 0.2 * part)),
    ("DP16KD", r"u_acc\.gen_ram\[(\d+)\]\.u_ram\.mem\.0\.(\d+)", lambda bank, part: (46, (36 * part + 18) / 32 - 0.1 + bank / 20)),
    ("DP16KD", r"u_lut\.gen_lane\[(\d+)\]\.gen_ram\[(\d+)\]\.", lambda lane, part: (70, lane + 0.3 + 0.2 * part)),
    ("DP16KD", r"u_inp\.gen_bank\[(\d+)\]\.u_ram\.mem\.0\.(\d+)", lambda bank, part: (70, 2 + 4 * part - 0.2 + bank / 10)),
    ("DP16KD", r"u_inp\.gen_ram\[(\d+)\]\.u_ram\.mem\.0\.(\d+)", lambda bank, part: (22, 4 * part + bank / 4)),
    ("DP16KD", r"u_param\.u_narrow\.mem\.", lambda: (70, 4)),
]


def wishes(cells):
    """{(type, row): [(place from left to right, cell)]}"""
    rows = collections.defaultdict(list)
    for name, cell in cells.items():
        for kind, pattern, place in RULES:
            if cell["type"] == kind and (found := re.search(r"(?:^|\.)u_core\." + pattern, name)):
                row, at = place(*(int(number) if number.isdigit() else number for number in found.groups()))
                rows[kind, row].append((at, name))
    return rows


def places(cells):
    """{cell: the site that nextpnr gives it}. The cells of a row spread over all of it, in order."""
    at = {}
    for (kind, row), wished in wishes(cells).items():
        sites = SITES[kind]
        if len(wished) <= len(sites):
            for number, (_, name) in enumerate(sorted(wished)):
                at[name] = sites[round(number * (len(sites) - 1) / max(len(wished) - 1, 1))].format(row=row)
    return at


def add(module):
    """Gives the cells of a module of yosys' netlist their sites."""
    for name, site in places(module["cells"]).items():
        module["cells"][name]["attributes"]["BEL"] = site
