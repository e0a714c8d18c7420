import MoonValues

/// A list or map that Lua has a handle on.
struct Draft {
  /// The list or map itself.
  ///
  /// The element of a changed child is stale until folding.
  var branch: Branch
  /// Drafts of its elements.
  var children = Children()
  /// Drafts that it is an element of.
  var parents = Parents()
  /// The number of containers above it.
  var level: Int32
  let origin: Origin
  /// Whether it or a descendant was changed since the last ``Drafts/folded(_:)``.
  var isChanged = false
  /// Whether it or a descendant was changed at all.
  var isTouched = false
  /// Whether it is the lent value, whose changes must be noted in ``Drafts/change``.
  var isLent = false

  var isReadOnly: Bool { origin == .view }

  var value: Value {
    get { branch.value }
    _modify { yield &branch.value }
  }

  /// What a draft is a part of.
  enum Origin {
    /// The value that the call changes, such as a reducer's slice.
    case subject
    /// An argument, such as a payload, whose changes are lost.
    case argument
    /// A value that can only be read.
    case view
  }
}
