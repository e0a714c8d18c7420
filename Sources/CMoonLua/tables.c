/* The library `table` and raw access, for tables and drafts. table.sort depends on its input alone;
 * Lua's own picks pivots by the clock in large unbalanced lists. */
#include "tables.h"
#include "drafts.h"
#include "host.h"
#include "items.h"
#include "lengths.h"

/* [-0, +0, v] Limits the loops of this file, which no hook can interrupt: an argument or a __len
 * can claim any length. */
static void check_range(lua_State *L, lua_Integer first, lua_Integer last) {
  if (first <= last && (lua_Unsigned)last - (lua_Unsigned)first >= MOON_NODES_MAX)
    luaL_error(L, "a range of more than %d elements", MOON_NODES_MAX);
}

/* Steps of a loop between two safe points. */
#define POLL_STEPS 1024

static inline void poll(lua_State *L, lua_Integer step) {
  if (step % POLL_STEPS == 0) moon_safe_point(L);
}

static lua_Integer length_of(lua_State *L, int index) {
  if (lua_type(L, index) != LUA_TTABLE && !moon_is_draft(L, index))
    luaL_typeerror(L, index, "table");
  return moon_length(L, index);
}

/* Longest text of a number. */
#define NUMBER_TEXT_MAX 64

/* [-0, +0, v] Accepts tables, drafts, and values with the metamethod `event`. */
static void check_table(lua_State *L, int index, const char *event) {
  if (lua_type(L, index) == LUA_TTABLE || moon_is_draft(L, index)) return;
  if (luaL_getmetafield(L, index, event) == LUA_TNIL) luaL_checktype(L, index, LUA_TTABLE);
  lua_pop(L, 1);
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
    poll(L, i);
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
    luaL_argcheck(L,
                  (lua_Unsigned)length + 1 - (lua_Unsigned)position <= (lua_Unsigned)length + 1 &&
                      (length == 0 || position >= 1) && position <= length + 1,
                  2, "position out of bounds");
  uint32_t draft;
  if (moon_to_draft(L, 1, &draft)) {
    moon_item out;
    int status = moon_callback(vm, draft_remove, draft, position, &out);
    if (status == MOON_FAILED) return moon_raise_failure(L);
    if (status == MOON_DONE) {
      moon_push_item(L, &out);
      return 1;
    }
  }
  check_range(L, position, length);
  lua_geti(L, 1, position);
  for (; position < length; position++) {
    poll(L, position);
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
    poll(L, i);
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
  moon_charge(L, 2 * (size_t)length * sizeof(void *) * 2);
  lua_createtable(L, (int)length, 0); /* 3 and 4: source and target of each pass */
  lua_createtable(L, (int)length, 0);
  for (lua_Integer i = 1; i <= length; i++) {
    poll(L, i);
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
    poll(L, i);
    lua_rawgeti(L, from, i);
    lua_seti(L, 1, i);
  }
  return 0;
}

/* As in Lua, the range must fit into integers. */
static int table_move(lua_State *L) {
  lua_Integer first = luaL_checkinteger(L, 2), last = luaL_checkinteger(L, 3);
  lua_Integer to = luaL_checkinteger(L, 4);
  int target = lua_isnoneornil(L, 5) ? 1 : 5;
  check_table(L, 1, "__index");
  check_table(L, target, "__newindex");
  check_range(L, first, last);
  if (last >= first) {
    luaL_argcheck(L, first > 0 || last < LUA_MAXINTEGER + first, 3, "too many elements to move");
    lua_Integer count = last - first + 1;
    luaL_argcheck(L, to <= LUA_MAXINTEGER - count + 1, 4, "destination wrap around");
    /* Backwards if the target begins within the source. */
    bool is_backwards =
        to > first && to <= last && (target == 1 || lua_compare(L, 1, target, LUA_OPEQ));
    for (lua_Integer i = 0; i < count; i++) {
      lua_Integer offset = is_backwards ? count - 1 - i : i;
      poll(L, i);
      lua_geti(L, 1, first + offset);
      lua_seti(L, target, to + offset);
    }
  }
  lua_pushvalue(L, target);
  return 1;
}

/* [-0, +0, v] The length of the result of concat, to be charged before it is built. */
static size_t joined_length(lua_State *L, lua_Integer first, lua_Integer last, size_t gap) {
  size_t total = 0;
  for (lua_Integer i = first; i <= last; i++) {
    poll(L, i);
    lua_geti(L, 1, i);
    if (!lua_isstring(L, -1))
      luaL_error(L, "invalid value (at index %I) in table for 'concat'", (LUAI_UACINT)i);
    total += (lua_type(L, -1) == LUA_TSTRING ? lua_rawlen(L, -1) : NUMBER_TEXT_MAX) +
             (i < last ? gap : 0);
    lua_pop(L, 1);
    if (i == LUA_MAXINTEGER) break;
  }
  return total;
}

static int table_concat(lua_State *L) {
  lua_Integer length = length_of(L, 1);
  size_t gap;
  const char *separator = luaL_optlstring(L, 2, "", &gap);
  lua_Integer first = luaL_optinteger(L, 3, 1), last = luaL_optinteger(L, 4, length);
  check_range(L, first, last);
  moon_charge(L, joined_length(L, first, last, gap));
  luaL_Buffer out;
  luaL_buffinit(L, &out);
  for (lua_Integer i = first; i <= last; i++) {
    poll(L, i);
    lua_geti(L, 1, i);
    if (!lua_isstring(L, -1)) /* a metamethod has changed it */
      return luaL_error(L, "invalid value (at index %I) in table for 'concat'", (LUAI_UACINT)i);
    luaL_addvalue(&out);
    if (i == last) break;
    luaL_addlstring(&out, separator, gap);
  }
  luaL_pushresult(&out);
  return 1;
}

static int table_unpack(lua_State *L) {
  lua_Integer first = luaL_optinteger(L, 2, 1);
  lua_Integer last = lua_isnoneornil(L, 3) ? moon_length(L, 1) : luaL_checkinteger(L, 3);
  if (first > last) return 0;
  lua_Unsigned count = (lua_Unsigned)last - (lua_Unsigned)first;
  if (count >= MOON_NODES_MAX || !lua_checkstack(L, (int)count + 1))
    return luaL_error(L, "too many results to unpack");
  for (lua_Integer i = 0; i <= (lua_Integer)count; i++) {
    poll(L, i);
    lua_geti(L, 1, first + i);
  }
  return (int)count + 1;
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
  lua_pushinteger(L, type == LUA_TTABLE ? moon_border(L, 1) : (lua_Integer)lua_rawlen(L, 1));
  return 1;
}

static int type_name(lua_State *L) {
  luaL_checkany(L, 1);
  lua_pushstring(L, moon_is_draft(L, 1) ? "table" : luaL_typename(L, 1));
  return 1;
}

static int get_metatable(lua_State *L) {
  luaL_checkany(L, 1);
  if (lua_isuserdata(L, 1) || !lua_getmetatable(L, 1)) {
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
    return luaL_error(L, "a part of the state or the payload can't have a metatable");
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_argexpected(L, type == LUA_TNIL || type == LUA_TTABLE, 2, "nil or table");
  if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL)
    return luaL_error(L, "cannot change a protected metatable");
  if (type == LUA_TTABLE) {
    lua_pushliteral(L, "__gc");
    if (lua_rawget(L, 2) != LUA_TNIL)
      return luaL_error(L, "setmetatable: __gc isn't available in a module");
    moon_note_metatable(L, 2);
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
      {"insert", table_insert}, {"remove", table_remove}, {"sort", moon_sort}, {"move", table_move},
      {"concat", table_concat}, {"unpack", table_unpack}, {NULL, NULL}};
  lua_pushglobaltable(L);
  luaL_setfuncs(L, globals, 0);
  lua_getfield(L, -1, "table");
  luaL_setfuncs(L, functions, 0);
  lua_pop(L, 2);
}
