package import Moonwire

extension HostError {
  /// The report on a host that can't be created, or that refuses a module.
  package var report: Report {
    guard case .tooLittleMemory(let shortage) = self else { return Report("\(self)") }
    let raise =
      switch shortage.limit {
      case .addressSpace: "raise the limit: ulimit -v unlimited"
      case .controlGroup: "raise the limit of the container or service"
      }
    let megabytes = shortage.quotaMax >> 20
    return Report(
      "\(self)",
      rows: [
        .init(
          "help",
          megabytes > 0 ? "\(raise), or give modules less: --limit memory=\(megabytes)MB" : raise)
      ])
  }
}

extension Report {
  /// Returns the report on limitations of this machine.
  package static func notices(endsEveryCall: Bool) -> [Report] {
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
