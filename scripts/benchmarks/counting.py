"""Instructions and allocations, counted by valgrind: growth, and the gate."""
import concurrent.futures
import json
import os
import re
import statistics
import subprocess
import sys

from benchmarks.common import BENCH, DEBUG, OUT, ROOT, STRIPPED, lines, route_file, run, strip

BASELINE = os.path.join(ROOT, "scripts", "baseline.json")
# The gate leaves room for plain code, but fails if something becomes slow.
TOLERANCE = 0.15
# What no change may exceed, however slowly it crept up: instructions.
CEILINGS = {"A": 13_000, "B": 24_500, "C": 31_000, "D": 13_000, "navigate at 1": 165_000,
            "navigate at 850": 177_000, "view of 50": 1_800_000, "open beside 10": 25_000,
            "open beside 2000": 25_000, "dispatch among 2000": 9_500}
# The bytes by which the environments that the gate measures in are longer than this one.
PADDINGS = (0, 40, 100, 400, 1000)
# The maximum cost of 4n relative to n: 4 if linear, about 5 with a logarithm, 16 if quadratic.
GROWTH_MAX = 6.0


def counted(tool, pattern, *work, padding=0):
    """Valgrind's count for a run of MoonBench, which is the same each time.

    The environment is `padding` bytes longer, which changes whatever depends on addresses, such as
    the places of Lua's strings in its tables.
    """
    command = ["setarch", "-R", "valgrind", *tool, STRIPPED, *map(str, work)]
    more = {"SWIFT_DETERMINISTIC_HASHING": 1, "LD_PRELOAD": os.path.join(OUT, "fixtime.so"),
            "PADDING": "x" * padding}
    result = subprocess.run(command, env=dict(os.environ, **{k: str(v) for k, v in more.items()}),
                            capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"MoonBench {' '.join(map(str, work))}: {result.stdout.strip()}")
    return int(re.search(pattern, result.stderr).group(1).replace(",", ""))


def instructions(*work, padding=0):
    return counted(["--tool=callgrind", "--callgrind-out-file=/dev/null"], r"Collected : (\d+)",
                   *work, padding=padding)


def growth(only, debug):
    bench = DEBUG if debug else BENCH
    strip(bench)
    good = True
    found = [row for row in lines(run([bench, "growth"]).stdout) if not only or only in row["name"]]
    print(f"{'million instructions at':<34}{'n':>8}{'n':>10}{'4n':>10}{'ratio':>8}   (limit {GROWTH_MAX})")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = [[pool.submit(instructions, "growth", row["name"], n)
                 for n in (1, row["base"], 4 * row["base"])] for row in found]
        for row, results in zip(found, runs):
            start, once, four = (result.result() for result in results)
            ratio = (four - start) / max(1, once - start)
            good = good and ratio <= GROWTH_MAX
            print(f"{row['name']:<34}{row['base']:>8,}{(once - start) / 1e6:>10,.1f}"
                  f"{(four - start) / 1e6:>10,.1f}{ratio:>8.2f}{'   TOO MUCH' if ratio > GROWTH_MAX else ''}",
                  flush=True)
    return good


def gate(record):
    strip()
    sizes = {"A": (2000, 6000), "B": (1000, 3000), "C": (500, 1500), "D": (2000, 6000)}
    works = {name: (["dispatch", name], *size) for name, size in sizes.items()}
    for name in ("A", "C"):  # with the last 1,000 states kept
        works[f"{name}, timeline"] = (["dispatch", name], *sizes[name], ["timeline"])
    for depth in (1, 850):  # a route and a step back
        works[f"navigate at {depth}"] = (["navigate", depth], 20, 60)
    works["view of 50"] = (["view", 50], 20, 60)
    for count in (10, 2_000):  # sessions
        works[f"open beside {count}"] = (["open", count], 100, 300)
        works[f"dispatch among {count}"] = (["among", count], 1_000, 3_000)
    for name in ("captures", "url", "parameters"):  # all URLs of the file, once and three times
        works[f"match {name}"] = (["match", name, route_file("overlap", 1_000)], 10_000, 30_000)
    measured = {}
    for workload, (work, low, high, *mode) in works.items():
        mode = mode[0] if mode else []
        print(f"counting {workload} …", file=sys.stderr)
        # Lua seeds the hashes of strings with addresses, which affect up to a tenth of C and D.
        # Sometimes a thread also does something once more or less.
        executed = statistics.median(
            (instructions(*work, high, *mode, padding=size)
             - instructions(*work, low, *mode, padding=size))
            / (high - low) for size in PADDINGS)
        tool = ["--tool=memcheck", "--leak-check=no", "--undef-value-errors=no"]
        allocated = [
            statistics.median(
                counted(tool, r"total heap usage: ([\d,]+) allocs", *work, n, *mode) for _ in range(3))
            for n in (low, high)]
        measured[workload] = {
            "instructions": round(executed),
            "allocations": round((allocated[1] - allocated[0]) / (high - low), 1)}
    if record:
        with open(BASELINE, "w") as file:
            json.dump(measured, file, indent=2)
            file.write("\n")
    with open(BASELINE) as file:
        baseline = json.load(file)
    good = True
    print(f"{'per piece':<18}{'instructions':>14}{'baseline':>10}{'allocations':>14}{'baseline':>10}")
    for workload, now in measured.items():
        if workload not in baseline:
            sys.exit(f"{workload} has no baseline yet: scripts/bench gate --record")
        was = baseline[workload]
        worse = any(now[k] > was[k] * (1 + TOLERANCE) + (0.1 if k == "allocations" else 0) for k in now)
        high = now["instructions"] > CEILINGS.get(workload, float("inf"))
        good = good and not worse and not high
        print(f"{workload:<18}{now['instructions']:>14,}{was['instructions']:>10,}"
              f"{now['allocations']:>14}{was['allocations']:>10}"
              f"{'   WORSE' if worse else ''}{'   ABOVE THE CEILING' if high else ''}")
    return good
