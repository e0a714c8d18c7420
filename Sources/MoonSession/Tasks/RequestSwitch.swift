import MoonStore
package import MoonValues

/// Whether the modules of a session may make requests: what the actions `api/enable` and
/// `api/disable` switch.
///
/// It concerns what `handle` asks for and nothing else. Requests that have begun go on.
package struct RequestSwitch {
  private var isOn = true
  /// The modules that are switched otherwise than the rest.
  private var exceptions: Set<Text> = []

  /// The declarations of the actions, by type.
  package static let declarations: [Text: ActionDeclaration] = {
    let module = PayloadSchema.Field(name: "module", type: "string?")
    let schema = PayloadSchema(fields: [module].compactMap(\.self))
    return [
      "api/enable": ActionDeclaration(
        "enable", description: "Lets modules make requests again, or one of them", schema: schema),
      "api/disable": ActionDeclaration(
        "disable", description: "Lets no module make requests, or one of them", schema: schema),
    ]
  }()

  /// Switches as one of the actions says; without a module, all modules.
  mutating func turn(by action: Action) {
    let isOn = action.type == "api/enable"
    guard let module = action.payload["module"]?.textValue else {
      self.isOn = isOn
      exceptions = []
      return
    }
    if isOn == self.isOn { exceptions.remove(module) } else { exceptions.insert(module) }
  }

  /// Returns the reason that a module may make no requests; nil if it may.
  package func refusal(of module: ModuleName) -> RequestsSwitchedOff? {
    isOn != exceptions.contains(Text(module.text)) ? nil : RequestsSwitchedOff(module: module)
  }
}

/// The error of a request that isn't made, since requests are switched off.
public struct RequestsSwitchedOff: Error, Sendable, Equatable {
  /// The module that was to make the request.
  public let module: ModuleName
}

extension RequestsSwitchedOff: CustomStringConvertible {
  /// One sentence.
  public var description: String {
    "the requests of module \(module) are switched off; the action api/enable switches them on"
  }
}
