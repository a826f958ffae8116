#!/usr/bin/env python3
"""What waves of `daedalus profile --waves` hold.

    waves_checks.py LAYOUT.gtkw WHOLE.vcd WINDOW.vcd A B PROFILE.json

Every signal of the layout is there; queues and tokens are never below 0 and end at 0; a state lasts as many cycles as
the profile counts for it; the window has the values that the whole has in its cycles."""
import collections
import json
import sys


def read(path):
    """Widths of signals by name, and for each the times and values of its changes."""
    names, widths, changes, scope, now = {}, {}, collections.defaultdict(list), [], None
    with open(path, encoding="utf-8") as file:
        for line in file:
            words = line.split()
            if words[0] == "$scope":
                scope.append(words[2])
            elif words[0] == "$upscope":
                scope.pop()
            elif words[0] == "$var":
                names[words[3]] = ".".join(scope + [words[4]])
                widths[names[words[3]]] = int(words[2])
            elif line[0] == "#":
                now = int(line[1:])
            elif line[0] in "bs":
                changes[names[words[1]]].append((now, words[0][1:]))
    return widths, changes


def check_layout(path, widths):
    with open(path, encoding="utf-8") as file:
        shown = [line.strip() for line in file if line.startswith("accelerator.")]
    names = {f"{name}[{bits - 1}:0]" if bits > 1 else name for name, bits in widths.items()}
    assert set(shown) == names, f"only in one of layout and waves: {set(shown) ^ names}"


def check_levels(changes):
    for name, its in changes.items():
        if name.endswith(".queue") or ".tokens." in name:
            assert its[-1][1] == "0", f"{name} ends at {its[-1][1]}"
            assert all(len(value) <= 9 for _, value in its), f"{name} is below 0"


def check_states(changes, profile):
    for module, counted in profile["modules"].items():
        found = collections.Counter()
        its = changes[f"accelerator.{module}.state"]
        for (begin, state), (end, _) in zip(its, its[1:]):
            found[state] += end - begin
        assert found == counted, f"{module}: {dict(found)}, but the profile has {counted}"


def value_at(its, time):
    return [value for when, value in its if when <= time][-1]


def check_window(whole, window, first, last):
    for name, its in whole.items():
        for time in range(first, last + 1, 7):
            assert value_at(window[name], time) == value_at(its, time), f"{name} in cycle {time}"
        assert window[name][0][0] == first and window[name][-1][0] <= last, f"{name} is outside of the window"


def main():
    layout, whole, window, first, last, profile = sys.argv[1:]
    widths, changes = read(whole)
    with open(profile, encoding="utf-8") as file:
        check_states(changes, json.load(file))
    check_layout(layout, widths)
    check_levels(changes)
    check_window(changes, read(window)[1], int(first), int(last))


main()
