import MoonActions
import MoonLua
import MoonModules
import MoonValues

extension KeyReader {
  /// Reads `derive = { "set", "toggle" }` or `derive = { set = { "count" }, toggle = true }`.
  static let derive = KeyReader("derive") { reader, form, module in
    let place = SourcePlace(file: reader.form.file, line: reader.form.line(of: "derive"))
    for derivation in reader.form.derivations(form) {
      do throws(DerivationError) {
        try module.derive([derivation], place: place)
      } catch {
        reader.form.note(.notDerived(derivation.kind, error), at: place)
      }
    }
  }
}

extension FormReader {
  fileprivate mutating func derivations(_ table: Form) -> [Derivation] {
    guard table.fields != nil || table.elements != nil else {
      note(
        .wrongKind(key: "derive", expected: "a table such as { \"set\" }", found: table.kind),
        key: "derive")
      return []
    }
    return table.components.compactMap { key, value in
      switch key {
      case .int(let position):
        guard let text = string(value, key: "derive[\(position)]") else { return nil }
        return kind(text).map { Derivation($0) }
      case .string(let word):
        guard let kind = kind(word.string) else { return nil }
        if case .value(.bool(true)) = value { return Derivation(kind) }
        return names(value, key: "derive.\(word)").map { Derivation(kind, of: $0) }
      }
    }
  }

  private mutating func kind(_ word: String) -> Derivation.Kind? {
    if let kind = Derivation.Kind(rawValue: word) { return kind }
    let known = Derivation.Kind.allCases.map(\.rawValue)
    note(
      .unknownKey("derive.\(word)", nearest: Spelling.nearest(to: word, in: known)), key: "derive")
    return nil
  }

  private mutating func names(_ value: Form, key: String) -> [String]? {
    guard let elements = value.elements, !elements.isEmpty else {
      note(
        .wrongKind(key: key, expected: "true or a list of fields", found: value.kind), key: key)
      return nil
    }
    var names: [String] = []
    for (index, element) in elements.enumerated() {
      guard let name = string(element, key: "\(key)[\(index + 1)]") else { return nil }
      names.append(name)
    }
    return names
  }
}
