import Glibc
import Moonwire

/// Publishes `count` events that nobody reads.
func publish(_ count: Int) {
  let readers = Readers<HostEvent>()
  let processor = Usage.processorTime
  for number in 0..<count { readers.tell(.screenChanged(SessionID(number: number), nil)) }
  let used = Usage.processorTime - processor
  print("{\"peer\":\"moonwire\",\"workload\":\"publish\",\"n\":\(count),\"cpu_s\":\(used)}")
}

/// Loads and watches `count` modules, reports it, and does nothing until the input ends.
///
/// Without modules there is no host either.
func idle(_ count: Int) async throws {
  var files: [String: String] = [:]
  for number in 0..<count { files["m\(number).lua"] = Scripts.increment }
  // Inside a folder of its own, since other programs change what is beside it.
  let outer = ScriptFolder([:])
  let folder = outer.makeFolder(named: "scripts", files)
  let host = count == 0 ? nil : try Host(directory: folder.path)
  try await host?.watch()
  try await host?.load()
  if let session = await host?.openSession() {
    try await host?.dispatch(Action("m0/inc", ["by": 1]), to: session)
  }
  let loaded = await host?.moduleInfos().filter { $0.status == .running }.count ?? 0
  let isPolling = await host?.watchNotice != nil
  print("{\"what\":\"idle\",\"modules\":\(loaded),\"polling\":\(isPolling)}")
  fflush(nil)
  while readLine() != nil {}
  await host?.close()
}
