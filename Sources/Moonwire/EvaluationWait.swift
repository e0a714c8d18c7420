import MoonActions
import MoonModules
import MoonScripts
import MoonServiceKit
import MoonSession
import MoonTasks

/// A wait of text that was typed at the prompt.
///
/// It is a task with no code but the wait: the text goes on between two actions, where it may
/// dispatch some and see what they have done.
final class EvaluationWait: EffectRun {
  private let wait: Wait
  private var answer: ((WaitAnswer?) -> Void)?

  private init(_ wait: Wait, then answer: @escaping (WaitAnswer?) -> Void) {
    self.wait = wait
    self.answer = answer
  }

  deinit { finish(nil) }

  /// Begins a wait; the answer is nil if it was cancelled or took longer than `time`.
  static func begin(
    _ wait: Wait, in session: Session, within time: Duration?,
    then answer: @escaping (WaitAnswer?) -> Void
  ) {
    let run = EvaluationWait(wait, then: answer)
    let timeline = session.timeTravel.timeline
    guard !timeline.isStill else { return run.finish(.failure("\(timeline.refusal)")) }
    do throws(TaskError) {
      try session.tasks.begin(
        run, as: BoundRegistration(Console.registration, of: .prompt), on: Action("prompt/line"),
        by: nil, for: EffectTask.Asker(within: time) { _ in })
    } catch {
      run.finish(.failure(error.text))
    }
  }

  func resume(with answer: WaitAnswer, at place: () -> TaskPlace) throws -> EffectStep {
    if case .begin = answer { return .waits(wait) }
    finish(answer)
    return .finished([])
  }

  func cancel() throws { finish(nil) }

  private func finish(_ result: WaitAnswer?) {
    answer?(result)
    answer = nil
  }
}
