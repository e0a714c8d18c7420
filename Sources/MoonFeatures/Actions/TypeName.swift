/// The names that modules and actions have, made of the names of Swift types.
enum TypeName {
  /// Returns the names of a type and of the types that it is in, outermost first.
  ///
  /// The module of Swift, functions and generic arguments are left out.
  static func parts(of type: Any.Type) -> [String] {
    var parts: [String] = []
    var part = ""
    var depth = 0
    for character in String(reflecting: type) {
      switch character {
      case "<", "(": depth += 1
      case ">", ")": depth -= 1
      case "." where depth == 0:
        parts.append(part)
        part = ""
      default: if depth == 0 { part.append(character) }
      }
    }
    parts.append(part)
    return parts.dropFirst().filter { !$0.isEmpty }
  }

  /// Returns a name in lowercase with underscores: `measure_later` for `MeasureLater`.
  static func snakeCase(_ name: String) -> String {
    let letters = Array(name)
    var made = ""
    for (index, letter) in letters.enumerated() {
      if letter.isUppercase, index > 0, letters[index - 1] != "_" {
        let beginsWord = index + 1 < letters.count && letters[index + 1].isLowercase
        if !letters[index - 1].isUppercase || beginsWord { made.append("_") }
      }
      made.append(contentsOf: letter.lowercased())
    }
    return made
  }
}
