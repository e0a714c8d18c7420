/// The rule that tells fragments with parameters from those that continue the path.
enum FragmentRule {
  /// Returns whether bytes begin with an entry that has a value, as in `name=value&…`.
  static func isParameters<Bytes: Collection<UInt8>>(_ bytes: Bytes) -> Bool
  where Bytes.Index == Int {
    let first = bytes.prefix { $0 != .ampersand }
    return first.firstIndex(of: .equals).map { $0 + 1 < first.endIndex } ?? false
  }
}
