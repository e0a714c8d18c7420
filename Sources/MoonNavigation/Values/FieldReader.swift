import MoonValues

/// Reads the fields of a map and detects unknown ones.
struct FieldReader {
  private let map: Map
  private let path: Path
  /// The names of the fields that were read; few, so that a list is searched faster than a set.
  private var names: [Text] = []

  init(_ value: Value, at path: Path = Path()) throws(NavigationValueError) {
    guard case .map(let map) = value else { throw .wrongKind(path, expected: .map) }
    self.map = map
    self.path = path
    names.reserveCapacity(map.count)
  }

  /// Rejects fields that were never read.
  func finish() throws(NavigationValueError) {
    if names.count == map.count { return }
    for (key, _) in map {
      if case .string(let name) = key, names.contains(name) { continue }
      throw .unknownField(path.appending(Path.Component(key)))
    }
  }

  func path(_ name: Text) -> Path { path.appending(.key(name)) }

  /// The value of a field, nil if it isn't there; null counts as absent.
  mutating func optional(_ name: Text) -> Value? {
    guard let value = raw(name), value != Value.null else { return Value?.none }
    return value
  }

  /// The value of a field as it is, nil if it isn't there.
  mutating func raw(_ name: Text) -> Value? {
    guard let value = map[.string(name)] else { return nil }
    if !names.contains(name) { names.append(name) }
    return value
  }

  mutating func required(_ name: Text) throws(NavigationValueError) -> Value {
    guard let value = optional(name) else { throw .missing(path(name)) }
    return value
  }

  /// The one of the names whose field is there.
  mutating func one(of names: [Text]) throws(NavigationValueError) -> Text {
    let present = names.filter { optional($0) != nil }
    guard present.count == 1 else { throw .notOne(of: names, path) }
    return present[0]
  }

  mutating func optionalText(_ name: Text) throws(NavigationValueError) -> Text? {
    guard let value = optional(name) else { return nil }
    guard let text = value.textValue else { throw .wrongKind(path(name), expected: .text) }
    return text
  }

  mutating func text(_ name: Text) throws(NavigationValueError) -> Text {
    guard let text = try optionalText(name) else { throw .missing(path(name)) }
    return text
  }

  mutating func optionalInteger(_ name: Text) throws(NavigationValueError) -> Int? {
    guard let value = optional(name) else { return nil }
    guard let integer = value.intValue.flatMap({ Int(exactly: $0) }) else {
      throw .wrongKind(path(name), expected: .integer)
    }
    return integer
  }

  /// A position, which is counted from 1 in values and from 0 here.
  mutating func optionalIndex(_ name: Text) throws(NavigationValueError) -> Int? {
    try optionalInteger(name).map { $0 == .min ? $0 : $0 - 1 }
  }

  mutating func index(_ name: Text) throws(NavigationValueError) -> Int {
    guard let index = try optionalIndex(name) else { throw .missing(path(name)) }
    return index
  }

  mutating func optionalBoolean(_ name: Text) throws(NavigationValueError) -> Bool? {
    guard let value = optional(name) else { return nil }
    guard let boolean = value.boolValue else {
      throw .wrongKind(path(name), expected: .boolean)
    }
    return boolean
  }

  mutating func origin() throws(NavigationValueError) -> NavigationOrigin? {
    guard let text = try optionalText("origin") else { return nil }
    guard let origin = NavigationOrigin(text) else { throw .unknownWord(text, path("origin")) }
    return origin
  }

  /// The column of a split view under `column`.
  mutating func column() throws(NavigationValueError) -> SplitColumn {
    guard let column = try optionalColumn("column") else { throw .missing(path("column")) }
    return column
  }

  mutating func optionalColumn(
    _ name: Text
  ) throws(NavigationValueError) -> SplitColumn? {
    guard let text = try optionalText(name) else { return nil }
    guard let column = SplitColumn(text) else { throw .unknownWord(text, path(name)) }
    return column
  }

  /// Reads a list; one with more elements than `countMax` is refused before any is read.
  mutating func list<T>(
    _ name: Text, countMax: Int = .max, of limit: NavigationError.Limit = .nodes,
    _ read: (Value, Path) throws(NavigationValueError) -> T
  ) throws(NavigationValueError) -> [T] {
    var elements: [T] = []
    switch try required(name) {
    case .list(let list):
      guard list.count <= countMax else {
        throw .invalid(.limitExceeded(limit, max: countMax), path(name))
      }
      for (index, value) in list.enumerated() {
        elements.append(try read(value, path(name).appending(.index(Int64(index) + 1))))
      }
    // Scripts write an empty list and an empty map alike.
    case .map(let map) where map.isEmpty: break
    default: throw .wrongKind(path(name), expected: .list)
    }
    return elements
  }
}

/// The fields of a map being written.
struct FieldWriter {
  private var fields: [(Key, Value)] = []

  init() { fields.reserveCapacity(12) }

  var map: Map { Map(fields) }
  var value: Value { .map(map) }

  mutating func add(_ name: Text, _ value: Value?) {
    if let value { fields.append((.string(name), value)) }
  }

  mutating func add(_ name: Text, _ text: Text?) {
    add(name, text.map { Value.string($0) })
  }

  mutating func add(_ name: Text, _ integer: Int?) {
    add(name, integer.map { Value.int(Int64($0)) })
  }

  /// Adds a position, which is counted from 0 here and from 1 in values.
  mutating func add(_ name: Text, index: Int) {
    add(name, index.countedFromOne)
  }

  mutating func add(_ name: Text, _ values: [Value]) {
    add(name, Value.list(values.withUnsafeBufferPointer { List($0) }))
  }
}

extension Int {
  /// A position that is counted from 0, as Lua counts it; the greatest one stays as it is.
  var countedFromOne: Int { self == .max ? self : self + 1 }
}
