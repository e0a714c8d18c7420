import CMoonLua
import Glibc
package import MoonValues

/// A Lua machine, which runs the code of one generation of a module, or of a prompt.
///
/// Its code reaches the rest of the program through ``Services`` only. A machine is confined to the
/// thread that created it, or to an actor whose calls never overlap.
package final class Machine {
  let vm: OpaquePointer
  let services: Services
  let name: String
  /// A reference that keeps it alive: each call writes into it.
  private let watchdog: Watchdog?
  private let memoryQuota: Int
  private let meter: UsageMeter
  var drafts: Drafts
  var arguments = WireWriter()
  var results = moon_buffer()
  /// The growth of the drafts of this call that C knows of, in blocks.
  private var notedGrowth = 0
  /// The binary logarithm of the number of entries in a block.
  private static let growthShift = 6
  /// Files of required libraries, to find the place of syntax errors.
  private var libraryFiles: [String] = []
  /// The name of the slice that reducers change, for C.
  let place: UnsafeMutablePointer<CChar>?

  /// Opens a machine whose scripts get `prelude`'s result for `require "moonwire"`.
  ///
  /// `name` is the name of the slice that its reducers change. `memoryQuota` is the number of bytes
  /// that its scripts may use, including what the host holds for them; 0 for no limit. All
  /// machines of a meter that share the quota have it together. `meter` records what it uses.
  ///
  /// - Throws: ``LuaError/outOfMemory``, or the error of the prelude.
  package init(
    name: String, prelude: [UInt8], settings: Value = .null, services: Services,
    watchdog: Watchdog?, seed: UInt64, memoryQuota: Int = 0, sharesQuota: Bool = false,
    meter: UsageMeter = UsageMeter(), fault: AllocationFault? = nil
  ) throws(LuaError) {
    var opened: OpaquePointer?
    var message = [UInt8](repeating: 0, count: 512)
    var encoded = WireWriter()
    encoded.write(settings)
    let prelude = CompiledTexts.form(of: prelude, chunk: "@moonwire") ?? prelude
    let status = prelude.withUnsafeBufferPointer { prelude in
      var options = moon_options()
      options.settings = encoded.bytes
      options.settings_length = encoded.count
      options.prelude = prelude.baseAddress
      options.prelude_length = prelude.count
      options.seed = seed
      options.memory_quota = memoryQuota
      options.shared_memory = sharesQuota ? meter.sharedMemory : nil
      options.fail_allocation = fault?.number ?? 0
      options.fail_after = fault?.isLasting ?? false
      var callbacks = Callbacks.table()
      return message.withUnsafeMutableBytes { text in
        moon_vm_new(
          &options, &callbacks, watchdog?.pointer, &opened,
          text.bindMemory(to: CChar.self).baseAddress, text.count)
      }
    }
    guard status == MOON_OK, let opened else {
      if status == MOON_MEMORY { throw .outOfMemory }
      let text = String(decoding: message.prefix { $0 != 0 }, as: UTF8.self)
      throw .runtime(LuaReport(text: text, frames: [], chunks: ["moonwire"]))
    }
    vm = opened
    results.owner = vm
    arguments = WireWriter(owner: vm)
    place = strdup(name)
    self.name = name
    drafts = Drafts(sliceName: name)
    self.services = services
    self.watchdog = watchdog
    self.memoryQuota = memoryQuota
    self.meter = meter
    meter.add(vm)
    moon_vm_set_context(vm, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit {
    meter.remove(vm)
    moon_buffer_free(&results)
    moon_vm_close(vm)
    free(place)
  }

  /// The memory in use, in bytes.
  package var memory: Int { moon_vm_memory(vm) }
  /// The usage of all machines that share the meter.
  package var usage: UsageMeter.Usage { meter.usage }
  /// The number of allocations so far.
  package var allocationCount: UInt64 { moon_vm_allocations(vm) }

  /// Whether a call was abandoned within Lua's own code.
  package var isAbandoned: Bool { moon_vm_is_abandoned(vm) }

  /// Compiles and runs the text of a file, and returns its results.
  ///
  /// - Throws: ``LuaError``.
  package func run(
    _ source: [UInt8], file: String, limits: CallLimits
  ) throws(LuaError) -> [Form] {
    try checkIdle()
    defer { retireDrafts() }
    var call = limits.call()
    let status = source.withUnsafeBufferPointer {
      moon_vm_run(vm, &call, $0.baseAddress, $0.count, file, &results)
    }
    try check(status, limits, chunk: file)
    return forms()
  }

  /// Runs text as an expression, else as statements, in the prompt's environment.
  ///
  /// It can't wait; see ``LuaCoroutine/evaluate(_:name:in:limits:)``.
  ///
  /// - Throws: ``LuaError``.
  package func evaluate(
    _ text: String, name: String, limits: CallLimits
  ) throws(LuaError) -> [Form] {
    try checkIdle()
    defer { retireDrafts() }
    var call = limits.call()
    let status = Array(text.utf8).withUnsafeBufferPointer {
      moon_vm_evaluate(vm, &call, $0.baseAddress, $0.count, name, nil, &results)
    }
    try check(status, limits, chunk: name)
    return forms()
  }

  /// Calls a function and returns its results, nil for nil in Lua.
  ///
  /// - Throws: ``LuaError``.
  package func call(
    _ function: LuaFunction, _ passed: [Argument], limits: CallLimits
  ) throws(LuaError) -> [Value?] {
    try checkIdle()
    defer { retireDrafts() }
    arguments.clear()
    for argument in passed { write(argument) }
    try callWithArguments(function, limits)
    return takeResults()
  }

  /// Calls a function with the arguments that `add` adds; returns its first result, nil for nil in
  /// Lua or for none.
  ///
  /// - Throws: ``LuaError``.
  package func answer(
    _ function: LuaFunction, limits: CallLimits, passing add: (ArgumentList) -> Void
  ) throws(LuaError) -> Value? {
    try checkIdle()
    defer { retireDrafts() }
    arguments.clear()
    add(ArgumentList(of: self))
    try callWithArguments(function, limits)
    var reader = WireReader(results, of: self)
    guard !reader.isAtEnd, let value = reader.takeValue() else { return nil }
    if drafts.sharesArguments, let reason = Extent.refusal(ofShared: value, Path()) {
      throw .runtime(LuaReport(message: reason, place: function.place))
    }
    return value
  }

  /// Calls a function with the arguments that were written, and leaves its results in ``results``.
  ///
  /// `place` names where they are kept, for error messages.
  ///
  /// - Throws: ``LuaError``.
  func callWithArguments(
    _ function: LuaFunction, _ limits: CallLimits, place: UnsafePointer<CChar>? = nil
  ) throws(LuaError) {
    if arguments.hasFailed { throw .outOfMemory }
    var call = limits.call(place: place)
    let status = moon_vm_call(
      vm, &call, function.reference, arguments.bytes, arguments.count, &results)
    try check(status, limits, function: function)
  }

  /// Returns the results of a call, nil for nil in Lua.
  func takeResults() -> [Value?] {
    guard results.length > 0 else { return [] }
    var reader = WireReader(results, of: self)
    var values: [Value?] = []
    while !reader.isAtEnd { values.append(reader.takeValue()) }
    return values
  }

  /// Finds the text of a library, for the callbacks.
  func library(_ name: String) throws(HostRefusal) -> Services.Library {
    let library = try services.findLibrary(name)
    libraryFiles.append(library.file)
    return library
  }

  /// Sets the error that C raises after the callback.
  func note(_ refusal: HostRefusal) {
    var text = refusal.text
    text.withUTF8 { moon_vm_fail(vm, $0.baseAddress, $0.count) }
  }

  /// Counts the growth of the drafts as memory, a block of entries at a time.
  @inline(__always)
  func noteGrowth() {
    let blocks = max(drafts.growth, 0) >> Self.growthShift
    if blocks == notedGrowth { return }
    notedGrowth = blocks
    moon_vm_note_growth(vm, UInt64(blocks) << Self.growthShift)
  }

  /// Decodes a tree that a script stores in a draft; returns its depth as well.
  func tree(
    _ item: UnsafePointer<moon_item>, _ draft: UInt32, _ key: Key
  ) throws(HostRefusal) -> (Value, depth: Int) {
    var reader = WireReader(
      UnsafeRawBufferPointer(start: item.pointee.text.bytes, count: item.pointee.text.length),
      of: self)
    let value = reader.takeValue() ?? .null
    if let reason = Extent.refusal(of: value) {
      throw .refused("\(drafts.path(draft, key)): \(reason)")
    }
    return (value, value.depth)
  }

  func insertTree(
    _ draft: UInt32, _ position: Int64, _ item: UnsafePointer<moon_item>
  ) throws(HostRefusal) -> Bool {
    let (value, depth) = try tree(item, draft, .int(position))
    return try drafts.insert(draft, position, value, depth: depth)
  }

  func callHost(
    _ function: Int32, _ bytes: UnsafeRawBufferPointer, _ out: UnsafeMutablePointer<moon_buffer>?
  ) throws(HostRefusal) {
    var reader = WireReader(bytes, of: self)
    var values: [Value?] = []
    while !reader.isAtEnd { values.append(reader.takeValue()) }
    let answers = try services.callHost(function, values)
    for answer in answers {
      switch answer {
      case .value(let value): if let out { value.write(to: &out.pointee) }
      case .data(let data): if let out { data.write(to: &out.pointee) }
      // Only calls into Lua pass these.
      case .none, .context, .function, .draft:
        withUnsafeBytes(of: UInt8(MOON_NIL.rawValue)) {
          moon_buffer_append(out, $0.baseAddress, $0.count)
        }
      case .view(let value, _) where !value.isContainer:
        if let out { value.write(to: &out.pointee) }
      case .view(let value, let name):
        try drafts.requireRoom()
        let draft = drafts.addView(value, name: name)
        noteGrowth()
        withUnsafeBytes(of: draft) { index in
          withUnsafeBytes(of: UInt8(MOON_DRAFT.rawValue)) {
            moon_buffer_append(out, $0.baseAddress, $0.count)
          }
          moon_buffer_append(out, index.baseAddress, index.count)
        }
      }
    }
  }

  /// Throws before anything changes that a call under way still needs.
  func checkIdle() throws(LuaError) {
    if moon_vm_is_busy(vm) { throw .machineIsBusy }
  }

  func write(_ argument: Argument) {
    switch argument {
    case .value(let value): arguments.write(value)
    case .data(let data): arguments.write(data)
    case .draft(let value, let name):
      if value.isContainer {
        arguments.writeDraft(drafts.addArgument(value, name: name))
      } else {
        arguments.write(value)
      }
    case .view(let value, let name):
      if value.isContainer {
        arguments.writeDraft(drafts.addView(value, name: name))
      } else {
        arguments.write(value)
      }
    case .none: arguments.writeNil()
    case .context: arguments.writeContext()
    case .function(let function): arguments.writeFunction(function.reference)
    }
  }

  func retireDrafts() {
    guard !drafts.isEmpty else { return }
    drafts.clear()
    notedGrowth = 0
    moon_vm_retire_drafts(vm)
  }

  /// Returns the results of a call as forms.
  func forms() -> [Form] {
    var reader = WireReader(results, of: self)
    var forms: [Form] = []
    while let form = reader.takeForm() { forms.append(form) }
    return forms
  }

  func check(
    _ status: moon_status, _ limits: CallLimits, chunk: String? = nil,
    function: LuaFunction? = nil
  ) throws(LuaError) {
    if status != MOON_OK { throw error(status, limits, chunk, function) }
  }

  private func error(
    _ status: moon_status, _ limits: CallLimits, _ chunk: String?, _ function: LuaFunction?
  ) -> LuaError {
    var report = LuaReport(
      text: Self.text(moon_vm_message(vm)), frames: LuaFrame.parse(Self.text(moon_vm_frames(vm))),
      chunks: (chunk.map { [$0] } ?? []) + libraryFiles)
    // Results are checked after the function has returned, when it has no frame.
    if report.place == nil { report.place = function?.place }
    if moon_vm_failed_with_value(vm), results.length <= LuaReport.valueBytesMax {
      report.value = takeResults().first ?? nil
    }
    if moon_vm_has_refused(vm) { report.noteRefusal() }
    switch status {
    case MOON_RUNTIME: return .runtime(report)
    case MOON_SYNTAX: return .syntax(report, isIncomplete: report.message.hasSuffix("<eof>"))
    case MOON_TIMEOUT: return .timedOut(report, budgetMilliseconds: limits.budgetMilliseconds)
    case MOON_QUOTA: return .memoryExceeded(report, quotaBytes: memoryQuota)
    case MOON_INTERRUPTED: return .interrupted(report)
    case MOON_DEAD: return .machineIsDead
    case MOON_BUSY: return .machineIsBusy
    default: return .outOfMemory
    }
  }

  private static func text(_ buffer: UnsafePointer<moon_buffer>?) -> String {
    guard let buffer, let bytes = buffer.pointee.bytes else { return "" }
    return String(
      decoding: UnsafeBufferPointer(start: bytes, count: buffer.pointee.length), as: UTF8.self)
  }
}
