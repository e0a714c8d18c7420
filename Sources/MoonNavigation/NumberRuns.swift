import MoonValues

/// A set of numbers, as runs of successive ones.
///
/// The screens of one kind on a deep stack have successive numbers, so that a change costs the same
/// as on a short one.
struct NumberRuns {
  /// The last number of each run, by its first.
  private(set) var map: Map

  /// Takes the form of ``map``.
  init(_ map: Map) { self.map = map }

  /// The highest number; nil if there is none.
  var highest: Int64? { map.isEmpty ? nil : run(at: map.count - 1).last }

  /// - Complexity: O(log runs), like a change.
  func contains(_ number: Int64) -> Bool { run(upTo: number).map { number <= $0.last } ?? false }

  /// Adds successive numbers, none of which is there.
  mutating func insert(from first: Int64, to last: Int64) {
    let position = map.firstPosition(after: .int(first))
    let former = position > 0 ? run(at: position - 1) : nil
    var end = last
    if position < map.count, case let next = run(at: position), next.first == last + 1 {
      end = next.last
      map[.int(next.first)] = Value?.none
    }
    let start = former.flatMap { $0.last == first - 1 ? $0.first : nil } ?? first
    map[.int(start)] = .int(end)
  }

  mutating func remove(_ number: Int64) {
    guard let run = run(upTo: number), number <= run.last else { return }
    map[.int(run.first)] = run.first < number ? .int(number - 1) : Value?.none
    if number < run.last { map[.int(number + 1)] = .int(run.last) }
  }

  /// The last run that begins at a number or before it.
  private func run(upTo number: Int64) -> (first: Int64, last: Int64)? {
    let position = map.firstPosition(after: .int(number))
    return position > 0 ? run(at: position - 1) : nil
  }

  private func run(at position: Int) -> (first: Int64, last: Int64) {
    guard case (.int(let first), .int(let last)) = map.entry(at: position) else {
      preconditionFailure("a run goes from a number to a number")
    }
    return (first, last)
  }
}
