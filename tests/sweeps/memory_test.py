"""The memory of a sweep: all processes of a command together, at most MEGABYTES; the exit status is 1 where it is more.

    memory_test.py MEGABYTES COMMAND...

Pages that processes share count once (PSS). What is printed beside it counts them for each process (RSS).
"""
import pathlib
import re
import subprocess
import sys
import time


def family(process):
    """The process and all below it."""
    found = [process]
    try:
        for child in pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split():
            found += family(int(child))
    except OSError:
        pass
    return found


def megabytes(process):
    """PSS and RSS; of a process that has ended, 0."""
    try:
        text = pathlib.Path(f"/proc/{process}/smaps_rollup").read_text()
    except OSError:
        return 0, 0
    sizes = dict(re.findall(r"^(Pss|Rss): +(\d+) kB", text, re.MULTILINE))
    return int(sizes.get("Pss", 0)) / 1000, int(sizes.get("Rss", 0)) / 1000


most, command = int(sys.argv[1]), sys.argv[2:]
started = subprocess.Popen(command)
shared = resident = largest = processes = 0
while started.poll() is None:
    sizes = [megabytes(process) for process in family(started.pid)]
    shared = max(shared, sum(pss for pss, _ in sizes))
    resident = max(resident, sum(rss for _, rss in sizes))
    largest = max([largest] + [rss for _, rss in sizes])
    processes = max(processes, len(sizes))
    time.sleep(0.1)
print(f"{processes} processes: at most {shared:.0f} MB together, {resident:.0f} MB with shared pages counted for each, "
      f"{largest:.0f} MB in one")
sys.exit(started.returncode or shared > most)
