"""Route matching beside other routers."""
import os
import statistics
import subprocess
import sys

from benchmarks.common import BENCH, OUT, PEERS, RELEASE, lines, route_file, run, setup

ROUTE_KINDS, ROUTE_COUNTS = ("strict", "overlap", "flat"), (1_000, 10_000, 100_000)
# The work of every router: finding the route, and the places of its parameters in the path.
OURS = "moonwire: route and captures of a path"
# The work of an app: from the text of a URL to all its parameters.
PARAMETERS = "moonwire: that, and all parameters made"
ROUTE_SECONDS = 0.2


def build_routers():
    """The programs to compare. Those that can't be built here are left out with a message."""
    floor, hummingbird = (os.path.join(OUT, name) for name in ("floor", "hummingbird"))
    subprocess.run(["gcc", "-O2", os.path.join(PEERS, "routes", "floor.c"), "-o", floor], check=True)
    programs = [[BENCH, "routes"], [floor], ["lua5.4", os.path.join(PEERS, "routes", "trie.lua")]]
    if setup("httprouter", check=False):
        program = os.path.join(OUT, "httprouter")
        run(["go", "build", "-o", program, os.path.join(PEERS, "routes", "httprouter", "main.go")],
            GO111MODULE="off", GOPATH="/usr/share/gocode")
        programs.append([program])
    else:
        print("httprouter is left out: its packages can't be installed here", file=sys.stderr)
    print("building hummingbird, which takes minutes the first time …", file=sys.stderr)
    built = subprocess.run(
        [RELEASE, "--package-path", os.path.join(PEERS, "hummingbird-router"), "--scratch-path",
         hummingbird],
        capture_output=True, text=True)
    if built.returncode == 0:
        programs.append([os.path.join(hummingbird, "release", "RouteBench")])
    else:
        last = [line for line in built.stderr.splitlines() + built.stdout.splitlines() if "error" in line]
        print(f"hummingbird is left out: {last[0] if last else 'it does not build here'}", file=sys.stderr)
    return programs


def routes(rounds):
    programs = build_routers()
    files = [(kind, count) for kind in ROUTE_KINDS for count in ROUTE_COUNTS]
    found = {}  # peer → file → rows, one per round
    for file in files:
        route_file(*file)
    for number in range(rounds):
        for file in files:
            print(f"round {number + 1} of {rounds}: {file[0]} {file[1]:,}", file=sys.stderr)
            for program in programs:
                for row in lines(run([*program, route_file(*file), str(ROUTE_SECONDS)]).stdout):
                    found.setdefault(row["peer"], {}).setdefault(file, []).append(row)

    def median(peer, file, what):
        return statistics.median(row[what] for row in found[peer][file])

    for kind in ROUTE_KINDS:
        show_routes(kind, found, median)
    return judge_routes(files, found, median)


def show_routes(kind, found, median):
    heads = [f"{count:,} patterns" for count in ROUTE_COUNTS] + ["build 100,000", "memory 100,000"]
    # Memory is the growth of the process; for httprouter and Lua, the size of their heaps.
    print(f"\n{kind + ': ns per match (ratio to Moonwire)':<42}" + "".join(f"{h:>18}" for h in heads))
    for peer in found:
        cells = []
        for count in ROUTE_COUNTS:
            value = median(peer, (kind, count), "ns_match")
            cell = f"{value:,.0f} ({value / median(OURS, (kind, count), 'ns_match'):.2f}×)"
            # A router that refuses patterns does different work, so its times aren't comparable.
            cells.append(f"[{cell}]" if median(peer, (kind, count), "rejected") else cell)
        largest = (kind, ROUTE_COUNTS[-1])
        if peer == OURS or not peer.startswith("moonwire"):
            cells.append(f"{median(peer, largest, 'build_ms'):,.0f} ms")
            cells.append(f"{median(peer, largest, 'rss_kb') / 1000:,.1f} MB")
        print(f"{peer:<42}" + "".join(f"{cell:>18}" for cell in cells))


def judge_routes(files, found, median):
    print()
    good = True
    for peer in found:
        refused = sum(median(peer, file, "rejected") for file in files)
        if refused:
            print(f"[…]: {peer} refuses {refused:,.0f} of these files' patterns")
        # A single wrong answer makes the comparison worthless.
        wrong = sum(median(peer, file, "wrong") for file in files)
        if wrong:
            print(f"{wrong:,.0f} answers of {peer} are WRONG")
            good = False
    if good:
        print("answers: every subject's are right for every URL of every file (limit: 0 wrong)")
    largest = [file for file in files if file[1] == ROUTE_COUNTS[-1]]
    build_time = max(median(OURS, file, "build_ms") for file in largest)
    own = max(median(OURS, file, "table_kb") for file in largest) / 1000
    print(f"100,000 patterns built in {build_time:,.0f} ms at most (limit: 1,000), "
          f"{own:,.1f} MB by the table's own count")
    good = good and build_time < 1_000
    times = [median(PARAMETERS, file, "ns_match") / median(OURS, file, "ns_match") for file in files]
    print(f"a URL to its parameters: {min(times):.1f}× to {max(times):.1f}× its route and captures "
          f"(aim: 3×)")
    for other in (peer for peer in found if "hummingbird" in peer):
        for ours in (peer for peer in found if peer.startswith("moonwire")):
            ahead = [median(other, file, "ns_match") / median(ours, file, "ns_match") for file in files]
            limit = " (limit: 5×)" if ours == OURS else ""
            print(f"ahead of hummingbird by {min(ahead):.1f}× to {max(ahead):.0f}×{limit}, {ours[10:]}")
            good = good and (ours != OURS or min(ahead) >= 5)
    return good
