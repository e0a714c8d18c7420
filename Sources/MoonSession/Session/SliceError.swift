package import MoonModules
package import MoonServiceKit

/// The reason that a slice which is put aside can't be restored or dropped.
package enum SliceError: Error, Sendable, Equatable {
  /// No slice of this version is put aside; `others` are the versions that are.
  case notFound(ModuleName, version: Int64, others: [Int64])
  /// The module isn't in service.
  case notRunning(ModuleName)
  /// The module is at version `current`, and its `migrate` is missing or can't go back.
  case incompatible(ModuleName, version: Int64, current: Int64, migrates: Bool)
  /// The slice doesn't have the module's shape.
  case misshapen(ModuleName, SliceRefusal)
  /// The module's `migrate` failed.
  case fault(Fault)
}

extension SliceError: CustomStringConvertible {
  /// One sentence.
  package var description: String {
    switch self {
    case .notFound(let module, let version, let others):
      "no slice of \(module) with version \(version) is put aside"
        + (others.isEmpty ? "" : ": there are \(others.map(String.init).joined(separator: ", "))")
    case .notRunning(let module): "module \(module) isn't in service"
    case .incompatible(let module, let version, let current, let migrates):
      "the slice has version \(version) and \(module) has version \(current)"
        + (migrates ? ", and `migrate` can't go back" : " and no `migrate`")
    case .misshapen(let module, let refusal):
      "the slice can't be that of \(module): \(refusal)"
    case .fault(let fault): "`migrate` of \(fault.module) failed"
    }
  }
}
