public import MoonValues

/// One page of an app without its appearance: its content, its URL and its module.
///
/// Two screens with the same id are the same screen at two times. A copy costs a reference.
public struct Screen: Sendable {
  @usableFromInline
  struct Fields: Equatable, Sendable {
    @usableFromInline var id: Text
    @usableFromInline var kind: Text
    @usableFromInline var title: Text
    @usableFromInline var url: Text?
    @usableFromInline var parameters: Value
    @usableFromInline var props: Value
    @usableFromInline var body: Value
    @usableFromInline var presentation: Map
    @usableFromInline var owner: ScreenOwner?
    @usableFromInline var isPlaceholder = false
  }

  // An object, since a routing copies a screen dozens of times. Sendable: the fields are written
  // only through a sole reference, so those of shared storage never change.
  @usableFromInline
  final class Storage: @unchecked Sendable {
    @usableFromInline var fields: Fields
    let kept = KeptMap()

    init(_ fields: Fields) { self.fields = fields }
  }

  @usableFromInline var storage: Storage

  /// The id of the screen, unique among all ids of a tree, including those of containers and
  /// windows.
  public var id: Text {
    @inlinable _read { yield storage.fields.id }
    @inlinable _modify {
      makeUnique()
      yield &storage.fields.id
    }
  }
  /// The kind of the screen, which selects the module's view, such as `counter`.
  public var kind: Text {
    @inlinable _read { yield storage.fields.kind }
    @inlinable _modify {
      makeUnique()
      yield &storage.fields.kind
    }
  }
  /// The title.
  public var title: Text {
    @inlinable _read { yield storage.fields.title }
    @inlinable _modify {
      makeUnique()
      yield &storage.fields.title
    }
  }
  /// The URL that led to it, nil if none did.
  public var url: Text? {
    @inlinable _read { yield storage.fields.url }
    @inlinable _modify {
      makeUnique()
      yield &storage.fields.url
    }
  }
  /// The parameters it was routed with.
  public var parameters: Value {
    @inlinable _read { yield storage.fields.parameters }
    @inlinable _modify {
      makeUnique()
      yield &storage.fields.parameters
    }
  }
  /// The module's data for drawing it.
  public var props: Value {
    @inlinable _read { yield storage.fields.props }
    @inlinable _modify {
      makeUnique()
      yield &storage.fields.props
    }
  }
  /// Its elements, which navigation doesn't interpret.
  public var body: Value {
    @inlinable _read { yield storage.fields.body }
    @inlinable _modify {
      makeUnique()
      yield &storage.fields.body
    }
  }
  /// The presentation, for the code that draws the screen: `style`, `transition`, `duration` in
  /// seconds.
  public var presentation: Map {
    @inlinable _read { yield storage.fields.presentation }
    @inlinable _modify {
      makeUnique()
      yield &storage.fields.presentation
    }
  }
  /// The module that made it, nil for the program itself.
  package var owner: ScreenOwner? {
    @inlinable _read { yield storage.fields.owner }
    @inlinable _modify {
      makeUnique()
      yield &storage.fields.owner
    }
  }
  /// Whether it is a placeholder for a screen that can't be made now.
  package var isPlaceholder: Bool {
    @inlinable _read { yield storage.fields.isPlaceholder }
    @inlinable _modify {
      makeUnique()
      yield &storage.fields.isPlaceholder
    }
  }

  /// The text of a parameter; empty if there is none.
  public subscript(parameter: Text) -> String {
    parameters.mapValue?[.string(parameter)]?.parameterText ?? ""
  }

  /// Makes a screen that isn't a placeholder.
  ///
  /// A routing gives a screen without an id one.
  public init(
    id: Text = "", kind: Text = "", title: Text = "", url: Text? = nil,
    parameters: Value = .map(Map()), props: Value = .map(Map()), body: Value = .list(List()),
    presentation: Map = Map()
  ) {
    self.init(
      id: id, kind: kind, title: title, url: url, parameters: parameters, props: props, body: body,
      presentation: presentation, owner: nil)
  }

  /// Makes a screen of a module.
  package init(
    id: Text = "", kind: Text = "", title: Text = "", url: Text? = nil,
    parameters: Value = .map(Map()), props: Value = .map(Map()), body: Value = .list(List()),
    presentation: Map = Map(), owner: ScreenOwner?
  ) {
    storage = Storage(
      Fields(
        id: id, kind: kind, title: title, url: url, parameters: parameters, props: props,
        body: body, presentation: presentation, owner: owner))
  }

  /// Sets what a routing knows of a screen that its provider has made, all at once.
  package mutating func complete(
    id: consuming Text, kind: consuming Text, url: consuming Text,
    parameters: consuming Value, owner: consuming ScreenOwner
  ) {
    makeUnique()
    storage.fields.id = id
    storage.fields.kind = kind
    storage.fields.url = url
    storage.fields.parameters = parameters
    storage.fields.owner = owner
    storage.fields.isPlaceholder = false
  }

  /// Takes back what a presenter has changed and may not.
  package mutating func restore(from old: Screen) {
    // Not set again, so that the screen keeps its value.
    if id != old.id { id = old.id }
    if url != old.url { url = old.url }
    if owner != old.owner { owner = old.owner }
    if isPlaceholder { isPlaceholder = false }
  }

  /// Whether both are copies of one screen, which makes them equal.
  func isIdentical(to other: Screen) -> Bool { storage === other.storage }

  @usableFromInline
  mutating func makeUnique() {
    // A value that was made stays that of its storage.
    if !isKnownUniquelyReferenced(&storage) || storage.kept.isKept {
      storage = Storage(storage.fields)
    }
  }
}

extension Screen: Equatable {
  /// Compares the fields; copies of one screen cost nothing.
  public static func == (left: Screen, right: Screen) -> Bool {
    left.storage === right.storage || left.storage.fields == right.storage.fields
  }

  /// The screen in the form of the state; see ``NavigationTree/value``.
  ///
  /// It is made once for all copies.
  public var value: Value {
    .map(storage.kept.map ?? storage.kept.keep(written(presenting: nil)))
  }
}

/// The module that a screen belongs to.
@usableFromInline package struct ScreenOwner: Hashable, Sendable {
  /// The module's name.
  package var module: Text
  /// The generation of the module that made the screen; nil if irrelevant.
  package var generation: Int?

  /// Names a module, and one of its loads.
  package init(module: Text, generation: Int? = nil) {
    self.module = module
    self.generation = generation
  }
}

extension Value {
  /// The value of a parameter as text, without quotes.
  package var parameterText: String { stringValue ?? canonicalText }
}
