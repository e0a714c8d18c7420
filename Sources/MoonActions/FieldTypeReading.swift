package import MoonValues

/// A part of a declaration that isn't a type.
package struct FieldTypeError: Error, Sendable, Equatable {
  /// The path to the part, such as `.tags[1]`; empty for the whole declaration.
  package let path: String
  /// What the part is.
  package let found: Found

  /// What stands in the place of a type.
  package enum Found: Sendable, Equatable {
    /// A text that isn't a type.
    case text(String)
    /// Something of this kind.
    case kind(String)
  }

  package init(at path: String, _ found: Found) {
    self.path = path
    self.found = found
  }
}

extension FieldTypeError: CustomStringConvertible {
  /// One phrase: what isn't a type, and where.
  package var description: String {
    let what =
      switch found {
      case .text(let text): "'\(text)'"
      case .kind(let kind): kind
      }
    return "\(what) isn't a type" + (path.isEmpty ? "" : ", at \(path)")
  }
}

extension PayloadSchema.FieldType {
  /// The maximum depth of types within each other.
  package static let depthMax = 16
  /// The key that stands for all keys of a map.
  package static let anyKey: Text = "[string]"
  /// The first element of a table that may be left out, or the key that stands for it in a map.
  package static let optionalMark = "?"

  /// How types are written.
  package static let advice =
    Kind.allCases.map(\.rawValue).joined(separator: ", ")
    + "; [] after it for a list of them, | between several or between the words of an enumeration, "
    + "in quotes if one looks like a type ('list'|'grid'), ? at the end if it may be left out; or a"
    + " table of these"

  /// Returns the kind with a name; nil if there is none.
  static func kind(_ word: String) -> Kind? {
    switch word {
    case "table": .map
    case "bool": .boolean
    default: Kind(rawValue: word)
    }
  }

  /// Reads `integer`, `string|integer`, `string[][]`, `todo|done`, `'list'|'grid'`; nil if the text
  /// isn't a type.
  fileprivate init?(parsing text: Substring) {
    let parts = text.split(separator: "|", omittingEmptySubsequences: false)
    var alternatives: [Alternative] = []
    var plainWords: [String] = []
    for part in parts {
      var (word, depth) = (part, 0)
      while word.hasSuffix("[]"), depth < Self.depthMax {
        word = word.dropLast(2)
        depth += 1
      }
      let sole: Alternative
      if let kind = Self.kind(String(word)) {
        sole = .kind(kind)
      } else if let quoted = Self.unquoted(word) {
        sole = .word(quoted)
      } else {
        guard Self.isWord(word) else { return nil }
        plainWords.append(String(word))
        sole = .word(Text(String(word)))
      }
      var made = sole
      for _ in 0..<depth { made = .list(of: Self([made])) }
      alternatives.append(made)
    }
    // Words without quotes are those of an enumeration only if nothing could be a misspelt type.
    if !plainWords.isEmpty {
      let kinds = Kind.allCases.map(\.rawValue) + ["table", "bool", "int", "float", "double"]
      guard parts.count > 1, plainWords.count == parts.count,
        plainWords.allSatisfy({ Spelling.nearest(to: $0, in: kinds) == nil && !kinds.contains($0) })
      else { return nil }
    }
    self.init(alternatives)
  }

  private static func unquoted(_ word: Substring) -> Text? {
    for quote in ["'", "\""] where word.count >= 2 && word.hasPrefix(quote) && word.hasSuffix(quote)
    {
      return Text(String(word.dropFirst().dropLast()))
    }
    return nil
  }

  /// Whether a text can be a word of an enumeration without quotes.
  private static func isWord(_ text: Substring) -> Bool {
    !text.isEmpty && !text.contains { $0.isWhitespace || "[]?|'\"{}()".contains($0) }
  }

  fileprivate static func read(
    _ declared: Value, at path: String, depth: Int
  ) throws(FieldTypeError) -> (type: Self, isOptional: Bool) {
    guard depth < depthMax else { throw FieldTypeError(at: path, .kind("a deeper table")) }
    switch declared {
    case .string(let text):
      let text = text.string
      let isOptional = text.hasSuffix(optionalMark)
      guard let type = Self(parsing: isOptional ? text.dropLast() : Substring(text)) else {
        throw FieldTypeError(at: path, .text(text))
      }
      return (type, isOptional)
    case .list(let list):
      let isOptional = list.count > 1 && list[0].stringValue == optionalMark
      guard list.count == (isOptional ? 2 : 1) else {
        throw FieldTypeError(at: path, .kind("a list of \(list.count)"))
      }
      let element = try read(list[isOptional ? 1 : 0], at: "\(path)[1]", depth: depth + 1)
      return (Self([.list(of: element.type)]), isOptional)
    case .map(let map) where !map.isEmpty:
      let isOptional = map[.string(Text(optionalMark))] != nil
      if map.count == (isOptional ? 2 : 1), let declared = map[.string(anyKey)] {
        let element = try read(declared, at: "\(path)[\"\(anyKey)\"]", depth: depth + 1)
        return (Self([.map(of: element.type)]), isOptional)
      }
      var fields: [PayloadSchema.Field] = []
      for (key, declared) in map {
        switch key {
        case .string(Text(optionalMark)): continue
        case .int(let index): throw FieldTypeError(at: "\(path)[\(index)]", .kind("no name"))
        case .string(let name):
          let read = try read(declared, at: "\(path).\(name)", depth: depth + 1)
          fields.append(
            PayloadSchema.Field(name.string, read.type, isOptional: read.isOptional))
        }
      }
      return (Self([.record(PayloadSchema(fields: fields))]), isOptional)
    case .map: throw FieldTypeError(at: path, .kind("an empty table"))
    default: throw FieldTypeError(at: path, .kind(declared.kind))
    }
  }
}

extension PayloadSchema.Field {
  /// Reads `integer`, `string|integer?`, `string[]`; nil if the text isn't a type.
  package init?(name: String, type text: String) {
    do throws(FieldTypeError) {
      self = try Self(name, declared: .string(Text(text)))
    } catch {
      return nil
    }
  }

  /// Reads a declaration: a text such as `integer?`, a table of fields, a list with the type of its
  /// elements, or a map with the type of its values under `[string]`.
  ///
  /// A table whose first element is `?` may be left out.
  ///
  /// - Throws: ``FieldTypeError``.
  package init(_ name: String, declared: Value) throws(FieldTypeError) {
    let read = try PayloadSchema.FieldType.read(declared, at: "", depth: 0)
    self.init(name, read.type, isOptional: read.isOptional)
  }
}
