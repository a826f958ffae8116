"""The results of a whole space, as compact as the tests need them: from the CSV of `daedalus explore`.

    table.py SWEEP.csv > TABLE.csv

A line for each machine that compares with the others (docs/explore.md); cycles, DRAM bytes and picojoules are geometric means over the networks, rounded.
"""
import collections
import csv
import math
import sys

points, host_layers = collections.defaultdict(list), collections.Counter()
for row in csv.DictReader(open(sys.argv[1])):
    if not row["refused"]:
        host_layers[int(row["point"])] += int(row["host_layers"])
        points[int(row["point"])].append([float(row[name]) for name in ("cycles", "dram_bytes", "estimated_pj")])
fewest, networks = min(host_layers.values()), max(map(len, points.values()))
print("point,cycles,dram_bytes,energy")
for point, costs in sorted(points.items()):
    if len(costs) < networks or host_layers[point] > fewest:
        continue
    means = (round(math.prod(column) ** (1 / len(costs))) for column in zip(*costs))
    print(point, *means, sep=",")
