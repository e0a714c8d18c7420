import Dispatch
import Glibc
import MoonLink
import MoonPrompt
import MoonTerminal
import Moonwire
import Synchronization

/// The prompt of a running host: it reads lines here, and the host carries them out.
struct AttachedPrompt: Sendable {
  let host: AttachedHost
  let source: LineSource

  /// Reads and carries out lines; returns the exit code.
  func run() async -> Int32 {
    while true {
      host.beginReading()
      if let line = await host.askBefore(answer) {
        guard let code = await carryOut(line) else { continue }
        return code
      }
      switch await source.next(prompt: host.labels.first) {
      case .success(.line(let line)):
        guard let code = await carryOut(line) else { continue }
        return code
      case .success(.endOfInput): return 0
      case .success(.quit): if Signals.quitJob() { return ExitStatus.signal(SIGQUIT) }
      case .success: continue
      case .failure(let error):
        host.output.printNotice(Report("\(error)"))
        return ExitStatus.noInput
      }
    }
  }

  /// Carries out a line, with as many more as it needs; returns the exit code if it was the last.
  private func carryOut(_ line: String) async -> Int32? {
    var text = line
    for count in 1...PromptLoop.continuationCountMax {
      let (status, shown): (String, [Value])
      do throws(LinkError) {
        (status, shown) = try await host.run(text, answer)
      } catch {
        host.output.printNotice(error.report)
        return source.author == .person ? nil : error.code
      }
      if status == "incomplete", count < PromptLoop.continuationCountMax,
        let more = await readMore()
      {
        text += "\n" + more
        continue
      }
      await source.record(text)
      if status == "incomplete", source.author == .person { return nil }
      for piece in shown { host.show(piece) }
      if status == "left" { return 0 }
      return status == "done" || source.author == .person ? nil : ExitStatus.dataError
    }
    return nil
  }

  /// Has a person answer a question of the host.
  private func answer(_ question: String) async -> String? {
    host.beginReading()
    return await source.answer(question)
  }

  /// Reads the line that continues a piece; nil if there is none.
  private func readMore() async -> String? {
    host.beginReading()
    guard case .success(.line(let line)) = await source.next(prompt: host.labels.more),
      source.author == .script || !line.allSatisfy(\.isWhitespace)
    else { return nil }
    return line
  }
}

extension AttachedHost {
  /// The maximum time for which a key waits for its completion.
  private static let completionTime: DispatchTimeInterval = .seconds(1)

  /// Returns the completion of a word; blocks the thread that edits the line.
  func completion(of line: String, cursor: Int) -> Completion {
    let isDone = DispatchSemaphore(value: 0)
    let box = CompletionBox()
    Task.detached {
      let answer = try? await self.call(
        "prompt/complete", ["line": .string(Text(line)), "cursor": .int(Int64(cursor))])
      box.completion.withLock { $0 = Completion(answer ?? .null) }
      isDone.signal()
    }
    _ = isDone.wait(timeout: .now() + Self.completionTime)
    return box.completion.withLock { $0 }
  }
}

private final class CompletionBox: Sendable {
  let completion = Mutex(Completion.none)
}

extension Completion {
  /// Reads the result of `prompt/complete`.
  fileprivate init(_ value: Value) {
    self.init(
      replaceFrom: Int(clamping: value["from"]?.intValue ?? 0),
      candidates: (value["candidates"]?.listValue ?? List()).map {
        Candidate(
          $0["text"]?.stringValue ?? "", suffix: $0["suffix"]?.stringValue ?? "",
          note: $0["note"]?.stringValue)
      })
  }
}

extension LinkError {
  /// The exit code.
  var code: Int32 {
    switch self {
    case .refused: ExitStatus.dataError
    case .noHost, .ended, .silent, .foreignHost, .foreignFolder: ExitStatus.unavailable
    case .pathTooLong, .notASocket, .inUse, .system: ExitStatus.cannotCreate
    }
  }
}
