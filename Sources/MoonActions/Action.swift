public import MoonValues

/// Something that happened or is requested, as plain data in the shape of a Flux Standard Action.
///
/// Copying one costs a reference count.
public struct Action: Sendable {
  // Sendable, because it is written only through a sole reference, so shared storage never changes.
  @usableFromInline
  final class Storage: @unchecked Sendable {
    // Constants, so that reading them counts no references.
    @usableFromInline let type: Text
    @usableFromInline let payload: Value
    /// The payload of an action that the host has made; nil for others, whose payload is a value.
    @usableFromInline let typed: (any TypedPayload)?
    // The fields of `Meta` one by one, since reading one of them would copy the whole.
    @usableFromInline var id: Int64 = 0
    @usableFromInline var time: Double = 0
    @usableFromInline var cause = Cause.native
    @usableFromInline var parent: Int64?
    @usableFromInline var extra = Map()
    @usableFromInline var guards: List?

    @usableFromInline
    init(
      _ type: consuming Text, _ payload: consuming Value, typed: (any TypedPayload)? = nil
    ) {
      self.type = type
      self.payload = payload
      self.typed = typed
    }

    @usableFromInline
    func copy(_ type: Text, _ payload: Value, typed: (any TypedPayload)? = nil) -> Storage {
      let copy = Storage(type, payload, typed: typed)
      copy.meta = meta
      return copy
    }

    // Inlinable, so that reading one field copies no other.
    @usableFromInline var meta: Meta {
      @inlinable get {
        Meta(id: id, time: time, cause: cause, parent: parent, extra: extra, guards: guards)
      }
      set {
        (id, time, cause, parent) = (newValue.id, newValue.time, newValue.cause, newValue.parent)
        (extra, guards) = (newValue.extra, newValue.guards)
      }
    }
  }

  @usableFromInline var storage: Storage

  /// The type, which names the owner and the action: `counter/add`.
  public var type: Text {
    @inlinable _read { yield storage.type }
    set { storage = storage.copy(newValue, payload) }
  }

  /// The payload; null if there is none.
  ///
  /// - Complexity: O(1), but a payload that the host has made in a type of its own is written as a
  ///   value each time.
  public var payload: Value {
    @inlinable _read {
      if let typed = storage.typed { yield typed.value } else { yield storage.payload }
    }
    set { storage = storage.copy(storage.type, newValue) }
  }

  /// The payload in a type of the host's own; nil if it is a value.
  package var typedPayload: (any TypedPayload)? {
    get { storage.typed }
    set { storage = storage.copy(storage.type, .null, typed: newValue) }
  }

  /// The host's notes on the action.
  public var meta: Meta {
    @inlinable get { storage.meta }
    @inlinable set {
      makeUnique()
      storage.meta = newValue
    }
  }

  /// The action's number in its session; see ``Meta/id``.
  @inlinable package var id: Int64 { storage.id }

  /// The time at which the action entered its session; see ``Meta/time``.
  @inlinable package var time: Double { storage.time }

  /// Who dispatched it; see ``Meta/cause``.
  @inlinable package var cause: Cause { storage.cause }

  /// Whether the host itself made the action.
  @inlinable package var isOfHost: Bool { if case .host = storage.cause { true } else { false } }

  /// The answers of the routing guards that the action has waited for; see ``Meta/guards``.
  @inlinable package var guards: List? { storage.guards }

  /// The dispatcher's additions; see ``Meta/extra``.
  @inlinable package var extra: Map { storage.extra }

  /// Adds the host's notes when the action enters a session.
  @inlinable
  package mutating func note(id: Int64, time: Double, cause: Cause, parent: Int64?) {
    makeUnique()
    storage.id = id
    storage.time = time
    storage.cause = cause
    storage.parent = parent
  }

  /// The host's notes on an action, made when it enters a session.
  public struct Meta: Sendable, Equatable {
    /// The number of the action in its session, from 1; 0 before it has entered one.
    public var id: Int64 = 0
    /// Seconds since 1970, to the millisecond; reducers have no other clock.
    public var time: Double = 0
    /// Who dispatched it.
    public var cause: Cause = .native
    /// The id of the action that led to it.
    public var parent: Int64?
    /// The dispatcher's additions.
    public var extra = Map()
    /// The answers of routing guards that the action has waited for; nil if it hasn't.
    ///
    /// Only the host sets them, so that no module can let its own routings pass.
    public package(set) var guards: List?

    @usableFromInline @inline(__always)
    init(id: Int64, time: Double, cause: Cause, parent: Int64?, extra: Map, guards: List?) {
      self.id = id
      self.time = time
      self.cause = cause
      self.parent = parent
      self.extra = extra
      self.guards = guards
    }

    /// Makes the notes of an action that hasn't entered a session.
    package init(cause: Cause = .native, parent: Int64? = nil, extra: Map = Map()) {
      self.cause = cause
      self.parent = parent
      self.extra = extra
    }
  }

  /// Makes an action.
  public init(_ type: consuming Text, _ payload: consuming Value = .null) {
    storage = Storage(type, payload)
  }

  /// Makes an action with notes.
  package init(_ type: Text, _ payload: Value = .null, meta: Meta) {
    storage = Storage(type, payload)
    storage.meta = meta
  }

  /// Makes an action with a payload in a type of the host's own.
  package init(_ type: Text, typed payload: any TypedPayload) {
    storage = Storage(type, .null, typed: payload)
  }

  /// Whether both are the same object, which makes them equal.
  @inlinable
  package func isIdentical(to other: Action) -> Bool { storage === other.storage }

  @inlinable
  mutating func makeUnique() {
    if !isKnownUniquelyReferenced(&storage) {
      storage = storage.copy(storage.type, storage.payload, typed: storage.typed)
    }
  }

  /// The payload for scripts: an empty table if there is none.
  ///
  /// A reducer can therefore read an optional field of an action without a payload.
  package var scriptPayload: Value {
    if case .null = payload { .map(Map()) } else { payload }
  }

  /// The action for scripts: `{type, payload, meta = {id, time, cause, parent, …}}`.
  public var value: Value {
    var meta = self.meta.extra
    meta["parent"] = nil
    meta["guards"] = self.meta.guards.map { .list($0) }
    meta["id"] = .int(self.meta.id)
    meta["time"] = .double(self.meta.time)
    meta["cause"] = .string(Text(self.meta.cause.description))
    if let parent = self.meta.parent { meta["parent"] = .int(parent) }
    return ["type": .string(type), "payload": scriptPayload, "meta": .map(meta)]
  }
}

/// A payload in a type of the host's own.
///
/// What looks at the action as data gets its value, such as middleware, scripts and the journal.
///
/// An object, so that an action without one loses no time with it.
@usableFromInline
package protocol TypedPayload: AnyObject, Sendable {
  /// The payload as a value, made each time.
  var value: Value { get }
  /// The approximate size of the value; see `Value.storageCost`.
  var storageCost: Int { get }
}

extension Action {
  /// The size that byte limits count: that of the payload and the dispatcher's additions.
  ///
  /// See `Value.storageCost`. Approximate if the payload is in a type of the host's own. O(1).
  package var storageCost: Int {
    (storage.typed?.storageCost ?? storage.payload.storageCost)
      + (extra.isEmpty ? 0 : Value.map(extra).storageCost)
  }
}

extension Action: Equatable {
  /// Compares types, payloads and the host's notes.
  public static func == (left: Action, right: Action) -> Bool {
    left.storage === right.storage
      || (left.type == right.type && left.payload == right.payload && left.meta == right.meta)
  }
}

extension Action: CustomStringConvertible {
  /// The type and the payload: `counter/add {"by":1}`.
  public var description: String {
    payload == .null ? type.string : "\(type) \(payload.canonicalText)"
  }
}

/// Who dispatched an action.
public enum Cause: Sendable, Equatable, CustomStringConvertible {
  /// A person at the prompt.
  case prompt
  /// The command line.
  case commandLine
  /// The program that embeds the host.
  case native
  /// The host itself: `host/…` actions.
  case host
  /// A person who did something to a screen, named by its id.
  case screen(String)
  /// A registration of a module.
  case module(String, RegistrationKind)

  /// Whether a person did it, at the prompt or on a screen.
  package var isFromPerson: Bool {
    switch self {
    case .prompt, .screen: true
    case .commandLine, .native, .host, .module: false
    }
  }

  /// One word, or `counter observer`, or `screen counter`.
  public var description: String {
    switch self {
    case .prompt: "prompt"
    case .commandLine: "command line"
    case .native: "native"
    case .host: "host"
    case .screen(let id): "screen \(id)"
    case .module(let name, let kind): "\(name) \(kind.rawValue)"
    }
  }
}
