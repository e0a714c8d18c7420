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
  var hold = Hold.own

  var isReadOnly: Bool { origin == .view }

  /// Whether it holds references besides its branch; most drafts don't.
  var ownsObjects: Bool { children.ownObjects || parents.ownObjects }

  /// Drops the reference to its value, if it has one.
  func release() { if hold != .borrowed { branch.release() } }

  var value: Value {
    get { branch.value }
    _modify { yield &branch.value }
    set { branch.value = newValue }
  }

  /// Whose value a draft's branch is.
  enum Hold {
    /// The draft's: it may be changed.
    case own
    /// The lent value, whose changes must be noted in ``Drafts/change``.
    case lent
    /// The caller's, until it is changed. Most arguments aren't.
    case borrowed
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
