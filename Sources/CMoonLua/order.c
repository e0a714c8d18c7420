/* `pairs` and `next` in a defined order: numbers ascending, then strings by bytes, then booleans.
 *
 * Lua's own order follows from seeded hashes and differs from run to run, so a replay would not
 * give the same state. Keys of other types (tables, functions) have no order that a second run
 * could repeat. A pure call refuses them; elsewhere they come last, in Lua's order. */
#define _GNU_SOURCE
#include "order.h"
#include "host.h"
#include "items.h"

#include <stdlib.h>

typedef struct {
  uint8_t rank; /* 0 number, 1 string, 2 boolean, 3 other */
  bool is_integer;
  union {
    lua_Integer integer;
    lua_Number number;
    const char *bytes;
  };
  size_t length;
  lua_Integer place; /* position in Lua's order */
} sortable;

static int compare_numbers(const sortable *a, const sortable *b) {
  if (a->is_integer && b->is_integer) return (a->integer > b->integer) - (a->integer < b->integer);
  if (!a->is_integer && !b->is_integer) return (a->number > b->number) - (a->number < b->number);
  /* A float key never equals an integer key: Lua converts floats with an integer value, unless they
   * are outside the range of integers. */
  const sortable *fraction = a->is_integer ? b : a;
  const sortable *whole = a->is_integer ? a : b;
  int order;
  if (fraction->number >= 9223372036854775808.0)
    order = 1;
  else if (fraction->number < -9223372036854775808.0)
    order = -1;
  else {
    lua_Integer floor = (lua_Integer)fraction->number;
    if ((lua_Number)floor > fraction->number) floor--;
    order = floor >= whole->integer ? 1 : -1;
  }
  return fraction == a ? order : -order;
}

static int compare(const void *left, const void *right) {
  const sortable *a = left, *b = right;
  if (a->rank != b->rank) return a->rank < b->rank ? -1 : 1;
  switch (a->rank) {
    case 0: return compare_numbers(a, b);
    case 1: {
      size_t shorter = a->length < b->length ? a->length : b->length;
      int order = memcmp(a->bytes, b->bytes, shorter);
      return order != 0 ? order : (a->length > b->length) - (a->length < b->length);
    }
    case 2: return (a->integer > b->integer) - (a->integer < b->integer);
    default: return (a->place > b->place) - (a->place < b->place);
  }
}

/* For qsort_r, which can't be interrupted. In a killed call any order will do. */
static int compare_polling(const void *left, const void *right, void *vm) {
  return moon_is_killed(vm) ? 0 : compare(left, right);
}

static void describe(lua_State *L, int index, sortable *key) {
  switch (lua_type(L, index)) {
    case LUA_TNUMBER:
      key->rank = 0;
      key->is_integer = lua_isinteger(L, index);
      if (key->is_integer)
        key->integer = lua_tointeger(L, index);
      else
        key->number = lua_tonumber(L, index);
      break;
    case LUA_TSTRING:
      key->rank = 1;
      key->bytes = lua_tolstring(L, index, &key->length);
      break;
    case LUA_TBOOLEAN:
      key->rank = 2;
      key->integer = lua_toboolean(L, index);
      break;
    default: key->rank = 3;
  }
}

static void refuse_unordered(lua_State *L, const sortable *key) {
  if (key->rank == 3 && moon_vm_of(L)->call != NULL && moon_vm_of(L)->call->pure)
    luaL_error(L,
               "pairs: a table, function or coroutine as a key has no order that a replay could "
               "repeat; in %s use keys that are strings, numbers or booleans",
               moon_vm_of(L)->call->entry);
}

void moon_push_sorted_keys(lua_State *L, int index, size_t *result) {
  index = lua_absindex(L, index);
  size_t count = 0;
  lua_pushnil(L);
  while (lua_next(L, index)) {
    lua_pop(L, 1);
    count++;
  }
  moon_charge(L, count * (sizeof(sortable) + 2 * sizeof(lua_Number) * 2));
  sortable *keys = lua_newuserdatauv(L, (count + 1) * sizeof *keys, 0);
  lua_createtable(L, (int)count, 0); /* anchors the strings during the sort */
  size_t n = 0;
  lua_pushnil(L);
  while (lua_next(L, index) && n < count) {
    lua_pop(L, 1);
    keys[n].place = (lua_Integer)n + 1;
    describe(L, -1, &keys[n]);
    refuse_unordered(L, &keys[n]);
    lua_pushvalue(L, -1);
    lua_rawseti(L, -3, keys[n].place);
    n++;
  }
  bool sorted = true;
  for (size_t i = 1; i < n && sorted; i++) sorted = compare(&keys[i - 1], &keys[i]) < 0;
  if (!sorted) {
    qsort_r(keys, n, sizeof *keys, compare_polling, moon_vm_of(L));
    lua_createtable(L, (int)n, 0);
    for (size_t i = 0; i < n; i++) {
      lua_rawgeti(L, -2, keys[i].place);
      lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_remove(L, -2);
  }
  lua_remove(L, -2);
  *result = n;
}

/* Upvalues: the sorted keys, their number, the position. */
static int walk_plain(lua_State *L) {
  lua_Integer count = lua_tointeger(L, lua_upvalueindex(2));
  lua_Integer position = lua_tointeger(L, lua_upvalueindex(3));
  luaL_checktype(L, 1, LUA_TTABLE);
  while (position < count) {
    lua_rawgeti(L, lua_upvalueindex(1), ++position);
    lua_pushvalue(L, -1);
    if (lua_rawget(L, 1) != LUA_TNIL) {
      lua_pushinteger(L, position);
      lua_replace(L, lua_upvalueindex(3));
      return 2;
    }
    lua_pop(L, 2);
  }
  lua_pushinteger(L, position);
  lua_replace(L, lua_upvalueindex(3));
  lua_pushnil(L);
  return 1;
}

static int next_in_draft(lua_State *L, uint32_t draft, int key_index) {
  moon_vm *vm = moon_vm_of(L);
  moon_item key, next, value;
  bool first = lua_isnoneornil(L, key_index);
  if (!first && !moon_key_at(L, key_index, &key))
    return luaL_error(L, "next: a %s is no key of the state", luaL_typename(L, key_index));
  if (moon_callback(vm, draft_next, draft, first ? NULL : &key, &next, &value) != MOON_DONE)
    return moon_raise_failure(L);
  moon_push_item(L, &next);
  if (next.tag == MOON_NIL) return 1;
  moon_push_item(L, &value);
  return 2;
}

static int moon_next(lua_State *L);

static int moon_pairs(lua_State *L) {
  luaL_checkany(L, 1);
  if (moon_is_draft(L, 1)) {
    lua_pushcfunction(L, moon_next);
    lua_pushvalue(L, 1);
    lua_pushnil(L);
    return 3;
  }
  if (luaL_getmetafield(L, 1, "__pairs") != LUA_TNIL) {
    lua_pushvalue(L, 1);
    lua_call(L, 1, 3);
    return 3;
  }
  luaL_checktype(L, 1, LUA_TTABLE);
  size_t count;
  moon_push_sorted_keys(L, 1, &count);
  lua_pushinteger(L, (lua_Integer)count);
  lua_pushinteger(L, 0);
  lua_pushcclosure(L, walk_plain, 3);
  lua_pushvalue(L, 1);
  lua_pushnil(L);
  return 3;
}

static void forget_order(lua_State *L) {
  moon_vm_of(L)->order_position = 0;
  lua_pushnil(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &moon_key_order);
}

/* [-0, +1..2, v] Finds the smallest key without sorting: `next(t) == nil` is a common test. */
static int first_of_plain(lua_State *L) {
  forget_order(L);
  sortable best = {.rank = 4}, key = {.rank = 4};
  lua_settop(L, 1);
  lua_pushnil(L);
  lua_pushnil(L); /* 2: the best key */
  while (lua_next(L, 1)) {
    lua_pop(L, 1);
    key.place = 0;
    describe(L, -1, &key);
    refuse_unordered(L, &key);
    if (best.rank == 4 || compare(&key, &best) < 0) {
      best = key;
      lua_pushvalue(L, -1);
      lua_replace(L, 2);
    }
  }
  lua_settop(L, 2);
  if (lua_isnil(L, 2)) return 1;
  lua_pushvalue(L, 2);
  lua_rawget(L, 1);
  return 2;
}

static int next_in_plain(lua_State *L) {
  moon_vm *vm = moon_vm_of(L);
  lua_settop(L, 2);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &moon_key_order); /* 3: the keys of the table last traversed */
  size_t position = 0;
  /* The table itself is at index 0, which keeps its address from being reused. */
  bool known =
      lua_istable(L, 3) && vm->order_position > 0 && (lua_rawgeti(L, 3, 0), lua_rawequal(L, -1, 1));
  lua_settop(L, 3);
  if (known) {
    lua_rawgeti(L, 3, (lua_Integer)vm->order_position);
    known = lua_rawequal(L, -1, 2);
    lua_pop(L, 1);
    position = vm->order_position;
  }
  if (!known) {
    size_t count;
    lua_pop(L, 1);
    moon_push_sorted_keys(L, 1, &count);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &moon_key_order);
    lua_pushvalue(L, 1);
    lua_rawseti(L, 3, 0);
    vm->order_position = 0;
    vm->order_count = count;
    sortable wanted = {.place = 0}, key = {.place = 1};
    describe(L, 2, &wanted);
    size_t low = 0, high = count; /* keys below `low` don't come after the wanted one */
    if (wanted.rank == 3) {
      for (low = 0; low < count; low++) {
        lua_rawgeti(L, 3, (lua_Integer)low + 1);
        bool same = lua_rawequal(L, -1, 2);
        lua_pop(L, 1);
        if (same) break;
      }
      if (low == count) return luaL_error(L, "invalid key to 'next'");
      low++;
    } else {
      while (low < high) {
        size_t middle = (low + high) / 2;
        lua_rawgeti(L, 3, (lua_Integer)middle + 1);
        describe(L, -1, &key);
        bool after = compare(&key, &wanted) > 0;
        lua_pop(L, 1);
        if (after)
          high = middle;
        else
          low = middle + 1;
      }
    }
    position = low;
  }
  while (position < vm->order_count) {
    lua_rawgeti(L, 3, (lua_Integer)++position);
    lua_pushvalue(L, -1);
    if (lua_rawget(L, 1) != LUA_TNIL) {
      vm->order_position = position;
      return 2;
    }
    lua_pop(L, 2);
  }
  forget_order(L);
  lua_pushnil(L);
  return 1;
}

static int moon_next(lua_State *L) {
  uint32_t draft;
  if (moon_to_draft(L, 1, &draft)) return next_in_draft(L, draft, 2);
  luaL_checktype(L, 1, LUA_TTABLE);
  return lua_isnoneornil(L, 2) ? first_of_plain(L) : next_in_plain(L);
}

void moon_open_order(lua_State *L) {
  lua_pushcfunction(L, moon_pairs);
  lua_setglobal(L, "pairs");
  lua_pushcfunction(L, moon_next);
  lua_setglobal(L, "next");
}
