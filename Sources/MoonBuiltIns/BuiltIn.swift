public import Moonwire

/// A ready-made module, written in Swift.
///
/// A program puts it in service with `host.add(builtIn.module(showing: …))`, the command with
/// `--with NAME`. Scripts use it through its actions and its slice, like any other module. Once a
/// session is open, ``accompany(_:on:showing:keepingIn:)`` starts what a module can't do by itself,
/// such as recording the session.
public struct BuiltIn: Sendable {
  /// A function that shows a text to the person who runs the host.
  ///
  /// It may be called on any thread.
  public typealias Show = @Sendable (_ text: String) -> Void

  /// What the program gives its built-in modules.
  struct Surroundings: Sendable {
    let show: Show
    /// The directory for files kept between runs; nil if there is none.
    let directory: String?
  }

  /// The name of the module.
  public let name: ModuleName
  /// The purpose of the module, in one sentence.
  public let summary: String
  private let make: @Sendable (_ module: inout Module, _ surroundings: Surroundings) -> Void
  private let begin: @Sendable (SessionID, Host, Surroundings) async -> Void

  /// Declares a built-in module; `make` adds what it registers, and `begin` is called with each
  /// open session.
  init(
    _ name: StaticString, _ summary: String,
    accompanying begin: @escaping @Sendable (SessionID, Host, Surroundings) async -> Void = {
      _, _, _ in
    },
    _ make: @escaping @Sendable (_ module: inout Module, _ surroundings: Surroundings) -> Void
  ) {
    self.name = ModuleName(literal: name)
    self.summary = summary
    self.make = make
    self.begin = begin
  }

  /// Makes the module, which shows texts with a function, and keeps files between runs in a
  /// directory.
  public func module(
    showing show: @escaping Show = { _ in }, keepingIn directory: String? = nil
  ) -> sending Module {
    var module = Module(name: name, description: summary)
    make(&module, Surroundings(show: show, directory: directory))
    return module
  }

  /// Starts what the module can't do by itself, in a session opened with the module in service.
  ///
  /// Call it once for each session, for all modules in the order of ``order``, with the same
  /// arguments as ``module(showing:keepingIn:)``.
  public func accompany(
    _ session: SessionID, on host: Host, showing show: @escaping Show = { _ in },
    keepingIn directory: String? = nil
  ) async {
    await begin(session, host, Surroundings(show: show, directory: directory))
  }
}

extension BuiltIn {
  /// All built-in modules, in the order of their names.
  public static let all: [BuiltIn] = order.sorted { $0.name < $1.name }

  /// All built-in modules, in the order in which they start in a session.
  ///
  /// The recording has begun when a crash is announced, and both come before `app/started`.
  public static let order: [BuiltIn] = debug + [.lifecycle]

  /// The modules for debugging an app, in order; `--with debug` adds them.
  public static let debug: [BuiltIn] = [
    .animationBlocker, .actionBlocker, .actionBlocklist, .retriever, .timeline, .recorder,
    .reporter,
    .crashDetector, .logger,
  ]
}

extension Action {
  /// Dispatches the action if a module knows it, and shows any error.
  func tell(_ session: SessionID, on host: isolated Host, _ show: BuiltIn.Show) {
    guard host.actionInfos().contains(where: { $0.type == type.string }) else { return }
    do throws(DispatchError) {
      try host.dispatch(self, to: session)
    } catch {
      show("\(type): \(error)")
    }
  }
}
