import Foundation
import MoonTestSupport
import Testing

/// What modules keep, through runs of the command.
@Suite(.ownThread, .timeLimit(.minutes(3))) struct StorageCommandTests {
  private static let notes = """
    local moon = require "moonwire"
    return moon.module {
      needs = { "storage" },
      state = {},
      actions = { set = { key = "string", value = "any" }, get = { key = "string" }, fill = {} },
      effects = {
        set = function(payload)
          local done, problem = pcall(moon.storage.set, payload.key, payload.value)
          print(done and "stored" or problem.code)
        end,
        get = function(payload) print(moon.storage.get(payload.key)) end,
        fill = function()
          local done, problem
          for i = 1, 60 do
            done, problem = pcall(moon.storage.set, "key" .. i, ("x"):rep(100000))
            if not done then break end
          end
          print(done and "full" or problem.code)
          print(#moon.storage.keys() > 0)
        end,
      },
    }
    """

  private let folder: ScriptFolder
  /// The data directory, in a directory that doesn't exist yet.
  private var data: String { folder.path("../kept/data") }

  init() throws {
    folder = try ScriptFolder(["notes.lua": Self.notes])
  }

  private func run(
    _ lines: String, options: [String] = [], environment: [String: String] = [:]
  ) throws -> Program.Result {
    try Program.run(
      ["run", "--allow", "storage"] + options + [folder.root], input: lines,
      environment: environment)
  }

  @Test func `a run finds what an earlier one has kept`() throws {
    let first = try run(#"notes/set key="a" value=[1.0,{}]"#, options: ["--data", data])
    #expect(first.code == 0, "\(first.errors)")
    let second = try run(#"notes/get key="a""#, options: ["--data", data])
    #expect((second.output + second.errors).contains("[1.0, {}]"), "\(second)")
  }

  @Test func `the data directory is below XDG_DATA_HOME or the home by default`() throws {
    for (variable, place) in [("XDG_DATA_HOME", "moonwire"), ("HOME", ".local/share/moonwire")] {
      let home = folder.path("../\(variable)")
      let result = try run(#"notes/set key="a" value=1"#, environment: [variable: home])
      #expect(result.code == 0, "\(result.errors)")
      let names = try FileManager.default.contentsOfDirectory(atPath: "\(home)/\(place)")
      #expect(names.count == 1 && names[0].hasPrefix("app-"), "\(names)")
      #expect(
        FileManager.default.fileExists(atPath: "\(home)/\(place)/\(names[0])/storage.sqlite"))
    }
  }

  @Test func `what was stored survives a kill in the middle of a run`() throws {
    let script = """
      mkfifo in out; $MOONWIRE run --allow storage --data data app <in >out 2>&1 & id=$!
      exec 3>in 4<out
      echo 'notes/set key="a" value="kept"' >&3
      while read -r line <&4; do case $line in *stored*) break; esac; done
      kill -9 $id; wait $id; echo "ended with $?"
      exec 3>&- 4<&-
      echo 'notes/get key="a"' | $MOONWIRE run --allow storage --data data app 2>&1
      """
    let result = try Program.shell("cd '\(folder.outside)' && \(script)")
    #expect(result.output.contains("ended with 137"), "\(result)")
    #expect(result.output.contains("kept"), "\(result)")
  }

  @Test func `two runs at the same time share the file`() throws {
    let script = """
      for n in 1 2; do
        for i in 1 2 3 4 5 6 7 8; do echo "notes/set key=\\"$n/$i\\" value=$i"; done \
          | $MOONWIRE run --allow storage --data data app >out$n 2>&1 & ids="$ids $!"
      done
      for id in $ids; do wait $id || echo "failed"; done
      cat out1 out2 | grep -c stored
      """
    let result = try Program.shell("cd '\(folder.outside)' && \(script)")
    #expect(result.output == "16\n", "\(result)")
  }

  @Test func `a disk that is full is an error, and what was stored is still there`() throws {
    // Files may have a megabyte. The command ignores the signal that comes with it.
    let script = """
      ( ulimit -f 1024; echo notes/fill | $MOONWIRE run --allow storage --data data app 2>&1 )
      echo 'notes/get key="key1"' | $MOONWIRE run --allow storage --data data app 2>&1
      """
    let result = try Program.shell("cd '\(folder.outside)' && \(script)")
    #expect(
      result.output.contains("io_error") || result.output.contains("disk_full"), "\(result)")
    #expect(result.output.contains("true"), "\(result)")
    #expect(result.output.contains("xxxxxxxx"))
  }

  @Test func `a damaged file is named in a warning`() throws {
    try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
    try Data("this is no database at all".utf8).write(to: URL(filePath: "\(data)/storage.sqlite"))
    let result = try run(#"notes/set key="a" value=1"#, options: ["--data", data])
    let text = result.output + result.errors
    #expect(text.contains("storage.sqlite was damaged. It is kept as \(data)/"), "\(text)")
    #expect(text.contains("stored"))
    #expect(result.code == 0)
  }

  @Test func `a module that isn't granted the storage isn't loaded`() throws {
    let result = try Program.run(["check", folder.root])
    #expect(result.code != 0)
    #expect(result.output.contains("--allow notes=storage") || result.output.contains("storage"))
  }
}
