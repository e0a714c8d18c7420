"""The two commands of the README in a new clone, and the build for release: how long they take, and
what takes the time."""
import collections
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time

from benchmarks.common import ROOT

FIRST = ["scripts/moonwire", "run", "examples/counter"]
SECOND = ["scripts/test"]
RELEASE = ["scripts/release", "--product", "moonwire"]
# Seconds on two processors that are otherwise idle.
WALL_MAX = {"first": 240, "second": 600, "release": 480}
# Seconds of processor time. The first command took 985 with an HTTP client in Swift.
FIRST_CPU_MAX, FIRST_CPU_BEFORE = 480, 985
SIZE_MAX_MB = 70
SHOWN_SECONDS_MIN = 0.5
SECONDS_BETWEEN_LOOKS = 0.1
TICKS = os.sysconf("SC_CLK_TCK")


def label(arguments):
    """The label that a build process is counted under: the target it compiles, or its program."""
    name = os.path.basename(arguments[0])
    if name in ("ld", "ld.gold", "ld.lld"):
        return "(linking)"
    for flag, value in zip(arguments, arguments[1:]):
        if flag == "-module-name":
            return value
        found = flag == "-o" and re.search(r"/([^/]+)\.build/", value)
        if found:
            return found.group(1)
    return f"({name})"


class Looks:
    """The processor time of the processes of a session, sampled in /proc.

    The time that a process used after its last sample is missing: up to a tenth of a second, or
    everything of a process that lives shorter. The total is exact, so the rest is shown.
    """

    def __init__(self, session):
        self.session, self.spent, self.labels = session, {}, {}
        self.has_ended = threading.Event()
        self.thread = threading.Thread(target=self.repeat)
        self.thread.start()

    def repeat(self):
        while not self.has_ended.wait(SECONDS_BETWEEN_LOOKS):
            for process in filter(str.isdigit, os.listdir("/proc")):
                self.look(process)

    def look(self, process):
        try:
            with open(f"/proc/{process}/stat") as file:
                # The name, in parentheses, may contain anything.
                fields = file.read().rpartition(")")[2].split()
            if int(fields[3]) != self.session:
                return
            key = (process, fields[19])  # with its start, since numbers are reused
            with open(f"/proc/{process}/cmdline", "rb") as file:
                arguments = file.read().decode(errors="replace").split("\0")
        except (FileNotFoundError, ProcessLookupError, PermissionError):
            return  # It has just ended.
        self.spent[key] = (int(fields[11]) + int(fields[12])) / TICKS
        # A zombie has no arguments, and exec changes them.
        if arguments[0]:
            self.labels[key] = label(arguments)

    def end(self):
        """The seconds of each label, in descending order."""
        self.has_ended.set()
        self.thread.join()
        sums = collections.Counter()
        for key, seconds in self.spent.items():
            sums[self.labels.get(key, "(other)")] += seconds
        return sums.most_common()


def measure(command, folder):
    """Runs a command there without input, and shows its output."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    with subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=sys.stderr,
                          start_new_session=True) as process:
        looks = Looks(process.pid)
        try:
            code = process.wait()
        except BaseException:
            os.killpg(process.pid, 2)
            raise
        finally:
            by_label = looks.end()
    wall = time.monotonic() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return code, wall, cpu, by_label


def report(name, command, result):
    code, wall, cpu, by_label = result
    missed = "" if wall <= WALL_MAX[name] else "   MISSED"
    print(f"\n{' '.join(command)}: {wall:,.0f} s, at most {WALL_MAX[name]}{missed}")
    is_good = code == 0 and not missed
    if code != 0:
        print(f"  FAILED with exit code {code}")
    if name == "first":
        missed = "" if cpu <= FIRST_CPU_MAX else "   MISSED"
        is_good = is_good and not missed
        print(f"  processor time {cpu:,.0f} s, at most {FIRST_CPU_MAX}; "
              f"{cpu / FIRST_CPU_BEFORE:.2f}× of {FIRST_CPU_BEFORE}{missed}")
    else:
        print(f"  processor time {cpu:,.0f} s")
    shown = [row for row in by_label if row[1] >= SHOWN_SECONDS_MIN]
    for target, seconds in shown:
        print(f"  {target:<34}{seconds:>8,.1f} s")
    print(f"  {'everything else':<34}{cpu - sum(seconds for _, seconds in shown):>8,.1f} s")
    return is_good


def report_sizes(folder):
    is_good = True
    for name, most in (("moonwire", SIZE_MAX_MB), ("moonwire.debug", None)):
        path = os.path.join(folder, ".build", "bin", name)
        size = os.path.getsize(path) / 1e6 if os.path.exists(path) else float("nan")
        missed = "" if most is None or size <= most else "   MISSED"
        is_good = is_good and not missed
        print(f"  {name:<34}{size:>8,.1f} MB{'' if most is None else f', at most {most}{missed}'}")
    return is_good


def build_anew(only):
    """Measures the commands in a clone of the last commit, and removes the clone."""
    folder = tempfile.mkdtemp(prefix="moonwire-build.")
    # Some tests run the program as another user.
    os.chmod(folder, 0o711)
    try:
        clone = os.path.join(folder, "moonwire")
        subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
        good = []
        for name, command in (("first", FIRST), ("second", SECOND), ("release", RELEASE)):
            if only in (None, name):
                good.append(report(name, command, measure(command, clone)))
                if name == "release":
                    good.append(report_sizes(clone))
        return all(good)
    finally:
        shutil.rmtree(folder)
