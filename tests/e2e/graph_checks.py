#!/usr/bin/env python3
"""What every graph of `daedalus profile --dot` holds.

    graph_checks.py GRAPH.dot PROFILE.json   the profile of the same run: its layers, their cycles, and who reads from whom"""
import json
import pathlib
import re
import sys


def main():
    text, profile = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"), json.loads(pathlib.Path(sys.argv[2]).read_bytes())
    layers = profile["layers"]
    labels = {int(index): label for index, label in re.findall(r'^  (\d+) \[label="(.*)", fillcolor=\d\];$', text, re.MULTILINE)}
    assert sorted(labels) == list(range(len(layers))), f"the nodes are {sorted(labels)} of {len(layers)} layers"
    for index, layer in enumerate(layers):
        assert labels[index].startswith(layer["node"].replace(" + ", "\\n") + "\\n"), f"{labels[index]} is {layer['node']}"
        assert labels[index].endswith("\\n" + layer["target"]), f"{labels[index]} runs on {layer['target']}"
        if layer["path_cycles"]:
            assert f"\\n{layer['path_cycles']:,} cycles, " in labels[index], f"{labels[index]} has {layer['path_cycles']} cycles"
    edges = {(int(writer), int(reader)) for writer, reader in re.findall(r"^  (\d+) -> (\d+);$", text, re.MULTILINE)}
    assert edges == {(writer, reader) for reader, layer in enumerate(layers) for writer in layer.get("reads_from", [])}, f"the edges {edges}"
    assert all(writer < reader for writer, reader in edges), "a layer reads from one behind it"
    read = {writer for writer, _ in edges}
    dead = [layer["node"] for index, layer in enumerate(layers[:-1]) if index not in read]
    assert not dead, f"nobody reads what these wrote: {dead}"


main()
