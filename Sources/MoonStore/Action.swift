public import MoonValues

/// Something that happened or shall happen: plain data in the shape of a Flux Standard Action.
///
/// A value; copying one costs a reference.
public struct Action: Sendable {
  // Sendable: written only by a value that holds the sole reference, so what two threads can reach
  // never changes.
  @usableFromInline
  final class Storage: @unchecked Sendable {
    // Lent for the length of one access, never while other code runs.
    @usableFromInline @exclusivity(unchecked) var type: Text
    @usableFromInline @exclusivity(unchecked) var payload: Value
    @usableFromInline @exclusivity(unchecked) var meta: Meta

    @usableFromInline
    init(_ type: Text, _ payload: Value, _ meta: Meta) {
      self.type = type
      self.payload = payload
      self.meta = meta
    }
  }

  @usableFromInline var storage: Storage

  /// Who the action belongs to and what it is: `counter/add`.
  public var type: Text {
    @inlinable _read { yield storage.type }
    @inlinable _modify {
      makeUnique()
      yield &storage.type
    }
  }

  /// What it is about; null when there is nothing to say.
  public var payload: Value {
    @inlinable _read { yield storage.payload }
    @inlinable _modify {
      makeUnique()
      yield &storage.payload
    }
  }

  /// What the host notes about it.
  public var meta: Meta {
    @inlinable _read { yield storage.meta }
    @inlinable _modify {
      makeUnique()
      yield &storage.meta
    }
  }

  /// What the host notes about an action when it takes it in.
  public struct Meta: Sendable, Equatable {
    /// Counted from 1 in each session; 0 until the session has taken the action in.
    public var id: Int64 = 0
    /// Seconds since 1970, to the millisecond; reducers know no other clock.
    public var time: Double = 0
    /// Who dispatched it.
    public var cause: Cause = .native
    /// The action that led to it, by its id.
    public var parent: Int64?
    /// What the dispatcher added.
    public var extra = Map()

    /// Makes the meta of an action that no session has taken in.
    public init(cause: Cause = .native, parent: Int64? = nil, extra: Map = Map()) {
      self.cause = cause
      self.parent = parent
      self.extra = extra
    }

    /// Notes what the host knows when it takes the action in.
    @inlinable
    package mutating func note(id: Int64, time: Double, cause: Cause, parent: Int64?) {
      self.id = id
      self.time = time
      self.cause = cause
      self.parent = parent
    }
  }

  /// Makes an action.
  public init(_ type: Text, _ payload: Value = .null, meta: Meta = Meta()) {
    storage = Storage(type, payload, meta)
  }

  /// Whether it is the very same action, and not only an equal one.
  @inlinable
  public func isIdentical(to other: Action) -> Bool { storage === other.storage }

  @usableFromInline
  mutating func makeUnique() {
    if !isKnownUniquelyReferenced(&storage) {
      storage = Storage(storage.type, storage.payload, storage.meta)
    }
  }

  /// The payload as scripts see it: a table without fields when there is nothing to say.
  ///
  /// So that a reducer can ask for an optional field of an action that came without a payload.
  public var scriptPayload: Value {
    if case .null = payload { .map(Map()) } else { payload }
  }

  /// The action as scripts see it: `{type, payload, meta = {id, time, cause, parent, …}}`.
  public var value: Value {
    var meta = self.meta.extra
    meta["parent"] = nil
    meta["id"] = .int(self.meta.id)
    meta["time"] = .double(self.meta.time)
    meta["cause"] = .string(Text(self.meta.cause.description))
    if let parent = self.meta.parent { meta["parent"] = .int(parent) }
    return ["type": .string(type), "payload": scriptPayload, "meta": .map(meta)]
  }
}

extension Action {
  /// What the action counts where bytes are limited: its payload and what the dispatcher added.
  ///
  /// See `Value.storageCost`. O(1).
  public var storageCost: Int {
    payload.storageCost + (meta.extra.isEmpty ? 0 : Value.map(meta.extra).storageCost)
  }

  /// ``storageCost``, but no more than `max`.
  public func roughByteCount(upTo max: Int) -> Int { min(storageCost, max) }
}

extension Action: Equatable {
  /// Compares types, payloads and what the host noted.
  public static func == (left: Action, right: Action) -> Bool {
    left.storage === right.storage
      || (left.type == right.type && left.payload == right.payload && left.meta == right.meta)
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
