import Glibc

/// The environment that the process was started with.
package enum ProcessEnvironment {
  /// The variables by name.
  package static let variables: [String: String] = {
    var result: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
      let pair = String(cString: text).split(separator: "=", maxSplits: 1)
      if pair.count == 2 { result[String(pair[0])] = String(pair[1]) }
      if pair.count == 1 { result[String(pair[0])] = "" }
      entry += 1
    }
    return result
  }()
}
