package import Foundation

/// The `moonwire` program that was built with the tests.
package struct Program {
  /// The result of a run.
  package struct Result {
    package let output: String
    package let errors: String
    package let code: Int32

    package var lines: [String] { output.split(separator: "\n").map(String.init) }
  }

  package static let executable = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "moonwire")

  /// Runs it with arguments and input, in an environment that has nothing of this machine.
  package static func run(
    _ arguments: [String], input: String = "", environment: [String: String] = [:],
    directory: String = "/"
  ) throws -> Result {
    try run(
      executable.path, arguments, input: input, environment: environment, directory: directory)
  }

  /// Returns whether a program is installed.
  package static func has(_ name: String) -> Bool { InstalledProgram.path(name) != nil }

  /// What comes before a command on a line of bash so that modes of files count for it: root becomes
  /// nobody.
  package static let asNobody =
    getuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : ""

  /// Whether ``asNobody`` works.
  package static var hasNobody: Bool { getuid() != 0 || has("setpriv") }

  /// Runs a line of bash; `$MOONWIRE` is the program.
  package static func shell(_ line: String) throws -> Result {
    try run("/bin/bash", ["-c", line], input: "", environment: [:])
  }

  private static func run(
    _ program: String, _ arguments: [String], input: String, environment: [String: String],
    directory: String = "/"
  ) throws -> Result {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let all = [
      "PATH": path, "MOONWIRE": executable.path, "MOONWIRE_HISTORY": "", "LANG": "C.UTF-8",
    ].merging(environment) { _, own in own }
    let run = try ProgramRun(
      program, arguments, input: Array(input.utf8), environment: all, directory: directory)
    return Result(output: run.output, errors: run.errors, code: run.code)
  }
}

extension ScriptFolder {
  /// A module with a list of titles.
  package static let todo = """
    return require("moonwire").module {
      state = { titles = {} },
      actions = { add = { "Adds a title", title = "string" } },
      reducers = {
        add = function(state, payload) state.titles[#state.titles + 1] = payload.title end,
      },
    }
    """

  /// A module that counts.
  package static let counter = """
    local moon = require "moonwire"
    return moon.module {
      state = { count = 0 },
      actions = { add = { "Adds", by = "integer?" }, reset = {} },
      reducers = {
        add = function(state, payload) state.count = state.count + (payload.by or 1) end,
        reset = function(state) state.count = 0 end,
      },
    }
    """

  /// Returns the output of `--state` for that module.
  package static func savedCounter(_ count: Int) -> String {
    saved("counter", "{\"count\":\(count)}", shape: "{\"count\":true}")
  }

  /// Returns the output of `--state` for one module with this slice, whose `state` has this shape.
  package static func saved(_ module: String, _ slice: String, shape: String) -> String {
    #"{"$moonwire":{"format":2,"shapes":{"\#(module)":\#(shape)},"versions":{"\#(module)":1}},"#
      + #""\#(module)":\#(slice)}"#
  }
}
