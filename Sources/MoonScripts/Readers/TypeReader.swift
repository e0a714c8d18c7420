import MoonActions
import MoonLua
import MoonValues

extension FormReader {
  /// Reads the declaration of a field: a text such as `integer?`, or a table of such.
  mutating func field(_ name: String, _ declared: Form, key: String) -> PayloadSchema.Field? {
    do throws(FieldTypeError) {
      guard let value = declared.declaration else {
        throw FieldTypeError(at: "", .kind(declared.kind))
      }
      return try PayloadSchema.Field(name, declared: value)
    } catch {
      let path = key + error.path
      switch error.found {
      case .text(let text): note(.invalidFieldType(key: path, text: text), key: path)
      case .kind(let kind):
        note(.wrongKind(key: path, expected: "a type", found: kind), key: path)
      }
      return nil
    }
  }
}

extension Form {
  /// The declaration of a type as plain data; nil if it has parts that no type has.
  ///
  /// The key `string`, Lua's table of that name, becomes ``PayloadSchema/FieldType/anyKey``.
  fileprivate var declaration: Value? {
    switch self {
    case .value(let value): return value
    case .function, .opaque: return nil
    case .table(let entries):
      if let elements {
        let declared = elements.compactMap(\.declaration)
        return declared.count == elements.count ? .list(List(declared)) : nil
      }
      var map = Map()
      for entry in entries {
        guard let key = entry.declarationKey, let value = entry.value.declaration else {
          return nil
        }
        map[key] = value
      }
      return .map(map)
    }
  }

  /// Whether this is Lua's table `string`.
  fileprivate var isStringLibrary: Bool {
    guard case .table = self, let names = fields?.map(\.name) else { return false }
    return ["byte", "char", "format", "rep"].allSatisfy(names.contains)
  }
}

extension Form.Entry {
  /// The key of an entry in the declaration of a type; nil if it can't be one.
  fileprivate var declarationKey: Key? {
    let mark = Text(PayloadSchema.FieldType.optionalMark)
    switch key {
    case .value(.int(1)) where value.storable == .string(mark): return .string(mark)
    case .value(.int(let index)): return .int(index)
    case .value(.string(let name)): return .string(name)
    case _ where key.isStringLibrary: return .string(PayloadSchema.FieldType.anyKey)
    default: return nil
    }
  }
}
