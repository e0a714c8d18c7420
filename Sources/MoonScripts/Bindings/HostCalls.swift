package import MoonLua
package import MoonServiceKit
package import MoonValues

/// The calls of the host by the code of one machine.
///
/// Confined to the host.
package struct HostCalls {
  /// The module whose code the machine has; nil for the machine of the prompt.
  package let module: ModuleName?
  /// The task whose code runs in the machine.
  package let task: RunningTask
  package let bindings: Bindings
  /// The durable task that the machine is for, whose log has the calls; nil if it is for none.
  var durable: DurableCalls?

  /// Makes the receiver of the calls of a module; nil means the prompt.
  package init(
    module: ModuleName?, task: RunningTask, bindings: Bindings, durable: DurableCalls? = nil
  ) {
    self.module = module
    self.task = task
    self.bindings = bindings
    self.durable = durable
  }

  /// Calls a function by its number.
  package func call(_ number: Int32, _ arguments: [Value?]) throws(HostRefusal) -> [Argument] {
    guard let function = HostFunctions.numbered(number) else {
      throw .refused("the host has no function \(number)")
    }
    if module == nil, let reason = function.promptRefusal { throw .refused(reason) }
    let call = HostCall(
      function: function, arguments: arguments, module: module, caller: task.run,
      canWait: task.canWait, bindings: bindings)
    let answer = if let durable { try durable.answer(call) } else { try call.make() }
    switch answer {
    case .results(let results): return results
    case .waits(let wait):
      if !task.canWait { _ = try call.run() }
      task.wait = wait
      return []
    }
  }
}
