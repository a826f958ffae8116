"""The data that a page of `daedalus explore --report` holds, against the database of the sweep.

    page_data.py PAGE.html SWEEP.db"""
import base64
import collections
import itertools
import json
import math
import pathlib
import re
import sqlite3
import sys
import zlib


def unpacked(page, name):
    """The JSON of the page's element NAME."""
    text = re.search(rf'id="{name}">([^<]*)<', page).group(1)
    return json.loads(zlib.decompress(base64.b64decode(text)))


def read(path):
    """The sweep's data and its profiles."""
    page = pathlib.Path(path).read_text(encoding="utf-8")
    return unpacked(page, "sweep-data"), unpacked(page, "profiles-data")


def check_points(data, database):
    """Every compared point is the database's, number by number; those that are not compared lack a result or compute less."""
    points = data["points"]
    results = {}
    for point, network, cycles, bound, dram, energy, layers, refused in database.execute(
            "SELECT point, network, cycles, bound_cycles, dram_bytes, estimated_pj, host_layers, refused FROM result"):
        results[point, network] = None if refused else (cycles, bound, dram, energy, layers)
    names = {point: name for point, name, skipped in database.execute("SELECT id, machine, skipped FROM point") if not skipped}
    assert data["counts"]["machines"] == len(names), f"{data['counts']} are not the {len(names)} machines of the database"
    networks = range(len(data["networks"]))
    fewest = [min(row[4] for (_, network), row in results.items() if network == at and row) for at in networks]
    compared = sorted(point for point in names if all((row := results[point, at]) and row[4] == fewest[at] for at in networks))
    assert sorted(points["id"]) == compared, f"the page compares {sorted(points['id'])}, expected {compared}"
    for index, point in enumerate(points["id"]):
        assert points["machine"][index] == names[point], f"point {point} is {points['machine'][index]}, expected {names[point]}"
        for at in networks:
            found = tuple(points["costs"][at][column][index]
                          for column in ("cycles", "bound_cycles", "dram_bytes", "estimated_pj", "host_layers"))
            assert found == results[point, at], f"point {point} costs {found}, expected {results[point, at]}"
        mean = math.prod(results[point, at][0] for at in networks) ** (1 / len(networks))
        assert math.isclose(points["values"]["cycles"][index], mean, rel_tol=1e-9), f"point {point} has other cycles than {mean}"
    skipped = collections.Counter(reason for (reason,) in database.execute("SELECT skipped FROM point WHERE skipped != ''"))
    assert data["skipped"] == dict(skipped), f"skipped are {data['skipped']}, expected {skipped}"


def check_objectives(data):
    """Each has a number at each point; times are there only where every machine has a clock."""
    values = data["points"]["values"]
    names = [objective["name"] for objective in data["objectives"]]
    assert sorted(values) == sorted(names), f"values of {list(values)}, objectives {names}"
    for name in names:
        assert all(isinstance(value, (int, float)) for value in values[name]), f"{name} is {values[name]}"
    files = [[data["lines"][line] for line in lines] for lines in data["points"]["files"]]
    have_clock = all(any(line.strip().startswith("clock_mhz:") for line in lines) for lines in files)
    assert ("microseconds" in names) == have_clock, f"objectives are {names}; clocks: {have_clock}"


def check_front(data):
    """By the definition."""
    values = list(zip(*(data["points"]["values"][name] for name in data["front_of"])))
    for row, on_front in zip(values, data["points"]["on_front"]):
        beaten = any(other != row and all(a <= b for a, b in zip(other, row)) for other in values)
        assert on_front == (0 if beaten else 1), f"{row} is {'not ' if beaten else ''}on the front"


def setting(machine, key):
    """The value that a machine's name has for a key of the sweep."""
    if key == "base":
        return machine.split(",")[0]
    return dict(part.split("=") for part in machine.split(",")[1:])[key]


def expected_change(data, entry):
    """Pairs of points that differ in the entry's key alone, by its steps, and the mean changes of all objectives."""
    points, keys = data["points"], data["keys"]
    values = next(key["values"] for key in keys if key["name"] == entry["key"])
    places = [[setting(machine, key["name"]) for key in keys] for machine in points["machine"]]
    own = [key["name"] for key in keys].index(entry["key"])
    steps = [(entry["from"], entry["to"])] if "from" in entry else list(itertools.pairwise(values))
    pairs = [(a, b) for (a, first), (b, second) in itertools.permutations(enumerate(places), 2)
             if (first[own], second[own]) in steps and first[:own] + first[own + 1:] == second[:own] + second[own + 1:]]
    means = []
    for objective in data["objectives"]:
        column = points["values"][objective["name"]]
        means.append(sum(column[b] / column[a] - 1 for a, b in pairs) / len(pairs) if pairs else None)
    return len(pairs), means


def check_sensitivities(data):
    for entry in data["sensitivities"]:
        pairs, means = expected_change(data, entry)
        assert entry["pairs"] == pairs, f"{entry} has not {pairs} pairs"
        for found, mean in zip(entry.get("changes", []), means):
            assert math.isclose(found, mean, rel_tol=1e-9, abs_tol=1e-9), f"{entry}: {found} is not {mean}"


def check_profiles(data, profiles):
    """Of points of the front; layers add up to the cycles of the database."""
    index_of = {point: index for index, point in enumerate(data["points"]["id"])}
    front = [point for point, on_front in zip(data["points"]["id"], data["points"]["on_front"]) if on_front]
    assert len(profiles) == min(12, len(front)) and set(map(int, profiles)) <= set(front), f"profiles of {list(profiles)}, front {front}"
    for point, networks in profiles.items():
        assert len(networks) == len(data["networks"])
        for at, profile in enumerate(networks):
            cycles = data["points"]["costs"][at]["cycles"][index_of[int(point)]]
            assert profile["cycles"] == cycles, f"point {point} is profiled with {profile['cycles']} cycles, expected {cycles}"
            layers = sum(layer["path_cycles"] for layer in profile["layers"]) + profile["none"]["path_cycles"]
            assert layers == cycles, f"the layers of point {point} add up to {layers}, expected {cycles}"
            moved = sum(layer["read_bytes"] + layer["written_bytes"] for layer in profile["layers"])
            assert 0 < moved <= data["points"]["costs"][at]["dram_bytes"][index_of[int(point)]], f"point {point} moves {moved} bytes"
    changed = [point for point, networks in profiles.items() if "what_if" in networks[0]]
    assert len(changed) == min(5, len(front)), f"changes of the machine are tried for {changed}"


def check(page, database):
    data, profiles = read(page)
    with sqlite3.connect(database) as file:
        check_points(data, file)
    check_objectives(data)
    check_front(data)
    check_sensitivities(data)
    check_profiles(data, profiles)
    return data, profiles


def main():
    data, profiles = check(sys.argv[1], sys.argv[2])
    print(f"{len(data['points']['id'])} points, {len(profiles)} profiles, all as the database says")


if __name__ == "__main__":
    sys.exit(main())
