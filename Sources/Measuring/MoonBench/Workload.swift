import Moonwire

/// One of the four dispatch workloads, on modules in Lua files.
///
/// A: one field of a counter. B: one of 1,000 items of a list. C: one of 10,000 records in one of
/// 100 modules. D: a counter among the same 100 modules.
enum Workload: String, CaseIterable {
  case a = "A"
  case b = "B"
  case c = "C"
  case d = "D"

  /// The script directory's files.
  var files: [String: String] {
    switch self {
    case .a: ["counter.lua": Scripts.counter]
    case .b: ["todos.lua": Scripts.todos]
    case .c, .d: Scripts.hundredModules
    }
  }

  /// The path that the only observer selects.
  var observed: String {
    switch self {
    case .a: "counter.count"
    case .b: "todos.todos"
    case .c: "m050.records"
    case .d: "m017.count"
    }
  }

  /// Dispatches `count` new actions.
  func run(_ count: Int, on host: isolated Host, _ session: SessionID) throws {
    var random = MinimalStandard()
    switch self {
    case .a:
      for _ in 0..<count {
        try host.dispatch(Action("counter/increment", ["by": 1]), to: session)
      }
    case .b:
      for _ in 0..<count {
        let index = Value.int(random.next() % 1000)
        try host.dispatch(Action("todos/toggle", ["index": index]), to: session)
      }
    case .c:
      let keys = (0..<10_000).map { Value.string(Text(Scripts.key($0))) }
      for _ in 0..<count {
        let x = random.next()
        let payload: Value = ["key": keys[Int(x % 10_000)], "score": .int(x)]
        try host.dispatch(Action("m050/score", payload), to: session)
      }
    case .d:
      for _ in 0..<count { try host.dispatch(Action("m017/inc", ["by": 1]), to: session) }
    }
  }

  /// Returns the number by which all programs with this workload are compared.
  func checksum(of state: Value) -> Int64 {
    switch self {
    case .a: state["counter"]?["count"]?.intValue ?? -1
    case .b:
      (state["todos"]?["todos"]?.listValue ?? List()).reduce(0) { sum, item in
        sum + (item["done"] == .bool(true) ? item["id"]?.intValue ?? 0 : 0)
      }
    case .c:
      (state["m050"]?["records"]?.mapValue ?? Map()).reduce(0) { sum, entry in
        (sum + (entry.value["score"]?.intValue ?? 0)) % 1_000_000_007
      }
    case .d: state["m017"]?["count"]?.intValue ?? -1
    }
  }
}

/// The random generator of all peers: x ← 16807·x mod (2³¹ − 1), from 42 (Park and Miller, 1988).
struct MinimalStandard {
  private var x: Int64 = 42

  mutating func next() -> Int64 {
    x = x * 16_807 % 2_147_483_647
    return x
  }
}

/// The modules of the workloads.
enum Scripts {
  static let counter = """
    return require "moonwire".module {
      state = { count = 0 },
      reducers = {
        increment = function(state, payload) state.count = state.count + payload.by end,
      },
    }
    """

  static let todos = """
    local items = {}
    for i = 1, 1000 do items[i] = { id = i, text = "item " .. i, done = false } end
    return require "moonwire".module {
      state = { todos = items },
      reducers = {
        toggle = function(state, payload)
          local item = state.todos[payload.index + 1]
          item.done = not item.done
        end,
      },
    }
    """

  static let records = """
    local records = {}
    for i = 0, 9999 do
      records[("k%05d"):format(i)] = { id = i, name = "record " .. i, score = 0, active = true }
    end
    return require "moonwire".module {
      state = { records = records },
      reducers = {
        score = function(state, payload) state.records[payload.key].score = payload.score end,
      },
    }
    """

  /// One route with everything that a routing passes: a screen, an option provider, a presenter,
  /// observers and a lifecycle listener.
  static let pages = """
    local moon = require "moonwire"
    return moon.module {
      state = { appeared = 0 },
      routes = {
        ["/page/:name"] = function(route) return { title = route.params.name } end,
      },
      routing_options = { function(route, option) return nil end },
      presenters = { function(screen, route) screen.props = { shown = true } end },
      routing_observers = { { will = function() end, did = function() end } },
      lifecycle = { did_appear = function() end },
    }
    """

  /// Returns a module whose screen has a view of `size` texts.
  static func view(size: Int) -> String {
    """
    local moon = require "moonwire"
    return moon.module {
      routes = { ["/page"] = { kind = "page", screen = function() return { title = "Page" } end } },
      views = {
        page = function()
          local body = {}
          for i = 1, \(size) do body[i] = moon.ui.text("line " .. i) end
          return body
        end,
      },
    }
    """
  }

  static let increment = """
    return require "moonwire".module {
      state = { count = 0 },
      reducers = { inc = function(state, payload) state.count = state.count + payload.by end },
    }
    """

  static func name(_ number: Int) -> String { "m" + padded(number, 3) }
  static func key(_ number: Int) -> String { "k" + padded(number, 5) }

  static var hundredModules: [String: String] {
    Dictionary(
      uniqueKeysWithValues: (0..<100).map { number in
        (name(number) + ".lua", number == 50 ? records : increment)
      })
  }

  /// Returns a module of about ten kilobytes of source, of `version`, for loading and reloading.
  static func large(version: Int) -> String {
    var text = "local moon = require \"moonwire\"\nlocal version = \(version)\n"
    for number in 0..<40 {
      text += """
        local function step_\(number)(state, payload)
          if payload.kind == "item/\(number)" then
            local copy = {}
            for key, value in pairs(state.items) do copy[key] = value end
            state.count = (state.count or 0) + \(number)
            state.items = copy
          end
        end

        """
    }
    return text + """
      return moon.module {
        state = { count = 0, items = {}, version = 0 },
        reducers = {
          step = function(state, payload) step_1(state, payload) end,
          probe = function(state) state.version = version end,
        },
      }
      """
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
