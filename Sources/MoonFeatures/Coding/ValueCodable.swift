public import MoonValues

// With other encoders than a `ValueEncoder`, which takes values as they are, such as one for JSON.

extension Value: Codable {
  /// Writes the value.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .bool(let bool): try bool.encode(to: encoder)
    case .int(let integer): try integer.encode(to: encoder)
    case .double(let number): try number.encode(to: encoder)
    case .string(let text): try text.encode(to: encoder)
    case .list(let list): try list.encode(to: encoder)
    case .map(let map): try map.encode(to: encoder)
    }
  }

  /// Reads a value of any kind.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let bool = try? container.decode(Bool.self) {
      self = .bool(bool)
    } else if let integer = try? container.decode(Int64.self) {
      self = .int(integer)
    } else if let number = try? container.decode(Double.self) {
      self = .double(number)
    } else if let string = try? container.decode(String.self) {
      self = .string(Text(string))
    } else if let elements = try? container.decode([Value].self) {
      self = .list(List(elements))
    } else {
      self = .map(try container.decode(Map.self))
    }
  }
}

extension Map: Codable {
  /// Writes the map; keys that are integers become text.
  public func encode(to encoder: any Encoder) throws {
    let entries = map { ($0.key.description, $0.value) }
    try Dictionary(entries, uniquingKeysWith: { $1 }).encode(to: encoder)
  }

  /// Reads a map with keys that are texts.
  public init(from decoder: any Decoder) throws {
    let entries = try [String: Value](from: decoder)
    self.init(entries.map { (.string(Text($0.key)), $0.value) })
  }
}

extension List: Codable {
  /// Writes the list.
  public func encode(to encoder: any Encoder) throws { try Array(self).encode(to: encoder) }

  /// Reads a list.
  public init(from decoder: any Decoder) throws { self.init(try [Value](from: decoder)) }
}

extension Text: Codable {
  /// Writes the text.
  public func encode(to encoder: any Encoder) throws { try string.encode(to: encoder) }

  /// Reads a text.
  public init(from decoder: any Decoder) throws { self.init(try String(from: decoder)) }
}
