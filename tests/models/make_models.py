#!/usr/bin/python3
"""Writes the quantized networks and convolutions that the benchmarks run: OUT/networks/*.onnx and
OUT/convs/*.onnx, the same bytes for the same version of numpy.

Needs Debian 12's python3-numpy and python3-onnx:
    /usr/bin/python3 tests/models/make_models.py build/models [NAME...]
"""
import argparse
import pathlib

from topologies import CONVOLUTIONS, NETWORKS


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path, help="the folder to write to")
    parser.add_argument("names", nargs="*", help=f"of {', '.join([*NETWORKS, *CONVOLUTIONS])}; all if none is given")
    options = parser.parse_args()
    if unknown := set(options.names) - {*NETWORKS, *CONVOLUTIONS}:
        parser.error(f"no model is named {', '.join(sorted(unknown))}; --help lists them")
    for folder, models in (("networks", NETWORKS), ("convs", CONVOLUTIONS)):
        (options.out / folder).mkdir(parents=True, exist_ok=True)
        for name, build in models.items():
            if not options.names or name in options.names:
                net, outputs = build(name)
                net.save(options.out / folder / f"{name}.onnx", outputs)
                print(options.out / folder / f"{name}.onnx", flush=True)


if __name__ == "__main__":
    main()
