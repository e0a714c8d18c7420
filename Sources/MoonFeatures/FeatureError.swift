/// The reason that a feature can't become a module.
public enum FeatureError: Error, Sendable, Equatable {
  /// The name can't be that of a module.
  case invalidName(String)
  /// The first state can't be encoded.
  case state(of: String, reason: String)
  /// A registration can't be that of an action, since the type isn't one.
  case invalidType(String, in: String)
  /// The type of an action that is in the type of the feature or of a part of it begins with
  /// another name.
  case otherName(String, of: String)
  /// A registration uses a state of another type than the feature's.
  case otherState(String, of: String, found: String)
  /// Two types of the feature are the payload of one action, and differ.
  case twoPayloads(type: String, of: String)
  /// There are two registrations, and a module can have one.
  case twice(String, of: String)
  /// A route's pattern can't be read.
  case invalidPattern(String, of: String, reason: String)
  /// Actions can't be derived from the state.
  case derivation(of: String, reason: String)
  /// A value in the body is nil, since its parts don't fit together, such as a schedule without a
  /// time.
  case nothing(String, of: String)
  /// Too many parts are in one another, such as one that has itself in its body.
  case tooDeep(String, in: String)
  /// A value in the body is neither a registration nor a ``FeaturePart``.
  case noPart(String, in: String)
}

extension FeatureError: CustomStringConvertible {
  /// One sentence without a full stop: the problem and the remedy.
  public var description: String {
    switch self {
    case .invalidName(let name):
      "'\(name)' can't be the name of a feature: give it a name of letters, digits and _, which "
        + "the host doesn't use itself"
    case .state(let name, let reason): "the state of \(name) can't be kept: \(reason)"
    case .invalidType(let type, let name):
      "'\(type)' in \(name) can't be the type of an action: put the type into that of a feature, "
        + "or give it a static `type` such as \"counter/add\""
    case .otherName(let type, let name):
      "the action \(type) is declared in \(name), and has another name: give it a static "
        + "`type` that begins with \(name)/"
    case .otherState(let registration, let name, let found):
      "\(registration) of \(name) takes the state \(found): take the feature's own"
    case .twoPayloads(let type, let name):
      "two types in \(name) are the payload of \(type): give one of them another static `type`"
    case .twice(let registration, let name):
      "\(name) registers \(registration) twice: make one of them"
    case .invalidPattern(let pattern, let name, let reason):
      "'\(pattern)' in \(name) is no pattern of a route: \(reason)"
    case .derivation(let name, let reason): "a Derivation of \(name) can't be made: \(reason)"
    case .nothing(let type, let name):
      "a \(type) in \(name) is nil: check the values that it is made of"
    case .tooDeep(let part, let name):
      "the part \(part) of \(name) is in too many others: take it out of its own body"
    case .noPart(let type, let name):
      "\(type) in \(name) registers nothing: let it be a FeaturePart, with a body"
    }
  }
}
