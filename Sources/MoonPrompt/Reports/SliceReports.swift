import MoonTerminal
import Moonwire

extension SliceError {
  /// The report on a slice that can't be restored or deleted.
  var report: Report {
    switch self {
    case .fault(let fault): return fault.report
    case .notFound: return Report("\(self)", rows: [.init("help", ":slices lists them")])
    case .misshapen(let module, _):
      let help = "raise the `version` of \(module), and bring it into shape with `migrate`"
      return Report("\(self)", rows: [.init("help", help)])
    case .notRunning: return Report("\(self)", rows: [.init("help", ":modules lists them")])
    case .incompatible(_, let version, let current, _):
      let help =
        version < current
        ? "add a `migrate` that takes version \(version)"
        : "it comes back by itself with version \(version) of the module"
      return Report("\(self)", rows: [.init("help", help)])
    }
  }
}

extension Report {
  /// Returns the report on slices that don't fit the module's version.
  ///
  /// `version` is the version of the module.
  init(newStateOf module: ModuleName, version: Int64, besides versions: [Int64]) {
    let versions = Set(versions).sorted()
    let names = Wording.list(versions.map(String.init))
    self.init(
      .warning,
      "the state of \(module) starts over: \(module) has version \(version), and its saved state"
        + " has version \(names)",
      rows: [
        .init("meanwhile", "the saved slice is put aside, and kept in the state file"),
        .init(
          "help",
          versions.last { $0 < version }.map {
            "add a `migrate`, save, and :restore-slice \(module) \($0)"
          } ?? "run the modules that have written it, or :drop-slice \(module) \(versions[0])"),
      ])
  }
}

extension Report {
  /// Returns the report on a slice of an earlier run that doesn't have its module's shape.
  ///
  /// `version` is the version of the module.
  init(misshapen module: ModuleName, version: Int64, _ refusal: SliceRefusal) {
    self.init(
      .warning, "the state of \(module) starts over: \(refusal)",
      rows: [
        .init("meanwhile", "the saved slice is put aside, and kept in the state file"),
        .init(
          "help",
          "raise the `version`, add a `migrate`, save, and :restore-slice \(module) \(version)"),
      ])
  }
}

extension SliceChange {
  /// Returns the change of the slice in words, for the line of a reload.
  func text(_ style: Style) -> String {
    switch self {
    case .none: ""
    case .kept: "state kept"
    case .filled(let paths): "state kept +\(Wording.counted(paths.count, "new key"))"
    case .migrated(let from, let to): "state v\(from)→v\(to) migrated"
    case .putAside(let from, let to):
      style.paint("state v\(from) put aside", .warning) + ", v\(to) starts over: "
        + (to < from ? "the version went back" : "there is no migrate")
    case .swapped(let from, let to):
      style.paint("state v\(to) is back", .good) + ", v\(from) put aside"
    case .returned(let version): style.paint("state v\(version) is back", .good)
    case .incompatible(let versions):
      style.paint("state starts over", .warning) + ", put aside: "
        + versions.map { "v\($0)" }.joined(separator: ", ")
    case .misshapen: style.paint("state put aside", .warning) + ", it doesn't fit its shape"
    case .added: "state is new"
    }
  }
}
