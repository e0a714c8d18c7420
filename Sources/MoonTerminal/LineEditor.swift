import CMoonEdit
import Glibc
import Synchronization

/// An editor for lines typed at a terminal, with editing keys, history and completion.
///
/// Other threads can print above the line.
///
/// One thread reads, and is blocked while the user types. Only one editor may be open in the
/// process at a time, because libedit keeps its description of the terminal in global state.
package final class LineEditor: Sendable {
  /// A function that proposes candidates for a line and the byte offset of the cursor in its UTF-8.
  package typealias Completer = @Sendable (_ line: String, _ cursor: Int) -> Completion

  // Set once. The thread inside `readLine` or `record` uses it, and `reading` admits one at a time.
  // The only call from other threads is `medit_wake`, which is made for that, and `self` is alive
  // during it. Only `deinit` frees it, when no thread can be in a method.
  nonisolated(unsafe) private let handle: OpaquePointer
  private let descriptors: TerminalDescriptors
  private let style: Style
  private let completer: Completer
  private let shared = Mutex(Shared())
  private let recorder: Mutex<HistoryRecorder>
  private let ambiguity = Mutex<CompletionChoice.Ambiguity?>(nil)
  private let reading = Atomic(false)

  /// Opens an editor on the terminal behind `descriptors`, which must stay open while it is used.
  ///
  /// Reads the history file, and sets the process's `LC_CTYPE` to a UTF-8 locale.
  ///
  /// - Parameters:
  ///   - descriptors: Input and output must be terminals.
  ///   - options: Settings of the editor.
  ///   - completer: Called on the reading thread when Tab is pressed.
  ///   - onHistoryFailure: Called at most once, on the thread that opens or reads, when the history
  ///     file can't be used. The editor then keeps the history in memory only.
  /// - Throws: ``LineEditorError``
  /// - Complexity: O(bytes of the history file).
  package init(
    on descriptors: TerminalDescriptors, options: Options = Options(),
    completer: @escaping Completer = { _, _ in .none },
    onHistoryFailure: @escaping @Sendable (HistoryError) -> Void = { _ in }
  ) throws(LineEditorError) {
    guard isatty(descriptors.input) == 1, isatty(descriptors.output) == 1 else {
      throw .notATerminal
    }
    let opened = medit_open(
      descriptors.input, descriptors.output, options.terminalType,
      Int32(HistoryFile.entryCountMax))
    guard let opened else { throw .unavailable }
    handle = opened
    self.descriptors = descriptors
    style = options.style
    self.completer = completer
    recorder = Mutex(HistoryRecorder(file: options.history, onFailure: onHistoryFailure))
    medit_set_callbacks(handle, callbacks())
    switch options.bindings {
    case .user: medit_source(handle, nil)
    case .file(let path): medit_source(handle, path)
    case .none: break
    }
    for entry in recorder.withLock({ $0.load() }) { medit_remember(handle, entry) }
  }

  deinit {
    medit_close(handle)
  }

  /// Returns whether lines can be edited on these descriptors.
  ///
  /// Both must be terminals, and `TERM` must name one that can move its cursor. Otherwise, read
  /// with ``PlainLineReader``.
  package static func isUsable(
    input: Int32, output: Int32, environment: [String: String]
  ) -> Bool {
    guard let type = environment["TERM"], !type.isEmpty, type != "dumb" else { return false }
    return isatty(input) == 1 && isatty(output) == 1
  }

  /// Sets the function, one for the whole process, that is called on the reading thread before an
  /// editor suspends the program, as by Ctrl-Z.
  package static func beforeStop(_ hook: @convention(c) () -> Void) { medit_before_stop(hook) }

  /// Reads one line, blocking the calling thread until it is finished.
  ///
  /// A paste may put newlines into it. Must not be called while another call is in progress.
  ///
  /// - Parameters:
  ///   - prompt: May hold colours (SGR escapes). Its newlines and other controls are shown as
  ///     spaces.
  ///   - recording: Whether the line enters the history.
  /// - Returns: The line, or how reading ended without one.
  package func readLine(prompt: String, recording: Recording = .line) -> ReadResult {
    enter()
    defer { leave() }
    beginEditing(prompt)
    var text: UnsafePointer<CChar>?
    var length = 0
    let outcome = medit_read(handle, PromptText(prompt).marked, &text, &length)
    let line = String(
      decoding: UnsafeRawBufferPointer(start: text, count: length), as: UTF8.self)
    endEditing()
    switch outcome {
    case medit_outcome_line:
      if recording == .line { remember(line) }
      return .line(line)
    case medit_outcome_interrupted: return .interrupted
    case medit_outcome_interrupted_empty: return .interruptedEmptyLine
    case medit_outcome_quit: return .quit
    default: return .endOfInput
    }
  }

  /// Adds `entry` to the history, in memory and in the file.
  ///
  /// An entry is ignored if it is blank, begins with a space or equals the one before. Must be
  /// called on the reading thread, between two lines.
  package func record(_ entry: String) {
    enter()
    defer { leave() }
    remember(entry)
  }

  /// Writes `text`, above the line being typed if there is one.
  ///
  /// May be called from any thread at any time. While a line is being typed, a newline is added if
  /// `text` doesn't end with one. `text` may hold colours; pass text from scripts through
  /// ``TerminalText/sanitized(_:)`` first. A stream that isn't a terminal gets `text` directly.
  /// Text for a closed stream is dropped.
  package func printAbove(_ text: String, to stream: Stream = .output) {
    if stream == .error, isatty(descriptors.error) != 1 {
      _ = Descriptor.write(text, to: descriptors.error)
      return
    }
    let mustWake = shared.withLock { shared in
      guard shared.isEditing else {
        write([.init(text: text, stream: stream)], in: &shared)
        return false
      }
      return shared.queue.add(.init(text: text, stream: stream)) == .first
    }
    if mustWake { medit_wake(handle) }
  }
}

extension LineEditor {
  /// Replaces the prompt of the line being typed, if it is `old`.
  ///
  /// May be called from any thread at any time.
  package func replacePrompt(_ old: String, with new: String) {
    let mustWake = shared.withLock { shared in
      guard shared.isEditing, old != new, shared.prompt == old else { return false }
      shared.prompt = new
      shared.isPromptNew = true
      return true
    }
    if mustWake { medit_wake(handle) }
  }
}

// MARK: - Reading

extension LineEditor {
  /// The state that threads share.
  private struct Shared {
    var isEditing = false
    var isAtLineStart = true
    /// The prompt of the line being typed.
    var prompt = ""
    /// Whether the prompt has changed since it was drawn.
    var isPromptNew = false
    var queue = PrintQueue()
  }

  private func enter() {
    let entered = reading.compareExchange(
      expected: false, desired: true, ordering: .acquiring)
    precondition(entered.exchanged, "a LineEditor is used by one thread at a time")
  }

  private func leave() {
    reading.store(false, ordering: .releasing)
  }

  private func remember(_ line: String) {
    guard let entry = recorder.withLock({ $0.record(line) }) else { return }
    medit_remember(handle, entry)
  }

  private func beginEditing(_ prompt: String) {
    ambiguity.withLock { $0 = nil }
    shared.withLock { shared in
      // The prompt must be drawn from the first column on.
      if !shared.isAtLineStart { write([.init(text: "\n", stream: .output)], in: &shared) }
      shared.isEditing = true
      shared.prompt = prompt
      shared.isPromptNew = false
    }
  }

  private func endEditing() {
    shared.withLock { shared in
      shared.isEditing = false
      shared.isAtLineStart = true
      write(shared.queue.takeAll(), in: &shared)
    }
  }
}

// MARK: - Printing

extension LineEditor {
  private func write(_ texts: [PrintQueue.Text], in shared: inout Shared) {
    for text in texts where !text.text.isEmpty {
      write(text)
      shared.isAtLineStart = text.text.utf8.last == UInt8(ascii: "\n")
    }
  }

  private func write(_ text: PrintQueue.Text) {
    let descriptor = text.stream == .output ? descriptors.output : descriptors.error
    // If the terminal is gone, reading ends, and no one is left to get the error.
    _ = Descriptor.write(text.text, to: descriptor)
  }

  private func printAroundLine(_ texts: [PrintQueue.Text], prompt: String? = nil) {
    guard !texts.isEmpty || prompt != nil else { return }
    medit_clear(handle)
    if let prompt { medit_set_prompt(handle, PromptText(prompt).marked) }
    for text in texts { write(text.endingInNewline) }
    medit_redraw(handle)
  }

  private func printQueued() {
    let (texts, prompt) = shared.withLock { shared in
      defer { shared.isPromptNew = false }
      return (shared.queue.takeAll(), shared.isPromptNew ? shared.prompt : nil)
    }
    printAroundLine(texts, prompt: prompt)
  }
}

// MARK: - Completion

extension LineEditor {
  private func complete(_ bytes: UnsafeRawBufferPointer, cursor: Int) {
    let line = String(decoding: bytes, as: UTF8.self)
    let choice = CompletionChoice(
      of: completer(line, cursor), line: line, cursor: cursor,
      after: ambiguity.withLock { $0 })
    ambiguity.withLock { $0 = choice.ambiguity }
    switch choice.action {
    case .refuse: medit_beep(handle)
    case .insert(let text, let replacedCount):
      medit_replace(handle, replacedCount, text)
      if choice.ambiguity != nil { medit_beep(handle) }
    case .list(let candidates):
      let columns = TerminalSize.columns(of: descriptors.output, environment: [:])
      let list = CandidateList(candidates, columns: columns, style: style)
      printAroundLine([.init(text: list.text, stream: .output)])
    }
  }
}

// MARK: - Callbacks

extension LineEditor {
  private func callbacks() -> medit_callbacks {
    var callbacks = medit_callbacks()
    callbacks.context = Unmanaged.passUnretained(self).toOpaque()
    callbacks.wake = { LineEditor.from($0)?.printQueued() }
    callbacks.complete = { context, line, length, cursor in
      LineEditor.from(context)?.complete(
        UnsafeRawBufferPointer(start: line, count: length), cursor: cursor)
    }
    return callbacks
  }

  /// Returns the editor of a callback, which is inside `readLine` and hence alive.
  private static func from(_ context: UnsafeMutableRawPointer?) -> LineEditor? {
    guard let context else { return nil }
    return Unmanaged<LineEditor>.fromOpaque(context).takeUnretainedValue()
  }
}
