import Glibc
import Moonwire
import Testing

/// Tasks of a program that prefer the host's thread.
@Suite(.timeLimit(.minutes(2))) struct TaskExecutorTests {
  private static let counter = """
    return { state = { n = 0 }, reducers = { add = function(s) s.n = s.n + 1 end } }
    """
  private static let add = Action("a/add")

  /// Whether this code runs on a thread, and so does a function without an actor that it calls.
  private static func isOn(_ thread: pthread_t) async -> Bool {
    @concurrent func current() async -> pthread_t { pthread_self() }
    let called = await current()
    return pthread_self() == thread && called == thread
  }

  @Test func `what a task does between its calls of the host runs on the host's thread`()
    async throws
  {
    let bench = try await Bench(["a.lua": Self.counter])
    let (host, session) = (bench.host, bench.session)
    let thread = await host.perform { _ in pthread_self() }
    let places = try await Task(executorPreference: host.taskExecutor) {
      var places = [await Self.isOn(thread)]
      for _ in 0..<3 {
        try await host.dispatch(Self.add, to: session)
        places.append(await Self.isOn(thread))
      }
      await Task.yield()
      async let child = Self.isOn(thread)
      return places + [await Self.isOn(thread), await child]
    }.value
    #expect(places == Array(repeating: true, count: 6))
    #expect(await !Self.isOn(thread))
    #expect(try await bench.state("a.n") == 3)
  }

  @Test(arguments: [true, false])
  func `tasks get the same outcomes with the preference and without`(isPreferring: Bool)
    async throws
  {
    let bench = try await Bench(["a.lua": Self.counter])
    let (host, session) = (bench.host, bench.session)
    let (tasks, dispatches) = (100, 50)
    let counts = try await withThrowingTaskGroup(of: [Int64].self) { group -> [Int64] in
      for _ in 0..<tasks {
        group.addTask(executorPreference: isPreferring ? host.taskExecutor : nil) {
          var counts: [Int64] = []
          for _ in 0..<dispatches {
            let outcome = try await host.dispatch(Self.add, to: session)
            counts.append(outcome.after["a"]?["n"]?.intValue ?? 0)
          }
          return counts
        }
      }
      return try await group.reduce(into: []) { all, counts in
        #expect(counts == counts.sorted())
        all += counts
      }
    }
    #expect(counts.sorted() == Array(1...Int64(tasks * dispatches)))
  }

  @Test func `a task that waits for something else doesn't hold up the host`() async throws {
    let bench = try await Bench(["a.lua": Self.counter])
    let (host, session) = (bench.host, bench.session)
    let (begun, begin) = AsyncStream<Void>.makeStream()
    let (gate, open) = AsyncStream<Void>.makeStream()
    let task = Task(executorPreference: host.taskExecutor) {
      try await host.dispatch(Self.add, to: session)
      begin.finish()
      for await _ in gate {}
      return try await host.dispatch(Self.add, to: session)
    }
    for await _ in begun {}
    try await bench.dispatch("a/add")
    open.finish()
    #expect(try await task.value.summary == ["a.n 2 → 3"])
  }

  @Test func `a task that outlives the host ends on its thread, which nothing keeps then`()
    async throws
  {
    let (gate, open) = AsyncStream<Void>.makeStream()
    var (remains, task, executor) = try await Self.outlivingHost(until: gate)
    while remains.host != nil { await Task.yield() }
    open.finish()
    #expect(await task?.value == true)
    let thread = remains.thread
    let begunLater = await Task(executorPreference: executor) { await Self.isOn(thread) }.value
    #expect(begunLater)
    (task, executor) = (nil, nil)
    while remains.executor != nil { await Task.yield() }
  }

  /// What stays behind a host.
  private struct Remains {
    weak var host: Host?
    weak var executor: (any TaskExecutor)?
    let thread: pthread_t
  }

  /// Returns a task that waits for the end of `gate`, and then says whether it has run on the
  /// thread of a host that was closed and forgotten meanwhile.
  private static func outlivingHost(
    until gate: AsyncStream<Void>
  ) async throws -> (Remains, Task<Bool, Never>?, (any TaskExecutor)?) {
    let host = try Host(directory: nil, options: Bench.quiet)
    let thread = await host.perform { _ in pthread_self() }
    let (begun, begin) = AsyncStream<Void>.makeStream()
    let task = Task(executorPreference: host.taskExecutor) {
      begin.finish()
      for await _ in gate {}
      return await isOn(thread)
    }
    for await _ in begun {}
    await host.close()
    let remains = Remains(host: host, executor: host.taskExecutor, thread: thread)
    return (remains, task, host.taskExecutor)
  }
}
