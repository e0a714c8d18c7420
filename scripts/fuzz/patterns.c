/* Passes random patterns and texts to the system's find, match, gmatch and gsub and to ours, in one
 * Lua state: results and errors must be the same.    patterns [count] [seed]  Linked with only
 * patterns.c and matching.c of CMoonLua; what they need of a machine is below. */
#include <stdio.h>
#include <stdlib.h>

#include "matching.h"

void moon_rethrow_kill(lua_State *L) { (void)L; }
void moon_charge(lua_State *L, size_t bytes) { (void)L, (void)bytes; }
bool moon_is_draft(lua_State *L, int index) {
  (void)L, (void)index;
  return false;
}

static uint64_t seed;

static unsigned below(unsigned n) {
  seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
  return (unsigned)((seed >> 32) % n);
}

/* Patterns consist of meaningful pieces; texts consist of the same few bytes. */
static const char *const pieces[] = {
    "a",      "b",      "ab",    ".",     "%a",   "%d",   "%s",   "%w",          "%W",     "%p",
    "%x",     "%z",     "%u",    "%l",    "%c",   "%g",   "%D",   "%%",          "%.",     "[ab]",
    "[^a]",   "[a-c]",  "[%a_]", "[^%s]", "[]]",  "[^]]", "[a-]", "[%-a]",       "[a%-c]", "[-a]",
    "[+-%]]", "*",      "+",     "-",     "?",    "*",    "+",    "-",           "?",      "(",
    ")",      "(",      ")",     "()",    "^",    "$",    "%b()", "%bab",        "%bxx",   "%f[%a]",
    "%f[^a]", "%f[%z]", "%1",    "%2",    "%0",   "%9",   "(.-)", "(a*)",        ".*",     ".-",
    "[",      "]",      "%",     "%b",    "%ba",  "%f",   "%f[",  "[^",          "[a",     "[%",
    "x",      "1",      " ",     "_",     "\200", "\377", "Z",    "[\200-\377]", "(.)%1",  "%g"};
static const char letters[] = "aaabbbcxZ12 _()[]%.-\t\200\377";

static size_t make_pattern(char *out) {
  size_t length = 0;
  for (unsigned n = below(below(4) == 0 ? 14 : 6); n > 0; n--) {
    if (below(12) == 0) {
      out[length++] =
          (char)(below(4) == 0 ? below(256) : (unsigned char)letters[below(sizeof letters)]);
      continue;
    }
    const char *piece = pieces[below(sizeof pieces / sizeof *pieces)];
    memcpy(out + length, piece, strlen(piece));
    length += strlen(piece);
  }
  return length;
}

static size_t make_text(char *out) {
  size_t length = below(below(3) == 0 ? 40 : 10);
  for (size_t i = 0; i < length; i++) out[i] = letters[below(sizeof letters)];
  return length;
}

/* A pattern that the system's matcher refuses or nearly refuses for its depth. */
static size_t make_deep(char *out) {
  static const char *const deep[] = {"a?", "a*", "a-", "()", "(a)", "a+"};
  size_t length = 0;
  const char *piece = deep[below(6)];
  for (unsigned n = 25 + below(190); n > 0; n--) {
    if (below(20) == 0) piece = deep[below(6)];
    memcpy(out + length, piece, strlen(piece));
    length += strlen(piece);
  }
  return length;
}

/* Runs the case in the checker's upvalues with each library, and reports whether they agree. */
static const char checker[] =
    "local system, own = ...\n"
    "local function all(s, p, init)\n"
    "  local r, n = {}, 0\n"
    "  local f = own.current.gmatch(s, p, init)\n"
    "  while n < 60 do\n"
    "    local one = table.pack(f())\n"
    "    if one.n == 0 then break end\n"
    "    for i = 1, one.n do n = n + 1; r[n] = tostring(one[i]) end\n"
    "    n = n + 1; r[n] = '|'\n"
    "  end\n"
    "  return table.concat(r, ',')\n"
    "end\n"
    "local function text(ok, ...)\n"
    "  local r = table.pack(...)\n"
    "  for i = 1, r.n do r[i] = math.type(r[i]) == 'integer' and '#' .. r[i] or tostring(r[i]) "
    "end\n"
    "  return tostring(ok) .. ':' .. table.concat(r, ',')\n"
    "end\n"
    "local map = setmetatable({a = 'A', b = false, ['1'] = 1, ab = '<>'}, {__index = function(_, "
    "k)\n"
    "  if k == 'x' then return {} end if k == 3 then return 'three' end end})\n"
    "local function call(...) if (...) == 'x' then return {} end if (...) == 'b' then return nil "
    "end\n"
    "  return table.concat({...}, ';') end\n"
    "local function try(lib, kind, s, p, init, repl, max)\n"
    "  own.current = lib\n"
    "  if kind == 0 then return text(pcall(lib.find, s, p, init))\n"
    "  elseif kind == 1 then return text(pcall(lib.match, s, p, init))\n"
    "  elseif kind == 2 then return text(pcall(all, s, p, init))\n"
    "  elseif kind == 3 then return text(pcall(lib.gsub, s, p, repl, max))\n"
    "  elseif kind == 4 then return text(pcall(lib.gsub, s, p, map, max))\n"
    "  elseif kind == 5 then return text(pcall(lib.gsub, s, p, call, max))\n"
    "  else return text(pcall(lib.find, s, p, init, true)) end\n"
    "end\n"
    "return function(kind, s, p, init, repl, max)\n"
    "  local b = try(own, kind, s, p, init, repl, max)\n"
    "  -- The system's functions have no such limit, and might not end.\n"
    "  if b:find('the pattern takes too many', 1, true) then return false end\n"
    "  local a = try(system, kind, s, p, init, repl, max)\n"
    "  if a == b then return a:sub(1, 4) == 'true' end\n"
    "  error(('kind %d, text %q, pattern %q, init %s, repl %q, max %s\\n  system: %s\\n  ours:   "
    "%s'):format(\n"
    "    kind, s, p, tostring(init), repl, tostring(max), a, b), 0)\n"
    "end\n";

int main(int argc, char **argv) {
  long count = argc > 1 ? atol(argv[1]) : 1000000, good = 0;
  seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 42;
  uint64_t first = seed;
  seed = seed * 0x9e3779b97f4a7c15u + 1;
  lua_State *L = luaL_newstate();
  luaL_openlibs(L);
  luaL_loadstring(L, "local t = {} for k, v in pairs(string) do t[k] = v end return t");
  lua_call(L, 0, 1); /* 1: the system's */
  moon_open_matching(L);
  luaL_loadstring(L, checker);
  lua_pushvalue(L, 1);
  lua_getglobal(L, "string");
  lua_call(L, 2, 1); /* 2 */
  char pattern[2048], text[512], replacement[64];
  static const char *const parts[] = {"x", "%1", "%0", "%2", "%%", "-", "%", "%a", "ab"};
  for (long i = 0; i < count; i++) {
    bool is_deep = below(100) == 0;
    size_t pattern_length = is_deep ? make_deep(pattern) : make_pattern(pattern);
    size_t text_length = make_text(text), replacement_length = 0;
    if (is_deep && below(2) == 0) memset(text, 'a', text_length = 10 + below(60));
    for (unsigned n = below(4); n > 0; n--) {
      const char *part = parts[below(below(4) == 0 ? 9 : 6)];
      memcpy(replacement + replacement_length, part, strlen(part));
      replacement_length += strlen(part);
    }
    lua_pushvalue(L, 2);
    lua_pushinteger(L, is_deep ? below(2) : below(7));
    lua_pushlstring(L, text, text_length);
    lua_pushlstring(L, pattern, pattern_length);
    if (below(3) == 0)
      lua_pushinteger(L, (lua_Integer)below(50) - 20);
    else
      lua_pushnil(L);
    lua_pushlstring(L, replacement, replacement_length);
    if (below(3) == 0)
      lua_pushinteger(L, (lua_Integer)below(6) - 1);
    else
      lua_pushnil(L);
    if (lua_pcall(L, 6, 1, 0) != LUA_OK) {
      printf("seed %llu, case %ld: %s\n", (unsigned long long)first, i, lua_tostring(L, -1));
      return 1;
    }
    good += lua_toboolean(L, -1);
    lua_settop(L, 2);
  }
  printf("%ld cases agree (seed %llu); %ld ended without an error\n", count,
         (unsigned long long)first, good);
  lua_close(L);
  return 0;
}
