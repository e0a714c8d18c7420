import MoonValues

/// The reason that one of two matching variants precedes the other.
enum VariantOrder: Equatable {
  case priority
  /// They differ at a component, counted from 0.
  case specificity(at: Int)
  case omittedGroups
  case owner
  case text
  case place
  /// They are equal in all respects, or belong to the same route.
  case none

  /// Returns the deciding criterion, and whether the first variant wins.
  static func decide(
    _ first: (route: RouteEntry, variant: PatternVariant),
    _ second: (route: RouteEntry, variant: PatternVariant)
  ) -> (order: VariantOrder, isFirst: Bool) {
    if first.route.priority != second.route.priority {
      return (.priority, first.route.priority > second.route.priority)
    }
    let left = first.variant.components.map { first.route.pattern.rank($0) }
    let right = second.variant.components.map { second.route.pattern.rank($0) }
    for index in 0..<max(left.count, right.count) {
      let leftRank = index < left.count ? left[index] : RoutePattern.rankOfEnd
      let rightRank = index < right.count ? right[index] : RoutePattern.rankOfEnd
      if leftRank != rightRank {
        return (.specificity(at: index), leftRank.lexicographicallyPrecedes(rightRank))
      }
    }
    let (leftOmitted, rightOmitted) = (first.variant.omittedCount, second.variant.omittedCount)
    if leftOmitted != rightOmitted { return (.omittedGroups, leftOmitted < rightOmitted) }
    guard let isFirst = first.route.tie(with: second.route) else { return (.none, false) }
    if first.route.owner != second.route.owner { return (.owner, isFirst) }
    if first.route.pattern.text != second.route.pattern.text { return (.text, isFirst) }
    return (.place, isFirst)
  }
}
