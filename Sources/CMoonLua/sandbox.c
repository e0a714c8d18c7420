/* The globals of a machine, built from allow-lists. Nothing else exists. */
#include "sandbox.h"
#include "host.h"
#include "quota.h"
#include "source.h"

/* Longest text for `load`. In a huge expression, Lua takes minutes to name a bad operand. */
#define LOAD_BYTES_MAX (256 * 1024)

void moon_refuse_in_pure(lua_State *L, const char *what) {
  const moon_call *call = moon_vm_of(L)->call;
  if (call == NULL || !call->pure) return;
  /* Some of the callers are functions of the library `moonwire`. */
  moon_where(L);
  lua_pushfstring(L,
                  "%s isn't available in %s: its result must depend on the state and the action "
                  "alone",
                  what, call->entry);
  lua_concat(L, 2);
  lua_error(L);
}

void moon_vm_refuse_clocks(moon_vm *vm) { vm->refuses_clocks = true; }

/* Raises an error in pure calls, and in machines whose code may run again. */
static void refuse_clock(lua_State *L, const char *what) {
  moon_refuse_in_pure(L, what);
  if (moon_vm_of(L)->refuses_clocks)
    luaL_error(L,
               "%s isn't available in a durable effect, whose code may run again: "
               "call moon.time.now(), whose answer is kept",
               what);
}

/* The clock of the host stands still in a repeatable call: answers os.time(), which returns true,
 * and passes the time to os.date. */
static bool hold_clock(lua_State *L, const char *name) {
  const moon_call *call = moon_vm_of(L)->call;
  if (call == NULL || !call->repeatable) return false;
  if (strcmp(name, "os.time") == 0 && lua_isnoneornil(L, 1)) {
    lua_pushinteger(L, (lua_Integer)call->time);
    return true;
  }
  if (strcmp(name, "os.date") == 0 && lua_isnoneornil(L, 2)) {
    lua_settop(L, 1);
    if (lua_isnil(L, 1)) {
      lua_pushliteral(L, "%c");
      lua_replace(L, 1);
    }
    lua_pushinteger(L, (lua_Integer)call->time);
  }
  return false;
}

/* Upvalues: the library function, its name. */
static int impure(lua_State *L) {
  const char *name = lua_tostring(L, lua_upvalueindex(2));
  refuse_clock(L, name);
  if (hold_clock(L, name)) return 1;
  int count = lua_gettop(L);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, count, LUA_MULTRET);
  return lua_gettop(L);
}

/* Like the library function, but without addresses, which differ from run to run. */
int moon_to_text(lua_State *L) {
  luaL_checkany(L, 1);
  lua_settop(L, 1);
  if (luaL_callmeta(L, 1, "__tostring")) {
    if (!lua_isstring(L, -1)) return luaL_error(L, "'__tostring' must return a string");
    return 1;
  }
  switch (lua_type(L, 1)) {
    case LUA_TNIL:
    case LUA_TBOOLEAN:
    case LUA_TNUMBER:
    case LUA_TSTRING: luaL_tolstring(L, 1, NULL); return 1;
    default:
      if (luaL_getmetafield(L, 1, "__name") == LUA_TSTRING) return 1;
      lua_pushstring(L, luaL_typename(L, 1));
      return 1;
  }
}

/* [-0, +1, v] Pushes the pieces of text that the function at 1 returns, joined; or a message, and
 * returns false. An empty piece, or none, is the end. */
static bool join_pieces(lua_State *L) {
  luaL_Buffer text;
  size_t length = 0;
  luaL_buffinit(L, &text);
  for (;;) {
    lua_pushvalue(L, 1);
    if (lua_pcall(L, 0, 1, 0) != LUA_OK) {
      moon_rethrow_kill(L);
      return false;
    }
    if (lua_isnil(L, -1)) break;
    size_t piece;
    if (lua_tolstring(L, -1, &piece) == NULL) {
      lua_pushliteral(L, "reader function must return a string");
      return false;
    }
    if (piece == 0) break;
    length += piece;
    if (length > LOAD_BYTES_MAX) luaL_argerror(L, 1, "text longer than 256 KB");
    luaL_addvalue(&text);
  }
  lua_pop(L, 1);
  luaL_pushresult(&text);
  return true;
}

/* [-1, +2, -] Returns nil and the message on top. */
static int refuse_text(lua_State *L) {
  lua_pushnil(L);
  lua_insert(L, -2);
  return 2;
}

static int load_text(lua_State *L) {
  size_t length;
  int has_environment = !lua_isnone(L, 4);
  bool is_reader = lua_isfunction(L, 1);
  if (!is_reader && lua_type(L, 1) != LUA_TSTRING)
    return luaL_argerror(L, 1, "only text, or a function that returns it, can be loaded");
  const char *mode = luaL_optstring(L, 3, "bt");
  if (strchr(mode, 't') == NULL) {
    lua_pushfstring(L, "attempt to load a text chunk (mode is '%s')", mode);
    return refuse_text(L);
  }
  lua_settop(L, 4);
  if (is_reader) {
    if (!join_pieces(L)) return refuse_text(L);
    lua_replace(L, 1);
  }
  const char *source = lua_tolstring(L, 1, &length);
  if (length > LOAD_BYTES_MAX) return luaL_argerror(L, 1, "text longer than 256 KB");
  const char *name = luaL_optstring(L, 2, is_reader ? "=(load)" : source);
  if (moon_compile(L, source, length, name) != LUA_OK) return refuse_text(L);
  if (has_environment) {
    lua_pushvalue(L, 4);
    if (lua_setupvalue(L, -2, 1) == NULL) lua_pop(L, 1);
  }
  return 1;
}

static int collect_garbage(lua_State *L) {
  const char *option = luaL_optstring(L, 1, "collect");
  if (strcmp(option, "count") != 0)
    return luaL_error(L, "collectgarbage(\"%s\") isn't available: only \"count\" is", option);
  refuse_clock(L, "collectgarbage");
  lua_pushnumber(L, (lua_Number)moon_vm_of(L)->memory / 1024);
  return 1;
}

static uint64_t next_random(moon_vm *vm) {
  /* xorshift128+ (S. Vigna, "Further scramblings of Marsaglia's xorshift generators", 2014). */
  const moon_call *call = vm->call;
  uint64_t *s = call != NULL && (call->pure || call->repeatable) ? vm->random : vm->host_random;
  uint64_t a = s[0], b = s[1];
  s[0] = b;
  a ^= a << 23;
  s[1] = a ^ b ^ (a >> 18) ^ (b >> 5);
  return s[1] + b;
}

/* Like math.random: (), (m), (m, n), (0). */
static int random_number(lua_State *L) {
  moon_vm *vm = moon_vm_of(L);
  lua_Integer low, high;
  switch (lua_gettop(L)) {
    case 0: lua_pushnumber(L, (lua_Number)(next_random(vm) >> 11) * 0x1p-53); return 1;
    case 1:
      low = 1;
      high = luaL_checkinteger(L, 1);
      if (high == 0) {
        lua_pushinteger(L, (lua_Integer)next_random(vm));
        return 1;
      }
      break;
    case 2:
      low = luaL_checkinteger(L, 1);
      high = luaL_checkinteger(L, 2);
      break;
    default: return luaL_error(L, "wrong number of arguments");
  }
  luaL_argcheck(L, low <= high, lua_gettop(L), "interval is empty");
  uint64_t range = (uint64_t)high - (uint64_t)low + 1;
  uint64_t random = next_random(vm);
  if (range != 0) {
    uint64_t rest = (UINT64_MAX % range + 1) %
                    range; /* size of the last, incomplete interval, which is rejected */
    while (rest != 0 && random > UINT64_MAX - rest) random = next_random(vm);
    random %= range;
  }
  lua_pushinteger(L, (lua_Integer)((uint64_t)low + random));
  return 1;
}

/* [-1, +0, v] Copies the named fields of the table on top into the globals, or into a new global
 * table `library`. */
static void allow(lua_State *L, const char *library, const char *const *names) {
  if (library != NULL)
    lua_createtable(L, 0, 20);
  else
    lua_pushglobaltable(L);
  for (; *names != NULL; names++) {
    lua_getfield(L, -2, *names);
    lua_setfield(L, -2, *names);
  }
  if (library != NULL)
    lua_setglobal(L, library);
  else
    lua_pop(L, 1);
  lua_pop(L, 1);
}

static void open_library(lua_State *L, lua_CFunction open, const char *name) {
  lua_pushcfunction(L, open);
  lua_pushstring(L, name);
  lua_call(L, 1, 1);
}

/* [-0, +0, v] Makes library.name raise an error in pure calls. */
static void make_impure(lua_State *L, const char *library, const char *name) {
  lua_getglobal(L, library);
  lua_getfield(L, -1, name);
  lua_pushfstring(L, "%s.%s", library, name);
  lua_pushcclosure(L, impure, 2);
  lua_setfield(L, -2, name);
  lua_pop(L, 1);
}

static const char *const basics[] = {"assert", "error",    "ipairs",   "rawequal",
                                     "select", "tonumber", "_VERSION", NULL};
static const char *const coroutines[] = {"isyieldable", "running", "status", NULL};
static const char *const strings[] = {"byte",    "char",  "find",   "format", "gmatch",   "gsub",
                                      "len",     "lower", "match",  "pack",   "packsize", "rep",
                                      "reverse", "sub",   "unpack", "upper",  NULL};
static const char *const tables[] = {"concat", "move", "pack", "unpack", NULL};
static const char *const maths[] = {
    "abs",  "acos", "asin", "atan", "ceil",       "cos",  "deg",        "exp",  "floor",
    "fmod", "huge", "log",  "max",  "maxinteger", "min",  "mininteger", "modf", "pi",
    "rad",  "sin",  "sqrt", "tan",  "tointeger",  "type", "ult",        NULL};
static const char *const utf8s[] = {"char", "charpattern", "codepoint", "codes",
                                    "len",  "offset",      NULL};
static const char *const traces[] = {"traceback", NULL};
/* Many libraries look at `io` when they are loaded, and use it only if they are asked to. */
static const char *const nothing[] = {NULL};
static const char *const clocks[] = {"time", "date", "clock", "difftime", NULL};

void moon_open_sandbox(lua_State *L) {
  static const luaL_Reg functions[] = {{"tostring", moon_to_text},
                                       {"load", load_text},
                                       {"collectgarbage", collect_garbage},
                                       {NULL, NULL}};
  /* luaopen_base fills the registry's globals, which are then replaced by a new table. */
  open_library(L, luaopen_base, LUA_GNAME);
  lua_createtable(L, 0, 40);
  lua_pushvalue(L, -1);
  lua_rawseti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
  lua_pushvalue(L, -1);
  lua_setfield(L, -2, LUA_GNAME);
  lua_pop(L, 1);
  allow(L, NULL, basics);
  open_library(L, luaopen_coroutine, LUA_COLIBNAME);
  allow(L, LUA_COLIBNAME, coroutines);
  open_library(L, luaopen_string, LUA_STRLIBNAME);
  allow(L, LUA_STRLIBNAME, strings);
  open_library(L, luaopen_table, LUA_TABLIBNAME);
  allow(L, LUA_TABLIBNAME, tables);
  open_library(L, luaopen_math, LUA_MATHLIBNAME);
  allow(L, LUA_MATHLIBNAME, maths);
  open_library(L, luaopen_utf8, LUA_UTF8LIBNAME);
  allow(L, LUA_UTF8LIBNAME, utf8s);
  open_library(L, luaopen_os, LUA_OSLIBNAME);
  allow(L, LUA_OSLIBNAME, clocks);
  open_library(L, luaopen_debug, LUA_DBLIBNAME);
  allow(L, LUA_DBLIBNAME, traces);
  lua_createtable(L, 0, 0);
  allow(L, LUA_IOLIBNAME, nothing);
  make_impure(L, LUA_OSLIBNAME, "time");
  make_impure(L, LUA_OSLIBNAME, "date");
  make_impure(L, LUA_OSLIBNAME, "clock");
  lua_pushglobaltable(L);
  luaL_setfuncs(L, functions, 0);
  lua_getfield(L, -1, "math");
  lua_pushcfunction(L, random_number);
  lua_setfield(L, -2, "random");
  lua_pop(L, 1);
  lua_getfield(L, -1, "string");
  /* Strings find their methods in the allowed table. Their metatable is hidden. */
  lua_pushliteral(L, "");
  lua_getmetatable(L, -1);
  lua_pushvalue(L, -3);
  lua_setfield(L, -2, "__index");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_pop(L, 4);
}
