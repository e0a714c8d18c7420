import MoonRouting
import MoonValues

/// The work done with each URL of a ``RouteFile``.
enum RouteWorkload: String, CaseIterable {
  /// Finds the route of a bare path.
  case path
  /// Also locates each capture in the path, which is what other routers do.
  case captures
  /// Parses and validates the URL, then finds its route.
  case url
  /// Also makes every parameter: decoded, typed, and merged with the query's.
  case parameters

  /// The name in the tables of `scripts/bench`.
  var name: String {
    switch self {
    case .path: "moonwire: route of a path"
    case .captures: "moonwire: route and captures of a path"
    case .url: "moonwire: URL parsed and checked, route"
    case .parameters: "moonwire: that, and all parameters made"
    }
  }
}

/// A table and the URLs to look up, ready to be timed.
struct RouteMeasurement: ~Copyable {
  let file: RouteFile
  let table: RouteTable
  /// The processor time in seconds that it took to make the table, including the parsing of
  /// patterns.
  let buildSeconds: Double
  /// The growth of resident memory in bytes, after freed memory was returned.
  let residentGrowth: Int

  private var scan = PathScan()
  /// The concatenated URLs, as a server's buffer holds them.
  private let bytes: [UInt8]
  private let ranges: [Range<Int>]

  init(_ file: RouteFile) throws {
    self.file = file
    var bytes: [UInt8] = []
    ranges = file.visits.map { visit in
      let start = bytes.count
      visit.url.withUTF8 { bytes.append(contentsOf: $0) }
      return start..<bytes.count
    }
    self.bytes = bytes
    Usage.giveBackFreedMemory()
    let resident = Usage.residentBytes
    let start = Usage.processorTime
    table = try file.makeTable()
    buildSeconds = Usage.processorTime - start
    Usage.giveBackFreedMemory()
    residentGrowth = Usage.residentBytes - resident
  }

  /// Returns the number of URLs with a wrong route or wrong parameters.
  mutating func wrongCount(_ workload: RouteWorkload) throws -> Int {
    var wrong = 0
    for (index, visit) in file.visits.enumerated() {
      let isRight =
        switch workload {
        case .path, .captures: isPathRight(visit, ranges[index], workload)
        case .url, .parameters: try isRequestRight(visit, workload)
        }
      if !isRight { wrong += 1 }
    }
    return wrong
  }

  private mutating func isPathRight(
    _ visit: RouteFile.Visit, _ range: Range<Int>, _ workload: RouteWorkload
  ) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      let path = UnsafeBufferPointer(rebasing: bytes[range])
      guard let match = table.firstMatch(path: path, &scan) else { return visit.route == -1 }
      guard table.id(of: match) == visit.route else { return false }
      guard workload == .captures else { return true }
      let captures = (0..<table.captureCount(of: match)).map { table.capture($0, of: match) }
      guard captures.count == visit.parameters.count else { return false }
      return visit.parameters.allSatisfy { parameter in
        captures.contains { capture in
          let value = path[scan.range(of: capture)]
          return (capture.name == parameter.name || capture.name == "wildcard")
            && parameter.value.withUTF8 { value.elementsEqual($0) }
        }
      }
    }
  }

  private func isRequestRight(
    _ visit: RouteFile.Visit, _ workload: RouteWorkload
  ) throws -> Bool {
    guard let match = table.firstMatch(try RouteRequest(parsing: visit.url)) else {
      return visit.route == -1
    }
    guard match.id == visit.route else { return false }
    guard workload == .parameters else { return true }
    let parameters = match.parameters()
    let wildcard = match.wildcard?.compactMap { $0.stringValue }.joined(separator: "/")
    guard parameters.count + (wildcard == nil ? 0 : 1) == visit.parameters.count else {
      return false
    }
    return visit.parameters.allSatisfy { name, value in
      parameters[.string(name)] == .string(value) || wildcard == value.string
    }
  }

  /// Does the work for the next `count` URLs, wrapping around at the last.
  ///
  /// - Returns: A number that depends on every result.
  mutating func run(_ workload: RouteWorkload, _ count: Int) throws -> Int {
    switch workload {
    case .path: runPaths(count) { table, match, _ in table.id(of: match) }
    case .captures:
      runPaths(count) { table, match, scan in
        var sum = table.id(of: match)
        for index in 0..<table.captureCount(of: match) {
          sum &+= scan.range(of: table.capture(index, of: match)).count
        }
        return sum
      }
    case .url: try runRequests(count) { $0.id }
    case .parameters:
      try runRequests(count) { match in
        match.id &+ match.parameters().count &+ (match.wildcard?.count ?? 0)
      }
    }
  }

  private mutating func runPaths(
    _ count: Int, _ body: (RouteTable, PathMatch, borrowing PathScan) -> Int
  ) -> Int {
    bytes.withUnsafeBufferPointer { bytes in
      var sum = 0
      var next = 0
      for _ in 0..<count {
        let path = UnsafeBufferPointer(rebasing: bytes[ranges[next]])
        if let match = table.firstMatch(path: path, &scan) { sum &+= body(table, match, scan) }
        next += 1
        if next == ranges.count { next = 0 }
      }
      return sum
    }
  }

  private func runRequests(_ count: Int, _ body: (RouteMatch) -> Int) throws -> Int {
    var sum = 0
    var next = 0
    for _ in 0..<count {
      if let match = table.firstMatch(try RouteRequest(parsing: file.visits[next].url)) {
        sum &+= body(match)
      }
      next += 1
      if next == file.visits.count { next = 0 }
    }
    return sum
  }
}

/// Times each workload on a file for at least `seconds` of processor time, and prints a line for
/// each.
func measureRoutes(_ path: String, seconds: Double) throws {
  var measurement = try RouteMeasurement(RouteFile(path: path))
  guard !measurement.file.visits.isEmpty else { throw RouteFile.Unreadable.line(1) }
  for workload in RouteWorkload.allCases {
    let wrong = try measurement.wrongCount(workload)
    let round = measurement.file.visits.count
    var count = 0
    var used = 0.0
    let start = Usage.processorTime
    while used < seconds {
      _ = try measurement.run(workload, round)
      count += round
      used = Usage.processorTime - start
    }
    print(
      """
      {"peer":"\(workload.name)","build_ms":\(measurement.buildSeconds * 1e3),\
      "ns_match":\(used / Double(count) * 1e9),"rss_kb":\(measurement.residentGrowth / 1024),\
      "wrong":\(wrong),"rejected":0,"table_kb":\(measurement.table.byteCount / 1024)}
      """)
  }
}

/// Does the work `count` times and nothing else.
func repeatRoutes(_ workload: RouteWorkload, _ path: String, count: Int) throws {
  var measurement = try RouteMeasurement(RouteFile(path: path))
  guard !measurement.file.visits.isEmpty else { throw RouteFile.Unreadable.line(1) }
  let processor = Usage.processorTime
  let sum = try measurement.run(workload, count)
  let used = Usage.processorTime - processor
  print(
    "{\"peer\":\"moonwire\",\"workload\":\"\(workload)\",\"n\":\(count),"
      + "\"cpu_s\":\(used),\"check\":\(sum)}")
}
