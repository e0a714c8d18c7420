import Moonwire

/// The types of Lua's own names, as far as the sandbox has them.
///
/// lua-language-server knows all of Lua's; `.luarc.json` turns its own off, so that what scripts
/// can't reach isn't proposed.
enum StandardTypes {
  /// Returns the annotations.
  static var text: String {
    let libraries = ScriptNames.libraries.keys.sorted()
    let functions = declarations.split(separator: "\n").map { line in
      let parts = line.split(separator: " ", maxSplits: 1)
      return "---@type \(parts[1])\n\(parts[0]) = any"
    }
    return
      (["local any"] + libraries.map { "---@class \($0)lib\n\($0) = {}" } + [generics]
      + functions).joined(separator: "\n") + "\n"
  }

  private static let generics = """
    any = function() end
    ---@class _G
    _G = {}
    ---@generic T: table, K, V
    ---@param t T
    ---@return fun(table: table<K, V>, index?: K): K, V
    ---@return T
    function pairs(t) end
    ---@generic T: table, V
    ---@param t T
    ---@return fun(table: V[], i?: integer): integer, V
    ---@return T
    ---@return integer i
    function ipairs(t) end
    ---@generic K, V
    ---@param table table<K, V>
    ---@param index? K
    ---@return K|nil
    ---@return V|nil
    function next(table, index) end
    ---@generic T
    ---@param v? T
    ---@param message? any
    ---@param ... any
    ---@return T
    ---@return any ...
    function assert(v, message, ...) end
    ---@generic T: table
    ---@param table T
    ---@param metatable? table
    ---@return T
    function setmetatable(table, metatable) end
    """

  /// One name a line, with its type.
  private static let declarations = """
    _VERSION string
    collectgarbage fun(option?: string, ...): any
    error fun(message: any, level?: integer)
    getmetatable fun(value: any): any
    load fun(text: any, name?: string, mode?: "t", env?: table): function?, string?
    pcall fun(f: function, ...): boolean, ...
    print fun(...)
    rawequal fun(a: any, b: any): boolean
    rawget fun(table: table, key: any): any
    rawlen fun(value: table|string): integer
    rawset fun(table: table, key: any, value: any): table
    require fun(name: string): any
    select fun(n: integer|"#", ...): any
    tonumber fun(value: any, base?: integer): number?
    tostring fun(value: any): string
    type fun(value: any): string
    xpcall fun(f: function, handler: function, ...): boolean, ...
    coroutine.close fun(co: thread): boolean, any
    coroutine.create fun(f: function): thread
    coroutine.isyieldable fun(co?: thread): boolean
    coroutine.resume fun(co: thread, ...): boolean, ...
    coroutine.running fun(): thread, boolean
    coroutine.status fun(co: thread): string
    coroutine.wrap fun(f: function): function
    coroutine.yield fun(...): any
    debug.traceback fun(...): string
    math.abs fun(x: number): number
    math.acos fun(x: number): number
    math.asin fun(x: number): number
    math.atan fun(y: number, x?: number): number
    math.ceil fun(x: number): integer
    math.cos fun(x: number): number
    math.deg fun(x: number): number
    math.exp fun(x: number): number
    math.floor fun(x: number): integer
    math.fmod fun(x: number, y: number): number
    math.huge number
    math.log fun(x: number, base?: number): number
    math.max fun(x: number, ...: number): number
    math.maxinteger integer
    math.min fun(x: number, ...: number): number
    math.mininteger integer
    math.modf fun(x: number): number, number
    math.pi number
    math.rad fun(x: number): number
    math.random fun(m?: integer, n?: integer): number
    math.sin fun(x: number): number
    math.sqrt fun(x: number): number
    math.tan fun(x: number): number
    math.tointeger fun(x: any): integer?
    math.type fun(x: any): "integer"|"float"|nil
    math.ult fun(m: integer, n: integer): boolean
    os.clock fun(): number
    os.date fun(format?: string, time?: integer): string|table
    os.difftime fun(t2: integer, t1: integer): number
    os.time fun(table?: table): integer
    package.config string
    package.loaded table
    package.preload table
    string.byte fun(s: string, i?: integer, j?: integer): integer ...
    string.char fun(...: integer): string
    string.find fun(s: string, pattern: string, init?: integer, plain?: boolean): integer?, ...
    string.format fun(s: string, ...): string
    string.gmatch fun(s: string, pattern: string, init?: integer): fun(): string, ...
    string.gsub fun(s: string, pattern: string, repl: any, n?: integer): string, integer
    string.len fun(s: string): integer
    string.lower fun(s: string): string
    string.match fun(s: string, pattern: string, init?: integer): any ...
    string.pack fun(format: string, ...): string
    string.packsize fun(format: string): integer
    string.rep fun(s: string, n: integer, separator?: string): string
    string.reverse fun(s: string): string
    string.sub fun(s: string, i: integer, j?: integer): string
    string.unpack fun(format: string, s: string, position?: integer): any ...
    string.upper fun(s: string): string
    table.concat fun(list: table, separator?: string, i?: integer, j?: integer): string
    table.insert fun(list: table, position: any, value?: any)
    table.move fun(a1: table, f: integer, e: integer, t: integer, a2?: table): table
    table.pack fun(...): table
    table.remove fun(list: table, position?: integer): any
    table.sort fun(list: table, comp?: fun(a: any, b: any): boolean)
    table.unpack fun(list: table, i?: integer, j?: integer): any ...
    utf8.char fun(...: integer): string
    utf8.charpattern string
    utf8.codepoint fun(s: string, i?: integer, j?: integer, lax?: boolean): integer ...
    utf8.codes fun(s: string, lax?: boolean): fun(): integer, integer
    utf8.len fun(s: string, i?: integer, j?: integer, lax?: boolean): integer?, integer?
    utf8.offset fun(s: string, n: integer, i?: integer): integer?
    """
}
