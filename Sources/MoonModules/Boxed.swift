/// A value in an object of its own, so that what may hold it reserves one word for it.
///
/// For errors and answers, which are large and rare.
final class Boxed<Contents> {
  let contents: Contents

  init(_ contents: Contents) { self.contents = contents }
}

extension Boxed: Sendable where Contents: Sendable {}

extension Boxed: Equatable where Contents: Equatable {
  static func == (left: Boxed, right: Boxed) -> Bool { left.contents == right.contents }
}
