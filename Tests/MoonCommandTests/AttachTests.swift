import Foundation
import MoonTestSupport
import Testing

/// A prompt on a running host, and the commands for one.
@Suite(.ownThread) struct AttachTests {
  /// Runs lines of bash beside a host that serves a counter in `app` at the socket `s`; `m` is the
  /// program, which finds the host at once.
  private func shell(_ lines: String) throws -> Program.Result {
    let folder = try ScriptFolder(["counter.lua": ScriptFolder.counter])
    return try Program.shell(
      """
      cd \(folder.outside)
      export XDG_RUNTIME_DIR=$PWD
      rm -f log
      "$MOONWIRE" serve app --data data < /dev/null 2> log &
      host=$!
      until grep -qs serving log; do sleep 0.02; done
      m() { "$MOONWIRE" "$@"; }
      \(lines)
      kill $host
      """)
  }

  @Test func `commands have a running host do what lines do, and fail properly`() throws {
    let run = try shell(
      """
      m dispatch counter/add by=2 && m dispatch --json counter/add '{"by": 3}'
      m state counter.count; m eval 'state("counter").count * 2'
      m state --at app --json counter
      m dispatch counter/ad 2> /dev/null; echo $?
      m eval 'error "no"' 2> /dev/null; echo $?
      m state counter.none 2> errors; echo $?; head -1 errors
      m eval --timeout 100ms 'moon.sleep(900)' 2> /dev/null; echo $?
      m reload > /dev/null 2>&1; echo $?
      m nav --at none 2> /dev/null; echo $?
      m tap > /dev/null 2>&1; echo $?
      """)
    #expect(
      run.lines == [
        "counter.count  0 → 2",
        #"{"changes":[{"after":5,"before":2,"path":"counter.count"}],"following":0,"id":2,"#
          + #""kind":"dispatch","type":"counter/add","v":1}"#,
        "5", "10", #"{"kind":"state","path":"counter","v":1,"value":{"count":5}}"#, "65", "65",
        "65", "error: there is nothing at counter.none", "75", "0", "66", "64",
      ], "\(run)")
  }

  @Test func `without a host, commands say what to start, and with several, which to name`() throws
  {
    let run = try shell(
      """
      mkdir other; "$MOONWIRE" serve other --data data < /dev/null 2> log2 & other=$!
      until grep -q serving log2; do sleep 0.02; done
      m state 2> errors; echo $?; head -1 errors
      m ps | wc -l; m ps --json | grep -c '"directory":.*/app"'
      kill $other; wait $other; m state counter
      kill $host; wait $host
      m state 2> errors; echo $?; head -1 errors; m ps | wc -l
      m attach app < /dev/null 2> /dev/null; echo $?
      """)
    #expect(
      run.lines == [
        "64", "error: 2 hosts are running", "2", "1", "{count = 0}", "69",
        "error: no host is running", "0", "69",
      ], "\(run)")
  }

  @Test func `a host that is stopped is listed with the others, and gives no picture`() throws {
    let run = try shell(
      """
      mkdir other; "$MOONWIRE" serve other --data data < /dev/null 2> log2 & other=$!
      until grep -q serving log2; do sleep 0.02; done
      kill -STOP $host
      m stage app --once 2> errors & picture=$!
      m ps > list; grep -c "^$host  (doesn't answer)  /.*sock$" list; grep -c '/other  /' list
      wait $picture; echo $?; head -1 errors
      kill -CONT $host
      m ps --json | grep -c '"answers":true'
      kill $other; wait $other
      """)
    #expect(run.lines == ["1", "1", "69", "error: the host doesn't answer", "2"], "\(run)")
  }

  @Test func `a directory that no host serves gets one for the line`() throws {
    let needy = #"return { needs = { "storage" }, state = { n = 3 } }"#
    let folder = try ScriptFolder([
      "counter.lua": ScriptFolder.counter, "../other/needy.lua": needy,
    ])
    let run = try Program.shell(
      """
      cd \(folder.outside)
      export XDG_RUNTIME_DIR=$PWD XDG_DATA_HOME=$PWD
      m() { "$MOONWIRE" "$@" 2> errors; code=$?; [ $code = 0 ] || echo $code; }
      m state --at app; m dispatch --at app counter/add by=2; m eval --at app --json '1 + 1'
      m dispatch --at app counter/ad; grep -c 'did you mean counter/add' errors
      m state --at app --watch; grep -c 'serve DIR starts one' errors
      m eval --at app --timeout 100ms 'moon.sleep(900)'
      m state --at other needy.n; m state --at other --allow storage needy.n
      """)
    #expect(
      run.lines == [
        "{counter = {count = 0}}", "counter.count  0 → 2",
        #"{"changes":[],"kind":"evaluate","v":1,"values":[{"value":2}]}"#, "65", "1", "69", "1",
        "75", "65", "3",
      ], "\(run)")
  }

  @Test func `Ctrl-C ends the line of a command, and the command`() throws {
    let run = try shell(
      """
      interrupt() { env --default-signal=INT "$MOONWIRE" eval "$@" 2> errors & line=$!; }
      interrupt 'moon.log.info "begun"; moon.sleep(900)'
      until grep -q begun log; do sleep 0.02; done
      kill -INT $line; wait $line; echo $?
      while m tasks | grep -q 900; do sleep 0.02; done
      m state --allow storage > /dev/null 2>&1; echo $?
      kill $host; wait $host
      interrupt --at app 'moon.log.info "begun"; moon.sleep(900)'
      until grep -q begun errors; do sleep 0.02; done
      kill -INT $line; wait $line; echo $?
      """)
    #expect(run.lines == ["130", "64", "130"], "\(run)")
  }

  @Test func `piped lines are a script on the host, which stops at the first error`() throws {
    let run = try shell(
      """
      printf 'counter/add\\n= {\\n  a = 1\\n}\\n:state counter.count\\n' | m attach app; echo $?
      printf 'counter/no\\ncounter/add\\n' | m attach app 2> /dev/null; echo $?
      m state counter.count
      """)
    #expect(
      run.lines == ["counter.count  0 → 1", "{a = 1}", "1", "0", "65", "1"], "\(run)")
  }

  @Test func `a watched part of the state, and the log, are shown until the host ends`() throws {
    let run = try shell(
      """
      m state --watch counter.count > seen & seen=$!
      until [ -s seen ]; do sleep 0.02; done
      m log -f > lines & lines=$!
      m dispatch counter/add > /dev/null
      until [ "$(wc -l < seen)" = 2 ]; do sleep 0.02; done
      until grep -q hello lines; do m eval 'moon.log.info "hello"'; done
      kill $host; wait $seen; echo $?; wait $lines; echo $?
      cat seen; grep -m 1 hello lines
      """)
    #expect(run.lines.suffix(5) == ["69", "69", "0", "1", "prompt  info  hello"], "\(run)")
  }

  @Test(.enabled(if: TerminalScreen.isAvailable, "tmux isn't installed: apt-get install tmux"))
  func `a terminal has the prompt of the host, also after reloads and a new start`() throws {
    let folder = try ScriptFolder(["counter.lua": ScriptFolder.counter])
    func host() throws -> TerminalScreen {
      try TerminalScreen(
        running: [
          Program.executable.path, "serve", folder.root, "--socket", folder.path("../s"), "--keep",
          folder.path("../j"), "--data", folder.path("../data"),
        ], environment: ["NO_COLOR": "1"])
    }
    let served = try host()
    try served.wait(for: "the host") { $0.contains("serving") }
    let screen = try TerminalScreen(
      running: [Program.executable.path, "attach", folder.path("../s")],
      environment: ["MOONWIRE_HISTORY": "", "NO_COLOR": "1", "EDITRC": "/dev/null"])
    try screen.wait(forEnd: "app>")
    let second = try TerminalScreen(
      running: [Program.executable.path, "attach", folder.path("../s")],
      environment: ["MOONWIRE_HISTORY": "", "NO_COLOR": "1", "EDITRC": "/dev/null"])
    try second.wait(forEnd: "app>")
    try screen.type("coun")
    try screen.press("Tab")
    try screen.type("a")
    try screen.press("Tab")
    try screen.wait(forEnd: "app> counter/add")
    try screen.press("Enter")
    try screen.wait(forEnd: "counter.count  0 → 1\napp>")
    // A reload while a line is typed.
    try screen.type("counter/ad")
    try folder.save("counter.lua", ScriptFolder.counter.replacing("or 1", with: "or 10"))
    try screen.wait(for: "the reload") { text in
      text.contains("counter 1→2: state kept, ") && text.hasSuffix("app> counter/ad")
    }
    try second.wait(for: "the reload, here too") { $0.contains("counter 1→2: state kept, ") }
    try second.press("C-d")
    try second.wait(for: "the end of the second prompt") { $0.hasSuffix("code 0") }
    try screen.enter("d")
    try screen.wait(forEnd: "counter.count  1 → 11\napp>")
    // Lua that waits ends with Ctrl-C, and the host doesn't.
    try screen.enter("= moon.sleep(900)")
    _ = try Program.shell(
      "until \"$MOONWIRE\" tasks --at \(folder.path("../s")) | grep -q 900; do sleep 0.02; done")
    try screen.press("C-c")
    try screen.wait(for: "the line to end") { text in
      text.contains("note: what was typed was stopped") && text.hasSuffix("\napp>")
        && text.contains("was to wait for 900.0 s")
    }
    try served.press("C-c")
    try screen.wait(for: "the end of the host") { $0.contains("the host has ended") }
    let again = try host()
    try screen.wait(for: "the next host") { $0.contains("the host is back") }
    try screen.enter("counter/add")
    try screen.wait(forEnd: "counter.count  11 → 21\napp>")
    try screen.press("C-d")
    try screen.wait(for: "the end of the prompt") { $0.hasSuffix("code 0") }
    try again.wait(for: "the host to go on") { !$0.contains("code ") }
  }
}
