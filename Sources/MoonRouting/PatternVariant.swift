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

  /// Returns the rank of a component by specificity; the most specific has the lowest.
  ///
  /// A literal ranks before a parameter, then optional components, then a wildcard; among
  /// parameters, a longer suffix ranks first, then a narrower type.
  func rank(_ index: Int) -> Int {
    let component = components[index]
    let optional = component.isOptional ? Self.optionalRank : 0
    switch component.kind {
    case .literal: return optional
    case .parameter(let parameter): return optional + Self.rank(of: parameter)
    case .wildcard: return 2 * Self.optionalRank + optional
    }
  }

  /// Returns the rank of a parameter among parameters.
  static func rank(of parameter: Parameter) -> Int {
    let suffixRank = byteCountMax * 3 - parameter.suffix.utf8Count
    return 1 + suffixRank * ParameterType.allCases.count + Int(parameter.type.rawValue)
  }

  /// Above every parameter's rank: a suffix is at most three times the text, as it is escaped.
  private static let optionalRank = 1 << 20
}
