import MoonTerminal
import Moonwire

/// The answer to a command that moves through the timeline or changes it.
struct TimelineAnswer: PromptAnswer {
  /// The `kind` of its record: the command's name.
  let kind: String
  let outcome: Outcome
  /// The timeline afterwards.
  let timeline: Timeline
  /// A note on what else was done, in a few words.
  var note: String?

  var step: StateStep? { StateStep(from: outcome.before, to: outcome.after) }
  var screenDisplay: ScreenDisplay { .whenNew }
  var hasFailures: Bool { !outcome.failures.isEmpty || !outcome.faults.isEmpty }

  func lines(_ layout: TextLayout) -> [String] {
    (note.map { [layout.dim($0)] } ?? []) + [timeline.standing(layout)] + layout.anyChanges(step)
  }

  var record: Map? {
    var map = timeline.standingRecord
    map["kind"] = .string(Text(kind))
    map["changes"] = JSONRecord.changes(outcome.changes)
    map["following"] = .int(Int64(outcome.followingCount))
    map["note"] = note.map(JSONRecord.text)
    map["failures"] = JSONRecord.failures(outcome.failures, outcome.faults)
    return map
  }
}

extension Timeline {
  /// The shown moment in words: `paused at 12/40, after #31 counter/add`.
  func standing(_ layout: TextLayout) -> String {
    let place = "\(position)/\(count)"
    let modes =
      (isLocked ? [", locked"] : []) + (isPaused ? [", takes no steps"] : [])
    let text = isPast ? layout.style.paint("paused at \(place)", .warning) : "at \(place)"
    return text + layout.dim(moment + modes.joined())
  }

  private var moment: String {
    guard isPast else { return ", the latest state" }
    guard position > 0 else { return ", before \(steps.first?.title ?? "everything")" }
    return ", after \(steps[position - 1].title)"
  }

  /// The shown moment for programs.
  var standingRecord: Map {
    var map: Map = [
      "position": .int(Int64(position)), "count": .int(Int64(count)), "paused": .bool(isPast),
    ]
    if isLocked { map["locked"] = true }
    if isPaused { map["takes_steps"] = false }
    return map
  }
}

extension TimelineStep {
  /// The number and the type of the action.
  var title: String {
    "#\(id) \(action.type)" + (others.isEmpty ? "" : " and \(others.count) more")
  }
}

extension PromptSession {
  /// Forgets what came after the shown moment, and lets the session go on from there.
  ///
  /// - Throws: ``PromptError/timeline(_:)``
  func cutTimeline() async throws(PromptError) {
    _ = try await travelling("timeline") { (host, id) throws(TimelineError) in
      _ = try host.carryOut(.cut, in: id)
      // An open control holds the session still at the latest state, too.
      return try host.carryOut(.lock(false), in: id)
    }
  }

  /// Goes through the timeline, or changes it.
  ///
  /// - Throws: ``PromptError/timeline(_:)``
  func travelling(
    _ kind: String, note: String? = nil,
    _ body: @Sendable (isolated Host, SessionID) throws(TimelineError) -> Outcome
  ) async throws(PromptError) -> TimelineAnswer {
    do throws(TimelineError) {
      return try await host.perform { [id] (host) throws(TimelineError) in
        let outcome = try body(host, id)
        guard let timeline = host.timeline(of: id) else { throw .noSession }
        return TimelineAnswer(kind: kind, outcome: outcome, timeline: timeline, note: note)
      }
    } catch {
      throw .timeline(error)
    }
  }
}

/// The answer to `:timeline export`.
struct TimelineExport: PromptAnswer {
  let file: String
  let count: Int

  func lines(_ layout: TextLayout) -> [String] {
    [layout.dim("\(Wording.counted(count, "step")) written to \(TerminalText.singleLine(file))")]
  }

  var record: Map? {
    [
      "kind": "timeline-export", "file": .string(Text(file)), "steps": .int(Int64(count)),
    ]
  }
}
