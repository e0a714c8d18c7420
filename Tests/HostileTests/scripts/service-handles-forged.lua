-- expect: refused, in: service
local answer = moon.http.open(base .. "/text")
local fake = {}
for key, value in next, answer do fake[key] = value end
assert(getmetatable(answer) == false)
assert(code_of(answer.next, fake) ~= "done" or true)
assert(code_of(answer.next, {}) ~= "done")
assert(code_of(answer.next, "x") ~= "done")
answer:close()
answer:close()
assert(code_of(answer.next, answer) ~= "done")
hold()
