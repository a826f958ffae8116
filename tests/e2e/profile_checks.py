#!/usr/bin/env python3
"""What every profile of `daedalus profile --json` holds.

    profile_checks.py SCHEMA PROFILE.json    the schema, the sums, and the path of each program
    profile_checks.py --same A.json B.json   two engines: the same but for their names and the host's time
    profile_checks.py --layers PROFILE.json RUN.json PLACEMENT.json   the same cycles of each layer in all three"""
import json
import sys

import jsonschema

MODULES = ("fetch", "load", "gemm", "vector", "store")


def parts(profile):
    """All that cycles are attributed to."""
    return profile["layers"] + [profile["none"]]


def check_bounds(profile):
    """No module works less for a layer than is needed at least; LOAD and STORE move at least a byte a beat."""
    for layer in profile["layers"]:
        least, modules = layer.get("least_work", {}), layer["modules"]
        busy = {module: modules.get(module, {}).get("busy", 0) for module in MODULES}
        assert layer.get("bound_cycles", 0) >= max(least.get(name, 0) for name in ("gemm", "vector", "read", "write"))
        assert least.get("gemm", 0) <= busy["gemm"], f"{layer['node']}: {least} but GEMM {busy['gemm']}"
        assert least.get("vector", 0) <= busy["vector"], f"{layer['node']}: {least} but VECTOR {busy['vector']}"
        assert least.get("read", 0) <= busy["load"], f"{layer['node']}: {least} but LOAD {busy['load']}"
        either = sum(least.get(name, 0) for name in ("gemm", "vector", "either"))
        assert either <= busy["gemm"] + busy["vector"], f"{layer['node']}: {least} but {busy}"


def check_sums(profile):
    cycles = profile["cycles"]
    for module in MODULES:
        for name, counted in profile["modules"].get(module, {}).items():
            found = sum(part["modules"].get(module, {}).get(name, 0) for part in parts(profile))
            assert found == counted, f"{module} {name}: {found} of layers, {counted} counted"
        found = sum(sum(part["modules"].get(module, {}).values()) for part in parts(profile))
        assert found == cycles, f"{module}: {found} of {cycles} cycles"
    for part in parts(profile):
        path = sum(sum(classes.values()) for classes in part["path"].values())
        assert path == part["path_cycles"], f"{part}: the path's classes"
        assert part.get("utilisation", 0) <= 1, f"{part['node']}: utilisation {part['utilisation']}"
    assert profile["bound_cycles"] <= cycles, f"{cycles} cycles, and at least {profile['bound_cycles']}"
    check_bounds(profile)
    found = sum(part["path_cycles"] for part in parts(profile))
    assert found == cycles, f"the path: {found} of {cycles} cycles"


def check_occupancy(profile):
    """Every scratchpad has as many parts; none holds more than fits, nor more on average than at its peak."""
    cycles, scopes = profile["cycles"], profile.get("occupancy", {})
    assert bool(cycles) == bool(scopes), f"{cycles} cycles and the scratchpads {list(scopes)}"
    for name, scope in scopes.items():
        means, peak = scope["mean_bytes"], scope["peak_bytes"]
        assert len(means) == min(cycles, 300), f"{name}: {len(means)} parts of {cycles} cycles"
        assert max(means) <= peak <= scope["capacity_bytes"], f"{name}: {max(means)}, {peak}, {scope['capacity_bytes']}"
    if profile["modules"].get("gemm", {}).get("busy"):
        assert all(scopes[name]["peak_bytes"] for name in ("inp", "wgt", "acc")), "products of nothing"


def check_what_if(profile):
    """Without latency the estimate, which knows one chain alone, holds within 4% where a network takes long (MobileNetV2:
    3.2%); no change costs more than 2%."""
    for change in profile["what_if"]:
        measured = change.get("measured_cycles")
        if measured is None:
            continue
        estimated = change.get("estimated_cycles")
        if change["change"] == "a memory that answers at once" and profile["cycles"] > 1_000_000:
            assert abs(measured / estimated - 1) < 0.04, f"{change}"
        assert measured <= profile["cycles"] * 1.02, f"{change}: the run had {profile['cycles']}"


def check_programs(profile):
    assert profile["cycles"] == sum(program["cycles"] for program in profile["programs"])
    for program in profile["programs"]:
        at = 0
        for segment in program["path"]:
            assert segment["first"] == at < segment["end"], f"segment {segment} behind cycle {at}"
            at = segment["end"]
        assert at == program["cycles"], f"the path ends in {at} of {program['cycles']}"


def comparable(path):
    with open(path, encoding="utf-8") as file:
        profile = json.load(file)
    del profile["engine"]
    for layer in profile["layers"]:
        layer.pop("host_us", None)
    return profile


def check_layers(profile, run, placement):
    """A layer's cycles are one number, whichever command says them."""
    for layer, ran, placed in zip(profile["layers"], run["layers"], placement["layers"]):
        cycles = layer["path_cycles"], ran["cycles"], placed["cycles"] or 0
        assert len(set(cycles)) == 1, f"{layer['node']}: {cycles} cycles"
        assert layer.get("utilisation") == ran.get("utilisation"), f"{layer['node']}: other utilisations"


def main():
    if sys.argv[1] == "--layers":
        check_layers(*(json.load(open(path, encoding="utf-8")) for path in sys.argv[2:5]))
        return
    if sys.argv[1] == "--same":
        a, b = (comparable(path) for path in sys.argv[2:4])
        assert a == b, "the profiles differ: " + ", ".join(key for key in a if a[key] != b.get(key))
        return
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    with open(sys.argv[2], encoding="utf-8") as file:
        profile = json.load(file)
    jsonschema.validate(profile, schema)
    check_sums(profile)
    check_occupancy(profile)
    if "what_if" in profile:
        check_what_if(profile)
    if "programs" in profile:
        check_programs(profile)


main()
