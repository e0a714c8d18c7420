import Logging
import MoonLua
import MoonRouting
import MoonSession
import MoonStore
import MoonValues

/// The host functions that Lua code can call: the counterpart of `moonwire.lua`.
///
/// Confined to the host.
final class Bindings {
  /// Records whose code is running.
  let activity = Activity()
  private let logger: Logger
  /// The destination of `print` at the prompt.
  let printed: @Sendable (String) -> Void
  private var random = SystemRandomNumberGenerator()
  private var floods: [String: LogLimit] = [:]
  let services: ServiceDesk

  init(_ services: ServiceDesk, logger: Logger, printing: @escaping @Sendable (String) -> Void) {
    self.services = services
    self.logger = logger
    printed = printing
  }

  func randomSeed() -> UInt64 { random.next() }

  /// Carries out a call from a module's code.
  func call(
    _ number: Int32, _ arguments: [Value?], from module: ModuleName
  ) throws(Refusal) -> [Argument] {
    switch HostFunction(rawValue: number) {
    case .print: log(.info, arguments.text(0), from: module.text)
    case .log:
      log(Logger.Level(rawValue: arguments.text(0)) ?? .info, arguments.text(1), from: module.text)
    case .dispatch:
      guard let call = activity.call, let registration = call.registration else {
        throw .refused("nothing can be dispatched while a module is loaded: do it in `on_start`")
      }
      let actions = try Action.read(arguments, owner: module.text)
      do throws(DispatchError) {
        try SessionContext(call.session, registration).dispatch(actions)
      } catch {
        throw .refused("\(error)")
      }
    case .state: return [try view(arguments)]
    case .url: return [try url(arguments)]
    case .canRoute: return [try canRoute(arguments)]
    case .timer: return [try startTimer(arguments, of: module)]
    case .emit: try emit(arguments, from: module)
    case .spawn, .cancel, .sleep, .take, .change, .await, .rest, .outcome, .screen, .callCommand,
      .result, .task, .beginAnew:
      return try TaskBindings(activity.call?.session, module).call(number, arguments)
    case .requestRefusal:
      let refusal = activity.call?.session.taskState.requestSwitch.refusal(of: module)
      return [refusal.map { .value(.string(Text("\($0)"))) } ?? .none]
    case .input: try fill(arguments)
    case .option: try Self.check(arguments)
    case .top: return [try top(arguments)]
    case .service: return try services.call(arguments, from: module, activity)
    case .services: return services.describe(arguments)
    case .settings: return services.settings(of: module, activity)
    case .closeHandle: try TaskBindings(activity.call?.session, module).closeHandle(arguments)
    case nil: throw .refused("the host has no function \(number)")
    }
    return []
  }

  /// Carries out a call from text typed at the prompt.
  func callFromPrompt(_ number: Int32, _ arguments: [Value?]) throws(Refusal) -> [Argument] {
    switch HostFunction(rawValue: number) {
    case .print: printed(arguments.text(0))
    case .log:
      log(Logger.Level(rawValue: arguments.text(0)) ?? .info, arguments.text(1), from: "prompt")
    case .dispatch:
      guard let session = activity.call?.session else {
        throw .refused("there is no session to dispatch to")
      }
      let actions = try Action.read(arguments, owner: "")
      guard let first = actions.first else { break }
      do throws(DispatchError) {
        _ = try session.run(first, with: actions.others, cause: .prompt)
      } catch {
        throw .refused("\(error)")
      }
    case .state: return [try view(arguments)]
    case .url: return [try url(arguments)]
    case .canRoute: return [try canRoute(arguments)]
    case .spawn, .cancel, .sleep, .take, .change, .await, .rest, .timer, .emit, .outcome, .screen,
      .callCommand, .result, .task, .beginAnew, .requestRefusal:
      throw .refused("only an effect of a module has tasks")
    case .input: throw .refused("inputs are filled in with :input at the prompt")
    case .option: try Self.check(arguments)
    case .top: return [try top(arguments)]
    case .service: return try services.call(arguments, from: nil, activity)
    case .services: return services.describe(arguments)
    case .closeHandle, .settings: break
    case nil: throw .refused("the host has no function \(number)")
    }
    return []
  }

  func log(_ level: Logger.Level, _ text: String, from module: String) {
    let text = LogLimit.shortened(text)
    switch floods[module, default: LogLimit()].count(bytes: text.utf8.count) {
    case .logged: break
    case .loggedAfter(let dropped):
      write(.warning, "\(dropped) lines were dropped", from: module)
    case .firstDropped:
      write(
        .warning,
        "more than \(LogLimit.linesMax) lines or \(LogLimit.bytesMax >> 20) MB in a second:"
          + " the rest is dropped", from: module)
      return
    case .dropped: return
    }
    write(level, text, from: module)
  }

  private func write(_ level: Logger.Level, _ text: String, from module: String) {
    logger.log(level: level, "\(text)", metadata: ["module": .string(module)])
  }

  private func view(_ arguments: [Value?]) throws(Refusal) -> Argument {
    guard let session = activity.call?.session else {
      throw .refused("there is no state while a module is loaded")
    }
    let text = arguments.text(0)
    do {
      let path = try Path(parsing: text)
      session.noteRead(of: path.components.first?.mapKey)
      guard let value = session.stateValue.value(at: path) else { return .none }
      return .view(value, name: text)
    } catch {
      throw .refused("'\(text)' is no path into the state; write one such as todo.items[3].title")
    }
  }

  private func url(_ arguments: [Value?]) throws(Refusal) -> Argument {
    guard let session = activity.call?.session else {
      throw .refused("there are no routes while a module is loaded")
    }
    let given = arguments.count > 1 ? arguments[1] : nil
    guard let parameters = given.map(\.mapValue) ?? Map() else {
      throw .refused("moon.url takes its parameters as a table such as {id = 7}")
    }
    do throws(RouteURLError) {
      let router = session.modules.registry.router
      return .value(.string(try router.url(for: Text(arguments.text(0)), parameters)))
    } catch {
      throw .refused("\(error)")
    }
  }

  private func canRoute(_ arguments: [Value?]) throws(Refusal) -> Argument {
    guard let session = activity.call?.session else {
      throw .refused("there are no routes while a module is loaded")
    }
    let route = session.modules.registry.router.firstRoute(taking: Text(arguments.text(0)))
    return .value(.bool(route != nil))
  }

  private func fill(_ arguments: [Value?]) throws(Refusal) {
    guard let call = activity.call, let registration = call.registration else {
      throw .refused("there are no screens while a module is loaded")
    }
    do throws(InputRequestError) {
      try SessionContext(call.session, registration).fill(
        Text(arguments.text(0)), with: arguments.count > 1 ? arguments[1] : nil,
        on: arguments.count > 2 ? arguments[2]?.textValue : nil)
    } catch {
      throw .refused("\(error)")
    }
  }

  private func top(_ arguments: [Value?]) throws(Refusal) -> Argument {
    guard let session = activity.call?.session else {
      throw .refused("there are no screens while a module is loaded")
    }
    session.noteRead(of: NavigationState.key)
    let tree = session.navigationTree
    guard let window = (arguments.first ?? nil)?.textValue ?? tree.keyWindowID,
      tree.windows.contains(where: { $0.id == window })
    else {
      throw .refused("there is no window '\(arguments.text(0))'")
    }
    return tree.topScreen(ofWindow: window).map { .value($0.value) } ?? .none
  }

  private static func check(_ arguments: [Value?]) throws(Refusal) {
    do throws(RoutingOptionError) {
      _ = try RoutingOption(reading: (arguments.first ?? nil) ?? .null)
    } catch {
      throw .refused("\(error)")
    }
  }
}
