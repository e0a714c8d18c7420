"""Dispatches through a host's socket, subscribers, and commands for a running host."""
import os
import statistics
import subprocess
import sys
import tempfile
import time

from benchmarks.common import BENCH, RELEASE, ROOT, lines, run

# The aims: the time that a dispatch takes longer through the socket; the price of subscribers to
# what it changes; and the time of a command for a running host, from its start to its end.
ATTACHED_US_MAX, SUBSCRIBERS_PRICE_MAX, COMMAND_MS_MAX = 60, 2, 15
DISPATCH_COUNT, SUBSCRIBER_COUNT, COMMAND_COUNT = 20_000, 1_000, 50
MOONWIRE = os.path.join(ROOT, ".build", "release", "moonwire")


def microseconds(*words):
    """The time of one dispatch."""
    row = lines(run([BENCH, "protocol", *map(str, words), str(DISPATCH_COUNT)]).stdout)[0]
    return row["wall_s"] / row["n"] * 1e6


def command_milliseconds():
    """The time of each of some commands for a running host."""
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, XDG_RUNTIME_DIR=folder, XDG_DATA_HOME=folder)
        app = os.path.join(ROOT, "examples", "counter")
        with subprocess.Popen([MOONWIRE, "serve", app, "--no-watch"], env=environment,
                              stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              text=True) as host:
            while "serving" not in (line := host.stderr.readline()):
                if not line:
                    sys.exit("the host has ended")
            found = []
            for _ in range(COMMAND_COUNT):
                start = time.perf_counter()
                subprocess.run([MOONWIRE, "state", "--at", app, "counter"], env=environment,
                               check=True, capture_output=True)
                found.append((time.perf_counter() - start) * 1e3)
            host.terminate()
            host.stderr.close()
        return found


def protocol(rounds):
    subprocess.run([RELEASE, "--product", "moonwire"], check=True, stdout=sys.stderr, cwd=ROOT)
    longer, price, commands = [], [], []
    for number in range(rounds):
        print(f"round {number + 1} of {rounds}", file=sys.stderr)
        inside = microseconds("inside")
        longer.append(microseconds("attached") - inside)
        price.append(microseconds("beside", SUBSCRIBER_COUNT) / microseconds("beside", 0))
        commands += command_milliseconds()
    rows = [
        ("an attached dispatch, beyond one in the process", statistics.median(longer), "µs",
         ATTACHED_US_MAX),
        (f"a dispatch beside {SUBSCRIBER_COUNT:,} subscriptions, beside none",
         statistics.median(price), "×", SUBSCRIBERS_PRICE_MAX),
        ("moonwire state on a running host", statistics.median(commands), "ms", COMMAND_MS_MAX),
    ]
    for what, value, unit, most in rows:
        missed = "" if value <= most else "   MISSED"
        print(f"{what:<60}{value:>8.1f} {unit:<3} at most {most} {unit}{missed}")
    return all(value <= most for _, value, _, most in rows)
