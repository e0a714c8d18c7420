package import MoonActions
package import MoonValues

/// What a call of a module's code before a commit depends on besides the state and the action, so
/// that a replay can give the same.
package struct Repetition {
  /// The seed of random numbers.
  package let seed: UInt64
  /// The time in seconds since 1970 at which the clock stands.
  package let time: Double
}

/// What the calls for a commit have used so far.
package struct CommitCalls {
  /// Whether the commit is being computed.
  private(set) var isOpen = false
  private var id: Int64 = 0
  private var time: Double = 0
  /// Whether any call or action has used it, which few commits do.
  private var isUsed = false
  /// The number of calls of each registration.
  private var counts: [ObjectIdentifier: UInt64] = [:]
  private var made: [Int64] = []
  private var inputs: [Map] = []
  private var haveQueued = false
  private var haveOwned = false
  private var callCount = 0
  private var limits: [CommitNotes.ExceededLimit] = []
  /// What was noted when the commit was recorded, as far as it hasn't been used yet; nil if it
  /// wasn't recorded.
  private var recorded: CommitNotes?

  /// Makes the record of no calls.
  package init() {}

  /// Begins with an action as it was taken in.
  package mutating func begin(with action: borrowing Action) {
    isOpen = true
    id = action.id
    time = action.time
    callCount = 0
    if isUsed { reset() }
  }

  private mutating func reset() {
    isUsed = false
    counts.removeAll(keepingCapacity: true)
    made = []
    inputs = []
    haveQueued = false
    haveOwned = false
    limits = []
  }

  /// Whether there is anything in ``notes``.
  package var haveNotes: Bool {
    !made.isEmpty || !inputs.isEmpty || haveQueued || haveOwned || haveLimits
  }

  /// Whether calls exceeded a limit.
  package var haveLimits: Bool { !limits.isEmpty }

  /// What a replay needs besides.
  package var notes: CommitNotes {
    var notes = CommitNotes()
    (notes.made, notes.inputs, notes.queuesReplacement) = (made, inputs, haveQueued)
    (notes.ownsScreens, notes.limits) = (haveOwned, limits)
    return notes
  }

  /// Ends with the commit, or with a failure.
  package mutating func end() { isOpen = false }

  /// Repeats what was noted when the commit was recorded; ends that if it is nil.
  package mutating func repeatNotes(_ notes: CommitNotes?) { recorded = notes }

  /// Counts a call of a module's code; returns its number in the commit, or nil if none is being
  /// computed.
  package mutating func countCall() -> Int? {
    guard isOpen else { return nil }
    callCount += 1
    return callCount
  }

  /// Returns the limit that a call exceeded when this was recorded; nil if it exceeded none.
  package func recordedLimit(ofCall number: Int) -> Fault.Reason? {
    recorded?.limits.first { $0.call == number }?.reason
  }

  /// Notes the limit that a call has exceeded, if that is why it failed.
  package mutating func noteLimit(_ reason: Fault.Reason, ofCall number: Int) {
    guard let limit = CommitNotes.ExceededLimit(call: number, reason) else { return }
    isUsed = true
    limits.append(limit)
  }

  /// Returns the id of the next action that the host makes; `fresh` returns a new one.
  package mutating func id(orElse fresh: () -> Int64) -> Int64 {
    isUsed = true
    let isRecorded = recorded?.made.isEmpty == false
    let id = isRecorded ? recorded?.made.removeFirst() : nil
    let known = id ?? fresh()
    made.append(known)
    return known
  }

  /// Returns whether a replacement is queued behind what its mapper started, as it was if this was
  /// recorded.
  package mutating func queuesReplacement() -> Bool {
    guard recorded?.queuesReplacement ?? true else { return false }
    isUsed = true
    haveQueued = true
    return true
  }

  /// Returns whether a screen gets the module that gives it, as it did if this was recorded.
  package mutating func ownsScreens() -> Bool {
    guard isOpen else { return true }
    guard recorded?.ownsScreens ?? true else { return false }
    isUsed = true
    haveOwned = true
    return true
  }

  /// Returns what people have entered on a screen, as `on_back` gets it: `present`, or what was
  /// recorded.
  package mutating func inputs(_ present: Map) -> Map {
    isUsed = true
    var inputs = present
    if let recorded {
      inputs = recorded.inputs.first ?? Map()
      self.recorded?.inputs.removeFirst(recorded.inputs.isEmpty ? 0 : 1)
    }
    self.inputs.append(inputs)
    return inputs
  }

  /// Returns what the next call of a registration depends on; nil if no commit is being computed.
  package mutating func next(for registration: BoundRegistration) -> Repetition? {
    guard isOpen else { return nil }
    isUsed = true
    let count = counts[ObjectIdentifier(registration), default: 0]
    counts[ObjectIdentifier(registration)] = count + 1
    // Differs from the seeds of reducers, and among the calls of a module.
    let number = registration.salt &+ count &+ 1
    let seed = UInt64(seedingBy: id, time) ^ UInt64(mixing: number)
    return Repetition(seed: UInt64(mixing: seed), time: time)
  }

  /// The time of the commit that is being computed; nil if none is.
  package var standingTime: Double? { isOpen ? time : nil }
}

extension Action {
  /// The seed of random numbers while the action is reduced; the same in every replay.
  package var seed: UInt64 { UInt64(seedingBy: id, time) }
}

extension UInt64 {
  /// Makes the seed for the action with an id and a time.
  fileprivate init(seedingBy id: Int64, _ time: Double) {
    self.init(mixing: UInt64(bitPattern: id) &* 0x9E37_79B9_7F4A_7C15 ^ time.bitPattern)
  }

  /// Mixes the bits of a number, so that neighbouring numbers give unrelated ones.
  ///
  /// It is the finalizer of SplitMix64 (S. Vigna).
  init(mixing number: UInt64) {
    var z = number &+ 0x9E37_79B9_7F4A_7C15
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    self = z ^ (z >> 31)
  }
}
