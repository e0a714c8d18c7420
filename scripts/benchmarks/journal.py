"""Journals beside SQLite alone."""
import statistics
import sys

from benchmarks.common import BENCH, lines, run


def journal(rounds):
    """Runs each kind of work beside its counterpart, and takes the median of the ratios."""
    def seconds(work, level, n, *more):
        row = lines(run([BENCH, "journal", work, level, str(n), *map(str, more)]).stdout)[0]
        return row["wall_s"] / n, row["row_bytes"]

    samples = {}

    def sample(name, value, base):
        samples.setdefault(name, []).append((value, value / base))

    for number in range(rounds):
        print(f"round {number + 1} of {rounds}", file=sys.stderr)
        unkept, _ = seconds("alone", "none", 100_000)
        alone, size = seconds("alone", "process", 20_000)
        bare, _ = seconds("insert", "process", 20_000, size)
        sample("alone", alone, bare)
        waiting, _ = seconds("shared", "none", 20_000)
        shared, _ = seconds("shared", "process", 20_000)
        sample("shared", shared, waiting)
        power, size = seconds("shared", "power", 20_000)
        grouped, _ = seconds("group", "power", 20_000, size)
        sample("power", power, grouped + waiting)
        sample("power, alone", power, grouped)
        replayed, _ = seconds("replay", "process", 20_000)
        # A replay reads and compares what the session wrote, so it should keep up with the session.
        sample("replay", shared, replayed)
        sample("replay, unkept", unkept, replayed)
    resumed, _ = seconds("resume", "process", 1_000_000)
    kept = lines(run([BENCH, "states", "10000"]).stdout)[0]["bytes"] / 1e6

    def median(name):
        return [statistics.median(column) for column in zip(*samples[name])]

    good = True

    def show(what, text, is_good):
        nonlocal good
        good = good and is_good
        print(f"{what:<72}{text}{'' if is_good else '   MISSED'}")

    time, ratio = median("alone")
    show("a lone dispatch, beside SQLite's insert",
         f"{time * 1e6:.1f} µs, {ratio:.2f}× (limit: 15 µs or 1.5×)", time <= 15e-6 or ratio <= 1.5)
    time, ratio = median("shared")
    show("100 waiting dispatchers, beside no journal",
         f"{time * 1e6:.1f} µs, {ratio:.2f}× (limit: 2×)", ratio <= 2)
    # A disk may sync faster than 100 dispatches, so the dispatches are on both sides.
    time, ratio = median("power")
    show("the same with a sync, beside SQLite's groups of 100 and the dispatches",
         f"{time * 1e6:.1f} µs, {ratio:.2f}× (limit: 1.2×)", ratio <= 1.2)
    _, ratio = median("power, alone")
    show("the same, beside SQLite's groups of 100", f"{ratio:.2f}×", True)
    _, ratio = median("replay")
    show("the speed of a replay, beside the 100 dispatchers", f"{ratio:.2f}× (limit: 0.8×)",
         ratio >= 0.8)
    _, ratio = median("replay, unkept")
    show("the same, beside dispatches without a journal", f"{ratio:.2f}×", True)
    show("resuming after 1,000,000 actions", f"{resumed * 1e6:.2f} s (limit: 1 s)", resumed * 1e6 < 1)
    show("10,000 kept states of workload C", f"{kept:.1f} MB (limit: 30 MB)", kept < 30)
    return good
