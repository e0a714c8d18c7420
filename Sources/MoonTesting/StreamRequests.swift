import Moonwire

/// The requests of a test about the streams and connections that it opens for modules.
struct StreamRequests {
  private let answers: TestAnswers

  init(_ answers: TestAnswers) { self.answers = answers }

  /// Opens what a call requests; the answer is its number.
  func open(_ name: String, number: Int?, _ facts: Map) -> FunctionTestRun.Reply {
    switch TestAnswers.kind(of: name) {
    case .stream, .opening: break
    case nil: return .failure("there is no moon.\(name) that a test can open")
    default: return .failure("moon.\(name) opens nothing: answer it with t.answer")
    }
    let handle = AnsweredHandle(facts)
    guard answers.answer(name, number: number, with: .success(.opened(handle))) else {
      return .failure("this call of moon.\(name) doesn't wait any more")
    }
    return .value(.int(Int64(answers.add(handle, for: name))))
  }

  /// Carries out a method of what the test has opened.
  func carryOut(_ request: Map) -> FunctionTestRun.Reply {
    let number = request["number"]?.intValue.map { Int(clamping: $0) } ?? 0
    guard let handle = answers.opened(number) else { return .failure("the test hasn't opened it") }
    do throws(AnsweredHandle.Misuse) {
      switch request["method"]?.stringValue {
      case "send": try handle.send(request["values"]?.listValue.map(Array.init) ?? [])
      case "close": try handle.end()
      case "fail": try handle.end(TestedFailure(request))
      case "is_closed": return .value(.bool(handle.isClosed))
      default:
        return handle.receive().map { .value(.map($0)) } ?? .failure("the module has sent nothing")
      }
      return .value(.null)
    } catch {
      return .failure("nothing can arrive: \(error)")
    }
  }
}
