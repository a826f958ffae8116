"""A space of machines drawn by a seed, as a file of `daedalus explore`.

    draw.py SEED > SPACE.yaml

Keys and their values are drawn until the grid has 8,000 to 16,000 points, some of which are no machines.
"""
import math
import random
import sys

POOL = {  # values of which a run of neighbours is drawn
    "inp_bytes": [2048 << i for i in range(8)],
    "wgt_bytes": [16384 << i for i in range(6)],
    "acc_bytes": [8192 << i for i in range(6)],
    "param_bytes": [1024 << i for i in range(5)],
    "out_bytes": [2048 << i for i in range(6)],
    "inp_banks": [1, 2, 4, 8],
    "acc_banks": [2, 4, 8, 16],
    "queue_depth": [2, 4, 6, 8, 12, 16],
    "outstanding_reads": [1, 2, 4, 8, 16, 32],
    "max_burst_beats": [16, 32, 64, 128],
    "receive_beats": [32, 64, 128, 256],
    "fetch_buffer": [8, 16, 32, 64],
    "read_latency": [16, 32, 64, 128, 256],
    "gemm_latency": [6, 7, 8, 12],
}


def draw(random):
    keys = {"n": [8, 16, 32, 64][: random.choice([3, 4])], "bus_bytes": [8, 16, 32]}
    for key in random.sample(sorted(POOL), random.choice([4, 5, 6])):
        values = POOL[key]
        count = random.randint(3, min(6, len(values)))
        first = random.randint(0, len(values) - count)
        keys[key] = values[first : first + count]
    return keys


random = random.Random(int(sys.argv[1]))
keys = draw(random)
while not 8000 <= math.prod(map(len, keys.values())) <= 16000:
    keys = draw(random)
print("bases: [default]\nkeys:")
for key, values in keys.items():
    print(f"  {key}: {values}")
if "max_burst_beats" not in keys:
    print("derive: {max_burst_beats: 512 / bus_bytes}")
