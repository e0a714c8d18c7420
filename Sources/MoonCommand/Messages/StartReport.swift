import MoonTerminal
import Moonwire

/// What there is to tell when the program starts, or why it can't.
extension Report {
  /// The host can't be made, or refuses a module.
  init(_ error: HostError) {
    switch error {
    case .noThread: self.init("the system has no thread left for the host")
    case .nameTaken(let name): self.init("there is a module \(name) already")
    case .refusedState(let name, let refusal):
      self.init("the state of \(name) can't be used: \(refusal)")
    case .tooLittleMemory(let shortage): self.init(shortage)
    }
  }

  private init(_ shortage: MemoryShortage) {
    let (source, raise) =
      switch shortage.limit {
      case .addressSpace: ("`ulimit -v`", "raise the limit: ulimit -v unlimited")
      case .controlGroup: ("the control group", "raise the limit of the container or service")
      }
    let (left, needed) = (shortage.bytesLeft, shortage.bytesNeeded)
    let megabytes = shortage.quotaMax >> 20
    self.init(
      "\(source) leaves \(Messages.size(left)) of memory, and the host needs"
        + " \(Messages.size(needed)) to hold a module to its \(Messages.size(shortage.quota))",
      rows: [
        .init(
          "help",
          megabytes > 0 ? "\(raise), or give modules less: --limit memory=\(megabytes)MB" : raise)
      ])
  }

  /// The program can't even begin.
  init(_ error: ProcessSetupError) {
    switch error {
    case .descriptors(let left, let code):
      self.init(
        "the program may open only \(Messages.counted(left, "file")) more, and needs"
          + " \(ProcessSetup.descriptorCountNeeded): \(SystemError(code: code))",
        rows: [.init("help", "raise the limit: ulimit -n 256")])
    case .threads(let left, let code):
      self.init(
        "the program may start only \(Messages.counted(left, "thread")) more, and needs"
          + " \(ProcessSetup.threadCountNeeded): \(SystemError(code: code))",
        rows: [.init("help", "raise the limit: ulimit -u, or that of the service or container")])
    }
  }

  /// What is to be known of the machine that the host runs on.
  static func notices(endsEveryCall: Bool) -> [Report] {
    if endsEveryCall { return [] }
    return [
      Report(
        .warning, "some calls of modules can't be ended in time here",
        detail: "Lua is linked into the program, or the processor is neither x86-64 nor AArch64",
        rows: [
          .init(
            "meanwhile", "a module that keeps Lua's compiler or collector busy holds up the host")
        ])
    ]
  }
}

extension Report.Row {
  /// What to do about a slice that is refused; nil for other errors.
  init?(forRefused error: RestoreError) {
    guard case .refusedSlice(let name, let refusal) = error else { return nil }
    self.init(allowing: refusal, of: name)
  }

  /// How the slice of a module may be larger; nil if that isn't what it needs.
  init?(allowing refusal: SliceRefusal, of module: String) {
    guard case .tooLarge(let max) = refusal else { return nil }
    self.init("help", "to allow more, add --limit \(module):state=\(Swift.max(1, max >> 19))MB")
  }
}
