"""All speed targets, each figure beside its floor or peer, in one run."""
import json
import math
import os
import shlex
import shutil
import statistics
import subprocess
import sys
import time

from benchmarks.common import BENCH, PEERS, lines, route_file, run

LUA = os.path.join(PEERS, "lua")
REDUX = os.path.join(PEERS, "node", "bench_redux.js")
# Flat figures may still differ by noise, and by caches that more sessions fill.
FLAT = 1.25
# Free: less than a hundredth of a dispatch.
FREE = 0.01
# The number of runs of each program in a round.
RUNS = 3
SESSION_BYTES_MAX = 4096
SESSION_COUNT = 10_000
IDLE_MODULES, IDLE_SECONDS = 1_000, 10


def nanoseconds(*command, **more):
    """The nanoseconds of each kind of work that a program has measured: the minimum of some runs.

    Other programs on the machine can only add to them.
    """
    least = {}
    for _ in range(RUNS):
        for row in lines(run([*map(str, command)], **more).stdout):
            name, spent = (row["peer"], row["workload"]), row["cpu_s"] / row["n"] * 1e9
            least[name] = min(spent, least.get(name, spent))
    return least


def own_works():
    """MoonBench's measurements in a round: those with peers, and those beside its own work."""
    matches = route_file("overlap", 1_000)
    with_peers = {
        "A": ("dispatch", "A", 200_000),
        "B": ("dispatch", "B", 100_000),
        "view": ("view", 50, 2_000),
    }
    alone = {
        # The measurements with A's action have no limits on, so neither has this A.
        "A, unlimited": ("dispatch", "A", 200_000, "unlimited"),
        "navigate 1": ("navigate", 1, 10_000),
        "navigate 850": ("navigate", 850, 10_000),
        "awaited": ("awaited", 100, 100_000),
        "awaited there": ("awaited", 100, 100_000, "preferring"),
        **{f"open {count}": ("open", count, 20_000) for count in (10, 2_000, SESSION_COUNT)},
        "publish": ("publish", 10_000_000),
        **{f"{kind} {count}": ("typed", count, 100_000, kind)
           for count in (1, 10) for kind in ("typed", "values")},
        "match": ("match", "captures", matches, 400_000),
        "parameters": ("match", "parameters", matches, 200_000),
        "among 10": ("among", 10, 100_000),
        f"among {SESSION_COUNT}": ("among", SESSION_COUNT, 100_000),
    }
    return with_peers, alone


def leave_out(peer, reason):
    print(f"{peer} is left out: {reason}", file=sys.stderr)


def peer_commands():
    """The commands of the peers, with the variables that their environments need."""
    commands = [
        (["lua5.4", os.path.join(LUA, "bench_plain.lua")],
         {"MODE": "copy", "BENCH_ONLY": "A", "BENCH_SCALE": 0.3}),
        (["lua5.4", os.path.join(LUA, "view.lua"), 50, 10_000], {})]
    modules = os.environ.get("PEERS_NODE_MODULES", "/usr/share/nodejs")
    if not shutil.which("node") or not os.path.isdir(os.path.join(modules, "redux")):
        leave_out("redux", "node or its package redux is missing")
        return commands
    commands.append((["node", REDUX], {"MODE": "plain", "BENCH_ONLY": "B", "BENCH_SCALE": 0.5}))
    if not os.path.isdir(os.path.join(modules, "immer")):
        leave_out("immer", f"{modules} lacks it; PEERS_NODE_MODULES may name another node_modules")
        return commands
    for mode in ("immer", "immer-nofreeze"):
        commands.append((["node", REDUX], {"MODE": mode, "BENCH_ONLY": "A", "BENCH_SCALE": 0.5}))
    return commands


def voluntary_switches(process):
    """The voluntary context switches of each thread so far."""
    found = {}
    for thread in os.listdir(f"/proc/{process}/task"):
        with open(f"/proc/{process}/task/{thread}/status") as status:
            found[thread] = next(int(line.split()[1]) for line in status
                                 if line.startswith("voluntary_ctxt_switches"))
    return found


def idle_switches(modules):
    """The context switches of a host that watches its modules and has nothing to do.

    Without modules there is no host, and the switches are those of Swift's own threads.
    """
    with subprocess.Popen([BENCH, "idle", str(modules)], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, text=True) as process:
        said = json.loads(process.stdout.readline())
        if said["modules"] != modules or said["polling"]:
            sys.exit(f"the idle host isn't as it should be: {said}")
        time.sleep(1)  # loading ends
        before = voluntary_switches(process.pid)
        time.sleep(IDLE_SECONDS)
        after = voluntary_switches(process.pid)
        process.stdin.close()
    return sum(count - before.get(thread, 0) for thread, count in after.items())


class Figures:
    """The samples of all rounds, and the table of their medians."""

    def __init__(self):
        self.samples, self.good = {}, True

    def add(self, name, value):
        self.samples.setdefault(name, []).append(value)

    def median(self, name):
        return statistics.median(self.samples[name])

    def ratio(self, name, base):
        """The median of the rounds' ratios, since what slows a machine down outlasts a round."""
        return statistics.median(a / b for a, b in zip(self.samples[name], self.samples[base]))

    def show(self, what, figure, beside, ratio, limit, is_good):
        self.good = self.good and is_good
        print(f"{what:<58}{figure:>14}{beside:>14}{ratio:>10}{limit:>16}"
              f"{'' if is_good else '   MISSED'}")

    def compare(self, what, name, base, limit=math.inf):
        """Shows a row whose limit is a ratio, if it has one."""
        value, beside, ratio = self.median(name), self.median(base), self.ratio(name, base)
        shown = f"{ratio:.3f}×" if limit < 0.1 else f"{ratio:.2f}×"
        self.show(what, f"{value:,.1f} ns" if value < 100 else f"{value:,.0f} ns",
                  f"{beside:,.0f} ns", shown, "" if limit == math.inf else f"{limit:g}×",
                  ratio <= limit)

    def compare_ahead(self, peer):
        ratio = self.ratio("A", (peer, "A"))
        self.show(f"A, ahead of {peer}", f"{self.median('A'):,.0f} ns",
                  f"{self.median((peer, 'A')):,.0f} ns", f"{ratio:.2f}×", "ahead", ratio < 1)


def measure(rounds, others):
    figures = Figures()
    with_peers, alone = own_works()
    peers = peer_commands() + [(shlex.split(command), {}) for command in others]
    if not others:
        leave_out("any other store", "none is given with --peer")
    for number in range(rounds):
        print(f"round {number + 1} of {rounds}", file=sys.stderr)

        def add_own(works):
            for name, work in works.items():
                (spent,) = nanoseconds(BENCH, *work).values()
                figures.add(name, spent)

        add_own(with_peers)
        for command, more in peers:
            for name, spent in nanoseconds(*command, **more).items():
                figures.add(name, spent)
        add_own(alone)
        kept = lines(run([BENCH, "kept", "1", str(SESSION_COUNT)]).stdout)[0]
        figures.add("bytes", kept["bytes"] / kept["n"])
    print(f"an idle host, {IDLE_SECONDS} s …", file=sys.stderr)
    figures.add("switches", idle_switches(IDLE_MODULES))
    figures.add("switches, Swift", idle_switches(0))
    return figures


def targets(rounds, others):
    figures = measure(rounds, others)
    print(f"\n{'median':<58}{'figure':>14}{'beside':>14}{'ratio':>10}{'at most':>16}")
    plain, redux = "lua-plain-copy", "redux-node"
    figures.compare("A, beside plain Lua that copies", "A", (plain, "A"), 1.6)
    for name in figures.samples:
        if isinstance(name, tuple) and name[1] == "A" and name[0] != plain:
            figures.compare_ahead(name[0])
    if (redux, "B") in figures.samples:
        figures.compare("B, beside redux on Node", "B", (redux, "B"), 1.3)
    base = "A, unlimited"
    figures.compare("a route and a step back, in A's", "navigate 1", base, 20)
    figures.compare("… on 850 screens, beside 1", "navigate 850", "navigate 1", FLAT)
    figures.compare("a URL to its parameters, beside its match", "parameters", "match", 3)
    figures.compare("a view of 50 as a card, beside its table in plain Lua", "view",
                    ("lua", "view"), 10)
    for count in (10, 2_000, SESSION_COUNT):
        figures.compare(f"a session opened and closed beside {count:,}, in A's", f"open {count}",
                        base, 10)
    figures.compare(f"… beside {SESSION_COUNT:,}, beside the one of 10", f"open {SESSION_COUNT}",
                    "open 10", FLAT)
    size = figures.median("bytes")
    figures.show(f"memory of a session, of {SESSION_COUNT:,}", f"{size:,.0f} bytes", "", "",
                 f"{SESSION_BYTES_MAX:,} bytes", size < SESSION_BYTES_MAX)
    figures.compare(f"a dispatch among {SESSION_COUNT:,} sessions, beside 10",
                    f"among {SESSION_COUNT}", "among 10", FLAT)
    figures.compare("a dispatch that one of 100 tasks awaits, in A's", "awaited", base)
    figures.compare("… that prefer the host's thread, in A's", "awaited there", base, 2)
    figures.compare("an event that nobody reads, in A's", "publish", base, FREE)
    for count in (1, 10):
        figures.compare(f"an action and a state that are types, of {count}, beside values",
                        f"typed {count}", f"values {count}", 1.25)
    switches, unavoidable = figures.median("switches"), figures.median("switches, Swift")
    # Swift's thread pool on Linux wakes each second, so one more or less is chance.
    figures.show(f"context switches of an idle host in {IDLE_SECONDS} s, beside no host",
                 f"{switches:,.0f}", f"{unavoidable:,.0f}", "", "as many",
                 switches <= unavoidable + 1)
    return figures.good
