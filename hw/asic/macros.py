#!/usr/bin/env python3
"""macros.py LIST [--primitive hw/rtl/ram_1r1w.sv]: writes to standard output a `ram_1r1w` whose memories are the cells
of a list, and flip-flops where it has none. LIST is a YAML file like openram.yaml beside this script."""
import argparse
import pathlib
import re
import sys

import yaml

SIGNALS = {"clock": "clk_i", "write": "write_valid_i", "read": "read_valid_i", "write_row": "write_row_i",
           "read_row": "read_row_i", "write_data": "write_data_i", "read_data": "read_data_o", "enable": "enable"}
PRIMITIVE = pathlib.Path(__file__).resolve().parent.parent / "rtl/ram_1r1w.sv"


def fail(message):
    sys.exit(f"macros.py: error: {message}")


def whole(entry, key, path):
    if isinstance(entry.get(key), bool) or not isinstance(entry.get(key), int) or entry[key] < 1:
        fail(f"{path}: '{key}' of a cell is {entry.get(key)!r}; expected a number of at least 1")
    return entry[key]


def checked(data, path):
    """(pins, cells) of the list."""
    if not isinstance(data, dict) or set(data) != {"pins", "cells"}:
        fail(f"{path}: expected the two keys 'pins' and 'cells'")
    pins, cells = data["pins"], data["cells"]
    if not isinstance(pins, dict) or not pins or not isinstance(cells, list):
        fail(f"{path}: expected pins as 'pin: signal' and cells as a list")
    for pin, signal in pins.items():
        words = re.sub(r"\d*'[bdh][0-9a-fA-F]+", "", str(signal))
        for word in re.findall(r"[A-Za-z_]\w*", words):
            if word not in SIGNALS:
                fail(f"{path}: pin '{pin}' takes '{word}'; expected one of {', '.join(SIGNALS)}")
    if "read_data" not in pins.values():
        fail(f"{path}: no pin gives 'read_data'")
    known = {}
    for entry in cells:
        if not isinstance(entry, dict) or set(entry) != {"rows", "bytes", "cell"}:
            fail(f"{path}: a cell is {entry!r}; expected its keys 'rows', 'bytes' and 'cell'")
        if not re.fullmatch(r"[A-Za-z_]\w*", str(entry["cell"])):
            fail(f"{path}: '{entry['cell']}' is no name of a cell")
        shape = whole(entry, "rows", path), whole(entry, "bytes", path)
        if shape in known:
            fail(f"{path}: '{known[shape]}' and '{entry['cell']}' have {shape[0]} rows of {shape[1]} bytes each")
        known[shape] = entry["cell"]
    return pins, known


def connected(signal):
    return re.sub(r"(?<!')\b[A-Za-z_]\w*", lambda word: SIGNALS.get(word[0], word[0]), str(signal))


def wrapper(primitive, pins, cells):
    """The primitive with its body replaced."""
    head = primitive[:primitive.index(");\n") + 3]
    text = [head, "\n  logic [Bytes-1:0] enable;\n  assign enable = Enables ? write_enable_i : {Bytes{1'b1}};\n\n  "]
    for (rows, size), cell in sorted(cells.items()):
        pairs = ", ".join(f".{pin}({connected(signal)})" for pin, signal in pins.items())
        text.append(f"if (Rows == {rows} && Bytes == {size}) begin : gen_macro\n    {cell} u_macro ({pairs});\n"
                    "  end else ")
    text.append("""begin : gen_flip_flops
    logic [8*Bytes-1:0] rows [Rows];
    always_ff @(posedge clk_i) begin
      if (read_valid_i) read_data_o <= rows[read_row_i];
      for (int i = 0; i < Bytes; i++) begin
        if (write_valid_i && enable[i]) rows[write_row_i][8*i+:8] <= write_data_i[8*i+:8];
      end
    end
  end

  logic unused;
  assign unused = Forwards ^ ^write_enable_i;

endmodule
""")
    return "".join(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("list", type=pathlib.Path)
    parser.add_argument("--primitive", type=pathlib.Path, default=PRIMITIVE)
    options = parser.parse_args()
    try:
        data, primitive = yaml.safe_load(options.list.read_text()), options.primitive.read_text()
    except OSError as error:
        fail(f"cannot read {error.filename}: {error.strerror}")
    except yaml.YAMLError as error:
        fail(f"{options.list} is no YAML: {' '.join(str(error).split())}")
    sys.stdout.write(wrapper(primitive, *checked(data, options.list)))


if __name__ == "__main__":
    main()
