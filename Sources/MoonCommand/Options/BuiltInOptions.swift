import ArgumentParser
import MoonBuiltIns
import MoonPrompt
import MoonTerminal
import Moonwire

/// The option that adds built-in modules.
struct BuiltInOptions: ParsableArguments {
  @Option(
    name: .customLong("with"), parsing: .singleValue,
    help: ArgumentHelp(
      """
      Built-in modules to add, separated by commas: \
      \(BuiltIn.all.map(\.name.text).joined(separator: ", ")); debug means those for finding \
      mistakes. May be repeated.
      """, valueName: "modules"))
  var with: [String] = []

  func validate() throws {
    for name in names where Self.builtIn(name) == nil {
      let all = BuiltIn.all.map(\.name.text) + [Self.group]
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

  /// Puts the modules in service; they show texts on an output, and keep files in a directory.
  ///
  /// - Throws: ``HostError``.
  func add(
    to host: Host, showingOn output: TerminalOutput, keepingIn directory: String?
  ) async throws(HostError) {
    for builtIn in builtIns {
      try await host.add(
        builtIn.module(showing: Self.show(on: output), keepingIn: directory))
    }
  }

  /// Starts what the modules can't do by themselves, with the arguments of
  /// ``add(to:showingOn:keepingIn:)``.
  func accompany(
    _ session: SessionID, on host: Host, showingOn output: TerminalOutput,
    keepingIn directory: String?
  ) async {
    let added = Set(builtIns.map(\.name))
    for builtIn in BuiltIn.order where added.contains(builtIn.name) {
      await builtIn.accompany(
        session, on: host, showing: Self.show(on: output), keepingIn: directory)
    }
  }

  private static func show(on output: TerminalOutput) -> BuiltIn.Show {
    { [output] in output.printNotice(TerminalText.sanitized($0)) }
  }

  /// The name of all modules in ``BuiltIn/debug``.
  private static let group = "debug"

  /// Whether the modules for debugging were named as a group.
  var areForDebugging: Bool {
    with.contains { $0.split(separator: ",").contains { $0 == Self.group } }
  }

  private var names: [String] {
    with.flatMap { text in
      text.split(separator: ",", omittingEmptySubsequences: false).flatMap { name in
        name == Self.group ? BuiltIn.debug.map(\.name.text) : [String(name)]
      }
    }
  }

  private static func builtIn(_ name: String) -> BuiltIn? {
    BuiltIn.all.first { $0.name.text == name }
  }

  private static func list(_ names: [String]) -> String {
    "there are \(names.dropLast().joined(separator: ", ")) and \(names.last ?? "none")"
  }
}
