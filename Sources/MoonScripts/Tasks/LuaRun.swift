import MoonActions
import MoonLua
import MoonModules
import MoonServiceKit
import MoonValues

/// A run of an effect in Lua: a coroutine of its module's machine.
///
/// Confined to the host.
final class LuaRun: EffectRun {
  private enum Code {
    /// The function of an effect, not called yet, the action, and the other parts of a request.
    case function(LuaFunction, Action, [Argument])
    /// A function, not called yet, its arguments, and whether its results are dispatched.
    case call(LuaFunction, [Argument], sendsResults: Bool)
    case coroutine(LuaCoroutine)
    case ended
  }

  private let generation: Generation
  private var limits: CallLimits
  private var code: Code
  /// The answer of the command that the code has called.
  var answer: Value?
  /// The handles that the task has opened, which are closed when it ends.
  private var handles: [Int64] = []

  /// Makes the run of an effect for an action; `parts` are those of a request, after `true`.
  init(
    _ function: LuaFunction, on action: Action, with parts: [Argument] = [],
    of generation: Generation
  ) {
    self.generation = generation
    limits = generation.effectLimits
    code = .function(function, action, parts)
  }

  /// Makes the run of a function that something waits for, or whose results are dispatched as those
  /// of an effect.
  init(
    _ function: LuaFunction, _ arguments: [Argument], _ limits: CallLimits,
    sendsResults: Bool = false, of generation: Generation
  ) {
    self.generation = generation
    self.limits = limits
    code = .call(function, arguments, sendsResults: sendsResults)
  }

  /// Makes the run of a spawned task; nil if `reference` isn't that of a coroutine.
  init?(reference: Int64, spawnedBy parent: LuaRun) {
    guard let coroutine = LuaCoroutine(reference: reference, of: parent.generation.machine) else {
      return nil
    }
    generation = parent.generation
    limits = parent.limits
    code = .coroutine(coroutine)
  }

  deinit {
    for id in handles { generation.handles.close(id) }
  }

  /// Returns an open handle of the task, or of another task of the module.
  func handle(_ id: Int64) -> OpenHandle? { generation.handles[id] }

  /// Closes a handle, if it is open.
  func closeHandle(_ id: Int64) {
    generation.handles.close(id)
    handles.removeAll { $0 == id }
  }

  func resume(with answer: WaitAnswer, at place: () -> TaskPlace) throws -> EffectStep {
    let step: LuaCoroutine.Step
    let wait: Wait?
    do throws(LuaError) {
      (step, wait) = try generation.task.run(self) { () throws(LuaError) in
        try self.step(answer)
      }
    } catch {
      code = .ended
      throw generation.failure(error)
    }
    switch step {
    case .ended(let values):
      code = .ended
      return .finished(values)
    case .waits(let coroutine):
      code = .coroutine(coroutine)
      guard let wait else { throw CodeFailure(.notRunning) }
      return .waits(wait)
    }
  }

  private func step(_ answer: WaitAnswer) throws(LuaError) -> LuaCoroutine.Step {
    if case .coroutine(let coroutine) = code {
      let answer = LuaCoroutine.Answer(answer, opening: results)
      return try coroutine.resume(answer, limits: limits)
    }
    // Taken, so that nothing of it is copied.
    switch exchange(&code, with: .ended) {
    case .function(let function, let action, let parts):
      var arguments: [Argument] = [.value(action.scriptPayload), .context]
      if function.takes(3) || !parts.isEmpty { arguments.append(.value(action.value)) }
      if !parts.isEmpty { arguments += parts }
      return try LuaCoroutine.start(
        function, of: generation.machine, isEffect: true, arguments, limits: limits)
    case .call(let function, let arguments, let sendsResults):
      // What follows a wait isn't repeated: the answer of what waited is recorded.
      defer { limits.purity = .impure }
      return try LuaCoroutine.start(
        function, of: generation.machine, isEffect: sendsResults, arguments, limits: limits)
    case .coroutine, .ended: return .ended([])
    }
  }

  /// Returns the answer of the called command, once; nil for null.
  func takeAnswer() -> Value? {
    defer { answer = nil }
    return answer == .null ? nil : answer
  }

  func cancel() throws {
    guard case .coroutine(let coroutine) = code else { return }
    code = .ended
    do throws(LuaError) {
      _ = try generation.task.run(self) { () throws(LuaError) in
        try coroutine.cancel(limits: limits)
      }
    } catch {
      throw generation.failure(error)
    }
  }

  /// Keeps a handle until the task ends; returns its number and kind for Lua.
  private func results(opening handle: OpenHandle) -> [Argument] {
    do throws(ServiceRefusal) {
      let id = try generation.handles.add(handle)
      handles.append(id)
      return [.value(true), .value(.int(id)), .value(.string(Text(handle.kind.name)))]
    } catch {
      return ServiceReport(error, in: handle.kind.name).arguments
    }
  }
}
