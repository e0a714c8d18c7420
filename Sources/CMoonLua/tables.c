/* Functions of `table` and raw access that must know drafts, and a sort whose result depends on
 * nothing but its input: the system's picks pivots from the clock for large unbalanced lists. */
#include "internal.h"

/* [-0, +0, v] Loops in C see no hook: none is longer than a table can sensibly be, whatever an
 * argument or a __len says. */
static void check_range(lua_State *L, lua_Integer first, lua_Integer last) {
  if (first <= last && (lua_Unsigned)last - (lua_Unsigned)first >= MOON_NODES_MAX)
    luaL_error(L, "a range of more than %d elements", MOON_NODES_MAX);
}

static lua_Integer length_of(lua_State *L, int index) {
  if (lua_type(L, index) != LUA_TTABLE && !moon_is_draft(L, index))
    luaL_typeerror(L, index, "table");
  return luaL_len(L, index);
}

static int table_insert(lua_State *L) {
  lua_Integer length = length_of(L, 1);
  lua_Integer position;
  uint32_t draft;
  switch (lua_gettop(L)) {
    case 2: position = length + 1; break;
    case 3:
      position = luaL_checkinteger(L, 2);
      luaL_argcheck(L, position >= 1 && position <= length + 1, 2, "position out of bounds");
      break;
    default: return luaL_error(L, "wrong number of arguments to 'insert'");
  }
  int value = lua_gettop(L);
  if (moon_to_draft(L, 1, &draft) && !lua_isnil(L, value) &&
      moon_draft_insert(L, draft, position, value))
    return 0;
  check_range(L, position, length);
  for (lua_Integer i = length + 1; i > position; i--) {
    lua_geti(L, 1, i - 1);
    lua_seti(L, 1, i);
  }
  lua_seti(L, 1, position);
  return 0;
}

static int table_remove(lua_State *L) {
  moon_vm *vm = moon_vm_of(L);
  lua_Integer length = length_of(L, 1);
  lua_Integer position = luaL_optinteger(L, 2, length);
  if (lua_gettop(L) >= 2)
    luaL_argcheck(L, (lua_Unsigned)length + 1 - (lua_Unsigned)position <= (lua_Unsigned)length + 1 &&
                         (length == 0 || position >= 1) && position <= length + 1,
                  2, "position out of bounds");
  uint32_t draft;
  if (moon_to_draft(L, 1, &draft)) {
    moon_item out;
    int status = vm->callbacks.draft_remove(vm->context, draft, position, &out);
    if (status == MOON_FAILED) return moon_raise_failure(L);
    if (status == MOON_DONE) {
      moon_push_item(L, &out);
      return 1;
    }
  }
  check_range(L, position, length);
  lua_geti(L, 1, position);
  for (; position < length; position++) {
    lua_geti(L, 1, position + 1);
    lua_seti(L, 1, position);
  }
  lua_pushnil(L);
  lua_seti(L, 1, position);
  return 1;
}

/* [-0, +0, e] Whether the value at `left` comes before the one at `right`. */
static bool comes_before(lua_State *L, int left, int right) {
  if (lua_isnil(L, 2)) return lua_compare(L, left, right, LUA_OPLT);
  lua_pushvalue(L, 2);
  lua_pushvalue(L, left < 0 ? left - 1 : left);
  lua_pushvalue(L, right < 0 ? right - 2 : right);
  lua_call(L, 2, 1);
  bool before = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return before;
}

/* [-0, +0, e] Merges the runs [low, middle) and [middle, high) of table `from` into table `to`. */
static void merge(lua_State *L, int from, int to, lua_Integer low, lua_Integer middle,
                  lua_Integer high) {
  lua_Integer left = low, right = middle;
  for (lua_Integer i = low; i < high; i++) {
    bool take_right = left >= middle;
    if (left < middle && right < high) {
      lua_rawgeti(L, from, left);
      lua_rawgeti(L, from, right);
      take_right = comes_before(L, -1, -2);
      lua_pop(L, 2);
    }
    lua_rawgeti(L, from, take_right ? right++ : left++);
    lua_rawseti(L, to, i);
  }
}

/* table.sort: a stable merge sort, the same for tables and drafts. */
int moon_sort(lua_State *L) {
  lua_Integer length = length_of(L, 1);
  if (length < 2) return 0;
  check_range(L, 1, length);
  if (!lua_isnoneornil(L, 2)) luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_settop(L, 2);
  lua_createtable(L, (int)length, 0); /* 3 and 4: the runs go back and forth between them */
  lua_createtable(L, (int)length, 0);
  for (lua_Integer i = 1; i <= length; i++) {
    lua_geti(L, 1, i);
    lua_rawseti(L, 3, i);
  }
  int from = 3, to = 4;
  for (lua_Integer width = 1; width < length; width *= 2) {
    for (lua_Integer low = 1; low <= length; low += 2 * width) {
      lua_Integer middle = low + width > length + 1 ? length + 1 : low + width;
      lua_Integer high = low + 2 * width > length + 1 ? length + 1 : low + 2 * width;
      merge(L, from, to, low, middle, high);
    }
    int swap = from;
    from = to;
    to = swap;
  }
  for (lua_Integer i = 1; i <= length; i++) {
    lua_rawgeti(L, from, i);
    lua_seti(L, 1, i);
  }
  return 0;
}

/* Upvalue: the library's function. */
static int call_library(lua_State *L) {
  int count = lua_gettop(L);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, count, LUA_MULTRET);
  return lua_gettop(L);
}

static int table_move(lua_State *L) {
  check_range(L, luaL_checkinteger(L, 2), luaL_checkinteger(L, 3));
  return call_library(L);
}

static int table_concat(lua_State *L) {
  lua_Integer first = luaL_optinteger(L, 3, 1);
  check_range(L, first, lua_isnoneornil(L, 4) ? length_of(L, 1) : luaL_checkinteger(L, 4));
  return call_library(L);
}

static int raw_get(lua_State *L) {
  if (!moon_is_draft(L, 1)) luaL_checktype(L, 1, LUA_TTABLE);
  luaL_checkany(L, 2);
  lua_settop(L, 2);
  if (moon_is_draft(L, 1))
    lua_gettable(L, 1);
  else
    lua_rawget(L, 1);
  return 1;
}

static int raw_set(lua_State *L) {
  if (!moon_is_draft(L, 1)) luaL_checktype(L, 1, LUA_TTABLE);
  luaL_checkany(L, 2);
  luaL_checkany(L, 3);
  lua_settop(L, 3);
  if (moon_is_draft(L, 1))
    lua_settable(L, 1);
  else
    lua_rawset(L, 1);
  lua_settop(L, 1);
  return 1;
}

static int raw_length(lua_State *L) {
  int type = lua_type(L, 1);
  if (moon_is_draft(L, 1)) {
    lua_pushinteger(L, luaL_len(L, 1));
    return 1;
  }
  luaL_argexpected(L, type == LUA_TTABLE || type == LUA_TSTRING, 1, "table or string");
  lua_pushinteger(L, (lua_Integer)lua_rawlen(L, 1));
  return 1;
}

static int type_name(lua_State *L) {
  luaL_checkany(L, 1);
  lua_pushstring(L, moon_is_draft(L, 1) ? "table" : luaL_typename(L, 1));
  return 1;
}

static int get_metatable(lua_State *L) {
  luaL_checkany(L, 1);
  if (moon_is_draft(L, 1) || !lua_getmetatable(L, 1)) {
    lua_pushnil(L);
    return 1;
  }
  lua_rawgetp(L, LUA_REGISTRYINDEX, &moon_key_list);
  if (lua_rawequal(L, -1, -2)) {
    lua_pushnil(L);
    return 1;
  }
  lua_pop(L, 1);
  luaL_getmetafield(L, 1, "__metatable");
  return 1;
}

static int set_metatable(lua_State *L) {
  int type = lua_type(L, 2);
  uint32_t draft;
  if (moon_to_draft(L, 1, &draft))
    return luaL_error(L, "a part of the state can't have a metatable");
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_argexpected(L, type == LUA_TNIL || type == LUA_TTABLE, 2, "nil or table");
  if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL)
    return luaL_error(L, "cannot change a protected metatable");
  if (type == LUA_TTABLE) {
    lua_pushliteral(L, "__gc");
    if (lua_rawget(L, 2) != LUA_TNIL)
      return luaL_error(L, "setmetatable: __gc isn't available in a module");
  }
  lua_settop(L, 2);
  lua_setmetatable(L, 1);
  return 1;
}

void moon_open_tables(lua_State *L) {
  static const luaL_Reg globals[] = {{"rawget", raw_get},
                                     {"rawset", raw_set},
                                     {"rawlen", raw_length},
                                     {"type", type_name},
                                     {"getmetatable", get_metatable},
                                     {"setmetatable", set_metatable},
                                     {NULL, NULL}};
  static const luaL_Reg functions[] = {
      {"insert", table_insert}, {"remove", table_remove}, {"sort", moon_sort}, {NULL, NULL}};
  static const luaL_Reg bounded[] = {
      {"move", table_move}, {"concat", table_concat}, {NULL, NULL}};
  lua_pushglobaltable(L);
  luaL_setfuncs(L, globals, 0);
  lua_getfield(L, -1, "table");
  luaL_setfuncs(L, functions, 0);
  for (const luaL_Reg *entry = bounded; entry->name != NULL; entry++) {
    lua_getfield(L, -1, entry->name);
    lua_pushcclosure(L, entry->func, 1);
    lua_setfield(L, -2, entry->name);
  }
  lua_pop(L, 2);
}
