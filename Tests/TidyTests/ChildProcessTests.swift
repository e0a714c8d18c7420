import Foundation
import MoonTestSupport
import Testing

/// What tests start ends with them.
struct ChildProcessTests {
  @Test func `input, results, errors and the code are those of the program`() throws {
    let result = try ChildProcess.run(
      ["/bin/sh", "-c", "cat; echo $WORD >&2; exit 7"], input: "typed",
      environment: ["WORD": "wrong"])
    #expect(result.output == "typed")
    #expect(result.errors == "wrong\n")
    #expect(result.code == 7)
    #expect(try ChildProcess.run(["/bin/sh", "-c", "kill -TERM $$"]).code == 143)
  }

  @Test func `together results and errors keep their order`() throws {
    let result = try ChildProcess.run(
      ["/bin/sh", "-c", "echo 1; echo 2 >&2; echo 3"], reading: .together)
    #expect(result.output == "1\n2\n3\n")
  }

  @Test func `more than a pipe holds goes in and out, and nobody needs to read it`() throws {
    let text = String(repeating: "0123456789abcdef", count: 20_000)
    #expect(try ChildProcess.run(["cat"], input: text).output == text)
    #expect(try ChildProcess.run(["true"], input: text).code == 0)
  }

  @Test func `a program hears signals, whatever thread has started it`() throws {
    let masks = try ChildProcess.run(["grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status"])
    for line in masks.output.split(separator: "\n") {
      // Signals up to 31: those above are the C library's own.
      #expect(line.hasSuffix("00000000") || line.hasSuffix("80000000"), "\(line)")
    }
  }

  @Test func `a program inherits three descriptors`() throws {
    let descriptors = try ChildProcess.run(["/bin/sh", "-c", "ls /proc/$$/fd"])
    #expect(descriptors.output == "0\n1\n2\n")
  }

  @Test func `a program that can't be started is an error`() {
    #expect(throws: POSIXError.self) { try ChildProcess.run(["/nowhere/program"]) }
  }

  @Test func `what a program leaves running ends with the run`() throws {
    let left = try ChildProcess.run(
      ["/bin/sh", "-c", "sleep 1000 >/dev/null 2>&1 </dev/null & echo $!"])
    let id = try #require(Int32(left.output.trimmingCharacters(in: .newlines)))
    #expect(!ProcessTree(of: id).isRunning)
  }

  @Test func `a tree ends with its object, sessions and groups of its own included`() throws {
    let folder = try TemporaryFolder()
    let file = folder.path + "/ids"
    // A daemon, its child, and a grandchild in another session.
    _ = try ChildProcess.run([
      "setsid", "-f", "/bin/sh", "-c",
      """
      exec >/dev/null 2>&1
      mkfifo \(file).ready
      setsid sh -c 'echo $$ >>\(file); echo >\(file).ready; exec sleep 1000' &
      read -r line <\(file).ready
      echo $$ >\(file).daemon; wait
      """,
    ])
    var daemon: Int32?
    while daemon == nil {
      let text = try? String(contentsOfFile: file + ".daemon", encoding: .utf8)
      daemon = text.flatMap { Int32($0.trimmingCharacters(in: .newlines)) }
    }
    let child = try #require(
      Int32(String(contentsOfFile: file, encoding: .utf8).trimmingCharacters(in: .newlines)))
    let inner = ProcessTree(of: child)
    #expect(inner.isRunning)
    do {
      let outer = ProcessTree(of: try #require(daemon))
      #expect(outer.isRunning)
    }
    #expect(!inner.isRunning)
  }
}
