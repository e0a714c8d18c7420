/* The length of tables. For a table with holes Lua returns any border, depending on where seeded
 * hashes have put its keys. Here it depends on the keys alone. Lua has no way to replace the
 * operator `#`, so source.c rewrites it as a power of a marked string, whose metamethod is in this
 * file. */
#include "lengths.h"

#include <stdio.h>

/* A border up to this one is the smallest, found by linear search. Larger ones are found by
 * doubling and bisection; linear search would make appending quadratic. Equal to
 * Map.smallestBorderMax in Swift. */
#define SMALLEST_BORDER_MAX 64
/* Longest name of a variable in an error message. */
#define NAME_MAX_BYTES 60

static bool is_absent(lua_State *L, int index, lua_Unsigned key) {
  bool is_nil = lua_rawgeti(L, index, (lua_Integer)key) == LUA_TNIL;
  lua_pop(L, 1);
  return is_nil;
}

lua_Integer moon_border(lua_State *L, int index) {
  lua_Unsigned present = 0, absent = SMALLEST_BORDER_MAX + 1;
  while (present < SMALLEST_BORDER_MAX)
    if (is_absent(L, index, present + 1))
      return (lua_Integer)present;
    else
      present++;
  while (!is_absent(L, index, absent)) {
    present = absent;
    if (absent >= (lua_Unsigned)LUA_MAXINTEGER / 2) return (lua_Integer)present;
    absent *= 2;
  }
  while (absent - present > 1) {
    lua_Unsigned middle = (present + absent) / 2;
    if (is_absent(L, index, middle))
      absent = middle;
    else
      present = middle;
  }
  return (lua_Integer)present;
}

lua_Integer moon_length(lua_State *L, int index) {
  if (lua_type(L, index) != LUA_TTABLE) return luaL_len(L, index);
  if (luaL_getmetafield(L, index, "__len") == LUA_TNIL) return moon_border(L, index);
  lua_pop(L, 1);
  return luaL_len(L, index);
}

/* ---- The operator ---- */

/* The kind of the variable `name` in the function of the frame. */
static const char *kind_of_name(lua_State *L, lua_Debug *frame, const char *name) {
  const char *kind = "global", *other;
  for (int i = 1; (other = lua_getlocal(L, frame, i)) != NULL; i++) {
    lua_pop(L, 1);
    if (strcmp(other, name) == 0) return "local";
  }
  lua_getinfo(L, "f", frame);
  for (int i = 1; (other = lua_getupvalue(L, -1, i)) != NULL; i++) {
    lua_pop(L, 1);
    if (strcmp(other, name) == 0) kind = "upvalue";
  }
  lua_pop(L, 1);
  return kind;
}

/* Raises the error about an operand without length, which `mark` names. Never returns. */
static int refuse_length(lua_State *L, const char *mark) {
  lua_Debug frame;
  char name[NAME_MAX_BYTES + 24] = "";
  if (mark[1] == '.')
    snprintf(name, sizeof name, " (field '%.*s')", NAME_MAX_BYTES, mark + 2);
  else if (mark[1] != 0 && lua_getstack(L, 1, &frame))
    snprintf(name, sizeof name, " (%s '%.*s')", kind_of_name(L, &frame, mark + 1), NAME_MAX_BYTES,
             mark + 1);
  const char *kind = luaL_typename(L, 2);
  if (luaL_getmetafield(L, 2, "__name") == LUA_TSTRING) kind = lua_tostring(L, -1);
  return luaL_error(L, "attempt to get length of a %s value%s", kind, name);
}

static int finish_length(lua_State *L, int status, lua_KContext context) {
  (void)L, (void)status, (void)context;
  return 1;
}

/* [-1, +1, e] Calls the metamethod on top, which may yield. */
static int call_length(lua_State *L) {
  lua_pushvalue(L, 2);
  lua_pushvalue(L, 2);
  lua_callk(L, 2, 1, 0, finish_length);
  return 1;
}

/* [-0, +1, e] Pushes the length of argument 2. */
static int push_length(lua_State *L, const char *mark) {
  switch (lua_type(L, 2)) {
    case LUA_TSTRING: lua_pushinteger(L, (lua_Integer)lua_rawlen(L, 2)); return 1;
    case LUA_TTABLE:
      if (luaL_getmetafield(L, 2, "__len") != LUA_TNIL) return call_length(L);
      lua_pushinteger(L, moon_border(L, 2));
      return 1;
    default:
      if (luaL_getmetafield(L, 2, "__len") != LUA_TNIL) return call_length(L);
      return refuse_length(L, mark);
  }
}

/* The metamethod __pow of strings. Upvalue: the library function, which is called without a frame
 * of its own, so that its error messages name the line of the script. */
static int power(lua_State *L) {
  const char *mark = lua_type(L, 1) == LUA_TSTRING ? lua_tostring(L, 1) : "";
  if (mark[0] == MOON_LENGTH_MARK) return push_length(L, mark);
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

void moon_open_lengths(lua_State *L) {
  lua_pushliteral(L, "");
  lua_getmetatable(L, -1);
  lua_getfield(L, -1, "__pow");
  lua_pushcclosure(L, power, 1);
  lua_setfield(L, -2, "__pow");
  lua_pop(L, 2);
}
