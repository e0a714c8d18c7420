import MoonActions
import MoonModules
import MoonValues

/// An action that module mappers have made from another.
final class MappedAction {
  let action: Action
  /// The mapper that made it; nil for the action that was taken in.
  let mapper: Bound<ModuleMapper>?
  /// Whether it stands in the place of the action that was taken in.
  let isInPlace: Bool
  /// What the mapper made it from.
  private let origin: MappedAction?
  /// The id under which it is carried out; nil if it isn't, or isn't yet.
  var id: Int64?

  /// Makes the action that was taken in.
  init(taken action: Action) {
    (self.action, mapper, isInPlace, origin, id) = (action, nil, true, nil, action.id)
  }

  /// Makes an action that follows from another.
  init(_ action: Action, of origin: MappedAction, by mapper: Bound<ModuleMapper>) {
    (self.action, self.mapper, isInPlace, self.origin) = (action, mapper, false, origin)
  }

  /// Makes an action that takes the place of another.
  init(_ action: Action, inPlaceOf origin: MappedAction, by mapper: Bound<ModuleMapper>) {
    self.action = action.inPlace(of: origin.action)
    (self.mapper, isInPlace, self.origin) = (mapper, origin.isInPlace, origin)
    id = isInPlace ? origin.id : nil
  }

  /// The id of the action that it follows from: the nearest that is carried out.
  var parentID: Int64 { origin.map { $0.id ?? $0.parentID } ?? action.id }
}
