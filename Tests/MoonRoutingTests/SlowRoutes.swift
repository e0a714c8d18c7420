import MoonRouting
import MoonTestSupport
import MoonValues

/// Routes as plain lists, matched by trying every one in a slow and obvious way.
struct SlowRoutes {
  /// A component, as the model sees it.
  enum Part: Equatable {
    case literal(String)
    case parameter(name: String, type: String, prefix: String, suffix: String)
    case wildcard
  }

  /// A list of components, of which a group is either complete or missing.
  struct Group {
    var parts: [Part]
    var isOptional: Bool
  }

  struct Entry {
    var scheme: String?
    var groups: [Group]
    var priority: Int
    var owner: String
    var id: Int

    var text: String {
      let path = groups.map { group in
        let text = group.parts.map { "/" + SlowRoutes.text($0) }.joined()
        return group.isOptional ? "(\(text))" : text
      }.joined()
      return (scheme.map { $0 + "://" } ?? "") + path
    }
  }

  /// One match of an entry.
  struct Found {
    var id: Int
    var captures: [String: String]
    var wildcard: [String]?
    var order: [[String]]
  }

  var entries: [Entry]

  /// Returns all matches of a path of plain components, the winner first.
  func matches(scheme: String?, _ path: [String]) -> [Found] {
    let hasOwn = entries.contains { $0.scheme != nil && $0.scheme == scheme }
    var result: [Found] = []
    for namespace in hasOwn ? [scheme, nil] : [nil] {
      var found: [Found] = []
      for entry in entries where entry.scheme == namespace { found += matches(entry, path) }
      result += found.sorted { left, right in
        for (a, b) in zip(left.order, right.order) where a != b {
          return a.lexicographicallyPrecedes(b)
        }
        return left.id < right.id
      }
    }
    return result
  }

  private func matches(_ entry: Entry, _ path: [String]) -> [Found] {
    let optional = entry.groups.indices.filter { entry.groups[$0].isOptional }
    var found: [Found] = []
    for mask in 0..<(1 << optional.count) {
      var parts: [(part: Part, isOptional: Bool)] = []
      var omitted = 0
      for (index, group) in entry.groups.enumerated() {
        if let bit = optional.firstIndex(of: index), mask & (1 << bit) == 0 {
          omitted += 1
        } else {
          parts += group.parts.map { ($0, group.isOptional) }
        }
      }
      if let match = match(entry, parts, omitted, path) { found.append(match) }
    }
    return found
  }

  private func match(
    _ entry: Entry, _ parts: [(part: Part, isOptional: Bool)], _ omitted: Int, _ path: [String]
  ) -> Found? {
    var captures: [String: String] = [:]
    var wildcard: [String]?
    var ranks: [String] = []
    for (index, (part, isOptional)) in parts.enumerated() {
      let rankClass = isOptional ? "2" : "0"
      if part == .wildcard {
        wildcard = Array(path.dropFirst(index))
        ranks.append("4" + rankClass)
        break
      }
      guard index < path.count else { return nil }
      switch part {
      case .literal(let text):
        guard text == path[index] else { return nil }
        ranks.append(isOptional ? "20" : "00")
      case .parameter(let name, let type, let prefix, let suffix):
        guard path[index].hasPrefix(prefix), path[index].hasSuffix(suffix),
          path[index].count > prefix.count + suffix.count
        else { return nil }
        let value = String(path[index].dropFirst(prefix.count).dropLast(suffix.count))
        guard SlowRoutes.isValid(value, type) else { return nil }
        captures[name] = value
        let types = ["int", "number", "uuid", "slug", "word", ""]
        let textRank = "\(9 - prefix.count)\(9 - suffix.count)"
        ranks.append("\(isOptional ? 2 : 0)1\(textRank)\(types.firstIndex(of: type) ?? 9)")
      case .wildcard: break
      }
    }
    guard wildcard != nil || parts.count == path.count else { return nil }
    let padded = { (number: Int) in String(1000 + number) }
    return Found(
      id: entry.id, captures: captures, wildcard: wildcard,
      order: [
        [padded(100 - entry.priority)], ranks, [padded(omitted)], [entry.owner], [entry.text],
      ])
  }

  static func text(_ part: Part) -> String {
    switch part {
    case .literal(let text): text
    case .parameter(let name, let type, let prefix, let suffix):
      prefix + ":" + name + (type.isEmpty ? "" : "<\(type)>") + suffix
    case .wildcard: "*"
    }
  }

  private static func isValid(_ value: String, _ type: String) -> Bool {
    switch type {
    case "int": Int64(value) != nil && !value.contains("+")
    case "word": value.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    case "slug":
      value.split(separator: "-", omittingEmptySubsequences: false).allSatisfy { part in
        !part.isEmpty && part.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber) }
      }
    default: true
    }
  }
}

/// Random routes and URLs that often match.
struct RandomRoutes {
  static let literals = ["a", "b", "ab", "7", "x-1", "seventeen-letters", "a.js", "eightlet"]
  var random: SplitMix64

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  mutating func entry(id: Int) -> SlowRoutes.Entry {
    var names = ["p", "q", "r", "s", "t", "u", "v", "w"]
    var groups: [SlowRoutes.Group] = []
    for _ in 0..<random.below(4) {
      var parts: [SlowRoutes.Part] = []
      for _ in 0...random.below(2) {
        if random.below(2) == 0 {
          parts.append(.literal(random.pick(Self.literals)))
        } else {
          parts.append(
            .parameter(
              name: names.removeLast(), type: random.pick(["", "", "", "int", "word", "slug"]),
              prefix: random.pick(["", "", "", "", "b", "x-"]),
              suffix: random.pick(["", "", "", ".js", "~1"])))
        }
      }
      groups.append(SlowRoutes.Group(parts: parts, isOptional: random.below(3) == 0))
    }
    if random.below(5) == 0 {
      groups.append(SlowRoutes.Group(parts: [.wildcard], isOptional: random.below(4) == 0))
    }
    return SlowRoutes.Entry(
      scheme: random.below(4) == 0 ? "shop" : nil, groups: groups,
      priority: random.below(6) == 0 ? random.below(3) : 0,
      owner: random.pick(["one", "two", "three"]), id: id)
  }

  mutating func path() -> [String] {
    (0..<random.below(6)).map { _ in
      random.pick(Self.literals + ["z", "-12", "Z_z", "b.js", ".js", "7~1", "b~1", "x-~1"])
    }
  }
}
