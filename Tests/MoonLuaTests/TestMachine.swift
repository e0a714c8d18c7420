import MoonLua
import MoonTestSupport
import MoonValues

/// A machine with a small `moonwire`, and short ways to run texts in it.
struct TestMachine {
  /// What `require "moonwire"` answers: the host's functions as they are, `ask` behind a function.
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

  /// What scripts told the host.
  final class Log {
    var calls: [[Value?]] = []
    var machine: Machine?
  }

  /// `answer` is the host's function, whatever its number.
  init(
    name: String = "counter", libraries: [String: String] = [:], watchdog: Watchdog? = nil,
    seed: UInt64 = 1, memoryQuota: Int = 0, meter: UsageMeter = UsageMeter(),
    fault: AllocationFault? = nil,
    answer: @escaping ([Value?], Log) throws(Refusal) -> [Argument] = {
      (values: [Value?], log: Log) throws(Refusal) -> [Argument] in
      values.map { value in value.map { .value($0) } ?? .none }
    }
  ) throws(LuaError) {
    let log = Log()
    let services = Services(
      callHost: { (function: Int32, values: [Value?]) throws(Refusal) -> [Argument] in
        log.calls.append([.int(Int64(function))] + values)
        return try answer(values, log)
      },
      findLibrary: { (name: String) throws(Refusal) -> Services.Library in
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
      seed: seed, memoryQuota: memoryQuota, meter: meter, fault: fault)
  }

  var limits: CallLimits { CallLimits(budget: budget, purity: purity, entry: "a reducer") }

  @discardableResult
  func run(_ source: String, file: String = "counter.lua") throws(LuaError) -> [Form] {
    try machine.run(Array(source.utf8), file: file, limits: limits)
  }

  /// The only value that a text returns.
  func value(_ source: String) throws(LuaError) -> Value? {
    guard case .value(let value)? = try run(source).first else { return nil }
    return value
  }

  /// The text that a chunk returns.
  func text(_ source: String) throws(LuaError) -> String? { try value(source)?.stringValue }

  /// The first function that a text returns.
  func function(_ source: String, file: String = "counter.lua") throws(LuaError) -> LuaFunction {
    for case .function(let function) in try run(source, file: file) { return function }
    throw .runtime(LuaReport(message: "the text returns no function"))
  }

  /// Reduces `slice` by a function of `state, payload, action` with this body.
  func reduce(
    _ slice: Value, payload: Value = .null, action: Value = .null, _ body: String
  ) throws(LuaError) -> Value {
    let function = try function(
      "local moon = require 'moonwire' return function(state, payload, action) \(body)\nend")
    return try machine.reduce(
      function, slice: slice, payload: payload, action: { action }, limits: limits)
  }

  /// What the host heard first.
  func told(
    _ slice: Value, payload: Value = .null, _ body: String
  ) throws(LuaError) -> [Value?] {
    log.calls = []
    _ = try reduce(
      slice, payload: payload, "local function tell(...) moon.call(1, ...) end " + body)
    return log.calls.first.map { Array($0.dropFirst()) } ?? []
  }
}

/// The report of the error that `body` throws; nil if it throws none, or one without.
func report<R>(_ body: () throws(LuaError) -> R) -> LuaReport? { failure(body)?.report }
