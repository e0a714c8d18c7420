public import MoonRouting
import MoonValues

extension RoutingError: CustomStringConvertible {
  /// One sentence: the URL, the route that took it, and why it wasn't routed.
  public var description: String {
    let how = pattern.map { " by \($0) of \(module.map(\.text) ?? "the host")" } ?? ""
    return "\(url) can't be routed\(how): \(reason.sentence)"
  }
}

extension RoutingError.Reason {
  fileprivate var sentence: String {
    switch self {
    case .malformed(let error): error.sentence
    case .noRoute(let nearest):
      "no route takes it" + (nearest.map { "; did you mean \($0)?" } ?? "")
    case .suspended(let module):
      "only \(module) takes it, which is suspended: it failed too often in a row"
    case .declined(let patterns):
      "all that takes it declined: " + patterns.map(\.string).joined(separator: ", ")
    case .handlersOnly(let patterns):
      "only handlers take it, which make no screen: "
        + patterns.map(\.string).joined(separator: ", ")
    case .vetoed(let module, _, let reason):
      "an observer of \(module) vetoed it" + (reason.map { ": \($0)" } ?? "")
    case .redirectLoop(let urls):
      "redirected in a circle: " + urls.map(\.string).joined(separator: " → ")
    case .tooManyRedirects(let urls, let max):
      "redirected more than \(max) times: " + urls.map(\.string).joined(separator: " → ")
    case .fault(let fault): fault.description
    case .noPresenter(let option, let nearest):
      "nobody presents screens with the option '\(option)'"
        + (nearest.map { "; did you mean '\($0)'?" } ?? "")
    case .navigation(let problem): problem.description
    }
  }
}

extension NavigationProblem: CustomStringConvertible {
  /// A few words.
  public var description: String {
    switch self {
    case .refused(let error): "\(error)"
    case .malformed(let error): "\(error)"
    }
  }
}

extension RouteRequestError {
  /// A few words.
  public var sentence: String {
    switch self {
    case .tooLong(let max): "it is longer than \(max) bytes"
    case .tooManySegments(let max): "its path has more than \(max) components"
    case .tooManyParameters(let max): "it has more than \(max) parameters"
    case .invalidUTF8(let offset): "the bytes at \(offset + 1) aren't UTF-8"
    case .malformedEscape(let offset):
      "the % at character \(offset + 1) isn't followed by two hexadecimal digits"
    case .unexpectedByte(let byte, let offset):
      byte == UInt8(ascii: "#")
        ? "it has a second # at character \(offset + 1)"
        : "it has a control character at character \(offset + 1)"
    case .invalidPort(let offset): "the port at character \(offset + 1) isn't a number"
    }
  }
}

extension RouteURLError {
  /// One line.
  public var sentence: String {
    switch self {
    case .unknownRoute(let name): "no route has the name '\(name)'"
    case .missingParameter(let name, let pattern): "\(pattern) needs the parameter '\(name)'"
    case .wrongType(let name, let expected, let pattern):
      "'\(name)' of \(pattern) must be of the type \(expected.name)"
    case .emptyParameter(let name, let pattern): "'\(name)' of \(pattern) can't be empty"
    case .unsupportedValue(let name, let pattern):
      "'\(name)' of \(pattern) can't be a table or nothing"
    case .plusInParameter(let name, let pattern):
      "'\(name)' of \(pattern) has a +, which would be read as a space"
    case .ambiguousGroups(let pattern): "which groups of \(pattern) are meant can't be told"
    case .tooLong(let pattern): "the URL for \(pattern) would be too long"
    }
  }
}
