#!/usr/bin/env python3
"""draw.py BUILD [--check]: the timing diagrams of docs/integration.md, docs/images/port_*.svg, from a run of the Verilated
accelerator of a build folder (record.py). With --check, the exit status is 1 where a picture differs."""
import argparse
import pathlib
import sys

import record

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "flow"))
from tools import HW, fail  # noqa: E402

IMAGES = HW.parent / "docs/images"
LEFT, CELL, ROW, HIGH, TOP = 120, 64, 30, 18, 34  # pixels
# Name: title, the signal of the handshake that the picture shows, which one it is, cycles before and behind, signals.
PICTURES = {
    "register_write": ("A write of CONTROL: START", "awvalid", "last but one", 1, 5,
                       ["awvalid", "awready", "awaddr", "wvalid", "wready", "wdata", "bvalid", "bready", "bresp"]),
    "register_read": ("A read of CYCLES behind the stop", "arvalid", "last", 1, 4,
                      ["arvalid", "arready", "araddr", "rvalid", "rready", "rdata", "rresp"]),
    "read_burst": ("LOAD reads 40 bytes", "m_arvalid", "last", 1, 10,
                   ["m_arvalid", "m_arready", "m_araddr", "m_arlen", "m_rvalid", "m_rready", "m_rdata", "m_rlast"]),
    "write_burst": ("STORE writes 24 bytes", "m_awvalid", "first", 1, 13,
                    ["m_awvalid", "m_awready", "m_awaddr", "m_awlen", "m_wvalid", "m_wready", "m_wlast", "m_bvalid",
                     "m_bready"]),
    "interrupt": ("The stop, and the write that clears INTERRUPT", "irq", "first", 4, 11,
                  ["m_bvalid", "irq", "arvalid", "rvalid", "awvalid", "awaddr", "wvalid", "bvalid"]),
}
VALID_OF = {"awaddr": "awvalid", "wdata": "wvalid", "bresp": "bvalid", "araddr": "arvalid", "rdata": "rvalid",
            "rresp": "rvalid", "m_araddr": "m_arvalid", "m_arlen": "m_arvalid", "m_rdata": "m_rvalid",
            "m_rlast": "m_rvalid", "m_awaddr": "m_awvalid", "m_awlen": "m_awvalid", "m_wlast": "m_wvalid"}
BITS = {"m_rlast", "m_wlast"}


def window(cycles, picture):
    """The cycles around the moment at which the signal rises."""
    _, signal, which, before, behind, _ = picture
    rises = [i for i, cycle in enumerate(cycles) if cycle[signal] and (i == 0 or not cycles[i - 1][signal])]
    if not rises:
        fail(f"'{signal}' never rises in the run")
    at = rises[{"first": 0, "last": -1, "last but one": -2}[which]]
    return cycles[max(at - before, 0):at + behind + 1]


def port(signal):
    """The name of the pin, without s_axil_ or m_axi_ and the direction."""
    return signal.removeprefix("m_")


def level(values, top):
    """The line of a bit."""
    y = [top + (0 if value else HIGH) for value in values]
    points = [f"{LEFT} {y[0]}"]
    for i, height in enumerate(y):
        points += [f"{LEFT + CELL * i} {height}", f"{LEFT + CELL * (i + 1)} {height}"]
    return f'<path class="l" d="M{" L".join(points)}"/>'


def word(signal, cycles, top):
    """Boxes of what counts while VALID is set."""
    out, start = [], 0
    valid = VALID_OF[signal]
    while start < len(cycles):
        end = start + 1
        same = (cycles[start][signal], cycles[start][valid])
        while end < len(cycles) and (cycles[end][signal], cycles[end][valid]) == same and not (valid == "m_rvalid"):
            end += 1
        if same[1]:
            x, width = LEFT + CELL * start, CELL * (end - start)
            out.append(f'<path class="w" d="M{x} {top + HIGH / 2} l6 {-HIGH / 2} h{width - 12} l6 {HIGH / 2} l-6 {HIGH / 2} '
                       f'h{12 - width} z"/><text class="v" x="{x + width / 2}" y="{top + 13}">{same[0] & 0xffffffff:x}</text>')
        start = end
    return "".join(out)


def drawn(title, cycles, signals):
    width, height = LEFT + CELL * len(cycles) + 10, TOP + ROW * (len(signals) + 1) + 6
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="Helvetica, Arial, sans-serif" '
           f'font-size="13">', f"<title>{title}</title>",
           '<style>.l,.w{fill:none;stroke:#1b5e8c;stroke-width:1.6}.w{fill:#e3eef6}.g{stroke:#ddd}.v{text-anchor:middle;'
           'font-size:11px}.n{text-anchor:end}</style>', f'<rect width="{width}" height="{height}" fill="#fff"/>',
           f'<text x="{LEFT}" y="18" font-weight="bold">{title}</text>']
    out += [f'<path class="g" d="M{LEFT + CELL * i} {TOP - 6} V{height - 6}"/>' for i in range(len(cycles) + 1)]
    clock = "".join(f"v{-HIGH} h{CELL // 2} v{HIGH} h{CELL // 2} " for _ in cycles)
    for row, signal in enumerate(["clk", *signals]):
        top = TOP + ROW * row
        out.append(f'<text class="n" x="{LEFT - 10}" y="{top + 14}">{port(signal)}</text>')
        if signal == "clk":
            out.append(f'<path class="l" d="M{LEFT} {top + HIGH} {clock}"/>')
        elif signal in VALID_OF and signal not in BITS:
            out.append(word(signal, cycles, top))
        else:
            out.append(level([cycle[signal] and cycle[VALID_OF.get(signal, signal)] for cycle in cycles], top))
    return "\n".join([*out, "</svg>"]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=lambda path: pathlib.Path(path).absolute())
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    cycles = record.record(options.build)
    for name, picture in PICTURES.items():
        path, text = IMAGES / f"port_{name}.svg", drawn(picture[0], window(cycles, picture), picture[5])
        if not options.check:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            fail(f"{path} is not what the RTL does; run hw/ports/draw.py {options.build}")


if __name__ == "__main__":
    main()
