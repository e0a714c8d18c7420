import MoonLua
import MoonModules
import MoonServiceKit
import MoonValues

/// What Lua gets of results.
extension ServiceResult {
  /// True and the results.
  var arguments: [Argument] {
    switch self {
    case .held(let held): held.result.arguments
    case .several(let parts): [.value(.bool(true))] + parts.map(\.argument)
    case .nothing, .value, .bytes, .list, .fields: [.value(.bool(true)), argument]
    }
  }

  /// Returns the result, if it isn't too large.
  ///
  /// - Throws: ``ServiceRefusal/answerTooLarge(bytes:max:)``.
  func checked(max: Int) throws(ServiceRefusal) -> Self {
    let bytes = byteCount
    guard bytes <= max else { throw .answerTooLarge(bytes: bytes, max: max) }
    return self
  }

  private var argument: Argument {
    if case .nothing = self { .none } else { .data(data) }
  }

  private var data: HostData {
    switch self {
    case .nothing: .value(.null)
    case .value(let value): .value(value)
    case .bytes(let bytes): .bytes(bytes)
    case .list(let elements), .several(let elements): .list(elements.map(\.data))
    case .held(let held): held.result.data
    case .fields(let fields):
      .fields(
        fields.compactMap { field in
          if case .nothing = field.content { nil } else { (field.name, field.content.data) }
        })
    }
  }
}

/// What Lua gets of failures.
extension ServiceReport {
  /// False, the code and the reason.
  var arguments: [Argument] {
    [.value(.bool(false)), .value(.string(Text(code))), .value(.string(Text(reason)))]
  }
}

extension LuaCoroutine.Answer {
  /// Makes what Lua gets of the answer to a wait; `open` keeps a handle and returns the results for
  /// it.
  init(_ answer: WaitAnswer, opening open: (OpenHandle) -> [Argument]) {
    self =
      switch answer {
      case .begin: .values([])
      case .values(let values): .values(values.map { $0.map { .value($0) } ?? .none })
      case .failure(let message): .failure(message)
      case .service(.success(.result(let result))): .values(result.arguments)
      case .service(.success(.opened(let handle))): .values(open(handle))
      case .service(.failure(let failure)): .values(failure.arguments)
      case .recorded(let value): RecordedAnswer.answer(value)
      }
  }
}
