import Foundation
import Glibc
import MoonTestSupport
import Testing

/// A host without a prompt.
@Suite(.ownThread) struct ServeTests {
  /// Runs lines of bash in a folder with a counter in `app`; `serve` starts a host, whose log is
  /// `log`, and waits until it serves.
  private func shell(_ lines: String, _ files: [String: String] = [:]) throws -> Program.Result {
    let folder = try ScriptFolder(
      files.isEmpty ? ["counter.lua": ScriptFolder.counter] : files)
    return try Program.shell(
      """
      cd \(folder.outside)
      export XDG_RUNTIME_DIR=$PWD
      shopt -s expand_aliases
      serve() {
        rm -f log out
        "$MOONWIRE" serve app --data data --socket s "$@" < /dev/null > out 2> log &
        host=$!
        until grep -qs serving log out || ! kill -0 $host 2> /dev/null; do sleep 0.02; done
      }
      finish() { kill -${1:-TERM} $host; wait $host; }
      \(lines)
      """)
  }

  @Test func `a host reloads on SIGHUP and ends on SIGTERM`() throws {
    let run = try shell(
      """
      serve
      kill -HUP $host
      until grep -q 'counter 1→2' log; do sleep 0.02; done
      finish; echo $?
      [ -e s ] || echo gone
      cat log
      """)
    #expect(run.lines.prefix(2) == ["143", "gone"], "\(run)")
    let log = run.lines.dropFirst(2)
    #expect(log.allSatisfy { $0.contains(#/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ  /#) }, "\(log)")
  }

  @Test func `effects' changes, the log and faults are in the output, as text and as records`()
    throws
  {
    let files = [
      "clock.lua": """
      local moon = require "moonwire"
      return moon.module {
        state = { ticks = 0 },
        reducers = { tick = function(state) state.ticks = state.ticks + 1 end },
        on_start = function() moon.log.info "begun" end,
        schedules = { tick = { every = 0.05 } },
      }
      """
    ]
    let text = try shell(
      """
      serve --no-watch
      until grep -q 'clock.ticks  1 → 2' log; do sleep 0.02; done
      finish; grep -o 'clock  info  begun' log
      """, files)
    #expect(text.lines == ["clock  info  begun"], "\(text)")
    let json = try shell(
      """
      serve --json
      until grep -q '"after":2,"before":1' out; do sleep 0.02; done
      finish; cat out; cat log
      """, files)
    let lines = json.lines.filter { !$0.isEmpty }
    #expect(lines.allSatisfy { $0.hasPrefix("{") && $0.contains("\"time\":\"") }, "\(lines)")
    #expect(lines.contains { $0.contains(#""kind":"log_line","level":"info""#) }, "\(lines)")
  }

  @Test func `a kept journal is begun, and gone on with after kill -9, by one host at a time`()
    throws
  {
    let run = try shell(
      """
      call() { python3 -c 'import socket,sys
      s = socket.socket(socket.AF_UNIX); s.connect("s"); s.sendall(sys.argv[1].encode() + b"\\n")
      print(s.makefile().readline().strip())' "$1"; }
      add='{"jsonrpc":"2.0","id":1,"method":"action/dispatch","params":{"type":"counter/add"}}'
      serve --keep j
      call "$add" > /dev/null; call "$add" > /dev/null
      "$MOONWIRE" serve app --data data --socket t --keep j < /dev/null 2>&1 | head -1 | grep -c 'another'
      finish KILL 2> /dev/null
      serve --keep j
      call '{"jsonrpc":"2.0","id":1,"method":"state/get","params":{"path":"counter.count"}}'
      finish
      """)
    #expect(
      run.lines == ["1", #"{"id":1,"jsonrpc":"2.0","result":{"commit":2,"value":2}}"#], "\(run)")
  }

  @Test(arguments: ["n", "@moonwire-test-\(getpid())"])
  func `a service manager is told what the host does`(name: String) throws {
    let run = try shell(
      """
      python3 -c 'import socket, sys, os
      name = "\(name)"
      s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
      s.bind("\\0" + name[1:] if name[0] == "@" else name)
      open("bound", "w").close()
      seen = set()
      while "STOPPING=1" not in seen:
        for line in s.recv(4096).decode().split("\\n"):
          word = line.split("=")[0] + "=1" if line.startswith("MONOTONIC") else line
          if word not in seen: print(word.split(" at ")[0], flush=True)
          seen.add(word)' > told &
      manager=$!
      until [ -e bound ]; do sleep 0.02; done
      export NOTIFY_SOCKET=\(name.hasPrefix("@") ? name : "$PWD/\(name)") WATCHDOG_USEC=100000
      serve
      until grep -q WATCHDOG told; do sleep 0.02; done
      kill -HUP $host
      until grep -q reloaded told; do sleep 0.02; done
      finish
      wait $manager
      cat told
      """)
    #expect(
      run.lines == [
        "READY=1", "STATUS=serving", "WATCHDOG=1", "RELOADING=1", "MONOTONIC_USEC=1",
        "STATUS=reloaded", "STOPPING=1",
      ], "\(run)")
  }

  @Test func `the protocol is spoken on standard input and output`() throws {
    let folder = try ScriptFolder(["counter.lua": ScriptFolder.counter])
    let line = #"{"jsonrpc":"2.0","id":1,"method":"prompt/run","params":{"line":"counter/add"}}"#
    let run = try Program.run(["serve", folder.root, "--stdio"], input: "\(line)\nnonsense\n")
    #expect(run.code == 0 && run.lines.count == 2, "\(run)")
    #expect(run.lines.first?.contains("counter.count  0 → 1") ?? false)
    #expect(run.lines.last?.contains("-32700") ?? false)
  }

  @Test func `what can't be served says why`() throws {
    let run = try shell(
      """
      serve
      "$MOONWIRE" serve app --socket s < /dev/null 2>&1 | grep -c 'already serves at s'
      finish
      echo text > file
      "$MOONWIRE" serve app --socket file < /dev/null 2> /dev/null; echo $?
      "$MOONWIRE" serve none < /dev/null 2> /dev/null; echo $?
      mkdir -p -m 755 moonwire
      "$MOONWIRE" serve app < /dev/null 2>&1 | grep -c 'only you can enter'
      """)
    #expect(run.lines == ["1", "73", "66", "1"], "\(run)")
  }

  @Test func `standard input is left alone, whatever it is`() throws {
    let run = try shell(
      """
      echo nonsense > file; mkfifo pipe
      for input in '<&-' '< file' '< pipe'; do
        rm -f log
        eval '"$MOONWIRE" serve app --data data --socket s 2> log '"$input"' & host=$!'
        [ "$input" != '< pipe' ] || : > pipe
        until grep -qs serving log; do sleep 0.02; done
        "$MOONWIRE" eval --at s '1 + 1'
        finish; echo $?
      done
      """)
    #expect(run.lines == ["2", "143", "2", "143", "2", "143"], "\(run)")
  }

  @Test func `a run whose input has no lines says what runs without them`() throws {
    let run = try shell(
      """
      run() {
        "$MOONWIRE" run app --data data "$@" 2> errors
        echo "$? $(grep -c "moonwire serve" errors)"
      }
      mkfifo lines
      run < /dev/null; run <&-; : > lines & run < lines
      # A writer that goes in the middle of a line has ended it.
      printf 'counter/add\\ncounter/ad' > lines & run < lines
      echo counter/add | run; run --state - < /dev/null
      """)
    #expect(
      run.lines == [
        "0 1", "66 1", "0 1", "counter.count  0 → 1", "65 0", "counter.count  0 → 1", "0 0",
        ScriptFolder.savedCounter(0), "0 0",
      ], "\(run)")
  }
}
