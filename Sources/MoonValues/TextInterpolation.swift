extension Text: ExpressibleByStringInterpolation {
  /// Puts the parts of a literal with interpolations together.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var string = ""

    /// Makes room for the parts.
    public init(literalCapacity: Int, interpolationCount: Int) {
      string.reserveCapacity(literalCapacity + interpolationCount)
    }

    /// Appends a part of the literal.
    public mutating func appendLiteral(_ literal: StaticString) {
      string.append(contentsOf: literal.description)
    }

    /// Appends a value as it describes itself.
    public mutating func appendInterpolation(_ value: some Any) {
      string.append(contentsOf: String(describing: value))
    }
  }

  /// Makes a text of a literal with interpolations: `"In the \(room)"`.
  public init(stringInterpolation: StringInterpolation) { self.init(stringInterpolation.string) }
}
