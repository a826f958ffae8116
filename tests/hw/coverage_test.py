"""tests/coverage/report.py on points made here: what it counts, lines, bits and bins, and each of its complaints."""
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
REPORT = ROOT / "tests/coverage/report.py"


def point(count, module, kind="v_line", line=7, what="block", file=None):
    fields = {"f": file or f"/x/hw/rtl/{module}.sv", "l": line, "n": 3, "page": f"{kind}/{module}", "o": what, "h": "TOP"}
    return "C '" + "".join(f"\x01{name}\x02{value}" for name, value in fields.items()) + f"' {count}\n"


def report(points, arguments=()):
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "1.dat").write_text("# SystemC::Coverage-3\n" + "".join(points))
        return subprocess.run([REPORT, folder, *arguments], capture_output=True, text=True, check=False)


def expect(done, status, *sentences):
    for sentence in sentences:
        if sentence not in done.stdout + done.stderr:
            sys.exit(f"expected '{sentence}' in:\n{done.stdout}{done.stderr}")
    if done.returncode != status:
        sys.exit(f"expected status {status}, found {done.returncode}:\n{done.stdout}{done.stderr}")


# Instances and parameters of a module are one; the test bench counts nowhere.
expect(report([point(0, "fetch__W1"), point(5, "fetch__W2"), point(0, "fetch", "v_branch", what="else"),
               point(9, "daedalus_tb", file="/x/hw/tb/daedalus_tb.sv")]),
       0, "| `fetch` | 1 of 1 | 0 of 1 |", "| all | 1 of 1 | 0 of 1 |")
expect(report([point(0, "fetch", line=12)], ["--check"]), 1, "fetch.sv:12: no program reaches 'block' (lines)")
expect(report([point(1, "fetch", line=12), *[point(0, "fetch", "v_toggle", what=f"x[{k}]") for k in range(9)]], ["--check"]), 1,
       "fetch: 0.0% of its bits changed")
expect(report([point(1, "delay", line=32)], ["--check"]), 1, "delay.sv:32: programs reach 'block', which unreached.tsv lists")


def bin_of(count, stage, what):
    return point(count, "stage_bins", "v_toggle", what=f"{stage}_q.{what}", file="/x/hw/tb/stage_bins.sv")


# Bins are by stage; what else the bench has is none of them.
bins = [bin_of(2, "load_head", "moves.inp"), bin_of(1, "load_head", "moves.nop"), bin_of(0, "load_head", "stalls_in_reset.inp"),
        bin_of(0, "load_head_waits", "waits.fault"), point(0, "stage_bins", "v_toggle", what="reset", file="/x/hw/tb/stage_bins.sv")]
expect(report(bins), 0, "| `load_head` | 2 of 2 |  |  |  | 0 of 1 |  |", "| `load_head_waits` |  |  | 0 of 1 |  |  |  |")
expect(report(bins, ["--check"]), 1, "stage load_head_waits: no program reaches 'waits.fault' (bins)",
       "a RESET met 0 of 1 forms in their stages; expected at least")
expect(report([bin_of(1, "load_written", "stalls.fill")], ["--check"]), 1,
       "stage load_written: programs reach 'stalls.fill', which unreached.tsv lists")
expect(report([]), 0, "| all |")
empty = subprocess.run([REPORT, "/nowhere"], capture_output=True, text=True, check=False)
expect(empty, 1, "there is no *.dat in '/nowhere'")
