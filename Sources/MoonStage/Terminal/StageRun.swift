import CMoonCurses
import Glibc
import MoonFiles
import Synchronization

/// A stage on the terminal of this program, from its beginning to its end.
package final class StageRun: Sendable {
  /// How a terminal is used.
  package struct Options: Sendable {
    package var hasColors = true
    package var hasMouse = true
    /// Whether the terminal shows images, by the graphics protocol of kitty.
    package var hasImages = false
    package var theme = StageTheme()
    /// The descriptors of the terminal.
    package let input: Int32
    package let output: Int32
    /// The type of the terminal, as in `TERM`.
    package let type: String

    package init(input: Int32, output: Int32, type: String) {
      (self.input, self.output, self.type) = (input, output, type)
    }
  }

  /// The maximum number of keys that are taken before what follows from them is shown.
  private static let keyCountMax = 1_000
  /// The maximum number of texts of modules that wait to be shown; further ones are dropped.
  private static let printedCountMax = 100
  /// The time after which a person is told that the host is busy.
  private static let waitMax: Duration = .milliseconds(500)
  private static let stackBytes = 8 << 20

  private struct Inbox {
    var events: [StageEvent] = []
    var printedCount = 0
    var isEnding = false
  }

  private let host: StageHost
  private let options: Options
  private let inbox = Mutex(Inbox())
  private let calls: AsyncStream<StageCall>
  private let caller: AsyncStream<StageCall>.Continuation

  package init(_ host: StageHost, _ options: Options) {
    (self.host, self.options) = (host, options)
    (calls, caller) = AsyncStream.makeStream(of: StageCall.self)
    host.begin { [weak self] in self?.post($0) }
  }

  /// Shows the app until the person leaves, or the terminal is gone.
  ///
  /// - Throws: ``StageTerminal/Problem``
  package func run() async throws(StageTerminal.Problem) {
    try StageTerminal.open(options)
    defer { end() }
    // One after another, as the host carries them out.
    let calling = Task { [calls, host] in
      for await call in calls {
        let clock = Task {
          try await Task.sleep(for: Self.waitMax)
          post(.waits)
        }
        let result = await host.call(call)
        clock.cancel()
        post(.answered(call, result))
      }
    }
    await withCheckedContinuation { continuation in
      do throws(SystemError) {
        try SystemThread(stackBytes: Self.stackBytes) { [self] in
          work()
          continuation.resume()
        }.detach()
      } catch {
        continuation.resume()
      }
    }
    calling.cancel()
    caller.finish()
    host.cancelCalls()
  }

  /// Gives the terminal back; may be called by any thread, and more than once.
  package func end() {
    inbox.withLock { $0.isEnding = true }
    mcurses_close()
    mcurses_wake()
  }

  /// Shows text that the host has printed.
  package func print(_ text: String) { post(.printed(text)) }

  private func post(_ event: StageEvent) {
    inbox.withLock { inbox in
      if case .printed = event {
        guard inbox.printedCount < Self.printedCountMax else { return }
        inbox.printedCount += 1
      }
      inbox.events.append(event)
    }
    mcurses_wake()
  }

  private func takeEvents() -> (events: [StageEvent], isEnding: Bool) {
    inbox.withLock { inbox in
      defer { (inbox.events, inbox.printedCount) = ([], 0) }
      return (inbox.events, inbox.isEnding)
    }
  }

  // MARK: The thread

  private func work() {
    let size = StageTerminal.size
    var stage = Stage(
      columns: size.columns, rows: size.rows, cell: options.hasImages ? StageTerminal.cell : nil)
    var former: Canvas?
    var images = TerminalImages()
    _ = perform(stage.begin(), on: &stage)
    while true {
      let picture = stage.picture
      if picture != former {
        StageTerminal.show(picture, after: former, &images)
        former = picture
      }
      var event = mcurses_next(true)
      var count = 0
      while event.kind != mcurses_nothing {
        if event.kind == mcurses_gone { return }
        if event.kind == mcurses_stop { mcurses_stop_for_a_while() }
        // The program goes on, or what was on the terminal isn't known.
        if event.kind == mcurses_resized, event.code != 0 {
          mcurses_repaint()
          former = nil
        }
        if let found = StageEvent(event) {
          let effects = stage.take(found)
          if effects.contains(.repaint) || effects.contains(.stopForAWhile) { former = nil }
          guard perform(effects, on: &stage) else { return }
        }
        count += 1
        guard count < Self.keyCountMax else { break }
        event = mcurses_next(false)
      }
      let (events, isEnding) = takeEvents()
      if isEnding { return }
      for event in events {
        if case .answered = event {
          stage.bar.callCount -= 1
          stage.bar.isWaiting = false
        }
        guard perform(stage.take(event), on: &stage) else { return }
      }
    }
  }

  /// Returns false if the stage ends.
  private func perform(_ effects: [StageEffect], on stage: inout Stage) -> Bool {
    for effect in effects {
      switch effect {
      case .call(let call):
        stage.bar.callCount += 1
        caller.yield(call)
      case .later(let call):
        Task {
          try? await Task.sleep(for: .seconds(1))
          post(.due(call))
        }
      case .cancelCalls: host.cancelCalls()
      case .stopForAWhile: mcurses_stop_for_a_while()
      case .repaint: mcurses_repaint()
      case .beep: mcurses_beep()
      case .leave: return false
      }
    }
    return true
  }

  // MARK: Without a terminal

  /// The maximum time that a picture waits for tasks that run at first.
  private static let tasksTimeMax: Duration = .seconds(5)
  private static let tasksInterval: Duration = .milliseconds(20)

  /// Returns what a terminal of a size would show first, once what runs at the start has ended.
  package static func picture(of host: StageHost, columns: Int, rows: Int) async -> Canvas {
    var stage = Stage(columns: columns, rows: rows)
    for effect in stage.begin() { await perform(effect, of: host, on: &stage) }
    let start = ContinuousClock.now
    while stage.bar.taskCount > 0, ContinuousClock.now - start < tasksTimeMax {
      try? await Task.sleep(for: tasksInterval)
      await perform(.call(StageCall(.tasks, "task/list")), of: host, on: &stage)
    }
    // It is drawn again, for what has changed meanwhile.
    await perform(.call(StageCall(.subscribe, "screen/subscribe")), of: host, on: &stage)
    return stage.picture
  }

  private static func perform(
    _ effect: StageEffect, of host: StageHost, on stage: inout Stage
  ) async {
    guard case .call(let call) = effect else { return }
    for case .call(let next) in stage.take(.answered(call, await host.call(call))) {
      _ = stage.take(.answered(next, await host.call(next)))
    }
  }
}

extension StageEvent {
  /// Makes the event of what a terminal sends; nil if it means nothing to a stage.
  fileprivate init?(_ event: mcurses_event) {
    switch event.kind {
    case mcurses_character: self = .key(StageKey(scalar: event.code))
    case mcurses_key: self = .key(StageKey(code: event.code))
    case mcurses_pressed: self = .press(row: Int(event.row), column: Int(event.column))
    case mcurses_wheel_up: self = .wheel(-3)
    case mcurses_wheel_down: self = .wheel(3)
    case mcurses_pasted: self = .paste(StageTerminal.pasted)
    case mcurses_resized:
      let size = StageTerminal.size
      self = .resize(columns: size.columns, rows: size.rows)
    default: return nil
    }
  }
}
