import MoonLua
import MoonTestSupport
import MoonValues

/// A machine with a small `moonwire`, and short ways to run code in it.
struct TestMachine {
  /// The table that `require "moonwire"` returns: the host's functions, and `ask` in a wrapper.
  static let prelude = """
    local native = ...
    return {
      list = native.list, null = native.null, console = native.console, call = native.call,
      refuse = native.refuse_in_pure,
      ask = function(...) return native.call(1, ...) end,
    }
    """
  static let seconds = 20

  let machine: Machine
  let log: Log
  var purity = CallLimits.Purity.impure
  var budget = Duration.seconds(TestMachine.seconds)

  /// The values that scripts passed to the host.
  final class Log {
    var calls: [[Value?]] = []
    var machine: Machine?
  }

  /// Makes a machine.
  ///
  /// `answer` is called for every function of the host.
  init(
    name: String = "counter", libraries: [String: String] = [:], watchdog: Watchdog? = nil,
    seed: UInt64 = 1, memoryQuota: Int = 0, sharesQuota: Bool = false,
    meter: UsageMeter = UsageMeter(), fault: AllocationFault? = nil,
    answer: @escaping ([Value?], Log) throws(HostRefusal) -> [Argument] = {
      (values: [Value?], log: Log) throws(HostRefusal) -> [Argument] in
      values.map { value in value.map { .value($0) } ?? .none }
    }
  ) throws(LuaError) {
    let log = Log()
    let services = Services(
      callHost: { (function: Int32, values: [Value?]) throws(HostRefusal) -> [Argument] in
        log.calls.append([.int(Int64(function))] + values)
        return try answer(values, log)
      },
      findLibrary: { (name: String) throws(HostRefusal) -> Services.Library in
        guard let source = libraries[name] else {
          throw .refused("require: there is no library '\(name)'")
        }
        return Services.Library(
          file: name.split(separator: ".").joined(separator: "/") + ".lua",
          source: Array(source.utf8))
      })
    self.log = log
    machine = try Machine(
      name: name, prelude: Array(Self.prelude.utf8), services: services, watchdog: watchdog,
      seed: seed, memoryQuota: memoryQuota, sharesQuota: sharesQuota, meter: meter, fault: fault)
  }

  var limits: CallLimits { CallLimits(budget: budget, purity: purity, entry: "a reducer") }

  @discardableResult
  func run(_ source: String, file: String = "counter.lua") throws(LuaError) -> [Form] {
    try machine.run(Array(source.utf8), file: file, limits: limits)
  }

  /// Returns the only value that a chunk returns.
  func value(_ source: String) throws(LuaError) -> Value? {
    guard case .value(let value)? = try run(source).first else { return nil }
    return value
  }

  /// Returns the string that a chunk returns.
  func text(_ source: String) throws(LuaError) -> String? { try value(source)?.stringValue }

  /// Returns the first function that a chunk returns.
  func function(_ source: String, file: String = "counter.lua") throws(LuaError) -> LuaFunction {
    for case .function(let function) in try run(source, file: file) { return function }
    throw .runtime(LuaReport(message: "the text returns no function"))
  }

  /// Reduces `slice` with a function of `state, payload, action` that has this body.
  func reduce(
    _ slice: Value, payload: Value = .null, action: Value = .null, _ body: String
  ) throws(LuaError) -> Value {
    let function = try function(
      "local moon = require 'moonwire' return function(state, payload, action) \(body)\nend")
    return try machine.reduce(
      function, slice: slice, payload: payload, action: { action }, limits: limits)
  }

  /// Returns the first value that a script passed to the host.
  func told(
    _ slice: Value, payload: Value = .null, _ body: String
  ) throws(LuaError) -> [Value?] {
    log.calls = []
    _ = try reduce(
      slice, payload: payload, "local function tell(...) moon.call(1, ...) end " + body)
    return log.calls.first.map { Array($0.dropFirst()) } ?? []
  }
}

/// Returns the report of the error that `body` throws; nil if there is no error or no report.
func report<R>(_ body: () throws(LuaError) -> R) -> LuaReport? { failure(body)?.report }

extension Machine {
  /// Calls a reducer with a slice that something else holds; returns the new one.
  func reduce(
    _ function: LuaFunction, slice: Value, payload: Value, action: () -> Value, limits: CallLimits
  ) throws(LuaError) -> Value {
    var lent = LentValue(slice)
    try reduce(function, &lent, payload: payload, action: action, limits: limits)
    return lent.value
  }

  /// Calls a function and returns its first result; nil for nil in Lua, or for none.
  func answer(
    _ function: LuaFunction, _ passed: [Argument], limits: CallLimits
  ) throws(LuaError) -> Value? {
    try answer(function, limits: limits) { arguments in
      for argument in passed { arguments.append(argument) }
    }
  }
}
