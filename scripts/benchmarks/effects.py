"""Effects beside schedulers in plain Lua and Node, and requests beside libcurl alone."""
import os
import re
import statistics
import subprocess
import sys

from benchmarks.common import BENCH, OUT, PEERS, STRIPPED, lines, run, strip

# The aims of effects: an effect that waits once, relative to the scheduler in plain Lua; the bytes
# of one that sleeps, beyond those of a sleeping coroutine; the requests in a second, and the
# instructions of a request, relative to libcurl alone. libcurl takes some 40 % of a request's
# instructions; the task in Lua and the checks of its arguments and the server's data take the rest.
EFFECT_PRICE_MAX, EFFECT_BYTES_MAX, REQUESTS_SHARE_MIN, REQUEST_PRICE_MAX = 3, 2048, 0.3, 4
EFFECT_COUNT, SLEEPER_COUNT, REQUEST_COUNT = 100_000, 10_000, 1_000
CLIENT = os.path.join(OUT, "bench_curl")


def effects(rounds):
    lua = ["lua5.4", os.path.join(PEERS, "lua", "effects.lua")]
    node = ["node", os.path.join(PEERS, "node", "effects.js")]
    samples = {}
    strip()

    def add(name, command, figure):
        row = lines(run([*map(str, command)]).stdout)[0]
        samples.setdefault(name, []).append(figure(row))
        return row

    with subprocess.Popen([*node, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True) as server:
        url = server.stdout.readline().strip()
        for number in range(rounds):
            print(f"round {number + 1} of {rounds}", file=sys.stderr)
            per_effect = lambda row: row["cpu_s"] / row["n"] * 1e9
            add("once", [BENCH, "effects", "once", EFFECT_COUNT], per_effect)
            add("once lua", [*lua, "once", EFFECT_COUNT], per_effect)
            add("once node", [*node, "once", EFFECT_COUNT], per_effect)
            per_sleeper = lambda row: row["bytes"] / row["running"]
            add("sleeping", [BENCH, "effects", "sleeping", SLEEPER_COUNT], per_sleeper)
            add("sleeping lua", [*lua, "sleeping", SLEEPER_COUNT], per_sleeper)
            per_second = lambda row: row["n"] / row["wall_s"]
            # Whichever comes first finds the server cold.
            commands = {"requests": [BENCH, "effects", "requests", REQUEST_COUNT, url],
                        "client": [CLIENT, url, REQUEST_COUNT]}
            for kind in commands if number % 2 else reversed(commands):
                row = add(kind, commands[kind], per_second)
                if row["done"] != REQUEST_COUNT:
                    sys.exit(f"{row['done']} of {REQUEST_COUNT} requests were answered")
        instructions = [instructions_per_request(command, url)
                        for command in ([STRIPPED, "effects", "requests"], [CLIENT])]
        server.stdin.close()
    now = {name: statistics.median(found) for name, found in samples.items()}
    price = now["once"] / now["once lua"]
    extra = now["sleeping"] - now["sleeping lua"]
    share = statistics.median(a / b for a, b in zip(samples["requests"], samples["client"]))
    print(f"\nan effect that waits once      {now['once']:>9,.0f} ns   {price:.2f}× plain Lua "
          f"({now['once lua']:,.0f} ns; limit {EFFECT_PRICE_MAX}×), "
          f"{now['once'] / now['once node']:.2f}× setImmediate on Node ({now['once node']:,.0f} ns)")
    print(f"an effect that sleeps          {now['sleeping']:>9,.0f} bytes, {extra:,.0f} more than a "
          f"coroutine in plain Lua ({now['sleeping lua']:,.0f}; limit {EFFECT_BYTES_MAX:,} more)")
    print(f"requests, 100 at a time        {now['requests']:>9,.0f} a second, {share:.0%} of libcurl "
          f"alone ({now['client']:,.0f}; limit {REQUESTS_SHARE_MIN:.0%})")
    request_price = instructions[0] / instructions[1]
    print(f"a request                      {instructions[0]:>9,.0f} instructions, "
          f"{request_price:.2f}× libcurl alone ({instructions[1]:,.0f}; limit {REQUEST_PRICE_MAX}×)")
    return (price <= EFFECT_PRICE_MAX and extra <= EFFECT_BYTES_MAX
            and share >= REQUESTS_SHARE_MIN and request_price <= REQUEST_PRICE_MAX)


def instructions_per_request(command, url):
    """The cost of one more request; whatever happens once is in both runs.

    The system decides how often a client is woken, so a few requests say little.
    """
    counts, more = [], 8 * REQUEST_COUNT
    for count in (REQUEST_COUNT, REQUEST_COUNT + more):
        arguments = [*command, count, url] if command[0] == STRIPPED else [*command, url, count]
        result = run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
                      *map(str, arguments)])
        counts.append(int(re.search(r"Collected : (\d+)", result.stderr).group(1)))
    return (counts[1] - counts[0]) / more
