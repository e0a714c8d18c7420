package import MoonActions
package import MoonModules
package import MoonServiceKit
package import MoonTasks
package import MoonValues

/// The machines in which durable tasks run, one for each.
///
/// Confined to the host.
package protocol DurableMachines: AnyObject {
  /// Returns the generation of a module in service, its main file, and its files with their
  /// contents in the form of a journal, by hash; nil if nothing is known of them.
  func code(of module: ModuleName) -> ModuleCode?
  /// Returns whether a task began on other files than its module in service has; false if nothing
  /// is known of those.
  func isOutdated(_ beginning: DurableTask.Beginning) -> Bool
  /// Returns what a task has learned, for code that takes over from it.
  func progress(of task: DurableTask) -> Value
  /// Makes the run of a task in a machine of its own, from contents of files.
  ///
  /// - Throws: The reason that the code can't be loaded.
  func run(of task: DurableTask, _ contents: Map, in session: Session) throws -> any EffectRun
  /// Returns an answer in the form of a journal.
  func encoded(_ answer: WaitAnswer) -> Value
  /// Returns the answer for a call that was cut off, in the form of a journal.
  func cutOff(_ name: String) -> Value
  /// Returns a fresh random number.
  func random() -> UInt64
}

/// The durable tasks of a session whose commits are kept.
///
/// Confined to the host.
package final class DurableTasks {
  unowned let session: Session
  let machines: any DurableMachines
  let record: (Value) -> Void
  var tasks: [Int64: DurableTask] = [:]
  private var lastNumber: Int64
  /// The id of the last action of the earlier run.
  private let lastFormerID: Int64
  /// The contents of the files that tasks need, by hash.
  ///
  /// The journal has all of them.
  private(set) var contents: Map
  /// The actions that aren't settled, by their latest id: the task, and the id at first.
  var unsettled: [Int64: (task: Int64, first: Int64)] = [:]
  /// The commands whose endings are held back.
  var answered = AnsweredCommands()
  /// The tasks as the journal has them, until they resume.
  var kept: KeptTasks
  /// The actions whose outcome a part waits for, with the outcome of those that were carried out.
  private(set) var asked: [Int64: KeptTasks.Asked]

  /// Makes the tasks of a session; `kept` are those of an earlier run.
  package init(
    of session: Session, _ kept: KeptTasks, on machines: any DurableMachines,
    record: @escaping (Value) -> Void
  ) {
    self.session = session
    self.machines = machines
    self.record = record
    self.kept = kept
    lastNumber = kept.lastNumber
    lastFormerID = session.lastID
    contents = kept.files
    asked = kept.asked
    for (number, task) in kept.tasks {
      for (first, latest) in task.unsettled { unsettled[latest] = (number, first) }
    }
  }

  // MARK: Beginning

  /// Begins the task of an effect for an action, at its first turn.
  ///
  /// Its beginning is recorded at once, with the commit of the action.
  func begin(_ effect: Bound<Effect>, on action: Action) {
    do throws(TaskError) {
      try start(effect, on: action)
    } catch {
      session.caller.note(
        session.caller.fault(CodeFailure(.raised(error.text)), effect, action))
    }
  }

  @discardableResult
  private func start(
    _ effect: Bound<Effect>, on action: Action
  ) throws(TaskError) -> DurableTask {
    guard tasks.count < KeptTasks.countMax else {
      throw TaskError("\(KeptTasks.countMax) durable tasks run already")
    }
    let own = tasks.values.map(\.beginning).filter { $0.module == effect.owner }
    let (countMax, owner) = (KeptTasks.moduleCountMax, effect.owner)
    guard own.count < countMax else {
      throw TaskError("\(countMax) durable tasks of module \(owner) run already")
    }
    let othersMax = TaskLimits.others(of: countMax)
    guard
      !action.isOthers(to: owner) || own.count < othersMax
        || own.count(where: { $0.action.isOthers(to: owner) }) < othersMax
    else { throw TaskError("\(othersMax) durable tasks of \(owner) run already for other modules") }
    guard let code = machines.code(of: effect.owner) else {
      throw TaskError("nothing is known of the files of module \(effect.owner)")
    }
    let part = try session.tasks.makeTask(effect, on: action)
    lastNumber += 1
    let key = [machines.random(), machines.random()].map(\.digits).joined()
    let beginning = DurableTask.Beginning(
      number: lastNumber, module: effect.owner, effect: effect.registration.name, action: action,
      generation: code.generation, files: code.files, file: code.file,
      seed: Int64(bitPattern: machines.random()), key: Text(key),
      since: session.environment.clock.now())
    for (hash, text) in code.contents where contents[hash] == nil {
      contents[hash] = text
      record(["file": .string(hash.text), "contents": text])
    }
    let task = DurableTask(beginning, TaskLog(), .live, record: record)
    tasks[beginning.number] = task
    task.note(["begin": beginning.value])
    part.durable = task.admit(part)
    do {
      part.run = try machines.run(of: task, contents, in: session)
    } catch {
      finish(task, "failed")
      throw TaskError("the effect can't begin: \(error)")
    }
    session.tasks.add(part)
    session.tasks.makeReady(part, .begin)
    return task
  }

  /// Ends a task and restarts it with another payload, on the code in service.
  func beginAnew(_ task: DurableTask, with payload: Value) {
    let beginning = task.beginning
    guard let effect = effect(of: beginning) else { return }
    var action = beginning.action
    action.payload = payload
    begin(effect, on: action)
    finishWhenSettled(task, "continued")
  }

  /// Returns the effect of a task in its module in service.
  func effect(of beginning: DurableTask.Beginning) -> Bound<Effect>? {
    guard let module = session.modules[beginning.module]?.module else { return nil }
    return module.effects.first {
      $0.durability != nil && $0.registration.name == beginning.effect
    }.map { Bound($0, of: module) }
  }

  /// Gives a command that a task has called the keys of its own calls.
  package func give(_ keys: CallKeys, to command: TaskID) {
    session.tasks[command]?.origin.callKeys = keys
  }

  /// Returns what happens to the calls of a task that were cut off.
  package func retry(of task: DurableTask) -> Durability.Retry {
    effect(of: task.beginning)?.part.durability?.retry ?? .again
  }

  // MARK: Ending

  /// Notes that a part has ended, and the task with the last one.
  func noteEnd(of member: DurableTask.Member, _ ending: EffectTask.Ending) {
    guard member.task.noteEnd(), case .live = member.task.mode else { return }
    finishWhenSettled(member.task, Text(ending.values.first??.stringValue ?? "finished"))
  }

  /// Removes a task from the journal once the actions that it has dispatched are settled.
  ///
  /// They would otherwise be lost with it.
  func finishWhenSettled(_ task: DurableTask, _ ending: Text) {
    let isNews = task.ending == nil && !task.log.hasEnding
    task.ending = ending
    if !isUnsettled(task) {
      finish(task, ending)
    } else if isNews {
      task.noteRepeated(["ending": .string(ending)])
    }
  }

  /// Returns whether a task has dispatched actions that aren't settled.
  func isUnsettled(_ task: DurableTask) -> Bool {
    unsettled.values.contains { $0.task == task.beginning.number }
  }

  /// Settles the actions of a task that the earlier run dispatched and this one hasn't.
  func dropFormerActions(of task: DurableTask) {
    for (id, sender) in unsettled
    where sender.task == task.beginning.number && id <= lastFormerID { noteFailed(id) }
  }

  private func noteSettled(_ number: Int64) {
    guard let task = tasks[number], let ending = task.ending else { return }
    finishWhenSettled(task, ending)
  }

  /// Removes a task from the journal.
  func finish(_ task: DurableTask, _ ending: Text) {
    task.noteRepeated(["end": .string(ending)])
    task.mode = .stopped
    tasks[task.beginning.number] = nil
    unsettled = unsettled.filter { $0.value.task != task.beginning.number }
  }

  /// Stops a task without running its code any further; the journal keeps it.
  func stop(_ task: DurableTask) {
    task.mode = .stopped
    DurableTurns(session.tasks).drop(task)
  }

  /// Stops the tasks of modules that leave or are suspended, or that end with the program.
  package func stop(of modules: Set<ModuleName>) {
    for task in tasks.values where modules.contains(task.beginning.module) { stop(task) }
  }

  // MARK: Actions

  /// Notes the actions that a task has dispatched.
  package func noteSent(_ ids: ClosedRange<Int64>, by task: DurableTask) {
    for id in ids { unsettled[id] = (task.beginning.number, id) }
  }

  /// Notes that recorded actions were dispatched again.
  package func noteSentAgain(
    _ first: ClosedRange<Int64>, as ids: ClosedRange<Int64>, by task: DurableTask
  ) {
    let number = task.beginning.number
    unsettled = unsettled.filter { $0.value.task != number || !first.contains($0.value.first) }
    for (old, new) in zip(first, ids) {
      unsettled[new] = (number, old)
      task.noteRepeated(["again": [.int(old), .int(new)]])
    }
  }

  /// Returns whether actions that a call has dispatched aren't settled.
  package func areUnsettled(_ ids: ClosedRange<Int64>, of task: DurableTask) -> Bool {
    unsettled.values.contains { $0.task == task.beginning.number && ids.contains($0.first) }
  }

  /// Notes that actions were committed, which the journal shows by itself.
  func noteCommit(_ actions: [Action]) {
    guard !unsettled.isEmpty || !asked.isEmpty else { return }
    for action in actions {
      let sender = unsettled.removeValue(forKey: action.meta.id)
      if let sender { noteSettled(sender.task) }
      // The changes are in the journal, and its readers need nothing else.
      if asked[action.meta.id]?.outcome == nil {
        asked[action.meta.id]?.outcome = ["status": "done", "changes": []]
      }
    }
  }

  /// Notes that a part waits for the outcome of the action that is dispatched next.
  func noteAsked(by member: DurableTask.Member) {
    let id = session.lastID + 1
    asked[id] = KeptTasks.Asked(task: member.task.beginning.number, part: member.number)
    member.task.note(["asked": .int(Int64(member.number)), "id": .int(id)])
  }

  /// Notes the answer to the wait of a part.
  func noteAnswer(to member: DurableTask.Member, _ answer: WaitAnswer) {
    asked = asked.filter {
      $0.value.task != member.task.beginning.number || $0.value.part != member.number
    }
    member.task.noteAnswer(to: member.number, machines.encoded(answer))
  }

  /// Notes that an action failed or was dropped.
  func noteFailed(_ action: Action) {
    noteFailed(action.meta.id)
    noteTaken(action.meta.id)
  }

  private func noteFailed(_ id: Int64) {
    guard let (number, _) = unsettled.removeValue(forKey: id), let task = tasks[number] else {
      return
    }
    task.noteRepeated(["settled": .int(id)])
    noteSettled(number)
  }

  /// Notes that actions of this run have left the queue without being carried out.
  ///
  /// - Complexity: O(queued actions) if any action of a task isn't settled, or if a command waits
  ///   for some.
  func noteDrops() {
    let isUnsettled = unsettled.contains { $0.key > lastFormerID }
    guard isUnsettled || !answered.isEmpty else { return }
    var queued: Set<Int64> = []
    session.forEachQueued {
      queued.insert($0.action.meta.id)
      queued.formUnion($0.others.map(\.meta.id))
    }
    for id in unsettled.keys.sorted() where id > lastFormerID && !queued.contains(id) {
      noteFailed(id)
    }
    endAnswered { !queued.contains($0) }
  }

  // MARK: Answers of commands

  /// Holds back the ending of a command that a durable task has called while actions are queued;
  /// returns false if it ends now.
  func holdEnding(of command: EffectTask, _ ending: EffectTask.Ending) -> Bool {
    guard command.effect.registration.kind == .command, let asker = command.origin.asker,
      asker.ending == nil, let caller = command.origin.parent,
      session.tasks[caller]?.durable != nil
    else { return false }
    if case .cancelled = ending { return false }
    var actions: Set<Int64> = []
    session.forEachQueued { actions.insert($0.action.meta.id) }
    guard !actions.isEmpty else { return false }
    asker.ending = ending
    session.tasks.release(command)
    command.run = nil
    session.tasks.hold(command, until: .turn)
    answered.add(command.id, after: actions)
    return true
  }

  /// Notes that an action has left the queue, and ends the commands that have waited for it.
  func noteTaken(_ id: Int64) {
    if !answered.isEmpty { endAnswered { $0 == id } }
  }

  /// Ends the commands that wait for no other actions, each at its next turn.
  private func endAnswered(where hasLeft: (Int64) -> Bool) {
    for id in answered.removeActions(where: hasLeft) {
      guard let command = session.tasks[id], command.standing == .alive else { continue }
      session.tasks.release(command)
      session.tasks.makeReady(command, .begin)
    }
  }

  // MARK: States

  /// The tasks in the header of a whole state; nil if there are none.
  package var header: Value? {
    let logs =
      kept.tasks.isEmpty ? tasks.mapValues(\.log.entries) : kept.tasks.mapValues(\.entries)
    let entries = logs.sorted { $0.key < $1.key }.flatMap(\.value)
    guard !entries.isEmpty else { return lastNumber == 0 ? nil : ["last": .int(lastNumber)] }
    dropUnusedFiles(entries)
    return [
      "last": .int(lastNumber), "files": .map(contents), "entries": .list(List(entries)),
      "unsettled": .list(
        List(unsettled.map { [.int($0.value.task), .int($0.value.first), .int($0.key)] })),
      "asked": .list(List(asked.map { $1.value(of: $0) })),
    ]
  }

  private func dropUnusedFiles(_ entries: [Value]) {
    var used: Set<Key> = []
    for case .map(let files)? in entries.map({ $0["begin"]?["files"] }) {
      for case (_, .string(let hash)) in files { used.insert(.string(hash)) }
    }
    contents = Map(contents.filter { used.contains($0.key) }.map { ($0.key, $0.value) })
  }
}

extension Effect {
  /// Makes a run of the code for an action.
  ///
  /// - Throws: The error of the code.
  package func run(on action: Action, in session: Session) throws -> any EffectRun {
    try body(
      action, SessionContext(session, BoundRegistration(registration, of: .navigation)))
  }
}

extension EffectTask {
  /// The number, key and generation of the durable task that this one is a part of; nil if it is
  /// none.
  package var durableFacts: Value? {
    guard let beginning = durable?.task.beginning else { return nil }
    return [
      "number": .int(beginning.number), "key": .string(beginning.key),
      "generation": .int(Int64(beginning.generation)),
    ]
  }
}

extension UInt64 {
  fileprivate var digits: String {
    let text = String(self, radix: 16)
    return String(repeating: "0", count: 16 - text.count) + text
  }
}

extension Key {
  fileprivate var text: Text {
    if case .string(let text) = self { text } else { "" }
  }
}
