public import MoonServiceKit
public import MoonValues

/// A module's decision not to carry out what it was called for.
///
/// It isn't a fault, and no module is suspended for it. What was refused changes nothing, and who
/// asked for it gets the reason. Functions of modules in Swift throw one; those in Lua call
/// `moon.refuse`.
public struct Refusal: Error, Sendable, Equatable {
  /// The origin of a refusal.
  public struct Origin: Sendable, Equatable {
    /// The module that refused.
    public let module: ModuleName
    /// The registration whose code refused.
    public let registration: Registration
    /// The place in the source; nil if it isn't known.
    public let place: SourcePlace?

    package init(_ module: ModuleName, _ registration: Registration, at place: SourcePlace?) {
      self.module = module
      self.registration = registration
      self.place = place
    }
  }

  /// The reason, for people.
  public let reason: String
  /// Plain data about the reason, for code; nil for none.
  public let details: Value?
  /// The origin, which the host adds; nil until then.
  public package(set) var origin: Origin?

  /// Makes a refusal.
  public init(_ reason: String, details: Value? = nil) {
    self.reason = reason
    self.details = details
  }
}

extension Refusal: CustomStringConvertible {
  /// The reason.
  public var description: String { reason }
}

extension Refusal {
  /// The refusal without its reason: `reducer bank/pay of module bank refused it`.
  package var headline: String {
    origin.map { "\($0.registration) of module \($0.module) refused it" } ?? "it was refused"
  }

  /// The refusal as scripts receive it: `{reason, details, module}`.
  package var value: Map {
    var map: Map = ["reason": .string(Text(reason))]
    map["details"] = details
    map["module"] = origin.map { .string(Text($0.module.text)) }
    return map
  }
}

extension Fault {
  /// The refusal, if the code refused and hasn't failed.
  package var refusal: Refusal? {
    guard var refusal = refused, let module = ModuleName(module) else { return nil }
    refusal.origin = Refusal.Origin(module, registration, at: place)
    return refusal
  }
}
