import CMoonLua
package import MoonValues

/// A coroutine of a machine that waits for an answer of the host or hasn't begun.
package struct LuaCoroutine {
  private let machine: Machine
  private var reference: Int32 = MOON_NO_REFERENCE

  private init(of machine: Machine) { self.machine = machine }

  /// Makes the coroutine for a reference from the prelude's `begin`; nil if the number can't be a
  /// reference.
  package init?(reference: Int64, of machine: Machine) {
    guard let reference = Int32(exactly: reference), reference > 0 else { return nil }
    self.machine = machine
    self.reference = reference
  }

  /// The result of starting or resuming a coroutine.
  package enum Step {
    /// The coroutine waits.
    ///
    /// The host function that it called has received the reason.
    case waits(LuaCoroutine)
    /// The coroutine has returned these values, nil for nil in Lua.
    case ended([Value?])
  }

  /// The answer to a wait.
  package enum Answer {
    /// The wait returns these values.
    case values([Argument])
    /// The wait raises an error with this message.
    case failure(String)
  }

  /// Calls a function as a coroutine that can wait.
  ///
  /// The library handles the results of an effect, so there are none.
  ///
  /// - Throws: ``LuaError``.
  package static func start(
    _ function: LuaFunction, of machine: Machine, isEffect: Bool = false, _ passed: [Argument],
    limits: CallLimits
  ) throws(LuaError) -> Step {
    try machine.checkIdle()
    defer { machine.retireDrafts() }
    machine.arguments.clear()
    for argument in passed { machine.write(argument) }
    if machine.arguments.hasFailed { throw .outOfMemory }
    var call = limits.call()
    var coroutine = LuaCoroutine(of: machine)
    let status = moon_vm_start(
      machine.vm, &call, function.reference, isEffect, machine.arguments.bytes,
      machine.arguments.count,
      &coroutine.reference, &machine.results)
    try machine.check(status, limits, function: function)
    return coroutine.step
  }

  /// Begins the coroutine, or resumes it with the answer to its wait.
  ///
  /// - Throws: ``LuaError``; the coroutine has then ended.
  package func resume(_ answer: Answer, limits: CallLimits) throws(LuaError) -> Step {
    try resumed(answer, limits).step
  }

  /// Resumes the coroutine; returns it as it is then.
  private func resumed(
    _ answer: Answer, _ limits: CallLimits, isEvaluation: Bool = false
  ) throws(LuaError) -> LuaCoroutine {
    try machine.checkIdle()
    defer { machine.retireDrafts() }
    machine.arguments.clear()
    switch answer {
    case .values(let values):
      machine.arguments.write(.bool(true))
      for value in values { machine.write(value) }
    case .failure(let message):
      machine.arguments.write(.bool(false))
      machine.arguments.write(.string(Text(message)))
    }
    if machine.arguments.hasFailed { throw .outOfMemory }
    var call = limits.call()
    var coroutine = self
    let status = moon_vm_resume(
      machine.vm, &call, &coroutine.reference, isEvaluation, machine.arguments.bytes,
      machine.arguments.count, &machine.results)
    try machine.check(status, limits)
    return coroutine
  }

  /// Ends the coroutine and runs the `__close` handlers of its variables.
  ///
  /// - Throws: ``LuaError``, also for an error in a handler.
  package func cancel(limits: CallLimits) throws(LuaError) {
    try machine.checkIdle()
    defer { machine.retireDrafts() }
    var call = limits.call()
    var coroutine = self
    try machine.check(moon_vm_cancel(machine.vm, &call, &coroutine.reference), limits)
  }

  private var hasEnded: Bool { reference == MOON_NO_REFERENCE }
  private var step: Step { hasEnded ? .ended(machine.takeResults()) : .waits(self) }
}

// MARK: - Evaluation

extension LuaCoroutine {
  /// The result of starting or resuming text that a person has typed.
  package enum Evaluation {
    case waits(LuaCoroutine)
    case ended([Form])
  }

  /// Runs text as an expression, else as statements, in the prompt's environment, as a coroutine
  /// that can wait.
  ///
  /// - Throws: ``LuaError``.
  package static func evaluate(
    _ text: String, name: String, in machine: Machine, limits: CallLimits
  ) throws(LuaError) -> Evaluation {
    try machine.checkIdle()
    defer { machine.retireDrafts() }
    var call = limits.call()
    var coroutine = LuaCoroutine(of: machine)
    let status = Array(text.utf8).withUnsafeBufferPointer {
      moon_vm_evaluate(
        machine.vm, &call, $0.baseAddress, $0.count, name, &coroutine.reference, &machine.results)
    }
    try machine.check(status, limits, chunk: name)
    return coroutine.evaluation
  }

  /// Resumes the text with the answer to its wait.
  ///
  /// - Throws: ``LuaError``; the coroutine has then ended.
  package func goOn(_ answer: Answer, limits: CallLimits) throws(LuaError) -> Evaluation {
    try resumed(answer, limits, isEvaluation: true).evaluation
  }

  private var evaluation: Evaluation { hasEnded ? .ended(machine.forms()) : .waits(self) }
}
