import MoonValues

/// One of the patterns without groups that a pattern stands for.
struct PatternVariant {
  /// The indices of the components that are present.
  var components: [Int]
  /// The number of groups that are absent.
  var omittedCount: Int
}

/// Counts the variants of a pattern without making them.
enum VariantCount {
  /// Returns the number of sets of groups that also hold each group's parent; `Int.max` on
  /// overflow.
  static func count(_ parents: [Int]) -> Int {
    // A group is absent, or present with any choice of its subgroups. Children follow their
    // parents.
    var choices = [Int](repeating: 1, count: parents.count)
    var total = 1
    for group in parents.indices.reversed() {
      let parent = parents[group]
      if parent < 0 {
        total *= choices[group] + 1
      } else {
        choices[parent] *= choices[group] + 1
      }
    }
    return total
  }
}

extension RoutePattern {
  /// All variants, at most ``variantCountMax``, in the order of the groups' bits.
  ///
  /// - Complexity: O(variants × components).
  var variants: [PatternVariant] {
    guard !groupParents.isEmpty else {
      return [PatternVariant(components: Array(components.indices), omittedCount: 0)]
    }
    return groupSets.map { set in
      let present = components.indices.filter { index in
        components[index].group < 0 || set & (1 << components[index].group) != 0
      }
      return PatternVariant(
        components: present, omittedCount: groupParents.count - set.nonzeroBitCount)
    }
  }

  /// The sets of groups that also hold each group's parent, with one bit for each group, in order.
  private var groupSets: [Int] {
    var sets = [0]
    // Parents precede what they hold, so all sets without a group precede it.
    for (group, parent) in groupParents.enumerated() {
      sets += sets.filter { parent < 0 || $0 & (1 << parent) != 0 }.map { $0 | 1 << group }
    }
    return sets
  }

  /// An upper bound of the number of components of all variants.
  package var variantComponentCountMax: Int { VariantCount.count(groupParents) * components.count }

  /// An upper bound of the number of bytes in the texts of all variants.
  package var variantByteCount: Int { VariantCount.count(groupParents) * text.utf8Count }

  /// The text of the variant with an index in ``variants``, as JLRoutes writes it.
  ///
  /// - Complexity: O(1) for a pattern without groups, which is its only variant.
  func expandedText(at ordinal: Int) -> Text {
    groupParents.isEmpty ? text : expandedText(variants[ordinal])
  }

  /// The text of a variant as JLRoutes writes it; the pattern's own where there are no groups.
  func expandedText(_ variant: PatternVariant) -> Text {
    guard !groupParents.isEmpty else { return text }
    let bytes = text.bytes
    var result: [UInt8] = []
    for index in variant.components {
      result.append(.slash)
      result.append(contentsOf: bytes[components[index].source])
    }
    if result.isEmpty { result.append(.slash) }
    if let scheme {
      // A first component that looks like a network's host follows an empty host.
      let empty: [UInt8] = Self.isHost(result.dropFirst()) ? [.slash] : []
      result.insert(contentsOf: scheme.bytes + [.colon, .slash] + empty, at: 0)
    }
    return Text(validUTF8: result[...])
  }

  /// Returns whether the text after a scheme's `://` would be taken for a network's host.
  static func isHost(_ bytes: ArraySlice<UInt8>) -> Bool {
    let host = bytes.prefix { $0 != .slash && $0 != UInt8(ascii: "(") }
    guard host.first != .colon, host.first != UInt8(ascii: "*") else { return false }
    return host.contains(.dot) || host.elementsEqual("localhost".utf8)
  }

  /// Returns the rank of a component by specificity; the most specific precedes the others.
  ///
  /// A literal ranks before parameters, then optional components, then a wildcard. Among
  /// parameters, a longer text before the first ranks first, then more text after it, then a
  /// narrower type.
  func rank(_ index: Int) -> [Int] {
    let component = components[index]
    let optional = component.isOptional ? 1 : 0
    switch component.kind {
    case .literal: return [optional, 0]
    case .parameters(let parameters): return [optional, 1] + Self.rank(of: parameters)
    case .wildcard: return [2, optional]
    }
  }

  /// The rank of a URL's end, which is more specific than a wildcard that takes nothing.
  static let rankOfEnd = [-1]

  /// Returns the rank of a component's parameters among those of others.
  static func rank(of parameters: [Parameter]) -> [Int] {
    let texts = parameters.dropFirst().map(\.prefix) + [parameters.last?.suffix ?? ""]
    return [-(parameters.first?.prefix.utf8Count ?? 0), -texts.reduce(0) { $0 + $1.utf8Count }]
      + parameters.map { Int($0.type.rawValue) }
      // Texts of one length can take the same component only if they stand between parameters.
      + texts.flatMap { text in [text.utf8Count] + text.bytes.map(Int.init) }
  }

  /// Returns what the component with an index accepts at a position.
  ///
  /// After a scheme, the first one may be a host, so its letters are small, as are those that it is
  /// compared with.
  func kind(_ index: Int, at position: Int) -> Component.Kind {
    let kind = components[index].kind
    return position == 0 && scheme != nil ? kind.lowercased : kind
  }
}

extension RoutePattern.Component.Kind {
  /// The same with small letters in its texts.
  var lowercased: Self {
    switch self {
    case .literal(let text): .literal(text.lowercased)
    case .parameters(let parameters):
      .parameters(
        parameters.map {
          RoutePattern.Parameter(
            name: $0.name, type: $0.type, prefix: $0.prefix.lowercased,
            suffix: $0.suffix.lowercased, endsPath: $0.endsPath)
        })
    case .wildcard: .wildcard
    }
  }
}
