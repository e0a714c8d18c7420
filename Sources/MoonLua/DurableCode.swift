import CMoonLua

/// What machines of durable tasks need beside others.
extension Machine {
  /// Refuses the clocks of Lua's own for good.
  package func refuseClocks() { moon_vm_refuse_clocks(vm) }

  /// The place of the code that calls the host, such as `orders.lua:12`; empty if there is none.
  package var callingPlace: String {
    var text = [UInt8](repeating: 0, count: 256)
    text.withUnsafeMutableBytes {
      moon_vm_place(vm, $0.bindMemory(to: CChar.self).baseAddress, $0.count)
    }
    return String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
  }
}
