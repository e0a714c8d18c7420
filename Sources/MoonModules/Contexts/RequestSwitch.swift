package import MoonActions
package import MoonServiceKit
package import MoonValues

/// Whether the modules of a session may make requests: what the actions `api/enable` and
/// `api/disable` switch.
///
/// It affects requests made with `handle` and nothing else. Requests that have begun continue.
package struct RequestSwitch {
  private var isOn = true
  /// The modules that are switched differently from the rest.
  private var exceptions: Set<ModuleName> = []
  /// The modules that hold all requests off, each until it lets go.
  private var holders: Set<ModuleName> = []

  /// Makes a switch that lets modules make requests.
  package init() {}

  /// The declarations of the actions, by type.
  package static let declarations: [Text: ActionDeclaration] = {
    let schema = PayloadSchema(
      fields: ["module", "holder"].compactMap { PayloadSchema.Field(name: $0, type: "string?") })
    return [
      "api/enable": ActionDeclaration(
        "enable", description: "Lets modules make requests again, or one of them", schema: schema),
      "api/disable": ActionDeclaration(
        "disable", description: "Lets no module make requests, or one of them", schema: schema),
    ]
  }()

  /// Returns the fields of an action's payload that name no module.
  package static func problems(in payload: Value, among modules: [String]) -> [PayloadProblem] {
    ["module", "holder"].compactMap { field in
      guard let name = payload[field]?.stringValue, !modules.contains(name) else { return nil }
      return .noModule(field: field, name, nearest: Spelling.nearest(to: name, in: modules))
    }
  }

  /// Switches as one of the actions says; without a module, all modules.
  ///
  /// A `holder` switches nothing but its own hold on the requests of all modules, so that
  /// everything is as others have switched it once the holder lets go. What isn't a module is
  /// neither switched nor a holder.
  package mutating func turn(by action: Action, isModule: (ModuleName) -> Bool) {
    let isOn = action.type == "api/enable"
    func named(_ field: String) -> ModuleName? {
      action.payload[field]?.stringValue.flatMap(ModuleName.init)
    }
    if action.payload["holder"] ?? .null != .null {
      guard let holder = named("holder"), isModule(holder) else { return }
      if isOn { holders.remove(holder) } else { holders.insert(holder) }
    } else if action.payload["module"] ?? .null != .null {
      guard let module = named("module"), isModule(module) else { return }
      if isOn == self.isOn { exceptions.remove(module) } else { exceptions.insert(module) }
    } else {
      self.isOn = isOn
      exceptions = []
      if isOn { holders = [] }
    }
  }

  /// Returns the reason that a module may make no requests; nil if it may.
  package func refusal(of module: ModuleName) -> RequestsSwitchedOff? {
    holders.isEmpty && isOn != exceptions.contains(module)
      ? nil : RequestsSwitchedOff(module: module)
  }
}

/// The error of a request that isn't made, since requests are switched off.
package struct RequestsSwitchedOff: Error, Sendable, Equatable {
  /// The module that was to make the request.
  package let module: ModuleName
}

extension RequestsSwitchedOff: CustomStringConvertible {
  /// One sentence.
  package var description: String {
    "the requests of module \(module) are switched off; the action api/enable switches them on"
  }
}
