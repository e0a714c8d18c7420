/// What `scripts/bench growth` makes a function do that scripts call.
///
/// Whatever a module can call must take time in proportion to its input, or else refuse it. The
/// table has every function of the references, and `FunctionGrowthTests` checks that none is
/// missing.
enum FunctionGrowth: Sendable {
  /// Lines of Lua in an effect, and the n of the smaller run.
  ///
  /// They have `n`, `text` of n bytes, `list` of n numbers, and `map` of n fields. `try` calls a
  /// function that may refuse its arguments.
  case measured(Int, String)
  /// The input has a fixed size, or the code is Lua in the module's own machine.
  case exempt(String)

  /// The functions by name; `*` stands for the rest of names whose code is alike.
  static let table: [String: FunctionGrowth] =
    services.merging(paths) { $1 }.merging(network) { $1 }.merging(host) { $1 }
    .merging(moon) { $1 }.merging(lua) { $1 }

  /// The reason for functions that do nothing but make a table.
  private static let constructor = Self.exempt("makes a table in the module's own machine")
  private static let numbers = Self.exempt("takes numbers alone")
  private static let own = Self.exempt("Lua code, which runs in the module's own machine")

  private static let services: [String: FunctionGrowth] = [
    "moon.base64.decode": .measured(20_000, "moon.base64.decode(('QUJD'):rep(n))"),
    "moon.base64.encode": .measured(50_000, "moon.base64.encode(text)"),
    "moon.crypto.bytes": .measured(10_000, "moon.crypto.bytes(n)"),
    "moon.crypto.hash": .measured(50_000, "moon.crypto.hash(text)"),
    "moon.crypto.hmac": .measured(50_000, "moon.crypto.hmac(text, text)"),
    "moon.crypto.uuid": .exempt("takes nothing"),
    "moon.crypto.verify": .measured(50_000, "try(moon.crypto.verify, 'key', text, text)"),
    "moon.entities.*": own,
    "moon.env.get": .measured(20_000, "try(moon.env.get, text)"),
    "moon.hex.decode": .measured(20_000, "moon.hex.decode(('ab'):rep(n))"),
    "moon.hex.encode": .measured(50_000, "moon.hex.encode(text)"),
    "moon.json.decode": .measured(5_000, "moon.json.decode('[' .. ('[1],'):rep(n) .. '1]')"),
    "moon.json.encode": .measured(5_000, "moon.json.encode(map)"),
    "moon.processes.lines": .measured(2_000, "try(moon.processes.lines, texts())"),
    "moon.processes.run": .measured(2_000, "try(moon.processes.run, texts())"),
    "moon.storage.clear": .measured(100, "store() moon.storage.clear('k')"),
    "moon.storage.delete": .measured(20_000, "try(moon.storage.delete, text)"),
    "moon.storage.get": .measured(20_000, "moon.storage.set('k', text) moon.storage.get('k')"),
    "moon.storage.keys": .measured(100, "store() moon.storage.keys('k', { limit = n })"),
    "moon.storage.list": .measured(100, "store() moon.storage.list('k', { limit = n })"),
    "moon.storage.set": .measured(20_000, "moon.storage.set('k', text)"),
    "moon.storage.transaction": .measured(100, "store()"),
    "moon.storage.usage": .measured(100, "store() moon.storage.usage()"),
    "moon.time.at": .measured(20_000, "try(moon.time.at, { year = 2000, zone = text })"),
    "moon.time.format": .measured(20_000, "try(moon.time.format, 0, text)"),
    "moon.time.monotonic": .exempt("takes nothing"),
    "moon.time.now": .exempt("takes nothing"),
    "moon.time.parse": .measured(20_000, "try(moon.time.parse, ('1'):rep(n))"),
    "moon.time.parts": .measured(20_000, "try(moon.time.parts, 0, text)"),
    "moon.time.utc": numbers,
    "moon.time.zone": .exempt("takes nothing"),
    "moon.uri.build": .measured(
      500, "moon.uri.build { scheme = 'http', host = 'h', path = '/', parameters = map }"),
    "moon.uri.decode": .measured(20_000, "moon.uri.decode(('%41'):rep(n))"),
    "moon.uri.encode": .measured(20_000, "moon.uri.encode(('/'):rep(n))"),
    "moon.uri.parse": .measured(
      5_000, "try(moon.uri.parse, 'http://h/p?' .. ('a=b&'):rep(n) .. 'c')"),
  ]

  /// The functions of files, whose paths may have any length.
  private static let paths: [String: FunctionGrowth] = [
    "moon.files.append": path("append"),
    "moon.files.exists": path("exists"),
    "moon.files.info": path("info"),
    "moon.files.list": path("list"),
    "moon.files.make_directory": path("make_directory"),
    "moon.files.read": path("read"),
    "moon.files.remove": path("remove"),
    "moon.files.rename": path("rename"),
    "moon.files.watch": path("watch"),
    "moon.files.write": path("write"),
  ]

  private static func path(_ name: String) -> FunctionGrowth {
    .measured(10_000, "try(moon.files.\(name), ('a/'):rep(n), 'b')")
  }

  /// The functions of the network, which refuse a URL of any length without a server.
  private static let network: [String: FunctionGrowth] = [
    "moon.http.delete": url("delete"),
    "moon.http.events": url("events"),
    "moon.http.get": url("get"),
    "moon.http.head": url("head"),
    "moon.http.open": url("open"),
    "moon.http.patch": url("patch"),
    "moon.http.post": url("post"),
    "moon.http.put": url("put"),
    "moon.http.request": url("request"),
    "moon.http.websocket": url("websocket"),
    "answer:*": parts,
    "socket:*": parts,
  ]

  private static let parts = Self.exempt(
    "needs a server; what arrives is read in parts of a fixed size")

  private static func url(_ name: String) -> FunctionGrowth {
    .measured(
      5_000,
      "try(moon.http.\(name), 'http://h/p?' .. ('a=b&'):rep(n), { query = map, headers = map })")
  }

  /// The functions of the host.
  private static let host: [String: FunctionGrowth] = [
    "print": .measured(5_000, "print(map)"),
    "self.after": .measured(5_000, "self.after(9, 'm/none', map):cancel()"),
    "self.call": .measured(20_000, "try(self.call, text)"),
    "self.can_route": .measured(10_000, "self.can_route('/' .. ('a/'):rep(n))"),
    "self.dispatch": .measured(5_000, "self.dispatch('none', map)"),
    "self.dispatch_and_wait": .measured(5_000, "self.dispatch_and_wait('none', map)"),
    "self.every": .measured(5_000, "self.every(9, 'm/none', map):cancel()"),
    "self.handle": .measured(5_000, "try(self.handle, map)"),
    "self.input": .measured(5_000, "try(self.input, text, map)"),
    "self.route": .measured(10_000, "try(self.route, '/' .. ('a/'):rep(n), map)"),
    "self.route_and_wait": .measured(
      10_000, "try(self.route_and_wait, '/' .. ('a/'):rep(n), map)"),
    "self.screen": .measured(10_000, "try(self.screen, '/' .. ('a/'):rep(n), map)"),
    "self.size": .exempt("takes nothing"),
    "self.visible_rows": .exempt("its work is the same for any number of rows"),
    "self.state": .measured(10_000, "try(self.state, ('a.'):rep(n) .. 'a')"),
    "self.top": .measured(20_000, "try(self.top, text)"),
    "task:await": .measured(200, "for i = 1, n do moon.spawn(function() end):await() end"),
    "task:cancel": .measured(
      200, "for i = 1, n do moon.spawn(function() moon.sleep(9) end):cancel() end"),
    "timer:cancel": .measured(200, "for i = 1, n do self.after(9, 'm/none'):cancel() end"),
  ]

  /// The functions of `moon` itself.
  private static let moon: [String: FunctionGrowth] = [
    "moon.all": .measured(500, "moon.all(functions())"),
    "moon.continue": .exempt("ends a durable task; its payload is passed as that of a dispatch"),
    "moon.defer": constructor,
    "moon.granted": .measured(10_000, "try(moon.granted, 'read:' .. ('a/'):rep(n))"),
    "moon.list": .measured(5_000, "moon.list(list)"),
    "moon.log.*": .measured(20_000, "moon.log.debug(text)"),
    "moon.module": .exempt("marks a table; its entries are measured by the name of their key"),
    "moon.nav.*": constructor,
    "moon.optional": constructor,
    "moon.option": constructor,
    "moon.race": .measured(500, "moon.race(functions())"),
    "moon.random": numbers,
    "moon.redirect": constructor,
    "moon.refuse": .measured(5_000, "try(moon.refuse, text, map)"),
    "moon.replace": constructor,
    "moon.route": constructor,
    "moon.show": constructor, "moon.push": constructor, "moon.modal": constructor,
    "moon.detail": constructor,
    "moon.root": constructor, "moon.back_to": constructor, "moon.none": constructor,
    "moon.sleep": numbers,
    "moon.spawn": .measured(200, "for i = 1, n do moon.spawn(function() end) end"),
    "moon.start": constructor,
    "moon.stop": constructor,
    "moon.take": .measured(20_000, "try(moon.take, ('a b'):rep(n))"),
    "moon.timeout": .measured(
      200, "for i = 1, n do moon.timeout(9, function() moon.sleep(0) end) end"),
    "moon.ui.*": constructor,
    "moon.url": .measured(5_000, "try(moon.url, text, map)"),
    "moon.when": .measured(10_000, "try(moon.when, ('a.'):rep(n) .. '..')"),
  ]

  /// The functions of Lua that look at a text or a table of any size.
  private static let lua: [String: FunctionGrowth] = [
    "load": .measured(5_000, "load(('x = 1 '):rep(n))"),
    "string.byte": .measured(2_000, "string.byte(text, 1, -1)"),
    "string.char": .measured(2_000, "string.char(string.byte(text, 1, -1))"),
    "string.find": .measured(2_000, "try(string.find, text, ('x*'):rep(20) .. 'y')"),
    "string.format": .measured(50_000, "string.format('%q', text)"),
    "string.gmatch": .measured(5_000, "for word in text:gmatch('x') do end"),
    "string.gsub": .measured(5_000, "text:gsub('x', 'yy')"),
    "string.len": .exempt("the length is known"),
    "string.lower": .measured(50_000, "text:lower()"),
    "string.match": .measured(2_000, "try(string.match, text, '(.-)y(.-)z')"),
    "string.pack": .measured(20_000, "string.pack('s', text)"),
    "string.packsize": .measured(20_000, "try(string.packsize, ('b'):rep(n))"),
    "string.rep": .measured(50_000, "string.rep('x', n)"),
    "string.reverse": .measured(50_000, "text:reverse()"),
    "string.sub": .measured(50_000, "text:sub(2)"),
    "string.unpack": .measured(20_000, "string.unpack('z', text .. '\\0')"),
    "string.upper": .measured(50_000, "text:upper()"),
    "table.concat": .measured(10_000, "table.concat(list, ',')"),
    "table.insert": .measured(5_000, "for i = 1, n do table.insert(list, i) end"),
    "table.move": .measured(10_000, "table.move(list, 1, n, 2)"),
    "table.pack": .measured(10_000, "table.pack(table.unpack(list, 1, 100))"),
    "table.remove": .measured(5_000, "for i = 1, n do table.remove(list) end"),
    "table.sort": .measured(5_000, "table.sort(list, function(a, b) return a > b end)"),
    "table.unpack": .measured(5_000, "select('#', table.unpack(list))"),
    "tonumber": .measured(20_000, "tonumber(('1'):rep(n))"),
    "utf8.char": .measured(1_000, "utf8.char(table.unpack(list))"),
    "utf8.codepoint": .measured(2_000, "utf8.codepoint(text, 1, -1)"),
    "utf8.codes": .measured(5_000, "for _, code in utf8.codes(text) do end"),
    "utf8.len": .measured(50_000, "utf8.len(text)"),
    "utf8.offset": .measured(50_000, "utf8.offset(text, n)"),
    "coroutine.*": .exempt("the coroutine's code is measured where it runs"),
    "debug.traceback": .exempt("shows a fixed number of frames"),
    "math.*": numbers,
    "os.*": .exempt("takes numbers and a format, which the sandbox checks"),
  ]
}

/// The measurements of the functions.
extension Growth {
  static let functions: [Growth] = FunctionGrowth.table.sorted { $0.key < $1.key }.compactMap {
    guard case .measured(let base, let lines) = $0.value else { return nil }
    return Growth(name: $0.key, base: base, script: { script(calling: lines, $0) }, work: .effect)
  }

  private static func script(calling lines: String, _ n: Int) -> String {
    """
    local moon = require "moonwire"
    local n = \(n)
    local function try(f, ...) return pcall(f, ...) end
    local function texts()
      local all = {}
      for i = 1, n do all[i] = "a" .. i end
      return all
    end
    local function functions()
      local all = {}
      for i = 1, n do all[i] = function() end end
      return all
    end
    local function store()
      moon.storage.transaction(function(changes)
        for i = 1, n do changes:set("k" .. i, i) end
      end)
    end
    return moon.module {
      needs = { "storage" }, state = {},
      reducers = { none = function() end },
      effects = { go = function(_, self)
        local text, list, map = ("x"):rep(n), {}, {}
        for i = 1, n do list[i], map["k" .. i] = i, "v" end
        \(lines)
      end },
    }
    """
  }
}
