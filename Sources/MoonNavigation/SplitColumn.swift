package import MoonValues

/// One of the two columns of a split view.
public enum SplitColumn: String, Hashable, Sendable, CaseIterable {
  /// The first column, usually a list.
  case master
  /// The second column: what is selected in the first.
  case detail

  /// The index among the items of a split view.
  package var index: Int { self == .master ? 0 : 1 }

  /// The raw value.
  package var text: Text { self == .master ? "master" : "detail" }

  var other: SplitColumn { self == .master ? .detail : .master }

  init(at index: Int) { self = index == 0 ? .master : .detail }

  init?(_ text: Text) {
    switch text {
    case Self.master.text: self = .master
    case Self.detail.text: self = .detail
    default: return nil
    }
  }
}
