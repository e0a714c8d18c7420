-- The functions of tests. A test is a coroutine: each function that needs the app yields a request
-- to the command, which carries it out and resumes the test with the answer. A test may replace any
-- global, so nothing here uses one later. The arguments are what values.lua returns.
local plain, equal, text_of = ...
local coroutine, error, ipairs, pairs, pcall = coroutine, error, ipairs, pairs, pcall
local tostring, type, load, to_integer = tostring, type, load, math.tointeger
local find, sub, match = string.find, string.sub, string.match
local getmetatable, setmetatable, rawget, environment = getmetatable, setmetatable, rawget, _ENV
local yield, resume, create = coroutine.yield, coroutine.resume, coroutine.create
local status = coroutine.status

-- The key that marks a request.
local request_key = {}

-- Passes the requests of a coroutine on, so that a test may use the app in coroutines of its own.
local function pass(running, done, first, ...)
  if done and type(first) == "table" and rawget(first, request_key) then
    return pass(running, resume(running, yield(first)))
  end
  return done, first, ...
end

local function results(done, first, ...)
  if not done then error(first, 0) end
  return first, ...
end

function coroutine.resume(running, ...) return pass(running, resume(running, ...)) end

function coroutine.wrap(run)
  local running = create(run)
  return function(...) return results(pass(running, resume(running, ...))) end
end

-- The key of a failure in an error, which no test can make, and the first failure of the test.
local failure_key, failed = {}, nil

-- The line of the test that called a function of `t`, as `name:12`; `depth` is the number of
-- functions in between. None of them may make a tail call, which would lose that line.
local function place(depth)
  local _, text = pcall(error, "", 5 + depth)
  return sub(text, 1, -3)
end

-- The requests that do what a person does. A test may catch that this fails, and nothing else.
local is_act = {
  back = true, dispatch = true, input = true, press = true, route = true, screen = true,
  scroll = true, tap = true,
}

local function fail(depth, message, more, is_forgiven)
  local failure = more or {}
  failure.op, failure.message, failure.place = "failed", text_of(message), text_of(place(depth))
  if not is_forgiven then failed = failed or failure end
  error({ [failure_key] = failure }, 0)
end

-- Hands a request to the command, and returns the value of its answer.
local function request(op, fields)
  fields = fields or {}
  fields.op, fields[request_key], fields.place = op, true, text_of(place(0))
  local answer = yield(fields)
  if answer.failure then fail(1, answer.failure, { lines = answer.lines }, is_act[op]) end
  return answer.value
end

local t = {}

local function action(first, payload, name)
  if type(first) == "table" then first, payload = first.type, first.payload end
  if type(first) ~= "string" then
    fail(1, "t." .. name .. " takes an action, such as \"cart/add\"")
  end
  return { type = text_of(first), payload = plain(payload) }
end

--- Dispatches an action and everything that follows without a wait; returns the changes by path.
function t.dispatch(first, payload)
  return (request("dispatch", { action = action(first, payload, "dispatch") }))
end

--- Dispatches an action that is refused, by moon.refuse or by the host; returns the reason, which
--- contains `part`, and the details.
function t.refused(first, payload, part)
  local refusal = request("refused", { action = action(first, payload, "refused") })
  local text = refusal.reason
  if part and not find(text, part, 1, true) then
    fail(0, "the reason has no '" .. part .. "' in it: " .. text)
  end
  return text, refusal.details
end

--- Routes a URL.
function t.route(url, params)
  return (request("route", { url = text_of(url), params = plain(params) }))
end

--- Uses a control of the screen on top: its title, its id or its number.
function t.tap(control)
  return (request("tap", { control = text_of(control), number = to_integer(control) }))
end

--- Does what keys do, such as `ctrl+n` or `g i`, while the control with a number has the focus.
function t.press(keys, control)
  return (request("press", { keys = text_of(keys), control = plain(control) }))
end

--- Brings a row of a list into sight that is drawn in part: `t.scroll("log", 500)`.
function t.scroll(list, row)
  return (request("scroll", { list = text_of(list), row = to_integer(row) }))
end

--- Fills in inputs of the screen on top: `t.input { name = "Ada" }`.
function t.input(values)
  if type(values) ~= "table" then fail(0, "t.input takes a table, such as { name = \"Ada\" }") end
  local texts = {}
  for name, value in pairs(values) do texts[text_of(name)] = text_of(value) end
  return (request("input", { values = texts }))
end

--- Goes one step back.
function t.back() return (request "back") end

--- The screen on top: `{id, kind, title, lines}`; nil if there is none.
function t.screen() return (request "screen") end

--- The state, or the part of it at a path.
function t.state(path) return (request("state", { path = path and text_of(path) or "" })) end

--- Lets a number of seconds pass, with everything that happens meanwhile.
function t.advance(seconds)
  if type(seconds) ~= "number" or seconds ~= seconds then
    fail(0, "t.advance takes a number of seconds, not " .. text_of(seconds))
  end
  return (request("advance", { seconds = seconds }))
end

--- The next action of this type that a module has dispatched, with this payload if there is one.
function t.receive(kind, payload)
  return (request("receive", { action = action(kind, payload, "receive") }))
end

--- The next call of a service function that waits for an answer: `{number, name, arguments}`.
function t.call(name) return (request("call", { name = text_of(name) })) end

-- The call that `t.answer` and `t.fail` are for: a name, or what `t.call` returned.
local function called(call, name)
  if type(call) == "string" then return { name = text_of(call) } end
  if type(call) == "table" and call.number then
    return { name = text_of(call.name), number = to_integer(call.number) }
  end
  fail(1, "t." .. name .. " takes the name of a function, such as \"http.get\", or a call")
end

--- Answers a call of a service function: the waiting one, or else the next one.
function t.answer(call, value)
  return (request("answer", { call = called(call, "answer"), value = plain(value, true) }))
end

--- Makes a call of a service function fail, with a code and a text.
function t.fail(call, code, message)
  return (request("answer", {
    call = called(call, "fail"), code = text_of(code or "failed"),
    message = text_of(message or code or "failed"),
  }))
end

-- What `t.open` returns: the other side of a stream or a connection.
local Stream = {}
-- Tests can't change the methods for others.
local stream_type = { __index = Stream, __metatable = "a stream" }

-- The number of a stream whose method is called.
local function number_of(stream, method)
  if type(stream) ~= "table" or getmetatable(stream) ~= stream_type.__metatable then
    fail(1, method .. " is a method of what t.open returns: write stream:" .. method .. "()")
  end
  return stream.number
end

--- Opens what a call of a service function requests: the waiting call, or else the next one.
--- `facts` has the results of the connection's methods that don't wait, by name.
function t.open(call, facts)
  if facts ~= nil and type(facts) ~= "table" then fail(0, "t.open takes a table of facts") end
  local number = request("open", { call = called(call, "open"), facts = plain(facts) })
  return setmetatable({ number = number }, stream_type)
end

--- Sends a value, which the module receives next.
function Stream:send(value, second)
  local number = number_of(self, "send")
  if value == nil then fail(0, "send takes a value") end
  return (request("stream", {
    method = "send", number = number, values = { plain(value), plain(second) },
  }))
end

--- The next message that the module has sent, with its arguments by name; fails if they aren't the
--- expected ones, if any are given.
function Stream:receive(expected)
  local number = number_of(self, "receive")
  local found = request("stream", { method = "receive", number = number })
  if expected ~= nil and not equal(found, expected) then
    fail(0, "the module has sent something else",
      { actual = plain(found), expected = plain(expected), compares = true })
  end
  return found
end

--- Ends the stream.
function Stream:close()
  return (request("stream", { method = "close", number = number_of(self, "close") }))
end

--- Makes the stream fail, with a code and a text.
function Stream:fail(code, message)
  return (request("stream", {
    method = "fail", number = number_of(self, "fail"), code = text_of(code or "failed"),
    message = text_of(message or code or "failed"),
  }))
end

--- Whether the module has closed it.
function Stream:is_closed()
  return (request("stream", { method = "is_closed", number = number_of(self, "is_closed") }))
end

--- The names and waits of the running tasks.
function t.tasks() return (request "tasks") end

--- The faults so far, as texts; a test fails if any is left at its end.
function t.faults() return (request "faults") end

--- Expects that two values are equal, tables by their contents.
function t.equal(actual, expected, note)
  if equal(actual, expected) then return end
  fail(0, note and text_of(note) or "not equal",
    { actual = plain(actual), expected = plain(expected), compares = true })
end

--- Expects that a value is neither nil nor false.
function t.ok(value, note)
  if not value then fail(0, note and text_of(note) or "not ok: " .. text_of(value)) end
  return value
end

--- Expects that a text has a part, or a list an element.
function t.contains(whole, part, note)
  if part == nil then fail(0, "t.contains takes what is in there second, not nil") end
  if type(whole) == "string" then
    if find(whole, tostring(part), 1, true) then return end
  elseif type(whole) == "table" then
    for _, entry in ipairs(whole) do if equal(entry, part) then return end end
  end
  fail(0, note and text_of(note) or "it isn't in there",
    { actual = plain(whole), expected = plain(part), compares = true })
end

--- Expects that a function raises an error; returns it.
function t.raises(f, part)
  local meta = getmetatable(f)
  if type(f) ~= "function" and not (type(meta) == "table" and meta.__call) then
    fail(0, "t.raises takes a function, such as function() … end, not " .. type(f))
  end
  local done, err = pcall(f)
  if type(err) == "table" and rawget(err, failure_key) then error(err, 0) end
  if done then fail(0, "it raised no error") end
  if part and not find(text_of(err), part, 1, true) then
    fail(0, "the error has no '" .. part .. "' in it: " .. text_of(err))
  end
  return err
end

-- The tests of the file, and the running one.
local tests, common, running = {}, {}, nil

local options = { "answers", "exhaustive", "state", "time" }
local is_option = { run = true }
for _, name in ipairs(options) do is_option[name] = true end

local function is_test(entry)
  return type(entry) == "function" or type(entry) == "table" and type(entry.run) == "function"
end

local test = {}

-- The code of the file that was loaded last, how Lua's messages about it begin, and its globals.
local file, mark, globals = nil, nil, {}

-- Returns the failure that an error is: its message, and its line if it was raised in the file.
local function failure(message)
  local line, text
  if sub(message, 1, #mark) == mark then line, text = match(message, "^(%d+): (.*)", #mark + 1) end
  return { op = "failed", message = text_of(text or message), place = line }
end

-- Runs the file's code with globals of its own; returns what it returns, the names of its tests,
-- and what is wrong with an entry: `wrong` for one that isn't a test, or `test` and its `option`.
local function read()
  local value = file(setmetatable(globals, { __index = environment }))
  tests, common = {}, {}
  local names, found = {}, {}
  if type(value) ~= "table" then return value, names end
  for name, entry in pairs(value) do
    if name == "setup" and type(entry) == "function" then
      common.setup = entry
    elseif is_test(entry) then
      tests[text_of(name)] = entry
      names[#names + 1] = text_of(name)
      for key in pairs(type(entry) == "table" and entry or {}) do
        if not is_option[key] then found.test, found.option = text_of(name), text_of(key) end
      end
    elseif not is_option[name] then
      found.wrong = found.wrong or text_of(name)
    end
  end
  for _, name in ipairs(options) do common[name] = not tests[name] and value[name] or nil end
  return value, names, found
end

--- Runs the code of a file: its text, or a function of its globals. Returns the names of its tests,
--- or the value that it returns, or what is wrong with the text and where.
function test.load(code, path)
  local name, problem = "@" .. path, nil
  test.path, file, mark = path, code, "prompt:"
  if type(code) == "string" then
    -- Lua cuts long names.
    local _, start = pcall(load("error ''", name))
    mark = sub(start, 1, -4)
    file, problem = load(code, name, "t", globals)
  end
  if problem then return failure(problem) end
  local value, names, found = read()
  if #names == 0 then return { value = value } end
  found.names, found.options = names, options
  return found
end

--- Begins a test; returns its options.
function test.begin(name)
  local entry = tests[name]
  local run = type(entry) == "function" and entry or entry.run
  local own, known = {}, {}
  for key, value in pairs(t) do own[key], known[#known + 1] = value, key end
  setmetatable(own, { __index = function(_, key)
    return (request("unknown", { name = text_of(key), names = known }))
  end })
  running, failed = create(function()
    if common.setup then common.setup(own) end
    run(own)
  end), nil
  local chosen = {}
  for _, option in ipairs(options) do
    local value = common[option]
    if type(entry) == "table" and entry[option] ~= nil then value = entry[option] end
    chosen[option] = plain(value)
  end
  return chosen
end

--- Runs the test up to its next request, and returns that.
function test.resume(answer)
  local done, result = resume(running, answer)
  if not done then
    if type(result) == "table" and rawget(result, failure_key) then return result[failure_key] end
    local is_text, message = pcall(tostring, result)
    return failure(is_text and message or "the test raised a value that has no text")
  end
  -- A test may catch what an action fails for, but not what it expects in vain.
  if status(running) == "dead" then return failed or { op = "done" } end
  -- It yielded something of its own.
  if type(result) ~= "table" or not rawget(result, request_key) then return {} end
  result[request_key] = nil
  return result
end

return test
