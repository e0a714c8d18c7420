package import MoonValues

/// Collects routes for a ``RouteTable``.
package struct RouteTableBuilder: Sendable {
  /// The maximum number of routes in a table, ten times the largest measured.
  package static let routeCountMax = 1_000_000
  /// The maximum number of components of all variants of all patterns, an upper bound of the number
  /// of trie nodes, which take about seventy bytes each.
  package static let componentCountMax = 1 << 24
  /// The maximum number of bytes in the texts of all variants.
  ///
  /// Together with ``componentCountMax``, it keeps every number in the trie within its bits.
  package static let byteCountMax = 1 << 28

  /// A limit on the size of the table would be exceeded.
  package enum Full: Error, Hashable, Sendable {
    /// See ``RouteTableBuilder/routeCountMax``.
    case routes(max: Int)
    /// See ``RouteTableBuilder/componentCountMax``.
    case components(max: Int)
    /// See ``RouteTableBuilder/byteCountMax``.
    case bytes(max: Int)
  }

  /// The routes in the order in which they were added, which doesn't matter.
  package private(set) var routes: [RouteEntry] = []

  /// Schemes whose URLs never match global routes, even if no route of the scheme matches.
  package var closedSchemes: Set<Text> = []

  private var componentCount = 0
  private var byteCount = 0

  /// Makes a builder without routes.
  package init() {}

  /// Adds a route.
  ///
  /// An equal pattern may already have been added; see ``conflicts()``.
  ///
  /// - Throws: ``Full``, with the builder unchanged.
  package mutating func add(_ route: RouteEntry) throws(Full) {
    guard routes.count < Self.routeCountMax else { throw .routes(max: Self.routeCountMax) }
    let components = componentCount + route.pattern.variantComponentCountMax
    guard components <= Self.componentCountMax else {
      throw .components(max: Self.componentCountMax)
    }
    let bytes = byteCount + route.pattern.variantByteCount
    guard bytes <= Self.byteCountMax else { throw .bytes(max: Self.byteCountMax) }
    routes.append(route)
    componentCount = components
    byteCount = bytes
  }

  /// Makes a table from the routes added so far.
  ///
  /// - Complexity: O(n log n).
  package func build() -> RouteTable {
    RouteTable(TrieBuild(routes, closedSchemes: closedSchemes))
  }
}

extension RouteTableBuilder.Full: CustomStringConvertible {
  /// The exceeded limit.
  package var description: String {
    switch self {
    case .routes(let max): "there are more than \(max) routes"
    case .components(let max): "the patterns of all routes have more than \(max) components"
    case .bytes(let max): "the patterns of all routes have more than \(max) bytes"
    }
  }
}
