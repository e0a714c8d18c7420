import MoonActions
import MoonValues

extension PayloadSchema {
  /// Makes the schema of the fields of a payload like an example.
  ///
  /// The fields of a nested map aren't known, since some may be left out of the example.
  init(example payload: Value) {
    let fields = (payload.mapValue ?? Map()).map { key, value in
      Field(key.description, FieldType([.kind(FieldType.Kind(of: value))]))
    }
    self.init(fields: fields)
  }
}

extension PayloadSchema.FieldType.Kind {
  fileprivate init(of value: Value) {
    self =
      switch value {
      case .null: .any
      case .bool: .boolean
      case .int: .integer
      case .double: .number
      case .string: .string
      case .list: .list
      case .map: .map
      }
  }
}
