/// A function or value under a name that scripts write.
package struct ScriptWord: Sendable, Equatable {
  /// A parameter of a function.
  package struct Parameter: Sendable, Equatable {
    /// The name; `…` for any number of arguments.
    package let name: String
    /// The type, as ``ScriptWord/result`` has it.
    package let type: String
    /// Whether the argument may be left out.
    package let isOptional: Bool

    init(_ declared: (name: String, type: String?)) {
      let type = declared.type ?? "any"
      name = declared.name
      isOptional = type.hasSuffix("?")
      self.type = isOptional ? String(type.dropLast()) : type
    }
  }

  /// The name with what it is in: `moon.sleep`, `self.dispatch`, `task:await`, `print`.
  package let path: String
  /// The parameters; nil for a value.
  package let parameters: [Parameter]?
  /// The type of the results, or of the value; nil if there is none.
  ///
  /// Types are `any`, `boolean`, `number`, `string`, `table`, `function`, `task` and `timer`, with
  /// bars between alternatives, commas between results, and a question mark after one that may be
  /// nil.
  package let result: String?
  /// The purpose, as a predicate: `waits for a time`.
  package let help: String
  /// The form in which it is used: `moon.url(name, params)`.
  package let usage: String

  /// Makes a word from its declaration: `moon.url(name: string, params: table?): string`, or
  /// `moon.version: string` for a value.
  ///
  /// The types of parameters that may be left out end in a question mark.
  init(_ declaration: String, _ help: String) {
    self.help = help
    guard let open = declaration.firstIndex(of: "("), let close = declaration.lastIndex(of: ")")
    else {
      (path, result) = Self.typed(declaration[...])
      parameters = nil
      usage = path
      return
    }
    path = String(declaration[..<open])
    result = Self.typed(declaration[close...]).type
    let parameters = declaration[open...].dropFirst().prefix { $0 != ")" }.split(separator: ", ")
      .map { Parameter(Self.typed($0)) }
    self.parameters = parameters
    usage = "\(path)(\(parameters.map(\.name).joined(separator: ", ")))"
  }

  /// Splits `name: type`.
  private static func typed(_ text: Substring) -> (name: String, type: String?) {
    guard let colon = text.firstRange(of: ": ") else { return (String(text), nil) }
    return (String(text[..<colon.lowerBound]), String(text[colon.upperBound...]))
  }

  /// The last part of the path: `sleep`.
  package var name: String { String(path.split { $0 == "." || $0 == ":" }.last ?? "") }
  /// The path of what it is in: `moon`; empty for a global.
  package var owner: String { String(path.dropLast(name.count + (path == name ? 0 : 1))) }
}
