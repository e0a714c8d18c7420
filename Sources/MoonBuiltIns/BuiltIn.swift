public import Moonwire

/// A module that comes ready-made, written in Swift on the public API.
///
/// A program puts it in service with `host.add(builtIn.module(showing: …))`, the command with
/// `--with NAME`. Scripts use it through its actions and its slice, like any other module.
public struct BuiltIn: Sendable {
  /// A function that shows a text to the person who runs the host.
  ///
  /// It may be called on any thread.
  public typealias Show = @Sendable (_ text: String) -> Void

  /// The name of the module.
  public let name: ModuleName
  /// The purpose of the module, in one sentence.
  public let summary: String
  private let make: @Sendable (_ module: inout Module, _ show: @escaping Show) -> Void

  /// Declares a built-in module; `make` adds what it registers.
  init(
    _ name: StaticString, _ summary: String,
    _ make: @escaping @Sendable (_ module: inout Module, _ show: @escaping Show) -> Void
  ) {
    self.name = ModuleName(literal: name)
    self.summary = summary
    self.make = make
  }

  /// Makes the module, which shows what it has to show with a function.
  public func module(showing show: @escaping Show = { _ in }) -> sending Module {
    var module = Module(name: name, description: summary)
    make(&module, show)
    return module
  }
}

extension BuiltIn {
  /// All built-in modules, in the order of their names.
  public static let all: [BuiltIn] = [
    .actionBlocker, .actionBlocklist, .animationBlocker, .logger,
  ]
}
