"""The dispatch workloads beside their peers, loading, and the cost of containing modules."""
import os
import shutil
import statistics
import sys

from benchmarks.common import BENCH, OUT, PEERS, lines, run

# The maximum cost of containing modules.
LIMITS_PRICE_MAX = 1.10
# The number of dispatches that take about a quarter of a second.
LIMITS_COUNT = {"A": 200_000, "B": 100_000, "C": 80_000, "D": 160_000}


class Table:
    """Samples of nanoseconds per dispatch, by peer and workload."""

    def __init__(self):
        self.samples, self.checks = {}, {}

    def add(self, peer, workload, nanoseconds):
        self.samples.setdefault((peer, workload), []).append(nanoseconds)

    def check(self, peer, workload, n, value):
        self.checks.setdefault((workload, n), {}).setdefault(str(value), set()).add(peer)

    def median(self, peer, workload):
        found = self.samples.get((peer, workload))
        return statistics.median(found) if found else None

    def show(self):
        peers = list(dict.fromkeys(peer for peer, _ in self.samples))
        print(f"\n{'ns per dispatch (ratio to plain Lua, copying)':<46}", end="")
        print("".join(f"{w:>20}" for w in "ABCD"))
        for peer in peers:
            print(f"{peer:<46}", end="")
            for workload in "ABCD":
                value, base = self.median(peer, workload), self.median("lua-plain-copy", workload)
                cell = f"{value:,.0f} ({value / base:.3f}×)" if value and base else \
                    f"{value:,.0f}" if value else "–"
                print(f"{cell:>20}", end="")
            print()
        a = self.median("moonwire", "A")
        for workload, limit in (("B", 5), ("C", 10)):
            value = self.median("moonwire", workload)
            if a and value:
                print(f"{workload} is {value / a:.1f}× A (limit {limit}×)")
        wrong = {key: by for key, by in self.checks.items() if len(by) > 1}
        for (workload, n), by in wrong.items():
            print(f"CHECKSUMS DIFFER in {workload} of {n}: {by}")
        if not wrong:
            print(f"checksums: equal for all peers ({len(self.checks)} compared)")
        return not wrong


def dispatch(rounds, scale):
    count = {"A": int(1e6 * scale), "B": int(1e5 * scale), "C": int(5000 * scale),
             "D": int(2e5 * scale)}
    table = Table()
    environment = {"BENCH_SCALE": scale, "BENCH_NC": int(5000)}
    with_node = shutil.which("node") and os.path.isdir("/usr/share/nodejs/redux")
    for number in range(rounds):
        print(f"round {number + 1} of {rounds}", file=sys.stderr)
        for workload, n in count.items():
            row = lines(run([BENCH, "dispatch", workload, str(n)]).stdout)[0]
            table.check("moonwire", workload, n, row["check"])
            if workload == "C":  # long enough to time: a thousand take a few milliseconds
                n = 50_000
                row = lines(run([BENCH, "dispatch", workload, str(n)]).stdout)[0]
            table.add("moonwire", workload, row["cpu_s"] / n * 1e9)
        peers = [("lua5.4", os.path.join(PEERS, "lua", "bench_plain.lua"), {"MODE": "copy"}),
                 ("lua5.4", os.path.join(PEERS, "lua", "bench_plain.lua"), {"MODE": "mutate"})]
        if with_node:
            peers.append(("node", os.path.join(PEERS, "node", "bench_redux.js"), {}))
        for program, script, more in peers:
            for row in lines(run([program, script], **environment, **more).stdout):
                if row["workload"] not in count:
                    continue
                table.add(row["peer"], row["workload"], row["cpu_s"] / row["n"] * 1e9)
                table.check(row["peer"], row["workload"], row["n"], row["check"])
        for program in ("bench_chost", "bench_proxy"):
            for row in lines(run([os.path.join(OUT, program)], **environment).stdout):
                name = {"A1": ("c-host: state in Lua tables", "A"),
                        "D1": ("c-host: state in Lua tables", "D"),
                        "A3": ("c-host: state in C, drafts (floor)", "A")}.get(row["workload"])
                if name:
                    table.add(*name, row["cpu_s"] / row["n"] * 1e9)
    return table.show()


def load_and_reload():
    loads = [lines(run([BENCH, "load", "1000"]).stdout)[0] for _ in range(3)]
    best = sorted(loads, key=lambda row: row["seconds"])[1]
    print(f"\nload of 1,000 modules: {best['seconds'] * 1000:.0f} ms, {best['megabytes']:.0f} MB "
          f"(limits: 1,000 ms, 100 MB)")
    saves = lines(run([BENCH, "reload", "500"]).stdout)[0]
    probe = [row for row in lines(run([os.path.join(OUT, "inotify_lat"), os.path.join(OUT, "probe")]).stdout)
             if row["what"] == "save->reloaded, close-after-write"][0]
    print(f"save to serving, 100 modules:    p50 {saves['p50_us']:>7.0f} µs   p99 {saves['p99_us']:>7.0f} µs "
          f"(limits: 5,000, 20,000)")
    print(f"inotify probe, floor in C:       p50 {probe['p50_us']:>7.0f} µs   p99 {probe['p99_us']:>7.0f} µs")


def limits(rounds):
    """Runs pairs, one right after the other, and takes the median of their ratios."""
    good = True
    print(f"{'ns per dispatch':<18}{'limits on':>12}{'off':>12}{'ratio':>10}   (limit {LIMITS_PRICE_MAX}×)")
    for workload, n in LIMITS_COUNT.items():
        samples = {"on": [], "off": []}
        print(f"measuring {workload} …", file=sys.stderr)
        for number in range(rounds):
            for mode in ("on", "off") if number % 2 else ("off", "on"):
                more = [] if mode == "on" else ["unlimited"]
                row = lines(run([BENCH, "dispatch", workload, str(n), *more]).stdout)[0]
                samples[mode].append(row["cpu_s"] / n * 1e9)
        ratio = statistics.median(a / b for a, b in zip(samples["on"], samples["off"]))
        good = good and ratio <= LIMITS_PRICE_MAX
        print(f"{workload:<18}{statistics.median(samples['on']):>12,.0f}"
              f"{statistics.median(samples['off']):>12,.0f}{ratio:>9.3f}×"
              f"{'   TOO MUCH' if ratio > LIMITS_PRICE_MAX else ''}")
    return good
