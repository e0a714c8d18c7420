// Hummingbird's RouterTrie, which its Router uses for every request, without the request. The
// trie's builder is behind @_spi(Internal), which Hummingbird's own benchmark uses, too.
//
//   RouteBench FILE SECONDS     one line of JSON, like all programs of `scripts/bench routes`
import Glibc
@_spi(Internal) import Hummingbird

struct Visit {
  let url: String
  let route: Int
  let parameters: [(name: Substring, value: Substring)]
}

func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

func residentKilobytes() -> Int {
  guard let file = fopen("/proc/self/statm", "r") else { return 0 }
  defer { fclose(file) }
  var line = [CChar](repeating: 0, count: 256)
  guard fgets(&line, 256, file) != nil else { return 0 }
  let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
  return pages * Int(getpagesize()) / 1024
}

func read(_ path: String) -> (patterns: [String], visits: [Visit]) {
  guard let file = fopen(path, "r") else { return ([], []) }
  defer { fclose(file) }
  var patterns: [String] = []
  var visits: [Visit] = []
  var line: UnsafeMutablePointer<CChar>?
  var capacity = 0
  defer { free(line) }
  while getline(&line, &capacity, file) > 0, let start = line {
    let text = String(cString: start).dropLast()
    let fields: [Substring] = text.split(separator: "\t", omittingEmptySubsequences: false)
    if fields[0] == "P" {
      // A wildcard has no name here.
      let star = fields[2].firstIndex(of: "*")
      patterns.append(star.map { fields[2][..<$0] + "**" } ?? String(fields[2]))
    } else {
      let pairs = fields[3].split(separator: "&").map {
        pair -> (name: Substring, value: Substring) in
        let equals = pair.firstIndex(of: "=") ?? pair.endIndex
        return (name: pair[..<equals], value: pair[equals...].dropFirst())
      }
      visits.append(Visit(url: String(fields[1]), route: Int(fields[2]) ?? -2, parameters: pairs))
    }
  }
  return (patterns, visits)
}

func isRight(_ visit: Visit, _ found: (value: Int, parameters: Parameters)?) -> Bool {
  guard let found else { return visit.route == -1 }
  guard found.value == visit.route else { return false }
  return visit.parameters.allSatisfy { name, value in
    found.parameters[name] == value
      || found.parameters.getCatchAll().joined(separator: "/") == value
  }
}

let arguments = CommandLine.arguments
guard arguments.count == 3, let seconds = Double(arguments[2]) else {
  print("usage: RouteBench FILE SECONDS")
  exit(64)
}
let (patterns, visits) = read(arguments[1])
let resident = residentKilobytes()
let start = processorTime()
let builder = RouterPathTrieBuilder<Int>()
for (index, pattern) in patterns.enumerated() {
  builder.addEntry(RouterPath(pattern), value: index)
}
let trie = builder.build()
let build = processorTime() - start
let memory = residentKilobytes() - resident
let wrong = visits.count { !isRight($0, trie.resolve($0.url)) }

func measure(_ trie: RouterTrie<Int>, _ urls: [String]) -> Double {
  var count = 0
  var sum = 0
  let start = processorTime()
  var used = 0.0
  repeat {
    for url in urls { sum &+= trie.resolve(url)?.value ?? -1 }
    count += urls.count
    used = processorTime() - start
  } while used < seconds
  precondition(sum != .min)
  return used / Double(count) * 1e9
}
let nanoseconds = measure(trie, visits.map(\.url))
print(
  """
  {"peer":"hummingbird (Swift)","build_ms":\(build * 1e3),"ns_match":\(nanoseconds),\
  "rss_kb":\(memory),"wrong":\(wrong),"rejected":0}
  """)
