/// What tells a fragment with parameters from one that continues the path.
enum FragmentRule {
  /// Whether bytes begin with an entry that has a value, as in `name=value&…`.
  static func isParameters<Bytes: Collection<UInt8>>(_ bytes: Bytes) -> Bool
  where Bytes.Index == Int {
    let first = bytes.prefix { $0 != .ampersand }
    return first.firstIndex(of: .equals).map { $0 + 1 < first.endIndex } ?? false
  }
}
