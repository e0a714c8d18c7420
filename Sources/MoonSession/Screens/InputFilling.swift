import MoonActions
import MoonCards
package import MoonModules
import MoonNavigation
import MoonServiceKit
package import MoonValues

/// Setting inputs on behalf of modules.
extension Session {
  /// Records a value for an input of one of a module's screens, to be checked when the screen is
  /// drawn next.
  ///
  /// - Throws: ``InputRequestError``
  package func request(
    _ value: Value?, ofInput input: Text, on screen: Text?, by registration: BoundRegistration
  ) throws(InputRequestError) {
    if let value {
      guard value.isInputValue else { throw .unfit(kind: value.kind) }
      let max = Card.textBytesMax
      guard value.storageCost <= max else { throw .tooLarge(bytesMax: max) }
    }
    let target = try self.screen(screen, of: registration.owner)
    guard screens.forms.requestCount < InputRequest.countMax else {
      throw .tooMany(max: InputRequest.countMax)
    }
    screens.forms.request(
      InputRequest(value: value, registration: registration), ofInput: input, on: target.id)
  }

  /// Finds the module's screen with an id; without an id, its screen on top or else its last one.
  private func screen(
    _ id: Text?, of module: ModuleName
  ) throws(InputRequestError) -> Screen {
    let tree = navigationTree
    let owner = Text(module.text)
    let own = tree.screens.filter { $0.owner?.module == owner }
    guard let id else {
      if let top = tree.topScreen, top.owner?.module == owner { return top }
      guard let last = own.last else { throw .noScreen(of: module) }
      return last
    }
    if let screen = own.first(where: { $0.id == id }) { return screen }
    guard let other = tree.screen(id) else { throw .unknownScreen(id, known: own.map(\.id)) }
    throw .otherModules(id, owner: other.owner?.module)
  }
}

/// The values that modules have requested for inputs.
struct RequestedInputs {
  let session: Session

  /// Sets the inputs of a screen that has just been drawn to the values that modules have
  /// requested.
  ///
  /// A value that an input doesn't accept is reported as a fault of the module. A value for a
  /// hidden input waits until the input is shown.
  func fill(_ screen: Screen, _ card: Card) {
    let requests = session.screens.forms.takeRequests(of: screen.id)
    for (input, request) in requests.sorted(by: { $0.key < $1.key }) {
      guard card.inputs.contains(where: { $0.id == input }) else {
        if card.holdsInput(input) {
          session.screens.forms.request(request, ofInput: input, on: screen.id)
        } else {
          let nearest = Spelling.nearest(to: input.string, in: card.inputs.map(\.id.string))
          refuse(
            request,
            "the screen \(screen.id) has no input '\(input)'"
              + (nearest.map { "; did you mean '\($0)'?" } ?? ""))
        }
        continue
      }
      do throws(CardInputError) {
        session.screens.forms[screen.id].inputs[.string(input)] = try request.value.map {
          value throws(CardInputError) in try card.value(ofInput: input, from: value)
        }
      } catch {
        refuse(request, "the input '\(input)' of the screen \(screen.id) \(error.reason)")
      }
    }
  }

  private func refuse(_ request: InputRequest, _ sentence: String) {
    let failure = CodeFailure(.raised(sentence), place: request.registration.registration.place)
    session.environment.report(
      .fault(session.id, session.caller.fault(failure, request.registration, nil)))
  }
}

extension Value {
  /// Whether an input can hold it: a scalar, or a list of scalars.
  fileprivate var isInputValue: Bool {
    switch self {
    case .bool, .int, .double, .string: true
    case .list(let list): list.allSatisfy { $0.listValue == nil && $0.isInputValue }
    case .map(let map): map.isEmpty
    case .null: false
    }
  }
}
