"""Sweeps of `daedalus explore` whose processes are killed at random moments: continued, they find what an undisturbed
sweep finds.

    kill_test.py DAEDALUS MODEL [--workers N] [--ranks N] [--writer N] [--seed S]

N sweeps each: one or two forked workers are killed, of one process or of 2 to 8 ranks; a rank other than 0 is; the
process that writes is, of one process or of ranks. Without mpirun there are no ranks.
"""
import argparse
import contextlib
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

SPACE = """
keys:
  n: [8, 16]
  bus_bytes: [8, 16]
  read_latency: {from: 16, to: 256, step: 8}
derive: {inp_bytes: 2048 * n, out_bytes: 2048 * n, fetch_burst: "min(4, bus_bytes / 4)"}
"""


def children(parent):
    """Of processes that end meanwhile, none."""
    try:
        return [int(child) for child in pathlib.Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]
    except OSError:
        return []


def is_program(process, program):
    try:
        return os.readlink(f"/proc/{process}/exe") == os.path.realpath(program)
    except OSError:
        return False


def rank_of(process):
    """Of one that mpirun started."""
    try:
        environment = pathlib.Path(f"/proc/{process}/environ").read_bytes().split(b"\0")
    except OSError:
        return 0
    return next((int(entry.split(b"=")[1]) for entry in environment if entry.startswith(b"OMPI_COMM_WORLD_RANK=")), 0)


class Sweeps:
    def __init__(self, daedalus, model, folder, seed):
        self.daedalus, self.model, self.folder = daedalus, model, pathlib.Path(folder)
        self.random = random.Random(seed)
        self.failures = 0
        (self.folder / "space.yaml").write_text(SPACE)
        undisturbed, self.bytes = self.start("undisturbed", 1), 1
        while undisturbed.poll() is None:
            self.bytes = max(self.bytes, self.written("undisturbed"))
            time.sleep(0.002)
        self.expected = self.rows("undisturbed")
        assert len(self.expected[0]) == 2 * 2 * 31

    def start(self, name, ranks, *options):
        command = [self.daedalus, "explore", "space.yaml", self.model, "--db", f"{name}.db", "--workers", "2", *options]
        if ranks > 1:
            command = ["mpirun", "-q", "--oversubscribe", "-n", str(ranks)] + command
        return subprocess.Popen(command, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE, text=True)

    def written(self, name):
        """Bytes of the log of a sweep that goes on."""
        try:
            return (self.folder / f"{name}.db-wal").stat().st_size
        except OSError:
            return 0

    def await_moment(self, started, part):
        """Until the part of the sweep is written; below 0, while it imports."""
        if part < 0:
            time.sleep(-part)
        while started.poll() is None and self.written("killed") < part * self.bytes:
            time.sleep(0.002)
        return started.poll() is None

    def rows(self, name):
        with contextlib.closing(sqlite3.connect(self.folder / f"{name}.db")) as file:
            return [file.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall() for table in ("point", "result")]

    def ranks_of(self, started, ranks):
        """The processes of explore by their ranks."""
        if ranks == 1:
            return {0: started.pid}
        return {rank_of(child): child for child in children(started.pid) if is_program(child, self.daedalus)}

    def kill(self, kind, started, ranks):
        """A process of the kind, if there is one now."""
        processes = self.ranks_of(started, ranks)
        if kind == "workers":
            victims = [worker for process in processes.values() for worker in children(process)
                       if is_program(worker, self.daedalus)]
        else:
            victims = [process for rank, process in processes.items() if (rank == 0) == (kind == "writer")]
        if not victims:
            return 0
        try:
            os.kill(self.random.choice(victims), signal.SIGKILL)
        except ProcessLookupError:
            return 0
        return 1

    def sweep(self, kind, ranks):
        """Two kills at most: three on one point are an answer."""
        most = 2 if kind == "workers" else 1
        started, killed = self.start("killed", ranks), 0
        for part in sorted(self.random.uniform(-0.2, 1) for _ in range(self.random.randint(1, most))):
            if self.await_moment(started, part):
                killed += self.kill(kind, started, ranks)
        said = started.communicate(timeout=300)[1].strip()
        if kind == "workers" and started.returncode:
            self.fail(kind, ranks, f"status {started.returncode}: {said}")
        resumed = self.start("killed", self.random.choice([1, ranks]), "--resume")
        said = resumed.communicate(timeout=300)[1].strip()
        if resumed.returncode:
            self.fail(kind, ranks, f"--resume has status {resumed.returncode}: {said}")
        elif self.rows("killed") != self.expected:
            self.fail(kind, ranks, "other results")
        for file in self.folder.glob("killed.db*"):
            file.unlink(missing_ok=True)
        return killed

    def fail(self, kind, ranks, what):
        self.failures += 1
        print(f"FAILED: {kind} killed in a sweep of {ranks} ranks: {what}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("daedalus")
    parser.add_argument("model")
    for kind in ("workers", "ranks", "writer"):
        parser.add_argument(f"--{kind}", type=int, default=1)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    module = pathlib.Path(options.daedalus).resolve().parents[1] / "lib/libdaedalus_mpi.so"
    has_ranks = shutil.which("mpirun") and module.exists()
    with tempfile.TemporaryDirectory() as folder:
        sweeps = Sweeps(os.path.abspath(options.daedalus), os.path.abspath(options.model), folder, options.seed)
        for kind in ("workers", "ranks", "writer"):
            number, killed = getattr(options, kind), 0
            for index in range(number):
                if kind == "ranks" or index % 2:
                    if has_ranks:
                        killed += sweeps.sweep(kind, sweeps.random.randint(2, 8))
                else:
                    killed += sweeps.sweep(kind, 1)
            print(f"{kind}: {number} sweeps, {killed} processes killed")
        print(f"{sweeps.failures} failures (seed {options.seed})")
        sys.exit(sweeps.failures > 0)


main()
