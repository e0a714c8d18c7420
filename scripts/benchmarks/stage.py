"""The stage at a terminal: how long a key takes to be seen, how much is written for it, and what it
does while nothing happens."""
import fcntl
import os
import pty
import select
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time

from benchmarks.common import ROOT, run

ROWS = 10_000
COLUMNS, LINES = 100, 40
KEYS, ACTIONS_PER_SECOND = 300, 1_000
# Of the waits that end, libdispatch has one each second, by which it counts its threads.
KEY_MS_MAX, LINE_BYTES_MAX, WAKES_MAX = 8, 2_048, 1.2
QUIET_SECONDS, IDLE_SECONDS = 0.05, 5

MODULE = """
local moon = require "moonwire"
local ui = moon.ui
return moon.module {
  state = { ticks = 0, shown = 0 },
  actions = { tick = {}, change = {} },
  reducers = {
    tick = function(state) state.ticks = state.ticks + 1 end,
    change = function(state) state.shown = state.shown + 1 end,
  },
  routes = { ["/"] = { kind = "rows", screen = function() return { title = "Rows" } end } },
  on_start = function(self)
    self.route "/"
    for i = 1, %d do self.every(%g, "rows/tick") end
  end,
  keys = { c = "change" },
  views = {
    rows = function(_, state, self)
      return {
        "Changed " .. state.shown .. " times",
        ui.list(%d, function(i)
          return ui.container { "Row " .. i, select = ui.button("Row " .. i, "change") }
        end, { id = "rows", rows = self.visible_rows }),
      }
    end,
  },
}
"""


class Stage:
    """A stage in a terminal of its own."""

    def __init__(self, program, folder):
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            os.environ.update(TERM="xterm-256color", XDG_STATE_HOME=folder)
            os.execv(program, [program, "stage", folder])
        size = struct.pack("HHHH", LINES, COLUMNS, 0, 0)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, size)

    def read(self, seconds):
        """What is written until nothing is for some time, and when the first of it came."""
        written, first = b"", None
        while select.select([self.terminal], [], [], seconds)[0]:
            try:
                written += os.read(self.terminal, 1 << 16)
            except OSError:
                break
            first = first or time.perf_counter()
            seconds = QUIET_SECONDS
        return written, first

    def wait(self, text, seconds=60):
        end, seen = time.monotonic() + seconds, b""
        while text not in seen:
            if time.monotonic() > end:
                sys.exit(f"stage: {text!r} isn't shown: {seen[-500:]!r}")
            seen += self.read(1)[0]

    def press(self, key):
        """The milliseconds until a key is seen, and the bytes that are written for it."""
        start = time.perf_counter()
        os.write(self.terminal, key)
        written, first = self.read(5)
        if first is None:
            sys.exit("stage: a key changes nothing")
        return 1_000 * (first - start), len(written)

    def waits(self):
        """How often each of its threads has waited."""
        tasks = f"/proc/{self.child}/task"
        return {task: int(line.split()[1]) for task in os.listdir(tasks)
                for line in open(f"{tasks}/{task}/status")
                if line.startswith("voluntary_ctxt_switches")}

    def end(self):
        os.kill(self.child, signal.SIGKILL)
        os.waitpid(self.child, 0)
        os.close(self.terminal)


def measured(program, timers):
    """What keys take while this many timers dispatch an action each tenth of a second."""
    with tempfile.TemporaryDirectory() as folder:
        # The folder above the scripts is watched, too, and others use that of temporary files.
        scripts = os.path.join(folder, "above", "scripts")
        os.makedirs(scripts)
        with open(os.path.join(scripts, "rows.lua"), "w") as file:
            file.write(MODULE % (timers, 0.1, ROWS))
        stage = Stage(program, scripts)
        try:
            stage.wait(b"Row 30")
            moves = [stage.press(b"j" if place % 20 < 10 else b"k") for place in range(KEYS)]
            changes = [] if timers else [stage.press(b"c") for _ in range(20)]
            time.sleep(1)
            stage.read(QUIET_SECONDS)
            before = stage.waits()
            time.sleep(IDLE_SECONDS)
            wakes = sum(count - before.get(task, 0) for task, count in stage.waits().items())
            return moves, changes, wakes / IDLE_SECONDS
        finally:
            stage.end()


def stage(debug):
    subprocess.run(["swift", "build", "--product", "moonwire"] if debug
                   else [os.path.join(ROOT, "scripts", "release"), "--product", "moonwire"],
                   check=True, stdout=sys.stderr, cwd=ROOT)
    program = (os.path.join(ROOT, ".build", "debug", "moonwire") if debug
               else os.path.join(ROOT, ".build", "bin", "moonwire"))
    run([program, "--version"])
    good = True

    def say(what, value, limit, unit):
        nonlocal good
        good = good and value <= limit
        print(f"{what:<58}{value:>9,.1f} {unit} (at most {limit}){'' if value <= limit else '   MISSED'}")

    for timers in (0, ACTIONS_PER_SECOND // 10):
        moves, changes, wakes = measured(program, timers)
        times = sorted(time for time, _ in moves)
        beside = f", beside {timers * 10:,} actions a second" if timers else ""
        say(f"a key that moves the focus{beside}, the 99th percentile",
            times[len(times) * 99 // 100], KEY_MS_MAX, "ms")
        if timers:
            continue
        say("bytes written for a moved focus", statistics.median(size for _, size in moves),
            LINE_BYTES_MAX, "B")
        say("bytes written for a changed line", statistics.median(size for _, size in changes),
            LINE_BYTES_MAX, "B")
        print(f"{'an action that draws ' + format(ROWS, ',') + ' rows anew, the median':<58}"
              f"{statistics.median(time for time, _ in changes):>9,.1f} ms")
        say("waits that end while nothing happens, each second", wakes, WAKES_MAX, "")
    return good
