import ArgumentParser
import MoonBuiltIns
import MoonTerminal
import Moonwire

/// The option that adds built-in modules.
struct BuiltInOptions: ParsableArguments {
  @Option(
    name: .customLong("with"), parsing: .singleValue,
    help: ArgumentHelp(
      """
      Built-in modules to add, separated by commas: \
      \(BuiltIn.all.map(\.name.text).joined(separator: ", ")). May be repeated.
      """, valueName: "modules"))
  var with: [String] = []

  func validate() throws {
    for name in names where Self.builtIn(name) == nil {
      let all = BuiltIn.all.map(\.name.text)
      let nearest = Spelling.nearest(to: name, in: all).map { "; did you mean \($0)?" }
      throw ValidationError(
        "--with: there is no built-in module '\(name)'\(nearest ?? ": \(Self.list(all))")")
    }
  }

  /// The modules that were named, each once, in the order in which they were given.
  var builtIns: [BuiltIn] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }.compactMap(Self.builtIn)
  }

  /// Puts the modules in service; they show what they have to show on an output.
  ///
  /// - Throws: ``HostError``.
  func add(to host: Host, showingOn output: TerminalOutput) async throws(HostError) {
    for builtIn in builtIns {
      try await host.add(
        builtIn.module { [output] in output.printNotice(TerminalText.sanitized($0)) })
    }
  }

  private var names: [String] {
    with.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
  }

  private static func builtIn(_ name: String) -> BuiltIn? {
    BuiltIn.all.first { $0.name.text == name }
  }

  private static func list(_ names: [String]) -> String {
    "there are \(names.dropLast().joined(separator: ", ")) and \(names.last ?? "none")"
  }
}
